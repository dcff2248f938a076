/**
 * The places of an event in SQL: every seat, and every one of the N places of a standing area.
 */
import { requireValue } from '#server/domain/require-value.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { hasPlace, ticketsOfLines } from '#db/joins.ts';
import type { OrderLineRow, OrderRow, PlaceRow, TicketRow } from '#db/rows.ts';
import { insertMany, marksFor, selectRows } from '#db/engine/statements.ts';
import type { EndedWhy } from '#server/domain/door/ended-code.ts';
import { endCodes } from './ended-codes.ts';
import { newestOut } from './lost-revisions.ts';

/**
 * Inserts places; each gets its own number in the door's sequence from `first` on, so that phones
 * can download a large hall page by page.
 */
export async function insertPlaces(
  trx: Trx,
  places: readonly Omit<PlaceRow, 'feed_seq'>[],
  first = 1,
): Promise<void> {
  const rows = places.map((place, index) => ({ ...place, feed_seq: first + index }));
  await insertMany(trx, 'places', rows);
}

/** The categories of the event's places. */
export async function categoriesOf(
  db: Db,
  event_id: string,
): Promise<Pick<PlaceRow, 'category' | 'category_key'>[]> {
  return db<PlaceRow>('places')
    .where({ event_id, in_hall: 1 })
    .distinct('category', 'category_key');
}

export interface HallTraits {
  restricted_view: 0 | 1;
  accessible: 0 | 1;
  companion: 0 | 1;
  standing: 0 | 1;
  whole: 0 | 1;
}

/** Tells for each flag whether any place of the event has it; null if there are no places. */
export async function hallTraits(db: Db, event_id: string): Promise<HallTraits | null> {
  const [hall] = await selectRows<HallTraits>(
    db,
    `SELECT MAX(restricted_view) AS restricted_view, MAX(accessible) AS accessible, MAX(companion) AS companion,
      MAX(CASE WHEN kind = 'area' AND in_whole = 0 THEN 1 ELSE 0 END) AS standing,
      MAX(in_whole) AS whole
    FROM places WHERE event_id = ? AND in_hall = 1 HAVING COUNT(*) > 0`,
    [event_id],
  );
  return hall ?? null;
}

/**
 * Deletes an event's places for another chart; foreign keys refuse this once a place was sold.
 */
export async function deletePlaces(trx: Trx, event_id: string): Promise<void> {
  await trx<PlaceRow>('places').where({ event_id }).delete();
}

/** The names of these objects' places. */
export async function listedPlaces(
  db: Db,
  event_id: string,
  labels: readonly string[],
): Promise<string[]> {
  return db<PlaceRow>('places')
    .where({ event_id })
    .whereIn('object_label', labels as string[])
    .pluck('place');
}

/**
 * The first free places of a standing area, those of `wanted` before others and those that were
 * let go last, because their guests may still come. Locking the area's first row gives
 * simultaneous buyers different places (SQLite has one writer anyway).
 */
export async function freePlacesOfArea(
  trx: Trx,
  event_id: string,
  object_label: string,
  { count, wanted = [] }: { count: number; wanted?: readonly string[] },
): Promise<PlaceRow[]> {
  await trx<PlaceRow>('places')
    .where({ event_id, object_label, position: 1 })
    .forUpdate()
    .first('place');
  return trx<PlaceRow>('places')
    .where({ event_id, object_label, in_hall: 1 })
    .whereNotExists(
      trx('order_lines')
        .select(trx.raw('1'))
        .whereRaw('order_lines.event_id = places.event_id AND order_lines.place = places.place')
        .whereRaw(hasPlace('order_lines')),
    )
    .modify((query) => {
      if (wanted.length > 0)
        query.orderByRaw(`CASE WHEN place IN (${marksFor(wanted)}) THEN 0 ELSE 1 END`, [...wanted]);
    })
    .orderByRaw(
      `CASE WHEN place IN (SELECT place FROM tickets WHERE event_id = ? AND state = 'valid' AND let_go_at IS NOT NULL) THEN 1 ELSE 0 END`,
      [event_id],
    )
    .orderBy('position')
    .limit(count);
}

