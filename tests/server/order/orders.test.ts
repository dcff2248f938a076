/** The office's view of orders: list, search, pages, detail, tickets, the session at Stripe; and what the public may see. */
import { expect } from 'vitest';
import {
  getOrder,
  listOrders,
  totalOrders,
  listOrderTickets,
  orderStatus,
  readCheckoutSession,
  readOrder,
} from '#server/contract/order/orders.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { listEvents, listPublished } from '#server/contract/events.ts';
import { searchTextOf } from '#server/domain/text/search.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { listOrders as listRows } from '#db/order/order-list.ts';
import { moneyOf, moneyStates } from '#server/domain/order/payment.ts';
import {
  ask,
  callOk,
  demoEvent,
  makeOrder,
  payOrder,
  type Booked,
  sessionIn,
} from '#tests/support/make.ts';
import { refundTickets, sellTo } from '#tests/support/till.ts';
import { setPolicy } from '#tests/support/refunds.ts';

test('orders are listed newest first, page by page, and found by number, name and state', async (server, admin) => {
  const orders = [];
  for (let nth = 0; nth < 5; nth += 1) {
    orders.push(await makeOrder(server, { nth: 0 }));
    server.clock.advance(1_000);
  }
  const { db } = server.house.ctx;
  await db('orders')
    .where({ id: orders[1]!.order_id })
    .update({
      state: 'confirmed',
      confirmed_at: server.clock.now(),
      buyer_name: 'Nicolò D’Amico',
      search_text: searchTextOf('R3MD-N8RG', 'Nicolò D’Amico', '100%_sicuro', '+39 347 1234567'),
      receipt_number: '1234-5678',
    });
  const list = async (query: Record<string, string> = {}) =>
    callOk(server, listOrders, { query } as never, admin);
  const first = await list({ limit: '2' });
  const second = await list({ limit: '2', cursor: first.next_cursor! });
  const third = await list({ limit: '2', cursor: second.next_cursor! });
  expect([...first.items, ...second.items, ...third.items].map((row) => row.order_id)).toEqual(
    orders.map((order) => order.order_id).toReversed(),
  );
  expect([first.items.length, second.items.length, third.items.length, third.next_cursor]).toEqual([
    2,
    2,
    1,
    null,
  ]);
  expect(first.items[0]).toMatchObject({
    event_title: 'La locandiera',
    places: 2,
    total_cents: 6400,
    state: 'awaiting_payment',
  });
  for (const q of [
    "D'AMICO nicolò",
    '1234-5678',
    '100%_',
    'amico',
    'damic',
    '347 123',
    '347.1234567',
    '0039 3471234567',
  ])
    expect([q, (await list({ q })).items.map((row) => row.order_id)]).toEqual([
      q,
      [orders[1]!.order_id],
    ]);
  for (const q of ['%', '_', '!', 'rossi', "' OR 1=1 --"])
    expect([q, (await list({ q })).items.length <= 1]).toEqual([q, true]);
  expect(
    (await list({ q: first.items[0]!.number.replace('-', '').toLowerCase() })).items,
  ).toHaveLength(1);
  expect((await list({ state: 'confirmed' })).items).toHaveLength(1);
  expect((await list({ event_id: 'concerto-di-natale' })).items).toEqual([]);
  expect(
    (await ask(server, 'GET', '/api/admin/orders/?cursor=nonsense', { headers: admin })).status,
  ).toBe(400);
  expect((await ask(server, 'GET', '/api/admin/orders?limit=0', { headers: admin })).status).toBe(
    400,
  );
});

