/** Tickets of one mail address over all its orders: an order beyond the limit stands, and the office sees it beside the others. */
import { expect } from 'vitest';
import { getEvent } from '#server/contract/events.ts';
import { decideOrder, readAttention } from '#server/contract/office.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';

test('an order beyond the limit of its address stays valid and waits in the office with the other orders; capitals and Punycode are no difference', async (server) => {
  await setPolicy(server, { max_per_email: 4 }, demoEvent);
  const admin = await makeAdmin(server);
  const waiting = async () => (await callOk(server, readAttention, {}, admin)).items;
  const first = await makePaidOrder(server, { email: 'eva@città.it' });
  const second = await makePaidOrder(server, { email: 'Eva@XN--CITT-3NA.it' }, { nth: 1 });
  await makePaidOrder(server, { email: 'otto@example.it' }, { nth: 2 });
  expect(await waiting()).toEqual([]);
  const third = await makePaidOrder(server, { email: 'EVA@citta\u0300.it' }, { nth: 3 });
  const items = await waiting();
  expect(items).toMatchObject([
    {
      about: 'order',
      order_id: third.order_id,
      state: 'confirmed',
      needs_attention: 'too_many_for_address',
      decisions: ['acknowledge'],
      others: [
        { order_id: first.order_id, tickets: 2 },
        { order_id: second.order_id, tickets: 2 },
      ],
    },
  ]);
  const { db } = server.house.ctx;
  expect(
    await db('tickets').where({ order_id: third.order_id, state: 'valid' }).select('id'),
  ).toHaveLength(2);
  await callOk(
    server,
    decideOrder,
    {
      params: { orderId: third.order_id },
      body: { decision: 'acknowledge', note: 'Una famiglia' },
    },
    admin,
  );
  expect(await waiting()).toEqual([]);
});

it('without a limit nobody is counted; the page names one before choosing', async (server) => {
  for (const nth of [0, 1, 2]) await makePaidOrder(server, { email: 'eva@città.it' }, { nth });
  const orders = await server.house.ctx.db('orders').whereNotNull('needs_attention');
  expect(orders).toEqual([]);
  const notices = async () =>
    (await callOk(server, getEvent, { params: { eventId: demoEvent } })).notices.map(
      ({ hall }) => hall,
    );
  const words = 'Al massimo 6 biglietti per indirizzo e-mail, contando tutti i tuoi ordini.';
  expect(await notices()).not.toContain(words);
  await setPolicy(server, { max_per_email: 6 }, demoEvent);
  expect(await notices()).toContain(words);
});
