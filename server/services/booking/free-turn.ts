/** When orders of one event are stored one after another, and what is asked then. */
import type { Trx } from '#db/engine/dialect.ts';
import { lockEvent } from '#db/event/events.ts';
import { placesOfAddress } from '#db/order/order-list.ts';
import type { EventRow } from '#db/rows.ts';
import { minutesLeft } from '#server/domain/door/kept.ts';
import { countsSales } from '#server/domain/price/phase.ts';
import { Refusal } from '#server/domain/refusal.ts';

interface Draft {
  event: EventRow;
  lines: readonly unknown[];
  buyer?: { email: string } | undefined;
}

/** True where the address is known before the booking, and where places are being let go. */
export function needsTurn({ event, buyer }: Draft, now: number): boolean {
  return (buyer !== undefined && event.max_per_email !== null) || minutesLeft(event, now) !== null;
}

/**
 * Locks the event's row, so that two bookings of an address count each other, a guest who comes
 * late has the place or the new order has it, and a phase of list prices counts each sale.
 * @throws Refusal too_many_for_address (RULES S3)
 */
export async function takeTurn(trx: Trx, draft: Draft, now: number): Promise<void> {
  const { event, buyer, lines } = draft;
  if (!needsTurn(draft, now) && !countsSales(event)) return;
  const event_id = event.id;
  await lockEvent(trx, event_id);
  const { max_per_email } = event;
  if (buyer === undefined || max_per_email === null) return;
  const known = await placesOfAddress(trx, { event_id, email: buyer.email });
  if (known + lines.length > max_per_email)
    throw new Refusal('too_many_for_address', {
      max_per_email,
      left: Math.max(0, max_per_email - known),
    });
}
