/** The hall of the booking bench, and the seats that each visitor wants. */
import type { EventRow } from '#db/rows.ts';
import { bareEvent } from '#server/domain/event/event.ts';
import { newCodes } from '#server/services/order/tickets.ts';
import type { LoadRequest } from './booking-load.ts';
import { scaled } from './scale.ts';

/** Sections of ten rows of twenty seats. */
export const rowLength = 20;
export const perSection = 10 * rowLength;
export const hallSeats = scaled(100_000, 10_000);
/** Visitors compete for the last seats of the hall; the wide sale does not use them. */
export const fightSeats = 500;

export function labelOf(index: number): string {
  return `S${Math.floor(index / perSection)}-${Math.floor((index % perSection) / rowLength)}-${index % rowLength}`;
}

let tokens = 0;

/** A visitor with a hold token, who wants `count` seats starting at `first`. */
function wish(first: number, count: number): LoadRequest {
  const hold_token = `hold-${process.pid}-${++tokens}`;
  const selected_objects = Array.from({ length: count }, (_, seat) => ({
    object_id: labelOf(first + seat),
    ticket_type: 'intero',
  }));
  return {
    path: `/api/event/bench/book?hold=${hold_token}`,
    body: { hold_token, selected_objects },
  };
}

/** Blocks of four in one part of the hall; about a fifth of them are wanted twice. */
export function wideSale(
  part: number,
  parts: number,
  requests: number,
  seats = hallSeats - fightSeats,
): LoadRequest[] {
  const blocks = Math.floor(seats / 4 / parts);
  return Array.from({ length: requests }, () =>
    wish(4 * (part * blocks + Math.floor(Math.random() * blocks)), 4),
  );
}

/** Two or four seats side by side of the last five hundred, the front ones more often. */
export function fight(requests: number): LoadRequest[] {
  return Array.from({ length: requests }, () => {
    const block = Math.floor(Math.random() * Math.random() * (fightSeats / 4));
    const count = Math.random() < 0.5 ? 2 : 4;
    return wish(
      hallSeats - fightSeats + 4 * block + (count === 2 && Math.random() < 0.5 ? 2 : 0),
      count,
    );
  });
}

/** An event on sale; every category of the hall costs the same. */
export function benchEvent(
  categories: readonly string[],
  price_id: string,
): Omit<EventRow, 'feed_seq'> {
  const seat_pricing = JSON.stringify(
    categories.map((category) => ({
      category,
      ticketTypes: [{ price_id, ticketType: 'intero', label: 'Intero' }],
    })),
  );
  return {
    ...bareEvent,
    id: 'bench',
    title: 'La prova',
    starts_at: Date.now() + 30 * 86_400_000,
    status: 'published',
    venue_title: 'Teatro',
    seatsio_event_key: 'bench',
    seat_pricing,
    ...newCodes({ secretsKey: null }),
    feed_epoch: 'x',
    created_at: Date.now(),
  };
}
