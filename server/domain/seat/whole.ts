/**
 * Objects that are sold whole: a table, a booth, or an area that is drawn so. Such an object has
 * the places `label#1` … `label#n`, one status at the seat map, and one ticket type (RULES S8).
 */
import type { PricedPer } from '#server/domain/price/price-bounds.ts';
import type { WholeTerms } from '#server/domain/event/whole-terms.ts';
import type { PlaceKind } from './seat-name.ts';

/** `drawn_whole`: the places that the drawing gives it; 0: it is a seat or sold by number. */
interface Drawn {
  kind: PlaceKind;
  category_key: string;
  drawn_whole: number;
}

/** An object sold whole: its places, how many are paid at least, and what the price is for. */
export interface WholeOffer {
  places: number;
  minimum: number;
  price_per: PricedPer;
}

/** How the object is sold whole; null: it is not. */
export function wholeOffer(object: Drawn, terms: WholeTerms | null): WholeOffer | null {
  if (terms === null || object.drawn_whole === 0) return null;
  const { category_key, kind, drawn_whole } = object;
  const places =
    kind === 'booth' ? (terms.categories[category_key]?.places ?? drawn_whole) : drawn_whole;
  return wholeOfferOf(terms, { category_key, places });
}

/** How an object of this category and this number of places is sold. */
export function wholeOfferOf(
  { categories }: WholeTerms,
  { category_key, places }: { category_key: string; places: number },
): WholeOffer {
  const { minimum = places, price_per = 'place' } = categories[category_key] ?? {};
  return { places, minimum: Math.min(places, minimum), price_per };
}

/** How many places a buyer pays if `coming` guests come; all places without a number. */
export function placesPaid({ places, minimum }: WholeOffer, coming = places): number {
  return Math.max(coming, minimum);
}

/** The place of an object sold whole, counted from 1. */
export function placeInWhole(label: string, position: number): string {
  return `${label}#${position}`;
}

/** All places of the objects sold whole to which these lines belong. */
export function placesOfWholes(
  lines: readonly Pick<SoldPlace, 'object_label' | 'whole_size'>[],
): string[] {
  const sizes = new Map(lines.map((line) => [line.object_label, line.whole_size]));
  return [...sizes].flatMap(([label, size]) =>
    Array.from({ length: size }, (_, at) => placeInWhole(label, at + 1)),
  );
}

/** The fields of an order line that say how its place is sold. */
export interface SoldPlace {
  place: string;
  object_label: string;
  whole_size: number;
}

/** True for a place of an area that is sold by number. */
export function isByNumber(place: { kind: PlaceKind; in_whole: 0 | 1 }): boolean {
  return place.kind === 'area' && place.in_whole === 0;
}

/** True for a planned line of an area that is sold by number: its place is not chosen yet. */
export function isPlannedStanding(line: { kind: PlaceKind; whole_size: number }): boolean {
  return line.kind === 'area' && line.whole_size === 0;
}

/** True for one of the numbered places of a standing area, which have no names at the seat map. */
export function isStanding({ place, object_label, whole_size }: SoldPlace): boolean {
  return whole_size === 0 && place !== object_label;
}

/** True if the line's object has one status at the seat map: a seat or an object sold whole. */
export function isOneStatus(line: SoldPlace): boolean {
  return !isStanding(line);
}

/**
 * Spreads the price of an object over its lines, in cents; the first lines get the odd ones.
 */
export function spreadCents(cents: number, lines: number): number[] {
  const share = Math.floor(cents / lines);
  const odd = cents - share * lines;
  return Array.from({ length: lines }, (_, at) => (at < odd ? share + 1 : share));
}

/** True if a place of the hall still waits for the office to say how many a booth has. */
export function lacksPlaces(
  terms: WholeTerms | null,
  places: readonly { kind: PlaceKind; category_key: string }[],
): boolean {
  return (
    terms !== null &&
    places.some(
      ({ kind, category_key }) =>
        kind === 'booth' && terms.categories[category_key]?.places === undefined,
    )
  );
}

/** The ticket type under which the seat map has a place booked: the one of its first sale. */
export function bookedType(line: { ticket_type: string; booked_type: string | null }): string {
  return line.booked_type ?? line.ticket_type;
}
