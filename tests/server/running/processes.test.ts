/**
 * The servers of a house and their versions: each has a row that it beats, an older one leaves
 * work alone that it does not know, and a floor keeps it out, also if both come at the same moment.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { addTask, nextRunAt } from '#db/outbox.ts';
import { listProcesses } from '#db/processes.ts';
import { dropSetting } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import { readHealth } from '#server/contract/health.ts';
import { listJobs } from '#server/contract/jobs.ts';
import type { Task } from '#db/tasks.ts';
import type { Ctx } from '#server/services/context.ts';
import { makeBackup } from '#server/services/backup/make.ts';
import { verifyBackup } from '#server/services/backup/verify.ts';
import { beat, floorAbove, joinProcesses, raiseFloor } from '#server/services/kit/processes.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { product } from '#server/services/kit/version.ts';
import { checkInvariants, invariantReport } from '#server/services/reconcile/invariants.ts';
import { testOnBoth as it, testOnPostgres as itOnPostgres } from '#tests/support/both.ts';
import { club, openClub } from '#tests/support/club.ts';
import { placeOf } from '#tests/support/house.ts';
import { aRefusal, ask, callOk, makeAdmin, until } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

const minute = 60_000;

const raise = (ctx: Ctx, floor: string) => transact(ctx.db, (trx) => raiseFloor(ctx, trx, floor));

/** Another process that starts on the same database. */
const another = (ctx: Ctx, version: string) => ({ ...ctx, memory: {}, version });

