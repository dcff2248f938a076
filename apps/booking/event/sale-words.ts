/** Words for visitors about the sale of an event. */
import { formatEuro, formatLongDate } from '#apps/shared/format.ts';
import { sayFrom } from '#server/domain/time/dates.ts';
import type { Availability, SalesState } from '#server/domain/event/event.ts';

/** A few words for a card; null during the sale. */
export function sayState(sales: { state: SalesState; opens_at: string | null }): string | null {
  switch (sales.state) {
    case 'open':
      return null;
    case 'not_yet':
      return sales.opens_at === null
        ? 'Vendita non ancora aperta'
        : `Vendita ${sayFrom(sales.opens_at)}`;
    case 'paused':
      return 'Vendita sospesa';
    case 'closed':
      return 'Vendita chiusa';
    case 'cancelled':
      return 'Evento annullato';
  }
}

interface Stock {
  sales: { state: SalesState };
  availability: Availability;
  places_left: number | null;
}

type Sale = Pick<Stock, 'sales' | 'availability'>;

export function isSoldOut({ sales, availability }: Sale): boolean {
  return sales.state === 'open' && availability === 'none';
}

/** True if a visitor can buy a place now. */
export function hasPlaces({ sales, availability }: Sale): boolean {
  return sales.state === 'open' && availability !== 'none';
}

/** "Ultimi posti", "Ultimi 7 posti", "Esaurito"; null if there are many, or outside the sale. */
export function sayLeft({ sales, availability, places_left }: Stock): string | null {
  if (sales.state !== 'open' || availability === 'many') return null;
  if (availability === 'none') return 'Esaurito';
  if (places_left === null) return 'Ultimi posti';
  return places_left === 1 ? 'Ultimo posto' : `Ultimi ${places_left} posti`;
}

/** An event without an end counts as over after this time. */
const longestMs = 6 * 3_600_000;

/** Words for a visitor who comes too late; null before the event begins. */
export function sayBegun(
  { starts_at, ends_at }: { starts_at: string; ends_at: string | null },
  now: number,
): { title: string; text: string } | null {
  const start = Date.parse(starts_at);
  if (now < start) return null;
  const isOver = now >= (ends_at === null ? start + longestMs : Date.parse(ends_at));
  return {
    title: isOver ? 'Spettacolo concluso' : 'Spettacolo iniziato',
    text: `${isOver ? 'Si è svolto' : 'È iniziato'} ${formatLongDate(starts_at)}.`,
  };
}

/** The last button before the checkout names the sum. */
export function payWords(cents: number | null): string {
  if (cents === null) return 'Procedi al pagamento';
  return cents === 0 ? 'Prenota' : `Paga ${formatEuro(cents)}`;
}