test('an order’s detail tells buyer, payment, seats, history and tickets; the public sees no buyer', async (server, admin) => {
  const order = await makeOrder(server);
  const session = sessionIn(order.checkout_url);
  // What Stripe says beside its button names the evening and the seats.
  const hosted = await ask(server, 'GET', `/standins/stripe/v1/payment_pages/${session}`);
  expect(hosted.body).toMatchObject({
    custom_text: {
      submit: {
        message: expect.stringMatching(
          /^La locandiera, sabato \d+ \p{L}+ \d{4}, ore 21:00 – Platea, fila \p{L}, posto \d+; Platea, fila \p{L}, posto \d+\. Totale 64,00\u00a0€\. [^.]* rimborso [^.]*\.$/u,
        ),
      },
    },
  });
  await ask(server, 'POST', `/standins/stripe/v1/payment_pages/${session}/confirm`, {
    body: {
      payment_method: 'pm_card_visa',
      expected_amount: 6400,
      email: 'eva@example.it',
      name: 'Eva',
      custom_fields: { nome: 'Eva Neri' },
    },
  });
  server.clock.advance(3_000);
  const page = await callOk(server, getOrder, { params: { orderId: order.order_id } });
  // Not the bare name: random ids may spell it.
  expect(JSON.stringify(page)).not.toMatch(/eva@|Eva Neri|"Eva"/);
  const orderId = order.order_id;
  const detail = await callOk(server, readOrder, { params: { orderId } }, admin);
  expect(detail).toMatchObject({
    order_id: orderId,
    state: 'confirmed',
    buyer_email: 'eva@example.it',
    buyer_name: 'Eva Neri',
    total_cents: 6400,
    places: 2,
    payment_intent: expect.stringMatching(/^pi_/),
    checkout_session_status: 'complete',
  });
  expect(detail.timeline.map((entry) => entry.action).toSorted()).toEqual([
    'checkout_opened',
    'mail_waiting',
    'order_confirmed',
    'order_stored',
    'payment_received',
  ]);
  expect(detail.timeline.at(-1)!.action).toBe('order_stored');
  const tickets = await callOk(server, listOrderTickets, { params: { orderId } }, admin);
  // The office sees no link of a guest.
  expect(tickets.items).toEqual(
    page.tickets.map(({ link: _link, handed_on: _handed, ...ticket }) => ticket),
  );
  expect(await callOk(server, readCheckoutSession, { params: { orderId } }, admin)).toMatchObject({
    id: session,
    status: 'complete',
    payment_status: 'paid',
    amount_total: 6400,
    currency: 'eur',
    customer_email: 'eva@example.it',
  });
  for (const path of ['', '/tickets', '/checkout_session'])
    expect(
      (await ask(server, 'GET', `/api/admin/orders/nobody${path}`, { headers: admin })).status,
    ).toBe(404);
  for (const path of ['', '/status'])
    expect((await ask(server, 'GET', `/api/orders/nobody${path}`)).status).toBe(404);
});

test('events tell the public what is sold and the office how much', async (server, admin) => {
  const { items } = await callOk(server, listPublished, {});
  expect(items.map((event) => [event.id, event.from_price, event.sales.state])).toEqual([
    [demoEvent, 1200, 'open'],
    ['concerto-di-natale', 1150, 'open'],
  ]);
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  server.clock.advance(3_000);
  await callOk(server, orderStatus, { params: { orderId: order.order_id } });
  expect((await callOk(server, listEvents, {}, admin)).items.map((event) => event.counts)).toEqual([
    { places: 639, free: 637, sold: 2, inside: 0 },
    { places: 639, free: 639, sold: 0, inside: 0 },
  ]);
  await setPolicy(server, { status: 'draft' }, demoEvent);
  expect((await callOk(server, listPublished, {})).items.map((event) => event.id)).toEqual([
    'concerto-di-natale',
  ]);
  expect((await ask(server, 'GET', `/api/event/${demoEvent}/`)).status).toBe(404);
  expect((await callOk(server, readEvent, { params: { eventId: demoEvent } }, admin)).status).toBe(
    'draft',
  );
});

test('the list is filtered by money, by what waits, by day and by the words of a seat, and tells the sums of all that it finds', async (server, admin) => {
  const paid = await sellTo(
    server,
    { name: 'Nicolò D’Amico', email: 'nicolo@example.it' },
    { seats: ['Platea-C-1', 'Platea-C-2'] },
  );
  const open = await makeOrder(server, { seats: ['Platea-D-3', 'Platea-D-4'] });
  await refundTickets(server, admin, paid, 1);
  await server.runDue();
  const { db } = server.house.ctx;
  await db('orders')
    .where({ id: open.order_id })
    .update({
      created_at: Date.parse('2026-03-29T22:30:00Z'),
      needs_attention: 'provider_refused',
    });
  const find = async (query: Record<string, string>) =>
    callOk(server, listOrders, { query } as never, admin);
  const ids = async (query: Record<string, string>) =>
    (await find(query)).items.map((row) => row.order_id);

  const sums = async (query: Record<string, string>) =>
    callOk(server, totalOrders, { query } as never, admin);
  expect(await sums({})).toEqual({
    orders: 2,
    total_cents: 12_800,
    paid_cents: 6_400,
    refunded_cents: 3_200,
  });
  expect(await sums({ money: 'partially_refunded' })).toEqual({
    orders: 1,
    total_cents: 6_400,
    paid_cents: 6_400,
    refunded_cents: 3_200,
  });
  expect(
    (await find({})).items.map((row) => [row.state, row.money, row.paid_by, row.method]),
  ).toEqual([
    ['confirmed', 'partially_refunded', 'stripe', 'card'],
    ['awaiting_payment', 'unpaid', null, null],
  ]);
  const wanted: [query: Record<string, string>, found: Booked[]][] = [
    [{ money: 'partially_refunded' }, [paid]],
    [{ money: 'unpaid' }, [open]],
    [{ money: 'paid' }, []],
    [{ money: 'refunded' }, []],
    [{ money: 'processing' }, []],
    [{ attention: 'true' }, [open]],
    [{ attention: 'false' }, [paid]],
    // Half past midnight in Rome, summer time since that night.
    [{ from: '2026-03-30', to: '2026-03-30' }, [open]],
    [{ to: '2026-03-29' }, []],
    [{ from: '2026-03-31' }, [paid]],
    [{ q: 'platea fila c posto 2' }, [paid]],
    [{ q: 'Platea-D-4' }, [open]],
    [{ q: 'posto 4, fila D' }, [open]],
    [{ q: 'd’amico fila c' }, [paid]],
    [{ q: 'platea c 4' }, []],
    [{ q: 'platea 1' }, [paid]],
  ];
  for (const [query, found] of wanted)
    expect([query, await ids(query)]).toEqual([query, found.map((order) => order.order_id)]);
  const stored = await db('payments').where({ order_id: paid.order_id }).first();
  const { stripe_refund_id, receipt_number } = await db('refunds')
    .where({ order_id: paid.order_id })
    .first();
  for (const q of [
    stored.payment_intent,
    stored.charge_id,
    stored.receipt_number,
    stored.receipt_number.replace('-', ' '),
    stripe_refund_id,
    receipt_number,
  ])
    expect([q, await ids({ q })]).toEqual([q, [paid.order_id]]);
  for (const query of [
    'from=30/03/2026',
    'from=2026-02-30',
    'to=1999-01-01',
    'money=rich',
    'attention=1',
    'state=lost',
  ])
    expect([
      query,
      (await ask(server, 'GET', `/api/admin/orders/?${query}`, { headers: admin })).status,
    ]).toEqual([query, 400]);
});

