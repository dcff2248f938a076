/** The box that an object takes up in the drawing. */
import type { Doc, Item, Point } from '#server/drawing/model/data.ts';
import { seatsOf, type Selection } from '#server/drawing/model/selection.ts';
import { absolutePoints, absoluteSeats, toAbsolute } from './absolute.ts';
import { applied, turning } from './matrix.ts';
import { away } from './vector.ts';

export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The radius of a drawn seat when seats have their usual distance. */
export const SEAT_RADIUS = 9;

export function boundsOfPoints(points: readonly Point[], room = 0): Bounds | null {
  if (points.length === 0) return null;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return { left: left - room, top: top - room, right: right + room, bottom: bottom + room };
}

export function joinBounds(all: readonly (Bounds | null)[]): Bounds | null {
  return boundsOfPoints(
    all.flatMap((one) =>
      one
        ? [
            { x: one.left, y: one.top },
            { x: one.right, y: one.bottom },
          ]
        : [],
    ),
  );
}

export function middleOfBounds({ left, top, right, bottom }: Bounds): Point {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

function cornersOfBounds({ left, top, right, bottom }: Bounds): Point[] {
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

/** The width and height of an object that has a centre. */
function sizeOf(item: Item): { width: number; height: number } {
  const data = item.data as Record<string, unknown>;
  if (item.kind === 'text') {
    const size = numberOr(data.fontSize, 16);
    const text = typeof data.text === 'string' ? data.text : String(data.label ?? '');
    return { width: Math.max(1, text.length) * size * 0.58, height: size * 1.25 };
  }
  if (item.kind === 'icon') {
    const size = numberOr(data.iconSize, 24);
    return { width: size, height: size };
  }
  const round = numberOr(data.radius, 20) * 2;
  const usual = item.kind === 'booth' ? 40 : round;
  const isRound = item.kind === 'table' && data.type !== 'rectangular' && data.x_kind !== 'palco';
  if (isRound) return { width: round, height: round };
  return {
    width: numberOr(data.width, numberOr(data.radius1, usual / 2) * 2),
    height: numberOr(data.height, numberOr(data.radius2, usual / 2) * 2),
  };
}

function isEllipse({ kind, data }: Item): boolean {
  const { type, radius1 } = data as { type?: string; radius1?: number };
  if (kind === 'table') return type !== 'rectangular' && data.x_kind !== 'palco';
  return type === 'circle' || type === 'ellipse' || (kind === 'area' && radius1 !== undefined);
}

/** The outline drawn around an object's middle or from its corners; a row has none. */
export function outlineOfItem(doc: Doc, item: Item): Point[] {
  const points = absolutePoints(doc, item);
  if (item.kind === 'row') return [];
  if (points.length > 1 && (item.kind === 'section' || !isEllipse(item))) return points;
  const { center, rotationAngle } = item.data as { center?: Point; rotationAngle?: number };
  if (!center) return [];
  const middle = toAbsolute(doc, item, center);
  const { width, height } = sizeOf(item);
  const box = isEllipse(item)
    ? Array.from({ length: 36 }, (_, step) => {
        const at = away({ x: 0, y: 0 }, step * 10, 1);
        return { x: middle.x + (at.x * width) / 2, y: middle.y + (at.y * height) / 2 };
      })
    : cornersOfBounds({
        left: middle.x - width / 2,
        top: middle.y - height / 2,
        right: middle.x + width / 2,
        bottom: middle.y + height / 2,
      });
  const turn = turning(numberOr(rotationAngle, 0), middle);
  return box.map((point) => applied(turn, point));
}

export function boundsOf(doc: Doc, item: Item): Bounds | null {
  return joinBounds([
    boundsOfPoints(outlineOfItem(doc, item)),
    boundsOfPoints(absoluteSeats(doc, item), SEAT_RADIUS),
  ]);
}

function boundsOfSeats(doc: Doc, item: Item, positions: ReadonlySet<number>): Bounds | null {
  const seats = absoluteSeats(doc, item).filter((_, position) => positions.has(position));
  return boundsOfPoints(seats, SEAT_RADIUS);
}

export function boundsOfSelection(doc: Doc, { items, seats }: Selection): Bounds | null {
  const whole = [...items].map((id) => {
    const item = doc.items.get(id);
    return item ? boundsOf(doc, item) : null;
  });
  const single = [...seats].map(([id, positions]) => {
    const item = doc.items.get(id);
    return item && seatsOf(item).length > 0 ? boundsOfSeats(doc, item, positions) : null;
  });
  return joinBounds([...whole, ...single]);
}
