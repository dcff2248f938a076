/** Orders that belong together: the first one, and those that added seats to it later. */
import type { OrderState } from '#server/domain/order/order.ts';
import type { Db } from '#db/engine/dialect.ts';
import type { OrderRow } from '#db/rows.ts';

type Member = Pick<OrderRow, 'id' | 'part_of'>;

/** The id of the first order, to which the others refer. */
export function firstOf({ id, part_of }: Member): string {
  return part_of ?? id;
}

/** The order and all that belong together with it: the first one, then the others by time. */
export async function ordersTogether(db: Db, order: Member): Promise<OrderRow[]> {
  const first = firstOf(order);
  const orders: OrderRow[] = await db<OrderRow>('orders')
    .where({ id: first })
    .orWhere({ part_of: first })
    .orderBy(['created_at', 'id']);
  return orders.toSorted((a, b) => Number(b.id === first) - Number(a.id === first));
}

interface Together extends Pick<OrderRow, 'number' | 'link_key' | 'total_cents' | 'created_at'> {
  order_id: string;
  state: OrderState;
  places: number;
}

/** The same orders in short form for a list; empty if there is only one. */
export async function listTogether(db: Db, order: Member): Promise<Together[]> {
  const orders = await ordersTogether(db, order);
  if (orders.length === 1) return [];
  const counts: { order_id: string; places: number | string }[] = await db('order_lines')
    .whereIn(
      'order_id',
      orders.map(({ id }) => id),
    )
    .groupBy('order_id')
    .select('order_id', db.raw('COUNT(*) AS places'));
  const placesOf = new Map(counts.map(({ order_id, places }) => [order_id, Number(places)]));
  return orders.map((one) => ({ ...one, order_id: one.id, places: placesOf.get(one.id) ?? 0 }));
}
