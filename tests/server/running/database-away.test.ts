/** A database that falls silent, goes away, or whose file cannot be read or written: told in words with 503, one line in the log, and all is as before when it is back. */
import type Database from 'better-sqlite3';
import { open } from 'node:fs/promises';
import { expect, inject, test } from 'vitest';
import { isDatabaseAway } from '#db/engine/dialect.ts';
import { testOnce as it } from '#tests/support/both.ts';
import { ask, demoEvent, makeOrder, until } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { startLine } from '#tests/support/silent-line.ts';
import { away, expectPage } from './database-away.ts';

test('PostgreSQL goes away under a house that runs: 503 in words, readiness and pages as well, and back by itself', async () => {
  await using line = await startLine(inject('postgresUrl'));
  await using server = await startServer({ database: 'postgres', postgresUrl: line.url });
  await line.cut();
  for (let n = 0; n < 20; n += 1)
    expect((await ask(server, 'GET', '/api/orders/nessuno')).body).toEqual(away);
  await expectPage(`${server.url}/event/${demoEvent}`);
  expect((await ask(server, 'GET', '/readyz')).status).toBe(503);
  await line.mend();
  await until(async () => {
    server.clock.advance(2_000);
    return (await ask(server, 'GET', '/readyz')).status === 200;
  });
  await makeOrder(server);
});

function writerOf({ house }: TestServer): Database.Database {
  return (house.ctx.db.client as unknown as { store: { writer: Database.Database } }).store.writer;
}

it('a SQLite file that may only be read: what would write is refused with 503, what reads goes on, and nothing is half written', async (server) => {
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

it('a SQLite file that is damaged while it runs is said with 503, and with the file as it was all goes on', async (server) => {
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
  expect(isDatabaseAway(Object.assign(new Error('x'), { code }))).toBe(expected);
});

test('a visitor who hangs up is no trouble of the database', () => {
  expect(isDatabaseAway(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))).toBe(false);
  expect(isDatabaseAway(undefined)).toBe(false);
});
