/** What a program misses in a house's tables is told wherever the house or a copy of it is opened; what is there beyond is no fault. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Knex } from 'knex';
import { expect, inject, test } from 'vitest';
import landed from '#db/migrations/landed.json' with { type: 'json' };
import { isPostgres } from '#db/engine/dialect.ts';
import { houseChecks } from '#server/cli/diagnosis-house.ts';
import { readConfig } from '#server/config.ts';
import { makeBackup } from '#server/services/backup/make.ts';
import { restoreBackup } from '#server/services/backup/restore.ts';
import { backupSettings } from '#server/services/backup/settings.ts';
import { verifyBackup } from '#server/services/backup/verify.ts';
import { faultOfHouse } from '#server/services/backup/whole-house.ts';
import { canWork } from '#server/services/office/health.ts';
import { runAdmin } from '#tests/support/admin-command.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { emptyPlace, placeOf } from '#tests/support/house.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { openServer, startServer, type TestServer } from '#tests/support/server.ts';

const opening = { passphrase: null, identities: [] };

async function backupOf(server: TestServer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copie-'));
  const ask = { house: placeOf(server), folder, seal: null, now: server.clock.now() };
  return (await makeBackup({ ...ask, kind: 'by_hand' })).path;
}

/** What start, readiness, `doctor` and `verify-backup` say; null where they find no fault. */
async function openedEverywhere(server: TestServer) {
  const { ctx } = server.house;
  server.clock.advance(11_000);
  const config = readConfig(server.settings, []);
  const start = await faultOfHouse({
    ...config,
    backupFolder: backupSettings(config).folder,
    ownsStandins: true,
  });
  const ready = (await canWork(ctx)) ? null : 'not ready';
  const found = await houseChecks['Database']!(ctx);
  const scratch = await mkdtemp(join(tmpdir(), 'prova-'));
  const verified = await verifyBackup(await backupOf(server), { scratch, opening }).then(
    ({ broken }) => broken.join() || null,
    (error: Error) => error.message,
  );
  return { start, ready, doctor: found?.state === 'ok' ? null : found!.words, verified };
}

const noFault = { start: null, ready: null, doctor: null, verified: null };

interface Change {
  run: (db: Knex) => string[];
  back: (db: Knex) => string[];
  /** What is missed in the house; null: nothing. */
  house: string | null;
  /** Lines of PostgreSQL do not carry what is missed: a restore makes it anew. */
  notInLines?: true;
}

/** A default of SQLite cannot be changed, so another column takes the place. */
const otherDefault = [
  'RENAME COLUMN left_hall TO before',
  'ADD left_hall smallint NOT NULL DEFAULT 1',
];
const due = {
  sqlite: landed.sqlite['001-release'].schema['index orders_due'],
  postgres: landed.postgres['001-release'].schema['index orders_due'],
};

const changes: Record<string, Change> = {
  'a table is missing': {
    run: () => ['ALTER TABLE order_notes RENAME TO of_before'],
    back: () => ['ALTER TABLE of_before RENAME TO order_notes'],
    house: 'manca la tabella order_notes',
  },
  'a column is missing': {
    run: () => ['ALTER TABLE order_lines RENAME COLUMN left_hall TO before'],
    back: () => ['ALTER TABLE order_lines RENAME COLUMN before TO left_hall'],
    house: 'manca la colonna order_lines.left_hall',
  },
  'an index is missing': {
    run: () => ['DROP INDEX orders_due'],
    back: (db) => [isPostgres(db) ? due.postgres : due.sqlite],
    house: 'manca l’indice orders_due',
    notInLines: true,
  },
  'a default is another': {
    run: () => otherDefault.map((act) => `ALTER TABLE order_lines ${act}`),
    back: () => [
      'ALTER TABLE order_lines DROP COLUMN left_hall',
      'ALTER TABLE order_lines RENAME COLUMN before TO left_hall',
    ],
    house: 'la colonna order_lines.left_hall non è come deve essere',
    notInLines: true,
  },
  'an index has another condition': {
    run: () => [
      'DROP INDEX orders_due',
      'CREATE INDEX orders_due ON orders (pay_by) WHERE confirmed_at IS NULL',
    ],
    back: (db) => ['DROP INDEX orders_due', isPostgres(db) ? due.postgres : due.sqlite],
    house: 'l’indice orders_due non è come deve essere',
    notInLines: true,
  },
  'a unique index is none': {
    run: () => [
      'DROP INDEX tickets_live_place',
      "CREATE INDEX tickets_live_place ON tickets (event_id, place) WHERE state = 'valid'",
    ],
    back: () => [
      'DROP INDEX tickets_live_place',
      "CREATE UNIQUE INDEX tickets_live_place ON tickets (event_id, place) WHERE state = 'valid'",
    ],
    house: 'l’indice tickets_live_place non è come deve essere',
    notInLines: true,
  },
  'the list of migrations is missing': {
    run: () => ['ALTER TABLE knex_migrations RENAME TO of_before'],
    back: () => ['ALTER TABLE of_before RENAME TO knex_migrations'],
    house: 'manca la tabella knex_migrations',
  },
  'there are a table, a column and an index more': {
    run: () => [
      'CREATE TABLE of_tomorrow (id integer PRIMARY KEY)',
      'INSERT INTO of_tomorrow (id) VALUES (1)',
      'ALTER TABLE orders ADD of_tomorrow integer',
      'CREATE INDEX of_tomorrow_too ON orders (total_cents)',
      "INSERT INTO knex_migrations (name, batch) VALUES ('999-tomorrow', 9)",
    ],
    back: () => [],
    house: null,
  },
};

