/** transact(): works that wait together are committed together, and each still stands alone. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import type { Knex } from 'knex';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { connect } from '#db/engine/connect.ts';
import { isDatabaseBusy, isUniqueViolation } from '#db/engine/dialect.ts';
import { retrying } from '#db/engine/retrying.ts';
import { insertMany } from '#db/engine/statements.ts';
import { transact } from '#db/engine/transact.ts';
import { onWorkGiven, wakeWorker } from '#db/engine/wake.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { databaseKinds, startServer } from '#tests/support/server.ts';
import { ask } from '#tests/support/make.ts';

interface Store {
  db: Knex;
  file: string;
}

/** Two tables in an empty database of their own. */
function it(
  name: string,
  run: (store: Store) => Promise<void>,
  kinds: readonly string[] = [...databaseKinds, 'memory'],
): void {
  for (const kind of kinds) {
    test(`${name} (${kind})`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'botteghino-'));
      const made = kind === 'postgres' ? await makeDatabase(inject('postgresUrl')) : null;
      const file = join(folder, 'test.sqlite');
      const db = connect(made?.address ?? (kind === 'memory' ? ':memory:' : file));
      try {
        await db.schema.createTable('seats', (t) => {
          t.string('place', 40).primary();
          t.integer('owner').notNullable();
        });
        await db.schema.createTable('notes', (t) => {
          t.string('id', 40).primary();
          t.string('place', 40).references('seats.place');
        });
        await run({ db, file });
      } finally {
        await db.destroy();
        await made?.drop();
        await rm(folder, { recursive: true, force: true });
      }
    });
  }
}

async function take(db: Knex, place: string, owner: number): Promise<number> {
  return transact(db, async (trx) => {
    await trx('seats').insert({ place, owner });
    await trx('notes').insert({ id: `${place}-${owner}`, place });
    return owner;
  });
}

async function countOf(db: Knex, table: string): Promise<number> {
  return Number((await db(table).count<{ n: number }[]>({ n: '*' }).first())!.n);
}

it('of four hundred works at once for a hundred seats a hundred win, and a loser leaves nothing behind', async ({
  db,
}) => {
  const results = await Promise.allSettled(
    Array.from({ length: 400 }, (_, owner) => take(db, `A-${owner % 100}`, owner)),
  );
  const winners = results.flatMap((result) =>
    result.status === 'fulfilled' ? [result.value] : [],
  );
  const losers = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  expect([winners.length, losers.length, losers.every(isUniqueViolation)]).toEqual([
    100,
    300,
    true,
  ]);
  expect(new Set(await db('seats').pluck('owner'))).toEqual(new Set(winners));
  expect(await countOf(db, 'notes')).toBe(100);
});

it('a commit that gave the worker something to do wakes it, and what is undone or gave it nothing does not', async ({
  db,
}) => {
  const seen: number[] = [];
  const stop = onWorkGiven(db, async () => seen.push(await countOf(db, 'seats')));
  const give = async (owner: number, end: () => void) =>
    transact(db, async (trx) => {
      await trx('seats').insert({ place: `A-${owner}`, owner });
      wakeWorker(trx);
      end();
    });
  await Promise.allSettled([
    give(1, () => {
      throw new Error('undone');
    }),
    take(db, 'B-2', 2),
  ]);
  expect(seen).toEqual([]);
  await give(3, () => {});
  await vi.waitFor(() => expect(seen).toEqual([2]));
  wakeWorker(db);
  await vi.waitFor(() => expect(seen).toEqual([2, 2]));
  stop();
  await give(4, () => {});
  expect(seen).toHaveLength(2);
});

it('a work that fails late undoes all of itself and nothing of its neighbours, and gets its own error', async ({
  db,
}) => {
  const bad = transact(db, async (trx) => {
    await trx('seats').insert({ place: 'B-1', owner: 1 });
    throw new Error('changed my mind');
  });
  const broken = transact(db, async (trx) => {
    await trx('seats').insert({ place: 'B-2', owner: 1 });
    await trx('notes').insert({ id: 'n', place: 'nowhere' });
  });
  const [first, second, third, fourth] = await Promise.allSettled([
    take(db, 'A-1', 1),
    bad,
    broken,
    take(db, 'A-2', 2),
  ]);
  expect([first!.status, fourth!.status]).toEqual(['fulfilled', 'fulfilled']);
  expect(second).toMatchObject({
    status: 'rejected',
    reason: expect.objectContaining({ message: 'changed my mind' }),
  });
  expect(third).toMatchObject({
    status: 'rejected',
    reason: expect.objectContaining({ message: expect.stringMatching(/foreign key/i) }),
  });
  expect(await db('seats').orderBy('place').pluck('place')).toEqual(['A-1', 'A-2']);
});

