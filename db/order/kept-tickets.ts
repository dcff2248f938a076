/** Free tickets whose places are kept for a time and then let go, in SQL (RULES O21). */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { hasPlace, isGiven } from '#db/joins.ts';
import { selectRows } from '#db/engine/statements.ts';
import type { EventRow, OrderLineRow, PlaceRow, TicketRow } from '#db/rows.ts';

/** By place, the revisions whose place was let go and then went to another guest. */
export async function givenRevisions(db: Db, event_id: string): Promise<Map<string, number[]>> {
  const rows = await db<TicketRow>('tickets')
    .where({ event_id, state: 'void' })
    .whereNotNull('let_go_at')
    .orderBy('revision')
    .select('place', 'revision');
  const given = Map.groupBy(rows, ({ place }) => place);
  return new Map([...given].map(([place, all]) => [place, all.map(({ revision }) => revision)]));
}

/** Of an event that keeps free places for a time: published, and not over yet. */
export async function eventsThatLetGo(db: Db, { from, to }: { from: number; to: number }) {
  return db<EventRow>('events')
    .whereNotNull('free_until_minutes')
    .where({ status: 'published', rehearsal: 0 })
    .whereBetween('starts_at', [from, to])
    .orderBy('id')
    .select('id', 'starts_at', 'free_until_minutes');
}

/** True for a ticket `t` with which no guest has come yet, as far as the house knows. */
const notCome = `NOT EXISTS (SELECT 1 FROM admissions a WHERE a.event_id = t.event_id AND a.ticket_id = t.id AND a.counts = 1 AND a.direction = 'in' AND a.annulled_by IS NULL)`;

/** The orders with tickets whose time is over; `minutes`: the largest that may be let go now. */
export async function ordersToLetGo(
  db: Db,
  { event_id, minutes }: { event_id: string; minutes: number },
): Promise<string[]> {
  const rows = await selectRows<{ order_id: string }>(
    db,
    `SELECT DISTINCT t.order_id FROM tickets t WHERE t.event_id = ? AND t.state = 'valid' AND t.let_go_at IS NULL AND t.let_go_minutes >= ? AND ${notCome} ORDER BY t.order_id`,
    [event_id, minutes],
  );
  return rows.map(({ order_id }) => order_id);
}

/**
 * Lets go of an order's tickets whose guests have not come; of an object sold whole all or none.
 * Returns their ids and places.
 */
export async function letTicketsGo(
  trx: Trx,
  { order_id, minutes, now }: { order_id: string; minutes: number; now: number },
): Promise<Pick<TicketRow, 'id' | 'place'>[]> {
  const live = `l.order_id = t.order_id AND l.place = t.place AND ${hasPlace('l')}`;
  const rows = await selectRows<Pick<TicketRow, 'id' | 'place'>>(
    trx,
    `SELECT t.id, t.place FROM tickets t JOIN order_lines l ON ${live}
      WHERE t.order_id = ? AND t.state = 'valid' AND t.let_go_at IS NULL AND t.let_go_minutes >= ? AND ${notCome}
      AND NOT (l.whole_size > 0 AND EXISTS (SELECT 1 FROM order_lines m JOIN admissions a ON a.event_id = m.event_id AND a.place = m.place AND a.counts = 1 AND a.annulled_by IS NULL AND a.direction = 'in'
        WHERE m.order_id = l.order_id AND m.object_label = l.object_label))`,
    [order_id, minutes],
  );
  if (rows.length === 0) return [];
  const places = rows.map(({ place }) => place);
  await trx<TicketRow>('tickets')
    .whereIn(
      'id',
      rows.map(({ id }) => id),
    )
    .update({ let_go_at: now });
  await trx<OrderLineRow>('order_lines')
    .where({ order_id })
    .whereIn('place', places)
    .whereRaw(hasPlace('order_lines'))
    .update({ released_at: now });
  return rows;
}

/**
 * The tickets that were let go on these places, and on the other places of their objects that are
 * sold whole; no other order has ended them yet.
 */
export async function letGoOn(
  db: Db,
  event_id: string,
  places: readonly string[],
): Promise<Pick<TicketRow, 'id' | 'place' | 'order_id'>[]> {
  if (places.length === 0) return [];
  const beside = db<PlaceRow>('places')
    .where({ event_id, in_whole: 1 })
    .whereIn(
      'object_label',
      db<PlaceRow>('places')
        .where({ event_id, in_whole: 1 })
        .whereIn('place', places as string[])
        .select('object_label'),
    );
  return db<TicketRow>('tickets')
    .where({ event_id, state: 'valid' })
    .whereNotNull('let_go_at')
    .where((on) =>
      on.whereIn('place', places as string[]).orWhereIn('place', beside.select('place')),
    )
    .select('id', 'place', 'order_id');
}

export type LetGoTicket = Pick<TicketRow, 'id' | 'event_id' | 'place' | 'order_id'>;

