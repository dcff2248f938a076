/**
 * Makes a backup of a house that may be running: copies everything as it was at one moment and
 * packs it into one file.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connect, isPostgresAddress } from '#db/engine/connect.ts';
import { stepsOfFile } from '#db/migrations/landed.ts';
import { copySqliteFiles } from '#db/engine/sqlite-copy.ts';
import {
  countSqliteFile,
  fillSqliteFile,
  migrationsOf,
  withPostgresTables,
} from '#db/engine/table-rows.ts';
import {
  faultOfWriting,
  writeBackupFile,
  type Member,
  type Sealing,
} from '#server/adapters/backup-file.ts';
import {
  BackupFault,
  backupFileName,
  type BackupCost,
  type BackupKind,
} from '#server/domain/backup.ts';
import { chartRows, chartSchema, isOfChart } from '#db/engine/chart-tables.ts';
import { requireRoom } from './folder.ts';
import { databaseFile, plainFiles, sizeOf, standinsFile, workPrefix } from './house-files.ts';
import type { HousePlace } from '#server/services/context.ts';
import { linesOf } from './lines.ts';
import { fingerprintOf, format, type Manifest } from './manifest.ts';
import { requireNotMoved } from './moved.ts';
import { product } from '#server/services/kit/version.ts';

export interface BackupAsk {
  house: HousePlace;
  folder: string;
  kind: BackupKind;
  seal: Sealing;
  /** Epoch milliseconds. */
  now: number;
  /** Tests crash the process at a named point. */
  fault?: (point: string) => void;
}

export interface MadeBackup {
  path: string;
  size: number;
  made_at: number;
  sealed: boolean;
  tables: Record<string, number>;
  cost: BackupCost;
}

/** A backup never takes this long, so an older unfinished one was left by a process that died. */
const abandonedMs = 6 * 3_600_000;

