/**
 * Moves an event to its new hall in our database: hall, prices, lines, tickets, differences,
 * mails and audit, in one transaction.
 */
import { countEntries } from '#db/door/admissions.ts';
import { liveBlocks, dropBlocks } from '#db/seat/blocks.ts';
import { liveAreaBlocks } from '#db/seat/blocked-areas.ts';
import { countContingents, dropContingents } from '#db/seat/contingents.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { lockEvent, saveEvent, requireEventRow } from '#db/event/events.ts';
import { isActWaiting } from '#db/mail/announcements.ts';
import { insertTicketMoves } from '#db/order/moves.ts';
import { noteOrder } from '#db/order/orders.ts';
import { addressedTickets } from '#db/order/tickets.ts';
import {
  countBusyOrders,
  dropParking,
  endedPlacesOf,
  linesToRehouse,
  issueTickets,
  lockOrdersOf,
  parkTickets,
  placeTickets,
  rehousedLines,
  releaseEnded,
  replaceHall,
  turnRehousing,
  type Arrived,
  type HousedLine,
} from '#db/seat/rehousings.ts';
import { refundableLines } from '#db/payment/refunds.ts';
import { endCodes } from '#db/seat/ended-codes.ts';
import type {
  RehousedLineRow,
  EventRow,
  MovedTicketRow,
  MoveRow,
  OrderRow,
  RehousingRow,
} from '#db/rows.ts';
import { updateMany } from '#db/engine/statements.ts';
import { transact } from '#db/engine/transact.ts';
import type { SeatObject } from '#server/adapters/seatsio.ts';
import { cheaperSeatWords } from '#server/domain/seat/move-words.ts';
import { priceOf, type PricedCategory, pricingOf } from '#server/domain/price/pricing.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { WholeTerms } from '#server/domain/event/whole-terms.ts';
import { pricingNow } from '#server/services/event/prices.ts';
import { codeEndOf } from '#server/services/order/tickets.ts';
import type { Ctx } from '#server/services/context.ts';
import { keepOutOlder, placesForBook, withLost } from '#server/services/event/places.ts';
import { changesBetween } from '#server/services/event/form.ts';
import { newEpoch } from '#server/services/event/saving.ts';
import { codeMails } from '#server/services/kit/mail-queue.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { requestAllWays, waysBack } from '#server/services/payment/way-back.ts';
import { happened, oweNewMails, takeDoorTurn } from '#server/services/kit/happened.ts';
import { pricingThere, sizeOfWhole, termsOfRun, type CategoryMap } from './house.ts';
import { askAboutPlace, columnsThere, goingOf, isAnswerLate, type Going } from './place.ts';
import { isExchanging, refundLeftOut, splitLeftOut } from './left-out.ts';
import { lowering, staysPut } from './words.ts';

/** 'overtaken': the run was called off, or another worker has moved the event. */
type Outcome =
  | 'moved'
  | 'busy'
  | 'unpaid_left_out'
  | 'cancelled'
  | 'guest_inside'
  | 'hall_changed'
  | 'answers_late'
  | 'overtaken';

/** An order line with its place in the new hall. */
interface Arrival {
  line: HousedLine;
  object: SeatObject;
  place: string;
  /** The size of the object if it is sold whole, else 0. */ whole_size: number;
  difference_cents: number;
}

interface Committing {
  event: EventRow;
  row: RehousingRow;
  pricing: readonly PricedCategory[];
  objects: ReadonlyMap<string, SeatObject>;
  terms: WholeTerms | null;
  /** Null: the event stays in its place. */ going: Going | null;
}

/**
 * Moves everything. `objects`: the new hall with its bookings. Returns 'busy' if an order is
 * being changed, a new one has no place yet, or an act about the event can still be taken back,
 * and 'unpaid_left_out' if one without a place has not been paid: it ends first.
 */
