/** Orders as the buyer’s page and the office’s lists show them. */
import { parseDate } from '@internationalized/date';
import type { Db } from '#db/engine/dialect.ts';
import {
  listOrders,
  totalOrders,
  type ListedOrder,
  type OrderFilter,
} from '#db/order/order-list.ts';
import { listTogether } from '#db/order/order-families.ts';
import { sessionsOf } from '#db/order/orders.ts';
import { paymentsOf } from '#db/payment/payments.ts';
import type { CheckoutSessionRow, EventRow, OrderRow, TicketRow } from '#db/rows.ts';
import { holderChangeUntil, isNameMissing } from '#server/domain/order/holder.ts';
import {
  sayExchange,
  sayNames,
  sayOwnExchange,
  sayReentry,
} from '#server/domain/order/right-words.ts';
import { contactFor } from '#server/domain/counter/customers.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { tillViewOf } from '#server/domain/counter/till-view.ts';
import type { OrderState } from '#server/domain/order/order.ts';
import { keptMinutes, keptUntil } from '#server/domain/door/kept.ts';
import { isFreeBooking } from '#server/domain/payment/give-back.ts';
import { moneyOf, type MoneyState } from '#server/domain/order/payment.ts';
import type { Ctx } from '#server/services/context.ts';
import { eventOfOrder, requireOrder } from '#server/services/order/find-order.ts';
import { requireSeenOrder, type Viewer } from '#server/services/order/order-scope.ts';
import { exchangesInWords } from '#server/services/order/exchanges-shown.ts';
import { readPage } from '#server/services/kit/page.ts';
import { refundTermsOf } from '#server/services/order/refund-facts.ts';
import { memo } from '#server/services/kit/memo.ts';
import { inPatience, pagePatienceMs } from '#server/services/kit/patience.ts';
import { awaitsClick } from '#server/services/payment/click.ts';
import { settleOrder } from '#server/services/payment/settle.ts';
import { withLinks } from '#server/services/order/ticket-link.ts';
import { ticketsForHolder } from '#server/services/order/tickets.ts';
import { cancellationOf } from './cancelled-answers.ts';
import { postponementOf } from './postponed.ts';
import { walletsOf } from '#server/services/order/wallets.ts';
import { linesForBuyer } from '#server/services/order/seat-names.ts';

/** For a page that asks again and again, we read Stripe at most once in this time per order. */
const lookMs = 2_000;
const looks = memo<number | null>({ freshMs: lookMs, most: 10_000 });

/**
 * Reads an order; if it waits for its payment, it is first settled, because webhooks may be late
 * or lost. If Stripe does not answer soon, the stored order is shown. That the buyer returns from
 * Stripe proves nothing; it only makes us ask.
 */
async function settledOrder(ctx: Ctx, id: string): Promise<OrderRow> {
  const order = await requireOrder(ctx, id);
  if (order.state !== 'awaiting_payment') return order;
  const look = looks.get(ctx.memory, { key: id, now: ctx.now, ask: () => settleOrder(ctx, id) });
  await inPatience(look, null, pagePatienceMs);
  return requireOrder(ctx, id);
}

export async function orderStatus(ctx: Ctx, id: string) {
  return statusOf(await settledOrder(ctx, id));
}

/** The five fields that RULES W6 names. */
function statusOf(order: OrderRow) {
  return {
    order_id: order.link_key,
    order_confirmed_at: order.confirmed_at,
    order_deleted_at: order.deleted_at,
    checkout_session_status: order.session_status,
    checkout_url: order.session_status === 'open' ? order.checkout_url : null,
  };
}

export async function orderPage(ctx: Ctx, id: string) {
  return showOrder(ctx, await settledOrder(ctx, id));
}

/** The order without asking Stripe, for a page's first HTML. */
export async function orderAsStored(ctx: Ctx, id: string) {
  return showOrder(ctx, await requireOrder(ctx, id));
}

/**
 * The page without the link and all that needs it, for a person who only looks.
 * @throws Refusal order_not_found, also for an order that the viewer may not see
 */
