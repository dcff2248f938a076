/**
 * Tells which shapes of a picture are seats: those of the commonest size, or the kinds that a
 * person names.
 */
import type { SeatMark } from './marks.ts';
import { Near, medianOf } from './near.ts';
import { groupBy } from '#server/drawing/port/values.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

/** Shapes of a picture that are about as large and as long. */
export interface ShapeKind {
  readonly key: string;
  readonly count: number;
  readonly width: number;
  readonly height: number;
  readonly color: string;
}

function sizeClass({ width, height }: SeatMark): number {
  return Math.round(Math.log(Math.max(width, height)) / Math.log(1.25));
}

function isSquare({ width, height }: SeatMark): boolean {
  return width > 0 && height > 0 && width < height * 2.2 && height < width * 2.2;
}

function kindOf(mark: SeatMark): string {
  return `${sizeClass(mark)}${isSquare(mark) ? '' : ' long'}`;
}

/** A seat's number has at most so many digits. */
const mostDigits = 4;

/**
 * Numbers that a program turned into outlines: a few small marks inside each seat. Chairs in a box
 * are all alike, digits are not equally wide.
 */
function outlinedDigits(marks: readonly SeatMark[]): ReadonlySet<SeatMark> {
  const near = new Near(marks, medianOf(marks.map(({ width, height }) => Math.max(width, height))));
  const isIn = (small: SeatMark, large: SeatMark) =>
    small.height < large.height * 0.75 &&
    small.width < large.width * 0.75 &&
    Math.abs(small.x - large.x) < large.width / 2 &&
    Math.abs(small.y - large.y) < large.height / 2;
  const found = marks.flatMap((large) => {
    const inside = near.around(large).filter((small) => isIn(small, large));
    return inside.length <= mostDigits ? inside : [];
  });
  const shapes = found
    .map(({ width, height }) => width / Math.max(height, 0.001))
    .toSorted((a, b) => a - b);
  const [narrow = 1, wide = 1] = [shapes[0], shapes.at(-1)];
  return new Set(wide > narrow * 1.3 ? found : []);
}

/** Fewer shapes than this are seats only if they are small beside the whole picture. */
const FEW = 30;
/** The length of a picture of seats, in seats. */
const LONG = 5;

/** True for a few large shapes, such as the sectors of a plan of zones. */
function areZones(seats: readonly SeatMark[], marks: readonly SeatMark[]): boolean {
  if (seats.length >= FEW) return false;
  // A drawer who calls them seats is right, however few they are.
  if (seats.every(({ name }) => /seat|posto|row|fila|poltrona/iu.test(name))) return false;
  const size = medianOf(seats.map(({ width, height }) => Math.max(width, height)));
  const spanOf = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
  const span = Math.max(spanOf(marks.map(({ x }) => x)), spanOf(marks.map(({ y }) => y)));
  return seats.length > 1 && span < LONG * size;
}

interface Told {
  seats: SeatMark[];
  others: SeatMark[];
}

/**
 * Takes marks of the commonest size, and those a little larger or smaller, as seats; none where
 * they are zones. With `kinds`, the marks of these kinds and no others.
 */
export function seatsAmong(marks: readonly SeatMark[], kinds?: ReadonlySet<string>): Told {
  const own = marks.filter((mark) => mark.own);
  if (own.length > 0) return { seats: own, others: [] };
  if (kinds) {
    const isWanted = (mark: SeatMark) => kinds.has(kindOf(mark));
    return {
      seats: marks.filter(isWanted),
      others: marks.filter((mark) => !isWanted(mark)),
    };
  }
  const digits = outlinedDigits(marks);
  const square = marks.filter((mark) => isSquare(mark) && !digits.has(mark));
  const classes = groupBy(square, sizeClass);
  const [usual] = [...classes].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [0];
  const isSeat = (mark: SeatMark) =>
    isSquare(mark) && !digits.has(mark) && Math.abs(sizeClass(mark) - usual) <= 1;
  const seats = marks.filter(isSeat);
  if (areZones(seats, marks)) return { seats: [], others: [...marks] };
  return { seats, others: marks.filter((mark) => !isSeat(mark) && !digits.has(mark)) };
}

/** The kinds of shapes in a picture, the commonest first, without our own names. */
export function shapeKinds(marks: readonly SeatMark[]): ShapeKind[] {
  const groups = groupBy(
    marks.filter(({ own }) => !own),
    kindOf,
  );
  return [...groups]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([key, alike]) => ({
      key,
      count: alike.length,
      width: medianOf(alike.map(({ width }) => width)),
      height: medianOf(alike.map(({ height }) => height)),
      color: entryAt(alike, 0).color,
    }));
}

/** The kinds that count as seats if a person names none. */
export function usualKinds(marks: readonly SeatMark[]): ReadonlySet<string> {
  return new Set(seatsAmong(marks).seats.map(kindOf));
}
