/** A database that falls silent, goes away, or whose file cannot be read or written: told in words with 503, one line a second in the log, and all is as before when it is back. */
import type Database from 'better-sqlite3';
import { open } from 'node:fs/promises';
import { expect, inject, test } from 'vitest';
import { isAway } from '#db/engine/dialect.ts';
import { ask, demoEvent, makeOrder, until } from '#tests/support/make.ts';
import { makeData, startProduct, type Product } from '#tests/support/product.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { startLine } from '#tests/support/silent-line.ts';

const away = {
  status: 503,
  code: 'database_away',
  message:
    'In questo momento l’archivio del botteghino non risponde. Riprova tra qualche secondo: niente è andato perso.',
};
const nobody = '/api/orders/nessuno-con-questo-nome';

async function timed<T>(run: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const began = performance.now();
  const value = await run();
  return { value, ms: performance.now() - began };
}

async function expectPage(url: string): Promise<void> {
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  const html = await page.text();
  expect([url, page.status, page.headers.get('retry-after') !== null]).toEqual([url, 503, true]);
  expect(html).toContain('La pagina riprova da sola');
}

async function expectWell(product: Product): Promise<void> {
  await until(async () => (await ask(product, 'GET', '/readyz')).status === 200, 30_000);
  expect((await ask(product, 'GET', nobody)).status).toBe(404);
  expect((await fetch(`${product.url}/event/${demoEvent}`)).status).toBe(200);
}

test(
  'PostgreSQL behind a line that falls silent, then away: 503 within the deadline, few lines, back by itself, and a stop ends',
  { timeout: 180_000 },
  async () => {
    const data = await makeData('postgres', inject('postgresUrl'));
    await using line = await startLine(data.env['DATABASE_URL']!);
    try {
      const product = await startProduct({
        ...data,
        env: { ...data.env, DATABASE_URL: line.url, LOG_LEVEL: 'warn' },
      });
      await expectWell(product);

      line.silence();
      const red = await timed(() =>
        until(async () => (await ask(product, 'GET', '/readyz')).status === 503),
      );
      expect(red.ms).toBeLessThan(2_500);
      const asked = await Promise.all(
        Array.from({ length: 12 }, () => timed(() => ask(product, 'GET', nobody))),
      );
      expect(new Set(asked.map(({ value }) => value.status))).toEqual(new Set([503]));
      expect(asked.every(({ value }) => value.headers.get('retry-after') !== null)).toBe(true);
      expect(Math.max(...asked.map(({ ms }) => ms))).toBeLessThan(16_000);
      await line.mend();
      await expectWell(product);

      await line.cut();
      const linesBefore = product.lines.length;
      const began = performance.now();
      for (let n = 0; n < 200; n += 1)
        expect((await ask(product, 'GET', nobody)).body).toEqual(away);
      for (const path of ['/', `/event/${demoEvent}`, '/orders/xyz'])
        await expectPage(`${product.url}${path}`);
      const seconds = Math.ceil((performance.now() - began) / 1_000);
      const lines = product.lines.slice(linesBefore);
      expect(lines.join('\n').length).toBeLessThan((seconds + 1) * 1_000);
      expect(lines.length).toBeLessThanOrEqual(seconds + 1);
      await line.mend();
      await expectWell(product);

      line.silence();
      const stopped = await timed(async () => {
        process.kill(product.pid, 'SIGTERM');
        await until(() => Promise.resolve(!isAlive(product.pid)), 16_000);
      });
      expect(stopped.ms).toBeLessThan(15_000);
    } finally {
      await data.clean();
    }
  },
);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function writerOf({ house }: TestServer): Database.Database {
  return (house.ctx.db.client as unknown as { store: { writer: Database.Database } }).store.writer;
}

test('a SQLite file that may only be read: what would write is refused with 503, what reads goes on, and nothing is half written', async () => {
  await using server = await startServer();
  const writer = writerOf(server);
  const { db } = server.house.ctx;
  writer.pragma('query_only = ON');
  await expect(makeOrder(server)).rejects.toThrow('database_away');
  expect((await ask(server, 'GET', `/api/event/${demoEvent}/`)).status).toBe(200);
  expect((await ask(server, 'GET', '/readyz')).status).toBe(503);
  writer.pragma('query_only = OFF');
  expect(await db('orders')).toEqual([]);
  server.clock.advance(2_000);
  expect((await ask(server, 'GET', '/readyz')).status).toBe(200);
  await makeOrder(server);
  expect(await db('orders')).toHaveLength(1);
});

test('a SQLite file that is damaged while it runs is said with 503, and with the file as it was all goes on', async () => {
  await using server = await startServer();
  const order = await makeOrder(server);
  const writer = writerOf(server);
  writer.pragma('wal_checkpoint(TRUNCATE)');
  const file = await open(writer.name, 'r+');
  try {
    const size = (await file.stat()).size - 4_096;
    const kept = Buffer.alloc(size);
    await file.read(kept, 0, size, 4_096);
    await file.write(Buffer.alloc(size, 0xff), 0, size, 4_096);
    writer.pragma('shrink_memory');
    const answer = await ask(server, 'GET', `/api/orders/${order.order_id}`);
    expect([answer.status, answer.body]).toEqual([503, away]);
    await expectPage(`${server.url}/orders/${order.order_id}`);
    await file.write(kept, 0, size, 4_096);
    writer.pragma('shrink_memory');
    expect((await ask(server, 'GET', `/api/orders/${order.order_id}`)).status).toBe(200);
  } finally {
    await file.close();
  }
});

test.each([
  ['57P01', true],
  ['08006', true],
  ['53300', true],
  ['ECONNREFUSED', true],
  ['SQLITE_IOERR_READ', true],
  ['SQLITE_CORRUPT', true],
  ['SQLITE_BUSY', false],
  ['23505', false],
  ['ENOENT', false],
])('%s means away: %s', (code, expected) => {
  expect(isAway(Object.assign(new Error('x'), { code }))).toBe(expected);
});

test('a visitor who hangs up is no trouble of the database', () => {
  expect(isAway(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))).toBe(false);
  expect(isAway(undefined)).toBe(false);
});