interface Issuing {
  feed_seq: number;
  /** Why the codes that these places had before end now. */ why: EndedWhy;
  now: number;
}

/**
 * Issues one more revision on each of these places, with the door's number, and writes down why
 * their codes end; call it while their tickets still have those codes. Returns the new revisions by
 * place.
 */
export async function issueRevisions(
  trx: Trx,
  event_id: string,
  { places, feed_seq, why, now }: Issuing & { places: readonly string[] },
): Promise<Map<string, number>> {
  const rows = await selectRows<Pick<PlaceRow, 'place' | 'issued'>>(
    trx,
    `UPDATE places SET feed_seq = ?, issued = ${newestOut} + 1 WHERE event_id = ? AND place IN (${marksFor(places)}) RETURNING place, issued`,
    [feed_seq, event_id, ...places],
  );
  // The first ticket of a place ends none.
  const known = rows.flatMap(({ place, issued }) => (issued > 1 ? [place] : []));
  if (known.length > 0) await endCodes(trx, event_id, { places: known, why, now, feed_seq });
  return new Map(rows.map(({ place, issued }) => [place, issued]));
}

/** Issues the next revision of one place. */
export async function issueRevision(
  trx: Trx,
  event_id: string,
  place: string,
  issuing: Issuing,
): Promise<number> {
  const issued = await issueRevisions(trx, event_id, { ...issuing, places: [place] });
  return requireValue(issued.get(place), `place ${place}`);
}

/** Gives the door's number to places whose tickets have changed. */
export async function touchPlaces(
  trx: Trx,
  event_id: string,
  { places, feed_seq }: { places: readonly string[]; feed_seq: number },
): Promise<void> {
  await trx<PlaceRow>('places')
    .where({ event_id })
    .whereIn('place', places as string[])
    .update({ feed_seq });
}

/** Places on which a ticket was ever issued, or may have been, with their number of codes. */
export async function listIssued(
  db: Db,
  event_id: string,
): Promise<
  (Pick<PlaceRow, 'place' | 'issued' | 'earlier_codes' | 'lost_revisions'> & { out: number })[]
> {
  return db<PlaceRow>('places')
    .where({ event_id })
    .whereRaw(`${newestOut} > 0`)
    .select('place', 'issued', 'earlier_codes', 'lost_revisions', db.raw(`${newestOut} AS out`));
}

export interface KnownPlace {
  /** The seat, or the object that is sold whole. */ place: string;
  section: string | null;
  /** Null for a standing area. */ row: string | null;
  /** The live order that has the place, or null. */ order_id: string | null;
  /** The contingent that keeps the place, or null. */ contingent_id: string | null;
}

/**
 * These are subqueries for each place, because with a join PostgreSQL reads all sold places of an
 * event that it has not analysed yet.
 */
const knownQuery = (labels: readonly string[]) => `SELECT object_label AS place, section, row,
      CASE WHEN in_whole = 0 THEN (SELECT order_id FROM order_lines AS line
        WHERE line.event_id = places.event_id AND line.place = places.place AND ${hasPlace('line')})
      ELSE (SELECT order_id FROM order_lines AS line JOIN places AS beside ON beside.event_id = line.event_id AND beside.place = line.place
        WHERE beside.event_id = places.event_id AND beside.object_label = places.object_label AND ${hasPlace('line')} LIMIT 1) END AS order_id,
      (SELECT kept.contingent_id FROM contingent_places AS kept JOIN contingents ON contingents.id = kept.contingent_id
        WHERE kept.event_id = places.event_id AND kept.kept_place = places.place AND contingents.state = 'live') AS contingent_id
    FROM places WHERE event_id = ? AND place IN (${marksFor(labels)}) AND (kind <> 'area' OR in_whole = 1)`;

/**
 * The row, the order and the contingent of each of these seats, and of the objects sold whole of
 * which `labels` names a place. Standing areas are left out.
 */
export async function knownPlaces(
  db: Db,
  event_id: string,
  labels: readonly string[],
): Promise<KnownPlace[]> {
  if (labels.length === 0) return [];
  return selectRows(db, knownQuery(labels), [event_id, ...labels]);
}

/**
 * Separates labels, which have only one line. The seat map would not know the parts of a label
 * with two, and a booking would then read the whole chart.
 */
