/** Messages to many buyers in SQL: the request, its recipients, and the state of each mail. */
import type { MessageAct, Recipient, RecipientState } from '#server/domain/mail/message.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { newestFirst, type Page } from '#db/engine/page.ts';
import type { MailRow, MessageOrderRow, MessageRow } from '#db/rows.ts';
import { insertMany } from '#db/engine/statements.ts';

export async function insertMessage(
  trx: Trx,
  message: MessageRow,
  recipients: readonly Recipient[],
): Promise<void> {
  await trx<MessageRow>('messages').insert(message);
  const rows = recipients.flatMap(({ lead, orders }, position) =>
    orders.map((order) => ({
      message_id: message.id,
      order_id: order.id,
      lead_order_id: lead.id,
      position,
      mail_id: null,
    })),
  );
  await insertMany(trx, 'message_orders', rows);
}

export async function findMessage(db: Db, id: string): Promise<MessageRow | undefined> {
  return db<MessageRow>('messages').where({ id }).first();
}

export async function messageOfKey(db: Db, ask_key: string): Promise<MessageRow | undefined> {
  return db<MessageRow>('messages').where({ ask_key }).first();
}

/**
 * The newest message of this kind about any of these events since a moment, except cancelled
 * ones.
 */
export async function recentMessage(
  db: Db,
  event_ids: readonly string[],
  since: number,
  act: MessageAct = 'message',
): Promise<MessageRow | undefined> {
  return db<MessageRow>('messages')
    .where({ act })
    .whereNull('withdrawn_at')
    .where('created_at', '>', since)
    .whereExists(
      db('message_orders')
        .join('orders', 'orders.id', 'message_orders.order_id')
        .select('orders.id')
        .whereRaw('message_orders.message_id = messages.id')
        .whereIn('orders.event_id', event_ids as string[]),
    )
    .orderBy('created_at', 'desc')
    .first();
}

/** Returns false if the message was cancelled or another process has begun it. */
export async function beginMessage(db: Db, id: string, at: number): Promise<boolean> {
  return (await untouched(db, id).update({ begun_at: at })) === 1;
}

/** Returns false if the message has begun. */
export async function withdrawMessage(trx: Trx, id: string, at: number): Promise<boolean> {
  return (await untouched(trx, id).update({ withdrawn_at: at })) === 1;
}

/** Stops a running message. Returns false if it was cancelled, or if all its mails were sent. */
export async function haltMessage(trx: Trx, id: string, at: number): Promise<boolean> {
  const query = trx<MessageRow>('messages').where({ id }).whereNotNull('begun_at');
  query.whereNull('withdrawn_at').whereNull('stopped_at');
  query.where((b) => b.whereNull('finished_at').orWhereExists(untried(trx, id)));
  if ((await query.update({ stopped_at: at, finished_at: null })) !== 1) return false;
  await takeBack(trx, id);
  return true;
}

/** Returns false if the message is not stopped. */
export async function continueMessage(trx: Trx, id: string): Promise<boolean> {
  const query = trx<MessageRow>('messages').where({ id }).whereNotNull('stopped_at');
  return (await query.update({ stopped_at: null })) === 1;
}

/** Mails of the message that no mail server has accepted yet. */
function untried(db: Db, message_id: string) {
  return db<MailRow>('mails')
    .whereIn(
      'id',
      db('message_orders').where({ message_id }).whereNotNull('mail_id').select('mail_id'),
    )
    .where({ state: 'waiting', attempts: 0 });
}

/**
 * Deletes unsent mails; resuming the message stores them again. A process that is about to send
 * one notices that its row is missing.
 */
async function takeBack(trx: Trx, message_id: string): Promise<void> {
  await untried(trx, message_id).delete();
  await trx<MessageOrderRow>('message_orders')
    .where({ message_id })
    .whereNotNull('mail_id')
    .whereNotExists(trx('mails').select('id').whereRaw('mails.id = message_orders.mail_id'))
    .update({ mail_id: null });
}

/** Whether the message is stopped; it stays as it is until the transaction ends. */
export async function isStopped(trx: Trx, id: string): Promise<boolean> {
  const row = await trx<MessageRow>('messages').where({ id }).forUpdate().first('stopped_at');
  return row?.stopped_at != null;
}

function untouched(db: Db, id: string) {
  return db<MessageRow>('messages').where({ id }).whereNull('begun_at').whereNull('withdrawn_at');
}

