/**
 * Visitors who buy through the proxy, one order after the other, and record every failed answer.
 */
import { bookSeats, orderStatus } from '#server/contract/order/orders.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { until, sessionIn } from '#tests/support/make.ts';
import { event } from '#tests/support/patron.ts';
import { askSafely, type SafeAnswer } from './ask.ts';
import type { Houses } from './houses.ts';

/** The parts of the houses that a purchase needs. */
type Vendors = Pick<Houses, 'standins' | 'seats'>;

export interface Traffic {
  requests: number;
  /** The method, the path, and the failed answer or error. */
  failures: string[];
  /** The ids of confirmed orders. */
  orders: string[];
}

/** Pairs of neighbours that leave no single seat. */
export async function pairsOf({ seats }: Pick<Houses, 'seats'>): Promise<string[][]> {
  const free = (await seats.objects(event)).filter(
    ({ kind, status }) => kind === 'seat' && status === 'free',
  );
  const byLabel = new Map(free.map((seat) => [seat.label, seat]));
  const pairs: string[][] = [];
  for (const first of free.filter(({ left }) => left === null)) {
    const row = [first];
    while (row.at(-1)!.right !== null && byLabel.has(row.at(-1)!.right!))
      row.push(byLabel.get(row.at(-1)!.right!)!);
    // A row with an odd number of seats leaves its last three free.
    for (let at = 0; at + 2 <= row.length && row.length - at !== 3; at += 2)
      pairs.push([row[at]!.label, row[at + 1]!.label]);
  }
  return pairs;
}

/** Ends between two orders once `isOver` is true. */
export async function sendTraffic(
  url: string,
  houses: Vendors,
  { pairs, isOver, traffic }: { pairs: string[][]; isOver: () => boolean; traffic: Traffic },
): Promise<void> {
  let from = '';
  const send = async (method: string, path: string, body?: unknown): Promise<SafeAnswer> => {
    traffic.requests += 1;
    try {
      const answer = await askSafely(url, path, { method, body, from });
      if (answer.status >= 400)
        traffic.failures.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
      return answer;
    } catch (error) {
      traffic.failures.push(`${method} ${path}: ${String(error)}`);
      throw error;
    }
  };
  while (!isOver() && pairs.length > 0) {
    // Each order has another visitor, because one address gets only some tokens in a minute.
    from = `127.1.${pairs.length >> 8}.${pairs.length & 255}`;
    const order_id = await buy(send, houses, pairs.shift()!).catch(() => null);
    if (order_id !== null) traffic.orders.push(order_id);
  }
}

async function buy(
  send: (method: string, path: string, body?: unknown) => Promise<SafeAnswer>,
  { standins }: Vendors,
  pair: string[],
): Promise<string> {
  const room = `/standins/seatsio/system/public/${standins.seatsio!.workspaceKey}`;
  const held = await send('POST', `${room}/hold-tokens`);
  const { holdToken } = held.body as { holdToken: string };
  await send('POST', `${room}/events/${event}/actions/hold`, {
    holdToken,
    objects: pair.map((objectId) => ({ objectId })),
  });
  await send('GET', `/event/${event}`);
  const booked = await send('POST', addressOf(bookSeats, { eventId: event }), {
    hold_token: holdToken,
    selected_objects: pair.map((object_id) => ({ object_id, ticket_type: 'intero' })),
  });
  const { order_id, checkout_url } = booked.body as { order_id: string; checkout_url: string };
  const till = `/standins/stripe/v1/payment_pages/${sessionIn(checkout_url)}`;
  const page = await send('GET', till);
  await send('POST', `${till}/confirm`, {
    payment_method: 'pm_card_visa',
    expected_amount: (page.body as { amount_total: number }).amount_total,
    email: 'eva@example.it',
    name: 'Eva',
  });
  await until(async () => {
    const status = await send('GET', addressOf(orderStatus, { orderId: order_id }));
    return (status.body as { order_confirmed_at: unknown }).order_confirmed_at !== null;
  });
  return order_id;
}
