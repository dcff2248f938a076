/** One rule says whose orders a cashier sees, wherever they look: list, single order, tickets, search, paper (RULES K7). */
import { expect } from 'vitest';
import { readPaper } from '#server/contract/counter.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { listOrders, listOrderTickets, readOrder } from '#server/contract/order/orders.ts';
import { readEventPaper } from '#server/contract/paper.ts';
import { searchOffice } from '#server/contract/search.ts';
import { daysAround } from '#server/domain/time/day.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { ask, callOk, demoEvent } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';
import { setPolicy } from '#tests/support/refunds.ts';

type Person = { cookie: string };

/** How many orders the lists show, and how the single calls answer. */
async function seen(server: TestServer, who: Person, orderId: string) {
  const list = await callOk(server, listOrders, {}, who);
  const search = await callOk(server, searchOffice, { query: { q: 'mirandolina' } }, who);
  const calls = [
    addressOf(readOrder, { orderId }),
    addressOf(listOrderTickets, { orderId }),
    addressOf(readPaper, { orderId }),
    addressOf(readEventPaper, { eventId: demoEvent }),
  ];
  const answers = await Promise.all(
    calls.map((path) => ask(server, 'GET', path, { headers: who })),
  );
  const statuses = answers.map(({ status }) => status);
  return [list.items.length, search.items.length, ...statuses];
}

const everything = [1, 1, 200, 200, 200, 200];
const nothing = [0, 0, 404, 404, 404, 404];
/** The order alone, not the paper of its whole evening. */
const ownOrder = [1, 1, 200, 200, 200, 404];

test('a cashier sees what was not over before today and the own open shift, the same by every way; the office sees all', async (server, admin) => {
  const cashier = await asRole(server, 'cassa');
  await openDrawer(server, admin);
  const buyer = { name: 'Mirandolina Fiorentini' };
  const { order_id } = await sellAtCounter(server, admin, { buyer });
  const { db } = server.house.ctx;
  const midnight = daysAround(server.clock.now()).today.from;
  const endAt = (ends_at: number) =>
    db('events')
      .where({ id: demoEvent })
      .update({ starts_at: ends_at - 3_600_000, ends_at });

  expect(await seen(server, cashier, order_id), 'to be played').toEqual(everything);
  await endAt(midnight);
  expect(await seen(server, cashier, order_id), 'over since today began').toEqual(everything);
  await endAt(midnight - 1);
  expect(await seen(server, cashier, order_id), 'over yesterday').toEqual(nothing);
  expect(await seen(server, admin, order_id), 'the office').toEqual(everything);

  // The drawer of the house is taken: the office's shift moves to another one.
  await db('shifts').update({ till_id: 'cassa-2' });
  const { shift_id } = await openDrawer(server, cashier);
  expect(await seen(server, cashier, order_id), "somebody else's shift").toEqual(nothing);
  await db('orders').where({ id: order_id }).update({ shift_id });
  expect(await seen(server, cashier, order_id), 'the own open shift').toEqual(ownOrder);
  await db('shifts').where({ id: shift_id }).update({ closed_at: server.clock.now() });
  expect(await seen(server, cashier, order_id), 'the own shift, closed').toEqual(nothing);

  await endAt(midnight + 3_600_000);
  await setPolicy(server, { status: 'draft' }, demoEvent);
  expect(await seen(server, cashier, order_id), 'not published').toEqual(nothing);
});
