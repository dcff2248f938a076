/** The buyer asks for his money back: at once, through the office, too late, twice, for somebody else's ticket, or with nonsense. */
import { expect } from 'vitest';
import { downloadCalendar, downloadTickets } from '#server/contract/order/documents.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { readMail, resendTickets } from '#server/contract/mails.ts';
import { setHolder } from '#server/contract/order/holders.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import {
  askRefund,
  decideRefund,
  listRefunds,
  orderRefunds,
  withdrawRefund,
} from '#server/contract/order/refunds.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { ask, callOk, makeOrder, aRefusal, asVisitor } from '#tests/support/make.ts';
import {
  expectSoundBooks,
  feeEvent,
  makePaid,
  refundByOffice,
  refundRows,
  setPolicy,
  stateOf,
} from '#tests/support/refunds.ts';
import { refundsAtStripe } from '#tests/support/stripe-desk.ts';

const day = 24 * 3_600_000;
const reason = 'Richiesta telefonica';

test('the buyer asks, at once or through the office, as the event says; the same wish twice is one', async (server) => {
  await setPolicy(server, { refund_request: 'automatic' });
  const order = await makePaid(server);
  const params = { orderId: order.order_id };
  const quote = await callOk(server, orderRefunds, {
    params,
    query: { ticket_ids: order.tickets[0]! },
  });
  expect(quote).toMatchObject({
    request: 'automatic',
    amount_cents: 2800,
    kept_fee_cents: 150,
    obstacle: null,
    event_cancelled: false,
  });
  const body = { ticket_ids: [order.tickets[0]!], expected_cents: 2800, reason: 'Sono malata' };
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => callOk(server, askRefund, { params, body })),
  );
  expect(new Set(answers.map((answer) => answer.refund_id)).size).toBe(1);
  await server.runDue();
  expect(await callOk(server, askRefund, { params, body })).toMatchObject({
    refund_id: answers[0]!.refund_id,
    state: 'succeeded',
  });
  expect(await stateOf(server, order)).toMatchObject({
    refunds: ['succeeded'],
    refunded_cents: 2800,
    tickets: ['refunded', 'valid'],
  });
  const other = await ask(server, 'POST', `/api/orders/${order.order_id}/refunds`, {
    body: { ticket_ids: order.tickets, expected_cents: 5600 },
  });
  expect(other).toMatchObject(aRefusal(422, 'refund_refused', { reason: 'ticket_gone' }));
  await expectSoundBooks(server);
});

it('the order itself tells what may be downloaded, what may be asked and until when, and follows the event', async (server) => {
  const read = (orderId: string) => callOk(server, getOrder, { params: { orderId } });
  const open = await read((await makeOrder(server)).order_id);
  expect([open.documents, open.refund]).toEqual([{ pdf: null, calendar: null }, null]);

  await setPolicy(server, { refund_request: 'automatic', refund_days: 7, refund_stop_days: 3 });
  const params = { orderId: (await makePaid(server)).order_id };
  const { documents, refund } = await read(params.orderId);
  expect(documents).toEqual({
    pdf: await asVisitor(server, addressOf(downloadTickets, params)),
    calendar: await asVisitor(server, addressOf(downloadCalendar, params)),
  });
  for (const path of Object.values(documents))
    expect((await ask(server, 'GET', path!)).status).toBe(200);
  const quote = await callOk(server, orderRefunds, { params, query: {} });
  expect([refund!.until, refund!.amount_cents]).toEqual([quote.until, 5600]);
  expect(refund).toMatchObject({
    request: 'automatic',
    refund_days: 7,
    refund_stop_days: 3,
    keeps_fees: true,
    obstacle: null,
  });

  await setPolicy(server, { refund_request: 'never', nominative: 1 });
  const later = await read(params.orderId);
  expect([later.documents.pdf, later.documents.calendar]).toEqual([null, documents.calendar]);
  expect(later.refund).toMatchObject({ request: 'never', until: null, amount_cents: 0 });
  expect(later.refund!.obstacle).not.toBe(null);
});

