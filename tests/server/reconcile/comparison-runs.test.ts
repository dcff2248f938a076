/** When the books are compared: once a night or when the office asks, by one process at a time, which another one relieves where it stood. */
import { expect, test } from 'vitest';
import { readComparison, startComparison } from '#server/contract/breaks.ts';
import type { Session } from '#server/adapters/stripe.ts';
import { compareBooks, compareWhenDue, lastNight } from '#server/services/reconcile/comparison.ts';
import { testOnBoth as it, testOnSqlite } from '#tests/support/both.ts';
import { callOk, makeOrder } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

const minute = 60_000;
const hour = 60 * minute;
const never = new AbortController().signal;

let dieAt = 0;
let parts = 0;
it(
  'a comparison that is broken off goes on where it stood, by whoever comes first, and once a night',
  async (server) => {
    const { ctx } = server.house;
    const stateOf = async () =>
      JSON.parse((await ctx.db('settings').where({ key: 'comparison' }).first()).value) as {
        run: { done: string[] } | null;
        finished_at: number | null;
      };
    await compareWhenDue(ctx, never);
    expect(await stateOf()).toMatchObject({ run: null, finished_at: null });
    server.clock.advance(lastNight(ctx.now()) + 24 * hour + 2 * hour - ctx.now());
    [parts, dieAt] = [0, 2];
    await expect(compareWhenDue(ctx, never)).rejects.toThrow('died');
    expect((await stateOf()).run?.done).toEqual(['events', 'sessions']);
    // Its lease still runs: nobody else begins.
    await compareWhenDue(ctx, never);
    expect(parts).toBe(2);
    server.clock.advance(11 * 60_000);
    await Promise.all([compareWhenDue(ctx, never), compareWhenDue(ctx, never)]);
    expect((await stateOf()).run).toBeNull();
    const all = parts;
    expect(all).toBe(6);
    server.clock.advance(hour);
    await compareWhenDue(ctx, never);
    expect(parts).toBe(all);
  },
  {
    fault(point) {
      if (point === 'part_compared' && (parts += 1) === dieAt) throw new Error('died');
    },
  },
);

it('those who ask for it at the same moment all have it, once, and hear how far it is', async (server, admin) => {
  const { ctx } = server.house;
  expect(await callOk(server, readComparison, {}, admin)).toMatchObject({
    running: false,
    finished_at: null,
    compared_until: null,
  });
  // The first time nothing is written down yet, the second time the first run is.
  for (let round = 0; round < 2; round += 1) {
    const reports = await Promise.all(
      Array.from({ length: 20 }, () => callOk(server, startComparison, {}, admin)),
    );
    expect(reports.map(({ running }) => running)).toEqual(Array.from({ length: 20 }, () => true));
    server.clock.advance(minute);
    const begun = ctx.now();
    await compareWhenDue(ctx, never);
    const { running, finished_at, found } = await callOk(server, readComparison, {}, admin);
    expect([running, Date.parse(finished_at!) >= begun, found]).toEqual([false, true, 0]);
    // Nobody is left who would have it again.
    server.clock.advance(minute);
    await compareWhenDue(ctx, never);
    expect(await callOk(server, readComparison, {}, admin)).toMatchObject({ finished_at });
  }
  expect(server.logged).toEqual([]);
});

test('the night begins at four in Rome, also when the clocks change', () => {
  const night = (iso: string) => new Date(lastNight(Date.parse(iso))).toISOString();
  expect(night('2026-11-21T03:00:00Z')).toBe('2026-11-21T03:00:00.000Z');
  expect(night('2026-11-21T02:59:59Z')).toBe('2026-11-20T03:00:00.000Z');
  expect(night('2026-07-01T12:00:00Z')).toBe('2026-07-01T02:00:00.000Z');
  expect(night('2026-03-29T12:00:00Z')).toBe('2026-03-29T02:00:00.000Z');
  expect(night('2026-10-25T01:30:00Z')).toBe('2026-10-24T02:00:00.000Z');
});

/** Five sessions to compare; before each of them something happens, the first time they are read. */
async function compareFive(server: TestServer, before: (nth: number) => Promise<void>) {
  const { ctx } = server.house;
  await compareBooks(ctx, never);
  server.clock.advance(1_000);
  await makeOrder(server);
  const { payments } = ctx;
  const reached: number[] = [];
  ctx.payments = {
    ...payments,
    async *sessions(since): AsyncGenerator<Session> {
      const first = reached.length === 0;
      for await (const session of payments.sessions(since)) {
        for (let nth = 1; nth <= 5; nth += 1) {
          if (first) await before(nth);
          reached.push(nth);
          yield session;
        }
      }
    },
  };
  return reached;
}

testOnSqlite(
  'a part that takes longer than the lease is kept, and nobody begins beside it',
  async (server) => {
    const { ctx } = server.house;
    const others: (number | null)[] = [];
    const reached = await compareFive(server, async () => {
      server.clock.advance(6 * minute);
      others.push(await compareBooks(ctx, never));
    });
    expect(await compareBooks(ctx, never)).toBe(0);
    expect(others).toEqual([null, null, null, null, null]);
    expect(reached).toEqual([1, 2, 3, 4, 5]);
  },
);

testOnSqlite(
  'whoever was away longer than the lease stops in the middle of his part, and leaves the books to the one who went on',
  async (server) => {
    const { ctx } = server.house;
    const others: (number | null)[] = [];
    const reached = await compareFive(server, async (nth) => {
      if (nth !== 3) return;
      server.clock.advance(11 * minute);
      others.push(await compareBooks(ctx, never));
    });
    expect(await compareBooks(ctx, never)).toBeNull();
    expect(others).toEqual([0]);
    // Two of his, five of the other's, and the one that he was just given.
    expect(reached).toEqual([1, 2, 1, 2, 3, 4, 5, 3]);
    expect(
      JSON.parse((await ctx.db('settings').where({ key: 'comparison' }).first()).value),
    ).toMatchObject({ run: null });
  },
);

testOnSqlite(
  'a house that closes in the middle of a part leaves it to whoever comes first, at once',
  async (server) => {
    const { ctx } = server.house;
    const closing = new AbortController();
    const reached = await compareFive(server, async (nth) => {
      if (nth === 2) closing.abort();
    });
    expect(await compareBooks(ctx, closing.signal)).toBeNull();
    expect(reached).toEqual([1, 2]);
    expect(await compareBooks(ctx, never)).toBe(0);
    expect(reached).toEqual([1, 2, 1, 2, 3, 4, 5]);
  },
);
