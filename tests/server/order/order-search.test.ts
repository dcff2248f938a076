/** The search of the list of orders where very many are found: the newest of them, page by page, and every other way of naming an order beside the words. */
import { expect } from 'vitest';
import { listOrders, totalOrders } from '#server/contract/order/orders.ts';
import type { OrderRow } from '#db/rows.ts';
import { searchTextOf } from '#server/domain/text/search.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { callOk } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';
import { sellTo } from '#tests/support/till.ts';

/** More than the search fetches before it walks by time. */
const many = 2_100;

/** Copies of an order whose buyers are all called Giulia, the older ones stored last. */
async function fillWithGiulias(server: TestServer, order_id: string): Promise<OrderRow[]> {
  const { db } = server.house.ctx;
  const order = (await db<OrderRow>('orders').where({ id: order_id }).first())!;
  const rows = Array.from({ length: many }, (_, at) => {
    const id = `giulia-${at}`;
    const number = `${String(at).padStart(4, '0')}-ZZZZ`;
    const key = {
      link_key: id,
      hold_token: id,
      idempotency_key: id,
      session_id: null,
      payment_intent: null,
    };
    const buyer = { buyer_name: `Giulia ${at}`, search_text: searchTextOf(number, `Giulia ${at}`) };
    return {
      ...order,
      id,
      number,
      ...key,
      ...buyer,
      created_at: order.created_at - (at + 1) * 1_000,
    };
  });
  for (let from = 0; from < many; from += 300)
    await db('orders').insert(rows.slice(from, from + 300));
  return rows;
}

test('of very many found orders the newest come first, page by page', async (server, admin) => {
  const { order_id } = await sellTo(server, { name: 'Ada Neri' });
  const rows = await fillWithGiulias(server, order_id);
  const find = (query: Record<string, string>) =>
    callOk(server, listOrders, { query } as never, admin);
  const first = await find({ q: 'giulia', limit: '50' });
  const second = await find({ q: 'giulia', limit: '50', cursor: first.next_cursor! });
  const ids = [...first.items, ...second.items].map((item) => item.order_id);
  expect(ids).toEqual(rows.slice(0, 100).map(({ id }) => id));
  expect(await callOk(server, totalOrders, { query: { q: 'giulia' } }, admin)).toMatchObject({
    orders: many,
  });

  // Few of them, and each way of saying which: fetched, not walked.
  const one = await find({ q: 'giulia 2099' });
  expect(one.items.map((item) => item.order_id)).toEqual(['giulia-2099']);
  // Words that are found in very many, and by a whole payment in one that has other words.
  await server.house.ctx.db('orders').where({ id: order_id }).update({ payment_intent: 'giulia' });
  const both = await find({ q: 'giulia', limit: '1' });
  expect(both.items.map((item) => item.order_id)).toEqual([order_id]);
  const filtered = await find({ q: 'giulia', state: 'deleted' });
  expect(filtered.items).toEqual([]);
});
