/** Books a selection: the order is stored with every parameter of its later calls before Stripe and seats.io are asked, so that a crash can be resumed (RULES O9). */
import { randomBytes } from 'node:crypto';
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import type { SeatRequest } from '#server/adapters/seatsio.ts';
import { isReferenceViolation, isUniqueViolation } from '#db/engine/dialect.ts';
import { findEvent, isOnSale, onSale } from '#db/event/events.ts';
import {
  bareOrder,
  boughtWith,
  findOrder,
  linesOf,
  orderOfHold,
  orderOfSale,
  rowsOfOrder,
} from '#db/order/orders.ts';
import type { EventRow, OrderLineRow, OrderRow } from '#db/rows.ts';
import { knownPlaces } from '#db/seat/seats.ts';
import { leaveMark } from '#db/engine/lost.ts';
import { insertMany } from '#db/engine/statements.ts';
import { insertIf, transact } from '#db/engine/transact.ts';
import {
  spellOrderNumber,
  type PlannedLine,
  type SelectedObject,
} from '#server/domain/order/order.ts';
import { spellRecord } from '#server/domain/order/order-record.ts';
import { asRefusal, Refusal } from '#server/domain/refusal.ts';
import { base32Of } from '#server/domain/door/ticket-code.ts';
import { searchTextOf } from '#server/domain/text/search.ts';
import { auditOf } from '#server/services/kit/audit.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { planBooking, type BookingAsk, type Plan } from './plan.ts';
import { endPass, requirePass } from '#server/services/queue/passes.ts';
import { requireOpenHouse } from '#server/services/site/maintenance.ts';
import { publishedEvent } from '#server/services/event/events.ts';
import { newSessionParams, sessionKeyOf } from '#server/services/payment/checkout.ts';
import { confirmOrder } from '#server/services/payment/confirmation.ts';
import { endOrder, openCheckout } from '#server/services/payment/settle.ts';
import { channelsOf } from '#server/services/seat-map/contingent-codes.ts';
import { addMissingPlaces, choosePlaces } from '#server/services/event/places.ts';
import { holdsItsSeats, requestsOf } from '#server/services/payment/seats.ts';
import {
  firstLease,
  withFirstLease,
  withLeaseOrRefuse,
  type FirstLease,
  type LeasedCtx,
} from '#server/services/payment/order-lease.ts';

interface BookingAnswer {
  order_id: string;
  checkout_url: string;
}

/** POST book: idempotent by nature, because a hold token carries one unpaid order and a repeat finds it. */
export async function bookSeats(
  ctx: Ctx,
  event_id: string,
  ask: BookingAsk,
): Promise<BookingAnswer> {
  await requireOpenHouse(ctx);
  const event = await publishedEvent(ctx, event_id);
  if (ask.selected_objects.length === 0) throw new Refusal('nothing_selected');
  const draft = { ...ask, selection: spellSelection(ask.selected_objects), began: ctx.now() };
  try {
    return await newOrder(ctx, event, draft);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Paid already, by this very call: that is why it cannot be booked now. Standing places can be bought again and again, so only where they are not held any more.
    const bought = await boughtWith(ctx.db, {
      event_id,
      hold_token: ask.hold_token,
      selection: draft.selection,
      seats_only: error.code !== 'hold_expired',
    });
    // An order that was stored and lost its places was a purchase of its own.
    if (!bought || hasEnded(error)) throw error;
    return answerOf(ctx, bought);
  }
}

function hasEnded({ code, detail }: Refusal): boolean {
  return (
    code === 'hold_expired' && (detail as { order_id?: string } | undefined)?.order_id !== undefined
  );
}

/** `began`: before anything was read. */
interface BookingDraft extends BookingAsk {
  selection: string;
  began: number;
}

