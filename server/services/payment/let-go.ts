/**
 * Lets go of free places some minutes before the start if their guests have not come, and gives
 * them back to a guest who comes while they are still free (RULES O21).
 */
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import type { SeatObject, SeatRequest } from '#server/adapters/seatsio.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import { requireEventRow } from '#db/event/events.ts';
import {
  endGiven,
  eventsThatLetGo,
  letGoAmong,
  letGoLines,
  letGoOn,
  letTicketsGo,
  ordersToKeepAgain,
  ordersToLetGo,
  takePlaceBack,
  type LetGoTicket,
} from '#db/order/kept-tickets.ts';
import { findOrder, linesOf } from '#db/order/orders.ts';
import { addTasks } from '#db/outbox.ts';
import type { AdmissionRow, EventRow, OrderRow } from '#db/rows.ts';
import { touchPlaces } from '#db/seat/seats.ts';
import { minutesLeft } from '#server/domain/door/kept.ts';
import { eveningMs, formBounds } from '#server/domain/event/event.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { retryAfterMs } from '#server/domain/time/backoff.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened, takeDoorTurn } from '#server/services/kit/happened.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { passToGuests } from './guest-places.ts';
import { withLease, type LeasedCtx } from './order-lease.ts';
import { releaseSeatsOf, requestsOf } from './seats.ts';

/** Queues a task for each order with places whose time is over; they are few at a time. */
export async function queuePlacesToLetGo(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const [, mostMinutes] = formBounds.free_until_minutes;
  const span = { from: now - eveningMs, to: now + mostMinutes * 60_000 };
  for (const event of await eventsThatLetGo(ctx.db, span)) {
    const minutes = minutesLeft(event, now);
    if (minutes === null) continue;
    await queueOrders(ctx, await ordersToLetGo(ctx.db, { event_id: event.id, minutes }));
  }
  await queueOrders(ctx, await ordersToKeepAgain(ctx.db, now));
}

async function queueOrders(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const tasks = ids.map((subject) => ({ task: 'let_go' as const, subject, run_at: ctx.now() }));
  await transact(ctx.db, (trx) => addTasks(trx, tasks), { repeatable: true });
}

/**
 * Lets go of the order's places, and makes the seat map agree with the book. May be repeated;
 * returns when to try again, or null.
 */
export async function letGo(ctx: Ctx, order_id: string): Promise<number | null> {
  const done = await withLease(ctx, order_id, { waitMs: 0, run: letGoLeased });
  if (done !== null) return done.value;
  return (await findOrder(ctx.db, order_id)) ? ctx.now() + retryAfterMs : null;
}

async function letGoLeased(ctx: LeasedCtx, order: OrderRow): Promise<number | null> {
  const event = await requireEventRow(ctx.db, order.event_id);
  if (event.status !== 'published') return null;
  const minutes = minutesLeft(event, ctx.now());
  if (minutes === null) await storeKeptAgain(ctx, order);
  else if (event.sale_paused === 0) await storeLetGo(ctx, order, minutes);
  ctx.fault('let_go_stored');
  try {
    await releaseSeatsOf(ctx, order, await letGoLines(ctx.db, order.id));
    return (await holdsAgain(ctx, order, event.seatsio_event_key)) || isOver(event, ctx.now())
      ? null
      : ctx.now() + retryAfterMs;
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    ctx.log.warn({ err: error, order_id: order.id }, 'places let go are not free yet');
    return ctx.now() + retryAfterMs;
  }
}

function isOver({ starts_at }: EventRow, now: number): boolean {
  return now > starts_at + eveningMs;
}

/** Locks the event's row first, so that scans and sales of these places come before or after. */
async function storeLetGo(ctx: LeasedCtx, order: OrderRow, minutes: number): Promise<void> {
  const { id: order_id, event_id } = order;
  await transact(ctx.db, async (trx) => {
    const { feed_seq } = await takeDoorTurn(trx, { act: 'places_let_go', event_id });
    const gone = await letTicketsGo(trx, { order_id, minutes, now: ctx.now() });
    if (gone.length === 0) return;
    await touchPlaces(trx, event_id, { places: gone.map(({ place }) => place), feed_seq });
    await passToGuests(ctx, trx, { event_id, order_id });
    await happened(ctx, trx, {
      actor: 'system',
      action: 'places_let_go',
      subject: order_id,
      detail: { places: gone.map(({ place }) => place) },
    });
  });
}

