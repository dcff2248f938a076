/** Moves of events to another hall, in SQL: the plan, its lines, and the changes of the run. */
import { requireValue } from '#server/domain/require-value.ts';
import { hasPlace } from '#db/joins.ts';
import type { RehousingState } from '#server/domain/seat/rehousing.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type {
  LineKey,
  OrderLineRow,
  OrderRow,
  PlaceRow,
  RehousedLineRow,
  RehousingRow,
  TicketRow,
} from '#db/rows.ts';
import { newestOut } from '#db/seat/lost-revisions.ts';
import { insertMany, updateMany } from '#db/engine/statements.ts';

const hasMoved: readonly RehousingState[] = ['moved', 'done'];
const ended: readonly RehousingState[] = ['done', 'dropped'];

export async function insertRehousing(trx: Trx, row: RehousingRow): Promise<void> {
  await trx<RehousingRow>('rehousings').insert(row);
}

export async function findRehousing(db: Db, id: string): Promise<RehousingRow | undefined> {
  return db<RehousingRow>('rehousings').where({ id }).first();
}

/** The event's move that is being prepared or carried out. */
export async function openRehousing(db: Db, event_id: string): Promise<RehousingRow | undefined> {
  return db<RehousingRow>('rehousings').where({ event_id }).whereNotIn('state', ended).first();
}

/** The newest move that was carried out. */
export async function lastRehousing(db: Db, event_id: string): Promise<RehousingRow | undefined> {
  return db<RehousingRow>('rehousings')
    .where({ event_id, state: 'done' })
    .orderBy('done_at', 'desc')
    .first();
}

interface RehousedTicket {
  move_id: string;
  order_id: string;
  number: string;
  buyer_name: string | null;
  difference_cents: number;
  from_place: string;
  to_place: string;
}

/**
 * The moved tickets, ordered by order. No other ticket moves between the last moment to cancel
 * and the end.
 */
export async function rehousedTickets(
  db: Db,
  { event_id, ...span }: Pick<RehousingRow, 'event_id' | 'commit_at' | 'done_at'>,
): Promise<RehousedTicket[]> {
  return db('moved_tickets')
    .join('moves', 'moves.id', 'moved_tickets.move_id')
    .join('orders', 'orders.id', 'moves.order_id')
    .where('moves.event_id', event_id)
    .whereBetween('moves.moved_at', runOf(span))
    .orderBy(['orders.number', 'moved_tickets.position'])
    .select(
      'moved_tickets.move_id',
      'moves.order_id',
      'orders.number',
      'orders.buyer_name',
      'moves.difference_cents',
      'moved_tickets.from_place',
      'moved_tickets.to_place',
    );
}

/** The time of a finished run, from the last moment to cancel to the end. */
function runOf({
  commit_at,
  done_at,
}: Pick<RehousingRow, 'commit_at' | 'done_at'>): [number, number] {
  return [requireValue(commit_at, 'start of the run'), requireValue(done_at, 'end of the run')];
}

/** The states of the mails to the buyers about these moves; `question`: it is in those mails. */
export async function mailStatesOf(
  db: Db,
  { event_id, ...span }: Pick<RehousingRow, 'event_id' | 'commit_at' | 'done_at'>,
  question: string | null,
): Promise<string[]> {
  if (question !== null)
    return db('mails').where({ kind: 'event_postponed', key: question }).pluck('state');
  return db('mails')
    .join('moves', 'moves.id', 'mails.key')
    .where({ 'mails.kind': 'seats_changed', 'moves.event_id': event_id })
    .whereBetween('moves.moved_at', runOf(span))
    .pluck('mails.state');
}

/** Returns false if another process was faster. */
export async function turnRehousing(
  trx: Trx,
  { id, state, version }: Pick<RehousingRow, 'id' | 'state' | 'version'>,
  changes: Partial<RehousingRow>,
): Promise<boolean> {
  return (
    (await trx<RehousingRow>('rehousings')
      .where({ id, state, version })
      .update({ ...changes, version: version + 1 })) === 1
  );
}

/**
 * The lines of the plan. Before the move only lines are returned whose tickets are still on their
 * planned places, because the others are planned again.
 */
