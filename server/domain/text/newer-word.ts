/** A value for stored words that only a newer version of the program knows. */

export const newerWord = 'di una versione più nuova';

/**
 * Makes a table with an entry for each stored word; `other` serves words that a newer version has
 * stored, during an upgrade or after a downgrade.
 */
export function withOther<T extends object>(table: T, other: T[keyof T]): T {
  return new Proxy(table, {
    get: (words, word): unknown => (Object.hasOwn(words, word) ? Reflect.get(words, word) : other),
  });
}
