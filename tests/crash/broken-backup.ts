/** Backup and restore as processes that are killed in the middle or run out of disk space. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, inject } from 'vitest';
import { readBackupName } from '#server/domain/backup.ts';
import type { HousePlace } from '#server/services/context.ts';
import { makeBackup } from '#server/services/backup/make.ts';
import { restoreBackup } from '#server/services/backup/restore.ts';
import { faultOfHouse } from '#server/services/backup/whole-house.ts';
import { connect } from '#db/engine/connect.ts';
import { countTables } from '#db/engine/table-rows.ts';
import type { ChildJob } from '#tests/support/backup-child.ts';
import { placeOf } from '#tests/support/house.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { startServer, type DatabaseKind } from '#tests/support/server.ts';

const opening = { passphrase: null, identities: [] };

/** `largestKb`: no file may grow larger, as on a full disk. */
async function runChild(job: ChildJob, point: string, { largestKb }: { largestKb?: number } = {}) {
  const limit = largestKb === undefined ? '' : `ulimit -f ${largestKb}; `;
  const script = join(import.meta.dirname, '../support/backup-child.ts');
  const child = spawn(
    'bash',
    ['-c', `${limit}exec "$0" "$@"`, process.execPath, script, JSON.stringify(job), point],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { said, signal: child.signalCode, code: child.exitCode };
}

const backupsIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => readBackupName(name) !== null);

/** A backup that is killed or runs out of space leaves no file that looks like a backup. */
export async function breakBackup(): Promise<void> {
  await using server = await startServer();
  const folder = await mkdtemp(join(tmpdir(), 'copie-'));
  const ask = {
    house: placeOf(server),
    folder,
    kind: 'by_hand',
    seal: null,
    now: 1_790_000_000_000,
  } as const;
  const job: ChildJob = { kind: 'make', ask };
  expect(await runChild(job, 'backup_staged')).toMatchObject({ signal: 'SIGKILL' });
  expect(await backupsIn(folder)).toEqual([]);
  // The first limit is too small for the copy of the database, the second for the whole file.
  for (const largestKb of [100, 1_100]) {
    const { said, code } = await runChild(job, 'never', { largestKb });
    expect({ largestKb, said, code }).toMatchObject({
      said: expect.stringMatching(/^(?:no_room|disk_failed) /) as string,
      code: 1,
    });
    expect(await readdir(folder)).toEqual([]);
  }
  expect(await runChild(job, 'backup_written')).toMatchObject({ signal: 'SIGKILL' });
  expect(await backupsIn(folder)).toHaveLength(1);
}

/** A restore that is killed at one of its steps leaves no usable data until it is repeated. */
export async function breakRestore(
  database: DatabaseKind,
  points: readonly string[],
): Promise<void> {
  await using server = await startServer({ database, postgresUrl: inject('postgresUrl') });
  const folder = await mkdtemp(join(tmpdir(), 'copie-'));
  const now = server.clock.now();
  const made = await makeBackup({
    house: placeOf(server),
    folder,
    kind: 'by_hand',
    seal: null,
    now,
  });
  for (const point of points) {
    const dataDir = await mkdtemp(join(tmpdir(), 'morta-'));
    const pg = database === 'postgres' ? await makeDatabase(inject('postgresUrl')) : null;
    const house: HousePlace = {
      ...placeOf(server),
      dataDir,
      database: pg?.address ?? join(dataDir, 'botteghino.sqlite'),
    };
    const ask = { file: made.path, house, opening, over: false, now, id: point };
    const ended = await runChild({ kind: 'restore', ask }, point);
    expect([point, ended.signal]).toEqual([point, 'SIGKILL']);
    const look = { ...house, backupFolder: dataDir, startsAnew: false, ownsStandins: true };
    expect([point, await faultOfHouse(look)]).toEqual([
      point,
      expect.stringContaining('rimasto a metà'),
    ]);
    await restoreBackup({ ...ask, id: 'again' });
    expect([point, await faultOfHouse(look)]).toEqual([point, null]);
    const db = connect(house.database);
    const counts = await countTables(db).finally(() => db.destroy());
    // The settings have what a restore notes.
    const settings = counts['settings']!;
    expect(settings).toBeGreaterThan(made.tables['settings']!);
    expect(counts).toEqual({ ...made.tables, settings });
    expect((await readdir(dataDir)).filter((name) => /ripristino/.test(name))).toEqual([]);
    await pg?.drop();
  }
}
