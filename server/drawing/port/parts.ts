/** Makes floors and sections around rows that an import has read. */
import type {
  Centred,
  Point,
  RowData,
  SeatData,
  ShapeData,
  TableData,
  TextData,
} from '#server/drawing/model/data.ts';
import type { Raw } from '#server/drawing/model/open.ts';
import { emptyFloor } from '#server/drawing/model/empty.ts';
import { meanOf } from '#server/drawing/model/places.ts';
import { clusteredOutline } from '#server/drawing/geometry/concave.ts';
import { distance } from '#server/drawing/geometry/vector.ts';
import { subtract, tidy } from './values.ts';

/** The contents of a floor or section, in absolute coordinates. */
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

/** Measures coordinates from `origin`, the corner of a section or of the floor. */
export function makeSubChart({ rows, shapes, texts }: Inside, origin: Point): Raw {
  return {
    ...emptyFloor({ width: 1000, height: 1000 }),
    rows: rows.map((row) => ({
      ...row,
      seats: row.seats.map((seat): SeatData => ({ ...seat, ...subtract(seat, origin) })),
    })),
    shapes: shapes.map((shape) => movedBy(shape, origin)),
    texts: texts.map((text) => movedBy(text, origin)),
  };
}

/** The room between an outline and its seats, and how far rows of one block are apart. */
const MARGIN = 18;
const BRIDGE = 53;

/** The outline around all seats with some room; it follows the bay of a horseshoe. */
export function outlineFor(seats: readonly Point[]): Point[] {
  return clusteredOutline(seats, { bridge: BRIDGE, room: MARGIN });
}

/** The top left corner of an outline, from which a section's seats are measured. */
export function cornerOf(points: readonly Point[]): Point {
  return {
    x: Math.min(...points.map(({ x }) => x)),
    y: Math.min(...points.map(({ y }) => y)),
  };
}

/** A table in the middle of seats that stand in a circle, as large as they allow. */
export function tableAround(row: RowData): Centred<TableData> {
  const { seats } = row;
  const { x, y } = meanOf(seats);
  const center = { x: tidy(x), y: tidy(y) };
  const reach = Math.max(...seats.map((seat) => distance(seat, center)));
  return {
    ...row,
    type: 'round',
    center,
    radius: Math.max(12, tidy(reach - 16)),
    autoRadius: false,
    rotationAngle: 0,
    openSpaces: 0,
    bookAsAWhole: false,
  };
}
