/** Opens the database at an address, with safe settings. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Knex } from 'knex';
import { openPostgres, type PostgresOptions } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

export function isPostgresAddress(address: string): boolean {
  return /^postgres(ql)?:\/\//.test(address);
}

/** `address` is `postgres://…`, the path of a SQLite file, or ':memory:'. */
export function connect(address: string, options: PostgresOptions = {}): Knex {
  if (isPostgresAddress(address)) return openPostgres(address, options);
  if (address !== ':memory:') mkdirSync(dirname(address), { recursive: true });
  return openSqlite(address);
}
