/** Moves the book into the new hall: hall, prices, lines, tickets, differences, mails and audit in one transaction. */
import { liveBlocks, dropBlocks } from '#db/blocks.ts';
import { liveAreaBlocks } from '#db/blocked-areas.ts';
import { countContingents, dropContingents } from '#db/contingents.ts';
import type { Trx } from '#db/dialect.ts';
import { findEvent, lockEvent, nextFeedSeq, saveEvent } from '#db/events.ts';
import { insertTicketMove, placeLine, placeTicket } from '#db/moves.ts';
import { noteOrder } from '#db/orders.ts';
import {
  busyOrders,
  closeScratch,
  endedPlacesOf,
  housedLines,
  lockOrdersOf,
  openScratch,
  rehousedLines,
  replaceHall,
  scratchPlace,
  turnRehousing,
  type HousedLine,
} from '#db/rehousings.ts';
import { refundableLines } from '#db/refunds.ts';
import type { EventRow, MovedTicketRow, MoveRow, OrderRow, RehousingRow } from '#db/rows.ts';
import { issueRevision } from '#db/seats.ts';
import { transact } from '#db/transact.ts';
import type { SeatObject } from '#server/adapters/seatsio.ts';
import { cheaperSeatWords } from '#server/domain/move-words.ts';
import { priceOf, type PricedCategory } from '#server/domain/pricing.ts';
import { pricingNow } from '#server/services/booking/plan.ts';
import { codeEndOf } from '#server/services/booking/tickets.ts';
import type { Ctx } from '#server/services/context.ts';
import { pricingOf } from '#server/services/event/events.ts';
import { placesForBook } from '#server/services/event/places.ts';
import { newEpoch } from '#server/services/event/saving.ts';
import { queueMail } from '#server/services/mail/queue.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { requestRefund } from '#server/services/refund/refunds.ts';
import { wayBack } from '#server/services/refund/way-back.ts';
import { note } from '#server/services/user/audit.ts';
import { pricingThere, type CategoryMap } from './house.ts';
import { lowering, staysPut } from './words.ts';

export type Outcome = 'moved' | 'busy' | 'cancelled';

/** One line with its place there. */
interface Arrival {
  line: HousedLine;
  object: SeatObject;
  place: string;
  difference_cents: number;
}

interface Committing {
  event: EventRow;
  row: RehousingRow;
  pricing: readonly PricedCategory[];
  objects: ReadonlyMap<string, SeatObject>;
}

/** `objects`: the new hall as it is booked. 'busy': somebody works on an order, or one came that has no place there yet. */
export async function commitRehousing(
  ctx: Ctx,
  row: RehousingRow,
  objects: readonly SeatObject[],
): Promise<Outcome> {
  const pricing = await pricingNow(ctx, (await findEvent(ctx.db, row.event_id))!);
  const hall = placesForBook(ctx, row.event_id, objects);
  return transact(ctx.db, async (trx) => {
    // The orders before the event, in the order of everybody who changes both.
    const orders = await lockOrdersOf(trx, row.event_id);
    const event = (await lockEvent(trx, row.event_id))!;
    if (event.status === 'cancelled') return 'cancelled';
    if ((await busyOrders(trx, row.event_id, ctx.now())) > 0) return 'busy';
    const byLabel = new Map(objects.map((object) => [object.label, object]));
    const about: Committing = { event, row, pricing, objects: byLabel };
    const lines = await housedLines(trx, event.id);
    const planned = new Map(
      (await rehousedLines(trx, row.id)).map((line) => [line.line_id, line.to_object]),
    );
    if (!lines.every(({ id }) => byLabel.has(planned.get(id) ?? ''))) {
      await turnRehousing(trx, row, { state: 'taking', commit_at: null });
      return 'busy';
    }
    const kept = await endKept(trx, event.id);
    await replaceHall(trx, event.id, hall);
    const arrivals = arrivalsOf(about, lines, {
      planned,
      ended: await endedPlacesOf(trx, event.id),
    });
    await moveEverybody(ctx, trx, about, { arrivals, orders });
    await saveHall(ctx, trx, about);
    await turnRehousing(trx, row, { state: 'moved', fault: kept > 0 ? 'kept_seats' : null });
    await queueTask(ctx, trx, { task: 'run_rehousing', subject: row.id });
    await queueTask(ctx, trx, { task: 'drop_hall', subject: event.seatsio_event_key });
    await note(ctx, trx, {
      actor: row.actor,
      action: 'rehousing_done',
      subject: event.id,
      detail: { rehousing_id: row.id, chart_key: row.chart_key, tickets: arrivals.length, kept },
    });
    return 'moved';
  });
}

