/** Whether and until when a buyer may change the date of tickets, and what it costs (RULES O20). */
import type { EventStatus } from '#server/domain/event/event.ts';

/** 0 or 1 as in SQL; the hours are counted from the start of the evening that is given back. */
export interface ExchangeTerms {
  exchange: 0 | 1;
  exchange_until_hours: number;
  exchange_fee_cents: number;
}
export interface ExchangeEvent extends ExchangeTerms {
  status: EventStatus;
  starts_at: number;
}

/** The most that a change costs for each ticket. */
export const exchangeFeeMost = 10_000;

/** The last moment for a change; null where the event allows none. */
export function exchangeUntil(event: ExchangeEvent): number | null {
  return event.exchange === 1 && event.status === 'published'
    ? event.starts_at - event.exchange_until_hours * 3_600_000
    : null;
}