/** @throws BackupFault no_room, no_folder, moved */
export async function makeBackup(ask: BackupAsk): Promise<MadeBackup> {
  const { house, folder, kind, seal, now, fault = () => {} } = ask;
  const path = join(folder, backupFileName(now, kind, seal !== null));
  const began = performance.now();
  await requireNotMoved(house.database);
  await prepareFolder(house, folder);
  const work = await mkdtemp(join(house.dataDir, workPrefix)).catch((error: unknown) => {
    throw faultOfWriting(error, house.dataDir);
  });
  try {
    const { members, ...about } = await stage(house, work);
    fault('backup_staged');
    const manifest: Manifest = {
      format,
      product: product.version,
      made_at: now,
      ...about,
      secrets_key: fingerprintOf(house.secretsKey),
      members: await Promise.all(
        members.map(async ({ name, size, path: file }) => ({
          name,
          size,
          sha256: await hashOf(file),
        })),
      ),
    };
    await writeBackupFile(path, { manifest: JSON.stringify(manifest, null, 1), members, seal });
    fault('backup_written');
    const { size } = await stat(path);
    // The thread of a backup makes only this one, and its start is part of the cost.
    const { user, system } = process.threadCpuUsage();
    const cost = {
      took_ms: Math.round(performance.now() - began),
      processor_ms: Math.round((user + system) / 1000),
    };
    return { path, size, made_at: now, sealed: seal !== null, tables: manifest.tables, cost };
  } catch (error) {
    throw faultOfWriting(error, house.dataDir);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Turns errors of the folder into BackupFault, so that the database is not blamed for them. */
async function prepareFolder(house: HousePlace, folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await requireRoom(house, folder);
    await sweepAbandoned(house.dataDir, folder);
  } catch (error) {
    const fault = faultOfWriting(error, folder);
    throw fault instanceof BackupFault ? fault : new BackupFault('no_folder', folder, error);
  }
}

/** Deletes what killed processes left; the files of a running backup are younger and stay. */
async function sweepAbandoned(dataDir: string, folder: string): Promise<void> {
  for (const [where, isOurs] of [
    [dataDir, (name: string) => name.startsWith(workPrefix)],
    [folder, (name: string) => /^\.botteghino-.*\.part$/.test(name)],
  ] as const)
    for (const name of (await readdir(where)).filter(isOurs)) {
      const path = join(where, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
      if (mtimeMs < Date.now() - abandonedMs) await rm(path, { recursive: true, force: true });
    }
}

type Staged = Pick<Manifest, 'database' | 'migrations' | 'steps' | 'tables' | 'columns'> & {
  members: Member[];
};

async function stage(house: HousePlace, work: string): Promise<Staged> {
  const standins = join(house.dataDir, standinsFile);
  const ours =
    (await sizeOf(standins)) > 0 ? [{ from: standins, to: join(work, standinsFile) }] : [];
  const staged = isPostgresAddress(house.database)
    ? await stagePostgres(house, work, async () => {
        await copySqliteFiles(ours);
        const [first] = ours;
        if (house.chartInDatabase && first) await copyChart(house, first.to);
      })
    : await stageSqlite(house, work, ours);
  const copies = ours.map(({ to }) => ({ name: standinsFile, path: to }));
  const members = [...staged.members, ...copies];
  return {
    ...staged,
    steps: ours.flatMap(({ to }) => stepsOfFile(to)),
    members: [
      ...(await Promise.all(
        members.map(async (member) => ({ ...member, size: await sizeOf(member.path) })),
      )),
      ...(await plainFiles(house.dataDir)),
    ],
  };
}

type Unsized = Omit<Staged, 'members' | 'steps'> & { members: Omit<Member, 'size'>[] };

async function stageSqlite(
  { database }: HousePlace,
  work: string,
  others: { from: string; to: string }[],
): Promise<Unsized> {
  const path = join(work, databaseFile);
  await copySqliteFiles([{ from: database, to: path }, ...others]);
  const db = connect(path);
  try {
    return {
      database: 'sqlite',
      migrations: await migrationsOf(db),
      tables: countSqliteFile(path),
      columns: {},
      members: [{ name: databaseFile, path }],
    };
  } finally {
    await db.destroy();
  }
}

/**
 * Writes each table into a file of lines; `beside` copies the house's files while the database
 * snapshot is open.
 */
async function stagePostgres(
  { database, namedStatements }: HousePlace,
  work: string,
  beside: () => Promise<void>,
): Promise<Unsized> {
  const db = connect(database, { namedStatements });
  try {
    await mkdir(join(work, 'tables'));
    return await withPostgresTables(db, async ({ tables, rows }, trx) => {
      const counts: Record<string, number> = {};
      const migrations = await migrationsOf(trx);
      await beside();
      for (const table of tables) {
        let count = 0;
        const counted = async function* counted() {
          for await (const row of rows(table)) {
            count += 1;
            yield row;
          }
        };
        await pipeline(
          Readable.from(linesOf(counted())),
          createWriteStream(join(work, tableMember(table.name)), { mode: 0o600 }),
        );
        counts[table.name] = count;
      }
      return {
        database: 'postgres' as const,
        migrations,
        tables: counts,
        columns: Object.fromEntries(tables.map(({ name, columns }) => [name, columns])),
        members: tables.map(({ name }) => ({
          name: tableMember(name),
          path: join(work, tableMember(name)),
        })),
      };
    });
  } finally {
    await db.destroy();
  }
}

/** Copies the seat map into an SQLite file: a restore may have no PostgreSQL. */
async function copyChart({ database, namedStatements }: HousePlace, file: string): Promise<void> {
  const db = connect(database, { namedStatements });
  try {
    await withPostgresTables(
      db,
      (source) => fillSqliteFile(file, chartRows(source), { empties: isOfChart }),
      chartSchema,
    );
  } finally {
    await db.destroy();
  }
}

export function tableMember(table: string): string {
  return `tables/${table}.jsonl`;
}

async function hashOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return digest.digest('hex');
}
