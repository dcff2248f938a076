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

interface Shown {
  event: { id: string };
  whole_objects: readonly { labels: readonly string[] }[];
}

/**
 * The objects that the chart will choose at its start; empty for unreadable text or another
 * event. How many come to an object sold whole goes into `coming`, as the chart holds it as one.
 */
export function wantedSeats(
  { event, whole_objects }: Shown,
  coming: Map<string, number>,
): { label: string; ticketType?: string; amount?: number }[] {
  const wanted = parseKept(kept.read()) as Partial<WantedSeats> | null;
  if (wanted?.event_id !== event.id || !Array.isArray(wanted.selected_objects)) return [];
  return wanted.selected_objects.map(({ object_id, ticket_type, quantity }) => {
    const isWhole = whole_objects.some(({ labels }) => labels.includes(object_id));
    if (isWhole) coming.set(object_id, quantity);
    return {
      label: object_id,
      ...(ticket_type === undefined ? {} : { ticketType: ticket_type }),
      ...(quantity > 1 && !isWhole ? { amount: quantity } : {}),
    };
  });
}
