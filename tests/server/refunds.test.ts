/** Money back: by the office, by the buyer, by hand, and what happens when Stripe is slow, silent, or says no; the seats and the door follow the money. */
import { expect } from 'vitest';
import { confirmOrder } from '#server/contract/office.ts';
import { getOrder } from '#server/contract/orders.ts';
import { askRefund, decideRefund, listRefunds, makeRefund, orderRefunds, quoteRefund, retryRefund, settleRefund, withdrawRefund } from '#server/contract/refunds.ts';
import { pullChanges } from '#server/contract/admissions.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { ask, callOk, makeAdmin, makeOrder, makePairedPhone } from '#tests/support/make.ts';
import { atStripe, expectSoundBooks, feeEvent, makePaid, passTime, refundRows, refundsAtStripe, seatStatuses, type PaidOrder } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const reason = 'Richiesta telefonica';

async function stateOf(server: TestServer, { order_id }: { order_id: string }) {
  const { db } = server.house.ctx;
  const { refunded_cents, paid_cents, needs_attention, state } = await db('orders').where({ id: order_id }).first();
  const tickets: string[] = await db('tickets').where({ order_id }).orderBy('place').pluck('state');
  const mails: string[] = await db('mails').where({ order_id }).whereNot({ kind: 'tickets' }).orderBy('kind').pluck('kind');
  return { state, paid_cents, refunded_cents, needs_attention, tickets, mails, refunds: (await refundRows(server, order_id)).map((refund) => refund.state) };
}

interface Wish { ticket_ids?: string[]; with_fees?: boolean; with_money?: boolean; voids_tickets?: boolean; frees_seats?: boolean; amount_cents?: number; handed_back?: boolean }

/** The office sees a quote and presses the button under it. */
async function refund(server: TestServer, admin: { cookie: string }, { order_id }: { order_id: string }, wish: Wish = {}) {
  const { ticket_ids, with_fees, with_money, amount_cents } = wish;
  const params = { orderId: order_id };
  const query = { ticket_ids: ticket_ids?.join(), with_fees: with_fees === undefined ? undefined : String(with_fees), with_money: with_money === undefined ? undefined : String(with_money), amount_cents: amount_cents?.toString() };
  const quote = await callOk(server, quoteRefund, { params, query } as Parameters<typeof callOk<typeof quoteRefund>>[2], admin);
  return callOk(server, makeRefund, { params, body: { ...wish, expected_cents: quote.amount_cents, expected_left_cents: quote.left_cents, reason } }, admin);
}

async function setPolicy(server: TestServer, policy: object, event = feeEvent): Promise<void> {
  await server.house.ctx.db('events').where({ id: event }).update(policy);
}

testOnBoth('the office refunds one ticket of two: its money without the fee, its ticket ends, its seat is for sale, the other stays', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makePaid(server);
  const made = await refund(server, admin, order, { ticket_ids: [order.tickets[0]!] });
  expect(made).toMatchObject({ state: 'requested', origin: 'office', kind: 'stripe', amount_cents: 2800, fee_cents: 0, ticket_ids: [order.tickets[0]], actor: 'Ada', reason });
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({ state: 'confirmed', paid_cents: 5900, refunded_cents: 2800, needs_attention: null, tickets: ['refunded', 'valid'], refunds: ['succeeded'], mails: ['refunded'] });
  expect(await refundsAtStripe(server, order.payment_intent)).toEqual([{ amount: 2800, status: 'succeeded' }]);
  expect(await seatStatuses(server, order)).toEqual(['free', 'booked']);
  const again = await makePaid(server, { selected_objects: order.selected_objects.slice(0, 1) });
  expect(again.tickets).toHaveLength(1);
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
});

testOnBoth('a whole order with its fees, without freeing the seats; nothing is left to refund after it', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makePaid(server);
  await refund(server, admin, order, { with_fees: true, frees_seats: false });
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({ refunded_cents: 5900, tickets: ['refunded', 'refunded'] });
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
  const quote = await callOk(server, quoteRefund, { params: { orderId: order.order_id } }, admin);
  expect(quote).toMatchObject({ amount_cents: 0, left_cents: 0, obstacle: 'ticket_gone' });
  await expectSoundBooks(server);
});