export async function rehousedLines(
  db: Db,
  { id, state }: Pick<RehousingRow, 'id' | 'state'>,
): Promise<RehousedLineRow[]> {
  const lines = db<RehousedLineRow>('rehoused_lines as x')
    .where({ rehousing_id: id })
    .orderBy('line_id')
    .select('x.*');
  if (hasMoved.includes(state)) return lines;
  return lines.join('order_lines as l', {
    'l.order_id': 'x.order_id',
    'l.id': 'x.line_id',
    'l.object_label': 'x.from_object',
  });
}

export async function replaceRehousedLines(
  trx: Trx,
  rehousing_id: string,
  rows: readonly RehousedLineRow[],
): Promise<void> {
  await trx<RehousedLineRow>('rehoused_lines').where({ rehousing_id }).delete();
  await insertMany(trx, 'rehoused_lines', rows);
}

/** Notes that these places in the new hall are booked. */
export async function noteTaken(
  db: Db,
  rehousing_id: string,
  line_ids: readonly string[],
): Promise<void> {
  await db<RehousedLineRow>('rehoused_lines')
    .where({ rehousing_id })
    .whereIn('line_id', line_ids as string[])
    .update({ taken: 1 });
}

/** A line of a live order, with its place and its ticket. */
export interface HousedLine
  extends
    Pick<
      OrderLineRow,
      | 'id'
      | 'order_id'
      | 'place'
      | 'object_label'
      | 'whole_size'
      | 'category'
      | 'ticket_type'
      | 'booked_type'
      | 'type_label'
      | 'price_id'
      | 'price_cents'
      | 'list_cents'
    >,
    Pick<
      PlaceRow,
      'kind' | 'section' | 'row' | 'seat' | 'position' | 'category_key' | 'accessible' | 'companion'
    >,
    Pick<OrderRow, 'part_of' | 'buyer_name' | 'buyer_email' | 'state' | 'paid_by' | 'created_at'> {
  number: string;
  ticket_id: string | null;
  ticket_revision: number | null;
}

/**
 * Lines to move. A confirmed order's line without a valid ticket is left out, because no guest
 * needs its place.
 */
export async function linesToRehouse(db: Db, event_id: string): Promise<HousedLine[]> {
  return db('order_lines as l')
    .where({ 'l.event_id': event_id })
    .whereRaw(hasPlace('l'))
    .join('orders as o', 'o.id', 'l.order_id')
    .join('places as p', { 'p.event_id': 'l.event_id', 'p.place': 'l.place' })
    .leftJoin('tickets as t', (on) =>
      on.on('t.order_id', 'l.order_id').on('t.place', 'l.place').on('t.state', db.raw("'valid'")),
    )
    .where((at) => at.whereNot({ 'o.state': 'confirmed' }).orWhereNotNull('t.id'))
    .orderBy(['l.order_id', 'l.position', 'l.id'])
    .select(
      'l.id',
      'l.order_id',
      'l.place',
      'l.object_label',
      'l.whole_size',
      'l.category',
      'l.ticket_type',
      'l.booked_type',
      'l.type_label',
      'l.price_id',
      'l.price_cents',
      'l.list_cents',
      'p.kind',
      'p.section',
      'p.row',
      'p.seat',
      'p.position',
      'p.category_key',
      'p.accessible',
      'p.companion',
      'o.part_of',
      'o.buyer_name',
      'o.buyer_email',
      'o.state',
      'o.paid_by',
      'o.created_at',
      'o.number',
      't.id as ticket_id',
      't.revision as ticket_revision',
    );
}

/** All lines that hold a place, even if the ticket has ended. */
export async function takenLines(
  db: Db,
  event_id: string,
): Promise<(LineKey & Pick<OrderLineRow, 'object_label'>)[]> {
  return db<OrderLineRow>('order_lines')
    .where({ event_id })
    .whereRaw(hasPlace('order_lines'))
    .select(...lineKey, 'object_label');
}

const lineKey = ['order_id', 'id'] as const satisfies (keyof LineKey)[];

