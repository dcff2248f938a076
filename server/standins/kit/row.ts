/** A row that must be there, because its key was just read or it was just written. */

/** @param what names it in the error: `chart 3` */
export function requireRow<T>(row: T | undefined, what: string): T {
  if (row === undefined) throw new Error(`There is no row for ${what}`);
  return row;
}
