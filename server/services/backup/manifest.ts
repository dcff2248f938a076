/**
 * The first member of every backup: what it is a copy of, and how each other member can be told
 * to be whole.
 */
import { hash } from 'node:crypto';
import * as v from 'valibot';
import { BackupFault } from '#server/domain/backup.ts';
import { databaseFile } from './house-files.ts';
import type { HousePlace } from '#server/services/context.ts';

/** Grows when an older program could not read the file any more. */
export const format = 1;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const manifestShape = v.pipe(
  v.object({
    format: v.number(),
    /** Of the program that made it. */
    product: v.string(),
    /** Epoch milliseconds: what was written later is not in it. */
    made_at: v.pipe(count, v.maxValue(8.64e15)),
    database: v.picklist(['sqlite', 'postgres']),
    /** Schema changes that its tables have had. */
    migrations: v.array(v.string()),
    /** Rows of each table. */
    tables: v.record(v.string(), count),
    /** The columns of each table, where its rows are lines of JSON. */
    columns: v.record(v.string(), v.array(v.string())),
    /**
     * Tells whether SECRETS_KEY is the same, and nothing else about it; null: nothing is sealed.
     */
    secrets_key: v.nullable(v.string()),
    members: v.array(v.object({ name: v.string(), size: count, sha256: v.string() })),
  }),
  // The lines of PostgreSQL are told table by table.
  v.check(
    ({ database, members }) =>
      database === 'postgres' || members.some(({ name }) => name === databaseFile),
  ),
);

export type Manifest = v.InferOutput<typeof manifestShape>;

export function fingerprintOf(key: HousePlace['secretsKey']): string | null {
  return key === null ? null : hash('sha256', key, 'hex').slice(0, 16);
}

/** What says of itself that it is one may be anything. @throws BackupFault not_a_backup, newer */
export function readManifest(text: string, known: readonly string[]): Manifest {
  let read: { format: number; product: string } | null;
  try {
    read = JSON.parse(text) as typeof read;
  } catch (error) {
    throw new BackupFault('not_a_backup', '', error);
  }
  if (read !== null && read.format > format) throw new BackupFault('newer', String(read.product));
  const manifest = v.safeParse(manifestShape, read);
  if (!manifest.success) throw new BackupFault('not_a_backup');
  const { migrations, product } = manifest.output;
  if (migrations.some((name) => !known.includes(name))) throw new BackupFault('newer', product);
  return manifest.output;
}

/** `name` is one that may be written below a folder, and nowhere else. */
export function isMemberName(name: string): boolean {
  return /^[\w@-][\w.@ -]*(?:\/[\w@-][\w.@ -]*)*$/.test(name);
}
