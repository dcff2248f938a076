/**
 * Gates (varchi): which entrance the seats of a category must use. A new fact that decides a gate
 * belongs in `gatesChanged` of services/event/saving.ts too, or phones keep the old list.
 */
import {
  pricingOf,
  type CategoryName,
  type CategoryPricing,
} from '#server/domain/price/pricing.ts';

/** Null: any gate. A category may be named by its key or by its label. */
export function gateOf(
  pricing: readonly CategoryPricing[],
  { key, label }: CategoryName,
): string | null {
  return pricing.find(({ category }) => category === key || category === label)?.gate ?? null;
}

/**
 * Through which gate a place is entered; null: any. The event's prices are read once for all its
 * places.
 */
export function gateFinder(event: {
  seat_pricing: string;
}): (place: { category: string; category_key: string }) => string | null {
  const pricing = pricingOf(event);
  return ({ category, category_key }) => gateOf(pricing, { key: category_key, label: category });
}

/**
 * How a guest comes to the seat: by the office's gate, then by the door or stairs that the
 * drawing names; empty: by any.
 */
export function waysIn({
  gate,
  entrance,
}: {
  gate: string | null;
  entrance: string | null;
}): string[] {
  const isOne = gate !== null && entrance !== null && isSameGate(gate, entrance);
  return [gate, isOne ? null : entrance].filter((way) => way !== null);
}

/**
 * "Ingresso: Varco B · Scala palchi"; a name that begins with the word is not preceded by it.
 * Null: nothing to say.
 */
export function wayInWords(place: { gate: string | null; entrance: string | null }): string | null {
  const ways = waysIn(place);
  if (ways.length === 0) return null;
  const words = ways.join(' · ');
  return /^ingresso/i.test(words) ? words : `Ingresso: ${words}`;
}

/** A line of a mail or a calendar: "Palco 3, posto 2 – ingresso: Varco B · Scala palchi". */
export function seatAndWayIn(
  seat: string,
  place: { gate: string | null; entrance: string | null },
): string {
  const words = wayInWords(place);
  return words === null ? seat : `${seat} – ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
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
