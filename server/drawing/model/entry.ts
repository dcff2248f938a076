/** Reads an entry that must exist, and throws in words if it does not. */

/** @param at counted from the end if it is negative @throws RangeError */
export function entryAt<T>(list: readonly T[], at: number): T {
  const entry = list[at < 0 ? list.length + at : at];
  if (entry === undefined) throw new RangeError(`A list of ${list.length} has no entry ${at}`);
  return entry;
}

/** @throws RangeError */
export function entryOf<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const entry = map.get(key);
  if (entry === undefined) throw new RangeError(`There is no entry for ${String(key)}`);
  return entry;
}
