/**
 * The sales of an event for reports, row by row: confirmed orders with their places, payments and
 * refunds.
 */
import type { Channel } from '#server/domain/counter/counter.ts';
import { countedRefunds, type PaymentKind } from '#server/domain/payment/refund.ts';
import type { Db } from '#db/engine/dialect.ts';
import { marksFor, readRows } from '#db/engine/statements.ts';

interface SoldOrder {
  id: string;
  channel: Channel;
  total_cents: number;
  confirmed_at: number;
}
/** A place as it was sold, or the place to which it was moved; refunded ones are included. */
interface SoldLine {
  order_id: string;
  category: string;
  type_label: string;
  price_cents: number;
  fee_cents: number;
}
interface MoneyIn {
  kind: Exclude<PaymentKind, 'free'>;
  method: string | null;
  amount_cents: number;
  paid_at: number;
}
/** `at` is the time of the decision. */
interface MoneyBack {
  kind: Exclude<PaymentKind, 'free'>;
  amount_cents: number;
  fee_cents: number;
  at: number;
}

interface SalesRows {
  orders: SoldOrder[];
  lines: SoldLine[];
  payments: MoneyIn[];
  refunds: MoneyBack[];
}

const ofEvent = `orders o WHERE o.event_id = ? AND o.state = 'confirmed'`;

export async function salesRows(db: Db, event_id: string): Promise<SalesRows> {
  return {
    orders: await readRows<SoldOrder>(
      db,
      `SELECT o.id, o.channel, o.total_cents, o.confirmed_at FROM ${ofEvent}`,
      [event_id],
    ),
    lines: await readRows<SoldLine>(
      db,
      `SELECT l.order_id, p.category, l.type_label, l.price_cents, l.fee_cents
      FROM order_lines l JOIN places p ON p.event_id = l.event_id AND p.place = l.place
      WHERE l.order_id IN (SELECT o.id FROM ${ofEvent})`,
      [event_id],
    ),
    payments: await readRows<MoneyIn>(
      db,
      `SELECT kind, method, amount_cents, paid_at FROM payments WHERE order_id IN (SELECT o.id FROM ${ofEvent})`,
      [event_id],
    ),
    refunds: await readRows<MoneyBack>(
      db,
      `SELECT kind, amount_cents, fee_cents, COALESCE(decided_at, created_at) AS at FROM refunds
      WHERE state IN (${marksFor(countedRefunds)}) AND order_id IN (SELECT o.id FROM ${ofEvent})`,
      [...countedRefunds, event_id],
    ),
  };
}
