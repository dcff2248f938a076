/** What several objects or seats have in common. */

/** Undefined where none has a value; null where they differ. */
export function common<T>(values: readonly T[]): T | null | undefined {
  const [first, ...rest] = values;
  return rest.every((value) => value === first) ? first : null;
}

/** For a text field. */
export function textOf(values: readonly unknown[]): { value: string; mixed: boolean } {
  const value = common(values.map((one) => (typeof one === 'string' ? one : '')));
  return { value: value ?? '', mixed: value === null };
}

/** For a number field. */
export function numberOf(values: readonly unknown[]): number | null {
  const value = common(values);
  return typeof value === 'number' ? value : null;
}

/** Empty text removes the key. */
export function textOrNothing(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}
