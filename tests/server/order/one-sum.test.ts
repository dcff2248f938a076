/** One cart under price rules costs the same sum wherever it is shown, sold, counted or given back. */
import { expect } from 'vitest';
import { readTill } from '#server/contract/counter.ts';
import { getEvent } from '#server/contract/events.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { quoteRefund } from '#server/contract/order/refunds.ts';
import { tryRules } from '#server/contract/price-rules.ts';
import { readReport } from '#server/contract/reports.ts';
import { readSummary } from '#server/contract/summaries.ts';
import { priceLines } from '#server/domain/price/page-cart.ts';
import { dayText, romeDay } from '#server/domain/time/rome-clock.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { callOk, demoEvent, findSeats, type Chosen } from '#tests/support/make.ts';
import { expectSoundBooks, makePaid, refundByOffice } from '#tests/support/refunds.ts';
import { addRule, threeForTwo } from '#tests/support/rules-in-force.ts';
import { refundsAtStripe, sessionAtStripe } from '#tests/support/stripe-desk.ts';
import type { TestServer } from '#tests/support/server.ts';

const params = { eventId: demoEvent };
/** Four full-price seats of the stalls at 32,00 €, of which one is free. */
const total = 3 * 3_200;
const line = {
  category: 'Platea',
  ticket_type: 'intero',
  places_cents: [3_200, 3_200, 3_200, 3_200],
  bears: [],
  whole: null,
};

async function accounted(server: TestServer, admin: { cookie: string }): Promise<number[]> {
  const today = dayText(romeDay(server.clock.now()));
  const query = { from: today, to: today };
  const { total: sums } = await callOk(server, readSummary, { query }, admin);
  return [sums.gross_cents, sums.refunded_cents, sums.net_cents];
}

async function reported(server: TestServer, admin: { cookie: string }): Promise<unknown> {
  // Figures are counted at most once a minute.
  server.clock.advance(61_000);
  const ask = { params: { report: 'sales' }, query: { event_id: demoEvent } };
  const { figures } = await callOk(server, readReport, ask, admin);
  const { columns, rows } = figures.find(({ id }) => id === 'by_category')!;
  const cents = columns.findIndex(({ unit }) => unit === 'cents');
  return rows.find(([category]) => category === 'Platea')![cents];
}

test('page, till, trial, order, Stripe, summary, report and refund of one cart name one sum', async (server, admin) => {
  await openDrawer(server, admin);
  await addRule(server, { ...threeForTwo, spread: false });
  const page = await callOk(server, getEvent, { params });
  expect(priceLines([line], page.price_rules, { channel: 'site' })[0]!.cents).toBe(total);
  const till = await callOk(server, readTill, { params }, admin);
  expect(priceLines([line], till.price_rules, { channel: 'till' })[0]!.cents).toBe(total);
  const tickets = [{ category: 'Platea', ticket_type: 'intero', quantity: 4 }];
  const body = {
    tickets,
    at: new Date(server.clock.now()).toISOString(),
    channel: 'site' as const,
  };
  const trial = await callOk(server, tryRules, { params, body }, admin);
  expect(trial).toMatchObject({ list_cents: 4 * 3_200, total_cents: total });

  const seats = await findSeats(server, { count: 4 });
  const selected_objects = seats.map<Chosen>((object_id) => ({ object_id, ticket_type: 'intero' }));
  const order = await makePaid(server, { event: demoEvent, selected_objects });
  const asked = { params: { orderId: order.order_id } };
  const shown = await callOk(server, getOrder, asked);
  expect(shown.total_cents).toBe(total);
  expect(shown.lines.reduce((sum, { price_cents }) => sum + price_cents, 0)).toBe(total);
  const session = await sessionAtStripe(server, order.order_id);
  expect(session.amount_total).toBe(total);
  expect(await accounted(server, admin)).toEqual([total, 0, total]);
  expect(await reported(server, admin)).toBe(total);

  const sold = await sellAtCounter(server, admin, {
    seats: await findSeats(server, { count: 4, nth: 2 }),
    expected_cents: total,
    payments: [{ method: 'cash', amount_cents: total }],
  });
  expect(sold.total_cents).toBe(total);
  expect(await accounted(server, admin)).toEqual([2 * total, 0, 2 * total]);

  const quote = await callOk(server, quoteRefund, asked, admin);
  expect(quote.amount_cents).toBe(total);
  await refundByOffice(server, admin, order, {});
  await server.runDue();
  const given = await refundsAtStripe(server, order.payment_intent);
  expect(given.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
  expect(await accounted(server, admin)).toEqual([2 * total, total, total]);
  await expectSoundBooks(server);
});
