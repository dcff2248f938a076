/** Visitors of a soak: choose two seats, book them, and pay, give them back or go away; and those who only look at the map. */
import { setTimeout as pause } from 'node:timers/promises';
import { addressOf } from '#server/contract/endpoint.ts';
import { bookSeats, cancelCheckout, orderStatus } from '#server/contract/order/orders.ts';
import { getEvent } from '#server/contract/events.ts';
import type { HoldTokenInfo } from '#server/standins/seatsio/wire.ts';
import { sessionIn, type Chosen } from '#tests/support/make.ts';
import type { World } from './world.ts';

/** Each holds its own seats; 127 times 255 addresses are enough for a night. */
function addressOfVisitor(world: World): string {
  return `10.${world.chance(250)}.${world.chance(250)}.${world.chance(250)}`;
}

interface HeldSeats {
  event_id: string;
  hold_token: string;
  selected_objects: Chosen[];
  from: string;
}

/** Null: somebody else was faster, or nothing is left. */
export async function holdPair(world: World): Promise<HeldSeats | null> {
  const { ledger } = world;
  const found = await world.takePair();
  if (found === null) return null;
  const { event_id, seats } = found;
  const from = addressOfVisitor(world);
  const made = await ledger.send('POST', `${world.room}/hold-tokens`, { from });
  const { holdToken } = made.body as HoldTokenInfo;
  const held = await ledger.send('POST', `${world.room}/events/${event_id}/actions/hold`, {
    from,
    body: { holdToken, objects: seats.map((objectId) => ({ objectId })) },
  });
  ledger.count(held.status === 200 ? 'holds' : 'holds refused');
  if (held.status !== 200) return null;
  const selected_objects = seats.map((object_id) => ({ object_id, ticket_type: 'intero' }));
  return { event_id, hold_token: holdToken, selected_objects, from };
}

export async function visit(world: World): Promise<void> {
  const { ledger } = world;
  const held = await holdPair(world);
  if (held === null) return;
  const { from, event_id, hold_token, selected_objects } = held;
  await ledger.send('GET', addressOf(getEvent, { eventId: event_id }), { from });
  const path = addressOf(bookSeats, { eventId: event_id });
  const booked = await ledger.send('POST', path, { from, body: { hold_token, selected_objects } });
  if (booked.status !== 200) {
    ledger.count('bookings refused');
    return;
  }
  const { order_id, checkout_url } = booked.body as { order_id: string; checkout_url: string };
  ledger.count('bookings');
  const places = selected_objects.map(({ object_id }) => object_id);
  ledger.orders.set(order_id, { event_id, places, said: 'booked' });
  const wish = world.chance(10);
  if (wish < 6) await pay(world, { order_id, checkout_url, from });
  else if (wish < 9) await cancel(world, order_id, from);
}

async function pay(
  world: World,
  { order_id, checkout_url, from }: { order_id: string; checkout_url: string; from: string },
): Promise<void> {
  const { ledger, house } = world;
  const till = `${house.stripe.url}/v1/payment_pages/${sessionIn(checkout_url)}`;
  const page = (await (await fetch(till)).json()) as { amount_total: number };
  const paid = await fetch(`${till}/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      payment_method: 'pm_card_visa',
      expected_amount: page.amount_total,
      email: 'eva@example.it',
      name: 'Eva Neri',
    }),
  });
  // The clock may have ended it meanwhile.
  ledger.count(paid.ok ? 'payments' : 'payments refused');
  if (!paid.ok) return;
  ledger.orders.get(order_id)!.said = 'paid';
  for (let look = 0; look < 20; look += 1) {
    const { body } = await ledger.send('GET', addressOf(orderStatus, { orderId: order_id }), {
      from,
    });
    if ((body as { order_confirmed_at: unknown }).order_confirmed_at !== null) return;
    await pause(500);
  }
}

async function cancel(world: World, order_id: string, from: string): Promise<void> {
  const path = addressOf(cancelCheckout, { orderId: order_id });
  const answer = await world.ledger.send('DELETE', path, { from });
  world.ledger.count(answer.status < 300 ? 'cancels' : 'cancels refused');
  if (answer.status < 300) world.ledger.orders.get(order_id)!.said = 'cancelled';
}
