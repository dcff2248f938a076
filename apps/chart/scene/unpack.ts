/** Unpacks the wire's rows: see WireSeats for how seats, labels and categories are packed. */
import type { WireLabels, WireRow, WireRun, WireSeats } from '#server/standins/seatsio/wire.ts';

export function countSeats({ seats }: WireRow): number {
  return seats.runs.reduce((sum, run) => sum + run.count, 0);
}

/** Calls `put` for each seat in order with its place in tenths of a unit. */
export function eachSeat(
  runs: readonly WireRun[],
  put: (at: number, x: number, y: number) => void,
): void {
  let at = 0;
  for (const run of runs) {
    if ('line' in run) {
      const [x, y, dx, dy] = run.line;
      for (let n = 0; n < run.count; n++) put(at++, x + n * dx, y + n * dy);
    } else if ('arc' in run) {
      const [x, y, radius, from, step] = run.arc;
      for (let n = 0; n < run.count; n++)
        put(at++, x + radius * Math.cos(from + n * step), y + radius * Math.sin(from + n * step));
    } else {
      let [x, y] = [0, 0];
      for (const [dx, dy] of pairsOf(run.steps)) put(at++, (x += dx), (y += dy));
    }
  }
}

/** Pairs from a flat list of numbers. */
export function* pairsOf(list: readonly number[]): Generator<[number, number]> {
  for (let n = 0; n < list.length; n += 2) yield [list[n] ?? 0, list[n + 1] ?? 0];
}

export function labelAt(labels: WireLabels, at: number): string {
  return Array.isArray(labels) ? (labels[at] ?? '') : String(labels.from + at * labels.step);
}

/** Sets the category of `count` seats, starting at `first`. */
export function unpackCategories(
  categories: WireSeats['categories'],
  target: Int16Array,
  { first, count }: { first: number; count: number },
): void {
  if (typeof categories === 'number') {
    target.fill(categories, first, first + count);
    return;
  }
  let at = first;
  for (const [category, many] of pairsOf(categories)) {
    target.fill(category, at, at + many);
    at += many;
  }
}
