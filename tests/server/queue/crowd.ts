/** A crowd at several processes of one house: it enters, reloads, cheats, is drawn and called; what must hold is checked on the way. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { QueuePlaceRow } from '#db/rows.ts';
import { readQueueDraw } from '#server/contract/queue.ts';
import { drawOrder, faultOfDraw } from '#server/domain/queue/draw.ts';
import { callOk, makeAdmin, until } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { Entrant, openRoom, params, room } from '#tests/support/queue.ts';
import { makeClock, openServer, startServer, type TestServer } from '#tests/support/server.ts';

/** On one PostgreSQL, the seat map in it, each with its worker. */
export async function startProcesses(postgresUrl: string, count: number): Promise<TestServer[]> {
  const options = { worker: true } as const;
  const env = { CHART_DATABASE: '' };
  const first = await startServer({ database: 'postgres', postgresUrl, env, ...options });
  const more = Array.from({ length: count - 1 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'botteghino-'));
    const own = { PORT: String(await freePort()), DATA_DIR: folder };
    return openServer({ ...first.settings, ...own }, options, makeClock(), () =>
      rm(folder, { recursive: true, force: true }),
    );
  });
  return [first, ...(await Promise.all(more))];
}

/** As many at a time as a few machines of visitors keep open. */
async function together<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const hands = Array.from({ length: 24 }, async () => {
    while (next < count) {
      const n = next;
      next += 1;
      results[n] = await work(n);
    }
  });
  await Promise.all(hands);
  return results;
}

export async function playCrowd(
  servers: readonly TestServer[],
  { count, late, per_minute }: { count: number; late: number; per_minute: number },
): Promise<void> {
  const at = (n: number) => servers[n % servers.length]!;
  const admin = await makeAdmin(servers[0]!);
  const soon = (ms: number) => new Date(Date.now() + ms).toISOString();
  const settings = { fixed_per_minute: per_minute, minutes: 60 };
  const promised = await openRoom(servers[0]!, admin, { ...settings, opens_at: soon(3_600_000) });
  await until(async () => (await room(servers.at(-1)!)).phase === 'before');
  const crowd = await together(count, async (n) => {
    const one = new Entrant(at(n));
    const { place_hash } = await one.enter();
    if (n % 10 === 0) expect((await one.enter()).place_hash).toBe(place_hash);
    if (n % 10 === 1) expect(await one.pass()).toBe('queue_not_yet');
    return { one, place_hash };
  });

  await openRoom(servers[0]!, admin, { ...settings, opens_at: soon(0) });
  await until(async () =>
    (await Promise.all(servers.map(room))).every(({ seed }) => seed !== null),
  );
  // Node's own fetch() fails over a long answer on a connection that closes.
  const open = { connection: 'keep-alive' };
  const draws = await Promise.all(
    servers.map((server) => callOk(server, readQueueDraw, { params }, open)),
  );
  const [draw] = draws as [(typeof draws)[0]];
  expect(draws.map((other) => JSON.stringify(other) === JSON.stringify(draw))).not.toContain(false);
  expect([faultOfDraw(draw), draw.seed_hash]).toEqual([null, promised.seed_hash]);
  expect(Date.parse(draw.opened_at) - Date.parse(draw.fixed_at)).toBeGreaterThanOrEqual(2_000);

  const comers: { one: Entrant; place_hash: string }[] = [];
  for (let n = 0; n < late; n += 1) {
    const one = new Entrant(at(n));
    comers.push({ one, place_hash: (await one.enter()).place_hash });
  }
  await until(async () => (await room(servers[0]!)).last === count + late);

  // Whoever asks at another process hears the same: the cookie goes with the browser.
  const order = drawOrder(draw);
  const wanted = new Map(
    [...order, ...comers.map(({ place_hash }) => place_hash)].map((hash, n) => [hash, n + 1]),
  );
  await together(count + late, async (n) => {
    const { one, place_hash } = [...crowd, ...comers][n]!;
    const elsewhere = new Entrant(at(n + 1));
    elsewhere.cookie = one.cookie;
    const told = await elsewhere.place();
    expect([told.place_hash, told.number]).toEqual([place_hash, wanted.get(place_hash)]);
  });
  expectNoTrend(crowd.map(({ place_hash }) => wanted.get(place_hash)!));
}

/** Who came early and who came late have the same luck: the rank correlation is that of chance. */
function expectNoTrend(numbers: readonly number[]): void {
  const n = numbers.length;
  const squares = numbers.reduce((sum, number, at) => sum + (number - 1 - at) ** 2, 0);
  const correlation = 1 - (6 * squares) / (n * (n * n - 1));
  expect(Math.abs(correlation) * Math.sqrt(n - 1)).toBeLessThan(4);
}

/** Called in the order of their numbers, and as many a minute as was set, to five in a hundred. */
export async function expectRate(server: TestServer, per_minute: number): Promise<void> {
  const called: Pick<QueuePlaceRow, 'number' | 'called_at'>[] = await server.house.ctx
    .db('queue_places')
    .whereNotNull('called_at')
    .orderBy('number')
    .select('number', 'called_at');
  const times = called.map(({ called_at }) => called_at!);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  // The first call opens the room; the last may have found fewer who waited.
  const [first] = times;
  const turns = [...new Set(times)];
  const end = turns.at(-2)!;
  const count = times.filter((time) => time > first! && time <= end).length;
  const rate = (count * 60_000) / (end - first!);
  expect(Math.abs(rate / per_minute - 1)).toBeLessThan(0.05);
}

export async function untilServing(server: TestServer, serving: number): Promise<void> {
  await until(async () => (await room(server)).serving >= serving, 180_000);
}