testOnBoth('money back without ending the tickets, and tickets that end without money', async (server) => {
  const admin = await makeAdmin(server);
  const [kept, voided] = [await makePaid(server), await makePaid(server, { nth: 1 })];
  await refund(server, admin, kept, { ticket_ids: [kept.tickets[0]!], voids_tickets: false });
  await refund(server, admin, voided, { ticket_ids: [voided.tickets[1]!], with_money: false });
  await server.runDue();
  expect(await stateOf(server, kept)).toMatchObject({ refunded_cents: 2800, tickets: ['valid', 'valid'] });
  expect(await seatStatuses(server, kept)).toEqual(['booked', 'booked']);
  expect(await stateOf(server, voided)).toMatchObject({ refunded_cents: 0, tickets: ['valid', 'void'], refunds: ['succeeded'], mails: [] });
  expect(await seatStatuses(server, voided)).toEqual(['booked', 'free']);
  expect(await refundsAtStripe(server, voided.payment_intent)).toEqual([]);
  await expectSoundBooks(server);
});

testOnBoth('a free amount leaves less for the tickets, and pressed twice it is given once', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makePaid(server);
  const body = { amount_cents: 1000, expected_cents: 1000, expected_left_cents: 5900, reason };
  const answers = await Promise.all([1, 2, 3].map(() => ask(server, 'POST', `/api/admin/orders/${order.order_id}/refunds`, { body, headers: admin })));
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409]);
  await server.runDue();
  const rest = await refund(server, admin, order, { with_fees: true });
  expect(rest).toMatchObject({ amount_cents: 4900, fee_cents: 0 });
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({ refunded_cents: 5900 });
  await expectSoundBooks(server);
});

testOnBoth('two people refund the same ticket at once: one refund, and the other hears that something has changed', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makePaid(server);
  const body = { ticket_ids: order.tickets, expected_cents: 5600, expected_left_cents: 5900, reason };
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(server, 'POST', `/api/admin/orders/${order.order_id}/refunds`, { body, headers: admin })));
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array<number>(7).fill(409)]);
  await server.runDue();
  expect(await refundsAtStripe(server, order.payment_intent)).toEqual([{ amount: 5600, status: 'succeeded' }]);
  await expectSoundBooks(server);
});

testOnBoth('another sum than the one that was seen is not refunded', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makePaid(server);
  const answer = await ask(server, 'POST', `/api/admin/orders/${order.order_id}/refunds`, { body: { ticket_ids: order.tickets, expected_cents: 5900, expected_left_cents: 5900, reason }, headers: admin });
  expect([answer.status, answer.body]).toEqual([409, expect.objectContaining({ code: 'refund_changed', detail: { amount_cents: 5600, left_cents: 5900 } })]);
  expect(await refundRows(server, order.order_id)).toEqual([]);
});

testOnBoth('the phones at the door hear of a refunded ticket with their next update', async (server) => {
  const admin = await makeAdmin(server);
  const phone = await makePairedPhone(server, admin);
  const order = await makePaid(server, { event: 'la-locandiera' });
  const first = await callOk(server, pullChanges, { params: { eventId: 'la-locandiera' } }, phone.headers);
  await refund(server, admin, order, { ticket_ids: [order.tickets[0]!] });
  const second = await callOk(server, pullChanges, { params: { eventId: 'la-locandiera' }, query: { since: first.cursor } }, phone.headers);
  expect(second.places.map((place) => place.ticket?.state)).toEqual(['refunded']);
});

