/** When an event sells and when its doors open. */

export const eventStatuses = ['draft', 'published', 'cancelled'] as const;
export type EventStatus = (typeof eventStatuses)[number];
export const salesStates = ['not_yet', 'open', 'closed', 'cancelled'] as const;
export type SalesState = (typeof salesStates)[number];

export interface SalesFacts { status: EventStatus; starts_at: number; sales_opens_at: number | null; sales_closes_at: number | null }

/** Without dates of its own an event sells from its publication until it starts. */
export function salesStateOf(event: SalesFacts, now: number): SalesState {
  if (event.status === 'cancelled') return 'cancelled';
  if (event.sales_opens_at !== null && now < event.sales_opens_at) return 'not_yet';
  return now < (event.sales_closes_at ?? event.starts_at) ? 'open' : 'closed';
}

/** The phone's copy of an event is wiped 48 h after it began (decisions §7). */
export const wipeAfterMs = 48 * 3_600_000;

/** What the specification's terms (§9) say where an event says nothing else; on cancellation the fees go back, too: courts have struck down terms that keep them. */
export const defaultRefunds = { refund_days: 10, refund_stop_days: 15, refund_keeps_fees: 1, cancel_keeps_fees: 0, refund_request: 'office' } as const;
