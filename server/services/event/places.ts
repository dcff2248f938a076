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
import { objectsGone, soldObjects } from '#db/seat/whole-objects.ts';
import { transact } from '#db/engine/transact.ts';
import { mostLost, spellLost } from '#server/domain/door/lost-revisions.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { partsInWhole } from '#server/domain/seat/seat-name.ts';
import { wholeTermsOf } from '#server/domain/event/whole-terms.ts';
import { isStanding, placeInWhole, placesOfWholes, wholeOffer } from '#server/domain/seat/whole.ts';
import { happened, takeDoorTurn } from '#server/services/kit/happened.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { readRestored } from '#server/services/kit/restored.ts';
import type { Ctx } from '#server/services/context.ts';

type NewPlace = Omit<PlaceRow, 'feed_seq'>;

/** What of an event decides which places its objects have. */
type EventOfPlaces = Pick<EventRow, 'id' | 'whole_terms'>;

/**
 * A standing area of N has the places `Loggione#1` … `Loggione#N`, and so has an object that is
 * sold whole.
 */
function placesOf(event: EventOfPlaces, object: SeatObject): NewPlace[] {
  const whole = wholeOffer(object, wholeTermsOf(event));
  return Array.from({ length: whole?.places ?? object.places }, (_, index) => ({
    event_id: event.id,
    place: whole || object.kind === 'area' ? placeInWhole(object.label, index + 1) : object.label,
    object_label: object.label,
    kind: object.kind,
    category: object.category,
    category_key: object.category_key,
    section: object.section,
    row: object.row,
    seat: object.seat,
    ...(whole && partsInWhole(object, index + 1, whole.places)),
    position: index + 1,
    issued: 0,
    earlier_codes: 0,
    lost_codes: 0,
    skipped_to: 0,
    in_whole: whole ? 1 : 0,
    lost_revisions: null,
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
  event: EventOfPlaces,
  objects: readonly SeatObject[],
): NewPlace[] {
  const wanted = objects.flatMap((object) => placesOf(event, object));
  const tooLong = wanted.find((place) => !fits(place));
  if (!tooLong) return wanted;
  ctx.log.error(
    { event_id: event.id, object: tooLong.object_label },
    'an object of the chart has names that are too long: it cannot be sold',
  );
  throw new Refusal('object_unknown', { objects: [tooLong.object_label] });
}

/**
 * A process of before 1.2.0 would take an object that is sold whole for a standing area. To be
 * called first in the transaction that stores such places.
 * @throws Refusal older_process_runs
 */
export async function keepOutOlder(
  ctx: Ctx,
  trx: Trx,
  places: readonly Pick<PlaceRow, 'in_whole'>[],
): Promise<void> {
  if (places.some(({ in_whole }) => in_whole === 1)) await raiseFloor(ctx, trx, '1.2.0');
}

/** New places of an event: a restored house may have had them before, and may have sold them. */
export async function withLost(trx: Trx, places: readonly NewPlace[]): Promise<NewPlace[]> {
  if ((await readRestored(trx)) === null) return [...places];
  const lost_revisions = spellLost([[1, mostLost]]);
  return places.map((place) => ({ ...place, skipped_to: mostLost, lost_revisions }));
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
  const wanted = placesForBook(ctx, event, objects);
  const labels = [...new Set(wanted.map((place) => place.object_label))];
  const added = await transact(ctx.db, async (trx) => {
    await keepOutOlder(ctx, trx, wanted).catch((error: unknown) => {
      throw new Refusal('object_unknown', { objects: labels }, error);
    });
    // Locks the event's row: another call that adds the same places waits and then finds them.
    const { feed_seq } = await takeDoorTurn(trx, { act: 'places_added', event_id: event.id });
    // The office has chosen another chart meanwhile, or other terms, which lack these places.
    const now = await findEvent(trx, event.id);
    if (now?.seatsio_event_key !== event.seatsio_event_key || now.whole_terms !== event.whole_terms)
      return 0;
    const listed = new Set(await listedPlaces(trx, event.id, labels));
    const missing = wanted.filter((place) => !listed.has(place.place));
    if (missing.length === 0) return 0;
    await takeDoorTurn(trx, { act: 'places_added', event_id: event.id, count: missing.length });
    await insertPlaces(trx, await withLost(trx, missing), feed_seq + 1);
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
  /** A standing place is chosen; any other line gets the place that it names. */
  standing: boolean;
  place: string;
}

/**
 * Chooses a place for each line: for a standing area its first free places, if possible those that
 * the lines name. A taken seat is refused later, by the unique index.
 * @throws Refusal seats_taken naming an area that is full
 */
export async function choosePlaces(
  trx: Trx,
  event_id: string,
  lines: readonly LineWish[],
): Promise<string[]> {
  const free = new Map<string, Set<string>>();
  for (const [label, standing] of Map.groupBy(
    lines.filter((line) => line.standing),
    (line) => line.object_label,
  )) {
    const count = standing.length;
    const wanted = standing.map(({ place }) => place);
    const places = await freePlacesOfArea(trx, event_id, label, { count, wanted });
    if (places.length < count) throw new Refusal('seats_taken', { objects: [label] });
    free.set(label, new Set(places.map(({ place }) => place)));
  }
  const taken = new Set(lines.map(({ place }) => place));
  return lines.map(({ standing, object_label, place: wanted }) => {
    if (!standing) return wanted;
    const places = requireValue(free.get(object_label), 'area');
    const place = places.has(wanted) ? wanted : [...places].find((one) => !taken.has(one));
    places.delete(requireValue(place, 'place'));
    return requireValue(place, 'place');
  });
}

/**
 * Gives an ended order places again: its own seats, and free places of its standing areas, if
 * possible its own.
 * @throws Refusal seats_taken for a full area or an object sold whole of which another order has a
 * place; a taken seat throws the unique index's error
 */
export async function retakePlaces(trx: Trx, order: OrderRow): Promise<void> {
  // All calls that issue tickets lock the event's row before any place, to avoid deadlocks.
  await takeDoorTurn(trx, { act: 'order_confirmed', event_id: order.event_id });
  const lines = await linesOf(trx, order.id);
  const own = lines.filter(({ whole_size }) => whole_size > 0).map(({ place }) => place);
  const objects = [
    ...(await soldObjects(trx, order.event_id, placesOfWholes(lines))),
    ...(await objectsGone(trx, order.event_id, own)),
  ];
  if (objects.length > 0) throw new Refusal('seats_taken', { objects });
  const places = await choosePlaces(
    trx,
    order.event_id,
    lines.map((line) => ({ ...line, standing: isStanding(line) })),
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
