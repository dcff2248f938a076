/**
 * Books a selection: plans it, stores the order, books the seats at the seat map, opens the
 * checkout at Stripe, and answers.
 */
import { isLinkNew } from '#db/order/order-links.ts';
import { boughtWith, linesOf, orderOfHold, requireOrderRow } from '#db/order/orders.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { dueOf } from '#server/domain/order/exchange.ts';
import { writeSelection } from '#server/domain/order/selection.ts';
import { asRefusal, Refusal } from '#server/domain/refusal.ts';
import { phoneFault } from '#server/domain/text/phone-number.ts';
import type { Ctx } from '#server/services/context.ts';
import { publishedEvent } from '#server/services/event/events.ts';
import { requireOrder } from '#server/services/order/find-order.ts';
import { orderIdOfLink, orderUrl } from '#server/services/order/order-link.ts';
import { askForClick } from '#server/services/payment/click.ts';
import { confirmOrder, nothingDue } from '#server/services/payment/confirmation.ts';
import {
  withFirstLease,
  withLeaseOrRefuse,
  type Done,
  type LeasedCtx,
} from '#server/services/payment/order-lease.ts';
import { endOrder, openCheckout, takeSeats } from '#server/services/payment/settle.ts';
import { networkMark, watchUnpaid } from '#server/services/queue/crowd.ts';
import { endPass, requirePass } from '#server/services/queue/passes.ts';
import { requireOpenHouse } from '#server/services/site/maintenance.ts';
import { planExchange, type ExchangeAsk, type PlannedExchange } from './exchange-plan.ts';
import { planBooking, type BookingAsk, type Plan } from './plan.ts';
import { storeOrder, type FreeBuyer, type StoredOrder } from './store-order.ts';

interface BookingAnswer {
  /** Only for the log. */ record_id: string;
  /** The secret of the buyer's link. */
  order_id: string;
  checkout_url: string;
}

interface VisitorsAsk extends BookingAsk {
  /** The total that the visitor saw. */
  expected_cents?: number | undefined;
  /** Needed where the total is zero (RULES O6). */
  buyer?: FreeBuyer | undefined;
  /** Tickets of the buyer that the new ones replace; `order_id` is the secret of their link. */
  exchange?: ExchangeAsk | undefined;
}

/** A hold token has at most one unpaid order; a repeated call continues that order. */
export async function bookSeats(
  ctx: Ctx,
  event_id: string,
  ask: VisitorsAsk,
): Promise<BookingAnswer> {
  await requireOpenHouse(ctx);
  const event = await publishedEvent(ctx, event_id);
  if (ask.selected_objects.length === 0) throw new Refusal('nothing_selected');
  const draft = { ...ask, selection: writeSelection(ask.selected_objects), began: ctx.now() };
  try {
    return answerOf(ctx, await newOrder(ctx, event, draft));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Perhaps an earlier call with the same selection was paid. One token can buy standing places
    // several times, so for them this is certain only if the token holds nothing any more.
    const bought = await boughtWith(ctx.db, {
      event_id,
      hold_token: ask.hold_token,
      selection: draft.selection,
      seats_only: error.code !== 'hold_expired',
    });
    // This call's own order has lost its seats, so the bought order is another purchase.
    if (!bought || hasEnded(error)) throw error;
    // The browser that booked is told no link that replaced its own.
    if (await isLinkNew(ctx.db, bought.id)) throw error;
    return answerOf(ctx, bought);
  }
}

function hasEnded({ code, detail }: Refusal): boolean {
  return (
    code === 'hold_expired' && (detail as { order_id?: string } | undefined)?.order_id !== undefined
  );
}

/** What the answer needs of an order. */
type Standing = Pick<OrderRow, 'id' | 'link_key' | 'state' | 'checkout_url'>;

/** `began`: when the call began, before it read anything. */
interface BookingDraft extends VisitorsAsk {
  selection: string;
  began: number;
}

/**
 * If the token has an unpaid order already, the call continues that order at its own price; if the
 * selection or the total that was shown differs, it refuses with that order's id.
 */
async function newOrder(ctx: Ctx, event: EventRow, draft: BookingDraft): Promise<Standing> {
  const stored = await storeDraft(ctx, event, draft).catch(asRefusal);
  if (!(stored instanceof Refusal))
    return withFirstLease(ctx, stored.order, (leased) => carryOn(leased, event, stored)).catch(
      naming(stored.order),
    );
  const known = await orderOfHold(ctx.db, event.id, draft.hold_token);
  if (!known) throw stored;
  if (known.selection !== draft.selection || !isAsShown(known, draft))
    throw new Refusal('order_pending', {
      order_id: known.link_key,
      checkout_url: known.checkout_url,
    });
  return withLeaseOrRefuse(ctx, known.id, async (leased, order) => {
    const lines = order.state === 'booking' ? await linesOf(ctx.db, order.id) : [];
    return (await carryOn(leased, event, { order, lines })).value;
  }).catch(naming(known));
}

