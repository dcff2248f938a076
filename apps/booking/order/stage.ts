/** Where an order stands for the person who looks at its page, and how soon to look again. */
import {
  overlayOf,
  type CheckoutStatus,
  type EndReason,
  type OrderState,
  type StatusFacts,
} from '#server/domain/order/order.ts';

/** `paid_back`: the money came too late, or was not the sum agreed on. */
export type OrderStage =
  | 'confirmed'
  | 'verifying'
  | 'open'
  | 'expired'
  | 'failed'
  | 'deleted'
  | 'paid_back'
  | 'preparing';

interface StageFacts {
  state: OrderState;
  checkout_session_status: CheckoutStatus | null;
  end_reason: EndReason | null;
  paid_cents: number;
}

/**
 * `returned`: the visitor comes back from the checkout, which says that it is complete; only the
 * server's answer confirms.
 */
export function orderStageOf(
  { state, checkout_session_status, end_reason, paid_cents }: StageFacts,
  returned: boolean,
): OrderStage {
  if (state === 'confirmed') return 'confirmed';
  if (state === 'deleted') {
    if (paid_cents > 0) return 'paid_back';
    if (end_reason === 'session_expired') return 'expired';
    return end_reason === 'payment_failed' ? 'failed' : 'deleted';
  }
  if (checkout_session_status === 'expired') return 'expired';
  if (checkout_session_status === 'complete' || returned) return 'verifying';
  return checkout_session_status === 'open' ? 'open' : 'preparing';
}

/**
 * The first minute is the one in which payments are confirmed; after it the page asks less often.
 */
const eagerMs = 60_000;

/** How soon the order page asks again, false for never. */
export function askAgainMs(facts: StageFacts, returned: boolean, waitedMs: number): number | false {
  switch (orderStageOf(facts, returned)) {
    case 'verifying':
      return waitedMs < eagerMs ? 1_000 : 5_000;
    case 'preparing':
      return waitedMs < eagerMs ? 2_000 : 10_000;
    case 'open':
      return 5_000;
    // A payment in the last second may still arrive: only a deleted order is over.
    case 'expired':
      return facts.state === 'deleted' ? false : 10_000;
    default:
      return false;
  }
}

/** How soon the overlay of the event page asks again, false for never. */
export function lookAgainMs(status: StatusFacts, waitedMs: number): number | false {
  switch (overlayOf(status)) {
    case 'confirmed':
      return false;
    case 'open':
    case 'complete':
      return 5_000;
    case 'expired':
      return status.order_deleted_at === null ? 10_000 : false;
    // The checkout is still being opened.
    case null:
      if (status.order_deleted_at !== null) return false;
      return waitedMs < eagerMs ? 2_000 : 10_000;
  }
}
