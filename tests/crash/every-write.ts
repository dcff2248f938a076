/**
 * A server that is killed at each write of actions that move seats or money: after a commit that
 * changed something, and after an outside call that changed something, before its answer arrives.
 * Nothing that survives a dead process changes between two of these, so no other moment differs.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { unblockSeats } from '#server/contract/blocks.ts';
import { addressOf, type EndpointShape, type ReplyOf } from '#server/contract/endpoint.ts';
import { moveTickets, quoteMove } from '#server/contract/order/moves.ts';
import { proposeRehousing, readRehousing, startRehousing } from '#server/contract/rehousings.ts';
import { callOffMs } from '#server/domain/seat/rehousing.ts';
import { getEvent } from '#server/contract/events.ts';
import { club, publishClub } from '#tests/support/club.ts';
import { ask, callOk, demoEvent, until, type Booked } from '#tests/support/make.ts';
import { startMortal } from '#tests/support/mortal.ts';
import { event, makePatron, type Patron } from '#tests/support/patron.ts';
import { buyTimes, giveBack, heard, patienceMs, validOf, type Deed } from './deed.ts';
import { atStripe, cancelAndRefund, expectSoundBooks } from './evening.ts';
import { depositDeeds } from './deposit-deeds.ts';
import { exchangeDeeds } from './exchange-deeds.ts';

/**
 * After this time the claims of a dead process have expired, and an interrupted move is settled.
 */
const downMs = 61_000;
export const deeds: Record<string, Deed> = {
  'tickets move': {
    prepare: buyTimes(1),
    run: async (patron, [order]) => expect(await move(patron, order!, 'Platea', {})).toBe(0),
    repeats: true,
  },
  'tickets move to cheaper seats, the difference goes back and the house keeps the old ones': {
    prepare: buyTimes(1),
    async run(patron, [order]) {
      const kept = { difference: { way: 'refunded' }, keep_reason: 'Per la regia' };
      const cents = await move(patron, order!, 'Galleria', kept);
      const { order_id } = order!;
      expect(await refundsOf(patron, order_id)).toEqual([
        { amount_cents: -cents, state: 'succeeded' },
      ]);
      await sellAgain(patron, order!);
      await leave(patron, order_id);
    },
  },
  'a cancelled evening gives its money back': {
    prepare: async (patron) => [...(await buyTimes(2)(patron)), await patron.book()],
    async run(patron, orders) {
      const [open, ...paid] = orders.toReversed();
      await cancelAndRefund(patron, paid);
      await patron.reaches(open!.order_id, 'deleted');
      for (const { order_id } of paid) {
        const back = { amount_cents: 5_900, state: 'succeeded' };
        expect(await refundsOf(patron, order_id)).toEqual([back]);
        await leave(patron, order_id);
      }
    },
  },
  'a table is sold whole, and given back by one guest and then by all': {
    prepare: async (patron) => {
      await openClubOnce(patron);
      return [];
    },
    run: sellTable,
  },
  ...exchangeDeeds,
  ...depositDeeds,
  // This action is the last, because buying works in the first hall only.
  'a sold evening changes its hall': { prepare: buyTimes(2), run: changeHall, repeats: true },
};

const refundsOf = (patron: Patron, order_id: string) =>
  patron.rows('SELECT amount_cents, state FROM refunds WHERE order_id = ?', order_id);

