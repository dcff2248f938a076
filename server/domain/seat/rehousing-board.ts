/**
 * The state of the new hall while guests are being seated in it: rows as runs of numbers, who
 * sits where, and how many seats are left alone.
 */
import { weights, type HallPlace } from './rehousing.ts';
import type { PlaceKind } from './seat-name.ts';

export interface Board {
  /** Row after row, neighbours side by side. */ places: readonly HallPlace[];
  /** The index of each place by its label. */ at: ReadonlyMap<string, number>;
  /** The row of each place; adjacent places of one row are neighbours in the hall. */
  row: Int32Array;
  /** The first place of each row, and one more entry at the end. */ rowStart: Int32Array;
  /** The category by price, 0 the dearest; -1: the place is not for sale, or kept back. */
  rank: Int32Array;
  distance: Float64Array;
  angle: Float64Array;
  accessible: Uint8Array;
  companion: Uint8Array;
  /** Free places: 0 or 1, more in a standing area. */ left: Int32Array;
  /** How many seats are left alone now. */ alone: number;
  kind: PlaceKind[];
  ordinary: Uint8Array;
  taken: Uint8Array;
  /** An extra cost of a run that begins here, so that repairs try different ones. */
  noise: Float64Array;
  /** The cost of a seat left alone during a search. */ alonePrice: number;
  /** How many seats the search has looked at, which measures work without a clock. */
  looks: number;
}

export function boardOf(hall: readonly HallPlace[]): Board {
  const rows = rowsOf(hall);
  const places = rows.flat();
  const count = places.length;
  const board: Board = {
    places,
    at: new Map(places.map(({ label }, at) => [label, at])),
    row: new Int32Array(count),
    rowStart: new Int32Array(rows.length + 1),
    rank: Int32Array.from(places, ({ rank, open }) => (open && rank !== null ? rank : -1)),
    distance: Float64Array.from(places, ({ distance }) => distance),
    angle: Float64Array.from(places, ({ angle }) => angle),
    accessible: Uint8Array.from(places, ({ accessible }) => Number(accessible)),
    companion: Uint8Array.from(places, ({ companion }) => Number(companion)),
    left: Int32Array.from(places, (place) =>
      place.open && place.rank !== null ? place.places : 0,
    ),
    alone: 0,
    kind: places.map(({ kind }) => kind),
    ordinary: Uint8Array.from(places, ({ accessible, companion, at_table }) =>
      Number(!accessible && !companion && !at_table),
    ),
    taken: new Uint8Array(count),
    noise: new Float64Array(count),
    alonePrice: weights.alone,
    looks: 0,
  };
  let start = 0;
  rows.forEach((row, number) => {
    board.rowStart[number] = start;
    board.row.fill(number, start, start + row.length);
    start += row.length;
  });
  board.rowStart[rows.length] = start;
  return board;
}

/**
 * Rows of neighbours; a place that is not a seat is a row by itself. Rows are in the order of
 * their labels, so that the answer does not depend on the order of the question.
 */
function rowsOf(hall: readonly HallPlace[]): HallPlace[][] {
  const sorted = [...hall].sort((a, b) => (a.label < b.label ? -1 : 1));
  const byLabel = new Map(sorted.map((place) => [place.label, place]));
  const seen = new Set<string>();
  const rows: HallPlace[][] = [];
  for (const place of sorted) {
    if (seen.has(place.label)) continue;
    const row = place.kind === 'seat' ? chainOf(place, byLabel, seen) : [place];
    for (const { label } of row) seen.add(label);
    rows.push(row);
  }
  return rows;
}

function chainOf(
  from: HallPlace,
  byLabel: ReadonlyMap<string, HallPlace>,
  seen: ReadonlySet<string>,
): HallPlace[] {
  const chain = [from];
  const known = new Set([from.label]);
  const walk = (side: 'left' | 'right') => {
    for (let label = from[side]; label !== null;) {
      const next = byLabel.get(label);
      if (!next || next.kind !== 'seat' || known.has(label) || seen.has(label)) return;
      known.add(label);
      if (side === 'left') chain.unshift(next);
      else chain.push(next);
      label = next[side];
    }
  };
  walk('left');
  walk('right');
  return chain;
}

/** The seat map's label of the place. */
export function labelAt({ places }: Board, at: number): string {
  return places[at]?.label ?? '';
}

function isFreeSeat(board: Board, at: number): boolean {
  return board.kind[at] === 'seat' && (board.left[at] ?? 0) > 0;
}

/** Takes the places or frees them, and counts the seats left alone again. */
export function occupy(board: Board, places: readonly number[], by: 1 | -1): void {
  for (const at of places) {
    board.alone -= aloneAround(board, at);
    board.left[at] = (board.left[at] ?? 0) - by;
    if (board.kind[at] === 'seat') board.taken[at] = by === 1 ? 1 : 0;
    board.alone += aloneAround(board, at);
  }
}

function aloneAround(board: Board, at: number): number {
  return isAlone(board, at - 1, at) + isAlone(board, at, at) + isAlone(board, at + 1, at);
}

/** 1: a free seat beside a taken one, with no free neighbour. */
function isAlone(board: Board, at: number, near: number): number {
  if (board.row[at] !== board.row[near] || !board.ordinary[at] || !isFreeSeat(board, at)) return 0;
  const row = board.row[at] ?? -1;
  const isBeside = (other: number) => board.row[other] === row;
  const free = (other: number) => isBeside(other) && isFreeSeat(board, other);
  if (free(at - 1) || free(at + 1)) return 0;
  const taken = (other: number) => isBeside(other) && board.taken[other] === 1;
  return taken(at - 1) || taken(at + 1) ? 1 : 0;
}

/** How many more seats would be left alone if this run of free seats of one row were taken. */
export function aloneWith(board: Board, start: number, count: number): number {
  const row = board.row[start] ?? -1;
  const isFree = (at: number) => board.row[at] === row && isFreeSeat(board, at);
  const strands = (at: number, beyond: number) =>
    isFree(at) && board.ordinary[at] === 1 && !isFree(beyond) ? 1 : 0;
  const before = count === 1 ? isAlone(board, start, start) : 0;
  const end = start + count;
  return strands(start - 1, start - 2) + strands(end, end + 1) - before;
}
