/** The first member of every backup: what was copied, and the others' sizes and hashes. */
import { hash } from 'node:crypto';
import * as v from 'valibot';
import { trialMigration } from '#db/migrations/index.ts';
import { BackupFault } from '#server/domain/backup.ts';
import { databaseFile } from './house-files.ts';
import type { HousePlace } from '#server/services/context.ts';

/** Rises when older programs can no longer read the file. */
export const format = 1;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const manifestShape = v.pipe(
  v.object({
    format: v.number(),
    /** The version of the program that made the backup. */
    product: v.string(),
    /** Epoch milliseconds; the backup contains nothing that was written later. */
    made_at: v.pipe(count, v.maxValue(8.64e15)),
    database: v.picklist(['sqlite', 'postgres']),
    /** The migrations that the tables have been through. */
    migrations: v.array(v.string()),
    /** The steps that the stand-ins' store has been through; none: there is no such store. */
    steps: v.optional(v.array(v.string()), []),
    /** The number of rows in each table. */
    tables: v.record(v.string(), count),
    /** The columns of each table that is stored as lines of JSON. */
    columns: v.record(v.string(), v.array(v.string())),
    /** A fingerprint of SECRETS_KEY, to recognise the same key; null: nothing is sealed. */
    secrets_key: v.nullable(v.string()),
    members: v.array(v.object({ name: v.string(), size: count, sha256: v.string() })),
  }),
  // A SQLite backup must contain the database file; PostgreSQL has one member per table.
  v.check(
    ({ database, members }) =>
      database === 'postgres' || members.some(({ name }) => name === databaseFile),
  ),
);

export type Manifest = v.InferOutput<typeof manifestShape>;

export function fingerprintOf(key: HousePlace['secretsKey']): string | null {
  return key === null ? null : hash('sha256', key, 'hex').slice(0, 16);
}

/** Reads any text. @throws BackupFault not_a_backup, trial, newer */
export function readManifest(text: string): Manifest {
  let read: { format: number; product: string; migrations?: unknown } | null;
  try {
    read = JSON.parse(text) as typeof read;
  } catch (error) {
    throw new BackupFault('not_a_backup', '', error);
  }
  if (read !== null && read.format > format) throw new BackupFault('newer', String(read.product));
  if (Array.isArray(read?.migrations) && read.migrations.includes(trialMigration))
    throw new BackupFault('trial');
  const manifest = v.safeParse(manifestShape, read);
  if (!manifest.success) throw new BackupFault('not_a_backup');
  return manifest.output;
}

/** True if `name` is a path inside the folder that the backup is unpacked into. */
export function isMemberName(name: string): boolean {
  return /^[\w@-][\w.@ -]*(?:\/[\w@-][\w.@ -]*)*$/.test(name);
}