testOnBoth('cash is handed back by a person: nothing is asked of Stripe, and the seat is free once it is done', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makeOrder(server);
  await callOk(server, confirmOrder, { params: { orderId: order.order_id }, body: { reason: 'Pagato in cassa', method: 'cash', expected_cents: 6400 } }, admin);
  const { tickets } = await callOk(server, getOrder, { params: { orderId: order.order_id } });
  const owed = await refund(server, admin, order, { ticket_ids: [tickets[0]!.ticket_id] });
  expect(owed).toMatchObject({ kind: 'manual', state: 'requested', settled_at: null });
  await server.runDue();
  expect((await callOk(server, listRefunds, { query: { open: 'true' } }, admin)).items.map((item) => item.refund_id)).toEqual([owed.refund_id]);
  const done = await callOk(server, settleRefund, { params: { refundId: owed.refund_id }, body: { decision: 'handed_back' } }, admin);
  expect(done).toMatchObject({ state: 'succeeded', kind: 'manual' });
  await refund(server, admin, order, { ticket_ids: [tickets[1]!.ticket_id], handed_back: true });
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({ paid_cents: 6400, refunded_cents: 6400, tickets: ['refunded', 'refunded'], refunds: ['succeeded', 'succeeded'] });
  expect(await seatStatuses(server, order, 'la-locandiera')).toEqual(['free', 'free']);
  await expectSoundBooks(server);
});

testOnBoth('a free ticket is annulled: no money, its seat for sale again', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makeOrder(server);
  await callOk(server, confirmOrder, { params: { orderId: order.order_id }, body: { reason: 'Ospiti della compagnia', method: 'guest', expected_cents: 6400 } }, admin);
  const made = await refund(server, admin, order);
  expect(made).toMatchObject({ state: 'succeeded', amount_cents: 0 });
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({ tickets: ['void', 'void'], refunded_cents: 0 });
  expect(await seatStatuses(server, order, 'la-locandiera')).toEqual(['free', 'free']);
});

testOnBoth('places of a standing area: as many go back as were refunded, each once', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makePaid(server, { selected_objects: [{ object_id: 'Loggione', ticket_type: 'intero', quantity: 3 }, { object_id: 'Loggione', ticket_type: 'ridotto', quantity: 1 }] });
  await refund(server, admin, order, { ticket_ids: order.tickets.slice(2) });
  await server.runDue();
  await server.runDue();
  const since = server.clock.now() - day;
  expect(await server.house.ctx.seats.placesOf(feeEvent, 'Loggione', { orderId: order.order_id, since })).toBe(2);
  expect(await stateOf(server, order)).toMatchObject({ tickets: ['valid', 'valid', 'refunded', 'refunded'] });
  await expectSoundBooks(server);
});

// What Stripe can do to us.

for (const point of ['refund_requested', 'refund_sent', 'refund_noted', 'refund_seats_released']) {
  let broken = '';
  testOnBoth(`a process that dies at ${point} refunds once, and frees the seats once`, async (server) => {
    const admin = await makeAdmin(server);
    const order = await makePaid(server);
    broken = point;
    await refund(server, admin, order).catch(() => {});
    await server.runDue();
    broken = '';
    for (const wait of [minute, 5 * minute, day]) await passTime(server, wait);
    expect(await refundsAtStripe(server, order.payment_intent)).toEqual([{ amount: 5600, status: 'succeeded' }]);
    expect(await stateOf(server, order)).toMatchObject({ refunded_cents: 5600, refunds: ['succeeded'], needs_attention: null, tickets: ['refunded', 'refunded'], mails: ['refunded'] });
    expect(await seatStatuses(server, order)).toEqual(['free', 'free']);
    await expectSoundBooks(server);
  }, { fault(at) { if (at === broken) throw new Error(`died at ${at}`); } });
}