/** Blocks and contingents are of the old hall. How many there were. */
async function endKept(trx: Trx, event_id: string): Promise<number> {
  const blocks = (await liveBlocks(trx, event_id)).length;
  const areas = (await liveAreaBlocks(trx, event_id)).length;
  const contingents = await countContingents(trx, event_id);
  await dropBlocks(trx, event_id);
  await dropContingents(trx, event_id);
  return blocks + areas + contingents;
}

interface Plan {
  planned: ReadonlyMap<string, string | null>;
  ended: readonly { order_id: string; place: string }[];
}

/** Of a standing area each gets a place of its own, the one it had if it stays, and none on which its order had a ticket that has ended. */
function arrivalsOf(
  { row, pricing, objects }: Committing,
  lines: readonly HousedLine[],
  { planned, ended }: Plan,
): Arrival[] {
  const as = JSON.parse(row.categories) as CategoryMap;
  const banned = new Set(ended.map(({ order_id, place }) => `${order_id}\n${place}`));
  const used = new Set<string>();
  const all = lines.map((line) => ({ line, object: objects.get(planned.get(line.id)!)! }));
  for (const { line, object } of all) if (staysPut(line, object)) used.add(line.place);
  return all.flatMap(({ line, object }) => {
    if (staysPut(line, object)) return [];
    const place = placeOn(
      object,
      (one) => !used.has(one) && !banned.has(`${line.order_id}\n${one}`),
    );
    used.add(place);
    const sold_as = as[object.category_key] ?? '';
    const difference_cents = row.refunds === 1 ? lowering(line, sold_as, pricing) : 0;
    return [{ line, object, place, difference_cents }];
  });
}

function placeOn(object: SeatObject, isOpen: (place: string) => boolean): string {
  if (object.kind !== 'area') return object.label;
  for (let n = 1; ; n += 1) if (isOpen(`${object.label}#${n}`)) return `${object.label}#${n}`;
}

interface Everybody {
  arrivals: readonly Arrival[];
  orders: readonly OrderRow[];
}

async function moveEverybody(
  ctx: Ctx,
  trx: Trx,
  about: Committing,
  { arrivals, orders }: Everybody,
): Promise<void> {
  const { event, row } = about;
  const feed_seq = await nextFeedSeq(trx, event.id);
  const refundable = await payable(trx, arrivals);
  const moved = new Map<string, MovedTicketRow[]>();
  await openScratch(trx, event.id);
  await inTurn(arrivals, async (arrival, isParking) => {
    const price = refundable.has(arrival.line.id) ? arrival.difference_cents : 0;
    const done = await moveOne(trx, about, { arrival, feed_seq, price, isParking });
    if (done) moved.set(arrival.line.order_id, [...(moved.get(arrival.line.order_id) ?? []), done]);
  });
  await closeScratch(trx, event.id);
  const byId = new Map(orders.map((order) => [order.id, order]));
  for (const [order_id, tickets] of moved) {
    const order = byId.get(order_id)!;
    const difference = arrivals
      .filter(({ line }) => line.order_id === order_id && refundable.has(line.id))
      .reduce((sum, { difference_cents }) => sum + difference_cents, 0);
    const move = await noteMove(ctx, trx, { order, row, difference, tickets });
    if (order.buyer_email !== null)
      await queueMail(ctx, trx, { order_id, kind: 'seats_changed', key: move.id });
  }
}

/** Lines of which money may go back: confirmed, and none is on its way already. */
async function payable(trx: Trx, arrivals: readonly Arrival[]): Promise<Set<string>> {
  const cheaper = arrivals.filter(
    ({ line, difference_cents }) => line.ticket_id !== null && difference_cents < 0,
  );
  const ids = [...new Set(cheaper.map(({ line }) => line.order_id))];
  const open = new Set<string>();
  for (const id of ids)
    for (const line of await refundableLines(trx, [id]))
      if (line.refund_id === null) open.add(line.id);
  return new Set(cheaper.map(({ line }) => line.id).filter((id) => open.has(id)));
}

/** Whoever has the place that another goes to leaves first; of a ring one waits on a place of nobody. */
async function inTurn(
  arrivals: readonly Arrival[],
  move: (arrival: Arrival, to: 'there' | 'scratch') => Promise<void>,
): Promise<void> {
  const at = new Map(arrivals.map((arrival) => [arrival.line.place, arrival]));
  const done = new Set<Arrival>();
  for (const first of arrivals) {
    const chain: Arrival[] = [];
    let next: Arrival | undefined = first;
    while (next && !done.has(next) && !chain.includes(next)) {
      chain.push(next);
      next = at.get(next.place);
    }
    const isRing = next !== undefined && next === chain[0] && chain.length > 1;
    if (isRing) await move(chain[0]!, 'scratch');
    for (const arrival of chain.toReversed()) {
      await move(arrival, 'there');
      done.add(arrival);
    }
  }
}

interface OneMove {
  arrival: Arrival;
  feed_seq: number;
  price: number;
  isParking: 'there' | 'scratch';
}

