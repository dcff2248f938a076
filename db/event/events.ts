/** Events in SQL, and the sequence of numbers by which the door's phones learn of changes. */
import { requireValue } from '#server/domain/require-value.ts';
import type { Knex } from 'knex';
import { isPostgres, type Db, type Trx } from '#db/engine/dialect.ts';
import { lowestFirst, type Page } from '#db/engine/page.ts';
import { countFreePlaces } from '#db/seat/places-left.ts';
import type { EventRow } from '#db/rows.ts';
import { readFirst, countRows, selectRows, type Statement } from '#db/engine/statements.ts';

export async function findEvent(db: Db, id: string): Promise<EventRow | undefined> {
  const [event] = await selectRows<EventRow>(db, 'SELECT * FROM events WHERE id = ?', [id]);
  return event;
}

export async function findEventAt(
  db: Db,
  seatsio_event_key: string,
): Promise<EventRow | undefined> {
  return db<EventRow>('events').where({ seatsio_event_key }).first();
}

/**
 * Finds the event of an id that another row refers to.
 * @throws Error where there is none
 */
export async function requireEventRow(db: Db, id: string): Promise<EventRow> {
  return requireValue(await findEvent(db, id), `event ${id}`);
}

/** All events except rehearsals. */
export async function listEvents(db: Db): Promise<EventRow[]> {
  return db<EventRow>('events')
    .where({ rehearsal: 0 })
    .orderBy([{ column: 'starts_at' }, { column: 'id' }]);
}

