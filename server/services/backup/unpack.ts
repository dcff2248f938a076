/**
 * Unpacks a backup into a folder of its own and trusts nothing in it: every member must be
 * listed, complete and readable.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connect } from '#db/engine/connect.ts';
import { invariants } from '#db/reconcile/invariants.ts';
import { migrations } from '#db/migrations/index.ts';
import { faultsOfSqliteFile } from '#db/engine/sqlite-copy.ts';
import { countSqliteFile, fillSqliteFile } from '#db/engine/table-rows.ts';
import { compareColumns } from '#db/migrations/landed.ts';
import { migrate, migrateTo } from '#db/migrations/migrate.ts';
import { readBackupFile, type Opening } from '#server/adapters/backup-file.ts';
import { BackupFault, refuseSchema, type SchemaFault } from '#server/domain/backup.ts';
import { floorAbove } from '#server/services/kit/processes.ts';
import { product } from '#server/services/kit/version.ts';
import { databaseFile, freeBytes } from './house-files.ts';
import { lineSource } from './lines.ts';
import { tableMember } from './make.ts';
import { faultOfCopy } from './schema-fault.ts';
import { isMemberName, readManifest, type Manifest } from './manifest.ts';

/** Unpacks into an empty folder. @throws BackupFault */
export async function unpackBackup(
  path: string,
  { folder, opening }: { folder: string; opening: Opening },
): Promise<Manifest> {
  let manifest: Manifest | null = null;
  const seen = new Set<string>();
  await readBackupFile(path, opening, async (name, content) => {
    if (manifest === null) {
      manifest = readManifest(await textOf(content, path));
      await requireRoomFor(manifest, folder);
      return;
    }
    const listed = manifest.members.find((member) => member.name === name);
    if (listed === undefined || seen.has(name) || !isMemberName(name))
      throw new BackupFault('damaged', `${path}: ${name}`);
    seen.add(name);
    const target = join(folder, name);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const { size, sha256 } = await writeMember(content, target, listed.size);
    if (size !== listed.size || sha256 !== listed.sha256)
      throw new BackupFault('damaged', `${path}: ${name}`);
  });
  const whole = manifest as Manifest | null;
  if (whole === null) throw new BackupFault('not_a_backup', path);
  const missing = whole.members.find(({ name }) => !seen.has(name));
  if (missing) throw new BackupFault('damaged', `${path}: ${missing.name}`);
  return whole;
}

/** Far more than the manifest of a house with ten thousand pictures needs. */
const mostManifestBytes = 16_000_000;

async function textOf(content: Readable, path: string): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of content as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > mostManifestBytes) throw new BackupFault('not_a_backup', path);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/**
 * Refuses if the members, by their listed sizes, need more room than is free, because a running
 * house must not find its disk full.
 */
async function requireRoomFor({ members }: Manifest, folder: string): Promise<void> {
  const size = members.reduce((sum, member) => sum + member.size, 0);
  if (size > (await freeBytes(folder))) throw new BackupFault('no_room', folder);
}

/** Writes a member; fails if it has more than `most` bytes. */
async function writeMember(
  content: Readable,
  target: string,
  most: number,
): Promise<{ size: number; sha256: string }> {
  const digest = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _, done) {
      digest.update(chunk);
      size += chunk.length;
      if (size > most) done(new BackupFault('damaged', target));
      else done(null, chunk);
    },
  });
  await pipeline(content, measure, createWriteStream(target, { mode: 0o600, flush: true }));
  return { size, sha256: digest.digest('hex') };
}

/**
 * `path`: an SQLite file with the unpacked database; the lines of PostgreSQL's tables are turned
 * into one. `left_out`: tables and columns of the lines that this program does not know.
 * @throws BackupFault damaged, newer, other_tables
 */
export async function openUnpacked(
  folder: string,
  manifest: Manifest,
): Promise<{ path: string; left_out: string[] }> {
  const path = join(folder, databaseFile);
  if (manifest.database === 'sqlite') return { path, left_out: [] };
  const { fault, more } = compareColumns(manifest.migrations, manifest.columns);
  if (fault !== null) throw faultOfTables(fault, manifest);
  const db = connect(path);
  try {
    await migrateTo(db, manifest.migrations);
  } finally {
    await db.destroy();
  }
  const lines = lineSource(manifest.columns, (table) => join(folder, tableMember(table)));
  await fillSqliteFile(path, lines).catch((error: unknown) => {
    throw new BackupFault('damaged', '', error);
  });
  return { path, left_out: more };
}

function isKnown(name: string): boolean {
  return name in migrations;
}

/** A newer version may have removed what this one needs. */
function faultOfTables(
  fault: SchemaFault,
  { migrations: names, product: made }: Pick<Manifest, 'migrations' | 'product'>,
): BackupFault {
  return names.every(isKnown) ? refuseSchema(fault) : new BackupFault('newer', made);
}

/**
 * Checks that the file is not damaged, that its tables are as Botteghino made them, and that
 * every table has its rows; brings it up to this program's schema; returns the names of broken
 * rules.
 * @throws BackupFault damaged, trial, other_tables, newer
 */
export async function checkUnpacked(
  path: string,
  manifest: Omit<Manifest, 'members'>,
): Promise<{ broken: string[] }> {
  const { tables, made_at, database } = manifest;
  const faults = faultsOfSqliteFile(path);
  if (faults.length > 0) throw new BackupFault('damaged', faults[0]);
  const counts = countSqliteFile(path);
  // Of a copy of PostgreSQL only the tables that this program knows were filled.
  const filled = Object.entries(tables).filter(([name]) => database === 'sqlite' || name in counts);
  const differing = differingTables(Object.fromEntries(filled), counts);
  if (differing.length > 0) throw new BackupFault('damaged', differing.join(', '));
  const fault = await faultOfCopy(dirname(path));
  if (fault !== null) throw faultOfTables(fault, manifest);
  await bringUp(path);
  await requireFloor(path);
  return { broken: await brokenRules(path, made_at) };
}

/** An older file gets this program's schema, which the rules read. */
export async function bringUp(path: string): Promise<void> {
  const db = connect(path);
  await migrate(db).finally(() => db.destroy());
}

/** Refuses a copy whose house has used what only a newer version knows. */
async function requireFloor(path: string): Promise<void> {
  const db = connect(path);
  const floor = await floorAbove({ db, version: product.version }).finally(() => db.destroy());
  if (floor !== null) throw new BackupFault('newer', floor);
}

/** The names of tables that have different numbers of rows, or that only one side has. */
export function differingTables(
  here: Record<string, number>,
  there: Record<string, number>,
): string[] {
  const names = new Set([...Object.keys(here), ...Object.keys(there)]);
  return [...names].filter((name) => here[name] !== there[name]).toSorted();
}

/**
 * The names of broken rules, among those that must always hold (RULES I1); the others need
 * running tasks, which a copy lacks.
 */
export async function brokenRules(address: string, now: number): Promise<string[]> {
  const db = connect(address, { namedStatements: false });
  try {
    const broken: string[] = [];
    for (const { name, always, find } of invariants)
      if (always && (await find(db, now)).length > 0) broken.push(name);
    return broken;
  } finally {
    await db.destroy();
  }
}
