/** Earlier buyers at the till: found by a few letters, masked for a cashier, and gone when they were erased. */
import { expect } from 'vitest';
import { findCustomers, makeSale } from '#server/contract/counter.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { openDrawer, saleBody, sellAtCounter } from '#tests/support/counter.ts';
import { ask, callOk, makeAdmin } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';

test('an earlier buyer is found by name, mail or the end of the telephone; a cashier sees the name, and the tickets go where nobody had to read', async (server) => {
  const admin = await makeAdmin(server);
  const cashier = await asRole(server, 'cassa');
  await openDrawer(server, cashier);
  const buyer = {
    name: 'Nicolò D’Amico',
    email: 'nicolo@example.it',
    phone: '+39 333 12.34.567',
  };
  for (let nth = 0; nth < 2; nth += 1) await sellAtCounter(server, cashier, { buyer });
  const find = async (q: string, who = cashier) =>
    (await callOk(server, findCustomers, { query: { q } }, who)).items;
  const [found, ...others] = await find('d’amico nico');
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    name: 'Nicolò D’Amico',
    email: 'n•••@example.it',
    phone: '•••567',
  });
  expect(await find('567')).toEqual([found]);
  expect(await find('+39 333 1234567')).toEqual([found]);
  expect(await find('4567', admin)).toMatchObject([{ email: buyer.email, phone: buyer.phone }]);
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
