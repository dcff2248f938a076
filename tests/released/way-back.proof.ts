/**
 * One process of the oldest release that this clone has is upgraded to today's program and back, on
 * vendors that know nothing of it: no order is lost, no seat is sold twice, and the sale goes on
 * within seconds.
 */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { connect } from '#db/engine/connect.ts';
import { connectSeats } from '#server/adapters/seatsio.ts';
import { askAdmin } from '#tests/support/admin-command.ts';
import { pairsOf, sendTraffic, type Traffic } from '#tests/support/deploy/traffic.ts';
import { makeData, startProduct } from '#tests/support/product.ts';
import { databaseKinds, type DatabaseKind } from '#tests/support/server.ts';
import { settingsOf, startBoth } from '#tests/support/vendors.ts';
import { checkOut, oldestRelease } from './check-out.ts';

const released = oldestRelease();

/** Orders that the database has not confirmed, and places with more than one valid ticket. */
async function judge(env: Record<string, string>, { orders }: Traffic) {
  const db = connect(env['DATABASE_URL'] ?? join(env['DATA_DIR']!, 'botteghino.sqlite'));
  try {
    const keys: string[] = await db('orders').where({ state: 'confirmed' }).pluck('link_key');
    const tickets = await db('tickets').where({ state: 'valid' }).select('event_id', 'place');
    const places = new Set(tickets.map(({ event_id, place }) => `${event_id} ${place}`));
    return {
      lost: orders.filter((key) => !keys.includes(key)).length,
      double: tickets.length - places.size,
    };
  } finally {
    await db.destroy();
  }
}

async function walk(database: DatabaseKind, root: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-'));
  const copies = join(folder, 'copie');
  await mkdir(copies);
  const data = await makeData(database, inject('postgresUrl'));
  const standins = await startBoth(
    folder,
    { port: Number(data.env['PORT']), now: Date.now },
    join(import.meta.dirname, '../../dist/chart'),
  );
  const env = {
    ...data.env,
    ...settingsOf(standins),
    HOST: '127.0.0.1',
    BACKUP_FOLDER: copies,
  };
  const traffic: Traffic = { requests: 0, failures: [], orders: [] };
  const house = { standins, seats: connectSeats(standins.seatsio!) };
  let pairs: string[][] = [];
  /** Sells this many orders; returns the seconds since `began`, when the sale stood still. */
  const sell = async (url: string, count: number, began: number) => {
    const goal = traffic.orders.length + count;
    const isOver = () => traffic.orders.length >= goal || traffic.failures.length > 0;
    await sendTraffic(url, house, { pairs, isOver, traffic });
    expect(traffic.failures).toEqual([]);
    return (performance.now() - began) / 1000;
  };
  try {
    const old = await startProduct({ ...data, env }, [], root);
    pairs = await pairsOf(house);
    await sell(old.url, 3, performance.now());
    let began = performance.now();
    await old[Symbol.asyncDispose]();
    const today = await startProduct({ ...data, env });
    const upSeconds = await sell(today.url, 1, began);
    await sell(today.url, 2, began);
    const up = await judge(env, traffic);
    const doctor = await askAdmin({ settings: env }, ['doctor']);
    expect(doctor.body['lines']).not.toContainEqual(
      expect.objectContaining({ about: 'Database', state: 'bad' }),
    );

    began = performance.now();
    await today[Symbol.asyncDispose]();
    const copy = (await readdir(copies)).find((name) => name.includes('prima-di-aggiornare'));
    expect(copy, 'the copy from before the change').toBeDefined();
    const empty = await makeData(database, inject('postgresUrl'));
    // The vendors send their messages to the port that they know.
    const back = { ...env, ...empty.env, PORT: data.env['PORT']! };
    const told = await askAdmin({ settings: back }, ['restore', join(copies, copy!)], { root });
    expect([told.code, told.body]).toMatchObject([0, { broken: [] }]);
    // A restored house sells only when an admin has looked at what its copy lacks.
    const opened = await askAdmin({ settings: back }, ['maintenance', 'off', '--yes'], { root });
    expect(opened.code, JSON.stringify(opened.body)).toBe(0);
    const again = await startProduct({ ...empty, env: back }, [], root);
    const backSeconds = await sell(again.url, 1, began);
    const wayBack = await judge(back, traffic);
    await again[Symbol.asyncDispose]();
    await empty.clean();
    console.log(
      `${database}: up ${JSON.stringify(up)}, sold again after ${upSeconds.toFixed(1)} s;`,
      `back ${JSON.stringify(wayBack)}, sold again after ${backSeconds.toFixed(1)} s`,
    );
    expect([up, wayBack]).toEqual([
      { lost: 0, double: 0 },
      { lost: 0, double: 0 },
    ]);
  } finally {
    await standins.close();
    await data.clean();
    await rm(folder, { recursive: true, force: true });
  }
}

for (const database of databaseKinds)
  test.skipIf(released === null)(
    `up from ${released?.version} and back (${database})`,
    async () => {
      await walk(database, checkOut(released!.commit));
    },
  );
