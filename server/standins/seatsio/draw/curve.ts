/** Lines for walls and rows: straight pieces and arcs in sequence, and their parallels. */
import type { Point } from '#server/standins/seatsio/plan/read-drawing.ts';
import { entryAt } from '#server/drawing/model/entry.ts';
import { onCircle } from '#server/drawing/geometry/vector.ts';

/** 0 degrees points down and 90 to the right, as seen on the plan. */
type Piece =
  | { from: Point; to: Point }
  | { centre: Point; radius: number; start: number; end: number };

/** In walking order the inside is on the left; positive offsets lie outside. */
export type Curve = readonly Piece[];

export interface Spot extends Point {
  /** The outward direction. */
  degrees: number;
}

function lengthOf(piece: Piece, offset: number): number {
  if ('radius' in piece)
    return ((piece.end - piece.start) * Math.PI * (piece.radius + offset)) / 180;
  return Math.hypot(piece.to.x - piece.from.x, piece.to.y - piece.from.y);
}

function spotOn(piece: Piece, offset: number, share: number): Spot {
  if ('radius' in piece) {
    const degrees = piece.start + (piece.end - piece.start) * share;
    return { ...onCircle(piece.centre, piece.radius + offset, degrees), degrees };
  }
  const { from, to } = piece;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const out = { x: -(to.y - from.y) / length, y: (to.x - from.x) / length };
  return {
    x: from.x + (to.x - from.x) * share + out.x * offset,
    y: from.y + (to.y - from.y) * share + out.y * offset,
    degrees: (Math.atan2(out.x, out.y) * 180) / Math.PI,
  };
}

/**
 * A position that is valid on all parallels: the index of a piece plus a share of that piece. The
 * end of a curve is its number of pieces. `distanceOf` gives the length along one parallel.
 */
export type Mark = number;

export function distanceOf(curve: Curve, offset: number, mark: Mark): number {
  const whole = Math.min(Math.floor(mark), curve.length - 1);
  return (
    curve.slice(0, whole).reduce((sum, piece) => sum + lengthOf(piece, offset), 0) +
    lengthOf(entryAt(curve, whole), offset) * (mark - whole)
  );
}

/** The mark at this length along a parallel. */
export function markAt(curve: Curve, offset: number, distance: number): Mark {
  let left = distance;
  for (const [index, piece] of curve.entries()) {
    const length = lengthOf(piece, offset);
    if (left < length) return index + left / length;
    left -= length;
  }
  return curve.length;
}

export function spotAt(curve: Curve, offset: number, distance: number): Spot {
  let left = distance;
  for (const [index, piece] of curve.entries()) {
    const length = lengthOf(piece, offset);
    if (left <= length || index === curve.length - 1)
      return spotOn(piece, offset, length === 0 ? 0 : left / length);
    left -= length;
  }
  throw new Error('A curve has at least one piece');
}

/**
 * Points between two marks on one parallel, dense enough to look round, without `aside` at each
 * end.
 */
function stretch(
  curve: Curve,
  offset: number,
  { from, to, aside = 0 }: { from: Mark; to: Mark; aside?: number },
): Point[] {
  const [start, end] = [
    distanceOf(curve, offset, from) + aside,
    distanceOf(curve, offset, to) - aside,
  ];
  const corners = curve.flatMap((_, index) =>
    index > from && index < to ? [distanceOf(curve, offset, index)] : [],
  );
  const stops = [...corners.filter((at) => at > start && at < end), end];
  let next = start;
  const drawn = stops.flatMap((at) => {
    const before = next;
    next = at;
    const turn = Math.abs(
      spotAt(curve, offset, at - 0.01).degrees - spotAt(curve, offset, before + 0.01).degrees,
    );
    const steps = Math.max(1, Math.ceil(turn / 5));
    return Array.from({ length: steps }, (_, step) =>
      pointOf(spotAt(curve, offset, before + ((at - before) * (step + 1)) / steps)),
    );
  });
  return [pointOf(spotAt(curve, offset, start)), ...drawn];
}

/** The outline of the ground between two parallels. */
export function drawBand(
  curve: Curve,
  [inner, outer]: readonly [number, number],
  between: { from: Mark; to: Mark; aside?: number },
): Point[] {
  return [...stretch(curve, outer, between), ...stretch(curve, inner, between).reverse()];
}

function pointOf({ x, y }: Spot): Point {
  return { x, y };
}

/**
 * The horseshoe of an Italian theatre, from the stage's left to its right; `lean` bends its sides
 * towards the stage, in degrees.
 */
export function drawHorseshoe(
  centre: Point,
  { side, lean }: { side: number; lean: number },
): Curve {
  const end = 90 + lean;
  const away = onCircle({ x: 0, y: 0 }, side, end + 90);
  return [
    { from: { x: centre.x - away.x, y: centre.y + away.y }, to: centre },
    { centre, radius: 0, start: -end, end },
    { from: centre, to: { x: centre.x + away.x, y: centre.y + away.y } },
  ];
}

/**
 * A closed oval of four sides and four rounded corners. It starts at the top of the left side and
 * runs round by the bottom; the even pieces are the sides.
 */
export function drawOval(
  middle: Point,
  { width, height, radius }: { width: number; height: number; radius: number },
): Curve {
  const [left, right, top, bottom] = [
    middle.x - width / 2,
    middle.x + width / 2,
    middle.y - height / 2,
    middle.y + height / 2,
  ];
  const corner = (x: number, y: number, start: number): Piece => ({
    centre: { x, y },
    radius,
    start,
    end: start + 90,
  });
  return [
    { from: { x: left, y: top + radius }, to: { x: left, y: bottom - radius } },
    corner(left + radius, bottom - radius, -90),
    { from: { x: left + radius, y: bottom }, to: { x: right - radius, y: bottom } },
    corner(right - radius, bottom - radius, 0),
    { from: { x: right, y: bottom - radius }, to: { x: right, y: top + radius } },
    corner(right - radius, top + radius, 90),
    { from: { x: right - radius, y: top }, to: { x: left + radius, y: top } },
    corner(left + radius, top + radius, 180),
  ];
}
