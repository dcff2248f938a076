/** The places of one event, counted by category and by state. */
import { numberWords } from './sales-count.ts';
import { Tally } from './tally.ts';

/**
 * `gift`: a valid ticket that cost nothing. `waiting`: being paid, or reserved. `blocked`: kept
 * back by the house, or still not on sale although its ticket has ended or its object is sold
 * whole to fewer people.
 */
export const seatStates = ['sold', 'gift', 'waiting', 'blocked', 'left'] as const;
export type SeatState = (typeof seatStates)[number];

/** The words on the screen. */
export const seatWords: Record<SeatState, string> = {
  sold: 'Venduto',
  gift: 'Gratuito',
  waiting: 'In attesa di pagamento',
  blocked: 'Bloccato',
  left: 'Libero',
};

/** A place as db/report/hall.ts reads it. */
interface Place {
  ticket: string | null;
  order_state: string | null;
  price_cents: number | null;
  blocked: string | null;
}

export function stateOfPlace({ ticket, order_state, price_cents, blocked }: Place): SeatState {
  if (ticket !== null) return price_cents === 0 ? 'gift' : 'sold';
  if (order_state === 'booking' || order_state === 'awaiting_payment') return 'waiting';
  return order_state !== null || blocked !== null ? 'blocked' : 'left';
}

/**
 * The stored numbers of an event; a text in a row is its index in `words`. Waiting and blocked
 * places are read each time instead, because no count is marked outdated when they change.
 */
export interface HallCount {
  words: string[];
  /** Rows of: category, places, sold, gifts. */
  categories: number[][];
}

export function countHall(places: readonly (Place & { category: string })[]): HallCount {
  const { words, numberOf } = numberWords(places.map(({ category }) => category));
  const tally = new Tally(1);
  for (const place of places) {
    const state = stateOfPlace(place);
    tally.add([numberOf(place.category)], [1, Number(state === 'sold'), Number(state === 'gift')]);
  }
  return { words, categories: tally.rows() };
}
