/**
 * The location of a test server's data, in the form that a backup needs, and a location for new
 * data.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { isPostgres } from '#db/engine/dialect.ts';
import type { HousePlace } from '#server/services/context.ts';
import { freePort } from './port.ts';
import { makeDatabase } from './postgres.ts';
import type { TestServer } from './server.ts';

export function placeOf({ house: { ctx } }: Pick<TestServer, 'house'>): HousePlace {
  return ctx.backups.house;
}

/** Settings for new data, on the same kind of database. */
export async function emptyPlace({ house }: TestServer): Promise<Record<string, string>> {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'altrove-'));
  const PORT = String(await freePort());
  if (!isPostgres(house.ctx.db)) return { DATA_DIR, PORT };
  const { address } = await makeDatabase(inject('postgresUrl'));
  return { DATA_DIR, PORT, DATABASE_URL: address };
}
