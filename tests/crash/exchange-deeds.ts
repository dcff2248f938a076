/**
 * Exchanges of tickets for another date, at each of whose writes a server is killed: either nothing
 * has happened and the old tickets are good, or all of it.
 */
import { expect } from 'vitest';
import { makeSale } from '#server/contract/counter.ts';
import { quoteExchange } from '#server/contract/order/exchanges.ts';
import { openShift } from '#server/contract/shifts.ts';
import { ask, callOk, demoEvent, until, type Booked } from '#tests/support/make.ts';
import { newSaleKey, till } from '#tests/support/counter.ts';
import { event, type Patron } from '#tests/support/patron.ts';
import { buyTimes, giveBack, heard, patienceMs, validOf, type Deed } from './deed.ts';

/** Two seats of each evening; a return of the first keeps its presale fee of 3 euros. */
const dear = { id: demoEvent, cents: 6_400, worth: 6_400 };
const cheap = { id: event, cents: 5_900, worth: 5_600 };

type Evening = typeof dear;
type Order = Pick<Booked, 'order_id'>;

export const exchangeDeeds: Record<string, Deed> = {
  'tickets change their date at the till, and all is given back later': {
    prepare: buyTimes(1),
    async run(patron, [old]) {
      const order = await sellFor(patron, old!, dear);
      await expectExchanged(patron, old!, { order, from: cheap, to: dear, by: 'manual' });
      await giveAllBack(patron, order, { handed_back: true });
      expect(await refundsOf(patron, order)).toEqual([
        { cents: cheap.worth, kind: 'stripe', state: 'succeeded' },
        { cents: dear.cents - cheap.worth, kind: 'manual', state: 'succeeded' },
      ]);
    },
  },
  'a buyer changes the date, pays the difference, and all is given back later': {
    prepare: buyTimes(1),
    async run(patron, [old]) {
      const order = await bookFor(patron, old!, dear);
      await patron.pay(order);
      await patron.reaches(order.order_id, 'confirmed');
      await expectExchanged(patron, old!, { order, from: cheap, to: dear, by: 'stripe' });
      await giveAllBack(patron, order);
      expect(await refundsOf(patron, order)).toEqual([
        { cents: cheap.worth, kind: 'stripe', state: 'succeeded' },
        { cents: dear.cents - cheap.worth, kind: 'stripe', state: 'succeeded' },
      ]);
    },
  },
  'a buyer changes the date for a cheaper one, and the difference goes back': {
    prepare: async (patron) => {
      const objects = await patron.freeSeats(undefined, dear.id);
      const order = await patron.book({ event: dear.id, objects });
      await patron.pay(order);
      await patron.reaches(order.order_id, 'confirmed');
      await patron.rest();
      return [order];
    },
    async run(patron, [old]) {
      const order = await bookFor(patron, old!, cheap);
      await patron.reaches(order.order_id, 'confirmed');
      await expectExchanged(patron, old!, { order, from: dear, to: cheap, by: null });
      await giveAllBack(patron, order);
      expect(await refundsOf(patron, order)).toEqual([
        { cents: cheap.worth, kind: 'stripe', state: 'succeeded' },
      ]);
    },
  },
  'a buyer who changes the date does not pay': {
    prepare: buyTimes(1),
    async run(patron, [old]) {
      const order = await bookFor(patron, old!, dear);
      await patron.house.persist(() => patron.house.advance(16 * 60_000));
      await patron.reaches(order.order_id, 'deleted');
      await expectUnchanged(patron, old!, { order, why: 'unpaid' });
      await giveAllBack(patron, old!);
    },
  },
  'a buyer who changes the date pays after the end, and it happens all the same': {
    prepare: buyTimes(1),
    async run(patron, [old]) {
      const order = await bookFor(patron, old!, dear);
      await endBehindOurBack(patron, order);
      await patron.pay(order);
      await patron.reaches(order.order_id, 'confirmed');
      await expectExchanged(patron, old!, { order, from: cheap, to: dear, by: 'stripe' });
      await giveAllBack(patron, order);
    },
  },
  'an old ticket is given back before the difference is paid, which goes back': {
    prepare: buyTimes(1),
    async run(patron, [old]) {
      const order = await bookFor(patron, old!, dear);
      await giveAllBack(patron, old!);
      await patron.pay(order);
      await patron.reaches(order.order_id, 'deleted');
      await patron.rest();
      expect(await exchangeOf(patron, order)).toEqual([{ state: 'ended', why: 'changed' }]);
      const cents = dear.cents - cheap.worth;
      expect(await refundsOf(patron, order)).toEqual([
        { cents, kind: 'stripe', state: 'succeeded' },
      ]);
    },
  },
};