/**
 * Releases the lines whose ticket has ended, because their places do not exist in the next hall.
 */
export async function releaseEnded(trx: Trx, event_id: string, at: number): Promise<void> {
  const kept = new Set((await linesToRehouse(trx, event_id)).map(({ id }) => id));
  const ended = (await takenLines(trx, event_id)).filter(({ id }) => !kept.has(id));
  const rows = ended.map(({ order_id, id }) => ({ order_id, id, released_at: at }));
  await updateMany(trx, { table: 'order_lines', rows }, lineKey);
  await trx<OrderLineRow>('order_lines')
    .where({ event_id })
    .whereNotNull('released_at')
    .update({ left_hall: 1 });
}

/** The places of ended tickets, whose names stay in use. */
export async function endedPlacesOf(
  db: Db,
  event_id: string,
): Promise<Pick<TicketRow, 'order_id' | 'place'>[]> {
  return db<TicketRow>('tickets')
    .where({ event_id })
    .whereNot({ state: 'valid' })
    .select('order_id', 'place');
}

/** Counts orders that are leased or being booked, and unfinished moves. */
export async function countBusyOrders(db: Db, event_id: string, now: number): Promise<number> {
  const rows = await db<OrderRow>('orders')
    .where({ event_id })
    .where((at) => at.where({ state: 'booking' }).orWhere('lease_until', '>', now))
    .select('id');
  const moving = await db('moves')
    .where({ event_id })
    .whereIn('state', ['taking', 'moved'])
    .select('id');
  return rows.length + moving.length;
}

/** Locks all orders of the event until the transaction ends. */
export async function lockOrdersOf(trx: Trx, event_id: string): Promise<OrderRow[]> {
  return trx<OrderRow>('orders').where({ event_id }).orderBy('id').forUpdate();
}

export async function pauseSale(trx: Trx, id: string, sale_paused: 0 | 1): Promise<void> {
  await trx('events').where({ id }).update({ sale_paused }).increment('version', 1);
}

/**
 * Replaces the hall: places that the new hall lacks are marked as left, missing ones are added,
 * and places of both halls get their new names and categories. Returns the places of both halls
 * that changed.
 */
export async function replaceHall(
  trx: Trx,
  event_id: string,
  hall: readonly Omit<PlaceRow, 'feed_seq'>[],
): Promise<string[]> {
  const known = await trx<PlaceRow>('places').where({ event_id });
  const byPlace = new Map(known.map((row) => [row.place, row]));
  const wanted = new Set(hall.map(({ place }) => place));
  const left = known.filter(({ place, in_hall }) => in_hall === 1 && !wanted.has(place));
  const feed_seq = Math.max(0, ...known.map((row) => Number(row.feed_seq))) + 1;
  if (left.length > 0) await trx<PlaceRow>('places').where({ event_id }).update({ in_hall: 0 });
  const changed: Omit<PlaceRow, 'feed_seq' | CodeCount>[] = [];
  const different: string[] = [];
  for (const drawn of hall) {
    const place = withoutCounts(drawn);
    const before = byPlace.get(place.place);
    if (!before) continue;
    const isSame = Object.entries(place).every(
      ([name, value]) => before[name as keyof PlaceRow] === value,
    );
    if (!isSame) different.push(place.place);
    if (!isSame || left.length > 0) changed.push({ ...place, in_hall: 1 });
  }
  await updateMany(trx, { table: 'places', rows: changed }, ['event_id', 'place']);
  const added = hall.filter(({ place }) => !byPlace.has(place));
  await insertMany(
    trx,
    'places',
    added.map((place, at) => ({ ...place, feed_seq: feed_seq + at })),
  );
  await trx('events')
    .where({ id: event_id })
    .update({ feed_seq: feed_seq + added.length });
  return different;
}

type CodeCount = 'issued' | 'earlier_codes' | 'lost_codes' | 'skipped_to' | 'lost_revisions';

/** A place as the hall draws it: the hall knows nothing of issued codes. */
function withoutCounts({
  issued: _issued,
  earlier_codes: _earlier,
  lost_codes: _lost,
  skipped_to: _skipped,
  lost_revisions: _revisions,
  ...place
}: Omit<PlaceRow, 'feed_seq'>): Omit<PlaceRow, 'feed_seq' | CodeCount> {
  return place;
}

