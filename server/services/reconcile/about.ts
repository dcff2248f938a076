/** What a difference between a provider's books and ours is about, and what a look at it finds. */
import type { BreakRow } from '#db/rows.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { BreakKind } from '#server/domain/office/break.ts';

/**
 * `subject`: a session, a payment intent, a price, a seat map's key, a contingent, or a place,
 * with the order where the place is one of many.
 */
export type About = Pick<BreakRow, 'subject' | 'event_id' | 'order_id'>;
/**
 * The facts of both sides, as they are shown; null: there is no difference; 'unsure': it was
 * being worked on all the time.
 */
export type Found = { kind: BreakKind; detail: Record<string, unknown> } | null | 'unsure';

/** The vendors' "there is no such thing" as null. */
export function orGone<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((error: unknown) => {
    if (error instanceof ProviderRefused && (error.status === 404 || error.status === 400))
      return null;
    throw error;
  });
}