export async function commitRehousing(
  ctx: Ctx,
  row: RehousingRow,
  objects: readonly SeatObject[],
): Promise<Outcome> {
  const before = await requireEventRow(ctx.db, row.event_id);
  const pricing = await pricingNow(ctx, before);
  const terms = await termsOfRun(ctx, before, row);
  const whole_terms = terms && JSON.stringify(terms);
  const hall = placesForBook(ctx, { id: before.id, whole_terms }, objects);
  return transact(ctx.db, async (trx) => {
    await keepOutOlder(ctx, trx, hall);
    // The locks come in the usual order (orders, then the event), which avoids deadlocks.
    const orders = await lockOrdersOf(trx, row.event_id);
    const event = requireValue(await lockEvent(trx, row.event_id), 'event');
    const going = goingOf(event, row);
    const obstacle = await obstacleTo(ctx, trx, event, going);
    if (obstacle !== null) return obstacle;
    const byLabel = new Map(objects.map((object) => [object.label, object]));
    const about: Committing = { event, row, pricing, objects: byLabel, terms, going };
    const rows = await rehousedLines(trx, row);
    const { lines, left_out } = splitLeftOut(await linesToRehouse(trx, event.id), rows);
    const planned = takenIn(rows);
    if (!lines.every(({ id }) => byLabel.has(planned.get(id) ?? ''))) {
      await turnRehousing(trx, row, { state: 'taking', commit_at: null });
      return 'busy';
    }
    if (left_out.some(({ ticket_id }) => ticket_id === null)) return 'unpaid_left_out';
    if (await isExchanging(trx, left_out)) return 'busy';
    const ended = [...(await endedPlacesOf(trx, event.id)), ...left_out];
    // The office may have said that a booth has fewer places since the parties were planned.
    if (!isRoomForAll(about, lines, { planned, ended })) return 'hall_changed';
    const kept = await countKept(trx, event.id);
    // Comes before any other write: if a person called the run off meanwhile, nothing may move.
    const changes = { state: 'moved', fault: kept > 0 ? 'kept_seats' : null } as const;
    if (!(await turnRehousing(trx, row, changes))) return 'overtaken';
    await refundLeftOut(ctx, trx, { row, event, orders, lines: left_out });
    await releaseEnded(trx, event.id, ctx.now());
    await dropBlocks(trx, event.id);
    await dropContingents(trx, event.id);
    await replaceHall(trx, event.id, await withLost(trx, hall));
    await keepSizes(trx, about, lines);
    const arrivals = arrivalsOf(about, lines, { planned, ended });
    const moved = { tickets: arrivals.length, refunded: left_out.length, kept };
    await moveEverybody(ctx, trx, about, { arrivals, orders });
    await saveHall(ctx, trx, about);
    await queueTask(ctx, trx, { task: 'run_rehousing', subject: row.id });
    await queueTask(ctx, trx, { task: 'drop_hall', subject: event.seatsio_event_key });
    await happened(ctx, trx, {
      actor: row.actor,
      action: 'rehousing_done',
      subject: event.id,
      detail: { ...detailOf(about), ...moved },
    });
    return 'moved';
  });
}

/** The new places that are booked, by line. */
function takenIn(rows: readonly RehousedLineRow[]): Map<string, string | null> {
  const taken = rows.filter((one) => one.taken === 1);
  return new Map(taken.map(({ line_id, to_object }) => [line_id, to_object]));
}

function detailOf({ event, row: { id, chart_key }, going }: Committing): object {
  const moved = going && { changed: changesBetween(event, going.venue), reason: going.reason };
  return { rehousing_id: id, chart_key, ...moved };
}

/** Why the book cannot move now, or not at all. */
async function obstacleTo(
  ctx: Ctx,
  trx: Trx,
  event: EventRow,
  going: Going | null,
): Promise<Outcome | null> {
  if (event.status === 'cancelled') return 'cancelled';
  if ((await countEntries(trx, event.id)) > 0) return 'guest_inside';
  if ((await countBusyOrders(trx, event.id, ctx.now())) > 0) return 'busy';
  if (await isActWaiting(trx, event.id, ctx.now())) return 'busy';
  return isAnswerLate(ctx, event, going) ? 'answers_late' : null;
}

