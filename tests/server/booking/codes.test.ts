/** Codes and agreements in a booking: what they lower, every limit, and how a use comes back. */
import { expect } from 'vitest';
import { transact } from '#db/engine/transact.ts';
import { forgetBuyer } from '#db/person/forgetting.ts';
import { openContingent } from '#server/contract/contingents.ts';
import { getEvent } from '#server/contract/events.ts';
import { cancelCheckout, getOrder } from '#server/contract/order/orders.ts';
import { quoteRefund } from '#server/contract/order/refunds.ts';
import { changeRuleCode, endRuleCode } from '#server/contract/price-codes.ts';
import { addEventRule, changeRule, endRule } from '#server/contract/price-rules.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { makeOne, wish } from '#tests/support/contingents.ts';
import {
  aRefusal,
  ask,
  callOk,
  demoEvent,
  findSeats,
  holdObjects,
  holdSeats,
  makeAdmin,
  makeHoldToken,
  payOrder,
  type Booked,
} from '#tests/support/make.ts';
import { payLate, rowOf } from '#tests/support/order-end.ts';
import { settle } from '#tests/support/till.ts';
import {
  bookedWith,
  bookWith,
  counts,
  countsOf,
  makeCode,
  unlimited,
  type Office,
} from '#tests/support/price-codes.ts';
import { expectSoundBooks, refundByOffice } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { everyScope, typedCode, typedConvention, typedEvery } from '#tests/support/typed-rules.ts';

const params = { eventId: demoEvent };
const codes = ['meta 26'];
const usedUp = aRefusal(409, 'code_used_up');

function open(server: TestServer, code: string) {
  const path = `/api/event/${demoEvent}/contingent`;
  return ask(server, 'POST', path, { body: { code } });
}

async function cancel(server: TestServer, { link_key }: Booked): Promise<void> {
  await callOk(server, cancelCheckout, { params: { orderId: link_key } });
}

test('a code opens its rule on the page and in the booking, and the order tells what it did', async (server) => {
  const admin = await makeAdmin(server);
  expect((await callOk(server, getEvent, { params })).takes_code).toBe(false);
  const { rule_id, code_id } = await makeCode(server, admin);
  const page = await callOk(server, getEvent, { params });
  expect(page).toMatchObject({ takes_code: true, price_rules: [], conventions: [] });
  expect(await callOk(server, openContingent, { params, body: { code: 'meta 26' } })).toEqual({
    name: 'Under 26',
    rule: {
      id: rule_id,
      name: 'Under 26',
      kind: 'code',
      scope: { categories: null, ticket_types: null },
      meets: false,
      percent: 50,
      off_cents: null,
    },
    needs_address: false,
    channels: ['NO_CHANNEL'],
    objects: [],
    places: 0,
  });
  const held = await holdSeats(server);
  expect(await bookWith(server, held, { codes, expected_cents: 6_400 })).toMatchObject(
    aRefusal(409, 'total_changed', { total_cents: 3_200 }),
  );
  expect(await countsOf(server, code_id)).toEqual(counts(0, 0));
  const order = await bookedWith(server, held, { codes, expected_cents: 3_200 });
  expect(await countsOf(server, code_id)).toEqual(counts(1, 2));
  expect(await callOk(server, getOrder, { params: { orderId: order.link_key } })).toMatchObject({
    total_cents: 3_200,
    lines: [{ list_cents: 3_200, price_cents: 1_600, lowered_by: ['Under 26'] }, {}],
  });
  const { priced_by } = await rowOf(server, order);
  expect(JSON.parse(priced_by!)).toMatchObject({
    facts: { opened: [rule_id] },
    codes: [{ code_id, tickets: 2 }],
  });
  // The same call goes on with its order, though nothing is left of the code.
  await server.house.ctx.db('price_codes').update({ most_orders: 1 });
  expect((await bookWith(server, held, { codes })).body).toMatchObject({
    checkout_url: order.checkout_url,
  });
  await payOrder(server, order.checkout_url);
  await settle(server, order);
  expect(await countsOf(server, code_id)).toEqual(counts(1, 2));
  await expectSoundBooks(server);
});

it('another rule is opened by a code, and counts for nobody else', async (server) => {
  const admin = await makeAdmin(server);
  const rule = typedEvery({ opened_by_code: true });
  const { code_id } = await makeCode(server, admin, { rule });
  expect((await callOk(server, getEvent, { params })).price_rules).toEqual([]);
  const plain = await bookedWith(server, await holdSeats(server, { count: 3 }), {});
  expect((await rowOf(server, plain)).total_cents).toBe(9_600);
  const order = await bookedWith(server, await holdSeats(server, { count: 3 }), { codes });
  expect((await rowOf(server, order)).total_cents).toBe(6_400);
  expect(await countsOf(server, code_id)).toEqual(counts(1, 3));
});