/** The exchange at the till: the seller presses again until it is done. */
async function sellFor(patron: Patron, old: Order, to: Evening): Promise<Order> {
  const { house, admin: headers } = patron;
  const shift = { till_id: till, float_cents: 10_000 };
  await house.persist(() => ask(house, 'POST', openShift.path, { body: shift, headers }));
  const params = { orderId: old.order_id };
  const quote = await house.persist(() =>
    callOk(house, quoteExchange, { params, body: {} }, headers),
  );
  const held = await patron.hold(await patron.freeSeats(undefined, to.id), to.id);
  const due = to.cents - quote.worth_cents;
  const body = {
    ...held,
    sale_key: newSaleKey(),
    event_id: to.id,
    expected_cents: to.cents,
    payments: [{ method: 'cash', amount_cents: due }],
    exchange: {
      order_id: old.order_id,
      ticket_ids: quote.tickets.map(({ ticket_id }) => ticket_id),
      expected_worth_cents: quote.worth_cents,
    },
  };
  let sold: Order | undefined;
  await until(async () => {
    const answer = await house.persist(() => ask(house, 'POST', makeSale.path, { body, headers }));
    heard(answer);
    if (answer.status === 200) sold = answer.body as Order;
    return sold !== undefined;
  }, patienceMs);
  return sold!;
}

/** The buyer books seats of the other evening by the link of the old order. */
async function bookFor(patron: Patron, old: Booked, to: Evening): Promise<Booked> {
  await offerExchange(patron);
  const ticket_ids = (await validOf(patron, old)).map(({ id }) => id);
  const from = to === dear ? cheap : dear;
  const exchange = { order_id: old.link_key!, ticket_ids, expected_worth_cents: from.worth };
  const objects = await patron.freeSeats(undefined, to.id);
  return patron.book({ event: to.id, objects, exchange });
}

/** Both evenings are dates of one show, which lets its buyers change the date. */
async function offerExchange({ rows }: Patron): Promise<void> {
  const [shown] = await rows<{ show_id: string }>(
    'SELECT show_id FROM events WHERE id = ?',
    dear.id,
  );
  await rows(
    'UPDATE events SET show_id = ?, exchange = 1, exchange_until_hours = 1',
    shown!.show_id,
  );
}

async function giveAllBack(
  patron: Patron,
  order: Order,
  wish: { handed_back?: boolean } = {},
): Promise<void> {
  await giveBack(patron, order, await validOf(patron, order), wish);
  await patron.rest();
}

const refundsOf = (patron: Patron, { order_id }: Order) =>
  patron.rows(
    `SELECT amount_cents AS cents, kind, state FROM refunds WHERE order_id = ? ORDER BY amount_cents DESC`,
    order_id,
  );

const exchangeOf = (patron: Patron, { order_id }: Order) =>
  patron.rows('SELECT state, ended_why AS why FROM exchanges WHERE to_order_id = ?', order_id);

interface Exchanged {
  order: Order;
  from: Evening;
  to: Evening;
  /** How the difference was paid; null: the old tickets gave enough. */
  by: 'manual' | 'stripe' | null;
}

async function expectExchanged(
  patron: Patron,
  old: Order,
  { order, from, to, by }: Exchanged,
): Promise<void> {
  await patron.rest();
  expect(await exchangeOf(patron, order)).toEqual([{ state: 'done', why: null }]);
  expect([await validOf(patron, old), (await validOf(patron, order)).length]).toEqual([[], 2]);
  const credit = Math.min(from.worth, to.cents);
  const paid = await patron.rows(
    'SELECT kind, amount_cents AS cents FROM payments WHERE order_id = ? ORDER BY kind',
    order.order_id,
  );
  expect(paid).toEqual([
    { kind: 'exchange', cents: credit },
    ...(by === null ? [] : [{ kind: by, cents: to.cents - credit }]),
  ]);
  const back = from.worth - credit;
  expect(await refundsOf(patron, old)).toEqual([
    { cents: credit, kind: 'exchange', state: 'succeeded' },
    ...(back === 0 ? [] : [{ cents: back, kind: 'stripe', state: 'succeeded' }]),
  ]);
}

/** Nothing has happened: the old tickets are good, and no money came or went. */
async function expectUnchanged(
  patron: Patron,
  old: Order,
  { order, why }: { order: Order; why: string },
): Promise<void> {
  await patron.rest();
  expect(await exchangeOf(patron, order)).toEqual([{ state: 'ended', why }]);
  expect([(await validOf(patron, old)).length, await validOf(patron, order)]).toEqual([2, []]);
  const moved = 'SELECT id FROM payments WHERE order_id = ?';
  expect(await patron.rows(moved, order.order_id)).toEqual([]);
  expect(await refundsOf(patron, old)).toEqual([]);
}

/** Simulates another process that ended the order while its session stayed open. */
async function endBehindOurBack(patron: Patron, { order_id, selected_objects }: Booked) {
  const requests = selected_objects.map(({ object_id: label }) => ({
    label,
    quantity: null,
    ticket_type: 'intero',
  }));
  await patron.seats.release(dear.id, requests, order_id);
  const now = Date.now();
  for (const [table, column, changes] of [
    ['orders', 'id', `state = 'deleted', checkout_url = NULL, deleted_at = ?`],
    ['order_lines', 'order_id', 'released_at = ?'],
    ['exchanges', 'to_order_id', `state = 'ended', ended_why = 'unpaid', settled_at = ?`],
  ])
    await patron.rows(`UPDATE ${table} SET ${changes} WHERE ${column} = ?`, now, order_id);
}