/** How many blocks and contingents end with the old hall. */
async function countKept(trx: Trx, event_id: string): Promise<number> {
  const blocks = (await liveBlocks(trx, event_id)).length;
  const areas = (await liveAreaBlocks(trx, event_id)).length;
  return blocks + areas + (await countContingents(trx, event_id));
}

interface Plan {
  planned: ReadonlyMap<string, string | null>;
  ended: readonly { order_id: string; place: string }[];
}

/** True if each party has places in its new object, and no other party has that object. */
function isRoomForAll(
  { objects, terms }: Committing,
  lines: readonly HousedLine[],
  { planned, ended }: Plan,
): boolean {
  const arriving = lines.filter(({ id }) => sizeOf(objects.get(planned.get(id) ?? ''), terms) > 0);
  const parties = Map.groupBy(arriving, ({ id }) => planned.get(id) ?? '');
  return [...parties].every(([label, party]) => {
    const own = party.filter(({ order_id }) => order_id === party[0]?.order_id);
    const closed = ended.filter(
      ({ order_id, place }) => order_id === own[0]?.order_id && place.startsWith(`${label}#`),
    );
    const room = sizeOf(objects.get(label), terms) - closed.length;
    return own.length === party.length && party.length <= room;
  });
}

const sizeOf = (object: SeatObject | undefined, terms: WholeTerms | null) =>
  object === undefined ? 0 : sizeOfWhole(object, terms);

/** An object whose party stays may have more or fewer places in the new drawing. */
async function keepSizes(
  trx: Trx,
  { objects, terms }: Committing,
  lines: readonly HousedLine[],
): Promise<void> {
  const rows = lines.flatMap(({ id, order_id, object_label, whole_size: before }) => {
    const whole_size = sizeOf(objects.get(object_label), terms);
    return before > 0 && whole_size > 0 && whole_size !== before
      ? [{ order_id, id, whole_size }]
      : [];
  });
  await updateMany(trx, { table: 'order_lines', rows }, ['order_id', 'id']);
}

/**
 * Gives each line a place. In a standing area or at a table sold whole a line that does not move
 * keeps its place; no line gets a place on which its order has an ended ticket.
 */
function arrivalsOf(
  { row, pricing, objects, terms }: Committing,
  lines: readonly HousedLine[],
  { planned, ended }: Plan,
): Arrival[] {
  const as = JSON.parse(row.categories) as CategoryMap;
  const banned = new Set(ended.map(({ order_id, place }) => `${order_id}\n${place}`));
  const used = new Set<string>();
  const all = lines.map((line) => ({ line, object: objects.get(planned.get(line.id)!)! }));
  for (const { line, object } of all) if (staysPut(line, object, terms)) used.add(line.place);
  return all.flatMap(({ line, object }) => {
    if (staysPut(line, object, terms)) return [];
    const whole_size = sizeOfWhole(object, terms);
    const isOpen = (one: string) => !used.has(one) && !banned.has(`${line.order_id}\n${one}`);
    const place = placeOn(object, { isNumbered: whole_size > 0 || object.kind === 'area', isOpen });
    used.add(place);
    const sold_as = as[object.category_key] ?? '';
    const difference_cents = row.refunds === 1 ? lowering(line, sold_as, pricing) : 0;
    return [{ line, object, place, whole_size, difference_cents }];
  });
}

