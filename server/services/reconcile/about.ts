/**
 * What a difference between a provider's books and ours concerns, and what a check of it finds.
 */
import type { BreakRow } from '#db/rows.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { BreakKind } from '#server/domain/office/break.ts';

/**
 * `subject`: the id of a session, payment intent, price, payout, seat map event or contingent, a
 * channel's key, or the label of a place or area (followed by the order's id for its places in an
 * area).
 */
export type About = Pick<BreakRow, 'subject' | 'event_id' | 'order_id'>;
/**
 * What a check finds, with both sides' facts for the office; null: no difference; 'unsure': the
 * subject was changing during the check.
 */
export type Found = { kind: BreakKind; detail: Record<string, unknown> } | null | 'unsure';

/** Null when the vendor says that there is no such thing. */
export function orGone<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((error: unknown) => {
    if (error instanceof ProviderRefused && (error.status === 404 || error.status === 400))
      return null;
    throw error;
  });
}
