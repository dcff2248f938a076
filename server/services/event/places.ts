/**
 * The places of an event's chart in our database: every seat, and each of the N places of a
 * standing area, whether sold or not.
 */
import type { SeatObject } from '#server/adapters/seatsio.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { findEvent } from '#db/event/events.ts';
import { linesOf, reclaimLine } from '#db/order/orders.ts';
import type { EventRow, OrderRow, PlaceRow } from '#db/rows.ts';
import { freePlacesOfArea, insertPlaces, listedPlaces } from '#db/seat/seats.ts';
import { transact } from '#db/engine/transact.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { happened, takeDoorTurn } from '#server/services/kit/happened.ts';
import type { Ctx } from '#server/services/context.ts';

/** A standing area of N has the places `Loggione#1` … `Loggione#N`. */
function placesOf(event_id: string, object: SeatObject): Omit<PlaceRow, 'feed_seq'>[] {
  return Array.from({ length: object.places }, (_, index) => ({
    event_id,
    place: object.kind === 'area' ? `${object.label}#${index + 1}` : object.label,
    object_label: object.label,
    kind: object.kind,
    category: object.category,
    category_key: object.category_key,
    section: object.section,
    row: object.row,
    seat: object.seat,
    position: index + 1,
    issued: 0,
    earlier_codes: 0,
    lost_codes: 0,
    entrance: object.entrance,
    restricted_view: object.restricted_view ? 1 : 0,
    accessible: object.accessible ? 1 : 0,
    companion: object.companion ? 1 : 0,
    in_hall: 1,
  }));
}

/**
 * The places of all or some objects of a chart.
 * @throws Refusal object_unknown for names that are too long for our columns
 */
export function placesForBook(
  ctx: Ctx,
  event_id: string,
  objects: readonly SeatObject[],
): Omit<PlaceRow, 'feed_seq'>[] {
  const wanted = objects.flatMap((object) => placesOf(event_id, object));
  const tooLong = wanted.find((place) => !fits(place));
  if (!tooLong) return wanted;
  ctx.log.error(
    { event_id, object: tooLong.object_label },
    'an object of the chart has names that are too long: it cannot be sold',
  );
  throw new Refusal('object_unknown', { objects: [tooLong.object_label] });
}

/**
 * Adds the places of these objects that the event lacks, after its chart was published again;
 * places that are no longer drawn stay. Returns how many were added.
 * @throws Refusal object_unknown for names that are too long for our columns
 */
export async function addMissingPlaces(
  ctx: Ctx,
  event: EventRow,
  objects: readonly SeatObject[],
): Promise<number> {
  const wanted = placesForBook(ctx, event.id, objects);
  const labels = [...new Set(wanted.map((place) => place.object_label))];
  const added = await transact(ctx.db, async (trx) => {
    // Locks the event's row: another call that adds the same places waits and then finds them.
    const { feed_seq } = await takeDoorTurn(trx, { act: 'places_added', event_id: event.id });
    // The office has chosen another chart meanwhile, which lacks these places.
    if ((await findEvent(trx, event.id))?.seatsio_event_key !== event.seatsio_event_key) return 0;
    const listed = new Set(await listedPlaces(trx, event.id, labels));
    const missing = wanted.filter((place) => !listed.has(place.place));
    if (missing.length === 0) return 0;
    await takeDoorTurn(trx, { act: 'places_added', event_id: event.id, count: missing.length });
    await insertPlaces(trx, missing, feed_seq + 1);
    await happened(ctx, trx, {
      actor: 'system',
      action: 'places_added',
      subject: event.id,
      detail: { objects: labels, places: missing.length },
    });
    return missing.length;
  });
  if (added > 0)
    ctx.log.warn(
      { event_id: event.id, objects: labels, places: added },
      'the chart has places that the event did not have when it was made',
    );
  return added;
}

interface LineWish {
  object_label: string;
  standing: boolean;
}

/**
 * Chooses a place for each line: for a seat the seat itself, for a standing area its first free
 * places. A taken seat is refused later, by the unique index.
 * @throws Refusal seats_taken naming an area that is full
 */
export async function choosePlaces(
  trx: Trx,
  event_id: string,
  lines: readonly LineWish[],
): Promise<string[]> {
  const free = new Map<string, string[]>();
  for (const [label, { length }] of Map.groupBy(
    lines.filter((line) => line.standing),
    (line) => line.object_label,
  )) {
    const places = await freePlacesOfArea(trx, event_id, label, length);
    if (places.length < length) throw new Refusal('seats_taken', { objects: [label] });
    free.set(
      label,
      places.map((place) => place.place),
    );
  }
  return lines.map((line) =>
    line.standing ? requireValue(free.get(line.object_label)?.shift(), 'place') : line.object_label,
  );
}

/**
 * Gives an ended order places again: its own seats, and any free places of its standing areas,
 * because it has no tickets yet.
 * @throws Refusal seats_taken for a full area; a taken seat throws the unique index's error
 */
export async function retakePlaces(trx: Trx, order: OrderRow): Promise<void> {
  // All calls that issue tickets lock the event's row before any place, to avoid deadlocks.
  await takeDoorTurn(trx, { act: 'order_confirmed', event_id: order.event_id });
  const lines = await linesOf(trx, order.id);
  const places = await choosePlaces(
    trx,
    order.event_id,
    lines.map((line) => ({
      object_label: line.object_label,
      standing: line.place !== line.object_label,
    })),
  );
  for (const [at, line] of lines.entries())
    await reclaimLine(trx, line, requireValue(places[at], 'place'));
}

/** Whether the texts fit into the columns. */
function fits({
  place,
  object_label,
  category,
  category_key,
  section,
  row,
  seat,
  entrance,
}: Omit<PlaceRow, 'feed_seq'>): boolean {
  return (
    [place, object_label].every((text) => text.length <= 200) &&
    [category, category_key, section, row, seat, entrance].every(
      (text) => (text ?? '').length <= 100,
    )
  );
}