it(
  'what was answered can be read at once, and what is not committed yet by nobody else',
  async ({ db }) => {
    const seen = await transact(db, async (trx) => {
      await trx('seats').insert({ place: 'A-1', owner: 1 });
      return [
        await trx('seats').where({ place: 'A-1' }).first('owner'),
        await countOf(db, 'seats'),
      ];
    });
    expect([seen, await countOf(db, 'seats')]).toEqual([[{ owner: 1 }, 0], 1]);
  },
  databaseKinds,
);

it('a transaction in a transaction is refused at once, and so is a finished one that is used again', async ({
  db,
}) => {
  await expect(
    transact(db, async () => {
      await take(db, 'A-1', 1);
    }),
  ).rejects.toThrow(/transact\(\) inside transact\(\)/);
  await expect(
    transact(db, async (trx) => {
      await transact(trx, async () => {});
    }),
  ).rejects.toThrow(/transact\(\) inside transact\(\)/);
  const kept = await transact(db, async (trx) => trx);
  await expect(
    kept('seats')
      .insert({ place: 'A-2', owner: 1 })
      .then(() => {}),
  ).rejects.toThrow();
  expect(await take(db, 'A-3', 3)).toBe(3);
  expect(await db('seats').pluck('place')).toEqual(['A-3']);
});

it(
  'a write beside the open transaction is refused instead of waiting for itself',
  async ({ db }) => {
    await expect(
      transact(db, async (trx) => {
        await trx('seats').insert({ place: 'A-1', owner: 1 });
        await db('seats').insert({ place: 'A-2', owner: 1 });
      }),
    ).rejects.toThrow(/outside the transaction/);
    expect(await countOf(db, 'seats')).toBe(0);
  },
  ['sqlite', 'memory'],
);

it(
  'a work that waits for the world outside is undone after a while, and the others go on',
  async ({ db }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const [begun, world, late] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<unknown>(),
    ];
    const hanging = transact(db, async (trx) => {
      await trx('seats').insert({ place: 'A-1', owner: 1 });
      begun.resolve();
      await world.promise;
      await trx('seats').insert({ place: 'A-2', owner: 1 }).then(late.resolve, late.reject);
    });
    const isUndone = expect(hanging).rejects.toThrow(/waited for something/);
    const isOver = expect(late.promise).rejects.toThrow(/over/);
    const other = take(db, 'B-1', 2);
    await begun.promise;
    await vi.advanceTimersByTimeAsync(2_500);
    await isUndone;
    expect(await other).toBe(2);
    world.resolve();
    await isOver;
    expect(await db('seats').pluck('place')).toEqual(['B-1']);
  },
  ['sqlite', 'memory'],
);

it(
  'when the commit fails nobody is told that it worked, and the next group is unharmed',
  async ({ db }) => {
    await db.raw(
      'CREATE TABLE deferred (id INTEGER PRIMARY KEY, place TEXT REFERENCES seats (place) DEFERRABLE INITIALLY DEFERRED)',
    );
    // A group is ended after some milliseconds: on a busy machine these three would be two.
    using stopwatch = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const works = [
      take(db, 'A-1', 1),
      transact(db, async (trx) => {
        await trx('deferred').insert({ id: 1, place: 'nowhere' });
      }),
      take(db, 'A-2', 2),
    ];
    const results = await Promise.allSettled(works);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(stopwatch).toHaveBeenCalled();
    expect(await countOf(db, 'seats')).toBe(0);
    expect(await take(db, 'A-1', 3)).toBe(3);
  },
  ['sqlite', 'memory'],
);

it(
  'another process that holds the file is waited for without standing still, then given up as busy',
  async ({ db, file }) => {
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const short = take(db, 'A-1', 1);
    for (let look = 0; look < 50; look += 1) expect(await countOf(db, 'seats')).toBe(0);
    other.exec('COMMIT');
    expect(await short).toBe(1);
    other.exec('BEGIN IMMEDIATE');
    const refused = await take(db, 'A-2', 2).then(
      () => null,
      (error: unknown) => error,
    );
    delay.disable();
    expect(isDatabaseBusy(refused)).toBe(true);
    // Not the longest: on a machine that does other things a pause may be theirs.
    expect(delay.percentile(90) / 1e6).toBeLessThan(100);
    other.exec('COMMIT');
    other.close();
    expect(await take(db, 'A-2', 3)).toBe(3);
  },
  ['sqlite'],
);