/** The same call again goes on where the first one stands; another one with the same token is told of it. */
async function requireOrder(
  ctx: Ctx,
  event: EventRow,
  { order, draft }: { order: OrderRow; draft: BookingDraft },
): Promise<BookingAnswer> {
  if (order.selection !== draft.selection)
    throw new Refusal('order_pending', { order_id: order.id, checkout_url: order.checkout_url });
  return withLeaseOrRefuse(ctx, order.id, async (ctx) => {
    const now = (await findOrder(ctx.db, order.id))!;
    return carryOn(ctx, event, {
      order: now,
      lines: now.state === 'booking' ? await linesOf(ctx.db, order.id) : [],
    });
  });
}

/** Plans, stores and goes on under the lease that was stored; whoever is refused may have been overtaken by a call of their own, or repeats one. */
async function newOrder(ctx: Ctx, event: EventRow, draft: BookingDraft): Promise<BookingAnswer> {
  const stored = await storeDraft(ctx, event, draft).catch(asRefusal);
  if (stored instanceof Refusal) {
    const order = await orderOfHold(ctx.db, event.id, draft.hold_token);
    if (!order) throw stored;
    return requireOrder(ctx, event, { order, draft });
  }
  return withFirstLease(ctx, stored.order, (ctx, first) =>
    carryOn(ctx, event, { ...stored, first }),
  );
}

async function storeDraft(ctx: Ctx, event: EventRow, draft: BookingDraft): Promise<StoredOrder> {
  const { hold_token, selection, began } = draft;
  const inside = await requirePass(ctx, event.id, draft);
  const plan = await planBooking(ctx, event, draft);
  const stored = await storeOrder(ctx, { event, hold_token, selection, began, ...plan });
  if (inside !== null) await endPass(ctx, inside);
  return stored;
}

/** One spelling for the same wish, whatever the order of its parts. */
export function spellSelection(selected: readonly SelectedObject[]): string {
  return JSON.stringify(
    selected
      .map(({ object_id, ticket_type, quantity }) => [
        object_id,
        ticket_type ?? null,
        quantity ?? 1,
      ])
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  );
}

function answerOf(ctx: Ctx, order: OrderRow): BookingAnswer {
  return {
    order_id: order.id,
    checkout_url:
      order.state === 'awaiting_payment' && order.checkout_url
        ? order.checkout_url
        : `${ctx.publicUrl}/orders/${order.id}`,
  };
}

/** What an order of the counter says instead: it has no checkout, and its sale key makes it unique. */
type CounterFacts = Pick<OrderRow, 'sale_key' | 'shift_id' | 'pay_by'> & Partial<OrderRow>;

interface NewOrder extends Plan, Pick<BookingDraft, 'hold_token' | 'selection' | 'began'> {
  event: EventRow;
  counter?: CounterFacts;
  actor?: Actor;
}

interface StoredOrder {
  order: OrderRow;
  lines: OrderLineRow[];
}

/** The row stands before the first outside call; the unique indexes decide who is first. Whoever is refused may have an order by now, of the same call a moment earlier. */
export async function storeOrder(ctx: Ctx, draft: NewOrder): Promise<StoredOrder> {
  const seats = draft.lines.filter((line) => line.kind !== 'area').map((line) => line.object_label);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeOrder(ctx, draft, seats.length < draft.lines.length);
    } catch (error) {
      // The chart may have got a seat, or a standing area more places, since the event was made.
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
        throw new Refusal('seats_taken', { objects: taken.map(({ place }) => place) });
      // The hold token, then. Or an order number that exists already: the next one does not.
      if (attempt === 10) throw new Refusal('try_again');
      if (await sameOrder(ctx, draft)) throw new Refusal('hold_expired');
    }
  }
}

/** Of the same call, a moment earlier. */
async function sameOrder(ctx: Ctx, draft: NewOrder): Promise<OrderRow | undefined> {
  return draft.counter
    ? orderOfSale(ctx.db, draft.counter.sale_key!)
    : orderOfHold(ctx.db, draft.event.id, draft.hold_token);
}

