/** Where an order stands for the person who looks at its page, and how soon to look again. */
import { overlayOf, type CheckoutStatus, type OrderState, type StatusFacts } from '#server/domain/order.ts';

export type OrderStage = 'confirmed' | 'verifying' | 'open' | 'expired' | 'deleted' | 'preparing';

export interface StageFacts { state: OrderState; checkout_session_status: CheckoutStatus | null }

/** `returned`: the visitor comes back from the checkout, which says that it is complete; only the server's answer confirms. */
export function stageOf({ state, checkout_session_status }: StageFacts, returned: boolean): OrderStage {
  if (state === 'confirmed') return 'confirmed';
  if (state === 'deleted') return checkout_session_status === 'expired' ? 'expired' : 'deleted';
  if (checkout_session_status === 'expired') return 'expired';
  if (checkout_session_status === 'complete' || returned) return 'verifying';
  return checkout_session_status === 'open' ? 'open' : 'preparing';
}

/** The first minute is the one in which payments are confirmed; after it the page asks less often. */
const eagerMs = 60_000;

/** How soon the order page asks again, false for never. */
export function askAgainMs(facts: StageFacts, returned: boolean, waitedMs: number): number | false {
  switch (stageOf(facts, returned)) {
    case 'verifying': return waitedMs < eagerMs ? 1_000 : 5_000;
    case 'preparing': return waitedMs < eagerMs ? 2_000 : 10_000;
    case 'open': return 5_000;
    // A payment in the last second may still arrive: only a deleted order is over.
    case 'expired': return facts.state === 'deleted' ? false : 10_000;
    default: return false;
  }
}

/** How soon the overlay of the event page asks again, false for never. */
export function lookAgainMs(status: StatusFacts, waitedMs: number): number | false {
  switch (overlayOf(status)) {
    case 'confirmed': return false;
    case 'open': case 'complete': return 5_000;
    case 'expired': return status.order_deleted_at === null ? 10_000 : false;
    // The checkout is still being opened.
    case null: return status.order_deleted_at !== null ? false : waitedMs < eagerMs ? 2_000 : 10_000;
  }
}
