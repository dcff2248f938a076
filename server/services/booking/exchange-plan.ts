/**
 * Plans an exchange: what the old tickets give towards the planned order, and stores it with that
 * order (RULES M6).
 */
import type { Trx } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import { insertExchange } from '#db/order/exchanges.ts';
import { lockOrder } from '#db/order/orders.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { withExchangeFee, type ExchangeFacts } from '#server/domain/order/exchange.ts';
import { splitCredit } from '#server/domain/order/exchange-sums.ts';
import type { RecordedExchange } from '#server/domain/order/order-record.ts';
import { underTerms } from '#server/domain/order/terms.ts';
import { leastCents } from '#server/domain/price/price-bounds.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { exchangeQuote, feeOf } from '#server/services/order/exchange-facts.ts';
import type { Plan } from './plan.ts';

/** The tickets that a new order replaces, and what its asker was told that they give. */
export interface ExchangeAsk {
  order_id: string;
  ticket_ids: readonly string[];
  expected_worth_cents: number;
}

/** A planned exchange, to be stored with its new order. */
export interface PlannedExchange {
  from: OrderRow;
  by: ExchangeFacts['by'];
  ticket_ids: readonly string[];
  worth_cents: number;
  credit_cents: number;
  back_cents: number;
  fee_cents: number;
}

interface Planning {
  from: OrderRow;
  by: ExchangeFacts['by'];
  ask: ExchangeAsk;
  event: EventRow;
  plan: Plan;
}

/** The exchange, and the new order's plan with what the house takes for it. */
interface WithExchange {
  exchange: PlannedExchange;
  plan: Plan;
}

/** @throws Refusal exchange_refused, exchange_changed */
export async function planExchange(ctx: Ctx, planning: Planning): Promise<WithExchange> {
  const { from, by, ask, event } = planning;
  const old = await requireEventRow(ctx.db, from.event_id);
  if (old.id === event.id) throw new Refusal('exchange_refused', { reason: 'same_date' });
  if (by === 'buyer' && (old.show_id === null || old.show_id !== event.show_id))
    throw new Refusal('exchange_refused', { reason: 'not_offered' });
  const { ticket_ids } = ask;
  const wish = { order: from, event: underTerms(old, from), now: ctx.now(), by, ticket_ids };
  const quoted = await exchangeQuote(ctx.db, wish);
  const { quote, obstacle } = quoted;
  if (obstacle !== null) throw new Refusal('exchange_refused', { reason: obstacle });
  const worth_cents = quote.amount_cents;
  if (worth_cents !== ask.expected_worth_cents)
    throw new Refusal('exchange_changed', { worth_cents });
  const fee_cents = feeOf(wish, quoted);
  const plan = withExchangeFee(planning.plan, fee_cents);
  const split = splitCredit(worth_cents, plan.total_cents);
  const due_cents = plan.total_cents - split.credit_cents;
  if (by === 'buyer' && due_cents > 0 && due_cents < leastCents)
    throw new Refusal('exchange_refused', { reason: 'too_little' });
  const taken_cents = plan.total_cents - planning.plan.total_cents;
  const terms = { worth_cents, ...split, fee_cents: taken_cents };
  return { plan, exchange: { from, by, ticket_ids, ...terms } };
}

/** The buyer of the old tickets is that of the new ones, until another is told. */
export function buyerOfOld({ from }: PlannedExchange): Partial<OrderRow> {
  const { buyer_name, buyer_email, buyer_phone, contact_hidden, buyer_contact } = from;
  const { buyer_language } = from;
  return { buyer_name, buyer_email, buyer_phone, contact_hidden, buyer_contact, buyer_language };
}

/** What Stripe keeps of it (RULES B2). */
export function recordOfExchange(planned: PlannedExchange): RecordedExchange {
  const { from, ticket_ids, credit_cents, back_cents, fee_cents } = planned;
  return { from_order_id: from.id, ticket_ids, credit_cents, back_cents, fee_cents };
}

/** Locks the old order; call it before anything of the new evening is locked. */
export async function lockOld(trx: Trx, { from }: PlannedExchange): Promise<void> {
  await lockOrder(trx, from.id);
}

interface Storing {
  planned: PlannedExchange;
  order: OrderRow;
  actor: Actor;
}

/**
 * Stores the exchange of a stored order; the old order is locked.
 * @throws Refusal exchange_changed
 */
export async function storeExchange(ctx: Ctx, trx: Trx, storing: Storing): Promise<void> {
  const { planned, order, actor } = storing;
  const { from, by, ticket_ids, worth_cents, credit_cents, back_cents, fee_cents } = planned;
  await raiseFloor(ctx, trx, '1.7.0');
  const locked = await lockOrder(trx, from.id);
  const { quote, obstacle, question } = await exchangeQuote(trx, {
    order: locked,
    event: underTerms(await requireEventRow(trx, from.event_id), locked),
    now: ctx.now(),
    by,
    ticket_ids,
  });
  if (obstacle !== null || quote.amount_cents !== worth_cents)
    throw new Refusal('exchange_changed', { reason: obstacle });
  const id = ctx.newId();
  const tickets = (await ticketsOfOrder(trx, from.id)).filter((one) => ticket_ids.includes(one.id));
  await insertExchange(
    trx,
    {
      id,
      from_order_id: from.id,
      to_order_id: order.id,
      state: 'open',
      credit_cents,
      back_cents,
      fee_cents,
      ended_why: null,
      reason: null,
      actor,
      created_at: ctx.now(),
      settled_at: null,
      refund_id: null,
      back_refund_id: null,
      question_id: question?.id ?? null,
    },
    tickets.map(({ id: ticket_id, place, revision }) => ({
      exchange_id: id,
      ticket_id,
      place,
      revision,
    })),
  );
  await happened(ctx, trx, {
    actor,
    action: 'exchange_begun',
    subject: from.id,
    detail: { exchange_id: id, order_id: order.id, number: order.number, credit_cents, back_cents },
  });
}
