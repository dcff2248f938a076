/** One PostgreSQL for the whole test run, from npm; each test gets a database of its own. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';

/** Starts on a free port. `durable` keeps every commit through a power cut, for measurements. */
export async function startPostgres({ durable = false } = {}) {
  const script = join(import.meta.dirname, 'postgres-server.ts');
  const child = spawn(process.execPath, [script, ...(durable ? ['--durable'] : [])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const url = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([line]) => String(line)),
    ended.then(() => null),
  ]);
  if (url === null) throw new Error('PostgreSQL did not start');
  return {
    url,
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

/** A new database, or a copy of one without connections; `drop` closes open connections. */
export async function makeDatabase(
  url: string,
  { like = null }: { like?: string | null } = {},
): Promise<{ address: string; drop: () => Promise<void> }> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  // Copying files is half the work of copying through the log, which is for databases in use.
  const copy =
    like === null ? '' : ` TEMPLATE ${new URL(like).pathname.slice(1)} STRATEGY file_copy`;
  await run(url, `CREATE DATABASE ${name}${copy}`);
  return {
    address: `${url}/${name}`,
    drop: () => run(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
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
