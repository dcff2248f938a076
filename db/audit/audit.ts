/** The audit log. Rows are only added, and a webhook event is recorded once. */
import type { Knex } from 'knex';
import { unsealedSince, whereAbout } from './audit-seals.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import { leaveMark } from '#db/engine/lost.ts';
import type { AuditRow, SealedAuditRow, WebhookEventRow } from '#db/rows.ts';
import { countRows } from '#db/engine/statements.ts';

export async function addAudit(db: Db, row: AuditRow): Promise<void> {
  await db<AuditRow>('audit').insert(row);
  leaveMark(db, 'audit', row);
}

/** Counts how often an action happened to one subject. */
export async function countSince(
  db: Db,
  { since, action, subject }: Pick<AuditRow, 'action' | 'subject'> & { since: number },
): Promise<number> {
  const entries = db('audit').where({ action }).where('at', '>', since);
  return countRows(whereAbout(entries, db, [subject]));
}

/** Who did this last to each of these subjects. */
export async function latestActors(
  db: Db,
  action: AuditRow['action'],
  subjects: readonly string[],
): Promise<Map<string, AuditRow['actor']>> {
  if (subjects.length === 0) return new Map();
  const rows: Pick<AuditRow, 'subject' | 'actor'>[] = await whereAbout(
    db('audit').where({ action }),
    db,
    subjects,
  )
    .orderBy(['at', 'id'])
    .select('subject', 'actor');
  return new Map(rows.map(({ subject, actor }) => [subject, actor]));
}

export interface AuditFilter {
  actor?: string;
  action?: string;
  /** Entries about any of these subjects; an empty list finds nothing. */
  subjects?: readonly string[];
  /** Milliseconds, from `from` on and before `before`. */
  from?: number;
  before?: number;
}

/**
 * Lists the newest first. Sealed entries are found by indexes that cost a sale nothing; the few
 * entries without a seal are read one by one.
 */
export async function listAudit(
  db: Db,
  filter: AuditFilter,
  page: Page,
): Promise<SealedAuditRow[]> {
  if (filter.actor === undefined && filter.action === undefined)
    return matchingAudit(db, filter, page);
  const since = await unsealedSince(db);
  const fresh: SealedAuditRow[] = await matchingAudit(db, filter, page)
    .whereNull('audit.seal')
    .where('audit.at', '>=', since);
  const sealed: SealedAuditRow[] = await matchingAudit(db, filter, page).whereNotNull('audit.seal');
  return [...fresh, ...sealed]
    .toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
    .slice(0, page.limit);
}

function matchingAudit(
  db: Db,
  { actor, action, subjects, from, before }: AuditFilter,
  page: Page,
): Knex.QueryBuilder {
  const query = db<SealedAuditRow>('audit').select('audit.*');
  newestFirst(query, { table: 'audit', time: 'at' }, page);
  if (actor !== undefined) query.where('audit.actor', actor);
  if (action !== undefined) query.where('audit.action', action);
  if (subjects !== undefined) whereAbout(query, db, subjects);
  if (from !== undefined) query.where('audit.at', '>=', from);
  if (before !== undefined) query.where('audit.at', '<', before);
  return query;
}

/** The subject's type, if there is a screen for it. */
interface Subject {
  id: string;
  kind: 'order' | 'event' | 'show' | 'person' | 'phone' | 'shift';
  name: string;
}

/** Finds the subjects that have a name. */
export async function nameSubjects(db: Db, ids: readonly string[]): Promise<Subject[]> {
  const named = (kind: Subject['kind'], table: string, column: string): Promise<Subject[]> =>
    db(table)
      .whereIn(`${table}.id`, ids as string[])
      .select(`${table}.id`, db.raw('? AS kind', [kind]), `${column} as name`);
  const found: Subject[] = [];
  for (const [kind, table, column] of [
    ['order', 'orders', 'number'],
    ['event', 'events', 'title'],
    ['show', 'shows', 'title'],
    ['person', 'users', 'name'],
    ['phone', 'phones', 'name'],
    ['shift', 'shifts', 'till_name'],
  ] as const)
    found.push(...(await named(kind, table, column)));
  return found;
}

/** Returns false if this event was received before. */
export async function noteWebhook(
  trx: Trx,
  event: Omit<WebhookEventRow, 'tries'>,
): Promise<boolean> {
  const again = await trx('webhook_events').where({ id: event.id }).increment('tries', 1);
  if (again > 0) return false;
  await trx('webhook_events').insert({ ...event, tries: 1 });
  return true;
}

interface ReceivedWebhook extends WebhookEventRow {
  order_number: string | null;
}

/** Lists the newest first. */
export async function listWebhooks(db: Db, page: Page): Promise<ReceivedWebhook[]> {
  const query = db('webhook_events')
    .leftJoin('orders', 'orders.id', 'webhook_events.order_id')
    .select('webhook_events.*', 'orders.number as order_number');
  newestFirst(query, { table: 'webhook_events', time: 'received_at' }, page);
  return query;
}
