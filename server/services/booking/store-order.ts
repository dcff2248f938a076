/**
 * Stores a planned order in one transaction, with the parameters of the later call to Stripe, so
 * that a crash does not stop the booking (RULES O9).
 */
import { randomBytes } from 'node:crypto';
import { isReferenceViolation, isUniqueViolation } from '#db/engine/dialect.ts';
import { findEvent, isOnSale, onSale } from '#db/event/events.ts';
import { bareOrder, boughtWith, orderOfHold, orderOfSale, rowsOfOrder } from '#db/order/orders.ts';
import type { EventRow, OrderLineRow, OrderRow } from '#db/rows.ts';
import { knownPlaces } from '#db/seat/seats.ts';
import { noneIsSold, soldObjects } from '#db/seat/whole-objects.ts';
import { leaveMark } from '#db/engine/lost.ts';
import { insertMany, type Statement } from '#db/engine/statements.ts';
import { insertIf, transact } from '#db/engine/transact.ts';
import { dueOf } from '#server/domain/order/exchange.ts';
import { spellOrderNumber } from '#server/domain/order/order.ts';
import { spellRecord } from '#server/domain/order/order-record.ts';
import { codeClaimsOf } from '#server/domain/order/priced-order.ts';
import { saleTermsOf } from '#server/domain/order/terms.ts';
import { entryKindOf } from '#server/domain/papers/summary.ts';
import { countsSales } from '#server/domain/price/phase.ts';
import { pricingOf } from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { base32Of } from '#server/domain/door/ticket-code.ts';
import { searchTextOf } from '#server/domain/text/search.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { isPlannedStanding, placesOfWholes } from '#server/domain/seat/whole.ts';
import { auditOf } from '#server/services/kit/happened.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { turnPhases } from '#server/services/event/phases.ts';
import { claimCodes } from '#server/services/event/price-codes.ts';
import { newClickKey } from '#server/services/payment/click.ts';
import { newSessionParams, sessionKeyOf } from '#server/services/payment/checkout.ts';
import { addMissingPlaces, choosePlaces } from '#server/services/event/places.ts';
import { newLinkKey } from '#server/services/order/order-link.ts';
import { tellLetGo } from '#server/services/payment/guest-places.ts';
import { firstLease } from '#server/services/payment/order-lease.ts';
import { differenceItems, itemsOf } from './checkout-items.ts';
import {
  buyerOfOld,
  lockOld,
  recordOfExchange,
  storeExchange,
  type PlannedExchange,
} from './exchange-plan.ts';
import { needsTurn, takeTurn } from './free-turn.ts';
import type { Plan } from './plan.ts';
import { newToken } from '#server/services/user/secrets.ts';

/** The columns of a sale at the counter: it has no checkout, and its sale key makes it unique. */
type CounterFacts = Pick<OrderRow, 'sale_key' | 'shift_id' | 'pay_by'> & Partial<OrderRow>;

export interface FreeBuyer {
  name: string;
  email: string;
  phone?: string | undefined;
}

/** `began`: when the call began, before it read anything. */
interface NewOrder extends Plan {
  event: EventRow;
  hold_token: string;
  selection: string;
  began: number;
  /** The hash of the visitor's network. */
  network?: string | null;
  counter?: CounterFacts;
  /** Who gets the tickets of a booking that costs nothing. */
  buyer?: FreeBuyer | undefined;
  /** The place of each line, where it is known which: then none is chosen. */
  places?: readonly string[];
  actor?: Actor;
  /** The tickets of another date that it replaces. */
  exchange?: PlannedExchange | undefined;
}

export interface StoredOrder {
  order: OrderRow;
  lines: OrderLineRow[];
}

/**
 * Stores the order before the first call to a vendor. If two orders want one seat, a unique index
 * refuses the second.
 * @throws Refusal seats_taken, hold_expired, event_cancelled, event_not_found, try_again,
 * code_used_up, code_needs_address;
 * hold_expired also if the same call has just stored its order
 */
export async function storeOrder(ctx: Ctx, draft: NewOrder): Promise<StoredOrder> {
  const seats = draft.lines.filter((line) => !isPlannedStanding(line)).map(({ place }) => place);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeOrder(ctx, draft, !draft.places && seats.length < draft.lines.length);
    } catch (error) {
      // The chart may have more seats or standing places now than when the event was made.
      if (
        attempt === 1 &&
        (isReferenceViolation(error) || (error instanceof Refusal && error.code === 'seats_taken'))
      ) {
        await addMissingPlaces(ctx, draft.event, draft.chosen);
        continue;
      }
      if (!isUniqueViolation(error)) throw error;
      const taken = (await knownPlaces(ctx.db, draft.event.id, seats)).filter(
        ({ order_id }) => order_id !== null,
      );
      if (taken.length > 0)
        throw new Refusal('seats_taken', {
          objects: [...new Set(taken.map(({ place }) => place))],
        });
      // The hold token or the order number is in use; the next attempt draws another number.
      if (attempt === 10) throw new Refusal('try_again');
      if (await sameOrder(ctx, draft)) throw new Refusal('hold_expired');
    }
  }
}