function placeOn(
  object: SeatObject,
  { isNumbered, isOpen }: { isNumbered: boolean; isOpen: (place: string) => boolean },
): string {
  if (!isNumbered) return object.label;
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
  const { event, row, going } = about;
  const { feed_seq } = await takeDoorTurn(trx, { act: 'rehousing_done', event_id: event.id });
  const refundable = await payable(trx, arrivals);
  const priced = arrivals.map((arrival) => ({
    ...arrival,
    difference_cents: refundable.has(arrival.line.id) ? arrival.difference_cents : 0,
  }));
  const wanted = new Set(priced.map(({ place }) => place));
  await endCodesOf(trx, event.id, { arrivals: priced, feed_seq, now: ctx.now() });
  await parkTickets(
    trx,
    event.id,
    priced.flatMap(({ line }) => (wanted.has(line.place) ? [line] : [])),
  );
  const revisions = await issueTickets(trx, { event_id: event.id, feed_seq }, issuesOf(priced));
  const places = priced.map((arrival) => placingOf(about, arrival, revisions));
  await placeTickets(trx, places);
  await dropParking(trx, event.id);
  const families = Map.groupBy(priced, ({ line }) => line.order_id);
  const moves: Noted[] = [];
  for (const order of orders) {
    const theirs = (families.get(order.id) ?? []).filter(({ line }) => line.ticket_id !== null);
    if (theirs.length > 0) moves.push(await noteMove(ctx, trx, { order, row, theirs, revisions }));
  }
  await insertTicketMoves(trx, moves);
  if (going?.asks === true) return askAboutPlace(ctx, trx, { event, row, going });
  const mails = moves.flatMap(({ move, isTold }) =>
    isTold ? [{ order_id: move.order_id, kind: 'seats_changed' as const, key: move.id }] : [],
  );
  const moved = new Set(moves.flatMap(({ tickets }) => tickets.map((one) => one.ticket_id)));
  const theirs = await addressedTickets(trx, { event_id: event.id });
  const codes = codeMails(theirs.filter(({ id }) => moved.has(id)));
  await oweNewMails(ctx, trx, { act: 'rehousing_done', mails: [...mails, ...codes] });
}

/** Why codes end: their tickets leave, or another guest gets a place whose ticket has ended. */
async function endCodesOf(
  trx: Trx,
  event_id: string,
  { arrivals, ...when }: { arrivals: readonly Arrival[]; feed_seq: number; now: number },
): Promise<void> {
  const theirs = arrivals.filter(({ line }) => line.ticket_id !== null);
  const left = theirs.map(({ line }) => line.place);
  await endCodes(trx, event_id, { places: left, why: 'moved', ...when });
  const taken = theirs.map(({ place }) => place);
  await endCodes(trx, event_id, { places: taken, why: 'resold', ...when });
}

/**
 * New revisions: one for the old place, which has no ticket and so makes the old code SOSTITUITO,
 * and one for the new place and its ticket.
 */
function issuesOf(arrivals: readonly Arrival[]): Map<string, number> {
  const issues = new Map<string, number>();
  for (const { line, place } of arrivals) {
    if (line.ticket_id === null) continue;
    for (const one of [line.place, place]) issues.set(one, (issues.get(one) ?? 0) + 1);
  }
  return issues;
}

/** The lines that became cheaper and may be refunded: confirmed ones without a refund. */
async function payable(trx: Trx, arrivals: readonly Arrival[]): Promise<Set<string>> {
  const cheaper = arrivals.filter(
    ({ line, difference_cents }) => line.ticket_id !== null && difference_cents < 0,
  );
  const ids = [...new Set(cheaper.map(({ line }) => line.order_id))];
  const lines = ids.length > 0 ? await refundableLines(trx, ids) : [];
  const open = new Set(lines.flatMap(({ id, refund_id }) => (refund_id === null ? [id] : [])));
  return new Set(cheaper.map(({ line }) => line.id).filter((id) => open.has(id)));
}

