/**
 * Waiting rooms in SQL: their settings, the counter that one process at a time moves, and the
 * durations of bookings.
 */
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { EventRow, QueueLoadRow, QueueRow } from '#db/rows.ts';

/** A room with the columns of its event that it needs. */
export type Room = QueueRow & Pick<EventRow, 'seatsio_event_key' | 'sales_opens_at' | 'status'>;

export async function findQueue(db: Db, event_id: string): Promise<QueueRow | undefined> {
  return db<QueueRow>('queues').where({ event_id }).first();
}

/**
 * Rooms of events that are not over, if the room is on, may switch on by itself, or guards the
 * event at the seat map.
 */
export async function roomsInUse(db: Db, now: number): Promise<Room[]> {
  return db('queues')
    .join('events', 'events.id', 'queues.event_id')
    .where('events.starts_at', '>', now - dayMs)
    .where((either) => either.whereNot('queues.mode', 'off').orWhereNotNull('queues.guarded_key'))
    .select('queues.*', 'events.seatsio_event_key', 'events.sales_opens_at', 'events.status');
}

/** Rooms whose seed is not public yet. */
export async function unopenedQueues(db: Db): Promise<Pick<QueueRow, 'event_id' | 'seed'>[]> {
  return db<QueueRow>('queues')
    .whereNull('opened_at')
    .orWhereNull('root')
    .select('event_id', 'seed');
}

/** Inserts a room; an existing one is not changed. */
export async function insertQueue(trx: Trx, row: QueueRow): Promise<void> {
  await trx<QueueRow>('queues').insert(row).onConflict('event_id').ignore();
}

export async function changeQueue(
  db: Db,
  event_id: string,
  changes: Partial<QueueRow>,
): Promise<void> {
  await db<QueueRow>('queues').where({ event_id }).update(changes);
}

/**
 * Claims the counter: returns the row and the time since the last move, or undefined if it is too
 * early. The row stays locked until the transaction ends.
 */
export async function claimQueue(
  trx: Trx,
  event_id: string,
  { now, everyMs }: { now: number; everyMs: number },
): Promise<{ row: QueueRow; elapsedMs: number } | undefined> {
  const before = await findQueue(trx, event_id);
  if (!before) return undefined;
  const elapsedMs = now - before.paced_at;
  // If the clock of the last process was far ahead, entrants must not wait for that time.
  if (elapsedMs < everyMs && elapsedMs > -clockSlackMs) return undefined;
  const [row] = await trx<QueueRow>('queues')
    .where({ event_id, paced_at: before.paced_at })
    .update({ paced_at: now })
    .returning('*');
  return row && { row, elapsedMs };
}
const clockSlackMs = 10_000;

const dayMs = 24 * 3_600_000;

/** Stores a process's durations, and deletes rows that are older than a day. */
export async function putLoad(db: Db, row: QueueLoadRow): Promise<void> {
  await db<QueueLoadRow>('queue_loads').insert(row).onConflict('process').merge();
  await db<QueueLoadRow>('queue_loads')
    .where('at', '<', row.at - dayMs)
    .delete();
}

export async function loadsSince(db: Db, since: number): Promise<QueueLoadRow[]> {
  return db<QueueLoadRow>('queue_loads').where('at', '>=', since);
}
