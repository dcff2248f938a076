/** A ticket type with the price rules that lowered its price, in words. */

/** "Intero, 3x2". */
export function typeWords(type_label: string, lowered_by: readonly string[] = []): string {
  return [type_label, ...lowered_by].join(', ');
}
