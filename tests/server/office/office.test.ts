/** The office's work on orders: by receipt, confirmed at the till, ended, decided, and the inbox of all that waits. */
import { expect } from 'vitest';
import { addressOf, type EndpointShape, type ReplyOf } from '#server/contract/endpoint.ts';
import {
  cancelOrder,
  confirmOrder,
  countAttention,
  findByReceipt,
  readAttention,
  decideOrder,
} from '#server/contract/office.ts';
import { getOrder, readCheckoutSession, readOrder } from '#server/contract/order/orders.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { payAs } from '#tests/support/buyer.ts';
import {
  ask,
  callOk,
  demoEvent,
  makeHoldToken,
  holdObjects,
  makeOrder,
  payOrder,
  walkPages,
} from '#tests/support/make.ts';
import { refundTickets, sellTo, settle } from '#tests/support/till.ts';
import type { TestServer } from '#tests/support/server.ts';

type Person = { cookie: string };

/** The order's id, or why there is none. */
async function orderOf(server: TestServer, headers: Person, query: string) {
  const path = `/api/admin/orders/find_by_receipt_number${query}`;
  const { status, body } = await ask(server, 'GET', path, { headers });
  const { order_id, code } = body as { code?: string; order_id?: string };
  return [status, order_id ?? code];
}

type Inbox = ReplyOf<typeof readAttention>;

/** What of the inbox is about these. */
function waiting<A extends 'order' | 'dispute' | 'mail' | 'break' | 'refund'>(
  { items }: Inbox,
  about: A,
) {
  type Item = Inbox['items'][number];
  type Of<I> = I extends { about: infer B } ? (A extends B ? I : never) : never;
  return items.filter((item): item is Item & Of<Item> => item.about === about);
}

test('a receipt number finds its order: exact, but for spaces, dashes and small letters; a refund’s receipt, too', async (server, admin) => {
  const order = await sellTo(server);
  await sellTo(server, {}, { nth: 3 });
  const { db } = server.house.ctx;
  const { receipt_number } = await db('payments').where({ order_id: order.order_id }).first();
  expect(receipt_number).toMatch(/^\d{4}-\d{4}$/);
  const [a, b] = receipt_number.split('-') as [string, string];
  const find = (text: string) =>
    orderOf(server, admin, `?receipt_number=${encodeURIComponent(text)}`);
  const found = [200, order.order_id];
  for (const spelling of [receipt_number, ` ${receipt_number} `, a + b, `${a} ${b}`, `${a}–${b}`])
    expect([spelling, await find(spelling)]).toEqual([spelling, found]);
  expect(await callOk(server, findByReceipt, { query: { receipt_number } }, admin)).toEqual(
    await callOk(server, readOrder, { params: { orderId: order.order_id } }, admin),
  );
  const others = [a, `${receipt_number}1`, receipt_number.slice(1), '0000-0000', '%', '_________'];
  for (const part of others)
    expect([part, await find(part)]).toEqual([part, [404, 'receipt_not_found']]);
  for (const query of [
    '',
    '?receipt_number=',
    '?receipt_number=%20%20',
    `?receipt_number=${'1'.repeat(41)}`,
    '?receipt_number=1&receipt_number=2',
    '?receipt_number=%00',
  ])
    expect([query, (await orderOf(server, admin, query))[0]]).toEqual([query, 400]);
  expect(await orderOf(server, admin, `/?receipt_number=${receipt_number}`)).toEqual(found);

  await refundTickets(server, admin, order, 1);
  await settle(server, order);
  const refund = await db('refunds').where({ order_id: order.order_id }).first();
  expect(await find(refund.receipt_number)).toEqual(found);
});

test('a receipt that we have not heard of yet is found at Stripe and kept; while Stripe is silent the miss says so', async (server, admin) => {
  const order = await sellTo(server);
  const { db } = server.house.ctx;
  const { receipt_number } = await db('payments').where({ order_id: order.order_id }).first();
  const query = `?receipt_number=${receipt_number}`;
  const forget = async () => {
    await db('payments').update({ receipt_number: null });
    await db('orders').update({ receipt_number: null });
    server.clock.advance(60_000);
  };
  await forget();
  expect(await orderOf(server, admin, query)).toEqual([200, order.order_id]);
  expect(await db('payments').pluck('receipt_number')).toEqual([receipt_number]);
  await forget();
  await server.house.standins!.stripe!.close();
  const answer = await ask(server, 'GET', findByReceipt.path + query, { headers: admin });
  expect([answer.status, answer.body]).toEqual([
    404,
    {
      status: 404,
      code: 'receipt_not_found',
      message: 'Nessun ordine con questo numero di ricevuta.',
      detail: { stripe: 'silent' },
    },
  ]);
});

