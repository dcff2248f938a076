/** Orders as the visitor and the office read them. */
import { findEvent } from '#db/events.ts';
import { historyOf } from '#db/audit.ts';
import { findOrder, linesOf, listOrders, type OrderFilter } from '#db/orders.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { placesOf } from '#db/seats.ts';
import { userNames } from '#db/users.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat-name.ts';
import type { OrderState } from '#server/domain/order.ts';
import type { Ctx } from './context.ts';
import { settleOrder } from './payments.ts';
import { silent } from './silent.ts';
import { ticketsForHolder } from './tickets.ts';

/** The visitor who looks makes us look: at most once in this time per order, so that a polling page is no flood. */
const lookMs = 2_000;
const looked = new WeakMap<Ctx, Map<string, number>>();

async function orderOf(ctx: Ctx, id: string): Promise<OrderRow> {
  const order = await findOrder(ctx.db, id);
  if (!order) throw new Refusal('order_not_found');
  return order;
}

/** Webhooks may be late or lost: an order that waits for its payment is settled before it is shown (the return page proves nothing, it only makes us look). */
async function settledOrder(ctx: Ctx, id: string): Promise<OrderRow> {
  const order = await orderOf(ctx, id);
  if (order.state !== 'awaiting_payment') return order;
  const times = looked.get(ctx) ?? new Map<string, number>();
  looked.set(ctx, times);
  if ((times.get(id) ?? Number.NEGATIVE_INFINITY) > ctx.now() - lookMs) return order;
  if (times.size > 10_000) times.clear();
  times.set(id, ctx.now());
  await settleOrder(ctx, id);
  return orderOf(ctx, id);
}

/** The five fields of the specification. */
export async function orderStatus(ctx: Ctx, id: string) {
  const order = await settledOrder(ctx, id);
  return {
    order_id: order.id, order_confirmed_at: order.confirmed_at, order_deleted_at: order.deleted_at,
    checkout_session_status: order.session_status, checkout_url: order.session_status === 'open' ? order.checkout_url : null,
  };
}

export async function orderPage(ctx: Ctx, id: string) {
  const order = await settledOrder(ctx, id);
  const event = (await findEvent(ctx.db, order.event_id))!;
  return {
    order_id: order.id, number: order.number, state: order.state, order_confirmed_at: order.confirmed_at, order_deleted_at: order.deleted_at,
    pay_by: order.pay_by, checkout_session_status: order.session_status, checkout_url: order.session_status === 'open' ? order.checkout_url : null,
    total_cents: order.total_cents, event, lines: await linesInWords(ctx, order),
    tickets: order.state === 'confirmed' ? await ticketsForHolder(ctx, event, order.id) : [],
  };
}

async function linesInWords(ctx: Ctx, order: OrderRow) {
  const lines = await linesOf(ctx.db, order.id);
  const places = new Map((await placesOf(ctx.db, order.event_id, lines.map((line) => line.place))).map((place) => [place.place, place]));
  return lines.map((line) => ({ seat: seatName(places.get(line.place)!), category: line.category, type_label: line.type_label, price_cents: line.price_cents }));
}

export interface OrderListAsk { limit?: number | undefined; cursor?: string | undefined; q?: string | undefined; event_id?: string | undefined; state?: OrderState | undefined }

/** The cursor is the last row's time and id. */
export async function orderList(ctx: Ctx, { limit = 40, cursor, q, event_id, state }: OrderListAsk) {
  const filter: OrderFilter = { limit: limit + 1, before: readCursor(cursor), q: q?.trim(), event_id, state };
  const rows = await listOrders(ctx.db, filter);
  const items = rows.slice(0, limit).map((row) => ({ ...row, ...rowForOffice(row) }));
  const last = rows[limit - 1];
  return { items, next_cursor: rows.length > limit && last ? `${last.created_at}.${last.id}` : null };
}

function readCursor(cursor: string | undefined): OrderFilter['before'] {
  if (cursor === undefined) return null;
  const match = /^(\d{1,15})\.([\w-]{1,40})$/.exec(cursor);
  if (!match) throw new Refusal('bad_request', { field: 'cursor' });
  return { created_at: Number(match[1]), id: match[2]! };
}

function rowForOffice(order: OrderRow) {
  return { order_id: order.id, order_confirmed_at: order.confirmed_at, order_deleted_at: order.deleted_at };
}

export async function orderForOffice(ctx: Ctx, id: string) {
  const order = await orderOf(ctx, id);
  const event = (await findEvent(ctx.db, order.event_id))!;
  const lines = await linesInWords(ctx, order);
  const history = await historyInWords(ctx, id);
  return { ...order, ...rowForOffice(order), event_title: event.title, places: lines.length, checkout_session_status: order.session_status, lines, history };
}

/** `user:<id>` becomes that person's name; the other actors are words already. */
async function historyInWords(ctx: Ctx, id: string) {
  const rows = await historyOf(ctx.db, id);
  const idOf = (actor: string) => (actor.startsWith('user:') ? actor.slice(5) : null);
  const names = await userNames(ctx.db, rows.map((row) => idOf(row.actor)).filter((user) => user !== null));
  return rows.map(({ at, actor, action }) => ({ at, actor: names.get(idOf(actor) ?? '') ?? actor, action }));
}

export async function orderTickets(ctx: Ctx, id: string) {
  const order = await orderOf(ctx, id);
  return { items: await ticketsForHolder(ctx, (await findEvent(ctx.db, order.event_id)) as EventRow, id) };
}

/** Read at Stripe now. An order that never had a session has none to show. */
export async function checkoutSession(ctx: Ctx, id: string) {
  const order = await orderOf(ctx, id);
  if (order.session_id === null) throw new Refusal('order_not_found', { reason: 'no_session' });
  const session = await ctx.payments.read(order.session_id).catch(silent);
  return { ...session, customer_name: session.buyer_name, customer_email: session.buyer_email };
}