/** The difference in cents. */
async function move(
  patron: Patron,
  { order_id }: Booked,
  category: string,
  more: object,
): Promise<number> {
  const { house, admin: headers } = patron;
  const params = { orderId: order_id };
  const placesOf = () =>
    patron.rows<{ id: string; place: string }>(
      `SELECT id, place FROM tickets WHERE order_id = ? AND state = 'valid' ORDER BY id`,
      order_id,
    );
  const targets = await patron.freeSeats(category);
  const tickets = (await placesOf()).map(({ id }, at) => ({ ticket_id: id, object: targets[at]! }));
  const quote = await house.persist(() =>
    callOk(house, quoteMove, { params, body: { tickets } }, headers),
  );
  const body = { tickets, expected_cents: quote.difference_cents, tell_buyer: true, ...more };
  await until(async () => {
    heard(
      await house.persist(() =>
        ask(house, 'POST', addressOf(moveTickets, params), { body, headers }),
      ),
    );
    await patron.rest();
    return (await placesOf()).every(({ place }, at) => place === targets[at]);
  }, patienceMs);
  const told = await patron.rows(
    `SELECT state FROM mails WHERE order_id = ? AND kind = 'seats_changed'`,
    order_id,
  );
  const moved = await patron.rows(
    `SELECT id FROM moves WHERE order_id = ? AND state = 'done'`,
    order_id,
  );
  expect(told).toEqual(moved.map(() => ({ state: 'sent' })));
  return quote.difference_cents;
}

/** Unblocks the seats that the house had blocked together. */
async function sellAgain({ house, admin }: Patron, { selected_objects }: Booked): Promise<void> {
  const objects = selected_objects.map(({ object_id }) => object_id);
  const asked = { params: { eventId: event }, body: { objects } };
  // The action is over, so the cleanup for the next round must not die.
  await house.persist(() => house.tell({ kind: 'arm', point: null }));
  const { released } = await callOk(house, unblockSeats, asked, admin);
  expect(released.map(({ objects }) => objects.toSorted())).toEqual([objects.toSorted()]);
}

async function openClubOnce(patron: Patron): Promise<void> {
  const { house, admin, rows } = patron;
  if ((await rows('SELECT id FROM events WHERE id = ?', club)).length > 0) return;
  const demo = await callOk(house, getEvent, { params: { eventId: demoEvent } });
  const starts_at = new Date(Date.now() + 60 * 86_400_000).toISOString();
  const { id } = demo.prices.find(({ unit_amount }) => unit_amount > 0)!;
  await publishClub(house, admin, { starts_at, sold: { Tavoli: id, Séparé: id, Terrazza: id } });
}

async function sellTable(patron: Patron): Promise<void> {
  const status = async () => (await patron.seats.read(club, ['T1'])).get('T1')!.status;
  const order = await patron.book({ event: club, objects: ['T1'] });
  await patron.pay(order);
  await patron.reaches(order.order_id, 'confirmed');
  await patron.rest();
  const valid = () => validOf(patron, order);
  const [first, ...others] = await valid();
  expect(others).toHaveLength(9);
  await giveBack(patron, order, [first!]);
  expect([(await valid()).length, await status()]).toEqual([9, 'booked']);
  await giveBack(patron, order, others);
  expect([(await valid()).length, await status()]).toEqual([0, 'free']);
}

/** Frees the seats for the next round. */
async function leave(patron: Patron, order_id: string): Promise<void> {
  const lines = await patron.rows<{ object_label: string }>(
    'SELECT object_label FROM order_lines WHERE order_id = ? AND released_at IS NULL',
    order_id,
  );
  const seats = lines.map(({ object_label: label }) => ({
    label,
    quantity: null,
    ticket_type: 'intero',
  }));
  await patron.seats.release(event, seats, order_id);
  const now = Date.now();
  await patron.rows(
    `UPDATE tickets SET state = 'void', ended_at = ? WHERE order_id = ? AND state = 'valid'`,
    now,
    order_id,
  );
  await patron.rows('UPDATE order_lines SET released_at = ? WHERE order_id = ?', now, order_id);
  // A row here tells the stored figures about the change, as for any other change.
  await patron.rows(
    'INSERT INTO figure_changes (id, event_id) VALUES (?, ?)',
    `left:${order_id}`,
    event,
  );
}

const halls = ['sala-nera', 'teatro-goldoni'];