function placingOf(
  { event, row, pricing }: Committing,
  { line, object, place, whole_size, difference_cents }: Arrival,
  revisions: ReadonlyMap<string, number>,
): Arrived {
  const price_cents = line.price_cents + difference_cents;
  const as = JSON.parse(row.categories) as CategoryMap;
  const sold = priceOf(pricing, nameOf(as[object.category_key] ?? ''), line.ticket_type);
  const revision = revisions.get(place) ?? 0;
  return {
    line: {
      id: line.id,
      order_id: line.order_id,
      place,
      object_label: object.label,
      whole_size,
      category: object.category,
      price_id: difference_cents === 0 ? line.price_id : (sold?.price_id ?? line.price_id),
      price_cents,
      // Where rules made the price, refunds are computed from the new list price (RULES R7).
      list_cents:
        line.list_cents === null || difference_cents === 0 ? line.list_cents : price_cents,
      type_label: line.type_label,
    },
    ticket:
      line.ticket_id === null
        ? null
        : {
            id: line.ticket_id,
            place,
            revision,
            price_cents,
            code_end: codeEndOf(event, { place, revision, earlier_codes: 0 }),
          },
  };
}

const nameOf = (name: string) => ({ key: name, label: name });

interface Noting {
  order: OrderRow;
  row: RehousingRow;
  theirs: readonly Arrival[];
  revisions: ReadonlyMap<string, number>;
}

interface Noted {
  move: MoveRow;
  tickets: MovedTicketRow[];
  /** True: the buyer has a mail address and gets a mail. */ isTold: boolean;
}

/** Records the move of an order, with the refund of its difference in price. */
async function noteMove(
  ctx: Ctx,
  trx: Trx,
  { order, row, theirs, revisions }: Noting,
): Promise<Noted> {
  const difference = theirs.reduce((sum, { difference_cents }) => sum + difference_cents, 0);
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
    partner_id: null,
    of_rehousing: row.id,
    created_at: ctx.now(),
    moved_at: ctx.now(),
  };
  if (difference < 0) {
    await noteOrder(trx, order.id, { total_cents: order.total_cents + difference });
    const draft = {
      order,
      origin: 'office' as const,
      actor: row.actor,
      amount_cents: -difference,
      idempotency_key: `move:${move.id}`,
      reason: cheaperSeatWords,
    };
    const ways = await waysBack(trx, order, -difference);
    const refund = await requestAllWays(ctx, trx, draft, { ways });
    move.refund_id = refund.id;
  }
  const tickets = theirs.map(({ line, object, place }, position) => ({
    move_id: move.id,
    ticket_id: line.ticket_id!,
    event_id: order.event_id,
    position,
    from_place: line.place,
    from_object: line.object_label,
    from_revision: line.ticket_revision!,
    to_object: object.label,
    to_place: place,
    to_revision: revisions.get(place)!,
  }));
  return { move, tickets, isTold: order.buyer_email !== null };
}

/**
 * Stores the new hall's key, prices and place, and a new epoch: phones take the whole list again.
 */
async function saveHall(
  ctx: Ctx,
  trx: Trx,
  { event, row, objects, terms, going }: Committing,
): Promise<void> {
  const as = JSON.parse(row.categories) as CategoryMap;
  const labels = new Map([...objects.values()].map((one) => [one.category_key, one.category]));
  const categories = [...labels].map(([key, label]) => ({ key, label }));
  const seat_pricing = JSON.stringify(pricingThere({ categories, as }, pricingOf(event)));
  const place = await columnsThere(ctx, trx, event, going);
  const before = place.own_fields ?? event.own_fields;
  const own = new Set([...(JSON.parse(before) as string[]), 'seat_pricing']);
  const now = await requireEventRow(trx, event.id);
  await saveEvent(trx, now, {
    ...place,
    seatsio_event_key: row.seatsio_event_key!,
    chart_key: row.chart_key,
    seat_pricing,
    whole_terms: terms && JSON.stringify(terms),
    own_fields: JSON.stringify([...own]),
    feed_epoch: newEpoch(),
    updated_at: ctx.now(),
  });
}
