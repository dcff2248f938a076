/** Both kinds of surcharges from the office's form to page, till, order, Stripe, papers and refund. */
import { expect } from 'vitest';
import { readEvent } from '#server/contract/event-desk.ts';
import { makeSale, readTill } from '#server/contract/counter.ts';
import { getEvent } from '#server/contract/events.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { readEvening, readSummary } from '#server/contract/summaries.ts';
import { priceLines } from '#server/domain/price/page-cart.ts';
import { priceOf, sellable } from '#server/domain/price/pricing.ts';
import { feesPerOrder, type Surcharge } from '#server/domain/price/surcharge.ts';
import { dayText, romeDay, startOfDay } from '#server/domain/time/rome-clock.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { newSaleKey, openDrawer } from '#tests/support/counter.ts';
import { save, trySave } from '#tests/support/event-desk.ts';
import { ask, aRefusal, callOk, holdSeats, makeAdmin } from '#tests/support/make.ts';
import { expectSoundBooks, feeEvent, makePaid, refundByOffice } from '#tests/support/refunds.ts';
import { addRule, threeForTwo } from '#tests/support/rules-in-force.ts';
import { sessionAtStripe } from '#tests/support/stripe-desk.ts';
import type { TestServer } from '#tests/support/server.ts';

const params = { eventId: feeEvent };
const plain = { cents: null, percent: null, categories: null };
const always = { not_at_till: false, not_on_day: false };
/** Beside the flat presale fee of 1,50 €. */
const surcharges: Surcharge[] = [
  { ...plain, ...always, kind: 'service', per: 'ticket', percent: 5 },
  { ...plain, ...always, kind: 'service', per: 'order', cents: 200, not_at_till: true },
  {
    ...plain,
    ...always,
    kind: 'presale',
    per: 'ticket',
    cents: 50,
    categories: ['Platea'],
    not_on_day: true,
  },
];

async function withSurcharges(server: TestServer) {
  const admin = await makeAdmin(server);
  const desk = await callOk(server, readEvent, { params }, admin);
  await save(server, admin, desk, { surcharges });
  return { admin, desk };
}

/** What the page reckons for so many full-price seats of the stalls, with what the server told. */
async function shown(server: TestServer, count: number) {
  const page = await callOk(server, getEvent, { params });
  const pricing = sellable(page.event.attributes.seat_pricing, page.prices, page.surcharges);
  const { unit_amount, bears } = priceOf(pricing, { key: '', label: 'Platea' }, 'intero')!;
  const line = {
    category: 'Platea',
    ticket_type: 'intero',
    places_cents: Array<number>(count).fill(unit_amount),
    bears,
    whole: null,
  };
  const per_order = feesPerOrder(page.surcharges);
  const [priced] = priceLines([line], page.price_rules, { channel: 'site', per_order });
  return { offer: page.offer, total: priced!.cents + per_order.fee_cents };
}

async function ratesOf(server: TestServer, admin: { cookie: string }) {
  const today = dayText(romeDay(server.clock.now()));
  const query = { from: today, to: today };
  const { rates } = await callOk(server, readSummary, { query }, admin);
  return rates.map(({ percent, gross_cents, vat_cents }) => [percent, gross_cents, vat_cents]);
}