const between = '\n';

/** The same facts with all places of these seats' rows in one query, to find neighbours. */
export async function placesAround(
  db: Db,
  event_id: string,
  labels: readonly string[],
): Promise<{ known: KnownPlace[]; mates: string[] }> {
  if (labels.length === 0) return { known: [], mates: [] };
  // Each row is a query of its own, because in both databases a join may read all places of the
  // event.
  const matesWhere = (section: string) =>
    `(SELECT string_agg(mate.place, '${between}') FROM places AS mate
      WHERE mate.event_id = ? AND mate.in_hall = 1 AND mate.in_whole = 0 AND mate.row = theirs.row AND mate.section ${section})`;
  const rows = await selectRows<KnownPlace & { mates: string | null }>(
    db,
    `WITH chosen AS MATERIALIZED (${knownQuery(labels)})
    SELECT place, section, row, order_id, contingent_id, NULL AS mates FROM chosen
    UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, COALESCE(${matesWhere('= theirs.section')}, ${matesWhere('IS NULL')}, '')
      FROM (SELECT DISTINCT section, row FROM chosen WHERE row IS NOT NULL) AS theirs`,
    [event_id, ...labels, event_id, event_id],
  );
  return {
    known: rows.filter(({ mates }) => mates === null),
    mates: rows.flatMap(({ mates }) => (mates ? mates.split(between) : [])),
  };
}

export async function placesOf(
  db: Db,
  event_id: string,
  places: readonly string[],
): Promise<PlaceRow[]> {
  return db<PlaceRow>('places')
    .where({ event_id })
    .whereIn('place', places as string[]);
}

/** The first place of each of these objects of the seat map. */
export async function objectsOf(
  db: Db,
  event_id: string,
  labels: readonly string[],
): Promise<PlaceRow[]> {
  return db<PlaceRow>('places')
    .where({ event_id, in_hall: 1, position: 1 })
    .whereIn('object_label', labels as string[]);
}

/** The places that a live order has. */
export async function placesInUse(db: Db, event_id: string): Promise<PlaceRow[]> {
  return db<PlaceRow>('places')
    .where({ event_id })
    .whereIn(
      'place',
      db<OrderLineRow>('order_lines')
        .where({ event_id })
        .whereRaw(hasPlace('order_lines'))
        .select('place'),
    );
}

export type HallPlace = Pick<
  PlaceRow,
  | 'place'
  | 'object_label'
  | 'kind'
  | 'category'
  | 'section'
  | 'row'
  | 'seat'
  | 'position'
  | 'accessible'
  | 'companion'
  | 'in_whole'
>;

/** Every place of an event's hall, unordered. */
export async function listHall(db: Db, event_id: string): Promise<HallPlace[]> {
  return db<PlaceRow>('places')
    .where({ event_id, in_hall: 1 })
    .select(
      'place',
      'object_label',
      'kind',
      'category',
      'section',
      'row',
      'seat',
      'position',
      'accessible',
      'companion',
      'in_whole',
    );
}

/** A place that a live order has, with its ticket if there is one. */
export interface TakenPlace
  extends
    Pick<OrderLineRow, 'place' | 'object_label' | 'order_id' | 'type_label' | 'price_cents'>,
    Pick<OrderRow, 'buyer_name' | 'pay_by'> {
  order_number: string;
  order_state: OrderRow['state'];
  ticket_id: string | null;
  ticket_state: TicketRow['state'] | null;
  holder: string | null;
}

export async function listTaken(db: Db, event_id: string): Promise<TakenPlace[]> {
  return db('order_lines')
    .where('order_lines.event_id', event_id)
    .whereRaw(hasPlace('order_lines'))
    .join('orders', 'orders.id', 'order_lines.order_id')
    .leftJoin('tickets', ticketsOfLines)
    .select(
      'order_lines.place',
      'order_lines.object_label',
      'order_lines.order_id',
      'order_lines.type_label',
      'order_lines.price_cents',
      'orders.number as order_number',
      'orders.state as order_state',
      'orders.buyer_name',
      'orders.pay_by',
      'tickets.id as ticket_id',
      'tickets.state as ticket_state',
      'tickets.holder',
    );
}