/** Whether the visitor saw this total, or says nothing about it (RULES P6). */
function isAsShown({ total_cents }: { total_cents: number }, { expected_cents }: VisitorsAsk) {
  return expected_cents === undefined || expected_cents === total_cents;
}

/** Adds the stored order to a refusal, so that the visitor's page can go on with it. */
function naming({ link_key: order_id }: OrderRow) {
  return (error: unknown): never => {
    const { code, detail, cause } = asRefusal(error);
    throw new Refusal(code, { ...(detail as object | undefined), order_id }, cause);
  };
}

async function storeDraft(ctx: Ctx, event: EventRow, draft: BookingDraft): Promise<StoredOrder> {
  const { hold_token, selection, began } = draft;
  const network = draft.network === undefined ? null : networkMark(draft.network);
  const inside = await requirePass(ctx, event.id, draft);
  const address = draft.address ?? draft.buyer?.email;
  const planned = await planBooking(ctx, event, { ...draft, address });
  const { exchange, plan } = await ownExchange(ctx, event, { plan: planned, ask: draft.exchange });
  const { total_cents } = plan;
  if (!isAsShown(plan, draft)) throw new Refusal('total_changed', { total_cents });
  const buyer = exchange ? undefined : buyerOfFree(event, plan, draft.buyer);
  const stored = await storeOrder(ctx, {
    event,
    hold_token,
    selection,
    began,
    network,
    buyer,
    exchange,
    ...plan,
  });
  // Our own seat map refuses a network that holds too much.
  if (network !== null && !ctx.standins.seatsio) await watchUnpaid(ctx, event, network);
  if (inside !== null) await endPass(ctx, inside);
  return stored;
}

/** @throws Refusal order_not_found, exchange_refused, exchange_changed */
async function ownExchange(
  ctx: Ctx,
  event: EventRow,
  { plan, ask }: { plan: Plan; ask: ExchangeAsk | undefined },
): Promise<{ plan: Plan; exchange?: PlannedExchange }> {
  if (ask === undefined) return { plan };
  const from = await requireOrder(ctx, await orderIdOfLink(ctx, ask.order_id));
  return planExchange(ctx, { from, by: 'buyer', ask, event, plan });
}

/**
 * Who gets the tickets of a booking that costs nothing; Stripe tells the buyer of any other.
 * @throws Refusal buyer_needed, phone_needed
 */
function buyerOfFree(
  { ask_phone }: EventRow,
  { total_cents }: Plan,
  buyer: VisitorsAsk['buyer'],
): FreeBuyer | undefined {
  if (total_cents > 0) return undefined;
  if (buyer === undefined) throw new Refusal('buyer_needed');
  // A number that was not asked for is not kept.
  if (ask_phone === 0) return { ...buyer, phone: undefined };
  if (phoneFault(buyer.phone ?? '') !== null) throw new Refusal('phone_needed');
  return buyer;
}

/**
 * Books the seats, then opens the checkout. After a crash, a repeated call continues here: each
 * step may be repeated.
 */
async function carryOn(
  ctx: LeasedCtx,
  event: EventRow,
  { order, lines }: StoredOrder,
): Promise<Done<Standing>> {
  // An earlier call with the same selection has lost the seats.
  if (order.state === 'deleted') throw new Refusal('hold_expired');
  if (order.state !== 'booking') return { value: order, gaveLease: false };
  ctx.fault('order_stored');
  await takeSeats(ctx, event.seatsio_event_key, { order, lines });
  ctx.fault('seats_booked');
  if (order.click_key !== null) {
    const gaveLease = await askForClick(ctx, order);
    return { value: order, gaveLease };
  }
  if (dueOf(order) === 0) {
    return { value: order, gaveLease: await confirmUnpaid(ctx, order) };
  }
  const session = await openCheckout(ctx, order);
  if (session === null) return { value: await requireOrderRow(ctx.db, order.id), gaveLease: false };
  const { id, link_key } = order;
  const open = { id, link_key, state: 'awaiting_payment', checkout_url: session.url } as const;
  return { value: open, gaveLease: true };
}

/** If the tickets that it replaces have changed meanwhile, it ends (RULES M7). */
async function confirmUnpaid(ctx: LeasedCtx, order: OrderRow): Promise<boolean> {
  const paid = nothingDue(order);
  return confirmOrder(ctx, order, { paid, actor: 'system', givesLease: true }).catch(
    async (error: unknown) => {
      if (error instanceof Refusal && error.code === 'exchange_changed')
        await endOrder(ctx, order, { reason: 'exchange_changed' });
      throw error;
    },
  );
}

/** Sends the visitor to Stripe's page while it is open, otherwise to the order's page. */
function answerOf(ctx: Ctx, order: Standing): BookingAnswer {
  const { id, link_key, state, checkout_url } = order;
  const isPayable = state === 'awaiting_payment' && checkout_url;
  return {
    record_id: id,
    order_id: link_key,
    checkout_url: isPayable ? checkout_url : orderUrl(ctx, order),
  };
}
