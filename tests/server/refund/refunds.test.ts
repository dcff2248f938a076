/** Money back by the office: tickets, whole orders, amounts, cash, free tickets; the seats and the door follow the money. */
import { expect } from 'vitest';
import { admitTicket } from '#server/contract/door/admissions.ts';
import { confirmOrder } from '#server/contract/office.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { listRefunds, quoteRefund, settleRefund } from '#server/contract/order/refunds.ts';
import { pullDoor } from '#tests/support/door/door-phone.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { ask, callOk, makeOrder, makePairedPhone, aRefusal } from '#tests/support/make.ts';
import {
  expectSoundBooks,
  feeEvent,
  makePaid,
  refundByOffice,
  refundRows,
  seatStatuses,
  stateOf,
} from '#tests/support/refunds.ts';
import { refundsAtStripe } from '#tests/support/stripe-desk.ts';

const day = 24 * 3_600_000;
const reason = 'Richiesta telefonica';

test('the office refunds one ticket of two: its money without the fee, its ticket ends, its seat is for sale, the other stays', async (server, admin) => {
  const order = await makePaid(server);
  const [first, second] = order.tickets as [string, string];
  const pass = (direction: 'in' | 'out', ticketId: string) =>
    callOk(
      server,
      admitTicket,
      { params: { ticketId }, body: { direction, override: reason } },
      admin,
    );
  const insideOf = async (ids: string[]) => {
    const ask = { params: { orderId: order.order_id }, query: { ticket_ids: ids.join(',') } };
    return (await callOk(server, quoteRefund, ask, admin)).inside.toSorted();
  };
  expect(await insideOf(order.tickets)).toEqual([]);
  for (const id of order.tickets) expect(await pass('in', id)).toMatchObject({ counts: true });
  expect(await insideOf(order.tickets)).toEqual(order.tickets.toSorted());
  expect(await insideOf([second])).toEqual([second]);
  expect(await pass('out', first)).toMatchObject({ counts: true });
  expect(await insideOf(order.tickets)).toEqual([second]);
  const made = await refundByOffice(server, admin, order, { ticket_ids: [first] });
  expect(made).toMatchObject({
    state: 'requested',
    origin: 'office',
    kind: 'stripe',
    amount_cents: 2800,
    fee_cents: 0,
    ticket_ids: [order.tickets[0]],
    actor: 'Ada',
    reason,
  });
  expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({
    state: 'confirmed',
    paid_cents: 5900,
    refunded_cents: 2800,
    needs_attention: null,
    tickets: ['refunded', 'valid'],
    refunds: ['succeeded'],
    mails: ['refunded'],
  });
  expect(await refundsAtStripe(server, order.payment_intent)).toEqual([
    { amount: 2800, status: 'succeeded' },
  ]);
  expect(await seatStatuses(server, order)).toEqual(['free', 'booked']);
  const again = await makePaid(server, { selected_objects: order.selected_objects.slice(0, 1) });
  expect(again.tickets).toHaveLength(1);
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
});

it('a whole order with its fees, without freeing the seats; money back without ending the tickets, and tickets that end without money', async (server, admin) => {
  const whole = await makePaid(server);
  const [kept, voided] = [await makePaid(server, { nth: 1 }), await makePaid(server, { nth: 2 })];
  await refundByOffice(server, admin, whole, { with_fees: true, frees_seats: false });
  await refundByOffice(server, admin, kept, {
    ticket_ids: [kept.tickets[0]!],
    voids_tickets: false,
  });
  await refundByOffice(server, admin, voided, {
    ticket_ids: [voided.tickets[1]!],
    with_money: false,
  });
  await server.runDue();
  expect(await stateOf(server, whole)).toMatchObject({
    refunded_cents: 5900,
    tickets: ['refunded', 'refunded'],
  });
  expect(await seatStatuses(server, whole)).toEqual(['booked', 'booked']);
  const quote = await callOk(server, quoteRefund, { params: { orderId: whole.order_id } }, admin);
  expect(quote).toMatchObject({ amount_cents: 0, left_cents: 0, obstacle: 'ticket_gone' });
  expect(await stateOf(server, kept)).toMatchObject({
    refunded_cents: 2800,
    tickets: ['valid', 'valid'],
  });
  expect(await seatStatuses(server, kept)).toEqual(['booked', 'booked']);
  const { tickets, ...rest } = await stateOf(server, voided);
  expect(tickets.toSorted()).toEqual(['valid', 'void']);
  expect(rest).toMatchObject({ refunded_cents: 0, refunds: ['succeeded'], mails: [] });
  expect(await seatStatuses(server, voided)).toEqual(['booked', 'free']);
  expect(await refundsAtStripe(server, voided.payment_intent)).toEqual([]);
  await expectSoundBooks(server);
});

