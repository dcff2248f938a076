/**
 * A real pgbouncer in transaction mode in front of a PostgreSQL, with no settings that ease
 * anything.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { bring } from './browsers/bring.ts';
import { until } from './make.ts';
import { freePort } from './port.ts';

function ensurePgbouncer(): string {
  return bring({
    name: 'pgbouncer',
    find: () => ['/usr/sbin/pgbouncer'].find((path) => existsSync(path)) ?? null,
    packages: ['pgbouncer'],
  });
}

/** `target`: the address of a database. */
export async function startPgbouncer(target: string) {
  const program = ensurePgbouncer();
  const { hostname, port: targetPort, username, password, pathname } = new URL(target);
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${targetPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 8
max_client_conn = 200
`,
  );
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const uid = isRoot ? Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })) : null;
  const child = spawn(program, [file], { stdio: 'ignore', ...(uid === null ? {} : { uid }) });
  const ended = once(child, 'exit');
  await until(() => isOpen(port));
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function isOpen(port: number): Promise<boolean> {
  const line = connect(port, '127.0.0.1');
  try {
    await once(line, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    line.destroy();
  }
}
