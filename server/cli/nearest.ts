/** Finds the known word that a person probably meant. */

/** The known word; null if none is close enough. */
export function nearest(word: string, known: readonly string[]): string | null {
  const [best] = known
    .map((other) => ({ other, far: distance(word, other) }))
    .toSorted((a, b) => a.far - b.far);
  return best !== undefined && best.far <= Math.max(2, word.length / 3) ? best.other : null;
}

/** The number of letters to add, drop or change (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    const at = (letters: number[], j: number) => letters[j] ?? Infinity;
    for (const [j, against] of [...other].entries()) {
      const changed = at(row, j) + (letter === against ? 0 : 1);
      next.push(Math.min(at(next, j) + 1, at(row, j + 1) + 1, changed));
    }
    row = next;
  }
  return row.at(-1) ?? Infinity;
}
