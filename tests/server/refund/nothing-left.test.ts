/** All money of an evening goes back, in whatever parts and ways and on whatever days: at the end every column of the books is zero, and on the way none is below zero or above what came in. */
import { expect } from 'vitest';
import { askRefund, decideRefund, settleRefund } from '#server/contract/order/refunds.ts';
import { readReport } from '#server/contract/reports.ts';
import { readSummary } from '#server/contract/summaries.ts';
import { dayText, romeDay } from '#server/domain/time/rome-clock.ts';
import { reconcile } from '#server/services/payment/settle.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { callOk, comeAgain, makeAdmin, makeOrder, payOrder } from '#tests/support/make.ts';
import { endBehindOurBack, payLate } from '#tests/support/order-end.ts';
import {
  expectSoundBooks,
  feeEvent,
  makePaid,
  passTime,
  refundByOffice,
  refundRows,
  setPolicy,
  type PaidOrder,
} from '#tests/support/refunds.ts';
import { atStripe, sessionAtStripe } from '#tests/support/stripe-desk.ts';
import type { TestServer } from '#tests/support/server.ts';

const day = 24 * 3_600_000;
/** Three tickets at 28,00 € with 1,50 € of presale fee each. */
const [paid, fee] = [8_850, 450];

type Step = (server: TestServer, admin: { cookie: string }, order: PaidOrder) => Promise<unknown>;

const atDashboard =
  (amount?: number): Step =>
  (server, _, { payment_intent }) =>
    atStripe(server, 'POST', 'refunds', {
      payment_intent,
      ...(amount === undefined ? {} : { amount: String(amount) }),
    });
const freely =
  (amount_cents: number): Step =>
  (server, admin, order) =>
    refundByOffice(server, admin, order, { amount_cents });
const tickets =
  (nths: number[], with_fees: boolean): Step =>
  (server, admin, order) =>
    refundByOffice(server, admin, order, {
      ticket_ids: nths.map((nth) => order.tickets[nth]!),
      with_fees,
    });
const wish: Step = (server, _, order) =>
  callOk(server, askRefund, {
    params: { orderId: order.order_id },
    body: { ticket_ids: [order.tickets[0]!], expected_cents: 2_800 },
  });
const approve: Step = async (server, admin, { order_id }) => {
  const asked = (await refundRows(server, order_id)).find(({ state }) => state === 'asked');
  const params = { refundId: asked!.id };
  await callOk(server, decideRefund, { params, body: { decision: 'approve' } }, admin);
};
/** The failed refund of this amount goes back by hand. */
const byHand =
  (amount_cents: number): Step =>
  async (server, admin, { order_id }) => {
    const rows = await refundRows(server, order_id);
    const failed = rows.find((row) => row.state === 'failed' && row.amount_cents === amount_cents);
    const params = { refundId: failed!.id };
    await callOk(server, settleRefund, { params, body: { decision: 'handed_back' } }, admin);
  };

/** Each gives all of one order back; a part of zero days. */
const ways: Record<string, { card?: string; steps: Step[] }> = {
  'odd parts in the dashboard': { steps: [1, 333, 4_799, 1_234, 2_483].map(atDashboard) },
  'one piece in the dashboard': { steps: [atDashboard()] },
  'a free amount of the office': { steps: [freely(paid)] },
  'an amount, a ticket with its fee, the dashboard, the other tickets without': {
    steps: [freely(1_000), tickets([0], true), atDashboard(1), tickets([1, 2], false)],
  },
  'a wish that the office approves after the dashboard has taken most of the tickets': {
    steps: [wish, atDashboard(6_000), approve, freely(50)],
  },
  'refunds that fail and go back by hand, the later one first': {
    card: 'pm_card_refundFail',
    steps: [
      freely(4_000),
      tickets([0], true),
      byHand(2_950),
      byHand(4_000),
      freely(1_900),
      byHand(1_900),
    ],
  },
};

/**
 * What is left in each column: of the summary, of the report on money, and of that on sales. The
 * event has no service commission.
 */