/** A line and its ticket with their new places. */
export interface Arrived {
  line: Pick<
    OrderLineRow,
    | keyof LineKey
    | 'place'
    | 'object_label'
    | 'whole_size'
    | 'category'
    | 'price_id'
    | 'price_cents'
    | 'list_cents'
    | 'type_label'
  >;
  ticket: Pick<TicketRow, 'id' | 'place' | 'revision' | 'price_cents' | 'code_end'> | null;
}

/** Places all tickets together; tickets on their new places were parked before. */
export async function placeTickets(trx: Trx, arrived: readonly Arrived[]): Promise<void> {
  const lines = arrived.map(({ line }) => ({ ...line, released_at: null }));
  const tickets = arrived.flatMap(({ ticket }) =>
    ticket ? [{ ...ticket, state: 'valid' as const }] : [],
  );
  await updateMany(trx, { table: 'order_lines', rows: lines }, lineKey);
  await updateMany(trx, { table: 'tickets', rows: tickets }, ['id']);
}

/**
 * Parks tickets until they are placed, so that two can change places. The n-th ticket of each
 * order waits on the n-th parking place, because an order must not have two tickets on one place.
 * There are as few parking places as possible, because deleting one searches whole tables.
 */
export async function parkTickets(
  trx: Trx,
  event_id: string,
  parked: readonly Pick<HousedLine, 'id' | 'ticket_id' | 'order_id'>[],
): Promise<void> {
  const counts = new Map<string, number>();
  const tickets = parked.flatMap(({ ticket_id, order_id }, at) => {
    if (ticket_id === null) return [];
    const nth = counts.get(order_id) ?? 0;
    counts.set(order_id, nth + 1);
    return [{ id: ticket_id, state: 'void' as const, place: scratchName(nth), revision: at + 1 }];
  });
  const most = Math.max(0, ...counts.values());
  const spots = Array.from({ length: most }, (_, nth) => scratchPlace(event_id, nth));
  await insertMany(trx, 'places', spots);
  const lines = parked.map(({ order_id, id }) => ({ order_id, id, released_at: 0 }));
  await updateMany(trx, { table: 'order_lines', rows: lines }, lineKey);
  await updateMany(trx, { table: 'tickets', rows: tickets }, ['id']);
}

/** A label that no object of a chart can have. */
const scratchLabel = '~';
const scratchName = (nth: number) => `${scratchLabel}${nth}`;

export async function dropParking(trx: Trx, event_id: string): Promise<void> {
  await trx<PlaceRow>('places').where({ event_id, object_label: scratchLabel }).delete();
}

function scratchPlace(event_id: string, nth: number): PlaceRow {
  return {
    event_id,
    place: scratchName(nth),
    object_label: scratchLabel,
    kind: 'seat',
    category: '',
    category_key: '',
    section: null,
    row: null,
    seat: '',
    position: 1,
    issued: 0,
    earlier_codes: 0,
    lost_codes: 0,
    skipped_to: 0,
    lost_revisions: null,
    feed_seq: 0,
    entrance: null,
    restricted_view: 0,
    accessible: 0,
    companion: 0,
    in_hall: 0,
    in_whole: 0,
  };
}

/**
 * Counts the newly issued tickets of each place and gives it the door's number. Returns the
 * newest revisions.
 */
export async function issueTickets(
  trx: Trx,
  { event_id, feed_seq }: { event_id: string; feed_seq: number },
  more: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const known: { place: string; out: number }[] = await trx('places')
    .where({ event_id })
    .select('place', trx.raw(`${newestOut} AS out`));
  const rows = known.flatMap(({ place, out }) => {
    const added = more.get(place);
    return added === undefined ? [] : [{ event_id, place, issued: Number(out) + added, feed_seq }];
  });
  await updateMany(trx, { table: 'places', rows }, ['event_id', 'place']);
  return new Map(rows.map(({ place, issued }) => [place, issued]));
}