/** Books places that a guest took back at the door; false while a visitor's cart has one. */
async function holdsAgain(ctx: LeasedCtx, order: OrderRow, key: string): Promise<boolean> {
  const lines = (await linesOf(ctx.db, order.id)).filter(
    ({ released_at, left_hall }) => released_at === null && left_hall === 0,
  );
  const requests = requestsOf(lines);
  const labels = requests.flatMap(({ label, quantity }) => (quantity === null ? [label] : []));
  const objects =
    labels.length === 0 ? new Map<string, SeatObject>() : await ctx.seats.read(key, labels);
  // The seat map may still name the last order of a seat that is free.
  const isOurs = (seat?: SeatObject) => seat?.status === 'booked' && seat.order_id === order.id;
  const booked = new Map<string, number>();
  let hasAll = true;
  for (const request of requests) {
    const { label, quantity } = request;
    if (quantity === null && isOurs(objects.get(label))) continue;
    const about = { orderId: order.id, since: order.created_at };
    const have =
      quantity === null ? 0 : (booked.get(label) ?? (await ctx.seats.placesOf(key, label, about)));
    booked.set(label, Math.max(0, have - (quantity ?? 0)));
    if (quantity !== null && have >= quantity) continue;
    const missing = quantity === null ? request : { ...request, quantity: quantity - have };
    hasAll = (await takes(ctx, { key, order_id: order.id }, missing)) && hasAll;
  }
  return hasAll;
}

/** False if a visitor's cart has the seat; each is asked for by itself. */
async function takes(
  ctx: Ctx,
  { key, order_id }: { key: string; order_id: string },
  request: SeatRequest,
): Promise<boolean> {
  try {
    await ctx.seats.take(key, [request], order_id);
    return true;
  } catch (error) {
    if (error instanceof ProviderRefused) return false;
    throw error;
  }
}

/**
 * Call it with the door's turn, in the transaction that stores scans: guests who were let in
 * have their places again, where these are still free.
 */
export async function takePlacesBack(
  ctx: Ctx,
  trx: Trx,
  scans: readonly Pick<AdmissionRow, 'ticket_id' | 'direction' | 'feed_seq'>[],
): Promise<void> {
  const entries = scans.filter(({ direction }) => direction === 'in');
  const ids = entries.flatMap(({ ticket_id }) => ticket_id ?? []);
  for (const ticket of await letGoAmong(trx, { ids })) {
    if (!(await takePlaceBack(trx, ticket))) continue;
    await touchPlaces(trx, ticket.event_id, {
      places: [ticket.place],
      feed_seq: requireValue(entries[0]?.feed_seq ?? null, 'number of the door'),
    });
    await tellTakenBack(ctx, trx, ticket);
    await queueTask(ctx, trx, { task: 'let_go', subject: ticket.order_id });
  }
}

async function tellTakenBack(ctx: Ctx, trx: Trx, { order_id, place }: LetGoTicket): Promise<void> {
  const detail = { place };
  const act = { actor: 'system', action: 'place_taken_back', subject: order_id, detail } as const;
  await happened(ctx, trx, act);
}

/** The evening was put off, or keeps free places again: those that are still free go back. */
async function storeKeptAgain(ctx: LeasedCtx, { id, event_id }: OrderRow): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const { feed_seq } = await takeDoorTurn(trx, { act: 'place_taken_back', event_id });
    for (const ticket of await letGoAmong(trx, { order_id: id })) {
      if (!(await takePlaceBack(trx, ticket))) continue;
      await touchPlaces(trx, event_id, { places: [ticket.place], feed_seq });
      await tellTakenBack(ctx, trx, ticket);
    }
  });
}

/** False long before the start, when no sale need look for such tickets. */
function mayHaveLetGo({ starts_at, postponed_from }: EventRow, now: number): boolean {
  const [, mostMinutes] = formBounds.free_until_minutes;
  return postponed_from !== null || now >= starts_at - mostMinutes * 60_000;
}

/**
 * Call it before tickets are issued on these places: ends the tickets whose places were let go.
 * `feed_seq`: the caller's turn at the door.
 */
export async function endLetGo(
  ctx: Ctx,
  trx: Trx,
  { event, feed_seq }: { event: EventRow; feed_seq: number },
  places: readonly string[],
): Promise<void> {
  if (!mayHaveLetGo(event, ctx.now())) return;
  const ended = await letGoOn(trx, event.id, places);
  if (ended.length === 0) return;
  const ids = ended.map(({ id }) => id);
  await endGiven(trx, ids, ctx.now());
  await touchPlaces(trx, event.id, { places: ended.map(({ place }) => place), feed_seq });
  for (const [order_id, tickets] of Map.groupBy(ended, (ticket) => ticket.order_id))
    await happened(ctx, trx, {
      actor: 'system',
      action: 'place_given',
      subject: order_id,
      detail: { ticket_ids: tickets.map(({ id }) => id) },
    });
}
