/**
 * A sale at the counter: one call books the order and has it paid or reserved. However often a
 * call with one key is sent, there is one sale (RULES K1, K2, K5).
 */
import type { Trx } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import { linesOf, moveOrder, noteOrder, orderOfSale, requireOrderRow } from '#db/order/orders.ts';
import type { EventRow, OrderLineRow, OrderRow, ShiftRow } from '#db/rows.ts';
import { giftsOf, lockOpenShift, openShiftOf } from '#db/counter/shifts.ts';
import { transact } from '#db/engine/transact.ts';
import {
  changeOf,
  isCounterOpen,
  mostCounterSeats,
  requireMayTake,
  spreadTotal,
  type PaymentAsk,
} from '#server/domain/counter/counter.ts';
import { requireDeposit } from '#server/domain/counter/deposit.ts';
import type { DepositEnd } from '#server/domain/order/payment.ts';
import { dueOf } from '#server/domain/order/exchange.ts';
import type { EndReason, SelectedObject } from '#server/domain/order/order.ts';
import { writeSelection } from '#server/domain/order/selection.ts';
import { asRefusal, Refusal } from '#server/domain/refusal.ts';
import { may } from '#server/domain/user/rights.ts';
import type { Role } from '#server/domain/user/user.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { noteAdded, orderToExtend, partOf } from './add-seats.ts';
import { requireSeenOrder } from '#server/services/order/order-scope.ts';
import {
  buyerOfOld,
  planExchange,
  type ExchangeAsk,
  type PlannedExchange,
} from '#server/services/booking/exchange-plan.ts';
import { storeOrder } from '#server/services/booking/store-order.ts';
import { confirmOrder, nothingDue, type Paid } from '#server/services/payment/confirmation.ts';
import {
  leaseGiven,
  withFirstLease,
  withLeaseOrRefuse,
  type Done,
  type LeasedCtx,
} from '#server/services/payment/order-lease.ts';
import { takeDeposit } from '#server/services/payment/deposit.ts';
import { planBooking, type Plan, type SaleTerms } from '#server/services/booking/plan.ts';
import { endOrder, takeSeats } from '#server/services/payment/settle.ts';
import type { Ctx } from '#server/services/context.ts';
import { requireOpenHouse } from '#server/services/site/maintenance.ts';
import { publishedEvent } from '#server/services/event/events.ts';
import { happened } from '#server/services/kit/happened.ts';
import { reachOf } from './customers.ts';
import { saleInWords } from './sale-words.ts';
import { counterSettings } from './tills.ts';

/** The user who sells. */
export interface Seller {
  id: string;
  role: Role;
}

/**
 * A sale has exactly one of `payments`, `gift` and `reservation`. `expected_cents`: the sum that
 * the seller saw. The reasons are typed by the seller.
 */
export interface SaleAsk {
  sale_key: string;
  /** The confirmed order to which the seats are added. */
  part_of?: string;
  event_id: string;
  hold_token: string;
  selected_objects: SelectedObject[];
  codes?: readonly string[];
  conventions?: readonly string[];
  expected_cents: number;
  payments?: PaymentAsk[];
  gift?: { reason: string };
  /** `deposit`: a part that is paid at once. */
  reservation?: { pay_by: number; deposit?: PaymentAsk[] };
  by_hand?: { total_cents: number; reason: string };
  /** The tickets of another date that the new ones replace. */
  exchange?: ExchangeAsk;
  rules_reason?: string;
  group_reason?: string;
  /** `customer`: an earlier buyer, whose mail and telephone are used if the seller typed none. */
  buyer?: { name?: string; email?: string; phone?: string; customer?: string };
}

/** By what wrong codes of a seller are counted. */
export function sellerMark({ id }: Seller): string {
  return `seller ${id}`;
}

/** If a crash leaves a sale unpaid, its seats become free after this time. */
const unfinishedMs = 3 * 60_000;

/**
 * Books and pays in one call. Calls with the same key give the same sale, even if the first call
 * got no answer. Refuses: shift_not_open, sale_differs, order_not_found, order_not_extendable,
 * buyer_forgotten, what planBooking() refuses, total_changed, payment_wrong, price_by_hand_wrong,
 * price_by_hand_not_allowed, group_not_allowed, transfer_not_allowed, customer_unknown,
 * gifts_used_up, reservation_time_wrong, exchange_refused, exchange_changed, seats_taken,
 * hold_expired, provider_silent, try_again.
 */