it('what is no code of this date is refused, wrong ones are counted, and the booking changes nothing', async (server) => {
  const admin = await makeAdmin(server);
  const scope = { ...everyScope, channels: ['till' as const] };
  await makeCode(server, admin, { spelling: 'SOLOCASSA', rule: typedCode({ scope }) });
  const { rule_id, code_id } = await makeCode(server, admin);
  const held = await holdSeats(server);
  const unknown = aRefusal(404, 'code_unknown');
  expect(await bookWith(server, held, { codes: ['NIENTE'] })).toMatchObject(unknown);
  expect(await bookWith(server, held, { codes: ['SOLOCASSA'] })).toMatchObject(unknown);
  await callOk(server, endRuleCode, { params: { codeId: code_id } }, admin);
  expect(await bookWith(server, held, { codes })).toMatchObject(unknown);
  await callOk(server, endRule, { params: { ruleId: rule_id } }, admin);
  expect(await open(server, 'META26')).toMatchObject(unknown);
  expect(await open(server, 'ALTRO')).toMatchObject(unknown);
  expect(await open(server, 'ANCORA')).toMatchObject(aRefusal(429, 'too_many_requests'));
  const { db } = server.house.ctx;
  expect([await db('orders'), await db('code_uses')]).toEqual([[], []]);
  expect((await bookWith(server, held, {})).status).toBe(200);
});

it('a changed rule takes its codes along, and one that counts for all opens nothing', async (server) => {
  const admin = await makeAdmin(server);
  const { rule_id } = await makeCode(server, admin);
  const body = typedCode({ percent: 25 });
  const changed = await callOk(server, changeRule, { params: { ruleId: rule_id }, body }, admin);
  const order = await bookedWith(server, await holdSeats(server), { codes });
  expect((await rowOf(server, order)).total_cents).toBe(4_800);
  const asked = { params: { ruleId: changed.rule_id }, body: typedEvery() };
  await callOk(server, changeRule, asked, admin);
  expect(await open(server, 'META26')).toMatchObject(aRefusal(404, 'code_unknown'));
});

test('a code used up while it is in the cart is told with 409, the booking changes nothing, and an unpaid order gives it back', async (server) => {
  const admin = await makeAdmin(server);
  const { code_id } = await makeCode(server, admin, { most_orders: 1 });
  const held = await holdSeats(server);
  expect((await open(server, 'META26')).status).toBe(200);
  const first = await bookedWith(server, await holdSeats(server), { codes });
  expect(await bookWith(server, held, { codes })).toMatchObject(usedUp);
  expect(await open(server, 'META26')).toMatchObject(usedUp);
  expect(await server.house.ctx.db('orders')).toHaveLength(1);
  await cancel(server, first);
  expect(await countsOf(server, code_id)).toEqual(counts(0, 0));
  await bookedWith(server, held, { codes });
  expect(await countsOf(server, code_id)).toEqual(counts(1, 2));
  await expectSoundBooks(server);
});

test('each limit holds: tickets, orders of a day in Rome, and orders of an address', async (server) => {
  const admin = await makeAdmin(server);
  const most = async (limits: Partial<typeof unlimited>) =>
    callOk(
      server,
      changeRuleCode,
      { params: { codeId: code_id }, body: { holder: null, ...unlimited, ...limits } },
      admin,
    );
  const { code_id } = await makeCode(server, admin, { most_tickets: 3 });
  await bookedWith(server, await holdSeats(server), { codes });
  const held = await holdSeats(server);
  expect(await bookWith(server, held, { codes })).toMatchObject(usedUp);

  await most({ most_orders_a_day: 1 });
  expect(await bookWith(server, held, { codes })).toMatchObject(usedUp);

  await most({ most_orders_an_address: 1 });
  expect(await open(server, 'META26')).toMatchObject({ body: { needs_address: true } });
  expect(await bookWith(server, held, { codes })).toMatchObject(
    aRefusal(422, 'code_needs_address'),
  );
  const order = await bookedWith(server, held, { codes, address: 'Eva@Example.it' });
  const again = await holdSeats(server);
  const address = 'eva@example.it';
  expect(await bookWith(server, again, { codes, address })).toMatchObject(usedUp);
  const { stripe_params, session_id } = await rowOf(server, order);
  expect(JSON.parse(stripe_params!)).toMatchObject({ customer_email: 'Eva@example.it' });
  await payOrder(server, order.checkout_url);
  await settle(server, order);
  expect(await rowOf(server, order)).toMatchObject({ buyer_email: 'Eva@example.it' });
  expect(session_id).not.toBeNull();
  const { db } = server.house.ctx;
  await transact(db, (trx) => forgetBuyer(trx, order.order_id, server.clock.now()));
  expect((await rowOf(server, order)).stripe_params).not.toMatch(/eva@/i);
  expect(await db('code_uses').whereNotNull('address')).toEqual([]);

  await most({ most_orders_a_day: 3 });
  await bookedWith(server, again, { codes });
  expect(await open(server, 'META26')).toMatchObject(usedUp);
  server.clock.advance(24 * 3_600_000);
  await server.runDue();
  expect((await open(server, 'META26')).status).toBe(200);
});