/** Seats are their own places; those of a standing area are chosen where they are written. */
async function writeOrder(ctx: Ctx, draft: NewOrder, hasAreas: boolean): Promise<StoredOrder> {
  const bare = orderOf(ctx, draft);
  // That a visitor ordered is told by the order itself; who of the house did it is written down.
  const { actor } = draft;
  const audit =
    actor === undefined
      ? undefined
      : auditOf(ctx, { actor, action: 'order_stored', subject: bare.id });
  if (!hasAreas) {
    const { order, lines } = whole(ctx, {
      order: bare,
      draft,
      places: draft.lines.map((line) => line.object_label),
    });
    const isStored = await insertIf(ctx.db, {
      condition: onSale(ctx.db, draft.event),
      rows: rowsOfOrder({ order, lines, audit }),
    });
    if (!isStored) throw await saleEnded(ctx, draft.event);
    return { order, lines };
  }
  const stored = await transact(ctx.db, async (trx) => {
    if (!(await isOnSale(trx, draft.event))) return null;
    const { order, lines } = whole(ctx, {
      order: bare,
      draft,
      places: await choosePlaces(
        trx,
        draft.event.id,
        draft.lines.map((line) => ({
          object_label: line.object_label,
          standing: line.kind === 'area',
        })),
      ),
    });
    for (const { table, rows } of rowsOfOrder({ order, lines, audit }))
      await insertMany(trx, table, rows);
    leaveMark(trx, 'orders', order);
    // The same call, a moment faster, has used up the places that were held when we looked: an index does not say so once it is confirmed.
    const earlierOrder = await boughtWith(trx, {
      event_id: draft.event.id,
      hold_token: draft.hold_token,
      selection: draft.selection,
      seats_only: false,
    });
    if (earlierOrder && earlierOrder.confirmed_at! >= draft.began)
      throw new Refusal('hold_expired');
    return { order, lines };
  });
  if (stored === null) throw await saleEnded(ctx, draft.event);
  return stored;
}

/** The office was faster: the event was taken back or cancelled, or has another hall, where this visitor holds nothing. */
async function saleEnded(ctx: Ctx, { id }: EventRow): Promise<Refusal> {
  const event = await findEvent(ctx.db, id);
  if (event?.status === 'cancelled') return new Refusal('event_cancelled');
  return new Refusal(event?.status === 'published' ? 'hold_expired' : 'event_not_found');
}

interface ChosenOrder {
  order: OrderRow;
  draft: NewOrder;
  places: readonly string[];
}

/** With its places, and with what Stripe will be told of them. */
function whole(ctx: Ctx, chosen: ChosenOrder): StoredOrder {
  const { order, draft } = chosen;
  const lines = linesAt(ctx, chosen);
  const stripe_params = draft.counter ? null : paramsOf(ctx, draft, { order, lines });
  return { order: { ...order, stripe_params }, lines };
}

function linesAt(ctx: Ctx, { order, draft, places }: ChosenOrder): OrderLineRow[] {
  return draft.lines.map((line, position) => {
    const { kind: _, ...planned } = line;
    return {
      ...planned,
      id: ctx.newId(),
      order_id: order.id,
      event_id: draft.event.id,
      place: places[position]!,
      position,
      released_at: null,
      left_hall: 0,
    };
  });
}

function orderOf(ctx: Ctx, draft: NewOrder): OrderRow {
  const { event, hold_token, selection, total_cents, fee_cents, contingent_id } = draft;
  const id = ctx.newId();
  const now = ctx.now();
  const number = spellOrderNumber(base32Of(randomBytes(5)));
  return {
    ...bareOrder,
    id,
    number,
    search_text: searchTextOf(number),
    event_id: event.id,
    state: 'booking',
    hold_token,
    selection,
    total_cents,
    fee_cents,
    contingent_id,
    created_at: now,
    pay_by: now + event.pay_minutes * 60_000,
    ...firstLease(ctx),
    idempotency_key: sessionKeyOf(id, 1),
    ...(draft.counter && counterFacts(draft.counter, { id, number })),
  };
}