export async function sell(ctx: Ctx, seller: Seller, ask: SaleAsk) {
  requireOneWay(ask);
  requireMayTake(seller.role, moneyOf(ask));
  if (ask.group_reason !== undefined && !may(seller.role, 'sell_groups'))
    throw new Refusal('group_not_allowed');
  const shift = await openShiftOf(ctx.db, seller.id);
  const known = await orderOfSale(ctx.db, ask.sale_key);
  if (known) return sameSale(ctx, known, { seller, ask, shift });
  requireDrawer(ask, shift);
  await requireOpenHouse(ctx);
  const event = await publishedEvent(ctx, ask.event_id);
  if (!isCounterOpen(event, ctx.now())) throw new Refusal('sale_closed');
  const first = ask.part_of === undefined ? null : await orderToExtend(ctx, seller, ask.part_of);
  if (first !== null && first.event_id !== event.id) throw new Refusal('order_not_extendable');
  const stored = await storeSale(ctx, { event, seller, ask, shift, first }).catch(asRefusal);
  if (stored instanceof Refusal) {
    const earlier = await orderOfSale(ctx.db, ask.sale_key);
    if (!earlier) throw stored;
    return sameSale(ctx, earlier, { seller, ask, shift });
  }
  await withFirstLease(ctx, stored.order, (leased) =>
    finishSale(leased, { ...stored, event, seller, ask, shift }),
  );
  return saleInWords(ctx, stored.order.id, { replayed: false });
}

async function storeSale(
  ctx: Ctx,
  {
    event,
    seller,
    ask,
    shift,
    first,
  }: Omit<Stored, 'order' | 'lines'> & { first: OrderRow | null },
) {
  const began = ctx.now();
  const priced = await pricedPlan(ctx, event, { seller, ask });
  const { plan, exchange } = await exchangeOf(ctx, event, { seller, ask, plan: priced });
  const { total_cents } = plan;
  if (total_cents !== ask.expected_cents) throw new Refusal('total_changed', { total_cents });
  requireSettled(ctx, event, { ask, due_cents: total_cents - (exchange?.credit_cents ?? 0) });
  return storeOrder(ctx, {
    ...plan,
    event,
    hold_token: ask.hold_token,
    selection: writeSelection(ask.selected_objects),
    began,
    actor: `user:${seller.id}`,
    exchange,
    counter: {
      sale_key: ask.sale_key,
      // A gift is listed in the shift of its seller, if there is one.
      shift_id: shift?.id ?? null,
      sold_by: seller.id,
      pay_by: ask.reservation?.pay_by ?? began + unfinishedMs,
      ...(await buyerOf(ctx, seller, { ask, exchange })),
      ...(first && partOf(first, ask.buyer)),
    },
  });
}

function requireOneWay({ payments, gift, reservation, by_hand, exchange }: SaleAsk): void {
  const ways = [payments, gift, reservation].filter((way) => way !== undefined);
  if (exchange !== undefined && payments === undefined)
    throw new Refusal('bad_request', { fields: ['exchange'] });
  if (ways.length !== 1 || (gift !== undefined && by_hand !== undefined))
    throw new Refusal('bad_request', { fields: ['payments', 'gift', 'reservation'] });
}

/** Only money needs a drawer: a gift and a reservation do not, nor what costs nothing. */
function requireDrawer(ask: SaleAsk, shift: ShiftRow | undefined): void {
  if (moneyOf(ask).length > 0 && !shift) throw new Refusal('shift_not_open');
}

/** What is paid at once. */
function moneyOf({ payments, reservation }: SaleAsk): readonly PaymentAsk[] {
  return payments ?? reservation?.deposit ?? [];
}

interface Selling {
  seller: Seller;
  ask: SaleAsk;
}

/** The plan with list prices, or with the total that the seller typed. */
async function pricedPlan(ctx: Ctx, event: EventRow, { seller, ask }: Selling): Promise<Plan> {
  const terms: SaleTerms = {
    states: ['not_yet', 'open', 'closed'],
    most_seats: ask.group_reason === undefined ? event.max_seats : mostCounterSeats,
    seat_rules: ask.rules_reason === undefined,
    contingents: 'all',
    channel: 'till',
  };
  const plan = await planBooking(ctx, event, {
    ...ask,
    address: ask.buyer?.email,
    network: sellerMark(seller),
    terms,
  });
  if (ask.by_hand === undefined) return plan;
  if (!may(seller.role, 'price_by_hand')) throw new Refusal('price_by_hand_not_allowed');
  return { ...plan, ...spreadTotal(plan, ask.by_hand.total_cents) };
}

