/** Where an order stands for the person who looks at its page, and how soon to look again. */
import type { CheckoutStatus, OrderState } from '#server/domain/order.ts';

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

export function askAgainMs(stage: OrderStage, waitedMs: number): number | false {
  switch (stage) {
    case 'verifying': return waitedMs < eagerMs ? 1_000 : 5_000;
    case 'preparing': return waitedMs < eagerMs ? 2_000 : 10_000;
    case 'open': return 5_000;
    default: return false;
  }
}
