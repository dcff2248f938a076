/**
 * The places of an ended order that a visitor wants again, in session storage until the next
 * chart has chosen them.
 */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { seatsAgain } from '#server/contract/order/orders.ts';
import { keptText, parseKept } from '#apps/booking/shell/kept-text.ts';

/** Use a new number if the shape changes. */
const kept = keptText('sessionStorage', 'botteghino.wanted.1');

type WantedSeats = ReplyOf<typeof seatsAgain>;

export function wantSeats(wanted: WantedSeats): void {
  kept.write(JSON.stringify(wanted));
}

export function forgetWanted(): void {
  kept.write(null);
}

/**
 * The objects that the chart will choose at its start; empty for unreadable text or another
 * event.
 */
export function wantedSeats(
  eventId: string,
): { label: string; ticketType?: string; amount?: number }[] {
  const wanted = parseKept(kept.read()) as Partial<WantedSeats> | null;
  if (wanted?.event_id !== eventId || !Array.isArray(wanted.selected_objects)) return [];
  return wanted.selected_objects.map(({ object_id, ticket_type, quantity }) => ({
    label: object_id,
    ...(ticket_type === undefined ? {} : { ticketType: ticket_type }),
    ...(quantity > 1 ? { amount: quantity } : {}),
  }));
}