it('a program that misses a table, a column or an index says which, wherever it looks', async (server) => {
  const { db } = server.house.ctx;
  await makePaidOrder(server);
  const told = new Map<string, unknown>();
  const due = new Map<string, unknown>();
  for (const [name, { run, back, house, notInLines }] of Object.entries(changes)) {
    for (const sql of run(db)) await db.raw(sql);
    told.set(name, await openedEverywhere(server));
    const says = expect.stringContaining(house ?? '') as unknown;
    const verified = notInLines && isPostgres(db) ? null : says;
    due.set(
      name,
      house === null ? noFault : { start: says, ready: 'not ready', doctor: house, verified },
    );
    for (const sql of back(db)) await db.raw(sql);
  }
  expect(told).toEqual(due);
  for (const sql of changes['a column is missing']!.run(db)) await db.raw(sql);
  await expect(server.restart()).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(
      /^Le tabelle .*manca la colonna order_lines\.left_hall/,
    ) as unknown,
  });
});

/** The seat map's own tables: in a file, or in PostgreSQL beside those of the house. */
async function withSeatMap(server: TestServer, sql: string): Promise<void> {
  const { db, backups } = server.house.ctx;
  if (backups.house.chartInDatabase)
    return db.transaction(async (trx) => {
      await trx.raw('SET LOCAL search_path TO seatsio');
      await trx.raw(sql);
    });
  const file = new Database(join(backups.house.dataDir, 'standins.sqlite'));
  file.exec(sql);
  file.close();
}

const seatMapIn = {
  'its file': {},
  PostgreSQL: { database: 'postgres', env: { CHART_DATABASE: '' } },
} as const;

test.each(Object.entries(seatMapIn))('so does the seat map in %s', async (where, options) => {
  await using server = await startServer({ postgresUrl: inject('postgresUrl'), ...options });
  const all: [string, string, string][] = [
    [
      'ALTER TABLE seatsio_objects RENAME COLUMN held_from TO before',
      'ALTER TABLE seatsio_objects RENAME COLUMN before TO held_from',
      'manca la colonna seatsio_objects.held_from',
    ],
    [
      'DROP INDEX seatsio_events_chart; CREATE UNIQUE INDEX seatsio_events_chart ON seatsio_events (id)',
      'DROP INDEX seatsio_events_chart; CREATE INDEX seatsio_events_chart ON seatsio_events (chart_id)',
      'l’indice seatsio_events_chart non è come deve essere',
    ],
  ];
  for (const [sql, back, words] of all) {
    await withSeatMap(server, sql);
    const says = expect.stringContaining(words) as unknown;
    // A copy has the seat map in a file, whatever PostgreSQL missed.
    const verified = where === 'PostgreSQL' ? null : says;
    expect(await openedEverywhere(server)).toEqual({
      start: says,
      ready: 'not ready',
      doctor: words,
      verified,
    });
    await withSeatMap(server, back);
  }
  await withSeatMap(server, 'ALTER TABLE seatsio_objects ADD of_tomorrow INTEGER');
  await withSeatMap(server, 'CREATE TABLE seatsio_tomorrow (id INTEGER)');
  expect(await openedEverywhere(server)).toEqual(noFault);
});

it('a copy with more than this program knows goes into PostgreSQL without it', async (server) => {
  const { db } = server.house.ctx;
  for (const sql of changes['there are a table, a column and an index more']!.run(db))
    await db.raw(sql);
  await makePaidOrder(server);
  const file = await backupOf(server);
  const { address: DATABASE_URL } = await makeDatabase(inject('postgresUrl'));
  const settings = { ...(await emptyPlace(server)), DATABASE_URL };
  const { house } = backupSettings(readConfig(settings, []));
  const restored = await restoreBackup({ file, house, opening, over: false, now: 1, id: 'id' });
  expect(restored.left_out.toSorted()).toEqual([
    'of_tomorrow',
    'of_tomorrow.id',
    'orders.of_tomorrow',
  ]);
  await using other = await openServer(settings, {}, server.clock, async () => {});
  expect(await other.house.ctx.db('orders').select('state')).toEqual([{ state: 'confirmed' }]);
});

it('data of a trial version, and a copy of them, are refused in one sentence', async (server) => {
  const { db } = server.house.ctx;
  await db('knex_migrations').update({ name: '001-start' });
  server.clock.advance(11_000);
  expect(await canWork(server.house.ctx)).toBe(false);
  const file = await backupOf(server);
  const says = expect.stringMatching(
    /^Questi dati li ha fatti una versione di prova .*\.\n?$/,
  ) as unknown;
  for (const words of [['verify-backup', file], ['invariants']])
    expect(await runAdmin(server, words)).toMatchObject({ code: 1, err: says });
  const settings = await emptyPlace(server);
  expect(await runAdmin({ settings }, ['restore', file])).toMatchObject({ code: 1, err: says });
  await expect(server.restart()).rejects.toMatchObject({ name: 'StartError', message: says });
});
