/**
 * Seats that are reserved at the counter until they are paid: lists them, takes the money, or
 * releases the seats (RULES K5).
 */
import { requireEventRow } from '#db/event/events.ts';
import { lockOrder, noteOrder } from '#db/order/orders.ts';
import { transact } from '#db/engine/transact.ts';
import { lockOpenShift, openShiftOf, placesOfOrders, reservedOrders } from '#db/counter/shifts.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { findPayment } from '#db/payment/payments.ts';
import type { OrderRow, ShiftRow } from '#db/rows.ts';
import { contactFor } from '#server/domain/counter/customers.ts';
import { changeOf, requireMayTake, type PaymentAsk } from '#server/domain/counter/counter.ts';
import { restOf } from '#server/domain/order/exchange.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { namedTogether } from '#server/domain/seat/seat-name.ts';
import { namedSeatOf } from '#server/domain/seat/typed-index.ts';
import { readTypedSeats } from '#server/domain/seat/typed-seats.ts';
import { foundBy, searchTextOf } from '#server/domain/text/search.ts';
import { confirmOrder } from '#server/services/payment/confirmation.ts';
import { requireOrder } from '#server/services/order/find-order.ts';
import { withLeaseOrRefuse } from '#server/services/payment/order-lease.ts';
import { cancelOrder } from '#server/services/payment/settle.ts';
import { takeDeposit } from '#server/services/payment/deposit.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { saleInWords } from './sale-words.ts';
import { counterSettings } from './tills.ts';
import { intoDrawer, requireReservable, type Seller } from './sell.ts';

/** A longer list is not useful to anybody. */
const mostListed = 200;
/** The most reservations that a search looks at. */
const mostSearched = 2_000;

interface ReservationAsk {
  event_id?: string | undefined;
  q: string;
}

/**
 * The reservations, sorted by the time at which their seats become free. `q`: words of number,
 * name, telephone and event, or a seat as the till reads it.
 */
export async function listReservations(
  ctx: Ctx,
  { role }: Seller,
  { event_id, q }: ReservationAsk,
) {
  const limit = q.trim() === '' ? mostListed : mostSearched;
  const reserved = await reservedOrders(ctx.db, { limit, event_id });
  const ids = reserved.map(({ order_id }) => order_id);
  const places = Map.groupBy(await placesOfOrders(ctx.db, ids), ({ order_id }) => order_id);
  const items = reserved.map((order) => {
    const seats = namedTogether(places.get(order.order_id) ?? []).map(({ name }) => name);
    return { ...contactFor(role, order), seats };
  });
  if (q.trim() === '') return { items };
  const seated = ordersOnSeats(q, [...places.values()].flat());
  const found = items.filter((item) => seated.has(item.order_id) || isCalled(item, q));
  return { items: found.slice(0, mostListed) };
}

function ordersOnSeats(q: string, places: Awaited<ReturnType<typeof placesOfOrders>>) {
  const seats = places.map(({ order_id: object, in_whole, ...place }) =>
    namedSeatOf({ ...place, object, in_whole: in_whole === 1 }),
  );
  const { objects, doubtful, unknown } = readTypedSeats(q, seats);
  if (unknown.length > 0) return new Set<string>();
  return new Set([...objects, ...doubtful.flatMap(({ among }) => among.map((one) => one.object))]);
}

interface Called {
  number: string;
  buyer_name: string | null;
  buyer_phone: string | null;
  event_title: string;
}

function isCalled({ number, buyer_name, buyer_phone, event_title }: Called, q: string): boolean {
  const known = searchTextOf(number, buyer_name, buyer_phone, event_title).split(' ');
  const words = foundBy(q);
  return words.length > 0 && words.every((word) => known.some((own) => own.startsWith(word)));
}

/**
 * Takes what is left to pay for reserved seats and confirms the order in the seller's shift;
 * `replayed`: an earlier call took it. Refuses: order_not_found, order_not_reserved,
 * event_cancelled, shift_not_open, transfer_not_allowed, total_changed, payment_wrong, try_again.
 */
