/**
 * After a restore, writes again the orders that Stripe has and our database lacks, settles them,
 * and then compares our data with the vendors (RULES B2).
 */
import { addFees } from '#server/domain/price/fees.ts';
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import type { Session } from '#server/adapters/stripe.ts';
import { isReferenceViolation, isUniqueViolation } from '#db/engine/dialect.ts';
import { findEvent } from '#db/event/events.ts';
import { countOpenBreaks } from '#db/office/figures.ts';
import { bareOrder, findOrder, insertSession, requireOrderRow } from '#db/order/orders.ts';
import type { EventRow, OrderLineRow, OrderRow } from '#db/rows.ts';
import { insertMany } from '#db/engine/statements.ts';
import { transact } from '#db/engine/transact.ts';
import { readRecord, recoveredToken, type OrderRecord } from '#server/domain/order/order-record.ts';
import type { OrderState } from '#server/domain/order/order.ts';
import { saleTermsOf } from '#server/domain/order/terms.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { searchTextOf } from '#server/domain/text/search.ts';
import { closeSession, sessionFacts, sessionKeyOf } from '#server/services/payment/checkout.ts';
import { settleOrder } from '#server/services/payment/settle.ts';
import type { Ctx } from '#server/services/context.ts';
import { addMissingPlaces } from '#server/services/event/places.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { compareBooks } from '#server/services/reconcile/comparison.ts';
import { findLost, writeLost } from './lost-exchange.ts';
import { happened } from '#server/services/kit/happened.ts';
import { readRestored, writeRestored } from '#server/services/kit/restored.ts';

export interface Recovery {
  /** The orders that were written again, as they are now. */
  orders: { order_id: string; number: string; state: OrderState; amount_cents: number }[];
  /** Our sessions at Stripe for which no order could be written. */
  lost: string[];
  /**
   * How many open differences there are with Stripe and the seat map. Null: a vendor did not
   * answer; the scheduled comparison follows later.
   */
  differences: number | null;
}

/** Sessions made up to this long before the backup are read too, as a margin. */
const overlapMs = 3_600_000;

/** Runs on the schedule, in case a vendor did not answer right after the restore. */
export async function recoverWhenDue(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  const restored = await readRestored(ctx.db);
  if (restored !== null && restored.recovered_at === null) await recoverOrders(ctx, stopping);
}

/**
 * Writes the missing orders; may be repeated. Null: a vendor did not answer, or this house has
 * not been restored.
 */
export async function recoverOrders(ctx: Ctx, stopping: AbortSignal): Promise<Recovery | null> {
  const restored = await readRestored(ctx.db);
  if (restored === null) return null;
  const recovery: Recovery = { orders: [], lost: [], differences: null };
  try {
    for await (const session of ctx.payments.sessions(restored.copied_at - overlapMs)) {
      if (stopping.aborted) return null;
      const { order_id, link_key } = session;
      // A session of another shop with copied metadata does not lead back to an order page of ours.
      if (order_id === null || link_key === null || (await findOrder(ctx.db, order_id))) continue;
      if (await recoverOrder(ctx, { order_id, link_key, session })) {
        const { number, state } = await requireOrderRow(ctx.db, order_id);
        recovery.orders.push({ order_id, number, state, amount_cents: session.amount_total });
      } else if (session.status !== 'expired') recovery.lost.push(session.id);
    }
    const found = await compareBooks(ctx, stopping);
    if (found !== null) recovery.differences = await countDifferences(ctx);
  } catch (error) {
    const isOutside =
      error instanceof ProviderUnavailable ||
      error instanceof ProviderRefused ||
      error instanceof Refusal;
    if (!isOutside) throw error;
    ctx.log.warn({ err: error }, 'books not compared after a restore yet');
    return null;
  }
  await writeRestored(ctx.db, { ...restored, recovered_at: ctx.now() });
  return recovery;
}

async function countDifferences(ctx: Ctx): Promise<number> {
  const breaks = await countOpenBreaks(ctx.db);
  return Object.values(breaks).reduce((sum, count) => sum + count, 0);
}

