/** The search of the whole office: one list, whichever way a thing is named, and only for whoever may see orders. */
import { expect } from 'vitest';
import { forgetBuyer } from '#db/person/forgetting.ts';
import { transact } from '#db/engine/transact.ts';
import { reissueTickets } from '#server/contract/counter.ts';
import { addressOf, type ReplyOf } from '#server/contract/endpoint.ts';
import { getOrder, listOrders } from '#server/contract/order/orders.ts';
import { searchOffice } from '#server/contract/search.ts';
import { searchTextOf } from '#server/domain/text/search.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import {
  ask,
  callOk,
  demoEvent,
  makeAdmin,
  makeOrder,
  makePairedPhone,
} from '#tests/support/make.ts';

type Found = ReplyOf<typeof searchOffice>['items'];

test('an order is found by number, name, mail, receipt, seat, whole code and the end of a code; events and phones by name', async (server, admin) => {
  await makePairedPhone(server, admin, 'Varco Nord');
  const { order_id } = await makePaidOrder(server, { email: 'eva@xn--citt-3na.example' });
  const { db } = server.house.ctx;
  const { number } = await db('orders').where({ id: order_id }).first('number');
  await db('payments').where({ order_id }).update({ receipt_number: '1234-5678' });
  const { tickets } = await callOk(server, getOrder, { params: { orderId: order_id } });
  const { place } = await db('order_lines').where({ order_id }).first('place');
  const search = async (q: string): Promise<Found> =>
    (await callOk(server, searchOffice, { query: { q } }, admin)).items;
  for (const q of [
    number,
    number.replace('-', '').toLowerCase(),
    'NERI eva',
    'eva@città',
    'EVA@xn--citt-3na.example',
    '1234 5678',
    place,
    place.toLowerCase().replaceAll('-', ' '),
    tickets[0]!.code_for_people,
  ])
    expect([q, (await search(q))[0]]).toEqual([
      q,
      expect.objectContaining({ kind: 'order', id: order_id, number }),
    ]);
  expect(await search('locandiera')).toMatchObject([{ kind: 'event', id: demoEvent }]);
  expect(await search('varco nord')).toMatchObject([{ kind: 'phone', name: 'Varco Nord' }]);
  expect(await search('nessuno così')).toEqual([]);

  // The end of a code, said at the desk, of whatever evening; of the next code once the ticket has one.
  const end = tickets[0]!.code.slice(-6);
  for (const days of [-500, -1, 0, 5])
    for (const typed of [end, end.slice(2), `${end.slice(0, 3)}-${end.slice(3)}`.toLowerCase()]) {
      await db('events')
        .where({ id: demoEvent })
        .update({ starts_at: server.clock.now() + days * 24 * 3_600_000 });
      const isFound = (await search(typed)).some(({ id }) => id === order_id);
      expect([typed, isFound]).toEqual([typed, /\d/.test(typed)]);
    }
  await callOk(
    server,
    reissueTickets,
    { params: { orderId: order_id }, body: { reason: 'Carta bagnata' } },
    admin,
  );
  const fresh = (await callOk(server, getOrder, { params: { orderId: order_id } })).tickets[0]!;
  expect(await db('tickets').where({ id: fresh.ticket_id }).first('code_end')).toEqual({
    code_end: fresh.code.slice(-4),
  });
});

test('words are found by their beginnings and telephones however they are parted, the newest first; who is erased is found no more', async (server, admin) => {
  const { db } = server.house.ctx;
  const { order_id } = await makePaidOrder(server, { name: 'Eva Dell’Orto' });
  const write = async (id: string, texts: (string | null)[]) => {
    const { number } = await db('orders').where({ id }).first('number');
    await db('orders')
      .where({ id })
      .update({ search_text: searchTextOf(number, ...texts) });
  };
  const search = async (q: string) =>
    (await callOk(server, searchOffice, { query: { q } }, admin)).items
      .filter(({ kind }) => kind === 'order')
      .map(({ id }) => id);
  expect(await search('dell eva')).toEqual([order_id]);
  expect(await search('dellorto')).toEqual([order_id]);
  expect(await search('orto e')).toEqual([order_id]);
  expect(await search('rto')).toEqual([]);
  await write(order_id, ['Nicolò Ρένα', 'nico.rena@example.it', '+39 02 5551234']);
  expect(await search('dellorto')).toEqual([]);
  for (const q of ['02 555', '025551234', '+39 025551234', '0039.02.5551234', 'nico.re', 'ρενα'])
    expect([q, await search(q)]).toEqual([q, [order_id]]);
  server.clock.advance(1_000);
  const later = await makePaidOrder(server, { name: 'Nicola Verdi' });
  expect(await search('nicol')).toEqual([later.order_id, order_id]);
  await transact(db, (trx) => forgetBuyer(trx, order_id, server.clock.now()));
  expect(await search('nicol')).toEqual([later.order_id]);
  const { number } = await db('orders').where({ id: order_id }).first('number');
  expect(await search(number.slice(5).toLowerCase())).toEqual([order_id]);
});

test('an order that nobody has paid is found by the beginnings of its number’s halves', async (server, admin) => {
  const { order_id } = await makeOrder(server);
  const { number } = await server.house.ctx
    .db('orders')
    .where({ id: order_id })
    .first<{ number: string }>('number');
  const [first, second] = number.toLowerCase().split('-') as [string, string];
  for (const q of [first, second, `${second} ${first}`, first + second, second.slice(0, 3)]) {
    const { items } = await callOk(server, searchOffice, { query: { q } }, admin);
    expect([q, items.map(({ id }) => id)]).toEqual([q, [order_id]]);
    const list = await callOk(server, listOrders, { query: { q } }, admin);
    expect([q, list.items.map((order) => order.order_id)]).toEqual([q, [order_id]]);
  }
});

test('signs of SQL are only signs, and a seat may be said in several ways', async (server) => {
  const headers = await makeAdmin(server);
  await makePaidOrder(server, { email: 'eva@example.it' });
  const get = (q: string) => ask(server, 'GET', addressOf(searchOffice, {}, { q }), { headers });
  for (const q of ['%%', '__', "' OR 1=1 --", 'x'.repeat(100), '!!', '\\\\', '-- - --'])
    expect([q, (await get(q)).body]).toEqual([q, { items: [] }]);
  expect((await get('a')).status).toBe(400);
});

test('an order is found by its seat in the house’s own words, of every hall that is to come', async (server, admin) => {
  const box = 'Palchi II ordine-3-2';
  const { order_id } = await makePaidOrder(server, {}, { seats: [box.replace(/2$/, '1'), box] });
  const search = async (q: string) =>
    (await callOk(server, searchOffice, { query: { q } }, admin)).items.map((item) =>
      item.kind === 'order' ? [item.id, item.seat] : item.id,
    );
  for (const q of [
    'II ordine, Palco 3, posto 2',
    'Palchi II ordine, Palco 3, posto 2',
    'palchi ii 3 2',
    'palco 3 posto 2',
    box,
  ])
    expect([q, await search(q)]).toEqual([q, [[order_id, box]]]);
  for (const q of ['I ordine, Palco 3, posto 2', 'II ordine, Palco 3, posto 99'])
    expect([q, await search(q)]).toEqual([q, []]);
});
