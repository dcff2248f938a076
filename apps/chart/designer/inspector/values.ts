/** The common values of several objects or seats. */

/** Undefined when no object has a value; null when the values differ. */
export function common<T>(values: readonly T[]): T | null | undefined {
  const [first, ...rest] = values;
  return rest.every((value) => value === first) ? first : null;
}

/** The common text, for a text field. */
export function textOf(values: readonly unknown[]): { value: string; mixed: boolean } {
  const value = common(values.map((one) => (typeof one === 'string' ? one : '')));
  return { value: value ?? '', mixed: value === null };
}

/** The common number, for a number field; null when there is none. */
export function numberOf(values: readonly unknown[]): number | null {
  const value = common(values);
  return typeof value === 'number' ? value : null;
}

/** Undefined for empty text, which removes the key. */
export function textOrNothing(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}
