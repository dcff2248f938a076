/** What agreements sold and gave back, in SQL: as the lines of orders say it, never the rules of today. */
import type { Knex } from 'knex';
import { withoutRehearsals } from '#db/event/events.ts';
import type { Db } from '#db/engine/dialect.ts';
import { linesOfRefunds, ofConvention } from '#db/joins.ts';
import { givenAt } from '#db/payment/refunds.ts';
import { countedRefunds, type RefundState } from '#server/domain/payment/refund.ts';

export interface ConventionSpan {
  from: number;
  to: number;
}

/** Lines of an event with the same reasons; sums of cents. */
export interface ConventionSales {
  event_id: string;
  event_title: string;
  starts_at: number;
  price_reasons: string;
  tickets: number;
  list_cents: number;
  paid_cents: number;
  given_cents: number;
}

const by = ['events.id', 'events.title', 'events.starts_at', 'order_lines.price_reasons'];

function linesOfConventions(db: Db, query: Knex.QueryBuilder): Knex.QueryBuilder {
  return withoutRehearsals(db, query, 'events.id')
    .whereRaw(`order_lines.price_reasons ${ofConvention}`)
    .groupBy(by)
    .select(
      'events.id as event_id',
      'events.title as event_title',
      'events.starts_at',
      'order_lines.price_reasons',
    );
}

/** Lines of orders that were confirmed in this time; the list price has the fee that was paid. */
export async function conventionSales(
  db: Db,
  { from, to }: ConventionSpan,
): Promise<ConventionSales[]> {
  const sold = db('orders')
    .join('order_lines', 'order_lines.order_id', 'orders.id')
    .join('events', 'events.id', 'orders.event_id')
    .where('orders.confirmed_at', '>=', from)
    .where('orders.confirmed_at', '<', to);
  const rows: ConventionSales[] = await linesOfConventions(db, sold)
    .count({ tickets: 'order_lines.id' })
    .select(
      db.raw('SUM(order_lines.list_cents + order_lines.fee_cents) AS list_cents'),
      db.raw('SUM(order_lines.price_cents + order_lines.fee_cents) AS paid_cents'),
    );
  return rows.map((row) => numbered({ ...row, given_cents: 0 }));
}

/** What was given back of such lines in this time, whenever they were sold. */
export async function conventionReturns(
  db: Db,
  { from, to }: ConventionSpan,
): Promise<ConventionSales[]> {
  const given = db('refunds')
    .join('refund_lines', 'refund_lines.refund_id', 'refunds.id')
    .join('order_lines', linesOfRefunds)
    .join('events', 'events.id', 'order_lines.event_id')
    .whereIn('refunds.state', countedRefunds as RefundState[])
    .whereRaw(`${givenAt} >= ? AND ${givenAt} < ?`, [from, to]);
  const rows: ConventionSales[] = await linesOfConventions(db, given).select(
    db.raw('SUM(refund_lines.price_cents + refund_lines.fee_cents) AS given_cents'),
  );
  return rows.map((row) => numbered({ ...row, tickets: 0, list_cents: 0, paid_cents: 0 }));
}

/** PostgreSQL returns sums as text. */
function numbered(row: ConventionSales): ConventionSales {
  const { tickets, list_cents, paid_cents, given_cents } = row;
  return {
    ...row,
    tickets: Number(tickets),
    list_cents: Number(list_cents),
    paid_cents: Number(paid_cents),
    given_cents: Number(given_cents),
  };
}
