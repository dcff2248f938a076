/** Taking people out of rows whose purpose is fulfilled: names, addresses and their words go; amounts, states, numbers and ids stay. */
import { partsOfDetail, type AuditDetail } from '#server/domain/audit.ts';
import { readTrouble, reminderMailKinds, type MailKind } from '#server/domain/mail/mail.ts';
import { searchTextOf } from '#server/domain/search.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type {
  AuditRow,
  DeclineRow,
  MailRow,
  OrderNoteRow,
  OrderRow,
  RefundRow,
  SealedAuditRow,
  TicketRow,
} from './rows.ts';

/**
 * Ended orders of events that were over before this, of which nothing is open any more: what waits for a person or a bank still needs its buyer.
 * In the order of their ids, after one of them.
 */
export async function ordersToForget(
  db: Db,
  { over_before, after, limit }: { over_before: number; after: string; limit: number },
): Promise<string[]> {
  const about = (table: string) =>
    db(table).select(db.raw('1')).whereRaw('??.order_id = orders.id', [table]);
  return db('orders')
    .join('events', 'events.id', 'orders.event_id')
    .whereRaw('COALESCE(events.ends_at, events.starts_at) < ?', [over_before])
    .whereNull('orders.buyer_forgotten_at')
    .where('orders.id', '>', after)
    .whereIn('orders.state', ['confirmed', 'deleted'])
    .whereNull('orders.needs_attention')
    .whereNotExists(
      about('refunds').whereIn('refunds.state', [
        'asked',
        'requested',
        'pending',
        'requires_action',
      ]),
    )
    .whereNotExists(about('disputes').whereNull('disputes.closed_at'))
    .whereNotExists(about('mails').where('mails.state', 'waiting'))
    .orderBy('orders.id')
    .limit(limit)
    .pluck('orders.id');
}

/** False: somebody else has done it, or a person must decide about it meanwhile. */
export async function forgetBuyer(trx: Trx, id: string, at: number): Promise<boolean> {
  const order = await trx<OrderRow>('orders')
    .where({ id })
    .whereNull('buyer_forgotten_at')
    .whereNull('needs_attention')
    .forUpdate()
    .first('number');
  if (!order) return false;
  await trx<OrderRow>('orders')
    .where({ id })
    .update({
      buyer_name: null,
      buyer_email: null,
      buyer_phone: null,
      buyer_contact: null,
      buyer_language: null,
      search_text: searchTextOf(order.number),
      buyer_forgotten_at: at,
    });
  await trx<TicketRow>('tickets')
    .where({ order_id: id })
    .update({ holder: null, holder_email: null });
  await trx<DeclineRow>('declines').where({ order_id: id }).update({ buyer_email: null });
  // Why they wanted their money back is the buyer's own story; what the office wrote explains its books.
  await forgetWishes(trx, id);
  await trx<OrderNoteRow>('order_notes').where({ order_id: id }).delete();
  await forgetLetters(
    trx,
    await trx<MailRow>('mails')
      .where({ order_id: id })
      .whereNull('forgotten_at')
      .select('id', 'last_error'),
    at,
  );
  return true;
}

/** The book of what happened keeps that they asked, and for how much; with what goes, goes the salt of its seal. */
async function forgetWishes(trx: Trx, order_id: string): Promise<void> {
  const wishes = await trx<RefundRow>('refunds')
    .where({ order_id, origin: 'buyer' })
    .whereNotNull('reason')
    .update({ reason: null })
    .returning('id');
  const ids = new Set(wishes.map(({ id }) => id));
  const rows = await trx<AuditRow>('audit')
    .where({ subject: order_id })
    .select('id', 'action', 'detail');
  for (const { id, action, detail } of rows) {
    const { plain, personal } = partsOfDetail(action, JSON.parse(detail ?? '{}') as AuditDetail);
    // Why the office gives money back explains its books.
    const isTheirs = Object.keys(personal ?? {}).some(
      (name) => name !== 'reason' || ids.has(String(plain['refund_id'])),
    );
    if (isTheirs)
      await trx<SealedAuditRow>('audit')
        .where({ id })
        .update({ detail: JSON.stringify(plain), personal_salt: null });
  }
}

/** Letters about no order in particular that are older than this; returns how many. */
export async function forgetLooseLetters(
  trx: Trx,
  { created_before, at, limit }: { created_before: number; at: number; limit: number },
): Promise<number> {
  const mails = await trx<MailRow>('mails')
    .whereNull('order_id')
    .whereNull('forgotten_at')
    .whereNot({ state: 'waiting' })
    .where('created_at', '<', created_before)
    .limit(limit)
    .select('id', 'last_error');
  await forgetLetters(trx, mails, at);
  return mails.length;
}

/** Even the hash of an address that waited for a sale says whose it was to whoever tries: the whole row goes. */
export async function dropReminderLetters(db: Db, created_before: number): Promise<void> {
  await db<MailRow>('mails')
    .whereIn('kind', reminderMailKinds as unknown as MailKind[])
    .whereNot({ state: 'waiting' })
    .where('created_at', '<', created_before)
    .delete();
}

/** That it was sent, when, and of which kind stays; what a mail server says may repeat the address. */
async function forgetLetters(
  trx: Trx,
  mails: readonly Pick<MailRow, 'id' | 'last_error'>[],
  forgotten_at: number,
): Promise<void> {
  const blank = { to_address: null, text: null, html: null, attachments: null, forgotten_at };
  for (const [trouble, same] of Map.groupBy(
    mails,
    (mail) => readTrouble(mail.last_error)?.trouble ?? null,
  )) {
    await trx<MailRow>('mails')
      .whereIn(
        'id',
        same.map((mail) => mail.id),
      )
      .update({ ...blank, last_error: trouble });
  }
}
