/** The numbers of reports are those of a slow count over all rows: live, from what the job has kept, and of some days only. */
import { expect } from 'vitest';
import { blockSeats } from '#server/contract/blocks.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { callOk, demoEvent, findSeats, makeOrder } from '#tests/support/make.ts';
import { soldOf, tryMove } from '#tests/support/move.ts';
import {
  expectHallAndDoor,
  expectMoney,
  expectSales,
  expectSeason,
  keep,
} from '#tests/support/report-numbers.ts';
import { refundTickets, sellTo, settle } from '#tests/support/till.ts';

test('an evening with a gift, cash, a block, a move, an unpaid order and a refund in part has the numbers of a slow count, also where they are kept', async (server, admin) => {
  const { db } = server.house.ctx;
  await keep(server);
  await openDrawer(server, admin);
  await sellAtCounter(server, admin, { nth: 5 });
  await sellAtCounter(server, admin, { nth: 5, gift: { reason: 'Stampa' } });
  const [seat] = await findSeats(server, { nth: 5 });
  await callOk(
    server,
    blockSeats,
    {
      params: { eventId: demoEvent },
      body: { objects: [seat!], reason: 'Regia', color: 'red', release_at: null },
    },
    admin,
  );
  const order = await sellTo(server, {}, { nth: 4 });
  await keep(server);
  const [other] = await findSeats(server, { nth: 6 });
  const sold = await soldOf(server, order.order_id);
  expect(await tryMove(server, admin, sold, [other!])).toMatchObject({ status: 200 });
  await keep(server);
  // Neither the door nor the event hears of this refund: the kept count is old all the same.
  await refundTickets(server, admin, order, 1);
  await settle(server, order);
  await makeOrder(server, { nth: 3 });
  const ids: string[] = (
    await db('events').where({ rehearsal: 0 }).whereNot({ status: 'draft' })
  ).map(({ id }: { id: string }) => id);
  const one = { query: { event_id: demoEvent }, ids: [demoEvent] };
  await expectSales(server, admin, one);
  await expectMoney(server, admin, one);
  await expectHallAndDoor(server, admin, { ...one, begun: [] });
  await keep(server);
  const days = { from: '2000-01-01', to: '2100-01-01' };
  await expectSales(server, admin, { query: days, ids });
  await expectMoney(server, admin, { query: days, ids });
  await expectHallAndDoor(server, admin, { query: days, ids, begun: [] });
});

test('a season of chance has the numbers of a slow count', (server) => expectSeason(server, 1));
