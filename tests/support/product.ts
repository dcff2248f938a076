/** The product as its owner starts it: a process of its own that prints three lines. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './port.ts';
import { makeDatabase } from './postgres.ts';
import type { DatabaseKind, TestServer } from './server.ts';
import { settingsOf } from './vendors.ts';

export type Product = Awaited<ReturnType<typeof startProduct>>;

interface ProductData {
  env: Record<string, string>;
  clean: () => Promise<void>;
}

/** An empty data folder and, for PostgreSQL, an empty database. */
export async function makeData(database: DatabaseKind, postgresUrl: string): Promise<ProductData> {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-'));
  const made = database === 'postgres' ? await makeDatabase(postgresUrl) : null;
  const port = await freePort();
  return {
    env: { PORT: String(port), DATA_DIR: folder, ...(made ? { DATABASE_URL: made.address } : {}) },
    async clean() {
      await made?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** `args`: command-line arguments; `root`: the folder of the program, if it is another version. */
export async function startProduct(
  { env }: ProductData,
  args: readonly string[] = [],
  root = join(import.meta.dirname, '../..'),
) {
  const began = performance.now();
  const child = spawn(process.execPath, ['server/main.ts', ...args], {
    cwd: root,
    env: { ...process.env, NODE_ENV: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let faults = '';
  child.stderr.on('data', (chunk: Buffer) => {
    faults += chunk.toString();
    process.stderr.write(chunk);
  });
  const told = () => lines.filter((line) => !line.startsWith('{'));
  const ended = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.trim() !== '') lines.push(line.trim());
      // The log lines in between are JSON.
      if (!line.startsWith('{') && told().length === 3) resolve();
    });
    child.once('close', () =>
      reject(new Error(`the product did not start:\n${lines.join('\n')}\n${faults}`)),
    );
  });
  return {
    url: `http://localhost:${env['PORT']}`,
    pid: child.pid!,
    /** The lines printed so far. */
    lines,
    /** The exit code, once the process has ended. */
    ended: ended.then(([code]: unknown[]) => code as number | null),
    /** The one-time link for the first admin. */
    invite: /https?:\S+\/admin\/\S*/.exec(told()[2]!)![0],
    /** Milliseconds from the start to the last of the three lines. */
    startedIn: performance.now() - began,
    /** Kills it, as when the power fails. */
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Another process on the same PostgreSQL database and the same vendors, with its worker. */
export async function startBeside(
  { house, settings }: TestServer,
  env: Record<string, string> = {},
): Promise<Product> {
  return startProduct({
    env: { ...(await besideOf({ house, settings })), ...env },
    clean: async () => {},
  });
}

/** The environment of such a process. */
export async function besideOf({
  house,
  settings,
}: Pick<TestServer, 'house' | 'settings'>): Promise<Record<string, string>> {
  const port = String(await freePort());
  return {
    DATABASE_URL: settings['DATABASE_URL']!,
    DATA_DIR: join(settings['DATA_DIR']!, port),
    PORT: port,
    PUBLIC_URL: house.url,
    ...settingsOf(house.standins!),
  };
}
