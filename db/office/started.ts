/**
 * Rows of work that persons have started, in SQL: what has not ended, and with `since` also what
 * began after that moment.
 */
import type { Knex } from 'knex';
import type { Db } from '#db/engine/dialect.ts';
import type {
  AnnouncementRow,
  MailRow,
  MessageRow,
  PostponementRow,
  RefundRow,
  RefundRunRow,
  RehousingRow,
  TransferRow,
} from '#db/rows.ts';
import type { AnnouncedAct } from '#server/domain/mail/announcement.ts';
import type { MailKind } from '#server/domain/mail/kinds.ts';

export interface Wanted {
  since: number | null;
  limit: number;
}

/** The newest rows of one table that are `open` or began after `since`. */
function rowsOf<Row extends object>(
  db: Db,
  table: string,
  { since, limit }: Wanted,
  open: (b: Knex.QueryBuilder) => void,
): Promise<Row[]> {
  return db(table)
    .where((b) => {
      b.where(open);
      if (since !== null) b.orWhere(`${table}.created_at`, '>', since);
    })
    .orderBy(`${table}.created_at`, 'desc')
    .limit(limit)
    .select(`${table}.*`) as unknown as Promise<Row[]>;
}

/** The keys of mails that wait to be sent; there are few of them. */
function waitingKeys(db: Db, ...kinds: MailKind[]): Promise<string[]> {
  const waiting = db<MailRow>('mails').where({ state: 'waiting' }).whereIn('kind', kinds);
  return waiting.distinct().pluck('key');
}

export async function startedMessages(db: Db, wanted: Wanted): Promise<MessageRow[]> {
  const again = (await waitingKeys(db, 'tickets')).flatMap((key) =>
    key.startsWith('#') ? [key.slice(1)] : [],
  );
  const asked = (await waitingKeys(db, 'event_postponed', 'cancellation_asked')).flatMap((key) =>
    key.split('#').slice(1),
  );
  const ids = [...(await waitingKeys(db, 'message')), ...again, ...asked];
  return rowsOf(db, 'messages', wanted, (b) =>
    b.whereNull('withdrawn_at').where((c) => c.whereNull('finished_at').orWhereIn('id', ids)),
  );
}

export async function startedRefundRuns(db: Db, wanted: Wanted): Promise<RefundRunRow[]> {
  const unsent = db<RefundRow>('refunds')
    .where({ state: 'requested', kind: 'stripe' })
    .whereNotNull('run_id')
    .select('run_id');
  return rowsOf(db, 'refund_runs', wanted, (b) =>
    b.whereNull('finished_at').orWhereIn('id', unsent),
  );
}

/** Changes of hall that have begun; the server does nothing for one that is only planned. */
export async function startedRehousings(db: Db, wanted: Wanted): Promise<RehousingRow[]> {
  const rows = await rowsOf<RehousingRow>(db, 'rehousings', wanted, (b) =>
    b.whereIn('state', ['taking', 'waiting', 'moved', 'giving_back']),
  );
  return rows.filter(({ started_at }) => started_at !== null);
}

export async function startedPostponements(db: Db, wanted: Wanted): Promise<PostponementRow[]> {
  const tasks = db('outbox').where({ task: 'tell_postponed' }).select('subject');
  const keys = await waitingKeys(db, 'event_postponed');
  const ids = keys.map((key) => key.split('.')[0] ?? key);
  return rowsOf(db, 'postponements', wanted, (b) =>
    b.whereIn('id', [...new Set(ids)]).orWhereIn('id', tasks),
  );
}

export async function startedTransfers(db: Db, wanted: Wanted): Promise<TransferRow[]> {
  return rowsOf(db, 'transfers', wanted, (b) => b.whereNull('finished_at'));
}

/**
 * Acts that were taken back before their mails left, whose own rows are gone. Without `since` there
 * are none, because they are over.
 */
