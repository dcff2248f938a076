/**
 * Finds tables in a picture: something larger than a seat, surrounded by seats that are nearer to
 * each other than to any row.
 */
import type { Point } from '#server/drawing/model/data.ts';
import { distance } from '#server/drawing/geometry/vector.ts';
import type { FoundRow } from './found.ts';
import type { OutlineMark, SeatMark, TextMark } from './marks.ts';
import { Near, medianOf } from './near.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

/** The largest table, and the farthest chair from its edge, in sizes of a seat. */
const LARGEST = 10;
const REACH = 1.2;
const MOST_CHAIRS = 16;
/** The widest side without chairs in degrees, as of a half-moon table. */
const WIDEST_GAP = 200;
/** The least share of chairs whose nearest neighbour is a chair of the same table. */
const TOGETHER = 0.75;

interface Top extends Point {
  width: number;
  height: number;
  mark: SeatMark | OutlineMark;
}

interface FoundTables {
  readonly rows: readonly FoundRow[];
  readonly chairs: ReadonlySet<SeatMark>;
  readonly used: ReadonlySet<SeatMark | OutlineMark>;
  /** Texts that do not name a table. */
  readonly texts: readonly TextMark[];
}

function topOf(mark: OutlineMark): Top {
  const [xs, ys] = [mark.points.map(({ x }) => x), mark.points.map(({ y }) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
  return { ...middle, width: right - left, height: bottom - top, mark };
}

/**
 * The distance from the table's edge to the chair's middle; a chair pushed under the table has 0.
 */
function apart({ x, y, width, height }: Top, seat: Point): number {
  return Math.hypot(
    Math.max(0, Math.abs(seat.x - x) - width / 2),
    Math.max(0, Math.abs(seat.y - y) - height / 2),
  );
}

const angleAround = (top: Top) => (seat: Point) =>
  (Math.atan2(seat.y - top.y, seat.x - top.x) * 180) / Math.PI;

function isAround(top: Top, chairs: readonly SeatMark[]): boolean {
  const angles = chairs.map(angleAround(top)).toSorted((a, b) => a - b);
  const gaps = angles.map((angle, at) => (angles[at + 1] ?? entryAt(angles, 0) + 360) - angle);
  return Math.max(...gaps) <= WIDEST_GAP;
}

export function findTables(
  {
    seats,
    others,
    outlines,
  }: Record<'seats' | 'others', readonly SeatMark[]> & {
    outlines: readonly OutlineMark[];
  },
  texts: readonly TextMark[],
  labelOf: (seat: SeatMark) => string,
): FoundTables {
  const size = medianOf(seats.map(({ width, height }) => Math.max(width, height)));
  const fits = ({ width, height }: Top) =>
    Math.max(width, height) <= LARGEST * size && Math.max(width, height) > size;
  const tops = [
    ...others.map((mark) => ({ ...mark, mark }) satisfies Top),
    ...outlines.filter(({ own, points }) => !own && points.length > 2).map(topOf),
  ].filter(fits);
  const near = new Near(seats, LARGEST * size);
  const everyone = new Near(seats, 3 * size);
  const chairs = new Set<SeatMark>();
  const used = new Set<SeatMark | OutlineMark>();
  const named = new Set<TextMark>();
  const rows: FoundRow[] = [];
  for (const top of tops) {
    const own = near
      .around(top)
      .filter((seat) => !chairs.has(seat) && apart(top, seat) <= REACH * size);
    if (own.length < 2 || own.length > MOST_CHAIRS || !isAround(top, own)) continue;
    const isOwn = new Set(own);
    const together = own.filter((seat) => isOwn.has(nearestTo(seat, everyone) ?? seat));
    if (together.length < TOGETHER * own.length) continue;
    const text = texts.find(
      (one) => !named.has(one) && one.text.length <= 12 && apart(top, one) === 0,
    );
    if (text) named.add(text);
    used.add(top.mark);
    for (const seat of own) chairs.add(seat);
    rows.push(rowAround(top, { chairs: own, label: text?.text, number: rows.length + 1, labelOf }));
  }
  return { rows, chairs, used, texts: texts.filter((text) => !named.has(text)) };
}

function nearestTo(seat: SeatMark, near: Near<SeatMark>): SeatMark | undefined {
  return near
    .around(seat)
    .filter((other) => other !== seat)
    .toSorted((a, b) => distance(a, seat) - distance(b, seat))[0];
}

interface Around {
  chairs: readonly SeatMark[];
  label: string | undefined;
  number: number;
  labelOf: (seat: SeatMark) => string;
}

/** The chairs of a table as a row, clockwise from the left. */
function rowAround(top: Top, { chairs, label, number, labelOf }: Around): FoundRow {
  const angle = angleAround(top);
  const ordered = chairs.toSorted((a, b) => angle(a) - angle(b));
  const { x, y, width, height } = top;
  return {
    id: `table-${number}`,
    label: label ?? `T${number}`,
    isNamed: label !== undefined,
    section: '',
    seats: ordered.map((seat, at) => ({
      x: seat.x,
      y: seat.y,
      color: seat.color,
      label: labelOf(seat) || String(at + 1),
    })),
    gaps: new Set(),
    isKept: true,
    table: { center: { x, y }, width, height },
  };
}
