/** What a difference between a provider's data and ours is about, and what a check finds. */
import type { BreakRow } from '#db/rows.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { BreakKind } from '#server/domain/office/break.ts';

/**
 * `subject`: the id of a session, payment intent, price, payout, event at the seat map or
 * contingent; a channel's key; or the label of a place or area (for an order's places in an area,
 * followed by the order's id).
 */
export type About = Pick<BreakRow, 'subject' | 'event_id' | 'order_id'>;
/**
 * The result of a check, with the facts of both sides for the office. Null: no difference;
 * 'unsure': the subject changed during the check.
 */
export type Found = { kind: BreakKind; detail: Record<string, unknown> } | null | 'unsure';

/** Null if the vendor says that there is no such object. */
export function orGone<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((error: unknown) => {
    if (error instanceof ProviderRefused && (error.status === 404 || error.status === 400))
      return null;
    throw error;
  });
}
