/**
 * Gives guests who sit somewhere against the book their places when these are free (RULES A20), and
 * tells phones whose place one that was let go is now (RULES O21).
 */
import { entriesMeeting, hasRoomFor, holderOf, noteMeeting } from '#db/door/against.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { requireEventRow } from '#db/event/events.ts';
import { letGoOn, reclaimPlace } from '#db/order/kept-tickets.ts';
import type { EventRow } from '#db/rows.ts';
import { touchPlaces } from '#db/seat/seats.ts';
import { eveningMs } from '#server/domain/event/event.ts';
import type { Ctx } from '#server/services/context.ts';
import { takeDoorTurn } from '#server/services/kit/happened.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';

interface GuestLine {
  event_id: string;
  place: string;
  order_id: string;
}

export function isEveningOver({ starts_at, ends_at }: EventRow, at: number): boolean {
  return at > (ends_at ?? starts_at + eveningMs);
}

/** Takes a place back that was free already, if this evening could still sell it. */
export async function keepPlace(
  ctx: Ctx,
  trx: Trx,
  event: EventRow,
  line: GuestLine,
): Promise<void> {
  if (isEveningOver(event, ctx.now()) || !(await hasRoomFor(trx, line))) return;
  if (!(await reclaimPlace(trx, line))) return;
  await tellLetGo(trx, { event_id: event.id, places: [line.place] });
  await queueTask(ctx, trx, { task: 'let_go', subject: line.order_id });
}

/** Call it after lines of an order were released: phones hear, and guests keep their places. */
export async function noteReleased(
  ctx: Ctx,
  trx: Trx,
  { event_id, order_id, places }: { event_id: string; order_id: string; places: readonly string[] },
): Promise<void> {
  await tellLetGo(trx, { event_id, places });
  await passToGuests(ctx, trx, { event_id, order_id });
}

/**
 * Call it after an order has given places up: guests who sit there against the book keep them.
 */
export async function passToGuests(
  ctx: Ctx,
  trx: Trx,
  { event_id, order_id }: { event_id: string; order_id: string },
): Promise<void> {
  const met = await entriesMeeting(trx, order_id);
  if (met.length === 0) return;
  await takeDoorTurn(trx, { act: 'places_let_go', event_id });
  const event = await requireEventRow(trx, event_id);
  for (const { id, ...line } of met) {
    const against_order_id = await holderOf(trx, line);
    await noteMeeting(trx, id, against_order_id);
    if (against_order_id === null) await keepPlace(ctx, trx, event, line);
  }
}

/** Phones hear that places that were let go are in another order now, or no longer. */
export async function tellLetGo(
  trx: Trx,
  { event_id, places }: { event_id: string; places: readonly string[] },
): Promise<void> {
  const met = await letGoOn(trx, event_id, places);
  if (met.length === 0) return;
  const { feed_seq } = await takeDoorTurn(trx, { act: 'places_let_go', event_id });
  await touchPlaces(trx, event_id, { places: met.map(({ place }) => place), feed_seq });
}
