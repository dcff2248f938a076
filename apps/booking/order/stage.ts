/** The stage of an order for a person on its page, and how soon to refetch it. */
import {
  overlayOf,
  type CheckoutStatus,
  type EndReason,
  type OrderState,
  type StatusFacts,
} from '#server/domain/order/order.ts';

/** `paid_back`: the money came too late, or the sum was wrong. */
export type OrderStage =
  | 'confirmed'
  | 'to_confirm'
  | 'verifying'
  | 'open'
  | 'reserved'
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
  free?: { confirm_mail: string | null } | null;
}

/**
 * `returned`: the checkout sent the visitor back as complete, but only the server can confirm.
 */
export function orderStageOf(
  { state, checkout_session_status, end_reason, paid_cents, free }: StageFacts,
  returned: boolean,
): OrderStage {
  if (state === 'confirmed') return 'confirmed';
  if (state === 'deleted') {
    if (paid_cents > 0) return 'paid_back';
    if (end_reason === 'session_expired') return 'expired';
    return end_reason === 'payment_failed' ? 'failed' : 'deleted';
  }
  if (typeof free?.confirm_mail === 'string') return 'to_confirm';
  if (checkout_session_status === 'expired') return 'expired';
  if (checkout_session_status === 'complete' || returned) return 'verifying';
  if (checkout_session_status === 'open') return 'open';
  // Reserved at the counter: no payment was ever opened for it.
  return state === 'awaiting_payment' ? 'reserved' : 'preparing';
}

/** Payments are usually confirmed in the first minute; later the page asks less often. */
const eagerMs = 60_000;

/** When the order page refetches, in ms; false: never. */
export function askAgainMs(facts: StageFacts, returned: boolean, waitedMs: number): number | false {
  switch (orderStageOf(facts, returned)) {
    case 'verifying':
      return waitedMs < eagerMs ? 1_000 : 5_000;
    case 'preparing':
      return waitedMs < eagerMs ? 2_000 : 10_000;
    case 'to_confirm':
    case 'open':
    case 'reserved':
      return 5_000;
    // A late payment may still arrive until the order is deleted.
    case 'expired':
      return facts.state === 'deleted' ? false : 10_000;
    default:
      return false;
  }
}

/** When the event page's overlay refetches, in ms; false: never. */
export function lookAgainMs(status: StatusFacts, waitedMs: number): number | false {
  switch (overlayOf(status)) {
    case 'confirmed':
      return false;
    case 'open':
    case 'complete':
      return 5_000;
    case 'expired':
      return status.order_deleted_at === null ? 10_000 : false;
    // The checkout is not open yet.
    case null:
      if (status.order_deleted_at !== null) return false;
      return waitedMs < eagerMs ? 2_000 : 10_000;
  }
}