test('a use comes back when the checkout expires and when it is never finished', async (server) => {
  const admin = await makeAdmin(server);
  const { code_id } = await makeCode(server, admin, { most_orders: 2 });
  await bookedWith(server, await holdSeats(server), { codes });
  expect(await countsOf(server, code_id)).toEqual(counts(1, 2));
  server.clock.advance(60 * 60_000);
  await server.runDue();
  expect(await server.house.ctx.db('orders').pluck('end_reason')).toEqual(['session_expired']);
  expect(await countsOf(server, code_id)).toEqual(counts(0, 0));
  await expectSoundBooks(server);
});

/** Ends an order whose session at Stripe stays payable, as after a failure of ours. */
async function endUnseen(server: TestServer, order: Booked): Promise<void> {
  const { ctx } = server.house;
  const { expire } = ctx.payments;
  ctx.payments.expire = async (id) => ({ ...(await ctx.payments.read(id)), status: 'expired' });
  await cancel(server, order);
  ctx.payments.expire = expire;
}

test('paid after its end: the use is claimed again, and where it is gone the money goes back in full', async (server) => {
  const admin = await makeAdmin(server);
  const { code_id } = await makeCode(server, admin, { most_orders: 1 });
  const late = await bookedWith(server, await holdSeats(server), { codes });
  await endUnseen(server, late);
  expect(await countsOf(server, code_id)).toEqual(counts(0, 0));
  await payLate(server, late);
  expect(await rowOf(server, late)).toMatchObject({ state: 'confirmed' });
  expect(await countsOf(server, code_id)).toEqual(counts(1, 2));

  await server.house.ctx.db('price_codes').update({ most_orders: 2 });
  const lost = await bookedWith(server, await holdSeats(server), { codes });
  await endUnseen(server, lost);
  await bookedWith(server, await holdSeats(server, { nth: 1 }), { codes });
  await payLate(server, lost);
  expect(await rowOf(server, lost)).toMatchObject({
    state: 'deleted',
    paid_cents: 3_200,
    refunded_cents: 3_200,
  });
  expect(await countsOf(server, code_id)).toEqual(counts(2, 4));
  await expectSoundBooks(server);
});

test('one box: three codes at once open a contingent and rules that meet; a fourth is too many', async (server) => {
  const admin = await makeAdmin(server);
  const seats = await findSeats(server);
  await makeOne(server, admin, { objects: seats });
  const meets = { meets: true, percent: null, off_cents: 200 };
  const one = await makeCode(server, admin, { rule: typedCode(meets) });
  const two = await makeCode(server, admin, {
    spelling: 'SCONTO2',
    rule: typedCode({ ...meets, name: 'Amici' }),
  });
  const { channels } = await callOk(server, openContingent, { params, body: { code: wish.code } });
  const selected_objects = seats.map((object_id) => ({ object_id, ticket_type: 'intero' }));
  const hold_token = await makeHoldToken(server);
  await holdObjects(server, hold_token, selected_objects, { channels });
  const held = { hold_token, selected_objects };
  const many = ['META26', 'SCONTO2', wish.code, 'QUARTO'];
  expect((await bookWith(server, held, { codes: many })).status).toBe(400);
  expect(await bookWith(server, held, { codes: ['META26'] })).toMatchObject(
    aRefusal(409, 'seats_reserved'),
  );
  const order = await bookedWith(server, held, { codes: many.slice(0, 3) });
  const row = await rowOf(server, order);
  expect(row).toMatchObject({ total_cents: 5_600 });
  expect(row.contingent_id).not.toBeNull();
  expect(await countsOf(server, one.code_id)).toEqual(counts(1, 2));
  expect(await countsOf(server, two.code_id)).toEqual(counts(1, 2));
  await cancel(server, order);
  expect(await countsOf(server, two.code_id)).toEqual(counts(0, 0));
});

