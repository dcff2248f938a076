/** The first member of every backup: what it is a copy of, and how each other member can be told to be whole. */
import { hash } from 'node:crypto';
import { BackupFault } from '#server/domain/backup.ts';
import { databaseFile, type HousePlace } from './house-files.ts';

/** Grows when an older program could not read the file any more. */
export const format = 1;

export interface Manifest {
  format: number;
  /** Of the program that made it. */
  product: string;
  /** Epoch milliseconds: what was written later is not in it. */
  made_at: number;
  database: 'sqlite' | 'postgres';
  /** Schema changes that its tables have had. */
  migrations: string[];
  /** Rows of each table. */
  tables: Record<string, number>;
  /** The columns of each table, where its rows are lines of JSON. */
  columns: Record<string, string[]>;
  /** Tells whether SECRETS_KEY is the same, and nothing else about it; null: nothing is sealed. */
  secrets_key: string | null;
  members: { name: string; size: number; sha256: string }[];
}

export function fingerprintOf(key: HousePlace['secretsKey']): string | null {
  return key === null ? null : hash('sha256', key, 'hex').slice(0, 16);
}

/** @throws BackupFault not_a_backup, newer */
export function readManifest(text: string, known: readonly string[]): Manifest {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(text) as Manifest;
  } catch (error) {
    throw new BackupFault('not_a_backup', '', error);
  }
  if (manifest?.format > format) throw new BackupFault('newer', String(manifest.product));
  if (!isWhole(manifest)) throw new BackupFault('not_a_backup');
  if (manifest.migrations.some((name) => !known.includes(name)))
    throw new BackupFault('newer', manifest.product);
  return manifest;
}

/** What says of itself that it is one may be anything. */
function isWhole(read: Manifest | null): boolean {
  if (typeof read?.format !== 'number' || typeof read.product !== 'string') return false;
  const { database, made_at, migrations, tables, columns, secrets_key, members } = read;
  return (
    ['sqlite', 'postgres'].includes(database) &&
    isCount(made_at) &&
    !Number.isNaN(new Date(made_at).getTime()) &&
    isListOf(migrations, isText) &&
    isListOf(valuesOf(tables), isCount) &&
    isListOf(valuesOf(columns), (list) => isListOf(list, isText)) &&
    (secrets_key === null || isText(secrets_key)) &&
    isListOf(members, (one) => isText(one?.name) && isCount(one.size) && isText(one.sha256)) &&
    // The lines of PostgreSQL are told table by table.
    (database === 'postgres' || members.some(({ name }) => name === databaseFile))
  );
}

function isListOf<T>(list: readonly T[] | null, isOne: (one: T) => boolean): boolean {
  return Array.isArray(list) && (list as T[]).every(isOne);
}

/** Null: it has none. */
function valuesOf<T>(record: Record<string, T>): T[] | null {
  return typeof record === 'object' && record !== null ? Object.values(record) : null;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

/** `name` is one that may be written below a folder, and nowhere else. */
export function isMemberName(name: string): boolean {
  return /^[\w@-][\w.@ -]*(?:\/[\w@-][\w.@ -]*)*$/.test(name);
}
