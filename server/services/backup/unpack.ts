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
import { migrateTo } from '#db/migrations/migrate.ts';
import { readBackupFile, type Opening } from '#server/adapters/backup-file.ts';
import { BackupFault } from '#server/domain/backup.ts';
import { databaseFile, freeBytes } from './house-files.ts';
import { lineSource } from './lines.ts';
import { tableMember } from './make.ts';
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
      manifest = readManifest(await textOf(content, path), Object.keys(migrations));
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
 * The path of an SQLite file with the unpacked database; the lines of PostgreSQL's tables are
 * turned into one.
 * @throws BackupFault damaged
 */
export async function openUnpacked(folder: string, manifest: Manifest): Promise<string> {
  const path = join(folder, databaseFile);
  if (manifest.database === 'sqlite') return path;
  const db = connect(path);
  try {
    await migrateTo(db, manifest.migrations);
  } finally {
    await db.destroy();
  }
  await fillSqliteFile(path, sourceOf(folder, manifest)).catch((error: unknown) => {
    throw new BackupFault('damaged', '', error);
  });
  return path;
}

function sourceOf(folder: string, manifest: Manifest) {
  return lineSource(manifest.columns, (table) => join(folder, tableMember(table)));
}

/**
 * Checks that the file is not damaged and that every table has its rows; returns the names of
 * broken rules.
 * @throws BackupFault damaged
 */
export async function checkUnpacked(
  path: string,
  { tables, made_at }: Pick<Manifest, 'tables' | 'made_at'>,
): Promise<{ broken: string[] }> {
  const faults = faultsOfSqliteFile(path);
  if (faults.length > 0) throw new BackupFault('damaged', faults[0]);
  const counts = countSqliteFile(path);
  const differing = differingTables(tables, counts);
  if (differing.length > 0) throw new BackupFault('damaged', differing.join(', '));
  return { broken: await brokenRules(path, made_at) };
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