for (const action of ['lose_answer', 'drop', '500', 'saved_500', '429', 'html'] as const) {
  testOnBoth(`refund call inside trouble (${action}): the outcome is unknown, the same key asks again, the buyer gets his money once`, async (server) => {
    const admin = await makeAdmin(server);
    const order = await makePaid(server);
    const { faults } = server.house.standins!.stripe!;
    faults.add({ on: 'request', method: 'POST', path: '/v1/refunds', action, times: 3 });
    await refund(server, admin, order);
    for (const wait of [0, 10_000, 30_000, 2 * minute, 10 * minute]) await passTime(server, wait);
    expect(faults.log.length).toBeGreaterThan(0);
    expect(await refundsAtStripe(server, order.payment_intent)).toEqual([{ amount: 5600, status: 'succeeded' }]);
    expect(await stateOf(server, order)).toMatchObject({ refunded_cents: 5600, refunds: ['succeeded'], needs_attention: null });
    expect(await seatStatuses(server, order)).toEqual(['free', 'free']);
    await expectSoundBooks(server);
  });
}

testOnBoth('an answer lost for two days, longer than Stripe remembers a key: the payment is read first, and nothing is paid twice', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makePaid(server);
  const { faults } = server.house.standins!.stripe!;
  faults.add({ on: 'request', method: 'POST', path: '/v1/refunds', action: 'lose_answer', times: 'always' });
  faults.add({ on: 'request', method: 'GET', path: '/v1/**', action: '429', times: 'always' });
  await refund(server, admin, order);
  for (let round = 0; round < 12; round += 1) await passTime(server, 4 * 60 * minute);
  expect((await stateOf(server, order)).refunds).toEqual(['requested']);
  faults.clear();
  await passTime(server, 2 * 60 * minute);
  expect(await refundsAtStripe(server, order.payment_intent)).toEqual([{ amount: 5600, status: 'succeeded' }]);
  expect(await stateOf(server, order)).toMatchObject({ refunded_cents: 5600, refunds: ['succeeded'] });
  await expectSoundBooks(server);
});

testOnBoth('refund pending for lack of balance is neither an error nor done: the seat waits, and is free when the money has gone', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makePaid(server, { payment_method: 'pm_card_pendingRefund' });
  await refund(server, admin, order);
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({ refunds: ['pending'], refunded_cents: 5600, tickets: ['refunded', 'refunded'], needs_attention: null, mails: ['refunded'] });
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
  for (const wait of [minute, 3 * minute]) await passTime(server, wait);
  expect(await stateOf(server, order)).toMatchObject({ refunds: ['succeeded'], refunded_cents: 5600, mails: ['refunded'] });
  expect(await seatStatuses(server, order)).toEqual(['free', 'free']);
  await expectSoundBooks(server);
});

async function makeFailing(server: TestServer, admin: { cookie: string }): Promise<{ order: PaidOrder; refund_id: string }> {
  const order = await makePaid(server, { payment_method: 'pm_card_refundFail' });
  const { refund_id } = await refund(server, admin, order, { frees_seats: false });
  await server.runDue();
  for (const wait of [minute, 5 * minute]) await passTime(server, wait);
  return { order, refund_id };
}

testOnBoth('a refund that fails at the bank after it had succeeded: the money is ours again, the tickets stay ended, the office is told', async (server) => {
  const admin = await makeAdmin(server);
  const { order, refund_id } = await makeFailing(server, admin);
  expect(await stateOf(server, order)).toMatchObject({ refunds: ['failed'], refunded_cents: 0, tickets: ['refunded', 'refunded'], needs_attention: 'refund_failed' });
  expect((await callOk(server, listRefunds, { query: { open: 'true' } }, admin)).items).toEqual([expect.objectContaining({ refund_id, state: 'failed', settled_at: null, needs_attention: 'refund_failed' })]);
  await expectSoundBooks(server);
});

testOnBoth('a failed refund is handed back in cash: from then on Stripe’s news change nothing', async (server) => {
  const admin = await makeAdmin(server);
  const { order, refund_id } = await makeFailing(server, admin);
  await callOk(server, settleRefund, { params: { refundId: refund_id }, body: { decision: 'handed_back', note: 'Bonifico del 3' } }, admin);
  const again = await ask(server, 'POST', `/api/admin/refunds/${refund_id}/settle`, { body: { decision: 'handed_back' }, headers: admin });
  await passTime(server, day);
  expect(await stateOf(server, order)).toMatchObject({ refunds: ['succeeded'], refunded_cents: 5600, needs_attention: null });
  expect([again.status, again.body]).toEqual([409, expect.objectContaining({ code: 'refund_not_open' })]);
  await expectSoundBooks(server);
});

