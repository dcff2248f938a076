/** Sums of rows with equal keys; a key is the first `keyColumns` numbers of a row. */
export class Tally {
  readonly #sums = new Map<string, number[]>();
  readonly #keyColumns: number;

  constructor(keyColumns: number) {
    this.#keyColumns = keyColumns;
  }

  add(key: readonly number[], values: readonly number[]): void {
    const name = key.join();
    const row = this.#sums.get(name);
    if (row === undefined) this.#sums.set(name, [...key, ...values]);
    else
      for (const [nth, value] of values.entries()) {
        const at = this.#keyColumns + nth;
        row[at] = (row[at] ?? 0) + value;
      }
  }

  /** Rows in the order of their keys, so that two counts of the same data are equal. */
  rows(): number[][] {
    return [...this.#sums.values()].toSorted((one, other) => {
      for (let at = 0; at < this.#keyColumns; at += 1) {
        const difference = (one[at] ?? 0) - (other[at] ?? 0);
        if (difference !== 0) return difference;
      }
      return 0;
    });
  }
}
