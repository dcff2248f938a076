/** Computes the chairs of a table or of a box. */
import type { Point, TableData } from '#server/drawing/model/data.ts';
import { applied, moving, composed, turning } from '#server/drawing/geometry/matrix.ts';
import { away, roundedPoint, whole } from '#server/drawing/geometry/vector.ts';

/** The chairs at the top, right, bottom and left. */
export type Sides = readonly [number, number, number, number];
type Shape = Pick<
  TableData,
  'type' | 'center' | 'radius' | 'width' | 'height' | 'rotationAngle' | 'openSpaces' | 'x_kind'
> & { x_sides?: unknown };

/** The distance from a table's edge to the middle of its chairs. */
const ASIDE = 19;
/** The distance from chair to chair along the edge. */
const CHAIR = 22;
const IN_BOX = 20;

export function sidesOf(value: unknown): Sides {
  const numbers = Array.isArray(value) ? value : [];
  const chairsAt = (side: number) => whole(Number(numbers[side] ?? 0), [0, 60]);
  return [chairsAt(0), chairsAt(1), chairsAt(2), chairsAt(3)];
}

/** The radius at which a round table has room for its chairs. */
export function radiusFor(chairs: number, openSpaces = 0): number {
  const around = ((chairs + openSpaces) * CHAIR) / (2 * Math.PI);
  return Math.max(18, Math.ceil(around - ASIDE + 6));
}

export function widthFor(chairs: number): number {
  return Math.max(36, chairs * CHAIR + 6);
}

/**
 * Chairs around the centre of an unrotated table, clockwise from the top; open places are at the
 * bottom.
 */
function roundSeats(radius: number, chairs: number, openSpaces: number): Point[] {
  const step = 360 / Math.max(1, chairs + openSpaces);
  const first = openSpaces === 0 ? -90 : 90 + (step * (openSpaces + 1)) / 2;
  return Array.from({ length: chairs }, (_, chair) =>
    away({ x: 0, y: 0 }, first + chair * step, radius + ASIDE),
  );
}

/** Chairs along the sides, clockwise from the top left corner. */
function sideSeats(width: number, height: number, sides: Sides): Point[] {
  return sides.flatMap((count, side) => {
    const along = side % 2 === 0 ? width : height;
    const out = (side % 2 === 0 ? height : width) / 2 + ASIDE;
    const turn = turning(side * 90, { x: 0, y: 0 });
    return Array.from({ length: count }, (_, chair) =>
      applied(turn, { x: ((chair + 0.5) / count - 0.5) * along, y: -out }),
    );
  });
}

/** Chairs in rows from the parapet at the top backwards; the front ones come first. */
function boxSeats(width: number, height: number, chairs: number): Point[] {
  const across = Math.max(1, Math.min(chairs, Math.floor(width / IN_BOX)));
  const rows = Math.ceil(chairs / across);
  return Array.from({ length: chairs }, (_, chair) => {
    const row = Math.floor(chair / across);
    const inRow = Math.min(across, chairs - row * across);
    const place = (chair % across) + 0.5;
    const step = width / Math.max(inRow, across);
    return {
      x: (place - inRow / 2) * step,
      y: ((row + 0.5) / rows - 0.5) * height,
    };
  });
}

/** The chairs of a table, in the coordinates of its centre. */
export function tableSeats(table: Shape, chairs: number): Point[] {
  const { center = { x: 0, y: 0 }, radius = 0, width = 0, height = 0, openSpaces = 0 } = table;
  const count = whole(chairs, [0, 200]);
  const placed = () => {
    if (table.x_kind === 'palco') return boxSeats(width, height, count);
    if (table.type === 'rectangular') return sideSeats(width, height, sidesOf(table.x_sides));
    return roundSeats(radius, count, openSpaces);
  };
  const matrix = composed(
    turning(table.rotationAngle ?? 0, { x: 0, y: 0 }),
    moving(center.x, center.y),
  );
  return placed().map((point) => roundedPoint(applied(matrix, point)));
}
