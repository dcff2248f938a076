/** Gates (varchi): through which one the places of a category are entered. The office names them with the prices; tickets, mails and the door say the same. */
import type { CategoryName, CategoryPricing } from './pricing.ts';

/** Null: any gate. A category may be named by its key or by its label. */
export function gateOf(
  pricing: readonly CategoryPricing[],
  { key, label }: CategoryName,
): string | null {
  return pricing.find(({ category }) => category === key || category === label)?.gate ?? null;
}

/** Each once, in the order of the categories. */
export function gatesIn(pricing: readonly CategoryPricing[]): string[] {
  return [...new Set(pricing.flatMap(({ gate }) => gate ?? []))];
}

/** A phone's gate is typed by hand: capitals and spaces make no other gate. */
export function isSameGate(a: string, b: string): boolean {
  return bare(a) === bare(b);
}

function bare(gate: string): string {
  return gate.normalize('NFC').replace(/\s+/g, ' ').trim().toLocaleLowerCase('it');
}