/** What the office does with an order, whatever comes back. */
function deskOf(server: TestServer, headers: Person) {
  return (endpoint: EndpointShape, orderId: string, body: unknown = {}) =>
    ask(server, 'POST', addressOf(endpoint, { orderId }), { body, headers });
}

test('an order paid in cash is confirmed with a reason: the checkout is closed, tickets and money are in the book, a repeat changes nothing', async (server, admin) => {
  const order = await makeOrder(server);
  const params = { orderId: order.order_id };
  const desk = deskOf(server, admin);
  const good = { reason: 'Pagato alla cassa', method: 'cash', expected_cents: 6_400 } as const;
  for (const body of [
    {},
    { ...good, reason: ' ab ' },
    { ...good, method: 'card' },
    { ...good, expected_cents: 64.5 },
    { ...good, expected_cents: -1 },
    { ...good, reason: 'x'.repeat(501) },
    [],
  ])
    expect([body, (await desk(confirmOrder, order.order_id, body)).status]).toEqual([body, 400]);
  const other = { ...good, expected_cents: 6_300 };
  expect(await desk(confirmOrder, order.order_id, other)).toMatchObject({
    status: 409,
    body: { code: 'total_changed', detail: { total_cents: 6_400 } },
  });
  const told = await callOk(server, confirmOrder, { params, body: good }, admin);
  expect(told).toMatchObject({
    state: 'confirmed',
    money: 'paid',
    paid_by: 'manual',
    method: 'cash',
    paid_cents: 6_400,
    payments: [{ kind: 'manual', amount_cents: 6_400, note: 'Pagato alla cassa', actor: 'Ada' }],
  });
  expect(told.lines.map((line) => line.ticket_state)).toEqual(['valid', 'valid']);
  expect(told.timeline.find((entry) => entry.action === 'order_confirmed')).toMatchObject({
    actor: 'Ada',
    detail: { reason: 'Pagato alla cassa' },
  });
  expect((await callOk(server, readCheckoutSession, { params }, admin)).status).toBe('expired');
  await callOk(server, confirmOrder, { params, body: good }, admin);
  const { db } = server.house.ctx;
  expect(await db('payments')).toHaveLength(1);
  expect(await db('tickets').where({ state: 'valid' })).toHaveLength(2);
  expect((await payOrder(server, order.checkout_url)).status).toBe(400);
  expect((await desk(confirmOrder, 'nobody', good)).status).toBe(404);
  // A cash order without an address waits for no mail.
  await server.runDue();
  expect(await callOk(server, countAttention, {}, admin)).toMatchObject({ count: 1 });
  const late = await makeOrder(server, { nth: 1 });
  await db('events').where({ id: demoEvent }).update({ status: 'cancelled' });
  const refused = await desk(confirmOrder, late.order_id, good);
  expect(refused.body).toMatchObject({ code: 'event_cancelled' });
  expect(await db('orders').where({ id: late.order_id }).first()).toMatchObject({
    state: 'awaiting_payment',
    session_status: 'open',
  });
});

