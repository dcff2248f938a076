/** The booking whose answer has not come yet, in session storage: the same call again gives the same order, so it can be asked until somebody answers. */
import * as v from 'valibot';
import type { Asked } from '#server/contract/endpoint.ts';
import type { bookSeats } from '#server/contract/orders.ts';

/** Version 1: a change of shape gets a new key. */
const storageKey = 'botteghino.booking.1';

const openBooking = v.object({
  event_id: v.string(),
  hold_token: v.string(),
  selected_objects: v.array(v.object({ object_id: v.string(), ticket_type: v.optional(v.string()), quantity: v.optional(v.number()) })),
  /** Known when the server has stored the order but could not open its checkout. */
  order_id: v.optional(v.string()),
});
export type OpenBooking = v.InferOutput<typeof openBooking>;

/** Unreadable text counts as nothing. */
export function parseOpenBooking(text: string | null): OpenBooking | null {
  try {
    const read = v.safeParse(openBooking, JSON.parse(text ?? 'null'));
    return read.success ? read.output : null;
  } catch {
    return null;
  }
}

/** The body of the call, as it was sent. */
export function bodyOf({ hold_token, selected_objects }: OpenBooking): Asked<typeof bookSeats>['body'] {
  return {
    hold_token,
    selected_objects: selected_objects.map(({ object_id, ticket_type, quantity }) => ({
      object_id, ...(ticket_type === undefined ? {} : { ticket_type }), ...(quantity === undefined ? {} : { quantity }),
    })),
  };
}

// A browser that keeps nothing (private mode, storage refused) still has this page's memory.
let memory: string | null = null;

function read(): OpenBooking | null {
  try {
    return parseOpenBooking(sessionStorage.getItem(storageKey));
  } catch {
    return parseOpenBooking(memory);
  }
}

export function openBookingOf(eventId: string): OpenBooking | null {
  const booking = read();
  return booking?.event_id === eventId ? booking : null;
}

export function keepBooking(booking: OpenBooking): void {
  memory = JSON.stringify(booking);
  try {
    sessionStorage.setItem(storageKey, memory);
  } catch {
    // Kept in memory only.
  }
}

export function forgetBooking(): void {
  memory = null;
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // It was in memory only.
  }
}

/** The visitor has settled that order himself: asking again would begin it anew. */
export function forgetBookingOf(orderId: string): void {
  if (read()?.order_id === orderId) forgetBooking();
}