testOnBoth('a failed refund’s tickets are valid again while the places are still the order’s, and not when somebody else sits there', async (server) => {
  const admin = await makeAdmin(server);
  const { order, refund_id } = await makeFailing(server, admin);
  await callOk(server, settleRefund, { params: { refundId: refund_id }, body: { decision: 'restore' } }, admin);
  expect(await stateOf(server, order)).toMatchObject({ tickets: ['valid', 'valid'], needs_attention: null, refunded_cents: 0 });
  await expectSoundBooks(server);

  const gone = await makePaid(server, { payment_method: 'pm_card_refundFail', nth: 1 });
  const { refund_id: freed } = await refund(server, admin, gone);
  await server.runDue();
  expect(await seatStatuses(server, gone)).toEqual(['free', 'free']);
  for (const wait of [minute, 5 * minute]) await passTime(server, wait);
  const answer = await ask(server, 'POST', `/api/admin/refunds/${freed}/settle`, { body: { decision: 'restore' }, headers: admin });
  expect([answer.status, answer.body]).toEqual([409, expect.objectContaining({ detail: { reason: 'seats_gone' } })]);
  await expectSoundBooks(server);
});

testOnBoth('a failed refund is tried again as a new one, and pressed three times it is one', async (server) => {
  const admin = await makeAdmin(server);
  const { order, refund_id } = await makeFailing(server, admin);
  const answers = await Promise.all([1, 2, 3].map(() => callOk(server, retryRefund, { params: { refundId: refund_id } }, admin)));
  expect(new Set(answers.map((answer) => answer.refund_id)).size).toBe(1);
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({ refunds: ['failed', 'succeeded'], refunded_cents: 5600 });
  await expectSoundBooks(server);
});

testOnBoth('already refunded in the dashboard while ours waits: read again and taken over, never a failure, and the tickets have ended', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makePaid(server);
  await refund(server, admin, order, { with_fees: true });
  await atStripe(server, '/v1/refunds', { payment_intent: order.payment_intent });
  await passTime(server, minute);
  expect(await stateOf(server, order)).toMatchObject({ refunded_cents: 5900, needs_attention: null, tickets: ['refunded', 'refunded'] });
  const rows = await refundRows(server, order.order_id);
  expect(rows.map(({ origin, state, amount_cents, failure }) => [origin, state, amount_cents, failure]).toSorted()).toEqual([['office', 'succeeded', 0, 'already_refunded'], ['stripe', 'succeeded', 5900, null]]);
  expect(await seatStatuses(server, order)).toEqual(['free', 'free']);
  await expectSoundBooks(server);
});

testOnBoth('half of it refunded in the dashboard while ours waits: what no longer fits fails in front of the office', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makePaid(server);
  await refund(server, admin, order);
  await atStripe(server, '/v1/refunds', { payment_intent: order.payment_intent, amount: '3000' });
  await passTime(server, minute);
  expect(await stateOf(server, order)).toMatchObject({ refunded_cents: 3000, needs_attention: 'refund_failed', tickets: ['refunded', 'refunded'] });
  await expectSoundBooks(server);
});

testOnBoth('a disputed payment is not refunded: the quote says so, the button is refused, the office is told', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makePaid(server, { payment_method: 'pm_card_createDispute' });
  await passTime(server, minute);
  const quote = await callOk(server, quoteRefund, { params: { orderId: order.order_id } }, admin);
  expect(quote).toMatchObject({ obstacle: 'disputed', amount_cents: 5600 });
  const answer = await ask(server, 'POST', `/api/admin/orders/${order.order_id}/refunds`, { body: { expected_cents: 5600, expected_left_cents: 5900, reason }, headers: admin });
  expect([answer.status, answer.body]).toEqual([422, expect.objectContaining({ code: 'refund_refused', detail: { reason: 'disputed' } })]);
  expect(await stateOf(server, order)).toMatchObject({ needs_attention: 'disputed', tickets: ['valid', 'valid'], refunds: [] });
});