test('every state of money is found by its filter and told alike', async (server) => {
  const { db } = server.house.ctx;
  const order = await makeOrder(server);
  for (const state of ['booking', 'awaiting_payment', 'confirmed', 'deleted']) {
    for (const session_status of [null, 'open', 'complete']) {
      for (const [paid_cents, refunded_cents] of [
        [0, 0],
        [6_400, 0],
        [6_400, 100],
        [6_400, 6_400],
      ] as const) {
        await db('orders')
          .where({ id: order.order_id })
          .update({
            state,
            session_status,
            paid_cents,
            refunded_cents,
            confirmed_at: state === 'confirmed' ? 1 : null,
            deleted_at: state === 'deleted' ? 1 : null,
          });
        const [row] = await listRows(db, {}, { limit: 1, after: null });
        const told = moneyOf(row!);
        const found = [];
        for (const money of moneyStates)
          if ((await listRows(db, { money }, { limit: 1, after: null })).length === 1)
            found.push(money);
        expect([state, session_status, paid_cents, refunded_cents, found]).toEqual([
          state,
          session_status,
          paid_cents,
          refunded_cents,
          [told],
        ]);
      }
    }
  }
});

it('the list as a file opens in Italian Excel, and no cell can start a formula', async (server, admin) => {
  // A line end within, also a lone one, would begin a row of its own; what parts cells elsewhere, a cell.
  const order = await sellTo(server, {
    name: '=HYPERLINK("http://evil.example")\r=1\r\n@x; =2,+3;-4;"=5',
    email: 'eva@example.it',
  });
  await makeOrder(server, { nth: 1 });
  const excel = await ask(server, 'GET', '/api/admin/orders/export.csv?money=paid', {
    headers: admin,
  });
  expect(excel.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(excel.headers.get('content-disposition')).toMatch(
    /^attachment; filename="ordini-\d{4}-\d\d-\d\d\.csv"$/,
  );
  const bytes = new Uint8Array(
    await (
      await fetch(`${server.url}/api/admin/orders/export.csv`, { headers: admin })
    ).arrayBuffer(),
  );
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [head, row, ...rest] = (excel.body as string).replace('\uFEFF', '').split('\r\n');
  expect([head!.split(';').slice(0, 3), rest]).toEqual([['Numero', 'Stato', 'Pagamento'], ['']]);
  expect(row).toContain(';Confermato;Pagato;La locandiera;');
  expect(row).toContain(';2;64,00;0,00;64,00;0,00;Carta;');
  // The evening, its seats and their types come last.
  expect(row).toMatch(/;\d\d\/\d\d\/\d{4}[^;]*;"?[^;]*Platea[^;]* · [^;]*Platea[^;]*;2 Intero$/);
  expect(row).toContain(`"'=HYPERLINK(""http://evil.example"") =1 @x;' =2,'+3;'-4;'""=5"`);
  const plain = (
    await ask(server, 'GET', '/api/admin/orders/export.csv?format=plain', { headers: admin })
  ).body as string;
  const stored = await server.house.ctx.db('orders').where({ id: order.order_id }).first();
  expect(plain.split('\r\n')).toHaveLength(4);
  expect(plain).toContain(
    `${stored.number},Confermato,Pagato,La locandiera,${new Date(stored.created_at).toISOString()},`,
  );
  expect(plain).toContain(',64.00,0.00,64.00,0.00,Carta,');
  expect(
    (await ask(server, 'GET', '/api/admin/orders/export.csv?format=xls', { headers: admin }))
      .status,
  ).toBe(400);
  expect((await ask(server, 'GET', '/api/admin/orders/export.csv')).status).toBe(401);
});
