/** The first member of every backup: what it is a copy of, and how each other member can be told to be whole. */
import { hash } from 'node:crypto';
import { BackupFault } from '#server/domain/backup.ts';
import type { HousePlace } from './house-files.ts';

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
  if (typeof manifest?.format !== 'number' || !Array.isArray(manifest.members))
    throw new BackupFault('not_a_backup');
  const isStrange = manifest.migrations.some((name) => !known.includes(name));
  if (manifest.format > format || isStrange) throw new BackupFault('newer', manifest.product);
  return manifest;
}

/** `name` is one that may be written below a folder, and nowhere else. */
export function isMemberName(name: string): boolean {
  return /^[\w@-][\w.@ -]*(?:\/[\w@-][\w.@ -]*)*$/.test(name);
}