// The buyer.

testOnBoth('the buyer asks, at once or through the office, as the event says; the same wish twice is one', async (server) => {
  await setPolicy(server, { refund_request: 'automatic' });
  const order = await makePaid(server);
  const params = { orderId: order.order_id };
  const quote = await callOk(server, orderRefunds, { params, query: { ticket_ids: order.tickets[0]! } });
  expect(quote).toMatchObject({ request: 'automatic', amount_cents: 2800, kept_fee_cents: 150, obstacle: null, event_cancelled: false });
  const body = { ticket_ids: [order.tickets[0]!], expected_cents: 2800, reason: 'Sono malata' };
  const answers = await Promise.all([1, 2, 3, 4].map(() => callOk(server, askRefund, { params, body })));
  expect(new Set(answers.map((answer) => answer.refund_id)).size).toBe(1);
  await server.runDue();
  expect(await callOk(server, askRefund, { params, body })).toMatchObject({ refund_id: answers[0]!.refund_id, state: 'succeeded' });
  expect(await stateOf(server, order)).toMatchObject({ refunds: ['succeeded'], refunded_cents: 2800, tickets: ['refunded', 'valid'] });
  const other = await ask(server, 'POST', `/api/orders/${order.order_id}/refunds`, { body: { ticket_ids: order.tickets, expected_cents: 5600 } });
  expect([other.status, other.body]).toEqual([422, expect.objectContaining({ code: 'refund_refused', detail: { reason: 'ticket_gone' } })]);
  await expectSoundBooks(server);
});

testOnBoth('a wish waits for the office: the buyer may take it back and ask again, the office approves or refuses with a word', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makePaid(server);
  const params = { orderId: order.order_id };
  const wish = (ticket: number) => callOk(server, askRefund, { params, body: { ticket_ids: [order.tickets[ticket]!], expected_cents: 2800 } });
  const first = await wish(0);
  await server.runDue();
  expect([first.state, (await stateOf(server, order)).tickets, await refundsAtStripe(server, order.payment_intent)]).toEqual(['asked', ['valid', 'valid'], []]);
  for (let twice = 0; twice < 2; twice += 1) await callOk(server, withdrawRefund, { params: { ...params, refundId: first.refund_id } });
  const [second, third] = [await wish(0), await wish(1)];
  expect(second.refund_id).not.toBe(first.refund_id);
  expect((await callOk(server, listRefunds, { query: { open: 'true' } }, admin)).items).toHaveLength(2);

  await callOk(server, decideRefund, { params: { refundId: second.refund_id }, body: { decision: 'approve' } }, admin);
  await callOk(server, decideRefund, { params: { refundId: third.refund_id }, body: { decision: 'refuse', note: 'Il biglietto è in promozione' } }, admin);
  const late = await ask(server, 'DELETE', `/api/orders/${order.order_id}/refunds/${second.refund_id}`);
  expect([late.status, late.body]).toEqual([409, expect.objectContaining({ code: 'refund_not_open' })]);
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({ tickets: ['refunded', 'valid'], refunded_cents: 2800, mails: ['refund_refused', 'refunded'] });
  expect((await refundRows(server, order.order_id)).map((row) => row.state).toSorted()).toEqual(['canceled', 'refused', 'succeeded']);
  await expectSoundBooks(server);
});

