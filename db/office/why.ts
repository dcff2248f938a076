/**
 * Rows that explain what happened to payments: orders of an address or a time, received webhooks,
 * and waiting work.
 */
import { addressKey } from '#server/domain/text/mail-address.ts';
import type { Db } from '#db/engine/dialect.ts';
import type { DeclineRow, OrderRow, OutboxRow, WebhookEventRow } from '#db/rows.ts';

/** Finds orders by the buyer's address or by one typed at a failed attempt, the newest first. */
export async function orderIdsOfAddress(db: Db, email: string, limit: number): Promise<string[]> {
  const tried = db<DeclineRow>('declines')
    .whereRaw('LOWER(buyer_email) = ?', [addressKey(email)])
    .select('order_id');
  return db<OrderRow>('orders')
    .whereRaw('LOWER(buyer_email) = ?', [addressKey(email)])
    .orWhereIn('id', tried)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .pluck('id');
}

/** Orders with audit entries or failed attempts in that time, the oldest first. */
export async function orderIdsOfTime(
  db: Db,
  { from, until, limit }: { from: number; until: number; limit: number },
): Promise<string[]> {
  const audited = db('audit').where('at', '>=', from).where('at', '<', until).select('subject');
  const tried = db('declines').where('at', '>=', from).where('at', '<', until).select('order_id');
  return db<OrderRow>('orders')
    .whereIn('id', audited)
    .orWhereIn('id', tried)
    .orderBy('created_at')
    .limit(limit)
    .pluck('id');
}

export async function webhooksOfOrder(db: Db, order_id: string): Promise<WebhookEventRow[]> {
  return db<WebhookEventRow>('webhook_events').where({ order_id }).orderBy('received_at');
}

/** Unfinished work about an order. */
export async function waitingWork(db: Db, order: OrderRow): Promise<OutboxRow[]> {
  const subjects = [order.id, ...(order.payment_intent === null ? [] : [order.payment_intent])];
  const mails = db('mails').where({ order_id: order.id }).select('id');
  return db<OutboxRow>('outbox')
    .whereIn('subject', subjects)
    .orWhereIn('subject', mails)
    .orderBy('run_at');
}
