/** The figures of the office's first page in SQL. */
import type { Span } from '#server/domain/time/day.ts';
import type { Db } from '#db/engine/dialect.ts';
import { withoutRehearsals } from '#db/event/events.ts';
import type { EventRow } from '#db/rows.ts';

interface Sales {
  orders: number;
  tickets: number;
  paid_cents: number;
}

/** Sums the confirmed orders that were made in this span. */
export async function salesIn(db: Db, { from, to }: Span): Promise<Sales> {
  const made = () =>
    withoutRehearsals(db, db('orders'), 'orders.event_id')
      .where('orders.created_at', '>=', from)
      .where('orders.created_at', '<', to)
      .whereNotNull('orders.confirmed_at');
  const [sums, lines] = [
    await made().count({ orders: '*' }).sum({ paid_cents: 'orders.paid_cents' }).first(),
    await made()
      .join('order_lines', 'order_lines.order_id', 'orders.id')
      .count({ tickets: '*' })
      .first(),
  ];
  return {
    orders: Number(sums?.['orders'] ?? 0),
    tickets: Number(lines?.['tickets'] ?? 0),
    paid_cents: Number(sums?.['paid_cents'] ?? 0),
  };
}

export type Evening = Pick<EventRow, 'id' | 'title' | 'starts_at' | 'doors_at' | 'status'>;

/** Events that begin in this span, without drafts and rehearsals. */
export async function eveningsIn(db: Db, { from, to }: Span): Promise<Evening[]> {
  return db<EventRow>('events')
    .where('starts_at', '>=', from)
    .where('starts_at', '<', to)
    .where({ rehearsal: 0 })
    .whereNot({ status: 'draft' })
    .orderBy([{ column: 'starts_at' }, { column: 'id' }])
    .select('id', 'title', 'starts_at', 'doors_at', 'status');
}
