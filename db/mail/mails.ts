/** Mails in SQL: one row per mail, from the request to the mail server's answer. */
import type { Knex } from 'knex';
import type { MailKind, MailState } from '#server/domain/mail/kinds.ts';
import { addressKey } from '#server/domain/text/mail-address.ts';
import { foundBy } from '#server/domain/text/search.ts';
import { whereContains, whereWords, type Db, type Trx } from '#db/engine/dialect.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import type { MailHead, MailRow, New, RefundLineRow, RefundRow } from '#db/rows.ts';
import { readFirst, countRows, insertMany } from '#db/engine/statements.ts';
import { wakeWorker } from '#db/engine/wake.ts';

/**
 * Returns false if this order has had this mail already. It is one statement because every
 * confirmed order runs it.
 */
export async function insertMail(trx: Trx, mail: New<MailRow>): Promise<boolean> {
  const made = await trx<MailRow>('mails')
    .insert(mail)
    .onConflict(['order_id', 'kind', 'key'])
    .ignore()
    .returning('id');
  return made.length === 1;
}

/** Inserts mails that none of these orders has had before. */
export async function insertMails(trx: Trx, mails: readonly New<MailRow>[]): Promise<void> {
  await insertMany(trx, 'mails', mails);
}

export async function findMail(db: Db, id: string): Promise<MailRow | undefined> {
  return db<MailRow>('mails').where({ id }).first();
}

/** Changes a mail only while it waits. Returns false if another process has finished it. */
export async function noteMail(
  db: Db,
  id: string,
  changes: Omit<Partial<MailRow>, 'id' | 'order_id' | 'message_id'>,
): Promise<boolean> {
  return (await db<MailRow>('mails').where({ id, state: 'waiting' }).update(changes)) === 1;
}

/** Makes the tasks of all mails due that were tried and still wait. */
export async function hurryLateMails(db: Db, now: number): Promise<void> {
  const late = db('mails').where({ state: 'waiting' }).whereNotNull('last_error').select('id');
  await db('outbox')
    .where({ task: 'send_mail', locked_until: null })
    .where('run_at', '>', now)
    .whereIn('subject', late)
    .update({ run_at: now });
  wakeWorker(db);
}

/** Our mails among these message ids. */
export async function mailsOfMessageIds(
  db: Db,
  message_ids: readonly string[],
): Promise<MailRow[]> {
  return db<MailRow>('mails').whereIn('message_id', message_ids as string[]);
}

/**
 * Notes that a sent mail was returned or that its fate is unknown. Returns false if this was
 * noted before, or if the mail was never sent.
 */
export async function noteBounce(db: Db, id: string, last_error: string): Promise<boolean> {
  const query = db<MailRow>('mails').where({ id }).whereIn('state', ['waiting', 'sent']);
  return (await query.where('attempts', '>', 0).update({ state: 'failed', last_error })) === 1;
}

/**
 * Counts the mails that told the buyer of a changed or cancelled event; this number is the
 * version of the calendar entry.
 */
export async function countTold(db: Db, order_id: string): Promise<number> {
  const query = db('mails')
    .where({ order_id })
    .whereIn('kind', ['event_changed', 'event_postponed', 'event_cancelled'])
    // Holders get letters of their own about the same news.
    .whereNot('key', 'like', '%.%')
    .countDistinct({ n: 'key' });
  return (await readFirst<{ n: number }>(query)).n;
}

/**
 * Counts letters of the same kind and key without an order, since a moment: those stored before
 * this one, unless they were dropped, and those that have left, because a transaction that began
 * earlier may end later.
 */
export async function countLetters(
  db: Db,
  mail: Pick<MailRow, 'id' | 'kind' | 'key' | 'created_at'>,
  since: number,
): Promise<number> {
  const earlier = db('mails')
    .whereNull('order_id')
    .where({ kind: mail.kind, key: mail.key })
    .whereNot({ state: 'dropped' })
    .where('created_at', '>', since)
    .where((b) =>
      b
        .where('created_at', '<', mail.created_at)
        .orWhere((c) => c.where('created_at', mail.created_at).where('id', '<', mail.id))
        .orWhere((c) => c.where('state', 'sent').whereNot({ id: mail.id })),
    );
  return countRows(earlier);
}

