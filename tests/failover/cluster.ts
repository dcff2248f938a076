/** Three nodes of PostgreSQL under Patroni, etcd and HAProxy on one machine, with the files that we ship: only addresses, folders and passwords are this machine's. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { until } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';

const shipped = join(import.meta.dirname, '../../.deploy/alta-disponibilita');
const programs = {
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
};
const names = ['uno', 'due', 'tre'] as const;

/** Debian's packages that are not on this machine. */
export function missingPackages(): string[] {
  return Object.entries(programs)
    .filter(([, path]) => !existsSync(path))
    .map(([name]) => name);
}

interface Cluster extends AsyncDisposable {
  /** Of an empty database, through HAProxy. */
  address: string;
  /** The machine of whoever writes loses its power: Patroni, PostgreSQL and etcd. */
  killLeader: () => Promise<void>;
  /** It comes back, and follows; resolves when a synchronous replica stands ready again. */
  reviveAll: () => Promise<void>;
}

interface Node {
  name: string;
  folder: string;
  ports: { postgres: number; patroni: number; etcd: number; peer: number };
  running: { etcd: ChildProcess; patroni: ChildProcess } | null;
}

/** Addresses of the files, as they are on this machine. */
function placed(text: string, nodes: readonly Node[], own: Node): string {
  let result = text
    .replaceAll('SCEGLI-UNA-PASSWORD', 'prova')
    .replaceAll('SCEGLI-UN-ALTRA-PASSWORD', 'replica');
  for (const [at, { ports }] of nodes.entries()) {
    const address = `10.0.0.${at + 1}`;
    const own1 = { 5432: ports.postgres, 8008: ports.patroni, 2379: ports.etcd, 2380: ports.peer };
    for (const [port, real] of Object.entries(own1))
      result = result.replaceAll(`${address}:${port}`, `@${at}@:${real}`);
  }
  // What the file of the first node says of itself is said of this one.
  const first = nodes[0]!.ports;
  const mine = nodes.indexOf(own);
  return result
    .split('\n')
    .map((line) => {
      if (!/listen|connect_address|LISTEN|ADVERTISE/.test(line)) return line;
      return Object.entries(first).reduce(
        (said, [kind, port]) =>
          said.replace(`@0@:${port}`, `@${mine}@:${own.ports[kind as keyof Node['ports']]}`),
        line,
      );
    })
    .join('\n')
    .replace('name: uno', `name: ${own.name}`)
    .replace('ETCD_NAME=uno', `ETCD_NAME=${own.name}`)
    .replaceAll(/@\d@/g, '127.0.0.1')
    .replaceAll('10.0.0.0/24', '127.0.0.1/32')
    .replaceAll('/var/lib/postgresql/15/botteghino', join(own.folder, 'data'))
    .replaceAll('/var/lib/etcd/botteghino', join(own.folder, 'etcd'));
}

function postgresUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function launchNode(node: Node, nodes: readonly Node[]): void {
  const user = postgresUser();
  const read = (file: string) => placed(readFileSync(join(shipped, file), 'utf8'), nodes, node);
  const settings = read('etcd')
    .split('\n')
    .filter((line) => line.startsWith('ETCD_'))
    .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]);
  const file = join(node.folder, 'patroni.yml');
  // One machine has one folder of sockets: nobody uses it here.
  writeFileSync(
    file,
    read('patroni.yml')
      .replace('max_connections: 200', `max_connections: 200\n        unix_socket_directories: ''`)
      .replace('    - local all all peer\n', ''),
  );
  const options = { ...user, stdio: 'ignore', cwd: node.folder, detached: true } as const;
  const etcd = spawn(programs['etcd-server'], [], {
    ...options,
    env: { ...process.env, ...Object.fromEntries(settings) },
  });
  const patroni = spawn(programs.patroni, [file], { ...options, env: { PATH: '/usr/bin:/bin' } });
  node.running = { etcd, patroni };
}

async function killNode(node: Node): Promise<void> {
  const { running } = node;
  if (running === null) return;
  node.running = null;
  const lost = Object.values(running).map((child) => once(child, 'exit'));
  for (const child of Object.values(running)) child.kill('SIGKILL');
  const pidFile = join(node.folder, 'data/postmaster.pid');
  if (existsSync(pidFile)) {
    const [pid] = readFileSync(pidFile, 'utf8').split('\n');
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It was gone before.
    }
  }
  await Promise.all(lost);
}

async function answers(node: Node, path: string): Promise<boolean> {
  return fetch(`http://127.0.0.1:${node.ports.patroni}${path}`, {
    signal: AbortSignal.timeout(2_000),
  }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function findNode(nodes: readonly Node[], path: string): Promise<Node | null> {
  for (const node of nodes) if (node.running && (await answers(node, path))) return node;
  return null;
}

export async function startCluster(): Promise<Cluster> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  chmodSync(folder, 0o755);
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const nodes: Node[] = [];
  for (const name of names) {
    const own = join(folder, name);
    mkdirSync(own);
    const { uid, gid } = postgresUser();
    if (uid !== undefined) execFileSync('chown', [`${uid}:${gid}`, own]);
    const [postgres, patroni, etcd, peer] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    nodes.push({ name, folder: own, ports: { postgres, patroni, etcd, peer }, running: null });
  }
  opened.defer(async () => {
    for (const node of nodes) await killNode(node);
    // Children of PostgreSQL notice by themselves.
    await pause(500);
  });
  for (const node of nodes) launchNode(node, nodes);
  const reviveAll = async () => {
    for (const node of nodes) if (node.running === null) launchNode(node, nodes);
    await until(async () => (await findNode(nodes, '/sync')) !== null, 120_000);
  };
  const port = await freePort();
  opened.use(launchHaproxy(nodes, { folder, port }));
  await until(async () => (await findNode(nodes, '/primary')) !== null, 120_000);
  await reviveAll();
  const url = `postgres://postgres:prova@127.0.0.1:${port}`;
  await until(() => makeDatabaseAt(url), 30_000);
  const closing = opened.move();
  return {
    address: `${url}/botteghino`,
    async killLeader() {
      await killNode((await findNode(nodes, '/primary'))!);
    },
    reviveAll,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

function launchHaproxy(
  nodes: readonly Node[],
  { folder, port }: { folder: string; port: number },
): AsyncDisposable {
  const config = nodes.reduce(
    (text, { ports }, at) =>
      text.replace(
        `10.0.0.${at + 1}:5432 check port 8008`,
        `127.0.0.1:${ports.postgres} check port ${ports.patroni}`,
      ),
    readFileSync(join(shipped, 'haproxy.cfg'), 'utf8').replace(
      'bind 127.0.0.1:5000',
      `bind 127.0.0.1:${port}`,
    ),
  );
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, config);
  const child = spawn(programs.haproxy, ['-f', file, '-db'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function makeDatabaseAt(url: string): Promise<boolean> {
  const client = new Client({
    connectionString: `${url}/postgres`,
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('CREATE DATABASE botteghino');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
