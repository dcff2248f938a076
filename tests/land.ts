/**
 * Writes into `db/migrations/landed.json` what each new migration does. What stands there stays
 * as it is, because a landed migration is never edited from 1.0.0 on.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import packageFile from '#package.json' with { type: 'json' };
import { tellMigrations } from './support/landed.ts';
import { makeDatabase, startPostgres } from './support/postgres.ts';

const path = join(import.meta.dirname, '../db/migrations/landed.json');
const postgres = await startPostgres();
try {
  const { address } = await makeDatabase(postgres.url);
  const told = { sqlite: await tellMigrations(null), postgres: await tellMigrations(address) };
  const isReleased = !packageFile.version.startsWith('0.');
  const landed = (isReleased ? JSON.parse(await readFile(path, 'utf8')) : {}) as Partial<
    typeof told
  >;
  const all = {
    sqlite: { ...told.sqlite, ...landed.sqlite },
    postgres: { ...told.postgres, ...landed.postgres },
  };
  await writeFile(path, `${JSON.stringify(all, null, 2)}\n`);
} finally {
  await postgres.stop();
}