/** Those of some tickets, or of an order's, whose places were let go. */
export async function letGoAmong(
  db: Db,
  of: { ids: readonly string[] } | { order_id: string },
): Promise<LetGoTicket[]> {
  if ('ids' in of && of.ids.length === 0) return [];
  return db<TicketRow>('tickets')
    .where({ state: 'valid' })
    .whereNotNull('let_go_at')
    .where((b) => {
      if ('ids' in of) b.whereIn('id', of.ids as string[]);
      else b.where({ order_id: of.order_id });
    })
    .select('id', 'event_id', 'place', 'order_id');
}

/** Orders whose places were let go although the evening keeps them still. */
export async function ordersToKeepAgain(db: Db, now: number): Promise<string[]> {
  const rows = await selectRows<{ order_id: string }>(
    db,
    `SELECT DISTINCT t.order_id FROM tickets t JOIN events e ON e.id = t.event_id
      WHERE t.let_go_at IS NOT NULL AND t.state = 'valid' AND e.status = 'published'
      AND (e.free_until_minutes IS NULL OR e.starts_at - e.free_until_minutes * 60000 > ?) ORDER BY t.order_id`,
    [now],
  );
  return rows.map(({ order_id }) => order_id);
}

/** Whether another guest has the place of a ticket now that was let go. */
export async function hasAnother(
  db: Db,
  { id, let_go_at }: Pick<TicketRow, 'id' | 'let_go_at'>,
): Promise<boolean> {
  if (let_go_at === null) return false;
  const sql = `SELECT 1 FROM tickets t JOIN places p ON p.event_id = t.event_id AND p.place = t.place WHERE t.id = ? AND ${isGiven}`;
  return (await selectRows(db, sql, [id])).length > 0;
}

/** Ends tickets whose places another order has now. */
export async function endGiven(trx: Trx, ids: readonly string[], ended_at: number): Promise<void> {
  await trx<TicketRow>('tickets')
    .whereIn('id', ids as string[])
    .update({ state: 'void', ended_at });
}

/**
 * Gives a line its place back unless another order has it, or a part of its object sold whole; the
 * caller has locked the event's row. False: the place is another's, or the line has it already.
 */
export async function reclaimPlace(
  trx: Trx,
  { order_id, place }: Pick<TicketRow, 'order_id' | 'place'>,
): Promise<boolean> {
  const [taken] = await selectRows(
    trx,
    `UPDATE order_lines SET released_at = NULL WHERE order_id = ? AND place = ? AND released_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM order_lines m WHERE m.event_id = order_lines.event_id AND m.order_id <> order_lines.order_id AND (m.place = order_lines.place OR (order_lines.whole_size > 0 AND m.object_label = order_lines.object_label)) AND ${hasPlace('m')})
      RETURNING id`,
    [order_id, place],
  );
  return taken !== undefined;
}

/**
 * Gives a ticket its place back unless another order has it; the caller has locked the event's
 * row. False: the place is another guest's.
 */
export async function takePlaceBack(
  trx: Trx,
  ticket: Pick<TicketRow, 'id' | 'order_id' | 'place'>,
): Promise<boolean> {
  if (!(await reclaimPlace(trx, ticket))) return false;
  await trx<TicketRow>('tickets').where({ id: ticket.id }).update({ let_go_at: null });
  return true;
}

/** An order's lines whose places were let go, and those that were taken back at the door. */
export async function letGoLines(db: Db, order_id: string): Promise<OrderLineRow[]> {
  return selectRows(
    db,
    `SELECT l.* FROM order_lines l JOIN tickets t ON t.order_id = l.order_id AND t.place = l.place WHERE l.order_id = ? AND t.let_go_at IS NOT NULL AND l.released_at IS NOT NULL`,
    [order_id],
  );
}

/** Evenings to come whose free bookings get a mail the day before. */
export async function eveningsToRemind(db: Db, { from, to }: { from: number; to: number }) {
  return db<EventRow>('events')
    .where({ free_reminder: 1, status: 'published', rehearsal: 0 })
    .whereBetween('starts_at', [from + 1, to])
    .orderBy('id')
    .select('id', 'starts_at');
}

/** Free bookings confirmed before that moment, with valid tickets, that have no such mail yet. */
export async function ordersToRemind(
  db: Db,
  { event_id, before, limit }: { event_id: string; before: number; limit: number },
): Promise<string[]> {
  const rows = await selectRows<{ id: string }>(
    db,
    `SELECT o.id FROM orders o WHERE o.event_id = ? AND o.state = 'confirmed' AND o.channel = 'web' AND o.paid_by = 'free' AND o.total_cents = 0 AND o.session_id IS NULL
      AND o.confirmed_at < ? AND o.buyer_email IS NOT NULL
      AND EXISTS (SELECT 1 FROM tickets t WHERE t.order_id = o.id AND t.state = 'valid')
      AND NOT EXISTS (SELECT 1 FROM mails m WHERE m.order_id = o.id AND m.kind = 'day_before') ORDER BY o.id LIMIT ?`,
    [event_id, before, limit],
  );
  return rows.map(({ id }) => id);
}