export async function finishMessage(trx: Trx, id: string, at: number): Promise<void> {
  await trx<MessageRow>('messages')
    .where({ id })
    .whereNull('finished_at')
    .update({ finished_at: at });
}

/**
 * The next orders without a stored mail; their rows are locked, so that only one process stores
 * it.
 */
export async function nextRecipients(
  trx: Trx,
  message_id: string,
  limit: number,
): Promise<string[]> {
  return trx<MessageOrderRow>('message_orders')
    .where({ message_id })
    .whereNull('mail_id')
    .whereRaw('order_id = lead_order_id')
    .orderBy('position')
    .limit(limit)
    .forUpdate()
    .pluck('order_id');
}

export async function noteRecipient(
  trx: Trx,
  { message_id, order_id, mail_id }: Record<'message_id' | 'order_id' | 'mail_id', string>,
): Promise<void> {
  await trx<MessageOrderRow>('message_orders').where({ message_id, order_id }).update({ mail_id });
}

/** The orders that the mail to one buyer is about, the oldest first. */
export async function ordersOfRecipient(
  db: Db,
  { message_id, lead_order_id }: { message_id: string; lead_order_id: string },
): Promise<string[]> {
  return db('message_orders')
    .join('orders', 'orders.id', 'message_orders.order_id')
    .where({ message_id, lead_order_id })
    .orderBy(['orders.created_at', 'orders.id'])
    .pluck('orders.id');
}

/** Lists the newest first. */
export async function listMessages(
  db: Db,
  event_id: string | undefined,
  page: Page,
): Promise<(MessageRow & { event_title: string | null; event_starts_at: number | null })[]> {
  const query = db('messages')
    .leftJoin('events', 'events.id', 'messages.event_id')
    .select('messages.*', 'events.title as event_title', 'events.starts_at as event_starts_at');
  newestFirst(query, { table: 'messages', time: 'created_at' }, page);
  if (event_id !== undefined) query.where('messages.event_id', event_id);
  return query;
}

/** One state, derived from the mail's state and the mail server's answer. */
const stateSql = `CASE WHEN mails.id IS NULL OR mails.state = 'waiting' THEN 'queued'
  WHEN mails.state = 'sent' AND mails.last_error LIKE 'not_set_up%' THEN 'kept'
  WHEN mails.state = 'failed' AND (mails.last_error LIKE 'rejected%' OR mails.last_error LIKE 'bounced%') THEN 'bounced'
  ELSE mails.state END`;

function recipientsOf(db: Db, message_ids: readonly string[]) {
  return db('message_orders')
    .leftJoin('mails', 'mails.id', 'message_orders.mail_id')
    .whereIn('message_orders.message_id', message_ids as string[])
    .whereRaw('message_orders.order_id = message_orders.lead_order_id');
}

export async function countRecipients(
  db: Db,
  message_ids: readonly string[],
): Promise<{ message_id: string; state: RecipientState; n: number }[]> {
  const rows: { message_id: string; state: RecipientState; n: number | string }[] =
    await recipientsOf(db, message_ids)
      .select('message_orders.message_id', db.raw(`${stateSql} AS state`))
      .count({ n: '*' })
      .groupBy('message_orders.message_id', db.raw(stateSql));
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

interface ListedRecipient extends Pick<MailRow, 'to_address' | 'last_error' | 'sent_at'> {
  id: string;
  position: number;
  state: RecipientState;
  mail_id: string | null;
  number: string;
  buyer_name: string | null;
}

/** Lists recipients in the order of sending. */
export async function listRecipients(
  db: Db,
  message_id: string,
  { state, limit, after }: { state: RecipientState | undefined } & Page,
): Promise<ListedRecipient[]> {
  const query = recipientsOf(db, [message_id])
    .join('orders', 'orders.id', 'message_orders.order_id')
    .select(
      'orders.id',
      'orders.number',
      'orders.buyer_name',
      'message_orders.position',
      'message_orders.mail_id',
      'mails.last_error',
      'mails.sent_at',
      db.raw('COALESCE(mails.to_address, orders.buyer_email) AS to_address'),
      db.raw(`${stateSql} AS state`),
    )
    .orderBy('message_orders.position')
    .limit(limit);
  if (state !== undefined) query.whereRaw(`${stateSql} = ?`, [state]);
  // A cursor comes from outside; PostgreSQL refuses a number that is too large for a position.
  if (after !== null)
    query.where('message_orders.position', '>', Math.min(after.at, 2_147_483_647));
  return query;
}