test('a free amount leaves less for the tickets; pressed by several at once a refund is made once, and the others hear that something has changed, as with any other sum than was seen', async (server, admin) => {
  const [order, other] = [await makePaid(server), await makePaid(server, { nth: 1 })];
  const press = (params: { order_id: string }, body: object) =>
    ask(server, 'POST', `/api/admin/orders/${params.order_id}/refunds`, {
      body: { expected_left_cents: 5900, reason, ...body },
      headers: admin,
    });
  const pressed = async (times: number, ...asked: Parameters<typeof press>) =>
    (await Promise.all(Array.from({ length: times }, () => press(...asked))))
      .map(({ status }) => status)
      .toSorted();
  const tickets = { ticket_ids: other.tickets };
  expect(await press(other, { ...tickets, expected_cents: 5900 })).toMatchObject(
    aRefusal(409, 'refund_changed', { amount_cents: 5600, left_cents: 5900 }),
  );
  expect(await refundRows(server, other.order_id)).toEqual([]);
  expect(await pressed(8, other, { ...tickets, expected_cents: 5600 })).toEqual([
    200,
    ...Array<number>(7).fill(409),
  ]);
  expect(await pressed(3, order, { amount_cents: 1000, expected_cents: 1000 })).toEqual([
    200, 409, 409,
  ]);
  await server.runDue();
  expect(await refundsAtStripe(server, other.payment_intent)).toEqual([
    { amount: 5600, status: 'succeeded' },
  ]);
  const rest = await refundByOffice(server, admin, order, { with_fees: true });
  expect(rest).toMatchObject({ amount_cents: 4900, fee_cents: 300 });
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({ refunded_cents: 5900 });
  await expectSoundBooks(server);
});

it('the phones at the door hear of a refunded ticket with their next update', async (server, admin) => {
  const phone = await makePairedPhone(server, admin);
  const order = await makePaid(server, { event: 'la-locandiera' });
  const first = await pullDoor(server, 'la-locandiera', phone.headers);
  await refundByOffice(server, admin, order, { ticket_ids: [order.tickets[0]!] });
  const second = await pullDoor(server, 'la-locandiera', phone.headers, first.cursor);
  expect(second.places.map((place) => place.ticket?.state)).toEqual(['refunded']);
});

test('cash is handed back by a person: nothing is asked of Stripe, and the seat is free once it is done; a free ticket is annulled without money', async (server, admin) => {
  const [order, free] = [await makeOrder(server), await makeOrder(server)];
  for (const [{ order_id }, method] of [
    [order, 'cash'],
    [free, 'guest'],
  ] as const) {
    const body = { reason: 'In cassa', method, expected_cents: 6400 };
    await callOk(server, confirmOrder, { params: { orderId: order_id }, body }, admin);
  }
  const annulled = await refundByOffice(server, admin, free);
  expect(annulled).toMatchObject({ state: 'succeeded', amount_cents: 0 });
  const { tickets } = await callOk(server, getOrder, { params: { orderId: order.order_id } });
  const owed = await refundByOffice(server, admin, order, {
    ticket_ids: [tickets[0]!.ticket_id],
  });
  expect(owed).toMatchObject({ kind: 'manual', state: 'requested', settled_at: null });
  await server.runDue();
  expect(
    (await callOk(server, listRefunds, { query: { open: 'true' } }, admin)).items.map(
      (item) => item.refund_id,
    ),
  ).toEqual([owed.refund_id]);
  const done = await callOk(
    server,
    settleRefund,
    { params: { refundId: owed.refund_id }, body: { decision: 'handed_back' } },
    admin,
  );
  expect(done).toMatchObject({ state: 'succeeded', kind: 'manual' });
  await refundByOffice(server, admin, order, {
    ticket_ids: [tickets[1]!.ticket_id],
    handed_back: true,
  });
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({
    paid_cents: 6400,
    refunded_cents: 6400,
    tickets: ['refunded', 'refunded'],
    refunds: ['succeeded', 'succeeded'],
  });
  expect(await stateOf(server, free)).toMatchObject({
    tickets: ['void', 'void'],
    refunded_cents: 0,
  });
  for (const one of [order, free])
    expect(await seatStatuses(server, one, 'la-locandiera')).toEqual(['free', 'free']);
  await expectSoundBooks(server);
});

it('places of a standing area: as many go back as were refunded, each once', async (server, admin) => {
  const order = await makePaid(server, {
    selected_objects: [
      { object_id: 'Loggione', ticket_type: 'intero', quantity: 3 },
      { object_id: 'Loggione', ticket_type: 'ridotto', quantity: 1 },
    ],
  });
  await refundByOffice(server, admin, order, { ticket_ids: order.tickets.slice(2) });
  await server.runDue();
  await server.runDue();
  const since = server.clock.now() - day;
  expect(
    await server.house.ctx.seats.placesOf(feeEvent, 'Loggione', {
      orderId: order.order_id,
      since,
    }),
  ).toBe(2);
  expect(await stateOf(server, order)).toMatchObject({
    tickets: ['valid', 'valid', 'refunded', 'refunded'],
  });
  await expectSoundBooks(server);
});
