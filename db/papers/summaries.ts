/** The sums for the accountant and for an event, in SQL. */
import type { Db } from '#db/engine/dialect.ts';
import {
  countedRefunds,
  type PaymentKind,
  type RefundState,
} from '#server/domain/payment/refund.ts';
import type { EntryKind, Rates } from '#server/domain/papers/summary.ts';
import type { Fees } from '#server/domain/price/fees.ts';
import type { TicketState } from '#server/domain/door/admission.ts';
import { withoutRehearsals } from '#db/event/events.ts';
import { ticketsOfLines } from '#db/joins.ts';
import { cameIn, paymentsInTurn } from '#db/payment/payments.ts';
import { refundsByPart } from '#db/payment/refund-parts.ts';
import { givenAt } from '#db/payment/refunds.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';

/** These events, or all events if null, from `from` on and before `to`. */
export interface MoneySpan {
  event_ids: readonly string[] | null;
  from: number;
  to: number;
}

/** What an order was taxed with when it was sold (RULES O20). */
type SoldRates = Pick<OrderRow, keyof Rates>;
const soldRates = [
  'orders.vat_percent',
  'orders.fee_vat_percent',
  'orders.service_vat_percent',
] as const;

/** Rome differs from UTC by whole hours, so hours add up to days in Rome. */
interface Hourly extends SoldRates {
  event_id: string;
  hour: number;
}
const byEvent = ['orders.event_id', ...soldRates];
interface HourlyPayments extends Hourly {
  kind: PaymentKind;
  method: string | null;
  amount_cents: number;
}
interface HourlyRefunds extends HourlyPayments, Fees {}
interface HourlyFees extends Hourly, Fees {}

const hourOf = (time: string) => `${time} / 3600000`;

function paymentsIn(db: Db, { event_ids, from, to }: MoneySpan) {
  const query = db('payments')
    .join('orders', 'orders.id', 'payments.order_id')
    .where('payments.paid_at', '>=', from)
    .where('payments.paid_at', '<', to);
  if (event_ids !== null) query.whereIn('orders.event_id', event_ids as string[]);
  return withoutRehearsals(db, query, 'orders.event_id');
}

export async function paymentsByHour(db: Db, span: MoneySpan): Promise<HourlyPayments[]> {
  const rows: HourlyPayments[] = await paymentsIn(db, span)
    .groupByRaw(`${byEvent.join()}, payments.kind, payments.method, ${hourOf('payments.paid_at')}`)
    .select(...byEvent, 'payments.kind', 'payments.method')
    .select(db.raw(`${hourOf('payments.paid_at')} as hour`))
    .sum({ amount_cents: 'payments.amount_cents' });
  return rows.map((row) => ({ ...row, ...numbersOf(row, ['hour', 'amount_cents']) }));
}

/** Sums surcharges, which are the first part of what an order pays (RULES L9). */
export async function feesByHour(
  db: Db,
  { event_ids, from, to }: MoneySpan,
): Promise<HourlyFees[]> {
  const query = db(db.raw(paymentsInTurn))
    .join('orders', 'orders.id', 'p.order_id')
    .where('orders.fee_cents', '>', 0)
    .where('p.paid_at', '>=', from)
    .where('p.paid_at', '<', to)
    .whereRaw('p.before_cents < orders.fee_cents');
  if (event_ids !== null) query.whereIn('orders.event_id', event_ids as string[]);
  const rows: HourlyFees[] = await withoutRehearsals(db, query, 'orders.event_id')
    .groupByRaw(`${byEvent.join()}, ${hourOf('p.paid_at')}`)
    .select(byEvent)
    .select(db.raw(`${hourOf('p.paid_at')} as hour`))
    .select(db.raw(`SUM(${cameIn('orders.fee_cents')}) as fee_cents`))
    .select(db.raw(`SUM(${cameIn('orders.service_cents')}) as service_cents`));
  return rows.map((row) => ({ ...row, ...numbersOf(row, ['hour', 'fee_cents', 'service_cents']) }));
}

