/** The office's view of orders: list, search, pages, detail, tickets, the session at Stripe; and what the public may see. */
import { expect } from 'vitest';
import { getOrder, listOrders, listOrderTickets, orderStatus, readCheckoutSession, readOrder } from '#server/contract/orders.ts';
import { listEvents, listPublished, readEvent } from '#server/contract/events.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, makeAdmin, makeOrder, payOrder } from '#tests/support/make.ts';

testOnBoth('orders are listed newest first, page by page, and found by number, name and state', async (server) => {
  const admin = await makeAdmin(server);
  const orders = [];
  for (let nth = 0; nth < 5; nth += 1) {
    orders.push(await makeOrder(server, { nth: 0 }));
    server.clock.advance(1_000);
  }
  const { db } = server.house.ctx;
  await db('orders').where({ id: orders[1]!.order_id }).update({ state: 'confirmed', confirmed_at: server.clock.now(), buyer_name: 'Nicolò D’Amico', search_text: 'nicolo d\'amico 100%_sicuro', receipt_number: '1234-5678' });
  const list = async (query: Record<string, string> = {}) => callOk(server, listOrders, { query } as never, admin);
  const first = await list({ limit: '2' });
  const second = await list({ limit: '2', cursor: first.next_cursor! });
  const third = await list({ limit: '2', cursor: second.next_cursor! });
  expect([...first.items, ...second.items, ...third.items].map((row) => row.order_id)).toEqual(orders.map((order) => order.order_id).toReversed());
  expect([first.items.length, second.items.length, third.items.length, third.next_cursor]).toEqual([2, 2, 1, null]);
  expect(first.items[0]).toMatchObject({ event_title: 'La locandiera', places: 2, total_cents: 6400, state: 'awaiting_payment' });
  for (const q of ['D\'AMICO nicolò', '1234-5678', '100%_', 'amico']) expect([q, (await list({ q })).items.map((row) => row.order_id)]).toEqual([q, [orders[1]!.order_id]]);
  for (const q of ['%', '_', '!', 'rossi', "' OR 1=1 --"]) expect([q, (await list({ q })).items.length <= 1]).toEqual([q, true]);
  expect((await list({ q: first.items[0]!.number.replace('-', '').toLowerCase() })).items).toHaveLength(1);
  expect((await list({ state: 'confirmed' })).items).toHaveLength(1);
  expect((await list({ event_id: 'concerto-di-natale' })).items).toEqual([]);
  expect((await ask(server, 'GET', '/api/admin/orders/?cursor=nonsense', { headers: admin })).status).toBe(400);
  expect((await ask(server, 'GET', '/api/admin/orders?limit=0', { headers: admin })).status).toBe(400);
});

testOnBoth('an order’s detail tells buyer, payment, seats, history and tickets; the public sees no buyer', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makeOrder(server);
  const session = order.checkout_url.split('/').at(-1)!;
  await ask(server, 'POST', `/standins/stripe/v1/payment_pages/${session}/confirm`, { body: { payment_method: 'pm_card_visa', expected_amount: 6400, email: 'eva@example.it', name: 'Eva', custom_fields: { nome: 'Eva Neri' } } });
  server.clock.advance(3_000);
  const page = await callOk(server, getOrder, { params: { orderId: order.order_id } });
  expect(JSON.stringify(page)).not.toMatch(/eva|Eva/);
  const orderId = order.order_id;
  const detail = await callOk(server, readOrder, { params: { orderId } }, admin);
  expect(detail).toMatchObject({ order_id: orderId, state: 'confirmed', buyer_email: 'eva@example.it', buyer_name: 'Eva Neri', total_cents: 6400, places: 2, payment_intent: expect.stringMatching(/^pi_/), checkout_session_status: 'complete' });
  expect(detail.history.map((entry) => entry.action)).toEqual(['order_stored', 'checkout_opened', 'order_confirmed']);
  const tickets = await callOk(server, listOrderTickets, { params: { orderId } }, admin);
  expect(tickets.items).toEqual(page.tickets);
  expect(await callOk(server, readCheckoutSession, { params: { orderId } }, admin)).toMatchObject({ id: session, status: 'complete', payment_status: 'paid', amount_total: 6400, currency: 'eur', customer_email: 'eva@example.it', url: null });
  for (const path of ['', '/tickets', '/checkout_session']) expect((await ask(server, 'GET', `/api/admin/orders/nobody${path}`, { headers: admin })).status).toBe(404);
  for (const path of ['', '/status']) expect((await ask(server, 'GET', `/api/orders/nobody${path}`)).status).toBe(404);
});

testOnBoth('what Stripe says beside its button names the evening and the seats', async (server) => {
  const order = await makeOrder(server);
  const page = await ask(server, 'GET', `/standins/stripe/v1/payment_pages/${order.checkout_url.split('/').at(-1)!}`);
  expect((page.body as { custom_text: { submit: { message: string } } }).custom_text.submit.message).toMatch(/^La locandiera, sabato \d+ \p{L}+ \d{4}, ore 21:00 – Platea, fila \p{L}, posto \d+; Platea, fila \p{L}, posto \d+$/u);
});

testOnBoth('events tell the public what is sold and the office how much', async (server) => {
  const admin = await makeAdmin(server);
  const { items } = await callOk(server, listPublished, {});
  expect(items.map((event) => [event.id, event.from_price, event.sales.state])).toEqual([[demoEvent, 1200, 'open'], ['concerto-di-natale', 1000, 'open']]);
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  server.clock.advance(3_000);
  await callOk(server, orderStatus, { params: { orderId: order.order_id } });
  expect((await callOk(server, listEvents, {}, admin)).items.map((event) => event.counts)).toEqual([{ places: 639, sold: 2, inside: 0 }, { places: 639, sold: 0, inside: 0 }]);
  await server.house.ctx.db('events').where({ id: demoEvent }).update({ status: 'draft' });
  expect((await callOk(server, listPublished, {})).items.map((event) => event.id)).toEqual(['concerto-di-natale']);
  expect((await ask(server, 'GET', `/api/event/${demoEvent}/`)).status).toBe(404);
  expect((await callOk(server, readEvent, { params: { eventId: demoEvent } }, admin)).status).toBe('draft');
});