testOnBoth('who may not ask is told why: the policy, the days, the ticket that was used, another sum, somebody else’s ticket', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makePaid(server);
  const refusedBy = async (body: object = { ticket_ids: [order.tickets[0]!], expected_cents: 2800 }) => {
    const { status, body: answer } = await ask(server, 'POST', `/api/orders/${order.order_id}/refunds`, { body });
    return [status, (answer as { detail?: { reason?: string } }).detail?.reason];
  };
  await ask(server, 'POST', `/api/admin/admissions/${order.tickets[0]}`, { body: { direction: 'in' }, headers: admin });
  await setPolicy(server, { refund_request: 'never' });
  expect(await refusedBy()).toEqual([422, 'never']);
  await setPolicy(server, { refund_request: 'office', refund_stop_days: 60 });
  expect(await refusedBy()).toEqual([422, 'too_close']);
  await setPolicy(server, { refund_stop_days: 15, refund_days: 3 });
  server.clock.advance(5 * day);
  expect(await refusedBy()).toEqual([422, 'too_late']);
  await setPolicy(server, { refund_days: 30, refund_stop_days: 0 });
  expect(await refusedBy({ ticket_ids: [order.tickets[1]!], expected_cents: 2950 })).toEqual([409, undefined]);
  expect(await refusedBy({ ticket_ids: ['nessuno'], expected_cents: 0 })).toEqual([422, 'ticket_gone']);
  expect(await refusedBy()).toEqual([422, 'ticket_used']);
  server.clock.advance(40 * day);
  expect(await refusedBy({ ticket_ids: [order.tickets[1]!], expected_cents: 2800 })).toEqual([422, 'event_past']);
});

testOnBoth('one order’s refund is not another’s, an unpaid order has none, and no nonsense is a 500', async (server) => {
  const admin = await makeAdmin(server);
  const [order, other] = [await makePaid(server), await makePaid(server, { nth: 1 })];
  const open = await makeOrder(server);
  const made = await callOk(server, askRefund, { params: { orderId: order.order_id }, body: { ticket_ids: order.tickets, expected_cents: 5600 } });
  expect((await ask(server, 'DELETE', `/api/orders/${other.order_id}/refunds/${made.refund_id}`)).status).toBe(404);
  expect(await callOk(server, orderRefunds, { params: { orderId: open.order_id } })).toMatchObject({ obstacle: 'not_confirmed', amount_cents: 0, until: null });
  const bodies = [{}, { ticket_ids: [] }, { ticket_ids: ['x'.repeat(41)], expected_cents: 1 }, { ticket_ids: order.tickets, expected_cents: -1 }, { ticket_ids: order.tickets, expected_cents: 1.5 }, { ticket_ids: [''], expected_cents: 0 }, { ticket_ids: Array(200).fill('a'), expected_cents: 0 }];
  for (const body of bodies) expect((await ask(server, 'POST', `/api/orders/${other.order_id}/refunds`, { body })).status).toBe(400);
  const officeBodies = [{ reason, expected_cents: 0, expected_left_cents: 5900, amount_cents: 0 }, { reason, expected_cents: 5901, expected_left_cents: 5900, amount_cents: 5901 }, { reason, expected_cents: 0, expected_left_cents: 5900, ticket_ids: [] }, { reason, expected_cents: 5, expected_left_cents: 5900, amount_cents: 5, ticket_ids: [] }, { reason, expected_cents: 5600, expected_left_cents: 5900, handed_back: true }];
  for (const body of officeBodies) expect((await ask(server, 'POST', `/api/admin/orders/${other.order_id}/refunds`, { body, headers: admin })).status).toBeOneOf([400, 409, 422]);
  for (const path of ['decide', 'retry', 'settle']) {
    expect((await ask(server, 'POST', `/api/admin/refunds/nessuno/${path}`, { body: { decision: path === 'decide' ? 'approve' : 'keep' }, headers: admin })).status).toBe(404);
  }
  for (const query of ['cursor=x', 'limit=0', 'state=perso', 'open=forse']) expect((await ask(server, 'GET', `/api/admin/refunds/?${query}`, { headers: admin })).status).toBe(400);
  expect((await ask(server, 'GET', `/api/admin/refunds/?limit=1`, { headers: admin })).body).toMatchObject({ items: [{ refund_id: made.refund_id }], next_cursor: null });
  expect(server.logged).toEqual([]);
});
