/** Rows found in a picture, and their corrections by a person before a drawing is made. */
import type { Point } from '#server/drawing/model/data.ts';
import type { OutlineMark, OwnNames, TextMark } from './marks.ts';
import { groupBy } from '#server/drawing/port/values.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

export interface FoundSeat extends Point {
  readonly label: string;
  readonly color: string;
  readonly own?: OwnNames;
}

export interface FoundRow {
  readonly id: string;
  readonly label: string;
  /** True if the name was read in the picture, false if we made it. */
  readonly isNamed: boolean;
  readonly section: string;
  readonly seats: readonly FoundSeat[];
  /** Positions that are followed by an aisle. */
  readonly gaps: ReadonlySet<number>;
  /** False if the row is not imported. */
  readonly isKept: boolean;
  /** The table around which the seats stand. */
  readonly table?: { readonly center: Point; readonly width: number; readonly height: number };
}

export interface Found {
  readonly rows: readonly FoundRow[];
  /** Texts that name neither a row nor a seat. */
  readonly texts: readonly TextMark[];
  readonly outlines: readonly OutlineMark[];
  /** The usual distance between neighbours. */
  readonly pitch: number;
  /** The number of marks that were too large or too small for a seat. */
  readonly leftOut: number;
}

function withRow(found: Found, id: string, mend: (row: FoundRow) => readonly FoundRow[]): Found {
  return { ...found, rows: found.rows.flatMap((row) => (row.id === id ? mend(row) : [row])) };
}

export function renameFound(found: Found, id: string, label: string): Found {
  return withRow(found, id, (row) => [{ ...row, label, isNamed: true }]);
}

export function keepFound(found: Found, ids: ReadonlySet<string>, isKept: boolean): Found {
  return { ...found, rows: found.rows.map((row) => (ids.has(row.id) ? { ...row, isKept } : row)) };
}

export function sectionFound(found: Found, ids: ReadonlySet<string>, section: string): Found {
  return { ...found, rows: found.rows.map((row) => (ids.has(row.id) ? { ...row, section } : row)) };
}

/** Reverses the seats of a row together with their numbers. */
export function reverseFound(found: Found, id: string): Found {
  return withRow(found, id, (row) => {
    const last = row.seats.length - 1;
    return [
      {
        ...row,
        seats: row.seats.map((seat, at) => ({
          ...entryAt(row.seats, last - at),
          label: seat.label,
        })),
        gaps: new Set([...row.gaps].map((at) => last - 1 - at)),
      },
    ];
  });
}

/** Numbers a row's seats from `first` on. */
export function numberFound(
  found: Found,
  id: string,
  { first, step }: { first: number; step: number },
): Found {
  return withRow(found, id, (row) => [
    { ...row, seats: row.seats.map((seat, at) => ({ ...seat, label: String(first + at * step) })) },
  ]);
}

/** Splits a row in two; the second one has no name yet. */
export function splitFound(found: Found, id: string, after: number): Found {
  return withRow(found, id, (row) => {
    if (after < 0 || after >= row.seats.length - 1) return [row];
    const part = (from: number, to: number) => ({
      seats: row.seats.slice(from, to),
      gaps: new Set([...row.gaps].filter((at) => at >= from && at < to - 1).map((at) => at - from)),
    });
    return [
      { ...row, ...part(0, after + 1) },
      { ...row, id: `${row.id}+`, isNamed: false, ...part(after + 1, row.seats.length) },
    ];
  });
}

/** Joins two rows at their nearest ends; if these are far apart, an aisle lies between them. */
export function joinFound(found: Found, id: string, other: string): Found {
  const [a, b] = [id, other].map((wanted) => found.rows.find((row) => row.id === wanted));
  if (!a || !b || a === b) return found;
  const apart = (one: FoundSeat | undefined, two: FoundSeat | undefined) =>
    one && two ? Math.hypot(one.x - two.x, one.y - two.y) : Infinity;
  const [first, last] = [a.seats[0], a.seats.at(-1)];
  const [start, end] = [b.seats[0], b.seats.at(-1)];
  const atEnd = Math.min(apart(last, start), apart(last, end));
  const atStart = Math.min(apart(first, start), apart(first, end));
  const isBackwards =
    atEnd <= atStart
      ? apart(last, end) < apart(last, start)
      : apart(first, start) < apart(first, end);
  const lastB = b.seats.length - 1;
  const turned = {
    seats: isBackwards ? b.seats.toReversed() : b.seats,
    gaps: isBackwards ? [...b.gaps].map((at) => lastB - 1 - at) : [...b.gaps],
  };
  const [left, right] =
    atEnd <= atStart
      ? [{ seats: a.seats, gaps: [...a.gaps] }, turned]
      : [turned, { seats: a.seats, gaps: [...a.gaps] }];
  const joint = left.seats.length - 1;
  const isAisle = apart(left.seats.at(-1), right.seats[0]) > found.pitch * 1.6;
  const joined: FoundRow = {
    ...a,
    seats: [...left.seats, ...right.seats],
    gaps: new Set([
      ...left.gaps,
      ...(isAisle ? [joint] : []),
      ...right.gaps.map((at) => at + joint + 1),
    ]),
  };
  return {
    ...found,
    rows: found.rows.flatMap((row) => (row === b ? [] : [row === a ? joined : row])),
  };
}

/** Names that several rows of a section share, and rows with a number that occurs twice. */
export function doublesIn(found: Found): { rows: ReadonlySet<string>; seats: ReadonlySet<string> } {
  const kept = found.rows.filter(({ isKept }) => isKept);
  const named = groupBy(kept, ({ section, label }) => JSON.stringify([section, label]));
  return {
    rows: new Set(
      [...named.values()]
        .filter((rows) => rows.length > 1)
        .flat()
        .map(({ id }) => id),
    ),
    seats: new Set(
      kept
        .filter(({ seats }) => new Set(seats.map(({ label }) => label)).size < seats.length)
        .map(({ id }) => id),
    ),
  };
}