test('a guest’s order ends without money; one that had ended takes its seats again only while they are free', async (server, admin) => {
  const desk = deskOf(server, admin);
  const { db, seats } = server.house.ctx;
  const guest = await makeOrder(server);
  const free = { reason: 'Ospite del regista', method: 'guest', expected_cents: 6_400 };
  expect((await desk(confirmOrder, guest.order_id, free)).body).toMatchObject({
    state: 'confirmed',
    money: 'paid',
    paid_by: 'free',
    paid_cents: 0,
    payments: [],
  });
  expect(await db('tickets').pluck('price_cents')).toEqual([0, 0]);
  // It is a gift, not a booking that its buyer gives back.
  const page = await callOk(server, getOrder, { params: { orderId: guest.link_key } });
  expect(page.free).toBeNull();
  const ended = await makeOrder(server, { nth: 1 });
  const taken = await makeOrder(server, { nth: 3 });
  for (const { order_id } of [ended, taken]) {
    const { body } = await desk(cancelOrder, order_id, { reason: 'Ha richiamato' });
    expect(body).toMatchObject({ state: 'deleted' });
  }
  const labelsOf = ({ selected_objects }: typeof taken) =>
    selected_objects.map(({ object_id }) => object_id);
  await makeOrder(server, { seats: labelsOf(taken) });
  const body = { reason: 'Bonifico arrivato', method: 'transfer', expected_cents: 6_400 };
  expect(await desk(confirmOrder, taken.order_id, body)).toMatchObject({
    status: 409,
    body: { code: 'seats_taken' },
  });
  expect((await desk(confirmOrder, ended.order_id, body)).body).toMatchObject({
    state: 'confirmed',
    method: 'transfer',
  });
  const objects = [...(await seats.read(demoEvent, labelsOf(ended))).values()];
  expect(objects.map(({ status }) => status)).toEqual(['booked', 'booked']);
});

test('the office ends an unpaid order and its seats are free; a paid one is confirmed instead, a confirmed one refused', async (server, admin) => {
  const desk = deskOf(server, admin);
  const open = await makeOrder(server);
  const params = { orderId: open.order_id };
  const told = await callOk(server, cancelOrder, { params, body: {} }, admin);
  expect(told).toMatchObject({
    state: 'deleted',
    money: 'unpaid',
    checkout_session_status: 'expired',
  });
  expect(told.timeline.find((entry) => entry.action === 'order_deleted')).toMatchObject({
    actor: 'Ada',
  });
  const held = await holdObjects(server, await makeHoldToken(server), open.selected_objects);
  expect(held.status).toBe(200);
  const paid = await makeOrder(server, { nth: 3 });
  await payAs(server, paid);
  expect((await desk(cancelOrder, paid.order_id)).body).toMatchObject({
    state: 'confirmed',
    money: 'paid',
  });
  expect(await desk(cancelOrder, paid.order_id)).toMatchObject({
    status: 409,
    body: { code: 'decision_not_possible' },
  });
  expect((await desk(cancelOrder, 'nobody')).status).toBe(404);
});

test('another sum than agreed waits in the inbox: taken as it is, or given back', async (server, admin) => {
  const { db } = server.house.ctx;
  const differing = async (nth: number) => {
    const order = await makeOrder(server, { nth });
    await db('orders').where({ id: order.order_id }).update({ total_cents: 7_000 });
    await payAs(server, order);
    await settle(server, order);
    return order;
  };
  const [kept, returned] = [await differing(0), await differing(3)];
  const inbox = await callOk(server, readAttention, {}, admin);
  expect([
    inbox.count,
    waiting(inbox, 'order').map((order) => [
      order.order_id,
      order.needs_attention,
      order.decisions,
      order.paid_cents,
      order.seats.length,
    ]),
  ]).toEqual([
    3,
    [kept, returned].map((order) => [
      order.order_id,
      'amount_differs',
      ['accept', 'refund'],
      6_400,
      2,
    ]),
  ]);
  const desk = deskOf(server, admin);
  const decide = async (body: object) => (await desk(decideOrder, kept.order_id, body)).status;
  const note = 'Va bene così';
  const wrong = [{}, { note: 'ok' }, { decision: 'burn', note }];
  for (const body of wrong)
    expect([body, await decide({ decision: 'accept', ...body })]).toEqual([body, 400]);
  expect(await decide({ decision: 'void', note })).toBe(409);
  const accepted = await desk(decideOrder, kept.order_id, { decision: 'accept', note });
  expect(accepted.body).toMatchObject({
    state: 'confirmed',
    needs_attention: null,
    paid_cents: 6_400,
  });
  expect((await desk(decideOrder, returned.order_id, { decision: 'refund', note })).status).toBe(
    200,
  );
  await settle(server, returned);
  expect(
    await callOk(server, readOrder, { params: { orderId: returned.order_id } }, admin),
  ).toMatchObject({
    state: 'deleted',
    money: 'refunded',
    refunded_cents: 6_400,
    needs_attention: null,
    refunds: [{ state: 'succeeded', amount_cents: 6_400 }],
  });
  expect(await decide({ decision: 'accept', note })).toBe(409);
  expect(await callOk(server, countAttention, {}, admin)).toMatchObject({ count: 1 });
});

