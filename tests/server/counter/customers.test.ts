/** Earlier buyers at the till: found by a few letters, masked for a cashier, and gone when they were erased. */
import { expect } from 'vitest';
import { findCustomers, listReservations, makeSale } from '#server/contract/counter.ts';
import { readHealth } from '#server/contract/health.ts';
import { exportOrders, listOrders, readOrder } from '#server/contract/order/orders.ts';
import { searchOffice } from '#server/contract/search.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { openDrawer, saleBody, sellAtCounter } from '#tests/support/counter.ts';
import { ask, callOk, comeAgain, makeAdmin } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';

test('an earlier buyer is found by name, mail or the end of the telephone; a cashier sees the name, and the tickets go where nobody had to read', async (server, admin) => {
  const cashier = await asRole(server, 'cassa');
  await openDrawer(server, cashier);
  const buyer = {
    name: 'Nicolò D’Amico',
    email: 'nicolo@città.example.it',
    phone: '+39 333 12.34.567',
  };
  for (let nth = 0; nth < 2; nth += 1) await sellAtCounter(server, cashier, { buyer });
  const find = async (q: string, who = cashier) =>
    (await callOk(server, findCustomers, { query: { q } }, who)).items;
  const [found, ...others] = await find('d’amico nico');
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    name: 'Nicolò D’Amico',
    email: 'n•••@città.example.it',
    phone: '•••567',
  });
  const { customer_id: _, ...shown } = found!;
  expect(await find('567')).toMatchObject([shown]);
  expect(await find('+39 333 1234567')).toMatchObject([shown]);
  expect(await find('4567', admin)).toMatchObject([{ email: buyer.email, phone: buyer.phone }]);
  // One more digit or letter at a time would unmask the rest.
  for (const q of ['34567', 'nicolo@citta.exam', 'example'])
    expect([q, await find(q), (await find(q, admin)).length]).toEqual([q, [], 1]);
  for (const q of [buyer.email, 'nicolo@xn--citt-3na.example.it'])
    expect(await find(q)).toMatchObject([shown]);
  for (const q of ['ni', '67', '', '%%%', 'rossi']) expect([q, await find(q)]).toEqual([q, []]);

  const { order_id } = await sellAtCounter(server, cashier, {
    nth: 1,
    buyer: { name: 'Nicolò D’Amico', customer: found!.customer_id },
  });
  const { db } = server.house.ctx;
  expect(await db('orders').where({ id: order_id }).first('buyer_email', 'buyer_phone')).toEqual({
    buyer_email: buyer.email,
    buyer_phone: buyer.phone,
  });

  // As forgetting leaves them.
  await db('orders').update({ buyer_forgotten_at: 1 });
  expect(await find('amico')).toEqual([]);
  expect(await find('567')).toEqual([]);
  const body = await saleBody(server, { buyer: { customer: found!.customer_id } });
  const late = await ask(server, 'POST', makeSale.path, { body, headers: cashier });
  expect(late.body).toMatchObject({ code: 'customer_unknown' });
  expect(server.logged).toEqual([]);
});

const hour = 3_600_000;
const mario = { name: 'Mario Gallo', email: 'mario.gallo@example.it' };

