/** What an import puts into a drawing: floors and sections around rows that were found. */
import type {
  Point,
  RowData,
  SeatData,
  ShapeData,
  TextData,
} from '#server/standins/seatsio/drawing/model/data.ts';
import type { Raw } from '#server/standins/seatsio/drawing/model/open.ts';
import { add, subtract, tidy } from './values.ts';

/** With absolute coordinates. */
export interface Inside {
  rows: RowData[];
  shapes: ShapeData[];
  texts: TextData[];
}

function movedBy<T extends { center?: Point; points?: Point[] }>(object: T, by: Point): T {
  return {
    ...object,
    ...(object.center ? { center: subtract(object.center, by) } : {}),
    ...(object.points ? { points: object.points.map((point) => subtract(point, by)) } : {}),
  };
}

/** Coordinates are measured from `origin`: a section's corner, or that of the floor. */
export function makeSubChart({ rows, shapes, texts }: Inside, origin: Point): Raw {
  return {
    width: 1000,
    height: 1000,
    snapOffset: { x: 0, y: 0 },
    focalPoint: null,
    rows: rows.map((row) => ({
      ...row,
      seats: row.seats.map((seat): SeatData => ({ ...seat, ...subtract(seat, origin) })),
    })),
    tables: [],
    booths: [],
    generalAdmissionAreas: [],
    sections: [],
    shapes: shapes.map((shape) => movedBy(shape, origin)),
    texts: texts.map((text) => movedBy(text, origin)),
    icons: [],
    imageObjects: [],
  };
}

function cross(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/** How far an outline keeps from its seats. */
const MARGIN = 18;

/** The convex outline with some room around all seats. */
export function outlineFor(seats: readonly Point[]): Point[] {
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const;
  const around = seats
    .flatMap((seat) => corners.map(([x, y]) => add(seat, { x: x * MARGIN, y: y * MARGIN })))
    .map(({ x, y }) => ({ x: tidy(x), y: tidy(y) }))
    .toSorted((a, b) => a.x - b.x || a.y - b.y);
  const half = (ordered: readonly Point[]) => {
    const chain: Point[] = [];
    for (const point of ordered) {
      while (chain.length > 1 && cross(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(around), ...half(around.toReversed())];
}
