/** Returns a row that must exist, because its key was just read or the row was just written. */

/** @param what the row's name in the error: `chart 3` */
export function requireRow<T>(row: T | undefined, what: string): T {
  if (row === undefined) throw new Error(`There is no row for ${what}`);
  return row;
}