/** The order that a call with the same hold token or sale key has stored. */
async function sameOrder(ctx: Ctx, draft: NewOrder): Promise<OrderRow | undefined> {
  return draft.counter
    ? orderOfSale(ctx.db, requireValue(draft.counter.sale_key, 'sale'))
    : orderOfHold(ctx.db, draft.event.id, draft.hold_token);
}

/**
 * The place of a seat is the seat; the places of a standing area are chosen in the transaction
 * that stores them.
 */
async function writeOrder(ctx: Ctx, draft: NewOrder, hasAreas: boolean): Promise<StoredOrder> {
  const bare = orderOf(ctx, draft);
  // Only a sale at the counter gets an audit entry; it names the seller.
  const { actor } = draft;
  const audit =
    actor === undefined
      ? undefined
      : auditOf(ctx, { actor, action: 'order_stored', subject: bare.id });
  const hasCodes = codeClaimsOf(bare).length > 0;
  const counts = countsSales(draft.event);
  const { exchange } = draft;
  if (!hasAreas && !hasCodes && !counts && !exchange && !needsTurn(draft, ctx.now()))
    return writeAlone(ctx, draft, { order: bare, audit });
  const stored = await transact(ctx.db, async (trx) => {
    if (exchange) await lockOld(trx, exchange);
    await takeTurn(trx, draft, ctx.now());
    if (!(await isOnSale(trx, draft.event, unsoldWholes(draft)))) return null;
    const storeUses = await claimCodes(ctx, trx, { order: bare, address: draft.code_address });
    const { order, lines } = whole(ctx, {
      order: bare,
      draft,
      places:
        draft.places ??
        (await choosePlaces(
          trx,
          draft.event.id,
          draft.lines.map((line) => ({ ...line, standing: isPlannedStanding(line) })),
        )),
    });
    for (const { table, rows } of rowsOfOrder({ order, lines, audit }))
      await insertMany(trx, table, rows);
    await storeUses();
    if (exchange)
      await storeExchange(ctx, trx, { planned: exchange, order, actor: actor ?? 'visitor' });
    if (counts) await turnPhases(ctx, trx, draft.event.id);
    leaveMark(trx, 'orders', order);
    if (needsTurn(draft, ctx.now()))
      await tellLetGo(trx, { event_id: draft.event.id, places: lines.map(({ place }) => place) });
    // Since `began`, the same call may have stored an order with these places and been confirmed;
    // no index refuses a second one then.
    const earlierOrder = await boughtWith(trx, {
      event_id: draft.event.id,
      hold_token: draft.hold_token,
      selection: draft.selection,
      seats_only: false,
    });
    if (earlierOrder && (earlierOrder.confirmed_at ?? 0) >= draft.began)
      throw new Refusal('hold_expired');
    return { order, lines };
  });
  if (stored === null) throw await saleEnded(ctx, draft);
  return stored;
}

/** Stores an order that changes nothing beside its own rows, in one statement. */
async function writeAlone(
  ctx: Ctx,
  draft: NewOrder,
  { order: bare, audit }: Pick<Parameters<typeof rowsOfOrder>[0], 'order' | 'audit'>,
): Promise<StoredOrder> {
  const places = draft.places ?? draft.lines.map(({ place }) => place);
  const { order, lines } = whole(ctx, { order: bare, draft, places });
  const isStored = await insertIf(ctx.db, {
    condition: onSale(ctx.db, draft.event, unsoldWholes(draft)),
    rows: rowsOfOrder({ order, lines, audit }),
  });
  if (!isStored) throw await saleEnded(ctx, draft);
  return { order, lines };
}

/**
 * An object sold whole is not for sale while an order has any of its places, not only the first
 * ones, which a new order takes. Null: the order has no such object.
 */
function unsoldWholes({ event, lines }: NewOrder): Statement | null {
  const places = placesOfWholes(lines);
  return places.length === 0 ? null : noneIsSold(event.id, places);
}

/**
 * Why nothing was stored: an object sold whole is taken, or the office has cancelled the event,
 * unpublished it, given it other places, or another hall, where this visitor holds nothing.
 */
