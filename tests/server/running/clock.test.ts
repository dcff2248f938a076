/** The computer's clock is set back: what was stored ahead of it ends in its own time, and everything goes on. */
import { expect } from 'vitest';
import { wakeWorker } from '#db/engine/wake.ts';
import { claimTask } from '#db/outbox.ts';
import { putSetting } from '#db/settings.ts';
import { readBackups } from '#server/contract/backups.ts';
import { readHealth } from '#server/contract/health.ts';
import { login } from '#server/contract/users.ts';
import { watchClock } from '#server/services/kit/clock.ts';
import { compareWhenDue, comparisonReport } from '#server/services/reconcile/comparison.ts';
import { readUntilKey } from '#server/services/reconcile/payout-check.ts';
import { readMoney } from '#server/services/reconcile/payouts.ts';
import { clockTrouble } from '#server/services/office/clock-skew.ts';
import { sealRegistry } from '#server/services/reconcile/registry-seals.ts';
import { checkInvariants } from '#server/services/reconcile/invariants.ts';
import { testOnBoth as test, testOnSqlite } from '#tests/support/both.ts';
import {
  ask,
  callOk,
  holdSeats,
  makeAdmin,
  makeOrder,
  payOrder,
  until,
} from '#tests/support/make.ts';
import { rowOf, seatStatuses } from '#tests/support/order-end.ts';
import type { TestServer } from '#tests/support/server.ts';

const minute = 60_000;
const hour = 60 * minute;

/** As until(), while the worker does not rest. */
function comes(server: TestServer, condition: () => Promise<boolean>): Promise<void> {
  return until(() => {
    wakeWorker(server.house.ctx.db);
    return condition();
  });
}

async function brokenRules(server: TestServer): Promise<string[]> {
  const rows = await checkInvariants(server.house.ctx);
  return rows.flatMap(({ name, violations }) => (violations > 0 ? [name] : []));
}

async function expectSound(server: TestServer): Promise<void> {
  expect(await brokenRules(server)).toEqual([]);
  expect((await ask(server, 'GET', '/readyz')).status).toBe(200);
}

const notices = (server: TestServer) =>
  server.house.ctx.db('audit').where({ action: 'clock_set_back' });

/** Sells two hours ahead: an order that is paid, one that is not, and seats in a cart. */
async function sellAhead(server: TestServer) {
  server.clock.advance(2 * hour);
  const unpaid = await makeOrder(server);
  const paid = await makeOrder(server, { nth: 1 });
  await payOrder(server, paid.checkout_url);
  await until(async () => {
    await server.runDue();
    return (await rowOf(server, paid)).state === 'confirmed';
  });
  const cart = await holdSeats(server, { nth: 2 });
  const admin = await makeAdmin(server);
  await ask(server, login.method, login.path, { body: { email: 'ada@teatro.it', password: 'x' } });
  await sealRegistry(server.house.ctx, new AbortController().signal);
  return { unpaid, cart, admin };
}

test(
  'a house two hours ahead is set right: seats come back in their time, and it saves and tells',
  async (server) => {
    const { unpaid, cart, admin } = await sellAhead(server);
    server.clock.advance(-2 * hour);
    await comes(server, async () => (await notices(server)).length === 1);
    // The seat map notices the step by itself, half a second later at the latest.
    const { seats } = server.house.ctx;
    await until(async () => (await seats.holdLeft(cart.hold_token)) <= 15 * 60);
    await expectSound(server);
    const { findings } = await callOk(server, readHealth, {}, admin);
    expect(findings.map(({ sentence }) => sentence)).toContain(
      'L’orologio del server è tornato indietro di 2 ore.',
    );
    // The buyer keeps the minutes that are left.
    expect(await seatStatuses(server, unpaid)).toEqual(['booked', 'booked']);
    server.clock.advance(16 * minute);
    await comes(server, async () => (await rowOf(server, unpaid)).state === 'deleted');
    expect(await seatStatuses(server, unpaid)).toEqual(['free', 'free']);
    await until(async () => (await seatStatuses(server, cart)).every((one) => one === 'free'));
    server.clock.advance(hour);
    // The one that was made ahead does not keep the next from being made.
    await comes(server, async () => {
      const { last } = await callOk(server, readBackups, {}, admin);
      return last !== null && Date.parse(String(last.made_at)) <= server.clock.now();
    });
    await comes(server, async () => (await brokenRules(server)).length === 0);
    await expectSound(server);
  },
  { worker: true },
);

