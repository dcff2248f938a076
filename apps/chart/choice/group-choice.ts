/**
 * Which seats one click chooses together (`numberOfPlacesToSelect`): around the clicked one,
 * leaving no single seat if possible.
 */

export interface Neighbour {
  /** Free, or chosen now, so that this click may give it back. */
  open: boolean;
  category: number;
  /** Whether an aisle follows. */
  gapAfter: boolean;
}

/**
 * Offsets of `count` adjacent seats that include `at`, in row order; null where there are too
 * few. The clicked seat is as near to their middle as possible; of two equal groups the left one
 * is chosen. Around a table (`round`) the last seat is beside the first.
 */
export function chooseBeside(
  seats: readonly Neighbour[],
  at: number,
  { count, round = false }: { count: number; round?: boolean },
): number[] | null {
  const meant = seats[at];
  if (!meant?.open) return null;
  const size = seats.length;
  const goes = (seat: Neighbour | undefined) =>
    seat !== undefined && seat.open && seat.category === meant.category;
  const step = (offset: number, by: number): number =>
    round ? (offset + by + size) % size : offset + by;
  const isLinked = (left: number, right: number) =>
    goes(seats[right]) && goes(seats[left]) && (round || seats[left]?.gapAfter === false);
  if (count > size) return null;
  // Around a table both directions may meet, so each stops after `count - 1` seats.
  const reach = round ? count - 1 : size;
  const left: number[] = [];
  for (let i = at; left.length < reach && isLinked(step(i, -1), i); i = step(i, -1))
    left.unshift(step(i, -1));
  const right: number[] = [];
  for (let i = at; right.length < reach && isLinked(i, step(i, 1)); i = step(i, 1))
    right.push(step(i, 1));
  const block = [...left, at, ...right];
  if (block.length < count) return null;
  const middle = left.length - (count - 1) / 2;
  const starts = Array.from({ length: block.length - count + 1 }, (_, start) => start).filter(
    (start) => start <= left.length && start + count > left.length,
  );
  const byNearness = starts.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle) || a - b);
  const isClean = (start: number) => round || (start !== 1 && block.length - start - count !== 1);
  const start = byNearness.find(isClean) ?? byNearness[0] ?? 0;
  return block.slice(start, start + count);
}
