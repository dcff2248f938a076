/**
 * Finds rows and names in the marks of a picture. A mark of the usual size is a seat, a text in
 * it is its number, and a text at the end of a row is the row's name.
 */
import { findChains, usualPitch, type Chain, type Direction } from './chains.ts';
import { findTables } from './find-tables.ts';
import type { Found, FoundRow } from './found.ts';
import type { Marks, OutlineMark, SeatMark, TextMark } from './marks.ts';
import { distance } from '#server/drawing/geometry/vector.ts';
import { Near, medianOf } from './near.ts';
import { nameOfRow, nameRows, namesFromIds, type IdNames, type Seat } from './names.ts';
import { seatsAmong } from './shape-kinds.ts';
import { groupBy } from '#server/drawing/port/values.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

interface FindOptions {
  direction?: Direction;
  /** The kinds of shapes (`ShapeKind.key`) that a person says are the seats. */
  kinds?: ReadonlySet<string>;
}

/** Removes twins, because a ring around a disc is one seat. */
function withoutTwins(seats: readonly SeatMark[]): SeatMark[] {
  const size = medianOf(seats.map(({ width }) => width));
  const kept = new Near<SeatMark>([], size);
  return seats.filter((seat) => {
    if (kept.around(seat).some((other) => distance(seat, other) < size * 0.45)) return false;
    kept.add(seat);
    return true;
  });
}

/** The nearest text in a seat; numbers on one line are one number, because «1» and «1» are 11. */
function labelIn(seat: SeatMark, texts: readonly TextMark[]): string {
  const [nearest] = texts.toSorted((a, b) => distance(seat, a) - distance(seat, b));
  if (nearest === undefined) return '';
  const isDigits = ({ text }: TextMark) => /^\d+$/.test(text);
  if (!isDigits(nearest)) return nearest.text;
  const isInLine = (text: TextMark) =>
    isDigits(text) && Math.abs(text.y - nearest.y) < nearest.size / 3;
  return texts
    .filter(isInLine)
    .toSorted((a, b) => a.x - b.x)
    .map(({ text }) => text)
    .join('');
}

/** The numbers inside seats; these texts are not used again. */
function textsInSeats(seats: readonly SeatMark[], texts: readonly TextMark[]) {
  const size = medianOf(seats.map(({ width, height }) => Math.max(width, height)));
  const near = new Near(seats, size);
  const found = new Map<SeatMark, TextMark[]>();
  const rest = texts.filter((text) => {
    if (text.text.length > 6) return true;
    const [nearest] = near
      .around(text)
      .map((seat) => ({ seat, apart: distance(seat, text) }))
      .toSorted((a, b) => a.apart - b.apart);
    if (!nearest || nearest.apart > size * 0.7) return true;
    found.set(nearest.seat, [...(found.get(nearest.seat) ?? []), text]);
    return false;
  });
  const inside = new Map([...found].map(([seat, own]) => [seat, labelIn(seat, own)] as const));
  return { inside, rest };
}

/** The layers that a person has named, if several contain seats. */
function sectionsByLayer(seats: readonly SeatMark[]): (seat: SeatMark) => string {
  const depth = Math.max(0, ...seats.slice(0, 2000).map(({ groups }) => groups.length));
  for (let level = 0; level < depth; level += 1) {
    const layers = groupBy(seats, ({ groups }) => groups[level] ?? '');
    const named = [...layers].filter(
      ([name, inside]) =>
        inside.length >= 8 &&
        /\p{L}{3}/u.test(name) &&
        !/^(?:layer|livello|g|path|group)[\s_-]?\d*$/i.test(name),
    );
    if (named.length > 1) {
      const names = new Set(named.map(([name]) => name));
      return ({ groups: { [level]: name = '' } }) => (names.has(name) ? name : '');
    }
  }
  return () => '';
}

/** Our own pictures contain a name for every seat. */
type OwnMark = SeatMark & Required<Pick<SeatMark, 'own'>>;

