/** Counts for monitoring the server. */
import type { Knex } from 'knex';
import type { Db } from '#db/engine/dialect.ts';
import { withoutRehearsals } from '#db/event/events.ts';
import { dueOrders, whereOpen } from '#db/order/orders.ts';
import { tasks } from '#db/tasks.ts';
import { readFirst, countRows } from '#db/engine/statements.ts';

type Counts = Record<string, number>;

async function countBy(query: Knex.QueryBuilder, column: string): Promise<Counts> {
  const rows: Record<string, unknown>[] = await query
    .select(column)
    .count({ n: '*' })
    .groupBy(column);
  const name = column.replace(/^.*\./, '');
  return Object.fromEntries(rows.map((row) => [String(row[name]), Number(row['n'])]));
}

/** Counts orders by state, without rehearsals. */
export async function countAllOrders(db: Db): Promise<Counts> {
  const orders = () => withoutRehearsals(db, db('orders'), 'orders.event_id');
  return {
    confirmed: await countRows(orders().whereNotNull('confirmed_at')),
    deleted: await countRows(orders().whereNotNull('deleted_at')),
    ...(await countBy(whereOpen(orders()), 'state')),
  };
}

export async function countRefunds(db: Db): Promise<Counts> {
  return countBy(db('refunds'), 'state');
}

export async function countMails(db: Db): Promise<Counts> {
  return countBy(db('mails'), 'state');
}

export async function countOpenBreaks(db: Db): Promise<Counts> {
  return countBy(db('breaks').whereNull('settled_at'), 'kind');
}

export async function countAttention(db: Db): Promise<number> {
  return countRows(db('orders').whereNotNull('needs_attention'));
}

/** Counts valid tickets, event by event, of events that are not over. */
export async function countSeatsSold(db: Db, now: number): Promise<Counts> {
  const sold = db('tickets')
    .join('events', 'events.id', 'tickets.event_id')
    .where({ 'tickets.state': 'valid', 'events.rehearsal': 0 })
    .where('events.starts_at', '>', now - 2 * 86_400_000);
  return countBy(sold, 'tickets.event_id');
}

/** Counts scans that phones say they have not sent yet; revoked phones are left out. */
export async function countUnsentScans(db: Db): Promise<number> {
  const row = await db('phones')
    .whereNull('revoked_at')
    .sum<{ n: number | string | null }[]>({ n: 'queue_length' })
    .first();
  return Number(row?.n ?? 0);
}

/**
 * Counts waiting tasks, and due orders without a task. `failing`: tasks that were tried and not
 * done; `oldest_due_at` is null if nothing is late. Tasks of a newer version are never due here.
 */
interface Backlog {
  waiting: number;
  due: number;
  failing: number;
  oldest_due_at: number | null;
}

const isDue = `task IN (${tasks.map(() => '?').join(', ')}) AND run_at <= ? AND (locked_until IS NULL OR locked_until <= ?)`;

export async function readBacklog(db: Db, now: number): Promise<Backlog> {
  const row = await readFirst<Record<keyof Backlog, number | null>>(
    db('outbox').select(
      db.raw('count(*) AS waiting'),
      db.raw('sum(CASE WHEN last_error IS NULL THEN 0 ELSE 1 END) AS failing'),
      db.raw(`sum(CASE WHEN ${isDue} THEN 1 ELSE 0 END) AS due`, [...tasks, now, now]),
      db.raw(`min(CASE WHEN ${isDue} THEN run_at END) AS oldest_due_at`, [...tasks, now, now]),
    ),
  );
  const orders = await readFirst<{ n: number; oldest: number | null }>(
    dueOrders(db, now).count({ n: '*' }).min({ oldest: 'pay_by' }),
  );
  const oldest = [row.oldest_due_at, orders.oldest].filter((at) => at !== null);
  return {
    waiting: Number(row.waiting) + Number(orders.n),
    due: Number(row.due ?? 0) + Number(orders.n),
    failing: Number(row.failing ?? 0),
    oldest_due_at: oldest.length === 0 ? null : Math.min(...oldest),
  };
}

export async function oldestWaitingMail(db: Db): Promise<number | null> {
  const row = await db('mails')
    .where({ state: 'waiting' })
    .min<{ at: number | null }[]>({ at: 'created_at' })
    .first();
  return row?.at ?? null;
}

export async function lastWebhookAt(db: Db): Promise<number | null> {
  const row = await db('webhook_events')
    .max<{ at: number | null }[]>({ at: 'received_at' })
    .first();
  return row?.at ?? null;
}

/** Counts sessions paid since then; Stripe should have sent an event for each of them. */
export async function countPaidSessions(
  db: Db,
  since: number,
): Promise<{ paid: number; first_at: number | null }> {
  const row = await readFirst<{ n: number; at: number | null }>(
    db('checkout_sessions').where('paid_at', '>', since).count({ n: '*' }).min({ at: 'paid_at' }),
  );
  return { paid: row.n, first_at: row.at };
}
