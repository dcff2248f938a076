/**
 * The data that a first start creates (schema, demo, keys of the stand-ins), made once per
 * worker: test servers start with a copy, as after a second start.
 */
import { rmSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { readConfig } from '#server/config.ts';
import { openProduct } from '#server/open.ts';
import { freePort } from './port.ts';
import { makeDatabase } from './postgres.ts';

interface FirstStart {
  folder: string;
  /** The database to copy; null: SQLite, whose file is in the folder. */
  address: string | null;
}

type Env = Record<string, string>;

const made = new Map<string, Promise<FirstStart>>();

/**
 * `postgresUrl`: the server that makeDatabase() uses; null: SQLite. `env`: settings that a first
 * start stores.
 */
async function start(postgresUrl: string | null, env: Env): Promise<FirstStart> {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-first-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const address = postgresUrl === null ? null : (await makeDatabase(postgresUrl)).address;
  const settings = {
    PORT: String(await freePort()),
    DATA_DIR: folder,
    ...(address === null ? {} : { DATABASE_URL: address, CHART_DATABASE: 'file' }),
    ...env,
  };
  const log = pino({ level: 'silent' });
  const house = await openProduct(readConfig(settings, []), { worker: false, log });
  await house.close();
  return { folder, address };
}

/** Fills an empty data folder, and for PostgreSQL creates a database. */
export async function copyFirstStart(dataDir: string, postgresUrl: string | null, env: Env = {}) {
  const key = JSON.stringify([postgresUrl, env]);
  const known = made.get(key) ?? start(postgresUrl, env);
  made.set(key, known);
  const { folder, address } = await known;
  await cp(folder, dataDir, { recursive: true });
  return address === null ? null : makeDatabase(postgresUrl!, { like: address });
}
