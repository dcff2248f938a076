/** How money goes back by hand: in which parts, from which till, and never below what lies there. */
import { expect } from 'vitest';
import { changeTills, makeSale } from '#server/contract/counter.ts';
import { addressOf, type Asked } from '#server/contract/endpoint.ts';
import { quoteHandBack } from '#server/contract/hand-back.ts';
import { makeRefund, quoteRefund, settleRefund } from '#server/contract/order/refunds.ts';
import { readReport } from '#server/contract/reports.ts';
import { giveBack, listOwnSales, moveCash, readShift } from '#server/contract/shifts.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { openDrawer, saleBody, sellAtCounter, till, type Seller } from '#tests/support/counter.ts';
import { aRefusal, ask, callOk, demoEvent, findSeats } from '#tests/support/make.ts';
import { makeSold, quoteOf, tryMove } from '#tests/support/move.ts';
import {
  expectSoundBooks,
  makePaid,
  passTime,
  refundByOffice,
  refundRows,
} from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

type Handing = Pick<Asked<typeof makeRefund>['body'], 'ways' | 'drawer_reason'>;

/** 20 € in cash and 44 € by card. */
const mixed = [
  { method: 'cash' as const, amount_cents: 2_000 },
  { method: 'pos' as const, amount_cents: 4_400, receipt: '7' },
];

async function twoTills(server: TestServer, office: Seller) {
  const tills = [till, 'cassa-2'].map((id) => ({
    id,
    name: id,
    layout: '80mm' as const,
    printer: null,
  }));
  await callOk(server, changeTills, { body: { version: 0, gifts_per_event: 10, tills } }, office);
}

/** Gives a sum of an order back by hand. */
async function refundByHand(
  server: TestServer,
  office: Seller,
  order_id: string,
  { amount_cents, ...handing }: { amount_cents: number } & Handing,
) {
  const params = { orderId: order_id };
  const query = { amount_cents: String(amount_cents) };
  const quote = await callOk(server, quoteRefund, { params, query }, office);
  const body = {
    amount_cents,
    expected_cents: quote.amount_cents,
    expected_left_cents: quote.left_cents,
    handed_back: true,
    reason: 'Ha sbagliato sera',
    ...handing,
  };
  const path = addressOf(makeRefund, { orderId: order_id });
  return ask(server, makeRefund.method, path, { body, headers: office });
}

async function reportOf(server: TestServer, who: Seller, shiftId: string) {
  return (await callOk(server, readShift, { params: { shiftId } }, who)).report;
}

test('a sale paid in two ways goes back in their proportion, unless a person says how', async (server, office) => {
  const { shift_id } = await openDrawer(server, office);
  const { order_id } = await sellAtCounter(server, office, { payments: mixed });
  const params = { orderId: order_id };
  const query = { amount_cents: '1000' };
  const offered = await callOk(server, quoteHandBack, { params, query }, office);
  expect(offered.ways).toEqual([
    { method: 'cash', amount_cents: 313 },
    { method: 'pos', amount_cents: 687 },
  ]);
  expect(offered.tills).toMatchObject([{ shift_id, own: true, in_drawer_cents: 12_000 }]);
  const quoted = await callOk(server, quoteRefund, { params, query }, office);
  expect(quoted).toMatchObject({ hand_cents: 1_000, ways: offered.ways });

  expect(await refundByHand(server, office, order_id, { amount_cents: 1_000 })).toMatchObject({
    status: 200,
  });
  expect(await reportOf(server, office, shift_id)).toMatchObject({
    cash_refunds_cents: 313,
    expected_cents: 11_687,
    refunds: [
      { method: 'cash', count: 1, amount_cents: 313 },
      { method: 'pos', count: 1, amount_cents: 687 },
    ],
  });
  const ways = [
    { method: 'pos' as const, amount_cents: 900 },
    { method: 'transfer' as const, amount_cents: 100 },
  ];
  const short = await refundByHand(server, office, order_id, { amount_cents: 1_200, ways });
  expect(short).toMatchObject(aRefusal(422, 'ways_wrong', { amount_cents: 1_200 }));
  await refundByHand(server, office, order_id, { amount_cents: 1_000, ways });
  // What is left decides about the rest.
  const rest = { amount_cents: '4400' };
  expect((await callOk(server, quoteHandBack, { params, query: rest }, office)).ways).toEqual([
    { method: 'cash', amount_cents: 1_650 },
    { method: 'pos', amount_cents: 2_750 },
  ]);
  const [one] = await server.house.ctx.db('refund_parts').where({ method: 'transfer' });
  expect(one).toMatchObject({ amount_cents: 100, shift_id: null });
  await expectSoundBooks(server);
});