test('what the office changes tomorrow takes no right from yesterday’s buyer, and may give more', async (server, admin) => {
  const { db } = server.house.ctx;
  const event = db('events').where({ id: feeEvent });
  const sold = {
    refund_request: 'automatic',
    refund_days: 20,
    refund_keeps_fees: 0,
    holder_change: 1,
    holder_change_until_hours: 1,
  };
  await event.clone().update(sold);
  const order = await makePaid(server);
  const [ticket_id] = order.tickets as [string];
  const params = { orderId: order.order_id };
  const read = () => callOk(server, getOrder, { params });
  const before = await read();
  expect(before.refund).toMatchObject({ refund_days: 20, keeps_fees: false, amount_cents: 5900 });
  const harder = {
    refund_request: 'never',
    refund_days: 1,
    refund_keeps_fees: 1,
    nominative: 1,
    holder_change: 0,
    holder_change_until_hours: 700,
    reentry: 0,
  };
  await event.clone().update(harder);
  const after = await read();
  expect([after.refund, after.tickets, after.documents, after.event]).toEqual([
    before.refund,
    before.tickets,
    before.documents,
    before.event,
  ]);
  expect(await db('tickets').where({ id: ticket_id }).first('reentry')).toEqual({ reentry: 1 });
  const address = { params, body: { email: 'ada@example.it' } };
  const { mail_id } = await callOk(server, resendTickets, address, admin);
  await server.runDue();
  const { text } = await callOk(server, readMail, { params: { mailId: mail_id } }, admin);
  expect(text).toContain('Puoi chiedere il rimborso');
  const holder = { first_name: 'Ida', last_name: 'Neri' };
  const named = { params: { ...params, ticketId: ticket_id }, body: holder };
  expect((await callOk(server, setHolder, named)).ticket.holder).toBe('Ida Neri');
  server.clock.advance(5 * day);
  const body = { ticket_ids: [ticket_id], expected_cents: 2950 };
  expect((await callOk(server, askRefund, { params, body })).state).not.toBe('asked');
  // Who buys now has the terms of today; what is set later and gives more, is for all.
  const later = { params: { orderId: (await makePaid(server, { nth: 4 })).order_id } };
  expect((await callOk(server, getOrder, later)).refund).toMatchObject({ request: 'never' });
  await event.clone().update({ refund_request: 'office', refund_days: 30 });
  expect((await callOk(server, getOrder, later)).refund).toMatchObject({
    request: 'office',
    refund_days: 30,
  });
  expect((await read()).refund).toMatchObject({ request: 'automatic', refund_days: 30 });
});

test('a wish waits for the office: the buyer may take it back and ask again, the office approves or refuses with a word', async (server, admin) => {
  const order = await makePaid(server);
  const params = { orderId: order.order_id };
  const wish = (ticket: number) =>
    callOk(server, askRefund, {
      params,
      body: { ticket_ids: [order.tickets[ticket]!], expected_cents: 2800 },
    });
  const first = await wish(0);
  await server.runDue();
  expect([
    first.state,
    (await stateOf(server, order)).tickets,
    await refundsAtStripe(server, order.payment_intent),
  ]).toEqual(['asked', ['valid', 'valid'], []]);
  for (let twice = 0; twice < 2; twice += 1)
    await callOk(server, withdrawRefund, { params: { ...params, refundId: first.refund_id } });
  const [second, third] = [await wish(0), await wish(1)];
  expect(second.refund_id).not.toBe(first.refund_id);
  expect(
    (await callOk(server, listRefunds, { query: { open: 'true' } }, admin)).items,
  ).toHaveLength(2);

  const decide = (refundId: string, body: { decision: 'approve' | 'refuse'; note?: string }) =>
    callOk(server, decideRefund, { params: { refundId }, body }, admin);
  await decide(second.refund_id, { decision: 'approve' });
  await decide(third.refund_id, { decision: 'refuse', note: 'Il biglietto è in promozione' });
  const late = await ask(
    server,
    'DELETE',
    `/api/orders/${order.order_id}/refunds/${second.refund_id}`,
  );
  expect(late).toMatchObject(aRefusal(409, 'refund_not_open'));
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({
    tickets: ['refunded', 'valid'],
    refunded_cents: 2800,
    mails: ['refund_refused', 'refunded'],
  });
  expect((await refundRows(server, order.order_id)).map((row) => row.state).toSorted()).toEqual([
    'canceled',
    'refused',
    'succeeded',
  ]);
  await expectSoundBooks(server);
});

it('a wish that has become more than what is left of the money is not approved: it stays open, and may be refused', async (server, admin) => {
  const order = await makePaid(server);
  const params = { orderId: order.order_id };
  const { refund_id } = await callOk(server, askRefund, {
    params,
    body: { ticket_ids: [order.tickets[0]!], expected_cents: 2800 },
  });
  await refundByOffice(server, admin, order, { amount_cents: 4000 });
  await server.runDue();
  const decide = (decision: 'approve' | 'refuse') =>
    ask(server, 'POST', `/api/admin/refunds/${refund_id}/decide`, {
      body: { decision },
      headers: admin,
    });
  const approved = await decide('approve');
  expect(approved).toMatchObject(aRefusal(409, 'refund_changed', { reason: 'too_much' }));
  await server.runDue();
  expect([
    (await refundRows(server, order.order_id)).map(({ state }) => state).toSorted(),
    (await stateOf(server, order)).tickets,
    await refundsAtStripe(server, order.payment_intent),
  ]).toEqual([['asked', 'succeeded'], ['valid', 'valid'], [{ amount: 4000, status: 'succeeded' }]]);
  expect((await decide('refuse')).status).toBe(200);
  await expectSoundBooks(server);
});

