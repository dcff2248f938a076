/**
 * Carries out an exchange in the transaction that confirms the new order: what the old tickets
 * give is booked on both orders, and the old tickets end (RULES M6, M7).
 */
import type { Trx } from '#db/engine/dialect.ts';
import { lockEvent, requireEventRow } from '#db/event/events.ts';
import { exchangeInto, exchangeTicketsOf, lockOrders, turnExchange } from '#db/order/exchanges.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import { insertPayment } from '#db/payment/payments.ts';
import { endCodes } from '#db/seat/ended-codes.ts';
import type { ExchangeRow, ExchangeTicketRow, OrderRow, RefundRow } from '#db/rows.ts';
import { differenceName } from '#server/domain/order/exchange-words.ts';
import { chosenLines, type Quote } from '#server/domain/payment/refund-quote.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened, takeDoorTurn } from '#server/services/kit/happened.ts';
import { exchangeQuote } from '#server/services/order/exchange-facts.ts';
import type { Giver } from './drawer.ts';
import { answerByExchange } from './exchange-answer.ts';
import { requestRefund } from './refunds.ts';
import { handOverNow, requestRests, waysBack } from './way-back.ts';

/** An exchange whose orders are locked and whose old tickets are as they were. */
export interface OpenExchange {
  exchange: ExchangeRow;
  from: OrderRow;
  tickets: readonly ExchangeTicketRow[];
  quote: Quote;
  /** Test money paid for an old ticket, and so for the new ones. */
  test_money: boolean;
}

/**
 * Locks both orders and both evenings, each in the order of their ids, and checks that the old
 * tickets still give what was agreed. `retakes`: the new order had ended unpaid.
 * @throws Refusal exchange_changed
 */
export async function openExchange(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  retakes: boolean,
): Promise<OpenExchange | null> {
  if (order.exchange_credit_cents === null) return null;
  const known = requireValue(await exchangeInto(trx, order.id), 'exchange');
  const orders = await lockOrders(trx, [known.from_order_id, order.id]);
  const exchange = requireValue(await exchangeInto(trx, order.id), 'exchange');
  // The order is confirmed already, which its own guarded update finds out.
  if (exchange.state === 'done') return null;
  if (exchange.state === 'ended' && !(retakes && exchange.ended_why === 'unpaid'))
    throw new Refusal('exchange_changed');
  for (const id of orders.map(({ event_id }) => event_id).toSorted()) await lockEvent(trx, id);
  const from = requireValue(
    orders.find(({ id }) => id === exchange.from_order_id),
    'old order',
  );
  const tickets = await exchangeTicketsOf(trx, exchange.id);
  const same = await requireSame(ctx, trx, { exchange, from, tickets });
  return { exchange, from, tickets, ...same };
}

/** @throws Refusal exchange_changed */
async function requireSame(
  ctx: Ctx,
  trx: Trx,
  { exchange, from, tickets }: Pick<OpenExchange, 'exchange' | 'from' | 'tickets'>,
): Promise<Pick<OpenExchange, 'quote' | 'test_money'>> {
  const known = new Map((await ticketsOfOrder(trx, from.id)).map((ticket) => [ticket.id, ticket]));
  const isSame = tickets.every(({ ticket_id, place, revision }) => {
    const now = known.get(ticket_id);
    return now?.state === 'valid' && now.place === place && now.revision === revision;
  });
  if (!isSame) throw new Refusal('exchange_changed');
  const { quote, obstacle } = await exchangeQuote(trx, {
    order: from,
    event: await requireEventRow(trx, from.event_id),
    now: ctx.now(),
    by: 'office',
    ticket_ids: tickets.map(({ ticket_id }) => ticket_id),
    except: exchange.id,
    agreed: exchange.question_id,
  });
  if (obstacle !== null || quote.amount_cents !== exchange.credit_cents + exchange.back_cents)
    throw new Refusal('exchange_changed', { reason: obstacle });
  return {
    quote,
    test_money: tickets.some(({ ticket_id }) => known.get(ticket_id)?.test_money === 1),
  };
}