/** False if what Stripe has stored is not enough to write the order. */
async function recoverOrder(ctx: Ctx, lost: Omit<Lost, 'record'>): Promise<boolean> {
  const { order_id, session } = lost;
  const record = readRecord(session.metadata ?? {});
  const event = record === null ? undefined : await findEvent(ctx.db, record.event_id);
  if (record === null || event === undefined) return false;
  if (!(await storeAgain(ctx, event, { ...lost, record }))) return false;
  ctx.fault('order_recovered');
  // The seats may be sold again, so the buyer must not pay any more; if the buyer has just paid,
  // settleOrder() confirms the order.
  if (session.status === 'open') await closeSession(ctx, session.id);
  await settleOrder(ctx, order_id);
  return true;
}

interface Lost {
  order_id: string;
  link_key: string;
  record: OrderRecord;
  session: Session;
}

async function storeAgain(ctx: Ctx, event: EventRow, lost: Lost): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await writeAgain(ctx, event, lost);
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      if (!isReferenceViolation(error) || attempt === 2) throw error;
      const labels = new Set(lost.record.lines.map((line) => line.object_label));
      await addMissingPlaces(ctx, event, [
        ...(await ctx.seats.read(event.seatsio_event_key, [...labels])).values(),
      ]);
    }
  }
}

async function writeAgain(ctx: Ctx, event: EventRow, lost: Lost): Promise<void> {
  const { order_id, record, session } = lost;
  const now = ctx.now();
  const exchange = await findLost(ctx.db, record.replaces);
  const order = {
    ...orderAgain(event, lost, now),
    exchange_credit_cents: exchange?.told.credit_cents ?? null,
  };
  const lines: OrderLineRow[] = record.lines.map((line, position) => ({
    ...line,
    id: ctx.newId(),
    order_id,
    event_id: record.event_id,
    position,
    released_at: now,
    offered_at: null,
    left_hall: 0,
    booked_type: null,
  }));
  await transact(ctx.db, async (trx) => {
    await insertMany(trx, 'orders', [order]);
    await insertMany(trx, 'order_lines', lines);
    if (exchange) await writeLost(ctx, trx, { order, lost: exchange });
    const { status, payment_status, amount_total, payment_intent } = session;
    await insertSession(trx, {
      id: session.id,
      order_id,
      attempt: 1,
      status,
      payment_status,
      amount_total,
      payment_intent,
      created_at: record.created_at,
      expires_at: session.expires_at,
      paid_at: sessionFacts(ctx, session).paid_at ?? null,
    });
    await happened(ctx, trx, { actor: 'system', action: 'order_recovered', subject: order_id });
    await queueTask(ctx, trx, { task: 'settle_order', subject: order_id });
  });
}

/** The lost order as it is written first; its terms are those of the sale (RULES O20). */
function orderAgain(
  event: EventRow,
  { order_id, record, session, link_key }: Lost,
  now: number,
): OrderRow {
  const fees = addFees(record.lines);
  const price_cents = record.lines.reduce((total, line) => total + line.price_cents, 0);
  return {
    ...bareOrder,
    id: order_id,
    number: record.number,
    // Mailed links open the order again.
    link_key,
    search_text: searchTextOf(record.number),
    event_id: record.event_id,
    // The order is written as ended: a payment revives or refunds it, otherwise nothing is left.
    state: 'deleted',
    end_reason: 'never_finished',
    deleted_at: now,
    hold_token: recoveredToken(order_id),
    selection: '[]',
    total_cents: price_cents + fees.fee_cents,
    ...fees,
    priced_by: record.priced_by,
    sold_in_phase: record.sold_in_phase,
    created_at: record.created_at,
    pay_by: session.expires_at,
    idempotency_key: sessionKeyOf(order_id, 1),
    session_id: session.id,
    session_status: session.status,
    ...saleTermsOf(event),
    ...record.terms,
  };
}
