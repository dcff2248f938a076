/** A disk that is full: whoever wanted something is told in words that it was not done, the log says why, and with room again everything goes on. */
import type Database from 'better-sqlite3';
import { expect } from 'vitest';
import { isDiskFull, isPostgres } from '#db/engine/dialect.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { type Answered, ask, demoEvent, holdSeats, tryBook } from '#tests/support/make.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

/** SQLite's file may not grow; PostgreSQL says what it says when its disk is full. */
async function fillDisk({
  house: {
    ctx: { db },
  },
}: TestServer): Promise<() => Promise<void>> {
  if (isPostgres(db)) {
    await db.raw(
      `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
    );
    for (const table of ['orders', 'audit', 'settings'])
      await db.raw(
        'CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON ?? FOR EACH ROW EXECUTE FUNCTION no_room()',
        [table],
      );
    return async () => {
      await db.raw('DROP FUNCTION no_room() CASCADE');
    };
  }
  const { writer } = (db.client as unknown as { store: { writer: Database.Database } }).store;
  writer.exec('CREATE TABLE filler (text TEXT)');
  const pages = writer.pragma('page_count', { simple: true }) as number;
  writer.pragma(`max_page_count = ${pages}`);
  // What is free inside the file is used up first.
  for (const size of [3_000, 300, 20]) {
    try {
      for (;;) writer.prepare('INSERT INTO filler VALUES (?)').run('x'.repeat(size));
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }
  return async () => {
    writer.pragma(`max_page_count = ${pages * 100}`);
    writer.exec('DROP TABLE filler');
  };
}

/** Seats of his own, held; the call is the caller's. */
async function readyToBook(server: TestServer): Promise<() => Promise<Answered>> {
  const held = await holdSeats(server);
  return () => tryBook(server, held);
}

test('with a full disk nothing is half done: 503 in words, no 500, and with room again the same call succeeds', async (server) => {
  const { db } = server.house.ctx;
  const makeRoom = await fillDisk(server);
  let sold = 0;
  let book = await readyToBook(server);
  let answer = await book();
  // SQLite still finds gaps in the pages of its tables, for an order or two.
  for (; answer.status === 200 && sold < 20; answer = await book()) {
    sold += 1;
    book = await readyToBook(server);
  }
  expect([answer.status, answer.body, answer.headers.get('retry-after')]).toEqual([
    503,
    {
      status: 503,
      code: 'no_room',
      message: 'Il sistema in questo momento non può salvare nulla. Riprova più tardi.',
    },
    '60',
  ]);
  expect((await ask(server, 'GET', `/api/event/${demoEvent}/`)).status).toBe(200);
  expect(server.logged.map((line) => line.includes('no room left to write'))).toEqual([true]);
  await makeRoom();
  expect((await book()).status).toBe(200);
  expect(await db('orders')).toHaveLength(sold + 1);
  await expectSoundBooks(server);
});