async function changeHall(patron: Patron): Promise<void> {
  const { house, admin: headers } = patron;
  const params = { eventId: event };
  const done = () => patron.rows(`SELECT id FROM rehousings WHERE state = 'done'`);
  const earlier = (await done()).length;
  const body = { chart_key: halls[earlier % halls.length]! };
  const press = (endpoint: EndpointShape, body?: object) =>
    house.persist(() =>
      ask(house, endpoint.method, addressOf(endpoint, params), { body, headers }),
    );
  await until(async () => (await press(proposeRehousing, body)).status === 200, patienceMs);
  await until(async () => {
    const answer = await press(readRehousing);
    if (answer.status !== 200) return false;
    const { rehousing: plan } = answer.body as ReplyOf<typeof readRehousing>;
    if (plan?.state === 'planned') {
      const { version, counts } = plan;
      const start = { version, refunds: false, mails: counts.mails, lost: counts.lost_without };
      heard(await press(startRehousing, start));
    }
    if (plan?.state === 'waiting') await house.persist(() => house.advance(callOffMs + 1_000));
    return plan === null;
  }, patienceMs);
  await patron.rest();
  expect(await done()).toHaveLength(earlier + 1);
}

/** Stripe agrees with the books to the cent, and the seat map agrees with the tickets. */
async function expectOrderly(patron: Patron): Promise<void> {
  await expectSoundBooks(patron);
  const [sum] = await patron.rows<{ cents: number }>(
    `SELECT COALESCE(sum(amount_cents), 0) AS cents FROM refunds WHERE kind = 'stripe' AND state = 'succeeded'`,
  );
  const refunds = await atStripe(patron, 'refunds');
  expect(refunds.reduce((cents, { amount }) => cents + amount, 0)).toBe(Number(sum!.cents));
  for (const evening of [event, demoEvent]) await expectSeatsAsSold(patron, evening);
}

/** What the seat map has booked for an evening is what its orders hold. */
async function expectSeatsAsSold(patron: Patron, evening: string): Promise<void> {
  const [hall] = await patron.rows<{ key: string }>(
    'SELECT seatsio_event_key AS key FROM events WHERE id = ?',
    evening,
  );
  const objects = await patron.seats.objects(hall!.key);
  const booked = objects.filter(({ status }) => status === 'booked');
  const sold = await patron.rows<{ object_label: string; order_id: string }>(
    'SELECT object_label, order_id FROM order_lines WHERE event_id = ? AND released_at IS NULL',
    evening,
  );
  expect(booked.map(({ label, order_id }) => `${label} ${order_id}`).toSorted()).toEqual(
    sold.map(({ object_label, order_id }) => `${object_label} ${order_id}`).toSorted(),
  );
}

interface Evening extends AsyncDisposable {
  patron: Patron;
  /** The names of the writes at which the process died or which it passed. */
  writes: () => string[];
}

/** `address`: an empty PostgreSQL database; null: SQLite. */
export async function startEvening(address: string | null): Promise<Evening> {
  const file = join(await mkdtemp(join(tmpdir(), 'writes-')), 'writes.txt');
  const env = { WRITES_FILE: file, ...(address === null ? {} : { DATABASE_URL: address }) };
  const house = await startMortal({ env, downMs });
  const patron = await makePatron(house);
  // The clock runs far ahead, so the login is not asked for again.
  await patron.rows('UPDATE sessions SET verified_at = ?', Date.now() + 7 * 86_400_000);
  return {
    patron,
    writes: () => readFileSync(file, 'utf8').trimEnd().split('\n'),
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      await rm(dirname(file), { recursive: true });
    },
  };
}

/** Dies at every `every`th new write, until a round survives or `rounds` rounds were played. */
export async function killAtWrites(
  patron: Patron,
  { prepare, run, repeats }: Deed,
  { every, rounds = Infinity }: { every: number; rounds?: number },
): Promise<void> {
  const { house } = patron;
  let orders: Booked[] | null = null;
  for (let [round, deaths] = [0, -1]; round < rounds && deaths < house.deaths(); round += 1) {
    if (!orders || !repeats) orders = await prepare(patron);
    deaths = house.deaths();
    await house.persist(() => house.tell({ kind: 'die_at_write', every }));
    await run(patron, orders);
    await house.persist(() => house.tell({ kind: 'arm', point: null }));
    await expectOrderly(patron);
  }
}
