/** Looks at a camera's pictures: whether it sees anything, and whether the picture moves. */
import type { Pixels } from './grey.ts';

/** `covered`: one colour, as with a finger on the lens; `frozen`: always the same picture. */
export type Sight = 'sees' | 'covered' | 'frozen';

/** With a smaller spread of grey levels the lens is covered: even a bare wall has more shade. */
const leastSpread = 5;
/** Enough pixels for the spread of a whole picture. */
const samples = 4_000;

function spreadOf({ data, width, height }: Pixels): number {
  const step = 4 * Math.max(1, Math.floor((width * height) / samples));
  let [count, sum, squares] = [0, 0, 0];
  for (let at = 0; at + 2 < data.length; at += step) {
    const grey = (data[at]! + data[at + 1]! + data[at + 2]!) / 3;
    count += 1;
    sum += grey;
    squares += grey * grey;
  }
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}

/** Two pictures of a real lens always differ by their noise. */
function isSame(a: Pixels, b: Pixels): boolean {
  return a.data.length === b.data.length && a.data.every((value, at) => value === b.data[at]);
}

/** `pictures`: in the order in which they were taken. */
export function sightOf(pictures: readonly Pixels[]): Sight {
  const last = pictures.at(-1);
  if (!last || spreadOf(last) < leastSpread) return 'covered';
  const before = pictures.at(-2);
  return before && !isSame(before, last) ? 'sees' : 'frozen';
}