/** The newest other event with this chart that says where it is. */
export async function lastEventOn(
  db: Db,
  chart_key: string,
  but: string,
): Promise<EventRow | undefined> {
  return db<EventRow>('events')
    .where({ chart_key, rehearsal: 0 })
    .whereNot({ id: but })
    .whereNot({ venue_title: '' })
    .orderBy([
      { column: 'starts_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .first();
}

/** The dates of the demo, its rehearsals included. */
export async function listDemo(db: Db): Promise<EventRow[]> {
  return db<EventRow>('events').where({ demo: 1 }).orderBy(['starts_at', 'id']);
}

/** Makes these dates of the demo the house's own. */
export async function unmarkDemo(db: Db, ids: readonly string[]): Promise<void> {
  await db<EventRow>('events')
    .whereIn('id', ids as string[])
    .update({ demo: 0 });
}

/** A time later than any start. */
const far = 4e14;

/**
 * Pages of events without rehearsals: events after `over_before` come first, the soonest at the
 * top, then earlier ones, the latest first. `listed_at` is the sort key.
 */
export async function pageOfEvents(
  db: Db,
  over_before: number,
  page: Page,
): Promise<(EventRow & { listed_at: number })[]> {
  const at = db.raw(
    `CASE WHEN events.starts_at >= ${Math.trunc(over_before)} THEN events.starts_at ELSE ${far} - events.starts_at END`,
  );
  const query = db('events')
    .where({ rehearsal: 0 })
    .select('events.*', db.raw('(?) as listed_at', [at]));
  lowestFirst(query, { at, id: 'events.id' }, page);
  return query;
}

/**
 * Leaves out rows of rehearsals; `event_id` is the column that names the event. With NOT IN
 * PostgreSQL would overestimate the cost of each row and read whole tables.
 */
export function withoutRehearsals<Query extends Knex.QueryBuilder>(
  db: Db,
  query: Query,
  event_id: string,
): Query {
  const rehearsals = db('events as rehearsals')
    .select(db.raw('1'))
    .whereRaw('rehearsals.id = ?? AND rehearsals.rehearsal = 1', [event_id]);
  query.whereNotExists(rehearsals);
  return query;
}

interface EventOnChart extends Pick<EventRow, 'id' | 'title' | 'starts_at' | 'status'> {
  chart_key: string;
}

/** Events on these charts without rehearsals, the soonest first. */
export async function eventsOnCharts(
  db: Db,
  keys: readonly string[],
  { starts_after }: { starts_after: number },
): Promise<EventOnChart[]> {
  return db('events')
    .where({ rehearsal: 0 })
    .where('starts_at', '>=', starts_after)
    .whereIn('chart_key', keys as string[])
    .orderBy([{ column: 'starts_at' }, { column: 'id' }])
    .limit(2_000)
    .select('id', 'title', 'starts_at', 'status', 'chart_key');
}

/** All events on the chart, including rehearsals. */
export function eveningsOnChart(
  db: Db,
  chart_key: string,
): Promise<Pick<EventRow, 'seatsio_event_key' | 'starts_at'>[]> {
  return db<EventRow>('events').where({ chart_key }).select('seatsio_event_key', 'starts_at');
}

export async function countOnCharts(db: Db, keys: readonly string[]): Promise<Map<string, number>> {
  const rows: { chart_key: string; events: number | string }[] = await db('events')
    .where({ rehearsal: 0 })
    .whereIn('chart_key', keys as string[])
    .groupBy('chart_key')
    .select('chart_key')
    .count({ events: '*' });
  return new Map(rows.map(({ chart_key, events }) => [chart_key, Number(events)]));
}

/** The ids of all events, including rehearsals. */
export async function listEventIds(db: Db): Promise<string[]> {
  return db<EventRow>('events').pluck('id');
}

export async function countEvents(db: Db): Promise<number> {
  return countRows(db('events'));
}

export async function insertEvent(trx: Trx, event: EventRow): Promise<void> {
  await trx<EventRow>('events').insert(event);
}

/** Increments the version, so that an open form of the office can notice that it is outdated. */
export async function updateEvent(trx: Trx, id: string, changes: Partial<EventRow>): Promise<void> {
  await trx<EventRow>('events')
    .where({ id })
    .update({ ...changes, version: trx.raw('version + 1') } as object);
}

/** It is not in the form, so an open form of the office stays as good as it was. */
export async function setLicensed(db: Db, id: string, licensed: number | null): Promise<void> {
  await db<EventRow>('events').where({ id }).update({ licensed });
}

/** It is not in the form either. */
export async function setPhaseTurns(
  trx: Trx,
  id: string,
  phase_turns: string | null,
): Promise<void> {
  await trx<EventRow>('events').where({ id }).update({ phase_turns });
}

/**
 * Takes the next `count` numbers of an event's door sequence and returns the last one. The row
 * stays locked until the transaction ends, so that no later number becomes visible first.
 */
export async function nextAtDoor(
  trx: Trx,
  event_id: string,
  count = 1,
): Promise<Pick<EventRow, 'feed_seq' | 'reentry' | 'free_until_minutes'>> {
  const [event] = await selectRows<Pick<EventRow, 'feed_seq' | 'reentry' | 'free_until_minutes'>>(
    trx,
    'UPDATE events SET feed_seq = feed_seq + ? WHERE id = ? RETURNING feed_seq, reentry, free_until_minutes',
    [count, event_id],
  );
  return requireValue(event, 'event of this id');
}

interface EventCounts {
  event_id: string;
  places: number;
  free: number;
  sold: number;
  inside: number;
}

/** Counts places, free places, valid tickets and guests inside, per event. */
export async function countByEvent(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, EventCounts>> {
  const counts = new Map<string, EventCounts>(
    ids.map((event_id) => [event_id, { event_id, places: 0, free: 0, sold: 0, inside: 0 }]),
  );
  const put = (
    rows: { event_id: string; n: number }[],
    into: Exclude<keyof EventCounts, 'event_id'>,
  ) => {
    for (const row of rows) {
      const entry = counts.get(row.event_id);
      if (entry) entry[into] += row.n;
    }
  };
  const grouped = (query: Knex.QueryBuilder): Promise<{ event_id: string; n: number }[]> =>
    query
      .whereIn('event_id', ids as string[])
      .select('event_id')
      .count({ n: '*' })
      .groupBy('event_id');
  for (const { event_id, places, free } of await countFreePlaces(db, ids)) {
    put([{ event_id, n: places }], 'places');
    put([{ event_id, n: free }], 'free');
  }
  put(await grouped(db('tickets').where({ state: 'valid' })), 'sold');
  // The last scan of each code decides: a guest scanned out twice has left once, and each place
  // counts one guest.
  const guests = db('admissions')
    .whereIn('event_id', ids as string[])
    .where({ counts: 1 })
    .whereNull('annulled_by')
    // A ticket that was admitted on another place before it moved is counted there.
    .whereRaw(
      'NOT EXISTS (SELECT 1 FROM admissions o WHERE o.id = admissions.conflict_with AND o.place <> admissions.place)',
    )
    .groupBy('event_id', 'place', 'revision')
    .select('event_id', 'place')
    .havingRaw(
      "max(case when direction = 'in' then corrected_at end) > coalesce(max(case when direction = 'out' then corrected_at end), -1)",
    )
    .as('guests');
  put(
    await db.from(guests).select('event_id').countDistinct({ n: 'place' }).groupBy('event_id'),
    'inside',
  );
  return counts;
}

/** Counts valid tickets by event; an event without any has no entry. */
export async function countTickets(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db('tickets')
    .where({ state: 'valid' })
    .whereIn('event_id', ids as string[])
    .select('event_id')
    .count<{ event_id: string; n: number }[]>({ n: '*' })
    .groupBy('event_id');
  return new Map(rows.map((row) => [row.event_id, row.n]));
}

/** Published events from this time on, the soonest first. */
export async function eventsForSale(
  db: Db,
  { starts_after, limit }: { starts_after: number; limit: number },
): Promise<EventRow[]> {
  return db<EventRow>('events')
    .where({ status: 'published', rehearsal: 0 })
    .where('starts_at', '>', starts_after)
    .orderBy(['starts_at', 'id'])
    .limit(limit);
}

/** Locks the event against saving, selling and issuing tickets, until the transaction ends. */
export async function lockEvent(trx: Trx, id: string): Promise<EventRow | undefined> {
  return trx<EventRow>('events').where({ id }).forUpdate().first();
}

/** What decides which places an event has; a booking was planned by it. */
type SoldSo = Pick<EventRow, 'id' | 'seatsio_event_key' | 'whole_terms'>;

/**
 * A statement that returns a row while the event is on sale in that hall by these terms and `also`
 * is true. No transaction can change the first until ours ends, because changes call lockEvent().
 */
export function onSale(
  db: Db,
  { id, seatsio_event_key, whole_terms }: SoldSo,
  also: Statement | null = null,
): Statement {
  const lock = isPostgres(db) ? ' FOR KEY SHARE' : '';
  const more = also === null ? '' : ` AND ${also.sql}`;
  return {
    sql: `SELECT id FROM events WHERE id = ? AND seatsio_event_key = ? AND whole_terms IS NOT DISTINCT FROM ? AND status = 'published' AND sale_paused = 0${more}${lock}`,
    bindings: [id, seatsio_event_key, whole_terms, ...(also?.bindings ?? [])],
  };
}

/** The same inside a transaction: true if the event is on sale and `also` is true. */
export async function isOnSale(
  trx: Knex.Transaction,
  event: SoldSo,
  also: Statement | null = null,
): Promise<boolean> {
  const { sql, bindings } = onSale(trx, event, also);
  return (await selectRows(trx, sql, bindings)).length > 0;
}

/** Returns false if the event was saved since that version. */
export async function saveEvent(
  trx: Trx,
  { id, version }: Pick<EventRow, 'id' | 'version'>,
  changes: Partial<EventRow>,
): Promise<boolean> {
  return (
    (await trx<EventRow>('events')
      .where({ id, version })
      .update({ ...changes, version: version + 1 })) === 1
  );
}

/** Counts the event's orders of any state, and those with valid tickets. */
export async function countOrders(
  db: Db,
  event_id: string,
): Promise<{ orders: number; buyers: number }> {
  const holding = await readFirst<{ n: number }>(
    db('tickets').where({ event_id, state: 'valid' }).countDistinct({ n: 'order_id' }),
  );
  return { orders: await countRows(db('orders').where({ event_id })), buyers: holding.n };
}

/** True if somebody has begun an order after that moment that has not ended. */
export async function hasOrdersSince(db: Db, event_id: string, at: number): Promise<boolean> {
  const orders = db('orders').where({ event_id }).where('created_at', '>', at);
  return (await orders.whereNot({ state: 'deleted' }).first('id')) !== undefined;
}

/** Orders with valid tickets, ordered by id. */
export async function ordersWithTickets(
  db: Db,
  event_id: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  return db('tickets')
    .where({ event_id, state: 'valid' })
    .where('order_id', '>', after)
    .distinct('order_id')
    .orderBy('order_id')
    .limit(limit)
    .pluck('order_id');
}

/**
 * True if another event has the key at the seat map, or if a deleted event's key is not released
 * yet.
 */
export async function isSeatKeyTaken(
  db: Db,
  seatsio_event_key: string,
  own_id: string,
): Promise<boolean> {
  const going = await db('outbox')
    .where({ task: 'drop_hall', subject: seatsio_event_key })
    .first('id');
  return going !== undefined || (await hasSeatKey(db, seatsio_event_key, own_id));
}

/** True if another event has the key or is moving to it. */
export async function hasSeatKey(
  db: Db,
  seatsio_event_key: string,
  own_id: string,
): Promise<boolean> {
  const other = await db<EventRow>('events')
    .where({ seatsio_event_key })
    .whereNot({ id: own_id })
    .first('id');
  const coming = await db('rehousings')
    .where({ seatsio_event_key })
    .whereNot({ event_id: own_id })
    .whereNotIn('state', ['done', 'dropped'])
    .first('id');
  return other !== undefined || coming !== undefined;
}

/**
 * Deletes an event with its places. The database refuses while orders, scans or other rows refer
 * to it.
 */
export async function deleteEvent(trx: Trx, id: string): Promise<void> {
  for (const table of ['phone_events', 'places', 'kept_figures'])
    await trx(table).where({ event_id: id }).delete();
  await trx<EventRow>('events').where({ id }).delete();
}

/** The event whose tickets carry this tag. */
export async function findEventByTag(db: Db, code_tag: string): Promise<EventRow | undefined> {
  return db<EventRow>('events').where({ code_tag }).first();
}

/** Starts the list of every event again, so that phones download all of it. */
export async function renewFeeds(db: Db, newEpoch: () => string): Promise<void> {
  for (const id of await db<EventRow>('events').pluck('id'))
    await db<EventRow>('events').where({ id }).update({ feed_epoch: newEpoch() });
}
