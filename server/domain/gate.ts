/** Gates (varchi): which entrance the seats of a category must use. The office names them with the prices; tickets, mails, the door's list, presence and rehearsals say the same. Something new that decides a gate belongs into `gatesChanged` of services/event/desk.ts, too, or phones keep the old list. */
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
