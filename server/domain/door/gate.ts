/**
 * Gates (varchi): the entrance that the seats of a category must use. A new fact that decides a
 * gate must also be added to `gatesChanged` of services/event/saving.ts, or phones keep the old
 * list.
 */
import {
  pricingOf,
  type CategoryName,
  type CategoryPricing,
} from '#server/domain/price/pricing.ts';

/** The gate of a category, which is named by its key or by its label; null: any gate. */
export function gateOf(
  pricing: readonly CategoryPricing[],
  { key, label }: CategoryName,
): string | null {
  return pricing.find(({ category }) => category === key || category === label)?.gate ?? null;
}

/** Finds the gate of a place; null: any. The event's prices are read once for all its places. */
export function gateFinder(event: {
  seat_pricing: string;
}): (place: { category: string; category_key: string }) => string | null {
  const pricing = pricingOf(event);
  return ({ category, category_key }) => gateOf(pricing, { key: category_key, label: category });
}

/**
 * The entrances that lead to a seat: the office's gate, then the door or stairs that the drawing
 * names; empty: any entrance.
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
 * "Ingresso: Varco B · Scala palchi"; the word is not put before a name that begins with it.
 * Null: any way in.
 */
export function wayInWords(place: { gate: string | null; entrance: string | null }): string | null {
  const ways = waysIn(place);
  if (ways.length === 0) return null;
  const words = ways.join(' · ');
  return /^ingresso/i.test(words) ? words : `Ingresso: ${words}`;
}

/** On paper: the way in and what is special about the place; null: neither. */
export function aboutPlace(place: {
  gate: string | null;
  entrance: string | null;
  remarks: readonly string[];
}): string | null {
  const parts = [wayInWords(place) ?? [], place.remarks].flat();
  return parts.length === 0 ? null : parts.join(' · ');
}

/**
 * A line of a mail or a calendar: "Palco 3, posto 2 – ingresso: Varco B · Scala palchi (visibilità
 * limitata)".
 */
export function seatAndWayIn(
  seat: string,
  place: { gate: string | null; entrance: string | null; remarks: readonly string[] },
): string {
  const words = wayInWords(place);
  const way = words === null ? '' : ` – ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
  return `${seat}${way}${place.remarks.length === 0 ? '' : ` (${place.remarks.join('; ')})`}`;
}

/** Each gate once, in the order of the categories. */
export function gatesIn(pricing: readonly CategoryPricing[]): string[] {
  return [...new Set(pricing.flatMap(({ gate }) => gate ?? []))];
}

/** People type a phone's gate, so capitals and spaces make no difference. */
export function isSameGate(a: string, b: string): boolean {
  return bare(a) === bare(b);
}

function bare(gate: string): string {
  return gate.normalize('NFC').replace(/\s+/g, ' ').trim().toLocaleLowerCase('it');
}
