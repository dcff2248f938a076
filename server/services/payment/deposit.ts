/**
 * Part payments of a reservation: takes them into a drawer, and gives them back or keeps them when
 * the reservation ends unpaid (RULES K5).
 */
import type { Trx } from '#db/engine/dialect.ts';
import { lockOrder, noteOrder } from '#db/order/orders.ts';
import { insertPayment, sumPaid } from '#db/payment/payments.ts';
import type { OrderRow } from '#db/rows.ts';
import { isKept, requireDeposit } from '#server/domain/counter/deposit.ts';
import type { PaymentAsk } from '#server/domain/counter/counter.ts';
import { restOf } from '#server/domain/order/exchange.ts';
import type { EndReason } from '#server/domain/order/order.ts';
import type { DepositEnd } from '#server/domain/order/payment.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { requestRefund } from './refunds.ts';

interface Taking {
  order_id: string;
  /** The id of the first payment, so that a repeated call takes nothing more. */
  key: string;
  payments: readonly PaymentAsk[];
  /** The open shift, which the caller has locked. */
  shift_id: string;
  /** The house's rule, for the first part that is paid. */
  end: DepositEnd;
  actor: Actor;
}

/**
 * Stores a part payment of an order that waits for its money. The caller holds its lease.
 * @throws Refusal deposit_wrong, payment_wrong, older_process_runs
 */
export async function takeDeposit(ctx: Ctx, trx: Trx, taking: Taking): Promise<void> {
  const { order_id, key, payments, shift_id, end, actor } = taking;
  const order = await lockOrder(trx, order_id);
  requireDeposit(payments, restOf(order));
  // An earlier version would ask for the whole total again.
  await raiseFloor(ctx, trx, '1.7.0');
  // One time for all parts: the change that is shown is that of one call.
  const paid_at = ctx.now();
  for (const [nth, { method, amount_cents, given_cents, receipt }] of payments.entries())
    await insertPayment(trx, {
      id: nth === 0 ? key : ctx.newId(),
      order_id,
      kind: 'manual',
      method,
      amount_cents,
      given_cents: given_cents ?? null,
      receipt_number: receipt ?? null,
      shift_id,
      disputed: 0,
      paid_at,
      note: null,
      actor,
    });
  const paid_cents = await sumPaid(trx, order_id);
  const deposit_end = order.deposit_end ?? end;
  await noteOrder(trx, order_id, { paid_cents, deposit_end });
  const amount_cents = paid_cents - order.paid_cents;
  const rest_cents = restOf({ ...order, paid_cents });
  await happened(ctx, trx, {
    actor,
    action: 'deposit_taken',
    subject: order_id,
    detail: { amount_cents, rest_cents, deposit_end },
  });
}

/**
 * Decides about the part payments of an order that has just ended without the rest: a refund that
 * a person hands over, or the house's money. Without any, nothing happens.
 */
export async function endDeposit(
  ctx: Ctx,
  trx: Trx,
  ended: Pick<OrderRow, 'id'>,
  { reason, actor }: { reason: EndReason; actor: Actor },
): Promise<void> {
  const order = await lockOrder(trx, ended.id);
  const { deposit_end, paid_cents: amount_cents } = order;
  if (deposit_end === null) return;
  const draft = {
    order,
    origin: 'deposit' as const,
    actor,
    amount_cents,
    payment_intent: null,
    idempotency_key: `deposit:${order.id}`,
  };
  const kept = { kind: 'kept', act: 'deposit_kept', handed_back: true } as const;
  await requestRefund(ctx, trx, isKept(deposit_end, reason) ? { ...draft, ...kept } : draft);
}
