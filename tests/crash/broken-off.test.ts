/**
 * Jobs that are interrupted between two steps: the next run continues, and nothing is missing or
 * duplicated.
 */
import { expect } from 'vitest';
import { countRows } from '#db/engine/statements.ts';
import { findWrongCounts, oldCounts } from '#db/report/kept.ts';
import { keepBooks } from '#server/services/book/keep.ts';
import type { Ctx } from '#server/services/context.ts';
import { erasePerson } from '#server/services/person/erase.ts';
import { keepRetention } from '#server/services/person/keeping.ts';
import { sealRegistry } from '#server/services/reconcile/registry-seals.ts';
import { keepFigures } from '#server/services/reports/keep.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { demoEvent } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

const never = new AbortController().signal;
const hour = 3_600_000;

interface Job {
  point: string;
  prepare?: (server: TestServer) => Promise<void>;
  run: (ctx: Ctx) => Promise<unknown>;
  /** Later, in the next process. */
  again: (ctx: Ctx) => Promise<unknown>;
  expectWhole: (ctx: Ctx) => Promise<void>;
}

const book = async (ctx: Ctx) => {
  await sealRegistry(ctx, never);
  await keepBooks(ctx, never);
};

const jobs: Job[] = [
  {
    point: 'figures_kept',
    run: (ctx) => keepFigures(ctx, never),
    again: (ctx) => keepFigures(ctx, never),
    async expectWhole({ db }) {
      expect(await oldCounts(db)).toEqual([]);
      expect(await findWrongCounts(db)).toEqual([]);
    },
  },
  {
    point: 'books_followed',
    run: book,
    again: book,
    async expectWhole({ db }) {
      const texts = await db('book_rows').where({ event_id: demoEvent }).orderBy('n').pluck('text');
      const kinds = texts.map((text) => (JSON.parse(String(text)) as { kind: string }).kind);
      for (const [kind, n] of [
        ['order', 1],
        ['ticket', 2],
        ['payment', 1],
      ])
        expect([kind, kinds.filter((one) => one === kind).length]).toEqual([kind, n]);
    },
  },
  {
    point: 'erasure_begun',
    async prepare({ house, clock }) {
      const past = clock.now() - 72 * hour;
      await house.ctx.db('events').where({ id: demoEvent }).update({ starts_at: past });
    },
    run: (ctx) =>
      erasePerson(ctx, { email: 'eva@example.it', typed: 'eva@example.it', actor: 'system' }),
    again: (ctx) => keepRetention(ctx, never),
    async expectWhole({ db }) {
      expect(await countRows(db('orders').whereNotNull('buyer_email'))).toBe(0);
      expect(await countRows(db('erasures').whereNull('done_at'))).toBe(0);
    },
  },
];

test('a job that is broken off in the middle is brought to its end by the next one', async (server) => {
  const { ctx } = server.house;
  await makePaidOrder(server);
  await server.runDue();
  for (const { point, prepare, run, again, expectWhole } of jobs) {
    await prepare?.(server);
    server.clock.advance(hour);
    let isDead = false;
    const mortal: Ctx = {
      ...ctx,
      fault(named) {
        if (named !== point) return;
        isDead = true;
        throw new Error(`died at ${point}`);
      },
    };
    await expect(run(mortal)).rejects.toThrow(`died at ${point}`);
    expect([point, isDead]).toEqual([point, true]);
    server.clock.advance(26 * hour);
    await again(ctx);
    await expectWhole(ctx);
  }
});