test('a drawer gives no more than lies in it; the office may with a reason, also from another till', async (server, office) => {
  await twoTills(server, office);
  const cashier = await asRole(server, 'cassa');
  const { shift_id } = await openDrawer(server, cashier);
  const out = { amount_cents: -10_100, reason: 'In banca' };
  const { method, path } = moveCash;
  const tooMuch = await ask(server, method, path, { body: out, headers: cashier });
  expect(tooMuch).toMatchObject(aRefusal(409, 'drawer_too_low', { till }));
  // Their count is blind: a refusal must not tell what should lie there.
  expect(JSON.stringify(tooMuch.body)).not.toMatch(/100,00|10000/);
  const forced = { ...out, below_zero: true };
  expect(await ask(server, method, path, { body: forced, headers: cashier })).toMatchObject({
    body: { code: 'drawer_too_low' },
  });
  await callOk(server, moveCash, { body: { amount_cents: -9_000, reason: 'In banca' } }, cashier);
  const sale = await sellAtCounter(server, cashier, {
    payments: [{ method: 'pos', amount_cents: 6_400 }],
  });
  const { order_id } = sale;
  const cash = (shift?: string) => [
    { method: 'cash' as const, amount_cents: 6_400, ...(shift && { shift_id: shift }) },
  ];
  const whole = { amount_cents: 6_400 };
  // No till of one's own, and none was named.
  expect(await refundByHand(server, office, order_id, whole)).toMatchObject(
    aRefusal(409, 'shift_not_open'),
  );
  const named = { ...whole, ways: cash(shift_id) };
  expect(await refundByHand(server, office, order_id, named)).toMatchObject(
    aRefusal(400, 'bad_request'),
  );
  await openDrawer(server, office, 'cassa-2');
  await callOk(server, moveCash, { body: { amount_cents: -9_000, reason: 'In banca' } }, office);
  expect(await refundByHand(server, office, order_id, { ...whole, ways: cash() })).toMatchObject(
    aRefusal(409, 'drawer_too_low', { till: 'cassa-2', in_drawer_cents: 1_000 }),
  );
  expect(await server.house.ctx.db('refunds')).toEqual([]);
  const said = { ...named, drawer_reason: 'I soldi sono nella busta' };
  expect(await refundByHand(server, office, order_id, said)).toMatchObject({ status: 200 });
  expect(await reportOf(server, office, shift_id)).toMatchObject({ expected_cents: -5_400 });
  const [told] = await server.house.ctx.db('audit').where({ action: 'refund_requested' });
  expect(JSON.parse(told.detail)).toMatchObject({ drawer_reason: 'I soldi sono nella busta' });
  await expectSoundBooks(server);
});

