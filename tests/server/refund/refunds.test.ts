/** Money back by the office: tickets, whole orders, amounts, cash, free tickets; the seats and the door follow the money. */
import { expect } from 'vitest';
import { confirmOrder } from '#server/contract/office.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { listRefunds, quoteRefund, settleRefund } from '#server/contract/order/refunds.ts';
import { pullDoor } from '#tests/support/door/door-phone.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { ask, callOk, makeAdmin, makeOrder, makePairedPhone } from '#tests/support/make.ts';
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

testOnBoth(
  'the office refunds one ticket of two: its money without the fee, its ticket ends, its seat is for sale, the other stays',
  async (server) => {
    const admin = await makeAdmin(server);
    const order = await makePaid(server);
    const made = await refundByOffice(server, admin, order, { ticket_ids: [order.tickets[0]!] });
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
  },
);

testOnBoth(
  'a whole order with its fees, without freeing the seats; nothing is left to refund after it',
  async (server) => {
    const admin = await makeAdmin(server);
    const order = await makePaid(server);
    await refundByOffice(server, admin, order, { with_fees: true, frees_seats: false });
    await server.runDue();
    expect(await stateOf(server, order)).toMatchObject({
      refunded_cents: 5900,
      tickets: ['refunded', 'refunded'],
    });
    expect(await seatStatuses(server, order)).toEqual(['booked', 'booked']);
    const quote = await callOk(server, quoteRefund, { params: { orderId: order.order_id } }, admin);
    expect(quote).toMatchObject({ amount_cents: 0, left_cents: 0, obstacle: 'ticket_gone' });
    await expectSoundBooks(server);
  },
);

testOnBoth(
  'money back without ending the tickets, and tickets that end without money',
  async (server) => {
    const admin = await makeAdmin(server);
    const [kept, voided] = [await makePaid(server), await makePaid(server, { nth: 1 })];
    await refundByOffice(server, admin, kept, {
      ticket_ids: [kept.tickets[0]!],
      voids_tickets: false,
    });
    await refundByOffice(server, admin, voided, {
      ticket_ids: [voided.tickets[1]!],
      with_money: false,
    });
    await server.runDue();
    expect(await stateOf(server, kept)).toMatchObject({
      refunded_cents: 2800,
      tickets: ['valid', 'valid'],
    });
    expect(await seatStatuses(server, kept)).toEqual(['booked', 'booked']);
    expect(await stateOf(server, voided)).toMatchObject({
      refunded_cents: 0,
      tickets: ['valid', 'void'],
      refunds: ['succeeded'],
      mails: [],
    });
    expect(await seatStatuses(server, voided)).toEqual(['booked', 'free']);
    expect(await refundsAtStripe(server, voided.payment_intent)).toEqual([]);
    await expectSoundBooks(server);
  },
);

testOnBoth(
  'a free amount leaves less for the tickets, and pressed twice it is given once',
  async (server) => {
    const admin = await makeAdmin(server);
    const order = await makePaid(server);
    const body = { amount_cents: 1000, expected_cents: 1000, expected_left_cents: 5900, reason };
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        ask(server, 'POST', `/api/admin/orders/${order.order_id}/refunds`, {
          body,
          headers: admin,
        }),
      ),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409]);
    await server.runDue();
    const rest = await refundByOffice(server, admin, order, { with_fees: true });
    expect(rest).toMatchObject({ amount_cents: 4900, fee_cents: 0 });
    await server.runDue();
    expect(await stateOf(server, order)).toMatchObject({ refunded_cents: 5900 });
    await expectSoundBooks(server);
  },
);

testOnBoth(
  'two people refund the same ticket at once: one refund, and the other hears that something has changed',
  async (server) => {
    const admin = await makeAdmin(server);
    const order = await makePaid(server);
    const body = {
      ticket_ids: order.tickets,
      expected_cents: 5600,
      expected_left_cents: 5900,
      reason,
    };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        ask(server, 'POST', `/api/admin/orders/${order.order_id}/refunds`, {
          body,
          headers: admin,
        }),
      ),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([
      200,
      ...Array<number>(7).fill(409),
    ]);
    await server.runDue();
    expect(await refundsAtStripe(server, order.payment_intent)).toEqual([
      { amount: 5600, status: 'succeeded' },
    ]);
    await expectSoundBooks(server);
  },
);

testOnBoth('another sum than the one that was seen is not refunded', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makePaid(server);
  const answer = await ask(server, 'POST', `/api/admin/orders/${order.order_id}/refunds`, {
    body: { ticket_ids: order.tickets, expected_cents: 5900, expected_left_cents: 5900, reason },
    headers: admin,
  });
  expect([answer.status, answer.body]).toEqual([
    409,
    expect.objectContaining({
      code: 'refund_changed',
      detail: { amount_cents: 5600, left_cents: 5900 },
    }),
  ]);
  expect(await refundRows(server, order.order_id)).toEqual([]);
});

testOnBoth(
  'the phones at the door hear of a refunded ticket with their next update',
  async (server) => {
    const admin = await makeAdmin(server);
    const phone = await makePairedPhone(server, admin);
    const order = await makePaid(server, { event: 'la-locandiera' });
    const first = await pullDoor(server, 'la-locandiera', phone.headers);
    await refundByOffice(server, admin, order, { ticket_ids: [order.tickets[0]!] });
    const second = await pullDoor(server, 'la-locandiera', phone.headers, first.cursor);
    expect(second.places.map((place) => place.ticket?.state)).toEqual(['refunded']);
  },
);

testOnBoth(
  'cash is handed back by a person: nothing is asked of Stripe, and the seat is free once it is done',
  async (server) => {
    const admin = await makeAdmin(server);
    const order = await makeOrder(server);
    await callOk(
      server,
      confirmOrder,
      {
        params: { orderId: order.order_id },
        body: { reason: 'Pagato in cassa', method: 'cash', expected_cents: 6400 },
      },
      admin,
    );
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
    expect(await seatStatuses(server, order, 'la-locandiera')).toEqual(['free', 'free']);
    await expectSoundBooks(server);
  },
);

testOnBoth('a free ticket is annulled: no money, its seat for sale again', async (server) => {
  const admin = await makeAdmin(server);
  const order = await makeOrder(server);
  await callOk(
    server,
    confirmOrder,
    {
      params: { orderId: order.order_id },
      body: { reason: 'Ospiti della compagnia', method: 'guest', expected_cents: 6400 },
    },
    admin,
  );
  const made = await refundByOffice(server, admin, order);
  expect(made).toMatchObject({ state: 'succeeded', amount_cents: 0 });
  await server.runDue();
  expect(await stateOf(server, order)).toMatchObject({
    tickets: ['void', 'void'],
    refunded_cents: 0,
  });
  expect(await seatStatuses(server, order, 'la-locandiera')).toEqual(['free', 'free']);
});

testOnBoth(
  'places of a standing area: as many go back as were refunded, each once',
  async (server) => {
    const admin = await makeAdmin(server);
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
  },
);
