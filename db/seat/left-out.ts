/** The orders that a change of hall has refunded because it had no place for them, in SQL. */
import type { Db } from '#db/engine/dialect.ts';
import type { OrderRow, RehousingRow } from '#db/rows.ts';

/** With all columns, as the rules of refunds read them. */
export async function fullOrders(db: Db, ids: readonly string[]): Promise<OrderRow[]> {
  return db<OrderRow>('orders')
    .whereIn('id', ids as string[])
    .orderBy('id');
}

interface LeftOutOrder {
  order_id: string;
  number: string;
  buyer_name: string | null;
  tickets: number;
  /** What goes back in all, and what of it by hand; both in cents. */ amount_cents: number;
  by_hand_cents: number;
}

/** By the number of the order. */
export async function refundedByRun(
  db: Db,
  { id }: Pick<RehousingRow, 'id'>,
): Promise<LeftOutOrder[]> {
  const orders: Omit<LeftOutOrder, 'amount_cents' | 'by_hand_cents'>[] = await db(
    'rehoused_lines as x',
  )
    .where({ 'x.rehousing_id': id, 'x.refund_marked': 1, 'o.state': 'confirmed' })
    .join('orders as o', 'o.id', 'x.order_id')
    .groupBy('x.order_id', 'o.number', 'o.buyer_name')
    .orderBy('o.number')
    .select('x.order_id', 'o.number', 'o.buyer_name')
    .count({ tickets: '*' });
  const refunds: { order_id: string; kind: string; amount_cents: number }[] = await db('refunds')
    .where({ origin: 'rehoused' })
    .whereIn('order_id', db('rehoused_lines').where({ rehousing_id: id }).select('order_id'))
    .select('order_id', 'kind', 'amount_cents');
  return orders.map((order) => {
    const own = refunds.filter(({ order_id }) => order_id === order.order_id);
    const sum = (some: typeof own) => some.reduce((cents, one) => cents + one.amount_cents, 0);
    const by_hand_cents = sum(own.filter(({ kind }) => kind === 'manual'));
    return { ...order, tickets: Number(order.tickets), amount_cents: sum(own), by_hand_cents };
  });
}