it('who may not ask is told why: the policy, the days, the ticket that was used, another sum, somebody else’s ticket', async (server, admin) => {
  const order = await makePaid(server);
  const refusedBy = async (
    body: object = { ticket_ids: [order.tickets[0]!], expected_cents: 2800 },
  ) => {
    const { status, body: answer } = await ask(
      server,
      'POST',
      `/api/orders/${order.order_id}/refunds`,
      { body },
    );
    return [status, (answer as { detail?: { reason?: string } }).detail?.reason];
  };
  await ask(server, 'POST', `/api/admin/admissions/${order.tickets[0]}`, {
    body: { direction: 'in' },
    headers: admin,
  });
  await setPolicy(server, { refund_request: 'never' });
  expect(await refusedBy()).toEqual([422, 'never']);
  await setPolicy(server, { refund_request: 'office', refund_stop_days: 60 });
  expect(await refusedBy()).toEqual([422, 'too_close']);
  await setPolicy(server, { refund_stop_days: 15, refund_days: 3 });
  server.clock.advance(5 * day);
  expect(await refusedBy()).toEqual([422, 'too_late']);
  await setPolicy(server, { refund_days: 30, refund_stop_days: 0 });
  for (const expected_cents of [2650, 2950])
    expect(await refusedBy({ ticket_ids: [order.tickets[1]!], expected_cents })).toEqual([
      409,
      undefined,
    ]);
  expect(await refusedBy({ ticket_ids: ['nessuno'], expected_cents: 0 })).toEqual([
    422,
    'ticket_gone',
  ]);
  expect(await refusedBy()).toEqual([422, 'ticket_used']);
  server.clock.advance(40 * day);
  expect(await refusedBy({ ticket_ids: [order.tickets[1]!], expected_cents: 2800 })).toEqual([
    422,
    'event_past',
  ]);
});

it('one order’s refund is not another’s, an unpaid order has none, and no nonsense is a 500', async (server, admin) => {
  const [order, other] = [await makePaid(server), await makePaid(server, { nth: 1 })];
  const open = await makeOrder(server);
  const made = await callOk(server, askRefund, {
    params: { orderId: order.order_id },
    body: { ticket_ids: order.tickets, expected_cents: 5600 },
  });
  expect(
    (await ask(server, 'DELETE', `/api/orders/${other.order_id}/refunds/${made.refund_id}`)).status,
  ).toBe(404);
  expect(await callOk(server, orderRefunds, { params: { orderId: open.order_id } })).toMatchObject({
    obstacle: 'not_confirmed',
    amount_cents: 0,
    until: null,
  });
  const bodies = [
    {},
    { ticket_ids: [] },
    { ticket_ids: ['x'.repeat(41)], expected_cents: 1 },
    { ticket_ids: order.tickets, expected_cents: -1 },
    { ticket_ids: order.tickets, expected_cents: 1.5 },
    { ticket_ids: [''], expected_cents: 0 },
    { ticket_ids: Array(200).fill('a'), expected_cents: 0 },
  ];
  for (const body of bodies)
    expect(
      (await ask(server, 'POST', `/api/orders/${other.order_id}/refunds`, { body })).status,
    ).toBe(400);
  const officeBodies = [
    { reason, expected_cents: 0, expected_left_cents: 5900, amount_cents: 0 },
    { reason, expected_cents: 5901, expected_left_cents: 5900, amount_cents: 5901 },
    { reason, expected_cents: 0, expected_left_cents: 5900, ticket_ids: [] },
    { reason, expected_cents: 5, expected_left_cents: 5900, amount_cents: 5, ticket_ids: [] },
    { reason, expected_cents: 5600, expected_left_cents: 5900, handed_back: true },
  ];
  for (const body of officeBodies)
    expect(
      (
        await ask(server, 'POST', `/api/admin/orders/${other.order_id}/refunds`, {
          body,
          headers: admin,
        })
      ).status,
    ).toBeOneOf([400, 409, 422]);
  for (const path of ['decide', 'retry', 'settle']) {
    const body = { decision: path === 'decide' ? 'approve' : 'keep' };
    const asked = { body, headers: admin };
    const { status } = await ask(server, 'POST', `/api/admin/refunds/nessuno/${path}`, asked);
    expect([path, status]).toEqual([path, 404]);
  }
  const list = (query: string) =>
    ask(server, 'GET', `/api/admin/refunds/?${query}`, { headers: admin });
  for (const query of ['cursor=x', 'limit=0', 'state=perso', 'open=forse'])
    expect([query, (await list(query)).status]).toEqual([query, 400]);
  expect((await list('limit=1')).body).toMatchObject({
    items: [{ refund_id: made.refund_id }],
    next_cursor: null,
  });
  expect(server.logged).toEqual([]);
});