/** @throws Refusal order_not_found, exchange_refused, exchange_changed */
async function exchangeOf(
  ctx: Ctx,
  event: EventRow,
  { seller, ask, plan }: Selling & { plan: Plan },
): Promise<{ plan: Plan; exchange?: PlannedExchange }> {
  if (ask.exchange === undefined) return { plan };
  const from = await requireSeenOrder(ctx, seller, ask.exchange.order_id);
  return planExchange(ctx, { from, by: 'office', ask: ask.exchange, event, plan });
}

/** Refuses unless the payment or reservation is possible. */
function requireSettled(
  ctx: Ctx,
  event: EventRow,
  { ask, due_cents }: { ask: SaleAsk; due_cents: number },
): void {
  if (ask.payments) changeOf(ask.payments, due_cents);
  if (ask.reservation === undefined) return;
  const { pay_by, deposit } = ask.reservation;
  requireReservable(ctx, event, pay_by);
  if (deposit) requireDeposit(deposit, due_cents);
}

/** @throws Refusal reservation_time_wrong for a time in the past or after the start */
export function requireReservable(ctx: Ctx, event: EventRow, pay_by: number): void {
  if (pay_by <= ctx.now() || pay_by > event.starts_at) throw new Refusal('reservation_time_wrong');
}

async function buyerOf(
  ctx: Ctx,
  seller: Seller,
  { ask: { buyer, gift }, exchange }: { ask: SaleAsk; exchange: PlannedExchange | undefined },
): Promise<Partial<OrderRow>> {
  const { customer } = buyer ?? {};
  const known = customer === undefined ? undefined : await reachOf(ctx, seller, customer);
  const old = exchange && buyerOfOld(exchange);
  return {
    ...old,
    buyer_name: buyer?.name ?? old?.buyer_name ?? null,
    buyer_email: buyer?.email ?? known?.email ?? old?.buyer_email ?? null,
    buyer_phone: buyer?.phone ?? known?.phone ?? old?.buyer_phone ?? null,
    contact_hidden: known?.contact_hidden ?? old?.contact_hidden ?? 0,
    gift_reason: gift?.reason ?? null,
  };
}

interface Stored extends Selling {
  order: OrderRow;
  lines: OrderLineRow[];
  event: EventRow;
  shift: ShiftRow | undefined;
}

/** The sale that an earlier call with this key made; an interrupted sale is finished. */
async function sameSale(
  ctx: Ctx,
  known: OrderRow,
  { seller, ask, shift }: Selling & { shift: ShiftRow | undefined },
) {
  const isSame =
    known.event_id === ask.event_id &&
    known.selection === writeSelection(ask.selected_objects) &&
    (ask.part_of === undefined) === (known.part_of === null) &&
    (ask.exchange === undefined) === (known.exchange_credit_cents === null);
  if (!isSame) throw new Refusal('sale_differs', { order_id: known.id });
  if (known.state === 'booking') {
    requireDrawer(ask, shift);
    await withLeaseOrRefuse(ctx, known.id, async (leased, order) => {
      const event = await requireEventRow(ctx.db, order.event_id);
      const lines = await linesOf(ctx.db, order.id);
      await finishSale(leased, { order, lines, event, seller, ask, shift });
    });
  }
  const now = await requireOrderRow(ctx.db, known.id);
  if (now.state === 'deleted') throw new Refusal('hold_expired', { order_id: now.id });
  return saleInWords(ctx, known.id, { replayed: true });
}

/** Pays or reserves the sale; the same commit gives the lease back. */
async function finishSale(ctx: LeasedCtx, sale: Stored): Promise<Done<void>> {
  const { order, lines, event, ask } = sale;
  if (order.state !== 'booking') return { value: undefined, gaveLease: false };
  ctx.fault('order_stored');
  await takeSeats(ctx, event.seatsio_event_key, {
    order: { ...order, hold_token: ask.hold_token },
    lines,
  });
  ctx.fault('seats_booked');
  if (ask.reservation)
    return { value: undefined, gaveLease: await orEnd(ctx, order, reserve(ctx, sale)) };
  const confirming = confirmOrder(ctx, order, {
    givesLease: true,
    paid: paidBy(sale),
    actor: `user:${sale.seller.id}`,
    giver: { user_id: sale.seller.id, role: sale.seller.role },
    alongside: (trx) => noteSale(ctx, trx, sale),
  });
  return { value: undefined, gaveLease: await orEnd(ctx, order, confirming) };
}