it(
  'of two transactions that wait for each other one is run again, and both are done',
  async ({ db }) => {
    await db('seats').insert([
      { place: 'A-1', owner: 0 },
      { place: 'A-2', owner: 0 },
    ]);
    const bothHold = Promise.withResolvers<void>();
    let [runs, held] = [0, 0];
    const changeBoth = (...places: [string, string]) =>
      transact(db, async (trx) => {
        runs += 1;
        await trx('seats').where({ place: places[0] }).increment('owner', 1);
        held += 1;
        if (held === 2) bothHold.resolve();
        await bothHold.promise;
        await trx('seats').where({ place: places[1] }).increment('owner', 1);
      });
    await Promise.all([changeBoth('A-1', 'A-2'), changeBoth('A-2', 'A-1')]);
    expect(runs).toBe(3);
    expect(await db('seats').pluck('owner')).toEqual([2, 2]);
  },
  ['postgres'],
);

it(
  'a statement of its own that was undone by a deadlock is run again',
  async ({ db }) => {
    await db('seats').insert([
      { place: 'A-1', owner: 0 },
      { place: 'A-2', owner: 0 },
    ]);
    // Whoever has waited so long looks for a deadlock and is undone by it: it shall be the statement, not the transaction.
    await db.raw(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = ''3s''', current_database()); END $$",
    );
    let alone: Promise<number> | undefined;
    await db.transaction(async (trx) => {
      await trx.raw("SET LOCAL deadlock_timeout = '20s'");
      await trx('seats').where({ place: 'A-2' }).increment('owner', 1);
      alone = db('seats')
        .increment('owner', 1)
        .then((count) => count);
      for (let waiting = 0; waiting === 0;)
        waiting = (
          await db('pg_stat_activity')
            .whereRaw('datname = current_database()')
            .where({ wait_event_type: 'Lock' })
        ).length;
      await trx('seats').where({ place: 'A-1' }).increment('owner', 1);
    });
    expect(await alone).toBe(2);
    expect(await db('seats').pluck('owner')).toEqual([2, 2]);
  },
  ['postgres'],
);

test("what stands in another transaction's way is tried a few times, and anything else is not tried again", async () => {
  for (const [code, tries] of [
    ['40001', 5],
    ['40P01', 5],
    ['23505', 1],
  ] as const) {
    let runs = 0;
    const failing = retrying(async () => {
      runs += 1;
      throw Object.assign(new Error('undone'), { code });
    });
    await expect(failing).rejects.toMatchObject({ code });
    expect([code, runs]).toEqual([code, tries]);
  }
});

it('a long list is written in pieces that every database takes, all of it or nothing', async ({
  db,
}) => {
  const rows = Array.from({ length: 10_000 }, (_, owner) => ({ place: `P-${owner}`, owner }));
  await transact(db, (trx) => insertMany(trx, 'seats', rows));
  expect(await countOf(db, 'seats')).toBe(10_000);
  await expect(
    transact(db, (trx) =>
      insertMany(trx, 'seats', [
        ...rows.map((row) => ({ ...row, place: `Q-${row.owner}` })),
        rows[0]!,
      ]),
    ),
  ).rejects.toThrow();
  expect(await countOf(db, 'seats')).toBe(10_000);
});

it(
  'a process that is killed in the middle has lost nothing that it acknowledged, and left nothing half done',
  async ({ db, file }) => {
    const child = fork(join(import.meta.dirname, 'transact-victim.ts'), [file], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const acknowledged: string[] = [];
    child.on('message', (place: string) => {
      acknowledged.push(place);
      if (acknowledged.length === 400) child.kill('SIGKILL');
    });
    await once(child, 'exit');
    const rows = new Set(await db('seats').pluck('place'));
    expect(acknowledged.length).toBeGreaterThanOrEqual(400);
    expect(acknowledged.filter((place) => !rows.has(place))).toEqual([]);
    expect(await countOf(db, 'notes')).toBe(rows.size);
    expect(await db.raw('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  },
  ['sqlite'],
);

test('a visitor is told to come back in a moment while another process holds the database', async () => {
  await using server = await startServer();
  const other = new Database(
    String(
      (server.house.ctx.db.client as { connectionSettings: { filename: string } })
        .connectionSettings.filename,
    ),
  );
  other.exec('BEGIN IMMEDIATE');
  const headers = { cookie: 'sid=nobody' };
  const token = server.house.invite!.split('#')[1]!;
  const body = { token, email: 'ada@teatro.it', name: 'Ada', password: 'una-platea-piena-di-luce' };
  const accept = () => ask(server, 'POST', '/api/auth/invite', { body });
  const [answer, written] = await Promise.all([
    ask(server, 'POST', '/api/auth/logout', { headers }),
    accept(),
  ]);
  other.exec('COMMIT');
  other.close();
  expect(answer.status).toBeLessThan(504);
  expect([written.status, written.headers.get('retry-after')]).toEqual([503, '3']);
  expect((await accept()).status).toBe(200);
});
