/** How a booking ends whose row stands already: a clear no ends it at once, by the same way as its waiting row would; silence ends nothing. */
import { expect } from 'vitest';
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import {
  aRefusal,
  holdObjects,
  holdSeats,
  makeHoldToken,
  payOrder,
  tryBook,
  type Held,
} from '#tests/support/make.ts';
import { seatStatuses } from '#tests/support/order-end.ts';
import type { TestServer } from '#tests/support/server.ts';
import { sessionsAtStripe } from '#tests/support/stripe-desk.ts';

const minute = 60_000;
const create = { on: 'request', method: 'POST', path: '/v1/checkout/sessions' } as const;

/** All that is known of the one order: its row, how many of its places it gave back, and its seats at the seat map. */
async function stateOf(server: TestServer, held: Held) {
  const { db } = server.house.ctx;
  const row = await db('orders').first('state', 'end_reason', 'lease');
  const released = await db('order_lines').whereNotNull('released_at');
  return { ...row, released: released.length, seats: await seatStatuses(server, held) };
}

const ended = (end_reason: string, seats: string[]) => ({
  state: 'deleted',
  end_reason,
  lease: null,
  released: 2,
  seats,
});
const unfinished = { state: 'booking', end_reason: null, lease: null, released: 0 };

/** The answer names the order by its buyer's link. */
async function bookInSilence(server: TestServer, held: Held): Promise<void> {
  const answer = await tryBook(server, held);
  const [order_id] = await server.house.ctx.db('orders').pluck('link_key');
  expect(answer).toMatchObject(aRefusal(503, 'provider_silent', { order_id }));
}

/** The seats go to another visitor between our look at the seat map and our booking there. */
function loseSeats(server: TestServer, held: Held): void {
  const { seats } = server.house.ctx;
  const { book } = seats;
  seats.book = async (...ask) => {
    seats.book = book;
    await seats.prolongHold(held.hold_token, 0);
    const other = await makeHoldToken(server);
    expect((await holdObjects(server, other, held.selected_objects)).status).toBe(200);
    await seats.book(...ask);
  };
}

test('a booking whose seats go to another visitor at the last moment has ended, and names them', async (server) => {
  const held = await holdSeats(server);
  loseSeats(server, held);
  const objects = held.selected_objects.map(({ object_id }) => object_id);
  expect(await tryBook(server, held)).toMatchObject(aRefusal(409, 'seats_taken', { objects }));
  const left = ended('seats_lost', ['reservedByToken', 'reservedByToken']);
  expect(await stateOf(server, held)).toEqual(left);
  expect((await sessionsAtStripe(server)).length).toBe(0);
  // Nothing is left to do for it.
  server.clock.advance(16 * minute);
  await server.runDue();
  expect(await server.house.ctx.db('orders').pluck('end_reason')).toEqual(['seats_lost']);
});

it('a checkout that Stripe refuses ends its booking and frees its seats: the same call is a purchase of its own', async (server) => {
  const { payments } = server.house.ctx;
  const { open } = payments;
  payments.open = async () => {
    throw new ProviderRefused('Stripe', 'resource_missing', 'no such price');
  };
  const held = await holdSeats(server);
  expect(await tryBook(server, held)).toMatchObject(aRefusal(502, 'checkout_refused'));
  expect(await stateOf(server, held)).toEqual(ended('checkout_refused', ['free', 'free']));
  payments.open = open;
  await holdObjects(server, held.hold_token, held.selected_objects);
  expect((await tryBook(server, held)).status).toBe(200);
  expect(await server.house.ctx.db('orders').pluck('state')).toEqual([
    'deleted',
    'awaiting_payment',
  ]);
});

it('a seat map that is silent ends nothing, whether it has heard the booking or not: the same call goes on with the same order', async (server) => {
  const { seats } = server.house.ctx;
  const { book, read } = seats;
  const silent = () => Promise.reject(new ProviderUnavailable('seats.io', 'no answer', null));
  const held = await holdSeats(server);
  for (const hears of [false, true]) {
    seats.book = async (...ask) => {
      if (hears) await book(...ask);
      seats.read = silent;
      return silent();
    };
    await bookInSilence(server, held);
    Object.assign(seats, { book, read });
    const where = hears ? 'booked' : 'reservedByToken';
    expect(await stateOf(server, held)).toEqual({ ...unfinished, seats: [where, where] });
  }
  const { status, body } = await tryBook(server, held);
  const { order_id, checkout_url } = body as { order_id: string; checkout_url: string };
  expect(status).toBe(200);
  expect(await server.house.ctx.db('orders').select('link_key', 'state')).toEqual([
    { link_key: order_id, state: 'awaiting_payment' },
  ]);
  expect((await payOrder(server, checkout_url)).status).toBe(200);
});

it('a silent Stripe ends nothing before the time to pay is over; then the waiting row frees the seats', async (server) => {
  server.house.standins!.stripe!.faults.add({ ...create, action: 'drop', times: 'always' });
  const held = await holdSeats(server);
  await bookInSilence(server, held);
  server.clock.advance(14 * minute);
  await server.runDue();
  await bookInSilence(server, held);
  expect(await stateOf(server, held)).toEqual({ ...unfinished, seats: ['booked', 'booked'] });
  server.house.standins!.stripe!.faults.clear();
  server.clock.advance(2 * minute);
  await server.runDue();
  expect(await stateOf(server, held)).toEqual(ended('never_finished', ['free', 'free']));
});

it('a clear no whose seats cannot be given back leaves the booking as it is: the same call ends it, or its waiting row does', async (server) => {
  const { payments, seats } = server.house.ctx;
  const { release } = seats;
  payments.open = async () => {
    throw new ProviderRefused('Stripe', 'resource_missing', 'no such price');
  };
  const silent = () => Promise.reject(new ProviderUnavailable('seats.io', 'no answer', null));
  const first = await holdSeats(server);
  seats.release = silent;
  expect(await tryBook(server, first)).toMatchObject(aRefusal(503, 'provider_silent'));
  expect(await stateOf(server, first)).toEqual({ ...unfinished, seats: ['booked', 'booked'] });
  seats.release = release;
  expect(await tryBook(server, first)).toMatchObject(aRefusal(502, 'checkout_refused'));
  expect(await stateOf(server, first)).toEqual(ended('checkout_refused', ['free', 'free']));

  const second = await holdSeats(server, { nth: 1 });
  seats.release = silent;
  expect(await tryBook(server, second)).toMatchObject(aRefusal(503, 'provider_silent'));
  seats.release = release;
  server.clock.advance(16 * minute);
  await server.runDue();
  const rows = await server.house.ctx.db('orders').orderBy('created_at').pluck('end_reason');
  expect(rows).toEqual(['checkout_refused', 'never_finished']);
  expect(await seatStatuses(server, second)).toEqual(['free', 'free']);
});