export async function orderAsBuyer(ctx: Ctx, viewer: Viewer, id: string) {
  const page = await showOrder(ctx, await requireSeenOrder(ctx, viewer, id));
  return {
    ...page,
    order_id: id,
    checkout_url: null,
    documents: { pdf: null, calendar: null },
    together: [],
    exchanges: page.exchanges.map((exchange) => ({ ...exchange, order_id: null })),
    wallets: [],
    tickets: page.tickets.map((ticket) => ({ ...ticket, link: null })),
    free: page.free && { ...page.free, confirm_mail: null },
  };
}

async function showOrder(ctx: Ctx, order: OrderRow) {
  const event = await eventOfOrder(ctx.db, order);
  const isConfirmed = order.state === 'confirmed';
  const tickets = isConfirmed ? await ticketsForHolder(ctx, event, order.id) : [];
  const known = tickets.map((ticket) => ({ ...ticket, used: ticket.admitted_at !== null }));
  const misses = tickets.some(({ holder_step }) => holder_step === 'name');
  const postponement = await postponementOf(ctx, { order, event });
  const cancellation = await cancellationOf(ctx, { order, event });
  // The question's own answer goes before the terms of the sale.
  const mayExchange = isConfirmed && postponement?.may_exchange !== true;
  const isPrinted = tickets.some(
    (ticket) => ticket.state === 'valid' && !isNameMissing(event, ticket),
  );
  // serve() drops every column that the contract does not name.
  return {
    ...order,
    ...statusOf(order),
    event: {
      ...event,
      cancelled: event.status === 'cancelled',
      nominative: event.nominative === 1,
      holder_change_until: holderChangeUntil(event),
      names_rule: sayNames(event, { tickets: known, now: ctx.now() }),
      reentry_rule: sayReentry(event),
    },
    exchanges: await exchangesForBuyer(ctx.db, order),
    exchange_rule: mayExchange ? sayOwnExchange(event, ctx.now()) : null,
    may_exchange: mayExchange && sayExchange(event, ctx.now()) !== null,
    receipt_url: await receiptOf(ctx.db, order.id),
    lines: await linesForBuyer(ctx.db, order),
    tickets: await withLinks(ctx, event, tickets),
    together: isConfirmed ? await confirmedBeside(ctx.db, order) : [],
    mailed: order.buyer_email !== null,
    buyer_name: misses ? order.buyer_name : null,
    documents: {
      pdf: isPrinted ? `/api/orders/${order.link_key}/tickets.pdf` : null,
      calendar: isConfirmed ? `/api/orders/${order.link_key}/calendar.ics` : null,
    },
    refund:
      isConfirmed && cancellation?.may_answer !== true
        ? await refundTermsOf(ctx.db, { event, order, now: ctx.now() })
        : null,
    postponement,
    cancellation,
    wallets: walletsOf(ctx),
    free: isFreeBooking(order) ? freeFactsOf(order, event, tickets) : null,
  };
}

function freeFactsOf(
  order: OrderRow,
  event: EventRow,
  tickets: readonly Pick<TicketRow, 'state' | 'let_go_minutes'>[],
) {
  const valid = tickets.filter(({ state }) => state === 'valid');
  const minutes = valid.map(({ let_go_minutes }) =>
    keptMinutes(let_go_minutes, event.free_until_minutes),
  );
  const isOn = valid.length > 0 && event.status === 'published';
  return {
    confirm_mail: awaitsClick(order) ? order.buyer_email : null,
    give_back_until: isOn ? event.starts_at : null,
    kept_until: isOn ? keptUntil(event.starts_at, Math.max(0, ...minutes)) : null,
  };
}

/** Old tickets that are as they were after an exchange that ended: their page does not tell it. */
async function exchangesForBuyer(db: Db, { id, buyer_email }: OrderRow) {
  const all = await exchangesInWords(db, id);
  return all
    .filter(({ side, state }) => side === 'got' || state !== 'ended')
    .map(({ other: { number, starts_at }, other_link, other_email, ...exchange }) => ({
      ...exchange,
      number,
      starts_at,
      // The till may sell to another person, who must not open the rest of the old order.
      order_id: buyer_email !== null && buyer_email === other_email ? other_link : null,
    }));
}