/** Ends the order if the shift was closed, gifts were used up or an old ticket has changed. */
async function orEnd(
  ctx: LeasedCtx,
  order: OrderRow,
  finishing: Promise<boolean>,
): Promise<boolean> {
  return finishing.catch(async (error: unknown) => {
    if (error instanceof Refusal) await endOrder(ctx, order, { reason: endOf(error) });
    throw error;
  });
}

function endOf({ code }: Refusal): EndReason {
  return code === 'exchange_changed' ? code : 'never_finished';
}

function paidBy({ order, ask, shift }: Stored): Paid {
  if (ask.gift) return { kind: 'free', note: ask.gift.reason };
  if (dueOf(order) === 0) return nothingDue(order);
  const payments = intoDrawer(requireValue(ask.payments, 'payment'), requireValue(shift, 'shift'));
  return { kind: 'manual', note: null, payments };
}

/** The payments as rows of this shift. */
export function intoDrawer(payments: readonly PaymentAsk[], { id: shift_id }: ShiftRow) {
  return payments.map(({ method, amount_cents, given_cents, receipt }) => ({
    method,
    amount_cents,
    given_cents: given_cents ?? null,
    receipt_number: receipt ?? null,
    shift_id,
  }));
}

/**
 * Runs in the transaction that confirms the order: checks that the shift is open if it takes
 * money, and that gifts are left, and adds to the audit what the seller decided by hand.
 */
async function noteSale(ctx: Ctx, trx: Trx, sale: Stored): Promise<void> {
  const { order, seller, ask } = sale;
  const shift = await lockOpenShift(trx, seller.id);
  requireDrawer(ask, shift);
  const shift_id = shift?.id ?? null;
  if (shift_id !== order.shift_id) await noteOrder(trx, order.id, { shift_id });
  if (ask.gift) await requireGiftsLeft(trx, sale);
  await noteByHand(ctx, trx, sale);
}

async function requireGiftsLeft(trx: Trx, { order, seller }: Stored): Promise<void> {
  const { gifts_per_event } = await counterSettings({ db: trx });
  const given = await giftsOf(trx, { event_id: order.event_id, user_id: seller.id });
  if (given > gifts_per_event)
    throw new Refusal('gifts_used_up', { most: gifts_per_event, asked: given });
}

async function noteByHand(ctx: Ctx, trx: Trx, { order, seller, ask }: Stored): Promise<void> {
  await noteAdded(ctx, trx, order, `user:${seller.id}`);
  const about = { actor: `user:${seller.id}`, subject: order.id };
  if (ask.by_hand)
    await happened(ctx, trx, {
      ...about,
      action: 'price_by_hand',
      detail: { amount_cents: ask.by_hand.total_cents, reason: ask.by_hand.reason },
    });
  if (ask.group_reason !== undefined)
    await happened(ctx, trx, {
      ...about,
      action: 'group_sold',
      detail: { reason: ask.group_reason },
    });
  if (ask.rules_reason !== undefined)
    await happened(ctx, trx, {
      ...about,
      action: 'seat_rules_overridden',
      detail: { reason: ask.rules_reason },
    });
}

/**
 * Leaves the seats booked and unpaid until the order's `pay_by`. False: the order has changed
 * state meanwhile.
 */
async function reserve(ctx: LeasedCtx, sale: Stored): Promise<boolean> {
  const { order, seller, ask } = sale;
  const deposit = ask.reservation?.deposit;
  const { deposit_end: end } = await counterSettings(ctx);
  return transact(ctx.db, async (trx) => {
    if (!(await moveOrder(trx, order.id, ['booking'], 'awaiting_payment', leaseGiven)))
      return false;
    await happened(ctx, trx, {
      actor: `user:${seller.id}`,
      action: 'seats_reserved',
      subject: order.id,
      detail: { pay_by: order.pay_by },
    });
    await noteByHand(ctx, trx, sale);
    if (deposit) await depositOf(ctx, trx, { sale, payments: deposit, end });
    return true;
  });
}

interface Deposit {
  sale: Stored;
  payments: readonly PaymentAsk[];
  end: DepositEnd;
}

async function depositOf(ctx: Ctx, trx: Trx, { sale, payments, end }: Deposit): Promise<void> {
  const { order, seller, shift } = sale;
  const open = await lockOpenShift(trx, seller.id);
  if (!open || open.id !== shift?.id) throw new Refusal('shift_not_open');
  const [order_id, shift_id, key] = [order.id, open.id, ctx.newId()];
  const actor = `user:${seller.id}` as const;
  await takeDeposit(ctx, trx, { order_id, key, payments, shift_id, end, actor });
}