async function saleEnded(ctx: Ctx, { event: { id }, lines }: NewOrder): Promise<Refusal> {
  const objects = await soldObjects(ctx.db, id, placesOfWholes(lines));
  if (objects.length > 0) return new Refusal('seats_taken', { objects });
  const event = await findEvent(ctx.db, id);
  if (event?.status === 'cancelled') return new Refusal('event_cancelled');
  return new Refusal(event?.status === 'published' ? 'hold_expired' : 'event_not_found');
}

interface ChosenOrder {
  order: OrderRow;
  draft: NewOrder;
  places: readonly string[];
}

/** The order with its places and the parameters for Stripe. */
function whole(ctx: Ctx, chosen: ChosenOrder): StoredOrder {
  const { order, draft } = chosen;
  const lines = linesAt(ctx, chosen);
  const stripe_params = draft.counter ? null : paramsOf(ctx, draft, { order, lines });
  return { order: { ...order, stripe_params }, lines };
}

function linesAt(ctx: Ctx, { order, draft, places }: ChosenOrder): OrderLineRow[] {
  const pricing = pricingOf(draft.event);
  return draft.lines.map((line, position) => {
    const { kind: _, buys: _buys, product_id: _product, category_key, ...planned } = line;
    return {
      ...planned,
      id: ctx.newId(),
      order_id: order.id,
      event_id: draft.event.id,
      place: requireValue(places[position], 'place'),
      position,
      released_at: null,
      offered_at: null,
      left_hall: 0,
      booked_type: null,
      entry_kind: entryKindOf({ ...line, category_key }, pricing),
    };
  });
}

function orderOf(ctx: Ctx, draft: NewOrder): OrderRow {
  const { event, hold_token, selection, total_cents, contingent_id, priced_by } = draft;
  const id = ctx.newId();
  const now = ctx.now();
  const turn = { ...firstLease(ctx), idempotency_key: sessionKeyOf(id, 1) };
  const number = spellOrderNumber(base32Of(randomBytes(5)));
  return {
    ...bareOrder,
    id,
    number,
    link_key: newLinkKey(),
    search_text: searchTextOf(number),
    event_id: event.id,
    state: 'booking',
    hold_token,
    network: draft.network ?? null,
    selection,
    total_cents,
    fee_cents: draft.fee_cents,
    service_cents: draft.service_cents,
    contingent_id,
    priced_by,
    sold_in_phase: draft.sold_in_phase,
    created_at: now,
    pay_by: now + event.pay_minutes * 60_000,
    ...saleTermsOf(event),
    ...turn,
    ...(draft.exchange && exchangeFacts(draft.exchange, number)),
    ...(draft.counter && counterFacts(draft.counter, number)),
    ...(draft.buyer && freeFacts(event, draft.buyer, number)),
  };
}

/**
 * The seller keeps the hold token for the next sale, so the order stores a made-up one. It is a
 * secret, because the booking call answers a known hold token with the order's link.
 */
function counterFacts(facts: CounterFacts, number: string) {
  return {
    ...facts,
    channel: 'counter' as const,
    hold_token: `counter:${newToken()}`,
    search_text: searchTextOf(
      number,
      facts.buyer_name ?? null,
      facts.buyer_email ?? null,
      facts.buyer_phone ?? null,
    ),
  };
}

/** It has the buyer of the tickets that it replaces. */
function exchangeFacts(exchange: PlannedExchange, number: string) {
  const { from, credit_cents } = exchange;
  return {
    ...buyerOfOld(exchange),
    exchange_credit_cents: credit_cents,
    search_text: searchTextOf(number, from.buyer_name, from.buyer_email, from.buyer_phone),
  };
}

/** A free booking knows its buyer from the start, who may have to click in the mail. */
function freeFacts({ free_confirm }: EventRow, buyer: FreeBuyer, number: string) {
  const { name, email, phone = null } = buyer;
  return {
    buyer_name: name,
    buyer_email: email,
    buyer_phone: phone,
    search_text: searchTextOf(number, name, email, phone),
    click_key: free_confirm === 1 ? newClickKey() : null,
  };
}

function paramsOf(
  ctx: Ctx,
  { event, summary, code_address, exchange, lines: planned }: NewOrder,
  { order, lines }: StoredOrder,
): string {
  const items = exchange ? differenceItems(dueOf(order)) : itemsOf(event, planned);
  const record = spellRecord({
    ...order,
    lines,
    terms: order,
    ...(exchange && { replaces: recordOfExchange(exchange) }),
  });
  const params = {
    order_id: order.id,
    description: event.title,
    summary,
    items,
    record,
    ...(code_address !== null && { customer_email: code_address }),
    ...(event.ask_phone === 1 && order.buyer_phone === null && { asks_phone: true }),
  };
  return JSON.stringify(newSessionParams(ctx, params));
}