it('a cashier hands back out of the own till alone, and no transfer', async (server, office) => {
  await twoTills(server, office);
  const cashier = await asRole(server, 'cassa');
  await openDrawer(server, cashier);
  const other = await openDrawer(server, office, 'cassa-2');
  const { order_id } = await sellAtCounter(server, cashier, { payments: mixed });
  const tickets = await server.house.ctx.db('tickets').where({ order_id }).pluck('id');
  const params = { orderId: order_id };
  const seen = await callOk(
    server,
    quoteHandBack,
    { params, query: { amount_cents: '1' } },
    cashier,
  );
  expect(seen.tills).toHaveLength(1);
  const give = (ways?: Handing['ways'], drawer_reason?: string) =>
    ask(server, giveBack.method, addressOf(giveBack, params), {
      body: {
        ticket_ids: tickets,
        expected_cents: 6_400,
        reason: 'Ripensato',
        ...(ways && { ways }),
        ...(drawer_reason && { drawer_reason }),
      },
      headers: cashier,
    });
  const all = { method: 'cash' as const, amount_cents: 6_400 };
  const why = 'La mia è vuota';
  expect(await give([{ ...all, shift_id: other.shift_id }], why)).toMatchObject(
    aRefusal(403, 'not_own_shift'),
  );
  expect(await give([{ ...all, shift_id: null }])).toMatchObject(aRefusal(403, 'not_own_shift'));
  expect(await give([{ ...all, method: 'transfer' as never }])).toMatchObject(
    aRefusal(403, 'transfer_not_allowed'),
  );
  expect(await give()).toMatchObject({ status: 200, body: { amount_cents: 6_400 } });
  await expectSoundBooks(server);
});

test('money of Stripe that a person hands back takes nothing out of a drawer without a word', async (server, office) => {
  const { shift_id } = await openDrawer(server, office);
  const paid = await makePaid(server, { payment_method: 'pm_card_refundFail', event: demoEvent });
  const { refund_id, amount_cents } = await refundByOffice(server, office, paid);
  await server.runDue();
  for (const ms of [60_000, 300_000]) await passTime(server, ms);
  const params = { refundId: refund_id };
  await callOk(server, settleRefund, { params, body: { decision: 'handed_back' } }, office);
  expect(await refundRows(server, paid.order_id)).toMatchObject([
    { state: 'succeeded', kind: 'manual', method: 'transfer', shift_id: null, amount_cents },
  ]);
  expect(await reportOf(server, office, shift_id)).toMatchObject({ expected_cents: 10_000 });
  await expectSoundBooks(server);
});

test('an evening of cash, card, transfer and Stripe comes to what was paid less what went back, to the cent', async (server, office) => {
  const { db } = server.house.ctx;
  const { shift_id } = await openDrawer(server, office);
  const counted = await sellAtCounter(server, office, { payments: mixed });
  await sellAtCounter(server, office, {
    nth: 1,
    payments: [{ method: 'transfer', amount_cents: 6_400 }],
  });
  // Paid at Stripe, and then in cash for a dearer seat.
  const [box] = await findSeats(server, { count: 1, category: 'Galleria' });
  const web = await makeSold(server, {
    selected_objects: [{ object_id: box!, ticket_type: 'intero' }],
  });
  const [dear] = await findSeats(server, { count: 1, nth: 6 });
  const { difference_cents } = await quoteOf(server, office, web, [dear!]);
  expect(difference_cents).toBeGreaterThan(0);
  const moved = await tryMove(server, office, web, [dear!], {
    expected_cents: difference_cents,
    difference: { way: 'paid', method: 'cash' },
    rules_reason: 'Richiesta',
  });
  expect(moved.status).toBe(200);
  await refundByHand(server, office, counted.order_id, { amount_cents: 2_501 });

  const params = { orderId: web.order_id };
  const quote = await callOk(server, quoteRefund, { params, query: {} }, office);
  expect(quote).toMatchObject({
    hand_cents: difference_cents,
    ways: [{ method: 'cash', amount_cents: difference_cents }],
  });
  const body = {
    expected_cents: quote.amount_cents,
    expected_left_cents: quote.left_cents,
    handed_back: true,
    reason: 'Malattia',
  };
  await callOk(server, makeRefund, { params, body }, office);
  await server.runDue();
  expect(await refundRows(server, web.order_id)).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({
        kind: 'stripe',
        state: 'succeeded',
        amount_cents: quote.amount_cents - difference_cents,
      }),
      expect.objectContaining({
        kind: 'manual',
        state: 'succeeded',
        method: 'cash',
        shift_id,
        amount_cents: difference_cents,
      }),
    ]),
  );

  const report = await reportOf(server, office, shift_id);
  const sumOf = (sums: readonly { method: string; amount_cents: number }[], method: string) =>
    sums.find((sum) => sum.method === method)?.amount_cents ?? 0;
  const net = (method: string) => sumOf(report.payments, method) - sumOf(report.refunds, method);
  const query = { event_id: demoEvent };
  const { figures } = await callOk(
    server,
    readReport,
    { params: { report: 'money' }, query },
    office,
  );
  const ways = figures.find(({ id }) => id === 'methods')!;
  const taken = new Map(ways.rows.map((row) => [row[0], Number(row[2]) - Number(row[3])]));
  expect(taken.get('Contanti')).toBe(net('cash'));
  expect(taken.get('POS')).toBe(net('pos'));
  expect(taken.get('Bonifico')).toBe(net('transfer'));
  expect(report.expected_cents).toBe(10_000 + net('cash'));
  const sum = async (table: string) => Number((await db(table).sum({ n: 'amount_cents' }))[0]!.n);
  const left = (await sum('payments')) - (await sum('refunds'));
  expect([...taken.values()].reduce((all, cents) => all + cents, 0)).toBe(left);
  await expectSoundBooks(server);
});

