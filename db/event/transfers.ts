/** Orders that the office takes to another date together, in SQL (RULES E7). */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { insertMany } from '#db/engine/statements.ts';
import type { OrderRow, TransferOrderRow, TransferRow } from '#db/rows.ts';
import type { TransferState } from '#server/domain/counter/transfer.ts';

export async function insertTransfer(
  trx: Trx,
  transfer: TransferRow,
  orders: readonly TransferOrderRow[],
): Promise<void> {
  await trx<TransferRow>('transfers').insert(transfer);
  await insertMany(trx, 'transfer_orders', orders);
}

export async function findTransfer(db: Db, id: string): Promise<TransferRow | undefined> {
  return db<TransferRow>('transfers').where({ id }).first();
}

/** The newest of an event, whether it has ended or not. */
export async function lastTransfer(db: Db, event_id: string): Promise<TransferRow | undefined> {
  return db<TransferRow>('transfers').where({ event_id }).orderBy('created_at', 'desc').first();
}

/** Removes one that was taken back before it began. */
export async function dropTransfer(trx: Trx, id: string): Promise<void> {
  await trx<TransferOrderRow>('transfer_orders').where({ transfer_id: id }).delete();
  await trx<TransferRow>('transfers').where({ id }).delete();
}

export async function finishTransfer(trx: Trx, id: string, finished_at: number): Promise<void> {
  await trx<TransferRow>('transfers').where({ id, finished_at: null }).update({ finished_at });
}

export async function transferOrdersIn(
  db: Db,
  transfer_id: string,
  state: TransferState,
): Promise<TransferOrderRow[]> {
  return db<TransferOrderRow>('transfer_orders').where({ transfer_id, state }).orderBy('order_id');
}

export async function countTransferOrders(
  db: Db,
  transfer_id: string,
): Promise<Record<TransferState, number>> {
  const rows: { state: TransferState; n: number | string }[] = await db('transfer_orders')
    .where({ transfer_id })
    .groupBy('state')
    .select('state')
    .count({ n: '*' });
  const counts = { waiting: 0, done: 0, left: 0 };
  for (const { state, n } of rows) counts[state] = Number(n);
  return counts;
}

export type TransferOrderShown = Pick<TransferOrderRow, 'order_id' | 'obstacle'> &
  Pick<OrderRow, 'number' | 'buyer_name'>;

/** The orders that stay, by number; at most `limit`. */
export async function ordersLeft(
  db: Db,
  transfer_id: string,
  limit: number,
): Promise<TransferOrderShown[]> {
  return db('transfer_orders')
    .join('orders', 'orders.id', 'transfer_orders.order_id')
    .where({ transfer_id, 'transfer_orders.state': 'left' })
    .orderBy('orders.number')
    .limit(limit)
    .select(
      'transfer_orders.order_id',
      'transfer_orders.obstacle',
      'orders.number',
      'orders.buyer_name',
    );
}

/** Returns false if the order does not wait any more. */
export async function turnTransferOrder(
  db: Db,
  { transfer_id, order_id }: Pick<TransferOrderRow, 'transfer_id' | 'order_id'>,
  changes: Partial<TransferOrderRow>,
): Promise<boolean> {
  const turned = await db<TransferOrderRow>('transfer_orders')
    .where({ transfer_id, order_id, state: 'waiting' })
    .update(changes);
  return turned === 1;
}
