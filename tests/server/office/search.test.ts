/** The search of the whole office: one list, whichever way a thing is named, and only for whoever may see orders. */
import { expect } from 'vitest';
import { addressOf, type ReplyOf } from '#server/contract/endpoint.ts';
import { getOrder } from '#server/contract/orders.ts';
import { searchOffice } from '#server/contract/search.ts';
import { seatLabels } from '#server/services/office/search.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, callOk, demoEvent, makeAdmin, makePairedPhone } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';

type Found = ReplyOf<typeof searchOffice>['items'];

testOnBoth(
  'an order is found by number, name, mail, receipt, seat, whole code and, on its evening, the end of a code; events and phones by name',
  async (server) => {
    const admin = await makeAdmin(server);
    await makePairedPhone(server, admin, 'Varco Nord');
    const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
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
      'eva@example',
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

    // The end of a code, said at the desk: only around the hour of the evening.
    const end = tickets[0]!.code.slice(-6);
    const isFound = async () => (await search(end)).some(({ id }) => id === order_id);
    await db('events')
      .where({ id: demoEvent })
      .update({ starts_at: server.clock.now() + 5 * 24 * 3_600_000 });
    expect(await isFound()).toBe(false);
    await db('events')
      .where({ id: demoEvent })
      .update({ starts_at: server.clock.now() + 3_600_000 });
    expect([end, await isFound()]).toEqual([end, /\d/.test(end)]);
  },
);

testOnBoth(
  'whoever may not see orders finds nothing, and signs of SQL are only signs',
  async (server) => {
    const admin = await makeAdmin(server);
    await makePaidOrder(server, { email: 'eva@example.it' });
    const get = (q: string, person: { cookie: string }) =>
      ask(server, 'GET', addressOf(searchOffice, {}, { q }), { headers: person });
    expect((await get('eva', await asRole(server, 'door'))).status).toBe(403);
    for (const q of ['%%', '__', "' OR 1=1 --", 'x'.repeat(100), '!!', '\\\\', '-- - --'])
      expect([q, (await get(q, admin)).body]).toEqual([q, { items: [] }]);
    expect((await get('a', admin)).status).toBe(400);
  },
);

testOnBoth('a seat may be said in several ways', async () => {
  expect(seatLabels('platea c 12')).toContain('Platea-C-12');
  expect(seatLabels('Platea, fila C, posto 12')).toContain('Platea-C-12');
  expect(seatLabels('Palchi I ordine 7 2')).toContain('Palchi I ordine-7-2');
  expect(seatLabels('a 12')).toContain('A-12');
});