/** The confirmed orders whose tickets were mailed together with this one's. */
async function confirmedBeside(db: Db, order: OrderRow) {
  const orders = await listTogether(db, order);
  return orders
    .filter(({ order_id, state }) => order_id !== order.id && state === 'confirmed')
    .map(({ link_key, ...other }) => ({ ...other, order_id: link_key }));
}

/** The newest receipt of the order's payments; null unless its web address is http or https. */
async function receiptOf(db: Db, order_id: string): Promise<string | null> {
  const url =
    (await paymentsOf(db, order_id)).findLast((payment) => payment.receipt_url !== null)
      ?.receipt_url ?? null;
  return url !== null && /^https?:\/\//.test(url) ? url : null;
}

/** The list's filters. `from` and `to`: the first and last day, in Rome. */
export interface OrderListAsk {
  /** The ids of orders that were selected one by one. */ ids?: string[];
  q?: string;
  event_id?: string;
  state?: OrderState;
  money?: MoneyState;
  attention?: boolean;
  hand_back?: boolean;
  from?: string;
  to?: string;
}

export function orderFilterOf({ from, to, ...same }: OrderListAsk): OrderFilter {
  const startOf = (day: string, later: number) =>
    parseDate(day).add({ days: later }).toDate('Europe/Rome').getTime();
  return {
    ...same,
    from: from === undefined ? undefined : startOf(from, 0),
    before: to === undefined ? undefined : startOf(to, 1),
  };
}

/** The orders that the viewer may see, newest first. */
export async function orderList(
  ctx: Ctx,
  viewer: Viewer,
  { limit = 40, cursor, ...ask }: OrderListAsk & { limit?: number; cursor?: string },
) {
  const filter = { ...orderFilterOf(ask), scope: tillViewOf(viewer, ctx.now()) };
  const { rows, next_cursor } = await readPage(
    { limit, cursor },
    (page) => listOrders(ctx.db, filter, page),
    (row) => row.created_at,
  );
  return { items: rows.map((row) => rowForOffice(contactFor(viewer.role, row))), next_cursor };
}

/** The sums of the orders that match the filters and that the viewer may see. */
export async function orderTotals(ctx: Ctx, viewer: Viewer, ask: OrderListAsk) {
  return totalOrders(ctx.db, { ...orderFilterOf(ask), scope: tillViewOf(viewer, ctx.now()) });
}

export function rowForOffice(order: ListedOrder) {
  return {
    ...order,
    order_id: order.id,
    order_confirmed_at: order.confirmed_at,
    order_deleted_at: order.deleted_at,
    money: moneyOf(order),
    receipt_number: order.payment_receipt ?? order.receipt_number,
    exchanged_cents: Number(order.exchanged_cents ?? 0),
    left_cents: Number(order.left_cents ?? 0),
    refund_asked: order.asked > 0,
    disputed: order.disputed > 0,
    part_of:
      order.part_of === null
        ? null
        : { order_id: order.part_of, number: order.part_of_number ?? '' },
  };
}

export async function orderTickets(ctx: Ctx, viewer: Viewer, id: string) {
  const order = await requireSeenOrder(ctx, viewer, id);
  return { items: await ticketsForHolder(ctx, await eventOfOrder(ctx.db, order), id) };
}

/**
 * Reads the session at Stripe now; `attempts`: our own records of all sessions.
 * @throws Refusal session_not_found for an order that never had one
 */
export async function checkoutSession(ctx: Ctx, viewer: Viewer, id: string) {
  const order = await requireSeenOrder(ctx, viewer, id);
  if (order.session_id === null) throw new Refusal('session_not_found');
  const session = await ctx.payments.read(order.session_id);
  // The name and address of an erased buyer are left out, though Stripe may still have them.
  const isForgotten = order.buyer_forgotten_at !== null;
  return {
    ...session,
    customer_name: isForgotten ? null : session.buyer_name,
    customer_email: isForgotten ? null : session.buyer_email,
    attempts: attemptsOf(await sessionsOf(ctx.db, id)),
  };
}

export function attemptsOf(sessions: readonly CheckoutSessionRow[]) {
  return sessions.map(({ id: session_id, ...session }) => ({ session_id, ...session }));
}