test('a found customer is for the seller who found it, for half an hour, and a reservation does not unmask it', async (server, admin) => {
  const cashier = await asRole(server, 'cassa');
  await openDrawer(server, cashier);
  const { order_id: earlier } = await makePaidOrder(server, mario);
  // Of an evening that is not on sale: the cashier may not see it.
  await server.house.ctx
    .db('orders')
    .where({ id: earlier })
    .update({ event_id: 'concerto-di-natale' });
  await server.house.ctx
    .db('events')
    .where({ id: 'concerto-di-natale' })
    .update({ status: 'draft' });
  const find = async (who = cashier) =>
    (await callOk(server, findCustomers, { query: { q: 'gallo' } }, who)).items[0]!;
  const found = await find();
  expect(found.customer_id).not.toContain(earlier);
  const pay_by = new Date(server.clock.now() + hour).toISOString();
  const body = async (customer: string, nth = 1) =>
    saleBody(server, { nth, buyer: { customer }, reservation: { pay_by } } as never);
  const sale = async (customer: string, headers = cashier) =>
    ask(server, 'POST', makeSale.path, { body: await body(customer), headers });
  for (const refused of [
    await sale((await find(admin)).customer_id),
    await sale(JSON.stringify(['cassa', server.clock.now() + hour, earlier])),
    await sale(earlier),
    await sale(`${found.customer_id.slice(0, -4)}AAAA`),
  ])
    expect(refused.body).toMatchObject({ code: 'customer_unknown' });
  const { order_id } = await callOk(
    server,
    makeSale,
    { body: await body(found.customer_id) },
    cashier,
  );
  expect(await server.house.ctx.db('orders').where({ id: order_id }).first('buyer_email')).toEqual({
    buyer_email: mario.email,
  });
  await server.runDue();
  const params = { orderId: order_id };
  const seen = JSON.stringify([
    await callOk(server, readOrder, { params }, cashier),
    await callOk(server, listOrders, {}, cashier),
    await callOk(server, listReservations, {}, cashier),
    await callOk(server, searchOffice, { query: { q: 'mario.gallo@example.it' } }, cashier),
  ]);
  expect([seen.includes(order_id), seen.includes(mario.email)]).toEqual([true, false]);
  expect((await callOk(server, readOrder, { params }, admin)).buyer_email).toBe(mario.email);
  const late = await find();
  server.clock.advance(31 * 60_000);
  expect((await sale(late.customer_id, await asRole(server, 'cassa'))).body).toMatchObject({
    code: 'customer_unknown',
  });
});

it('a few letters list nobody where many match, and searches are counted before the work', async (server, admin) => {
  const cashier = await asRole(server, 'cassa');
  await openDrawer(server, admin);
  for (let nth = 0; nth < 9; nth += 1)
    await sellAtCounter(server, admin, {
      buyer: { name: `Marta N${nth}`, email: `m${nth}@example.it` },
    });
  const find = (q: string, who: { cookie: string }) =>
    callOk(server, findCustomers, { query: { q } }, who);
  expect(await find('mar', cashier)).toEqual({ items: [], too_many: true });
  expect((await find('marta n3', cashier)).items).toHaveLength(1);
  expect((await find('mar', admin)).items).toHaveLength(8);
  const search = () =>
    ask(server, 'GET', `${findCustomers.path}?q=mar`, { headers: cashier }).then(
      (one) => one.status,
    );
  const told = await Promise.all(Array.from({ length: 60 }, search));
  expect(told.filter((status) => status === 200)).toHaveLength(38);
  expect(told.filter((status) => status === 429)).toHaveLength(22);
  expect((await find('mar', admin)).items).toHaveLength(8);
});

it('whoever searches or exports unusually often is told to the office by name', async (server, admin) => {
  const reading = async (who = admin) =>
    (await callOk(server, readHealth, {}, who)).findings.find(({ name }) => name === 'reading');
  const take = () => ask(server, 'GET', exportOrders.path, { headers: admin });
  for (let times = 0; times < 20; times += 1) await take();
  expect(await reading()).toBeUndefined();
  await Promise.all([take(), take(), take()]);
  expect(await reading()).toMatchObject({
    state: 'amber',
    mend: expect.stringContaining('Ada:'),
  });
  expect(await server.house.ctx.db('audit').where({ action: 'unusual_reading' })).toHaveLength(1);
  server.clock.advance(25 * hour);
  expect(await reading(await comeAgain(server))).toBeUndefined();
});

test('the id of an order sold at the till is no hold token that buys its link', async (server) => {
  await makeAdmin(server);
  const cashier = await asRole(server, 'cassa');
  await openDrawer(server, cashier);
  const { order_id } = await sellAtCounter(server, cashier, {});
  const { db } = server.house.ctx;
  const { link_key, event_id } = await db('orders').where({ id: order_id }).first();
  const lines = await db('order_lines').where({ order_id });
  for (const hold_token of [order_id, `counter:${order_id}`])
    for (const chosen of [lines, lines.slice(1)]) {
      const selected_objects = chosen.map(({ object_label, ticket_type }) => ({
        object_id: object_label,
        ticket_type,
      }));
      const { body } = await ask(server, 'POST', `/api/event/${event_id}/book`, {
        body: { hold_token, selected_objects },
      });
      expect(JSON.stringify(body)).not.toContain(link_key);
    }
});