/** Makes a backup and verifies it, as a restore does before it changes anything. */
async function verifyCopy(server: TestServer) {
  const house = placeOf(server);
  const folder = await mkdtemp(join(tmpdir(), 'copie-'));
  try {
    const now = server.clock.now();
    const { path } = await makeBackup({ house, folder, kind: 'by_hand', seal: null, now });
    return await verifyBackup(path, {
      scratch: house.dataDir,
      opening: { passphrase: null, identities: [] },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

it('a server has a row while it runs, which says its version and is told in Salute, on /healthz and /metrics', async (server) => {
  const { ctx } = server.house;
  const [row] = await listProcesses(ctx.db);
  expect(row).toMatchObject({ version: product.version, pid: process.pid });
  // On a file it knows that it is alone, and sweeps the other rows, which their next beat brings back.
  await joinProcesses(another(ctx, '0.0.9'));
  server.clock.advance(2 * minute);
  await beat(ctx);
  const office = await makeAdmin(server);
  const told = async () => {
    const health = await callOk(server, readHealth, {}, office);
    const { processes, version, released, releases } = health;
    expect([version, released]).toEqual([product.version, product.released]);
    expect(releases.map((one) => one.version)).toEqual([product.version, '0.0.9']);
    return processes.map((one) => [one.version, one.beats]);
  };
  expect(await told()).toEqual([
    [product.version, true],
    ['0.0.9', false],
  ]);
  // The other one was killed: its row is shown for some minutes and swept then.
  server.clock.advance(11 * minute);
  await beat(ctx);
  expect(await told()).toEqual([[product.version, true]]);
  expect((await ask(server, 'GET', '/healthz')).body).toEqual({
    status: 'ok',
    version: product.version,
  });
  expect(await (await fetch(`${server.url}/metrics`)).text()).toContain(
    `botteghino_build_info{version="${product.version}"} 1`,
  );
});

it('a task of a newer version waits for it: it is not tried, delays nothing and wakes nothing', async (server) => {
  const { ctx } = server.house;
  await server.runDue();
  const before = await nextRunAt(ctx.db);
  const unknown = { task: 'settle_table' as Task, subject: 'T10#1', run_at: ctx.now() };
  await transact(ctx.db, (trx) => addTask(trx, unknown));
  expect(await nextRunAt(ctx.db)).toBe(before);
  server.clock.advance(10 * minute);
  await server.runDue();
  expect(await ctx.db('outbox').where({ task: 'settle_table' })).toMatchObject([
    { attempts: 0, last_error: null, locked_until: null, run_at: unknown.run_at },
  ]);
  expect((await ask(server, 'GET', '/readyz')).status).toBe(200);
  await checkInvariants(ctx);
  const late = (await invariantReport(ctx)).items.find(({ name }) => name === 'work_is_done');
  expect(late).toMatchObject({ violations: 0 });
  const told = await callOk(server, listJobs, {}, await makeAdmin(server));
  expect(told.items).toMatchObject([{ task: 'settle_table', optional: false, error: null }]);
  expect(server.logged).toEqual([]);
});

it('a floor is not raised while an older server runs; one that was silent for a minute stops at its next beat, and none starts again', async (server) => {
  const { ctx } = server.house;
  const newer = another(ctx, '99.0.0');
  expect(await joinProcesses(newer)).toBeNull();
  await beat(ctx);
  await expect(raise(newer, '99.0.0')).rejects.toMatchObject({ code: 'older_process_runs' });
  expect(await floorAbove({ db: ctx.db, version: '0.0.1' })).toBeNull();
  server.clock.advance(minute + 1_000);
  await beat(newer);
  await raise(newer, '99.0.0');
  // Raised twice, or to what was before, it stays; 99.0.0 is not below 98.10.0.
  await raise(newer, '98.10.0');
  expect(await floorAbove({ db: ctx.db, version: '98.10.0' })).toBe('99.0.0');
  expect(await floorAbove(newer)).toBeNull();
  await expect(verifyCopy(server)).rejects.toMatchObject({ code: 'newer' });
  expect((await ask(server, 'GET', '/api/events')).status).toBe(200);
  await beat(newer);
  expect(server.house.overtaken.aborted).toBe(false);
  await beat(ctx);
  expect(server.house.overtaken.aborted).toBe(true);
  const statuses = ['/readyz', '/readyz?proxy', '/api/events', '/healthz'].map(
    async (path) => (await ask(server, 'GET', path)).status,
  );
  expect(await Promise.all(statuses)).toEqual([503, 503, 503, 200]);
  expect(await joinProcesses(another(ctx, '98.99.0'))).toBe('99.0.0');
  expect((await listProcesses(ctx.db)).map(({ version }) => version)).not.toContain('98.99.0');
});

it('while an older server runs, no table is sold whole: the office hears why, and the worker tries again each minute without a fault', async (server) => {
  const { ctx } = server.house;
  const { office } = await openClub(server);
  // As if its tables were drawn only after the event was made.
  await dropSetting(ctx.db, 'floor');
  const older = another(ctx, '1.1.0');
  await joinProcesses(older);
  const copy = () =>
    ask(server, 'POST', `/api/admin/events/${club}/duplicate`, {
      body: { id: 'replica', as: 'date' },
      headers: office,
    });
  expect(await copy()).toMatchObject(aRefusal(409, 'older_process_runs'));
  await transact(ctx.db, (trx) => queueTask(ctx, trx, { task: 'follow_chart', subject: 'club' }));
  await server.runDue();
  const waiting = () => ctx.db('outbox').where({ task: 'follow_chart' });
  expect(await waiting()).toMatchObject([{ attempts: 0, last_error: null, locked_until: null }]);
  server.clock.advance(minute + 1_000);
  await server.runDue();
  expect(await waiting()).toEqual([]);
  expect(await floorAbove(older)).not.toBeNull();
  expect((await copy()).status).toBe(200);
  expect(server.logged).toEqual([]);
});

itOnPostgres(
  'a server of an older version that starts while the floor is raised sees the new floor',
  async (server) => {
    const { ctx } = server.house;
    const newer = another(ctx, '99.0.0');
    server.clock.advance(minute + 1_000);
    const trx = await ctx.db.transaction();
    await raiseFloor(newer, trx, '99.0.0');
    let answer: string | null | undefined;
    const joining = joinProcesses(another(ctx, '1.0.0')).then((floor) => (answer = floor));
    const waits = async () => {
      const { rows } = await ctx.db.raw(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return rows.length > 0;
    };
    await until(async () => answer !== undefined || (await waits()));
    await trx.commit();
    expect(await joining).toBe('99.0.0');
  },
);