export async function refundsByHour(
  db: Db,
  { event_ids, from, to }: MoneySpan,
): Promise<HourlyRefunds[]> {
  const query = db(db.raw(refundsByPart))
    .join('orders', 'orders.id', 'refunds.order_id')
    .whereIn('refunds.state', countedRefunds as RefundState[])
    .whereRaw(`${givenAt} >= ? AND ${givenAt} < ?`, [from, to]);
  if (event_ids !== null) query.whereIn('orders.event_id', event_ids as string[]);
  const rows: HourlyRefunds[] = await withoutRehearsals(db, query, 'orders.event_id')
    .groupByRaw(`${byEvent.join()}, refunds.kind, refunds.method, ${hourOf(givenAt)}`)
    .select(...byEvent, 'refunds.kind', 'refunds.method')
    .select(db.raw(`${hourOf(givenAt)} as hour`))
    .sum({
      amount_cents: 'refunds.amount_cents',
      fee_cents: 'refunds.fee_cents',
      service_cents: 'refunds.service_cents',
    });
  return rows.map((row) => ({
    ...row,
    ...numbersOf(row, ['hour', 'amount_cents', 'fee_cents', 'service_cents']),
  }));
}

/** Converts sums to numbers, because PostgreSQL returns them as text. */
function numbersOf<T extends object, K extends keyof T>(row: T, names: readonly K[]) {
  return Object.fromEntries(names.map((name) => [name, Math.trunc(Number(row[name]))])) as Record<
    K,
    number
  >;
}

export type TaxedEvent = Pick<EventRow, 'id' | 'title' | 'starts_at' | 'regime' | keyof Rates>;

export async function taxedEvents(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, TaxedEvent>> {
  const rows: TaxedEvent[] = await db<EventRow>('events')
    .whereIn('id', ids as string[])
    .select(
      'id',
      'title',
      'starts_at',
      'regime',
      'vat_percent',
      'fee_vat_percent',
      'service_vat_percent',
    );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The number of tickets with the same facts for the tax law. */
export interface SoldTickets extends SoldRates, Fees {
  category: string;
  /** Null: sold before 1.4.0. */
  entry_kind: EntryKind | null;
  list_cents: number | null;
  ticket_type: string;
  type_label: string;
  state: TicketState;
  price_cents: number;
  tickets: number;
}

export async function ticketsByPrice(db: Db, event_id: string): Promise<SoldTickets[]> {
  const by = [
    'order_lines.category',
    'tickets.ticket_type',
    'tickets.type_label',
    'tickets.state',
    'tickets.price_cents',
    'order_lines.fee_cents',
    'order_lines.service_cents',
    'order_lines.entry_kind',
    'order_lines.list_cents',
    ...soldRates,
  ];
  const rows: SoldTickets[] = await db('tickets')
    .join('order_lines', ticketsOfLines)
    .join('orders', 'orders.id', 'tickets.order_id')
    .where('tickets.event_id', event_id)
    .groupBy(by)
    .select(by)
    .count({ tickets: 'tickets.id' });
  return rows.map((row) => ({ ...row, tickets: Number(row.tickets) }));
}

/** Counts the valid tickets that cost nothing. */
export async function freeTickets(
  db: Db,
  event_id: string,
): Promise<{ category: string; ticket_type: string; tickets: number }[]> {
  const by = ['order_lines.category', 'tickets.ticket_type'];
  const rows: { category: string; ticket_type: string; tickets: number | string }[] = await db(
    'tickets',
  )
    .join('order_lines', ticketsOfLines)
    .where({ 'tickets.event_id': event_id, 'tickets.state': 'valid', 'order_lines.price_cents': 0 })
    .groupBy(by)
    .select(by)
    .count({ tickets: 'tickets.id' });
  return rows.map((row) => ({ ...row, tickets: Number(row.tickets) }));
}

/** Counts the places of the hall by category (ordine di posti). */
export async function placesByCategory(
  db: Db,
  event_id: string,
): Promise<{ category: string; category_key: string; places: number }[]> {
  const rows: { category: string; category_key: string; places: number }[] = await db('places')
    .where({ event_id, in_hall: 1 })
    .groupBy('category', 'category_key')
    .orderBy('category')
    .select('category', 'category_key')
    .count({ places: 'place' });
  return rows.map((row) => ({ ...row, places: Number(row.places) }));
}