export interface RefundForMail extends RefundRow {
  line_ids: string[];
}

/**
 * The refund that a mail is about, with its lines. Without an id it is the newest one of the
 * cancelled event, or of a late payment.
 */
export async function refundForMail(
  db: Db,
  order_id: string,
  { kind, id }: { kind: MailKind; id: string },
): Promise<RefundForMail | null> {
  const origin = kind === 'event_cancelled' ? kind : 'late_payment';
  const refunds = db<RefundRow>('refunds').where({ order_id });
  const refund = await (
    id === '' ? refunds.where({ origin }).orderBy('created_at', 'desc') : refunds.where({ id })
  ).first();
  return refund
    ? {
        ...refund,
        line_ids: await db<RefundLineRow>('refund_lines')
          .where({ refund_id: refund.id })
          .pluck('line_id'),
      }
    : null;
}

export type EndingMail = Pick<MailRow, 'id' | 'kind' | 'state' | 'created_at'> &
  Pick<RefundLineRow, 'line_id'> & { refund_state: RefundRow['state'] };

/**
 * The mails to the buyer that may say that tickets of this refund ended, about it or another one
 * of the same lines; one row for each mail and line.
 */
export async function endingMails(
  db: Db,
  { order_id, refund_id }: { order_id: string; refund_id: string },
): Promise<EndingMail[]> {
  const own = db<RefundLineRow>('refund_lines').where({ refund_id }).select('line_id');
  return db('mails')
    .join('refunds', 'refunds.id', 'mails.key')
    .join('refund_lines', 'refund_lines.refund_id', 'refunds.id')
    .where({ 'mails.order_id': order_id })
    .whereIn('mails.kind', ['refunded', 'tickets_ended'])
    .whereIn('refund_lines.line_id', own)
    .select('mails.id', 'mails.kind', 'mails.state', 'mails.created_at')
    .select('line_id', 'refunds.state as refund_state');
}

export interface MailFilter {
  q?: string;
  state?: MailState;
  kind?: MailKind;
  order_id?: string;
}
export interface ListedMail extends MailHead {
  order_number: string | null;
  event_title: string | null;
  event_starts_at: number | null;
  buyer_email: string | null;
}

/** The columns of a MailHead. */
export const mailHead = [
  'id',
  'order_id',
  'event_id',
  'kind',
  'key',
  'message_id',
  'state',
  'attempts',
  'created_at',
  'to_address',
  'subject',
  'sent_at',
  'last_error',
  'forgotten_at',
].map((column) => `mails.${column}`);

function mailsWithOrder(db: Db): Knex.QueryBuilder {
  return db('mails')
    .leftJoin('orders', 'orders.id', 'mails.order_id')
    .leftJoin('events', 'events.id', 'orders.event_id')
    .select(
      'orders.number as order_number',
      'orders.buyer_email',
      'events.title as event_title',
      'events.starts_at as event_starts_at',
    );
}

/** Lists the newest first. */
export async function listMails(
  db: Db,
  { q, state, kind, order_id }: MailFilter,
  page: Page,
): Promise<ListedMail[]> {
  const query = mailsWithOrder(db).select(mailHead);
  newestFirst(query, { table: 'mails', time: 'created_at' }, page);
  if (state !== undefined) query.where('mails.state', state);
  if (kind !== undefined) query.where('mails.kind', kind);
  if (order_id !== undefined) query.where('mails.order_id', order_id);
  if (q) {
    query.where((b) => {
      const words = foundBy(q);
      if (words.length > 0) b.where((named) => whereWords(named, db, words));
      b.orWhere((address) => {
        whereContains(address, db.raw('LOWER(mails.to_address)'), addressKey(q));
      });
    });
  }
  return query;
}

/** A whole mail with its order and the time of the next try. */
export async function findMailInBox(
  db: Db,
  id: string,
): Promise<(MailRow & ListedMail & { run_at: number | null }) | undefined> {
  return mailsWithOrder(db)
    .leftJoin('outbox', (on) =>
      on.on('outbox.subject', 'mails.id').andOn('outbox.task', db.raw('?', ['send_mail'])),
    )
    .select('mails.*', 'outbox.run_at')
    .where('mails.id', id)
    .first();
}