/** What the old tickets give, as money of the new order. */
export async function takeCredit(
  ctx: Ctx,
  trx: Trx,
  { exchange, actor }: { exchange: ExchangeRow; actor: Actor },
): Promise<void> {
  if (exchange.credit_cents === 0) return;
  await insertPayment(trx, {
    id: ctx.newId(),
    order_id: exchange.to_order_id,
    kind: 'exchange',
    amount_cents: exchange.credit_cents,
    actor,
    disputed: 0,
    paid_at: ctx.now(),
  });
}

interface Settling {
  open: OpenExchange;
  order: OrderRow;
  actor: Actor;
  /** Who may hand money back at once; left out: no person is there. */
  giver?: Giver | undefined;
}

/** Ends the old tickets; call it once the new order is confirmed, in the same transaction. */
export async function settleExchange(ctx: Ctx, trx: Trx, settling: Settling): Promise<void> {
  const { open, order, actor } = settling;
  const { exchange, from, tickets, quote } = open;
  const isCancelled = (await requireEventRow(trx, from.event_id)).status === 'cancelled';
  await endOldCodes(ctx, trx, { from, tickets, to_event_id: order.event_id });
  const refund = await requestRefund(ctx, trx, {
    order: from,
    origin: 'exchange',
    act: 'tickets_exchanged',
    kind: 'exchange',
    actor,
    payment_intent: null,
    amount_cents: exchange.credit_cents,
    lines: chosenLines(quote),
    voids_tickets: true,
    // The seats of a cancelled evening are not sold again.
    frees_seats: !isCancelled,
    handed_back: true,
    idempotency_key: `exchange:${exchange.id}`,
    reason: exchange.reason,
    detail: { exchange_id: exchange.id, order_id: order.id, number: order.number },
  });
  const back = await giveBack(ctx, trx, { ...settling, refund });
  await turnExchange(trx, exchange.id, ['open', 'ended'], {
    state: 'done',
    ended_why: null,
    settled_at: ctx.now(),
    refund_id: refund.id,
    back_refund_id: back?.id ?? null,
  });
  await answerByExchange(ctx, trx, open);
}

/** The door says to the old codes for which date they were exchanged. */
async function endOldCodes(
  ctx: Ctx,
  trx: Trx,
  {
    from: { event_id },
    tickets,
    to_event_id,
  }: { from: OrderRow; tickets: readonly ExchangeTicketRow[]; to_event_id: string },
): Promise<void> {
  const { feed_seq } = await takeDoorTurn(trx, { act: 'tickets_exchanged', event_id });
  const places = tickets.map(({ place }) => place);
  await endCodes(trx, event_id, {
    places,
    why: 'exchanged',
    now: ctx.now(),
    feed_seq,
    to_event_id,
  });
}

/** What the old tickets give beyond the new total goes back as it came; the first part of it. */
async function giveBack(
  ctx: Ctx,
  trx: Trx,
  { open: { exchange, from }, actor, giver, refund }: Settling & { refund: RefundRow },
): Promise<RefundRow | null> {
  if (exchange.back_cents === 0) return null;
  const ways = await waysBack(trx, from, exchange.back_cents);
  const handed = giver === undefined ? null : await handOverNow(trx, from, { ways, giver });
  const reason = exchange.reason ?? differenceName;
  const draft = { order: from, origin: 'exchange', actor, reason } as const;
  const rests = await requestRests(ctx, trx, {
    refund,
    draft,
    rests: ways,
    ...(handed && { handed }),
  });
  return requireValue(rests[0], 'refund');
}

/** Call it when the new order ends: the old tickets stay as they are. */
export async function dropExchange(
  ctx: Ctx,
  trx: Trx,
  order: OrderRow,
  ended_why: 'unpaid' | 'changed',
): Promise<void> {
  if (order.exchange_credit_cents === null) return;
  const exchange = requireValue(await exchangeInto(trx, order.id), 'exchange');
  const end = { state: 'ended', ended_why, settled_at: ctx.now() } as const;
  if (!(await turnExchange(trx, exchange.id, ['open'], end))) return;
  await happened(ctx, trx, {
    actor: 'system',
    action: 'exchange_ended',
    subject: exchange.from_order_id,
    detail: { order_id: order.id, number: order.number, reason: ended_why },
  });
}
