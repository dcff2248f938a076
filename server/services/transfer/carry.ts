/** One order that goes to another date: an exchange whose seats and price the house chose. */
import type { Trx } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import { turnTransferOrder } from '#db/event/transfers.ts';
import { exchangeInto } from '#db/order/exchanges.ts';
import type { EventRow, OrderRow, TransferRow } from '#db/rows.ts';
import { salesStateOf } from '#server/domain/event/event.ts';
import { movedByHouse } from '#server/domain/counter/transfer-words.ts';
import { dueOf } from '#server/domain/order/exchange.ts';
import { writeSelection } from '#server/domain/order/selection.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { buyerOfOld, planExchange } from '#server/services/booking/exchange-plan.ts';
import { storeOrder } from '#server/services/booking/store-order.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { confirmOrder, nothingDue, type Paid } from '#server/services/payment/confirmation.ts';
import { takeSeatsAgain } from '#server/services/payment/late-payments.ts';
import { withFirstLease, type Done, type LeasedCtx } from '#server/services/payment/order-lease.ts';
import { endOrder } from '#server/services/payment/settle.ts';
import type { ReadyOrder } from './plan.ts';

/** What a crash leaves unpaid ends after this time. */
const unfinishedMs = 3 * 60_000;

interface Carrying {
  transfer: TransferRow;
  to: EventRow;
  ready: ReadyOrder;
  sale_key: string;
  actor: Actor;
}

/** @throws Refusal seats_taken, exchange_refused, exchange_changed, event_cancelled … */
export async function moveToDate(ctx: Ctx, carrying: Carrying): Promise<void> {
  const { transfer, to, ready, sale_key, actor } = carrying;
  const began = ctx.now();
  if (salesStateOf(await requireEventRow(ctx.db, to.id), began) === 'cancelled')
    throw new Refusal('event_cancelled');
  const { order: from, ticket_ids, worth_cents: expected_worth_cents } = ready;
  const ask = { order_id: from.id, ticket_ids, expected_worth_cents };
  const { plan, exchange } = await planExchange(ctx, {
    from,
    by: 'office',
    ask,
    event: to,
    plan: ready.plan,
  });
  const stored = await storeOrder(ctx, {
    ...plan,
    event: to,
    hold_token: sale_key,
    selection: writeSelection([...ready.selection]),
    began,
    actor,
    exchange,
    counter: {
      sale_key,
      shift_id: null,
      sold_by: actor.startsWith('user:') ? actor.slice('user:'.length) : null,
      pay_by: began + unfinishedMs,
      ...buyerOfOld(exchange),
    },
  });
  ctx.fault('transfer_stored');
  await withFirstLease(ctx, stored.order, (leased) =>
    finishTransferred(leased, { transfer, order: stored.order, actor }),
  );
}

type Finishing = Pick<Carrying, 'transfer' | 'actor'> & { order: OrderRow };

/** Books the seats and confirms; what is refused ends the new order, and the old one stays. */
export async function finishTransferred(ctx: LeasedCtx, finishing: Finishing): Promise<Done<void>> {
  const { order, transfer, actor } = finishing;
  if (order.state !== 'booking') return { value: undefined, gaveLease: false };
  if (!(await takeSeatsAgain(ctx, order))) {
    await endOrder(ctx, order, { reason: 'seats_lost' });
    throw new Refusal('seats_taken');
  }
  ctx.fault('transfer_seats_booked');
  const { from_order_id } = requireValue(await exchangeInto(ctx.db, order.id), 'exchange');
  const alongside = async (trx: Trx) => {
    const row = { transfer_id: transfer.id, order_id: from_order_id };
    await turnTransferOrder(trx, row, { state: 'done', to_order_id: order.id });
  };
  const confirmation = { givesLease: true, paid: paidOf(order), actor, alongside };
  const confirmed = await confirmOrder(ctx, order, confirmation).catch(async (error: unknown) => {
    if (error instanceof Refusal) await endOrder(ctx, order, { reason: 'exchange_changed' });
    throw error;
  });
  return { value: undefined, gaveLease: confirmed };
}

/** Tickets that were given away are given away again. */
function paidOf(order: OrderRow): Paid {
  if (dueOf(order) === 0) return nothingDue(order);
  return { kind: 'free', note: movedByHouse };
}