async function columnsOf(server: TestServer, admin: { cookie: string }) {
  const query = { from: '2026-01-01', to: '2027-12-31' };
  const { total, events, rates } = await callOk(server, readSummary, { query }, admin);
  const sumsOf = async (report: 'money' | 'sales') => {
    const ask = { params: { report }, query: { event_id: feeEvent } };
    const { figures } = await callOk(server, readReport, ask, admin);
    const { columns, rows } = figures.find(({ id }) => id === 'sums')!;
    return (key: string) => Number(rows[0]![columns.findIndex((column) => column.key === key)]);
  };
  const [money, sales] = [await sumsOf('money'), await sumsOf('sales')];
  const left = (of: Record<string, unknown>) =>
    Object.entries(of).flatMap(([name, cents]) =>
      typeof cents === 'number' && /^(?!service).*_(?:net|vat)_cents$|^net_cents$/.test(name)
        ? [cents]
        : [],
    );
  return [
    ...left(total),
    ...left(events[0]!),
    ...[10, 22].flatMap((rate) => {
      const {
        gross_cents = 0,
        net_cents = 0,
        vat_cents = 0,
      } = rates.find(({ percent }) => percent === rate) ?? {};
      return [gross_cents, net_cents, vat_cents];
    }),
    money('gross') - money('refunded'),
    money('presale'),
    // Only what was confirmed is a sale, so that the late payment counts nowhere here.
    sales('paid') - sales('refunded'),
    sales('fees') - sales('refunded_fees'),
  ];
}

/** Paid and given back while no news arrives; the next day books both. */
async function giveBackUnheard(server: TestServer): Promise<void> {
  const { faults } = server.house.standins!.stripe!;
  faults.add({ on: 'delivery', action: 'drop', times: 'always' });
  const selected_objects = [{ object_id: 'Loggione', ticket_type: 'intero', quantity: 3 }];
  const order = await makeOrder(server, { event: feeEvent, selected_objects });
  await payOrder(server, order.checkout_url);
  const { payment_intent } = await sessionAtStripe(server, order.order_id);
  await atStripe(server, 'POST', 'refunds', { payment_intent: payment_intent! });
  server.clock.advance(day);
  faults.clear();
  await reconcile(server.house.ctx, new AbortController().signal);
  await server.runDue();
}

test('88,50 € of which 4,50 € are the presale fee, all given back: nothing is left in any column', async (server) => {
  let admin = await makeAdmin(server);
  await setPolicy(server, {
    vat_percent: 10,
    fee_vat_percent: 22,
    refund_days: 60,
    refund_stop_days: 0,
  });
  await giveBackUnheard(server);
  admin = await comeAgain(server);
  expect((await columnsOf(server, admin)).filter((cents) => cents !== 0)).toEqual([]);
  const late = await makeOrder(server, { event: feeEvent, count: 3, nth: 0 });
  await endBehindOurBack(server, late, feeEvent);
  const orders: PaidOrder[] = [];
  for (const [nth, { card }] of Object.values(ways).entries())
    orders.push(await makePaid(server, { nth, count: 3, ...(card && { payment_method: card }) }));
  await payLate(server, late);
  const most = await columnsOf(server, admin);
  expect(most.every((cents) => cents > 0)).toBe(true);
  const expectBetween = async () => {
    const now = await columnsOf(server, admin);
    expect(now.map((cents, nth) => Math.min(Math.max(cents, 0), most[nth]!))).toEqual(now);
    await expectSoundBooks(server);
  };
  for (let nth = 0; nth < 6; nth += 1) {
    for (const [at, { steps }] of Object.values(ways).entries())
      await steps[nth]?.(server, admin, orders[at]!);
    await server.runDue();
    await expectBetween();
    await passTime(server, day);
    admin = await comeAgain(server);
  }
  for (const [nth, way] of [...Object.keys(ways), 'a payment after the end'].entries()) {
    const rows = await refundRows(server, (orders[nth] ?? late).order_id);
    const counted = rows.filter(({ state }) => state === 'succeeded');
    const sum = (of: 'amount_cents' | 'fee_cents') =>
      counted.reduce((total, row) => total + row[of], 0);
    expect([way, sum('amount_cents'), sum('fee_cents')]).toEqual([way, paid, fee]);
  }
  expect(await columnsOf(server, admin)).toEqual(most.map(() => 0));
  // A month knows the VAT that came in before it.
  const today = dayText(romeDay(server.clock.now() - 3 * day));
  const vat = async (from: string, to: string) =>
    (await callOk(server, readSummary, { query: { from, to } }, admin)).total.tickets_vat_cents;
  const [before, on, after] = [
    await vat('2026-01-01', today),
    await vat(today, today),
    await vat(today, '2027-12-31'),
  ];
  expect([before > 0, on < 0, before + after - on]).toEqual([true, true, 0]);
  expect(server.logged).toEqual([]);
});