export async function collect(
  ctx: Ctx,
  seller: Seller,
  { order_id, payments }: { order_id: string; payments: PaymentAsk[] },
) {
  requireMayTake(seller.role, payments);
  await requireReserved(ctx, order_id);
  const replayed = await withLeaseOrRefuse(ctx, order_id, async (leased, order) => {
    if (order.state === 'confirmed') return true;
    if (order.state !== 'awaiting_payment') throw new Refusal('order_not_reserved');
    changeOf(payments, restOf(order));
    const shift = await openShiftOf(ctx.db, seller.id);
    if (!shift) throw new Refusal('shift_not_open');
    await confirmOrder(leased, order, {
      paid: { kind: 'manual', note: null, payments: intoDrawer(payments, shift) },
      actor: `user:${seller.id}`,
      alongside: async (trx) => {
        await requireTaking(trx, order, { seller, shift });
        await noteOrder(trx, order_id, { shift_id: shift.id, sold_by: seller.id });
      },
    });
    return false;
  });
  return saleInWords(ctx, order_id, { replayed });
}

interface DepositAsk {
  order_id: string;
  key: string;
  payments: PaymentAsk[];
}

/**
 * Takes a part of the money into the seller's shift; the seats stay reserved. `replayed`: an
 * earlier call with this key took it. Refuses: order_not_found, order_not_reserved, sale_differs,
 * event_cancelled, shift_not_open, transfer_not_allowed, deposit_wrong, payment_wrong, try_again.
 */
export async function addDeposit(
  ctx: Ctx,
  seller: Seller,
  { order_id, key, payments }: DepositAsk,
) {
  requireMayTake(seller.role, payments);
  await requireReserved(ctx, order_id);
  const replayed = await withLeaseOrRefuse(ctx, order_id, async (leased, order) => {
    const taken = await findPayment(ctx.db, key);
    if (taken !== undefined && taken.order_id !== order_id) throw new Refusal('sale_differs');
    if (taken !== undefined) return true;
    if (order.state !== 'awaiting_payment') throw new Refusal('order_not_reserved');
    const shift = await openShiftOf(ctx.db, seller.id);
    if (!shift) throw new Refusal('shift_not_open');
    const { deposit_end: end } = await counterSettings(ctx);
    const shift_id = shift.id;
    const actor: Actor = `user:${seller.id}`;
    await transact(ctx.db, async (trx) => {
      if ((await lockOrder(trx, order_id)).state !== 'awaiting_payment')
        throw new Refusal('order_not_reserved');
      await requireTaking(trx, order, { seller, shift });
      await takeDeposit(leased, trx, { order_id, key, payments, shift_id, end, actor });
    });
    ctx.fault('deposit_taken');
    return false;
  });
  return saleInWords(ctx, order_id, { replayed });
}

/** Money is taken only for an evening that takes place, and into a shift that stays open. */
async function requireTaking(
  trx: Trx,
  { event_id }: OrderRow,
  { seller, shift }: { seller: Seller; shift: ShiftRow },
): Promise<void> {
  const event = await requireEventRow(trx, event_id);
  if (event.status === 'cancelled') throw new Refusal('event_cancelled');
  if ((await lockOpenShift(trx, seller.id))?.id !== shift.id) throw new Refusal('shift_not_open');
}

/**
 * Releases reserved seats; a repeated call changes nothing. Refuses: order_not_found,
 * order_not_reserved, try_again.
 */
export async function dropReservation(ctx: Ctx, seller: Seller, order_id: string): Promise<void> {
  const order = await requireReserved(ctx, order_id);
  if (order.state === 'confirmed') throw new Refusal('order_not_reserved');
  await cancelOrder(ctx, order_id, {
    reason: 'cancelled_by_office',
    actor: `user:${seller.id}`,
  });
}

/**
 * Keeps reserved seats until another time. Refuses: order_not_found, order_not_reserved,
 * reservation_time_wrong, try_again.
 */
export async function changeReservation(
  ctx: Ctx,
  seller: Seller,
  { order_id, pay_by }: { order_id: string; pay_by: number },
) {
  await requireReserved(ctx, order_id);
  return withLeaseOrRefuse(ctx, order_id, async (_, order) => {
    if (order.state !== 'awaiting_payment') throw new Refusal('order_not_reserved');
    requireReservable(ctx, await requireEventRow(ctx.db, order.event_id), pay_by);
    await transact(ctx.db, async (trx) => {
      const now = await lockOrder(trx, order_id);
      if (now.state !== 'awaiting_payment') throw new Refusal('order_not_reserved');
      await noteOrder(trx, order_id, { pay_by });
      await happened(ctx, trx, {
        actor: `user:${seller.id}`,
        action: 'reservation_changed',
        subject: order_id,
        detail: { from: now.pay_by, pay_by },
      });
    });
    return { order_id, pay_by };
  });
}

async function requireReserved(ctx: Ctx, order_id: string) {
  const order = await requireOrder(ctx, order_id);
  if (order.channel !== 'counter') throw new Refusal('order_not_reserved');
  return order;
}
