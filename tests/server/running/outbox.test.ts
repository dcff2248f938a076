/** Waiting rows: one worker has one at a time, and what is asked for meanwhile is not lost. */
import { afterEach, expect, vi } from 'vitest';
import { addTask, claimTask, dropClaims, finishTask, postponeTask, renewTask } from '#db/outbox.ts';
import type { OutboxRow } from '#db/rows.ts';
import { endDeadClaims } from '#server/jobs/schedule.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { holdAnswers } from '#tests/support/held-answers.ts';
import { makeOrder, payOrder, until } from '#tests/support/make.ts';
import { rowOf } from '#tests/support/order-end.ts';
import type { TestServer } from '#tests/support/server.ts';

const minute = 60_000;

afterEach(() => {
  vi.useRealTimers();
});

/** A row, and the worker that has claimed it. */
async function claimed(server: TestServer): Promise<OutboxRow> {
  const { db, now } = server.house.ctx;
  await db.transaction((trx) =>
    addTask(trx, { task: 'settle_order', subject: 'order-1', run_at: now() }),
  );
  return (await claimTask(db, now(), minute))!;
}

async function onlyRow({ house }: TestServer): Promise<OutboxRow> {
  const rows: OutboxRow[] = await house.ctx.db('outbox');
  expect(rows).toHaveLength(1);
  return rows[0]!;
}

test('a task that is asked for while it is being finished is not lost', async (server) => {
  const { db, now } = server.house.ctx;
  for (let round = 0; round < 30; round += 1) {
    const row = {
      task: 'settle_order' as const,
      subject: `order-${round}`,
      run_at: now(),
    };
    await db.transaction((trx) => addTask(trx, row));
    const claimed = (await claimTask(db, now(), 60_000))!;
    await Promise.all([finishTask(db, claimed), db.transaction((trx) => addTask(trx, row))]);
    const left = await db('outbox').where({ subject: row.subject });
    expect(left).toHaveLength(1);
    expect(left[0].locked_until).toBeNull();
    await db('outbox').where({ subject: row.subject }).delete();
  }
});

for (const history of [
  'the next one is at work',
  'the next one has put it back, and a third one is at work',
] as const) {
  test(`a worker whose claim ran out neither finishes, postpones nor renews the row: ${history}`, async (server) => {
    const { db, now } = server.house.ctx;
    const late = await claimed(server);
    server.clock.advance(2 * minute);
    let holder = (await claimTask(db, now(), minute))!;
    if (history.includes('third')) {
      expect(await postponeTask(db, holder, { run_at: now(), last_error: null, attempts: 0 })).toBe(
        true,
      );
      server.clock.advance(1_000);
      holder = (await claimTask(db, now(), minute))!;
      expect(holder.attempts).toBe(late.attempts);
    }
    const before = await onlyRow(server);
    expect(await finishTask(db, late)).toBe(false);
    expect(
      await postponeTask(db, late, {
        run_at: now() + 5 * minute,
        last_error: 'late',
        attempts: 9,
      }),
    ).toBe(false);
    expect(await renewTask(db, late, now() + 5 * minute)).toBe(false);
    expect(await onlyRow(server)).toEqual(before);
    // Rung by somebody else, it is still not his.
    await db.transaction((trx) =>
      addTask(trx, { task: 'settle_order', subject: late.subject, run_at: now() }),
    );
    expect([
      await finishTask(db, late),
      await postponeTask(db, late, { run_at: now(), last_error: null, attempts: 0 }),
    ]).toEqual([false, false]);
    expect((await onlyRow(server)).locked_until).toBe(holder.locked_until);
    expect(await finishTask(db, holder)).toBe(true);
    expect(await onlyRow(server)).toMatchObject({ locked_until: null, attempts: 0 });
  });
}

test('a worker that takes longer than its claim and was not relieved finishes its row', async (server) => {
  const late = await claimed(server);
  server.clock.advance(2 * minute);
  expect(await finishTask(server.house.ctx.db, late)).toBe(true);
  expect(await server.house.ctx.db('outbox')).toEqual([]);
});

test('what a killed process had claimed is due at its next start, also if it was asked for again later', async (server) => {
  const { db, now } = server.house.ctx;
  const row = await claimed(server);
  await db.transaction((trx) =>
    addTask(trx, {
      task: 'settle_order',
      subject: row.subject,
      run_at: now() + 10 * minute,
    }),
  );
  await db.transaction((trx) =>
    addTask(trx, {
      task: 'settle_order',
      subject: 'not begun',
      run_at: now() + 10 * minute,
    }),
  );
  await dropClaims(db, now());
  expect((await claimTask(db, now(), minute))?.subject).toBe(row.subject);
  expect(await claimTask(db, now(), minute)).toBeUndefined();
});

test('a claim of a clock that was set back since ends in the length of a lease, unless its worker lives', async (server) => {
  const { ctx } = server.house;
  server.clock.advance(120 * minute);
  const dead = await claimed(server);
  await ctx.db.transaction((trx) =>
    addTask(trx, { task: 'settle_order', subject: 'order-2', run_at: ctx.now() }),
  );
  const living = (await claimTask(ctx.db, ctx.now(), minute))!;
  server.clock.advance(-120 * minute);
  const lockedIds = async () => {
    await endDeadClaims(ctx);
    return ctx.db('outbox').whereNotNull('locked_until').orderBy('id').pluck('id');
  };
  expect(await lockedIds()).toEqual([dead.id, living.id]);
  server.clock.advance(20_000);
  expect(await renewTask(ctx.db, living, ctx.now() + minute)).toBe(true);
  server.clock.advance(45_000);
  expect(await lockedIds()).toEqual([living.id]);
});

/** The worker has begun to settle a paid order, and waits for Stripe. */
async function startSlowTask(server: TestServer) {
  server.house.standins!.stripe!.faults.add({ on: 'delivery', action: 'drop', times: 'always' });
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  const { db, now } = server.house.ctx;
  await db.transaction((trx) =>
    addTask(trx, { task: 'settle_order', subject: order.order_id, run_at: now() }),
  );
  const answers = holdAnswers(server, 'read');
  const work = server.runDue();
  await answers.begun(1);
  return { order, work, letGo: () => answers.letGo(0) };
}

test('a task that takes longer than its claim keeps its row, because the worker renews it', async (server) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { db, now } = server.house.ctx;
  const { order, work, letGo } = await startSlowTask(server);
  for (let round = 0; round < 6; round += 1) {
    const { locked_until } = await onlyRow(server);
    server.clock.advance(30_000);
    // A turn of the timer that comes while one renewal is being written does nothing: the next one does. The order has a lease, too.
    await until(async () => {
      await vi.advanceTimersByTimeAsync(30_000);
      const { lease_until } = await rowOf(server, order);
      return (await onlyRow(server)).locked_until! > locked_until! && lease_until! > now();
    });
  }
  expect(await claimTask(db, now(), minute)).toBeUndefined();
  letGo();
  await work;
  expect(await rowOf(server, order)).toMatchObject({ state: 'confirmed' });
  expect(await db('outbox').where({ task: 'settle_order' })).toEqual([]);
});

test('a worker that was away longer than its claim leaves the row to the one who has it now', async (server) => {
  const { db, now } = server.house.ctx;
  const { work, letGo } = await startSlowTask(server);
  server.clock.advance(2 * minute);
  const next = (await claimTask(db, now(), minute))!;
  letGo();
  await work;
  expect(await onlyRow(server)).toMatchObject({
    id: next.id,
    locked_until: next.locked_until,
    attempts: next.attempts,
  });
});
