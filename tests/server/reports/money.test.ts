/** The report of money over HTTP: to the cent, by the way it was paid, with tills, gifts, reservations and what is on its way. */
import { expect } from 'vitest';
import { oldCounts } from '#db/report/kept.ts';
import { readReport } from '#server/contract/reports.ts';
import { readPayoutsHourly } from '#server/services/reconcile/payouts.ts';
import { keepFigures } from '#server/services/reports/keep.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { feeEvent, makePaid, passTime } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import { atStripe } from '#tests/support/stripe-desk.ts';
import type { TestServer } from '#tests/support/server.ts';

const hour = 3_600_000;
const never = new AbortController().signal;

/** Cells by column, figure by figure. */
async function read(server: TestServer, headers: { cookie: string }, query: object) {
  const { figures } = await callOk(
    server,
    readReport,
    { params: { report: 'money' }, query },
    headers,
  );
  return Object.fromEntries(
    figures.map(({ id, columns, rows }) => [
      id,
      rows.map((row) => Object.fromEntries(columns.map(({ key }, at) => [key, row[at]]))),
    ]),
  );
}

test('an event’s money adds up: gross, presale, Stripe’s fees, refunds, disputes, net, and what is on its way', async (server, admin) => {
  const back = await makePaid(server);
  await makePaid(server, { nth: 1, payment_method: 'pm_card_createDispute' });
  await makePaidOrder(server, {}, { nth: 2 });
  await atStripe(server, 'POST', 'refunds', {
    payment_intent: back.payment_intent,
    amount: '2000',
  });
  for (const wait of [hour, hour]) await passTime(server, wait);
  const figures = await read(server, admin, { event_id: feeEvent });
  expect(figures['sums']).toEqual([
    {
      gross: 11_800,
      presale: 600,
      stripe_fees: 228,
      refunded: 2_000,
      disputed: 5_900,
      disputed_open: 5_900,
      dispute_fees: 0,
      net: 11_800 - 228 - 2_000 - 5_900,
    },
  ]);
  expect(figures['methods']).toEqual([
    {
      method: 'Carta',
      payments: 2,
      gross: 11_800,
      refunded: 2_000,
      stripe_fees: 228,
      net: 9_572,
    },
  ]);
  expect(figures['on_the_way']).toEqual([
    { day: null, payments: 2, gross: 11_800, stripe_fees: 228, net: 11_572 },
  ]);
  const all = await read(server, admin, {});
  expect(all['sums']).toMatchObject([{ gross: 18_200 }]);
  expect(all['shifts']).toEqual([]);
  // What Stripe tells of its balance makes the kept count old, although nothing was sold.
  const { ctx } = server.house;
  for (const wait of [8 * 24 * hour, hour]) await passTime(server, wait);
  await keepFigures(ctx, never);
  expect(await oldCounts(ctx.db)).toEqual([]);
  await readPayoutsHourly(ctx, never);
  expect(await oldCounts(ctx.db)).toMatchObject([{ id: feeEvent }, { id: 'la-locandiera' }]);
  await keepFigures(ctx, never);
  const office = await asRole(server, 'office');
  const paidOut = await read(server, office, { event_id: feeEvent });
  expect(paidOut['on_the_way']).toEqual([]);
});

test('tills, gifts and reservations are told without anybody’s name, also to who only reads reports', async (server, admin) => {
  await openDrawer(server, admin);
  await sellAtCounter(server, admin);
  await sellAtCounter(server, admin, {
    nth: 1,
    gift: { reason: 'Compagnia' },
  });
  await sellAtCounter(server, admin, {
    nth: 2,
    reservation: { pay_by: new Date(server.clock.now() + 24 * hour).toISOString() },
    buyer: { name: 'Segreta Persona', phone: '055 123456' },
  });
  const viewer = await asRole(server, 'viewer');
  const figures = await read(server, viewer, { event_id: demoEvent });
  expect(figures['methods']).toEqual([
    { method: 'Contanti', payments: 1, gross: 6_400, refunded: 0, stripe_fees: 0, net: 6_400 },
  ]);
  expect(figures['shifts']).toMatchObject([
    { closed: null, float: 10_000, counted: null, difference: null },
  ]);
  expect(figures['gifts']).toEqual([{ reason: 'Compagnia', orders: 1, places: 2 }]);
  expect(figures['reservations']).toMatchObject([{ orders: 1, places: 2, due: 6_400 }]);
  expect(JSON.stringify(figures)).not.toContain('Segreta');
  expect(JSON.stringify(figures)).not.toContain('Ada');
});