/** Its seats are taken with a hold token that goes on to the next sale: the order keeps none. */
function counterFacts(facts: CounterFacts, { id, number }: { id: string; number: string }) {
  return {
    ...facts,
    channel: 'counter' as const,
    hold_token: `counter:${id}`,
    search_text: searchTextOf(
      number,
      facts.buyer_name ?? null,
      facts.buyer_email ?? null,
      facts.buyer_phone ?? null,
    ),
  };
}

function paramsOf(
  ctx: Ctx,
  { event, summary, lines: planned }: NewOrder,
  { order, lines }: StoredOrder,
): string {
  const items = itemsOf(event, planned);
  const record = spellRecord({ ...order, lines });
  const params = { order_id: order.id, description: event.title, summary, items, record };
  return JSON.stringify(newSessionParams(ctx, params));
}

/** What Stripe is told to charge: prices grouped, and the fee as an item of its own, so that it can be kept when tickets are refunded. */
function itemsOf(
  event: EventRow,
  lines: readonly PlannedLine[],
): { price_id: string; quantity: number }[] {
  const quantities = new Map<string, number>();
  const count = (price_id: string) => quantities.set(price_id, (quantities.get(price_id) ?? 0) + 1);
  for (const line of lines) {
    count(line.price_id);
    if (line.fee_cents > 0) count(event.fee_price_id!);
  }
  return [...quantities].map(([price_id, quantity]) => ({ price_id, quantity }));
}

/** Seats, then session: each step may be repeated, so a crash or a second identical call goes on where the first one stood.  */
async function carryOn(
  ctx: LeasedCtx,
  event: EventRow,
  { order, lines, first }: StoredOrder & { first?: FirstLease },
): Promise<BookingAnswer> {
  // The same call a moment earlier lost the seats.
  if (order.state === 'deleted') throw new Refusal('hold_expired', { order_id: order.id });
  if (order.state === 'booking') {
    ctx.fault('order_stored');
    await takeSeats(ctx, event, { order, lines });
    ctx.fault('seats_booked');
    if (order.total_cents === 0)
      await confirmOrder(ctx, order, { paid: { kind: 'free' }, actor: 'system', first });
    else {
      const session = await openCheckout(ctx, order, first);
      if (session)
        return answerOf(ctx, { ...order, state: 'awaiting_payment', checkout_url: session.url });
    }
    return answerOf(ctx, (await findOrder(ctx.db, order.id))!);
  }
  return answerOf(ctx, order);
}

/** With the hold token that the order names; refuses seats_taken and hold_expired, and then the order has ended. */
export async function takeSeats(
  ctx: LeasedCtx,
  event: EventRow,
  { order, lines }: StoredOrder,
): Promise<void> {
  const requests = requestsOf(lines);
  try {
    await ctx.seats.book(event.seatsio_event_key, requests, {
      orderId: order.id,
      holdToken: order.hold_token,
      channels: await channelsOf(ctx, order),
    });
  } catch (error) {
    // A repeat is refused because the seats are ours already; a silent call may have been heard: both are answered by reading.
    if (await holdsItsSeats(ctx, order)) return;
    if (error instanceof ProviderUnavailable)
      throw new Refusal('provider_silent', { order_id: order.id });
    if (!(error instanceof ProviderRefused)) throw error;
    await loseSeats(ctx, event, order, { requests, refused: error });
  }
}

/** The seats went to somebody else, or the hold ran out: the order ends here. */
async function loseSeats(
  ctx: LeasedCtx,
  event: EventRow,
  order: OrderRow,
  { requests, refused }: { requests: readonly SeatRequest[]; refused: ProviderRefused },
): Promise<never> {
  const now = await ctx.seats.read(
    event.seatsio_event_key,
    requests.map((request) => request.label),
  );
  await endOrder(ctx, order, { reason: 'seats_lost' });
  const taken = [...now.values()].filter(
    (object) =>
      object.kind !== 'area' && object.status !== 'free' && object.hold_token !== order.hold_token,
  );
  throw taken.length > 0
    ? new Refusal('seats_taken', { objects: taken.map((object) => object.label) })
    : new Refusal('hold_expired', { reason: refused.vendorCode, order_id: order.id });
}
