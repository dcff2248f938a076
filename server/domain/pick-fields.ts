/** The named fields of an object that may have others. */
export function pickFields<T extends object>(from: T, names: readonly (keyof T)[]): T {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as T;
}