it('only a code that lowers something is used, and of two that open one rule the first', async (server) => {
  const admin = await makeAdmin(server);
  const scope = { ...everyScope, ticket_types: ['ridotto'] };
  const idle = await makeCode(server, admin, { spelling: 'RIDOTTI', rule: typedCode({ scope }) });
  const used = await makeCode(server, admin);
  await bookedWith(server, await holdSeats(server), { codes: ['RIDOTTI', 'META26', 'meta-26'] });
  expect(await countsOf(server, idle.code_id)).toEqual(counts(0, 0));
  expect(await countsOf(server, used.code_id)).toEqual(counts(1, 2));
});

it('an agreement is chosen by its name, and the order says it; one that does not count is refused', async (server) => {
  const admin: Office = await makeAdmin(server);
  const body = typedConvention();
  const { rule_id } = await callOk(server, addEventRule, { params, body }, admin);
  const page = await callOk(server, getEvent, { params });
  expect(page.conventions).toMatchObject([{ id: rule_id, name: 'Soci FAI', off_cents: 300 }]);
  expect(page.price_rules).toEqual([]);
  const held = await holdSeats(server);
  expect(await bookWith(server, held, { conventions: ['altra'] })).toMatchObject(
    aRefusal(404, 'convention_unknown'),
  );
  const order = await bookedWith(server, held, { conventions: [rule_id] });
  expect(await callOk(server, getOrder, { params: { orderId: order.link_key } })).toMatchObject({
    total_cents: 5_800,
    lines: [{ lowered_by: ['Soci FAI'] }, { lowered_by: ['Soci FAI'] }],
  });
});

it('a use comes back when a slow payment fails', async (server) => {
  const admin = await makeAdmin(server);
  const { ctx } = server.house;
  const { code_id } = await makeCode(server, admin, { most_orders: 1 });
  const order = await bookedWith(server, await holdSeats(server), { codes });
  const { read } = ctx.payments;
  ctx.payments.read = async (id) => ({ ...(await read(id)), status: 'complete', failed: true });
  await settle(server, order);
  ctx.payments.read = read;
  expect(await rowOf(server, order)).toMatchObject({
    state: 'deleted',
    end_reason: 'payment_failed',
  });
  expect(await countsOf(server, code_id)).toEqual(counts(0, 0));
});

test('the office gives a use back by choice, once, and only with all tickets of the order', async (server) => {
  const admin = await makeAdmin(server);
  const { code_id } = await makeCode(server, admin, { most_orders: 2 });
  const kept = await bookedWith(server, await holdSeats(server), { codes });
  const given = await bookedWith(server, await holdSeats(server, { nth: 1 }), { codes });
  for (const { checkout_url } of [kept, given]) await payOrder(server, checkout_url);
  await server.runDue();
  expect(await countsOf(server, code_id)).toEqual(counts(2, 4));
  await refundByOffice(server, admin, kept);
  expect(await countsOf(server, code_id)).toEqual(counts(2, 4));

  const tickets: string[] = await server.house.ctx
    .db('tickets')
    .where({ order_id: given.order_id })
    .pluck('id');
  const quoted = (ticket_ids?: string) =>
    callOk(
      server,
      quoteRefund,
      { params: { orderId: given.order_id }, query: { ticket_ids } },
      admin,
    );
  expect([(await quoted()).codes, (await quoted(tickets[0])).codes]).toEqual([['META26'], []]);
  const back = { gives_codes_back: true };
  const one = refundByOffice(server, admin, given, { ticket_ids: [tickets[0]!], ...back });
  await expect(one).rejects.toThrow('bad_request');
  const valid = refundByOffice(server, admin, given, { voids_tickets: false, ...back });
  await expect(valid).rejects.toThrow('bad_request');
  expect(await countsOf(server, code_id)).toEqual(counts(2, 4));
  // In two parts: the last one ends the order.
  await refundByOffice(server, admin, given, { ticket_ids: [tickets[0]!] });
  await refundByOffice(server, admin, given, { ticket_ids: [tickets[1]!], ...back });
  await server.runDue();
  expect(await countsOf(server, code_id)).toEqual(counts(1, 2));
  const audit = await server.house.ctx
    .db('audit')
    .where({ subject: given.order_id, action: 'refund_requested' })
    .pluck('detail');
  expect(audit.filter((detail) => detail.includes('META26'))).toHaveLength(1);
  expect((await bookWith(server, await holdSeats(server, { nth: 2 }), { codes })).status).toBe(200);
  await expectSoundBooks(server);
});