test('the inbox tells each thing once: a failed refund, a dispute, a mail that was refused, a difference', async (server, admin) => {
  const { db } = server.house.ctx;
  expect(await callOk(server, readAttention, {}, admin)).toEqual({
    count: 1,
    counts: { order: 0, refund_request: 0, refund: 0, dispute: 0, mail: 0, break: 0, seals: 0 },
    // No mail server is set up.
    findings: [expect.objectContaining({ name: 'mail', state: 'amber' })],
    items: [],
    next_cursor: null,
  });
  const failing = await sellTo(server, { method: 'pm_card_refundFail' });
  await refundTickets(server, admin, failing);
  await settle(server, failing);
  const disputed = await sellTo(
    server,
    { name: 'Otto Rossi', method: 'pm_card_createDispute' },
    { nth: 3 },
  );
  const unsent = await sellTo(server, {}, { nth: 4 });
  await db('mails')
    .where({ order_id: unsent.order_id, kind: 'tickets' })
    .update({ state: 'failed', last_error: 'rejected: 550' });
  await db('breaks').insert({
    id: 'b1',
    kind: 'seat_not_booked',
    subject: 'Platea-A-1',
    event_id: demoEvent,
    order_id: unsent.order_id,
    detail: '{"seat":"free"}',
    found_at: server.clock.now(),
    seen_at: server.clock.now(),
    settled_at: null,
    settled_by: null,
    settlement: null,
    note: null,
  });
  const inbox = await callOk(server, readAttention, {}, admin);
  expect(waiting(inbox, 'order')).toEqual([]);
  expect(waiting(inbox, 'refund')).toEqual([
    expect.objectContaining({
      order_id: failing.order_id,
      state: 'failed',
      amount_cents: 6_400,
      long_pending: false,
      event_title: 'La locandiera',
    }),
  ]);
  expect(waiting(inbox, 'refund')[0]!.seats).toHaveLength(2);
  expect(waiting(inbox, 'dispute')).toEqual([
    expect.objectContaining({
      order_id: disputed.order_id,
      buyer_name: 'Otto Rossi',
      amount_cents: 6_400,
      status: 'needs_response',
      decisions: ['void', 'keep'],
    }),
  ]);
  expect(waiting(inbox, 'mail')).toEqual([
    expect.objectContaining({ order_id: unsent.order_id, kind: 'tickets', trouble: 'rejected' }),
  ]);
  expect(waiting(inbox, 'break')).toEqual([
    expect.objectContaining({
      order_id: unsent.order_id,
      kind: 'seat_not_booked',
      subject: 'Platea-A-1',
    }),
  ]);
  expect([inbox.count, inbox.counts]).toEqual([
    5,
    { order: 0, refund_request: 0, refund: 1, dispute: 1, mail: 1, break: 1, seals: 0 },
  ]);
  // One at a time, and what is searched for: the same things in the same order, to the end.
  const paged = await walkPages(async (place) => {
    const query = { limit: '1', ...place };
    const page = await callOk(server, readAttention, { query }, admin);
    expect(page.items).toHaveLength(1);
    return page;
  });
  expect(paged).toEqual(inbox.items);
  const search = async (q: string) =>
    (await callOk(server, readAttention, { query: { q } }, admin)).items.map(({ about }) => about);
  expect([await search('ròssi OTTO'), await search('platea-a-1'), await search('nessuno')]).toEqual(
    [['dispute'], ['break'], []],
  );
  for (const cursor of ['x', 'refund~x', '__proto__', 'toString'])
    expect(
      (await ask(server, 'GET', `/api/admin/attention?cursor=${cursor}`, { headers: admin }))
        .status,
    ).toBe(400);
  // The dispute stays until Stripe has its answer; its tickets are decided.
  expect(
    await callOk(
      server,
      decideOrder,
      {
        params: { orderId: disputed.order_id },
        body: { decision: 'keep', note: 'Lo conosciamo' },
      },
      admin,
    ),
  ).toMatchObject({ needs_attention: null, disputed: true });
  expect(
    waiting(await callOk(server, readAttention, {}, admin), 'dispute').map(
      (dispute) => dispute.decisions,
    ),
  ).toEqual([[]]);
});
