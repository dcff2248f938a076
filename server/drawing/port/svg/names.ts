/**
 * The names of found rows and seats: read beside them, taken from the ids of their marks, or made
 * by us.
 */
import type { Point } from '#server/drawing/model/data.ts';
import type { Chain, Linkable } from './chains.ts';
import type { FoundRow } from './found.ts';
import type { SeatMark, TextMark } from './marks.ts';
import { distance } from '#server/drawing/geometry/vector.ts';
import { Near } from './near.ts';
import { groupBy } from '#server/drawing/port/values.ts';
import { entryAt } from '#server/drawing/model/entry.ts';

export interface Seat extends Linkable {
  readonly color: string;
  /** The row's name in the id of its mark. */
  readonly row: string;
}

/** The names that the id of a mark gives. `section`: empty where the id names none. */
export interface IdNames {
  section: string;
  row: string;
  seat: string;
}

/** «fila_A_posto_12», «A12», «seat-1-A-12»: section, row and seat, as far as the id has them. */
function namesOfId(name: string): IdNames | null {
  const found = /^(.*?)(\d+)$/u.exec(name);
  const words = (found?.[1] ?? '').replaceAll(/seat|posto|row|fila|poltrona/giu, ' ');
  const parts = words.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
  const row = parts.at(-1);
  if (!found || row === undefined) return null;
  return { section: parts.slice(0, -1).join(' '), row, seat: String(Number(found[2])) };
}

/**
 * Reads the ids of marks: the last number is the seat's, the word before it the row's name, and
 * what comes before these the section's.
 */
export function namesFromIds(seats: readonly SeatMark[]): Map<SeatMark, IdNames> {
  const names = new Map<SeatMark, IdNames>();
  for (const mark of seats) {
    const name = namesOfId(mark.name);
    if (name !== null) names.set(mark, name);
  }
  const isEach =
    new Set([...names.values()].map((name) => JSON.stringify(name))).size === names.size;
  // Ids that a drawing program generated mean nothing; they would put all seats into one row.
  const rows = new Set([...names.values()].map(({ section, row }) => `${section} ${row}`));
  const isTelling = names.size >= seats.length * 0.8 && (rows.size > 1 || names.size < 40);
  return isEach && isTelling ? names : new Map();
}

interface End {
  at: Point;
  /** Where in the picture a name is expected. */
  spot: Point;
  chain: number;
}

function endsOf(seats: readonly Seat[], chain: number, pitch: number): End[] {
  const out = (at: Point, inner: Point | undefined, side: number): End => {
    const [x, y] = inner ? [at.x - inner.x, at.y - inner.y] : [side, 0];
    const length = Math.hypot(x, y) || 1;
    return {
      at,
      spot: { x: at.x + (x / length) * pitch * 1.3, y: at.y + (y / length) * pitch * 1.3 },
      chain,
    };
  };
  return [out(entryAt(seats, 0), seats[1], -1), out(entryAt(seats, -1), seats.at(-2), 1)];
}

/** The text that names each row: the nearest short one in its line. */
export function nameOfRow(
  chains: readonly Chain<Seat>[],
  texts: readonly TextMark[],
  pitch: number,
): { named: Map<number, string>; left: TextMark[] } {
  const short = texts.filter(({ text }) => /^(?:fila\s+)?[\p{L}\p{N}]{1,4}$/iu.test(text));
  const near = new Near(short, pitch * 3);
  const found = chains.flatMap(({ seats }, chain) =>
    endsOf(seats, chain, pitch).flatMap((end) =>
      near
        .around(end.spot)
        .map((text) => ({ text, chain, apart: distance(end.spot, text) }))
        .filter(({ apart }) => apart < pitch * 1.5),
    ),
  );
  const named = new Map<number, string>();
  const used = new Set<TextMark>();
  for (const { text, chain } of found.toSorted((a, b) => a.apart - b.apart)) {
    if (!named.has(chain)) named.set(chain, text.text.replace(/^fila\s+/iu, ''));
    if (named.get(chain) === text.text.replace(/^fila\s+/iu, '')) used.add(text);
  }
  return { named, left: texts.filter((text) => !used.has(text)) };
}

/** A … Z, AA, AB … */
function letters(index: number): string {
  const rest = index % 26;
  const letter = String.fromCodePoint(65 + rest);
  return index < 26 ? letter : `${letters(Math.floor(index / 26) - 1)}${letter}`;
}

function commonest(texts: readonly string[]): string {
  const counts = groupBy(texts, (text) => text);
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? '';
}

/**
 * Numbers the seats that have no number from the left, and gives the rows that have no name the
 * next free letters from the top.
 */
export function nameRows(
  chains: readonly Chain<Seat>[],
  named: ReadonlyMap<number, string>,
): FoundRow[] {
  const rows = chains
    .map(({ seats, gaps }, chain): FoundRow => {
      const label = named.get(chain) ?? commonest(seats.map(({ row }) => row));
      const isNumbered = seats.every((seat) => seat.label !== '');
      return {
        id: `row-${chain}`,
        label,
        isNamed: label !== '',
        section: commonest(seats.map(({ section }) => section)),
        seats: seats.map(({ x, y, color, label: own }, at) => ({
          x,
          y,
          color,
          label: isNumbered ? own : String(at + 1),
        })),
        gaps,
        isKept: true,
      };
    })
    .toSorted((a, b) => topOf(a) - topOf(b) || leftOf(a) - leftOf(b));
  const taken = new Set(rows.map(({ section, label }) => JSON.stringify([section, label])));
  const next = new Map<string, number>();
  return rows.map((row) => {
    if (row.isNamed) return row;
    let index = next.get(row.section) ?? 0;
    while (taken.has(JSON.stringify([row.section, letters(index)]))) index += 1;
    next.set(row.section, index + 1);
    return { ...row, label: letters(index) };
  });
}

function topOf({ seats }: FoundRow): number {
  return seats.reduce((sum, { y }) => sum + y, 0) / seats.length;
}

function leftOf({ seats }: FoundRow): number {
  return entryAt(seats, 0).x;
}
