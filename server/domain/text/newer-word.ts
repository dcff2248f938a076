/** A value for stored words that only a newer version of the program knows. */

export const newerWord = 'di una versione più nuova';

/**
 * A table of what belongs to each stored word; `other` is for a word that a newer version has
 * stored, while an upgrade goes on or after a step back.
 */
export function withOther<T extends object>(table: T, other: T[keyof T]): T {
  return new Proxy(table, {
    get: (words, word): unknown => (Object.hasOwn(words, word) ? Reflect.get(words, word) : other),
  });
}