function ownRows(seats: readonly OwnMark[]): FoundRow[] {
  const rows = groupBy(seats, ({ own, groups }) =>
    JSON.stringify([own.section, own.isTable, own.row, groups.at(-1)]),
  );
  return [...rows.values()].map((inside, index) => ({
    id: `row-${index}`,
    label: entryAt(inside, 0).own.row,
    isNamed: true,
    section: entryAt(inside, 0).own.section,
    seats: inside.map(({ x, y, color, own }) => ({ x, y, color, label: own.seat, own })),
    gaps: new Set(
      inside.flatMap(({ own }, at) => (own.marks.split(' ').includes('x_gapAfter') ? [at] : [])),
    ),
    isKept: true,
  }));
}

function outlinesOf(others: readonly SeatMark[], seatSize: number): OutlineMark[] {
  return others
    .filter(({ width, height }) => Math.max(width, height) > seatSize * 2)
    .map(({ x, y, width, height, color }) => ({
      color,
      points: [
        { x: x - width / 2, y: y - height / 2 },
        { x: x + width / 2, y: y - height / 2 },
        { x: x + width / 2, y: y + height / 2 },
        { x: x - width / 2, y: y + height / 2 },
      ],
    }));
}

/**
 * Orders seats from left to right, or upright rows from the top; numbered ones from the lowest
 * number.
 */
function inReadingOrder({ seats, gaps }: Chain<Seat>): Chain<Seat> {
  const [first, last] = [entryAt(seats, 0), entryAt(seats, -1)];
  const [start, end] = [Number(first.label || Number.NaN), Number(last.label || Number.NaN)];
  const isUpright = Math.abs(last.x - first.x) < Math.abs(last.y - first.y) / 3;
  const byPlace = isUpright ? last.y < first.y : last.x < first.x;
  const hasNumbers = Number.isFinite(start - end) && start !== end;
  if (!(hasNumbers ? end < start : byPlace)) return { seats, gaps };
  const final = seats.length - 2;
  return { seats: seats.toReversed(), gaps: new Set([...gaps].map((at) => final - at)) };
}

export function findRows(marks: Marks, { direction = 'any', kinds }: FindOptions = {}): Found {
  const { seats: all, others } = seatsAmong(marks.seats, kinds);
  const own = all.filter((mark): mark is OwnMark => mark.own !== undefined);
  if (own.length > 0) {
    const texts = marks.texts;
    return {
      rows: ownRows(own),
      texts,
      outlines: marks.outlines,
      pitch: usualPitch(all),
      leftOut: 0,
    };
  }
  const seats = withoutTwins(all);
  const { inside, rest: unused } = textsInSeats(seats, marks.texts);
  const tables = findTables(
    { seats, others, outlines: marks.outlines },
    unused,
    (seat) => inside.get(seat) ?? '',
  );
  const rest = tables.texts;
  const pitch = usualPitch(seats);
  const names = inside.size * 2 < seats.length ? namesFromIds(seats) : new Map<SeatMark, IdNames>();
  const sectionOf = sectionsByLayer(seats);
  const inRows = seats.filter((seat) => !tables.chairs.has(seat));
  const linkable: Seat[] = inRows.map((mark) => {
    const named = names.get(mark);
    return {
      x: mark.x,
      y: mark.y,
      color: mark.color,
      label: inside.get(mark) ?? named?.seat ?? '',
      row: named?.row ?? '',
      group: named ? `${named.section} ${named.row}` : mark.groups.join('/'),
      section: named?.section || sectionOf(mark),
    };
  });
  const chains = findChains(linkable, { pitch, direction }).map(inReadingOrder);
  const { named, left } = nameOfRow(chains, rest, pitch);
  const size = medianOf(seats.map(({ width }) => width));
  const isFree = (mark: SeatMark | OutlineMark) => !tables.used.has(mark);
  return {
    rows: [...nameRows(chains, named), ...tables.rows],
    texts: left,
    outlines: [...marks.outlines, ...outlinesOf(others.filter(isFree), size)].filter(isFree),
    pitch,
    leftOut: marks.seats.length - seats.length,
  };
}