/** Columns whose times cannot lie ahead, and how far the ends of short things may. */
const columns = [
  ['sessions', 'last_seen_at', 0],
  ['tickets', 'issued_at', 0],
  ['processes', 'last_beat_at', 0],
  ['outbox', 'run_at', 15 * minute],
  ['guesses', 'until', hour],
] as const;

test('a clock that is set right while the house is closed is noticed at its start, once', async (first) => {
  const { unpaid } = await sellAhead(first);
  // A process died at work.
  const { db, now } = first.house.ctx;
  const task = { task: 'read_payout', subject: 'po_x', run_at: now() - hour, attempts: 0, bell: 0 };
  await db('outbox').insert({ id: 'x', ...task });
  expect(await claimTask(db, now(), minute)).toMatchObject({ id: 'x' });
  first.clock.advance(-2 * hour);
  const server = await first.restart();
  expect(await notices(server)).toMatchObject([{ detail: '{"by_minutes":120}' }]);
  await expectSound(server);
  for (const [table, column, ahead] of columns)
    expect(
      await server.house.ctx.db(table).where(column, '>', server.clock.now() + ahead),
      `${table}.${column}`,
    ).toEqual([]);
  for (let n = 0; n < 17; n += 1) {
    server.clock.advance(minute);
    await server.runDue();
  }
  expect(await server.house.ctx.db('outbox').where({ id: 'x' })).toEqual([]);
  expect(await rowOf(server, unpaid)).toMatchObject({ state: 'deleted' });
  expect(await seatStatuses(server, unpaid)).toEqual(['free', 'free']);
  const later = await server.restart();
  expect(await notices(later)).toHaveLength(1);
  await expectSound(later);
  await later.close();
});

test('several steps both ways leave no rule broken', async (server) => {
  for (const [nth, step] of [3, -2, -4, 5, -1, -1].entries()) {
    await makeOrder(server, { nth });
    server.clock.advance(step * hour);
    await server.runDue();
    await sealRegistry(server.house.ctx, new AbortController().signal);
  }
  for (let n = 0; n < 6; n += 1) {
    server.clock.advance(11 * minute);
    await server.runDue();
  }
  expect(await notices(server)).toHaveLength(4);
  expect(await server.house.ctx.db('orders').whereNot({ state: 'deleted' })).toEqual([]);
  await expectSound(server);
});

test('two processes of a computer that notice one step move what waits once', async (server) => {
  const { ctx } = server.house;
  const other = { ...ctx, memory: {} };
  const task = { task: 'read_payout' as const, subject: 'po_x', attempts: 0, bell: 0 };
  server.clock.advance(2 * hour);
  await Promise.all([watchClock(ctx), watchClock(other)]);
  await ctx.db('outbox').insert({ id: 'x', ...task, run_at: ctx.now() + 10 * minute });
  server.clock.advance(-2 * hour);
  await Promise.all([watchClock(ctx), watchClock(other)]);
  const [row] = await ctx.db('outbox').where({ id: 'x' });
  expect(row!.run_at).toBeCloseTo(ctx.now() + 10 * minute, -4);
  expect(await notices(server)).toHaveLength(1);
});

test('what was compared with Stripe by a clock a year ahead is compared again', async (server) => {
  const { ctx } = server.house;
  const { signal } = new AbortController();
  await compareWhenDue(ctx, signal);
  server.clock.advance(365 * 24 * hour);
  await compareWhenDue(ctx, signal);
  await putSetting(ctx.db, readUntilKey, String(ctx.now()));
  server.clock.advance(-365 * 24 * hour);
  await compareWhenDue(ctx, signal);
  expect((await comparisonReport(ctx)).compared_until).toBeLessThanOrEqual(ctx.now());
  let since = 0;
  const movements = (from: number) => ctx.payments.movements((since = from));
  const payments = Object.assign(Object.create(ctx.payments) as typeof ctx.payments, { movements });
  await readMoney({ ...ctx, payments }, signal);
  expect(since).toBeLessThan(ctx.now());
});

testOnSqlite('a server of the house whose clock is ahead is named', async (server) => {
  const { ctx } = server.house;
  expect(await clockTrouble(ctx)).toBeNull();
  await ctx.db('processes').update({ host: 'altro', last_beat_at: ctx.now() + 2 * minute });
  expect(await clockTrouble(ctx)).toMatchObject({ mend: expect.stringContaining('altro') });
});
