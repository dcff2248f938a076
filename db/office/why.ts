/**
 * What happened to payments, to explain them: orders of an address or a time, webhooks that came,
 * work that waits.
 */
import type { Db } from '#db/engine/dialect.ts';
import type { DeclineRow, OrderRow, OutboxRow, WebhookEventRow } from '#db/rows.ts';

/** The newest first: by the order's own address, or by one that was typed at a failed attempt. */
export async function orderIdsOfAddress(db: Db, email: string, limit: number): Promise<string[]> {
  const tried = db<DeclineRow>('declines')
    .whereRaw('LOWER(buyer_email) = LOWER(?)', [email])
    .select('order_id');
  return db<OrderRow>('orders')
    .whereRaw('LOWER(buyer_email) = LOWER(?)', [email])
    .orWhereIn('id', tried)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .pluck('id');
}

/** Orders with audit entries of that time, the oldest first. */
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

/** Work about an order that is not done yet. */
export async function waitingWork(db: Db, order: OrderRow): Promise<OutboxRow[]> {
  const subjects = [order.id, ...(order.payment_intent === null ? [] : [order.payment_intent])];
  const mails = db('mails').where({ order_id: order.id }).select('id');
  return db<OutboxRow>('outbox')
    .whereIn('subject', subjects)
    .orWhereIn('subject', mails)
    .orderBy('run_at');
}