test('one cart with both kinds costs the same everywhere, is taxed at two rates, and ends at nothing', async (server) => {
  const { admin, desk } = await withSurcharges(server);
  // 28,00 € with 2,00 € of presale and 1,40 € of commission each, and 2,00 € once.
  const total = 3 * (2_800 + 200 + 140) + 200;
  expect((await shown(server, 3)).total).toBe(total);
  const order = await makePaid(server, { count: 3 });
  const asked = { params: { orderId: order.order_id } };
  const told = await callOk(server, getOrder, asked);
  expect(told).toMatchObject({ total_cents: total, fee_cents: 1_220, service_cents: 620 });
  expect(told.lines.map(({ service_cents }) => service_cents).toSorted()).toEqual([206, 207, 207]);
  const session = await sessionAtStripe(server, order.order_id);
  expect(session.amount_total).toBe(total);
  const { stripe_params } = await server.house.ctx
    .db('orders')
    .where({ id: order.order_id })
    .first();
  expect(JSON.parse(stripe_params as string)).toMatchObject({
    items: [
      { quantity: 3 },
      { quantity: 3, surcharge: { name: 'Prevendita', unit_amount: 200 } },
      { quantity: 1, surcharge: { name: 'Commissione di servizio', unit_amount: 620 } },
    ],
  });
  expect(await ratesOf(server, admin)).toEqual([
    [22, 620, 112],
    [10, 9_000, 764 + 55],
  ]);
  // What was sold keeps its rates.
  const now = await callOk(server, readEvent, { params }, admin);
  await save(server, admin, now, { service_vat_percent: 10, surcharges: null });
  expect(desk.form.service_vat_percent).toBe(22);
  const evening = await callOk(server, readEvening, { params }, admin);
  expect(evening.total).toMatchObject({ fees_cents: 600, service_cents: 620 });
  const [first, ...others] = order.tickets;
  await refundByOffice(server, admin, order, { ticket_ids: [first!], with_fees: true });
  await server.runDue();
  const one = await server.house.ctx.db('refunds').where({ order_id: order.order_id }).first();
  expect(one).toMatchObject({
    amount_cents: 2_800 + 200 + 207,
    fee_cents: 407,
    service_cents: 207,
  });
  await refundByOffice(server, admin, order, { ticket_ids: others, with_fees: true });
  await server.runDue();
  const [sums] = await server.house.ctx
    .db('refunds')
    .where({ order_id: order.order_id })
    .sum({ all: 'amount_cents', service: 'service_cents' });
  expect([Number(sums!.all), Number(sums!.service)]).toEqual([total, 620]);
  expect(await ratesOf(server, admin)).toEqual([]);
  await expectSoundBooks(server);
});

test('rules leave a cart its surcharges, a ticket at zero bears none, and a returned one leaves the order its own', async (server) => {
  const { admin } = await withSurcharges(server);
  await addRule(server, { ...threeForTwo, spread: false }, feeEvent);
  const total = 2 * (2_800 + 200 + 140) + 200;
  expect((await shown(server, 3)).total).toBe(total);
  const order = await makePaid(server, { count: 3 });
  const told = await callOk(server, getOrder, { params: { orderId: order.order_id } });
  expect(told).toMatchObject({ total_cents: total, service_cents: 480 });
  // Without the rule the two that remain cost what all three did.
  const quote = await refundByOffice(server, admin, order, {
    ticket_ids: order.tickets.slice(0, 1),
    with_fees: true,
  });
  expect(quote).toMatchObject({ amount_cents: 0 });
});

test('some surcharges stay away from the till, others from the day of the show, which begins at midnight in Rome', async (server) => {
  const { admin, desk } = await withSurcharges(server);
  await openDrawer(server, admin);
  const till = await callOk(server, readTill, { params }, admin);
  expect(till.per_order).toEqual({ fee_cents: 0, service_cents: 0 });
  const atTill = 2 * (2_800 + 200 + 140);
  const body = {
    ...(await holdSeats(server, { event: feeEvent })),
    event_id: feeEvent,
    sale_key: newSaleKey(),
    expected_cents: atTill,
    payments: [{ method: 'cash' as const, amount_cents: atTill }],
  };
  const sold = await callOk(server, makeSale, { body }, admin);
  expect(sold.total_cents).toBe(atTill);
  const midnight = startOfDay(romeDay(Date.parse(desk.form.starts_at)));
  server.clock.advance(midnight - 60_000 - server.clock.now());
  const before = await shown(server, 2);
  expect(before.total).toBe(2 * (2_800 + 200 + 140) + 200);
  const held = await holdSeats(server, { event: feeEvent, nth: 2 });
  server.clock.advance(120_000);
  const after = await shown(server, 2);
  expect(after.total).toBe(before.total - 2 * 50);
  const book = (more: object) =>
    ask(server, 'POST', `/api/event/${feeEvent}/book`, { body: { ...held, ...more } });
  expect(await book({ expected_cents: before.total })).toMatchObject(
    aRefusal(409, 'total_changed', { total_cents: after.total }),
  );
  // What was shown is what is paid.
  expect((await book({ expected_cents: before.total, offer: before.offer })).status).toBe(200);
  await expectSoundBooks(server);
});

test('a surcharge is an amount or a part of each ticket, within bounds', async (server) => {
  const { admin, desk } = await withSurcharges(server);
  const event = { ...desk, version: desk.version + 1 };
  const one = { ...plain, ...always, kind: 'service', per: 'order' } as const;
  for (const wrong of [one, { ...one, percent: 5 }, { ...one, cents: 200, percent: 5 }])
    expect(await trySave(server, admin, event, { surcharges: [wrong] })).toMatchObject(
      aRefusal(400, 'bad_request'),
    );
  const dear: Surcharge = { ...one, cents: 10_001 };
  expect((await trySave(server, admin, event, { surcharges: [dear] })).status).toBe(400);
});