export async function actsTakenBack(
  db: Db,
  { since, limit }: Wanted,
  acts: readonly AnnouncedAct[],
): Promise<AnnouncementRow[]> {
  if (since === null) return [];
  return db<AnnouncementRow>('announcements')
    .whereNotNull('withdrawn_at')
    .where('created_at', '>', since)
    .whereIn('act', acts as AnnouncedAct[])
    .orderBy('created_at', 'desc')
    .limit(limit);
}

/**
 * How far the mails of a group are. `stored`: of `total`, those that have a mail. `late`: waiting
 * after a try. `kept`: there is no mail server.
 */
export interface MailProgress {
  total: number;
  stored: number;
  waiting: number;
  late: number;
  failed: number;
  kept: number;
  moved_at: number | null;
}

const countedMails: Partial<Record<keyof MailProgress, string>> = {
  stored: 'mails.id IS NOT NULL',
  waiting: "mails.state = 'waiting'",
  late: "mails.state = 'waiting' AND mails.last_error IS NOT NULL",
  failed: "mails.state = 'failed'",
  kept: "mails.state = 'sent' AND mails.last_error LIKE 'not_set_up%'",
};

async function progressOf(db: Db, query: Knex.QueryBuilder): Promise<MailProgress> {
  const counts = Object.entries(countedMails).map(([name, when]) =>
    db.raw(`SUM(CASE WHEN ${when} THEN 1 ELSE 0 END) AS ${name}`),
  );
  const row: Record<keyof MailProgress, number | string | null> = await query
    .count({ total: '*' })
    .max({ moved_at: 'mails.sent_at' })
    .select(counts)
    .first();
  const { moved_at, ...numbers } = row;
  const entries = Object.entries(numbers).map(([name, value]) => [name, Number(value ?? 0)]);
  return {
    ...(Object.fromEntries(entries) as Omit<MailProgress, 'moved_at'>),
    moved_at: moved_at === null ? null : Number(moved_at),
  };
}

export async function mailsOfMessage(db: Db, message_id: string): Promise<MailProgress> {
  return progressOf(
    db,
    db('message_orders')
      .leftJoin('mails', 'mails.id', 'message_orders.mail_id')
      .where({ 'message_orders.message_id': message_id })
      .whereRaw('message_orders.order_id = message_orders.lead_order_id'),
  );
}

/**
 * The mails of one kind to the buyers and holders of an event; `key` is the buyers' key, with which
 * a holder's begins.
 */
export async function mailsOfEvent(
  db: Db,
  { event_id, kind, key }: { event_id: string; kind: MailKind; key: string },
): Promise<MailProgress> {
  return progressOf(
    db,
    db('mails')
      .join('orders', 'orders.id', 'mails.order_id')
      .where({ 'orders.event_id': event_id, 'mails.kind': kind })
      .where((b) => b.where('mails.key', key).orWhere('mails.key', 'like', `${key}.%`)),
  );
}

/** When the newest refund of a run was paid back. */
export async function lastRefundOfRun(db: Db, run_id: string): Promise<number | null> {
  const row = await db<RefundRow>('refunds').where({ run_id }).max({ at: 'settled_at' }).first();
  return row?.at == null ? null : Number(row.at);
}

/** The tickets of a change of hall, and how many have a place in the new one. */
export async function countRehoused(
  db: Db,
  rehousing_id: string,
): Promise<{ total: number; taken: number }> {
  const row = await db('rehoused_lines')
    .where({ rehousing_id })
    .count({ total: '*' })
    .sum({ taken: 'taken' })
    .first();
  return { total: Number(row?.['total'] ?? 0), taken: Number(row?.['taken'] ?? 0) };
}

/** The titles and times of events. */
export async function namesOfEvents(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { title: string; starts_at: number }>> {
  const rows: { id: string; title: string; starts_at: number }[] = await db('events')
    .whereIn('id', ids as string[])
    .select('id', 'title', 'starts_at');
  return new Map(rows.map(({ id, ...name }) => [id, name]));
}
