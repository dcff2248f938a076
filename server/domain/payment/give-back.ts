/** Which free tickets their buyer may give back: until the event begins, and before an entry. */
import type { RefundFacts, RefundLineFacts } from './refund.ts';

/** What of an order says that it costs nothing. */
interface WhatItCosts {
  channel: string;
  total_cents: number;
  session_id: string | null;
}

/**
 * True for a visitor's own booking that costs nothing. One that had a checkout is a gift, for the
 * house has confirmed it without money.
 */
export function isFreeBooking({ channel, total_cents, session_id }: WhatItCosts): boolean {
  return channel === 'web' && total_cents === 0 && session_id === null;
}

function isHeld({ ticket_live, used, refund }: RefundLineFacts): boolean {
  return ticket_live && !used && refund === null;
}

/** Whether all of these lines may be given back now. */
export function isBackable(
  order: WhatItCosts,
  { confirmed, event, now, lines }: RefundFacts,
  line_ids: readonly string[] | 'all',
): boolean {
  const asked = lines.filter(({ line_id }) => line_ids === 'all' || line_ids.includes(line_id));
  const isOpen = confirmed && !event.cancelled && now < event.starts_at;
  return isFreeBooking(order) && isOpen && asked.length > 0 && asked.every(isHeld);
}