test('a gift and a reservation need no drawer; gifts are counted by who gives them', async (server, office) => {
  const cashier = await asRole(server, 'cassa');
  const version = { version: 0, gifts_per_event: 3 };
  const tills = [{ id: till, name: till, layout: '80mm' as const, printer: null }];
  await callOk(server, changeTills, { body: { ...version, tills } }, office);
  // The only till is taken.
  await openDrawer(server, office);
  const gift = await sellAtCounter(server, cashier, { gift: { reason: 'Stampa' } });
  const { db } = server.house.ctx;
  const sold_by = 'user:cassa'.slice('user:'.length);
  expect(await db('orders').where({ id: gift.order_id }).first()).toMatchObject({
    shift_id: null,
    sold_by,
  });
  const more = await saleBody(server, { nth: 1, gift: { reason: 'Stampa' } });
  expect(
    await ask(server, makeSale.method, makeSale.path, { body: more, headers: cashier }),
  ).toMatchObject(aRefusal(409, 'gifts_used_up'));
  const paying = await saleBody(server, { nth: 2 });
  expect(
    await ask(server, makeSale.method, makeSale.path, { body: paying, headers: cashier }),
  ).toMatchObject(aRefusal(409, 'shift_not_open'));
  const pay_by = new Date(server.clock.now() + 3_600_000).toISOString();
  const reserved = await sellAtCounter(server, cashier, { nth: 3, reservation: { pay_by } });
  expect(reserved.state).toBe('awaiting_payment');
  const added = await sellAtCounter(server, office, {
    nth: 4,
    part_of: gift.order_id,
    gift: { reason: 'Stampa' },
  });
  expect(added.state).toBe('confirmed');

  const { items } = await callOk(server, listOwnSales, {}, cashier);
  expect(items.map(({ order_id }) => order_id)).toEqual([gift.order_id]);
  // The own gift is taken back without a drawer; another's is not.
  const back = (order_id: string, ticket_ids: readonly string[]) =>
    ask(server, giveBack.method, addressOf(giveBack, { orderId: order_id }), {
      body: { ticket_ids, expected_cents: 0, reason: 'Non viene' },
      headers: cashier,
    });
  const others = await db('tickets').where({ order_id: added.order_id }).pluck('id');
  expect((await back(added.order_id, others)).status).toBe(409);
  const own = items[0]!.tickets.map(({ ticket_id }) => ticket_id);
  expect(await back(gift.order_id, own)).toMatchObject({ status: 200 });
  await expectSoundBooks(server);
});