/** The old place's next revision belongs to nobody, so that its code is SOSTITUITO everywhere. Null: there is no ticket to move, or it is not there yet. */
async function moveOne(
  trx: Trx,
  { event, row, pricing }: Committing,
  { arrival, feed_seq, price, isParking }: OneMove,
): Promise<MovedTicketRow | null> {
  const { line, object, place } = arrival;
  const price_cents = line.price_cents + price;
  if (isParking === 'scratch') {
    if (line.ticket_id !== null) {
      await issueRevision(trx, event.id, line.place, feed_seq);
      const parked = { place: scratchPlace, revision: 1, price_cents, code_end: '' };
      await placeTicket(trx, line.ticket_id, parked);
    }
    await placeLine(trx, line.id, { ...lineNow(line), place: scratchPlace });
    return null;
  }
  const as = JSON.parse(row.categories) as CategoryMap;
  const sold = priceOf(pricing, nameOf(as[object.category_key] ?? ''), line.ticket_type);
  await placeLine(trx, line.id, {
    place,
    object_label: object.label,
    category: object.category,
    price_id: price === 0 ? line.price_id : (sold?.price_id ?? line.price_id),
    price_cents,
    type_label: line.type_label,
  });
  if (line.ticket_id === null) return null;
  await burn(trx, event.id, { line, feed_seq });
  const revision = await issueRevision(trx, event.id, place, feed_seq);
  const code_end = codeEndOf(event, { place, revision, earlier_codes: 0 });
  await placeTicket(trx, line.ticket_id, { place, revision, price_cents, code_end });
  return {
    move_id: '',
    ticket_id: line.ticket_id,
    event_id: event.id,
    position: 0,
    from_place: line.place,
    from_object: line.object_label,
    from_revision: line.ticket_revision!,
    to_object: object.label,
    to_place: place,
    to_revision: revision,
  };
}

const nameOf = (name: string) => ({ key: name, label: name });

function lineNow(line: HousedLine) {
  const { object_label, category, price_id, price_cents, type_label } = line;
  return { object_label, category, price_id, price_cents, type_label };
}

/** Unless it was burnt when the ticket was parked. */
async function burn(
  trx: Trx,
  event_id: string,
  { line, feed_seq }: { line: HousedLine; feed_seq: number },
): Promise<void> {
  const place = await trx('places').where({ event_id, place: line.place }).first('issued');
  if (Number(place?.issued) > line.ticket_revision!) return;
  await issueRevision(trx, event_id, line.place, feed_seq);
}

interface Noting {
  order: OrderRow;
  row: RehousingRow;
  difference: number;
  tickets: readonly MovedTicketRow[];
}

/** As one move of the order, with what goes back of its money. */
async function noteMove(
  ctx: Ctx,
  trx: Trx,
  { order, row, difference, tickets }: Noting,
): Promise<MoveRow> {
  const move: MoveRow = {
    id: ctx.newId(),
    order_id: order.id,
    event_id: order.event_id,
    state: 'done',
    actor: row.actor,
    keep_reason: null,
    difference_cents: difference,
    difference_end: difference < 0 ? 'refunded' : 'none',
    refund_id: null,
    created_at: ctx.now(),
    moved_at: ctx.now(),
  };
  if (difference < 0) {
    await noteOrder(trx, order.id, { total_cents: order.total_cents + difference });
    const refund = await requestRefund(ctx, trx, {
      order,
      origin: 'office',
      actor: row.actor,
      payment_intent: await wayBack(trx, order, -difference),
      amount_cents: -difference,
      idempotency_key: `move:${move.id}`,
      reason: cheaperSeatWords,
    });
    move.refund_id = refund.id;
  }
  await insertTicketMove(
    trx,
    move,
    tickets.map((ticket, position) => ({ ...ticket, move_id: move.id, position })),
  );
  return move;
}

/** Another event at the seat map, its prices under its own names; phones are given the whole list. */
async function saveHall(ctx: Ctx, trx: Trx, { event, row, objects }: Committing): Promise<void> {
  const as = JSON.parse(row.categories) as CategoryMap;
  const labels = new Map([...objects.values()].map((one) => [one.category_key, one.category]));
  const categories = [...labels].map(([key, label]) => ({ key, label }));
  const seat_pricing = JSON.stringify(pricingThere({ categories, as }, pricingOf(event)));
  const own = new Set([...(JSON.parse(event.own_fields) as string[]), 'seat_pricing']);
  const now = (await findEvent(trx, event.id))!;
  await saveEvent(trx, now, {
    seatsio_event_key: row.seatsio_event_key!,
    chart_key: row.chart_key,
    seat_pricing,
    own_fields: JSON.stringify([...own]),
    feed_epoch: newEpoch(),
    updated_at: ctx.now(),
  });
}
