/**
 * Counts the money report again, slowly: loops over all rows, without any code of the product's
 * reports.
 */
import type { Pool } from '#db/engine/dialect.ts';
import { into, rome, type Numbers, type Row } from './slow-count.ts';

const names: Record<string, string> = {
  card: 'Carta',
  satispay: 'Satispay',
  cash: 'Contanti',
  pos: 'POS',
  transfer: 'Bonifico',
};
const onItsWayBack = ['requested', 'pending', 'requires_action', 'succeeded'];

function nameOf(kind: unknown, method: unknown): string {
  if (typeof method === 'string') return names[method]!;
  return kind === 'stripe' ? 'Online' : 'A mano';
}

/** The money of these events; `within`: only movements on these days. */
export async function slowMoney(
  db: Pool,
  { event_ids, now }: { event_ids: readonly string[]; now: number },
  within: { from: string; to: string } | null = null,
) {
  const all = async (table: string): Promise<Row[]> => db(table).select();
  const [payments, lines, events] = [
    await all('payments'),
    await all('payout_lines'),
    await all('events'),
  ];
  const parts = await all('refund_parts');
  const orders = new Map(
    (await all('orders'))
      .filter((order) => event_ids.includes(String(order['event_id'])))
      .map((order) => [order.id, order]),
  );
  const isIn = (ms: unknown) => {
    const { day } = rome(ms);
    return within === null || (day >= within.from && day <= within.to);
  };
  const counts = (row: Row, at: unknown) => orders.has(String(row['order_id'])) && isIn(at);
  const methods: Numbers = {};
  const [on_the_way, gifts, reservations]: [Numbers, Numbers, Numbers] = [{}, {}, {}];
  const shift_ids = new Set<unknown>();
  const sums = { gross: 0, presale: 0, service: 0, stripe_fees: 0, refunded: 0 };
  /** Surcharges: the service commission is a part of them. */
  const charged = (row: Row, sign: 1 | -1) => {
    const service = Number(row['service_cents']);
    sums.service += sign * service;
    sums.presale += sign * (Number(row['fee_cents']) - service);
  };
  const disputes = { disputed: 0, disputed_open: 0, dispute_fees: 0 };

  for (const payment of payments) {
    if (!counts(payment, payment['paid_at']) || payment['kind'] === 'exchange') continue;
    const [cents, fee] = [
      Number(payment['amount_cents']),
      Number(payment['stripe_fee_cents'] ?? 0),
    ];
    sums.gross += cents;
    sums.stripe_fees += fee;
    into(methods, nameOf(payment['kind'], payment['method']), [1, cents, 0, fee, cents - fee]);
    shift_ids.add(payment['shift_id']);
    if (payment['kind'] !== 'stripe') continue;
    const known = lines.filter(
      (line) => line['kind'] === 'charge' && line['source_id'] === payment['charge_id'],
    );
    if (known.some((line) => line['payout_id'] !== '')) continue;
    const free = known[0]?.['available_at'];
    const day = free === undefined ? '' : rome(Math.max(Number(free), now)).day;
    into(on_the_way, day, [1, cents, fee, cents - fee]);
  }

  for (const refund of await all('refunds')) {
    const at = refund['decided_at'] ?? refund['created_at'];
    if (!counts(refund, at) || !onItsWayBack.includes(String(refund['state']))) continue;
    const paid = payments.find(
      (payment) =>
        payment['payment_intent'] !== null &&
        payment['payment_intent'] === refund['payment_intent'],
    );
    const cents = Number(refund['amount_cents']);
    charged(refund, -1);
    // Its money is at the other evening now, or is left to the house.
    if (refund['kind'] === 'exchange' || refund['kind'] === 'gift') continue;
    sums.refunded += cents;
    const own = parts.filter((part) => part['refund_id'] === refund.id);
    for (const part of own.length > 0 ? own : [refund]) {
      const way = nameOf(refund['kind'], part['method'] ?? paid?.['method'] ?? null);
      const back = Number(part['amount_cents']);
      into(methods, way, [0, 0, back, 0, -back]);
      shift_ids.add(part['shift_id']);
    }
  }

  for (const dispute of await all('disputes')) {
    if (!counts(dispute, dispute['created_at'])) continue;
    const cents = Number(dispute['amount_cents']);
    if (['needs_response', 'lost'].includes(String(dispute['status']))) disputes.disputed += cents;
    if (dispute['status'] === 'needs_response') disputes.disputed_open += cents;
    for (const line of lines)
      if (line['source_id'] === dispute.id) disputes.dispute_fees += Number(line['fee_cents']);
  }

  for (const order of orders.values()) {
    const came = payments
      .filter((payment) => payment['order_id'] === order.id)
      .map((payment) => Number(payment['paid_at']));
    if (Number(order['paid_cents']) > 0 && isIn(order['confirmed_at'] ?? Math.min(...came)))
      charged(order, 1);
    if (order['state'] === 'confirmed' && isIn(order['confirmed_at'])) {
      const standing = await db('tickets').where({ order_id: order.id, state: 'valid' });
      if (order['gift_reason'] !== null && standing.length > 0)
        into(gifts, String(order['gift_reason']), [1, standing.length]);
    }
    if (order['state'] === 'awaiting_payment' && order['channel'] === 'counter')
      into(reservations, events.find(({ id }) => id === order['event_id'])!.id, [
        1,
        (await db('order_lines').where({ order_id: order.id })).length,
        Number(order['total_cents']),
      ]);
  }

  const net =
    sums.gross - sums.refunded - disputes.disputed - sums.stripe_fees - disputes.dispute_fees;
  const shifts = (await all('shifts')).filter(({ id }) => shift_ids.has(id)).length;
  const reserved = Object.values(reservations);
  return { sums: { ...sums, ...disputes, net }, methods, on_the_way, gifts, reserved, shifts };
}
