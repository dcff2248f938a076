/**
 * `npm run cost -- COMMAND…`: what a command costs the whole machine, and each test file in it.
 * It samples every process four times a second, because browsers and servers that are no children
 * of the command escape `time`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMachine, readProcesses, readStart, type Process, type Used } from './processes.ts';

interface Known extends Used {
  kind: string;
  parent: number;
  /** The worker number in the environment; browsers overwrite theirs. */
  pool: string | null;
}

interface Spent extends Used {
  at: number;
  process: number;
  kind: string;
}

interface Busy {
  file: string;
  pool: string;
  from: number;
  to: number;
}

const log = join(mkdtempSync(join(tmpdir(), 'botteghino-cost-')), 'log');
const known = new Map<string, Known>();
const byNumber = new Map<number, Known>();
const spent: Spent[] = [];
const poolOfWorker = new Map<number, string>();

const kinds: [RegExp, string][] = [
  [/headless.shell|chrom/, 'Chromium'],
  [/firefox/i, 'Firefox'],
  [/WPE|WebKit|MiniBrowser/i, 'WebKit'],
  [/postgres/, 'PostgreSQL'],
  [/vitest/, 'test worker'],
  [/server\/main/, 'product'],
  [/\btsc\b|oxlint|oxfmt/, 'sources'],
];

function kindOf({ name }: Process, command: string): string {
  const program = `${name} ${command}`;
  const kind = kinds.find(([words]) => words.test(program))?.[1];
  return kind ?? (/node/.test(command) ? `node ${/[\w-]+\.[jt]s/.exec(command)?.[0]}` : name);
}

function readLog(): {
  what: 'begin' | 'end';
  file: string;
  at: number;
  pid: number;
  pool: string;
}[] {
  try {
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    return lines.filter(Boolean).map((line) => JSON.parse(line) as ReturnType<typeof readLog>[0]);
  } catch {
    return [];
  }
}

function meet(process: Process): Known {
  const { command, environment } = readStart(process.pid);
  const pool = environment.get('VITEST_POOL_ID') ?? null;
  return { kind: kindOf(process, command), parent: process.parent, pool, user: 0, system: 0 };
}

/** The worker that a process belongs to, by its environment or by its parent. */
function poolOf(number: number): string | null {
  const worker = poolOfWorker.get(number);
  if (worker !== undefined) return worker;
  const one = byNumber.get(number);
  return one === undefined ? null : (one.pool ?? poolOf(one.parent));
}

function sample(before: Set<string>): void {
  const at = Date.now();
  for (const process of readProcesses()) {
    if (before.has(process.key)) continue;
    const one = known.get(process.key) ?? meet(process);
    known.set(process.key, one);
    byNumber.set(process.pid, one);
    const user = process.user - one.user;
    const system = process.system - one.system;
    one.user = process.user;
    one.system = process.system;
    if (user + system > 0) spent.push({ at, process: process.pid, kind: one.kind, user, system });
  }
}

/** The file that each worker ran, and when. */
function readBusy(): Busy[] {
  const open = new Map<string, Busy>();
  const all: Busy[] = [];
  for (const { what, file, at, pid, pool } of readLog()) {
    poolOfWorker.set(pid, pool);
    if (what === 'begin') {
      const one = { file, pool, from: at, to: Infinity };
      const earlier = open.get(pool);
      if (earlier?.to === Infinity) earlier.to = at;
      open.set(pool, one);
      all.push(one);
    } else open.get(pool)!.to = at;
  }
  return all;
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);
const sumOf = ({ user, system }: Used) => user + system;

interface Row extends Used {
  wall: number;
  kinds: Map<string, number>;
}

function addUpFiles(busy: readonly Busy[]): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const { file, from, to } of busy) {
    const row = rows.get(file) ?? { user: 0, system: 0, wall: 0, kinds: new Map() };
    row.wall += Math.min(to, Date.now()) - from;
    rows.set(file, row);
  }
  for (const { at, process, kind, user, system } of spent) {
    const pool = poolOf(process);
    const file = busy.findLast((one) => one.pool === pool && one.from <= at)?.file;
    const row = rows.get(file ?? '');
    if (!row) continue;
    row.user += user;
    row.system += system;
    row.kinds.set(kind, (row.kinds.get(kind) ?? 0) + user + system);
  }
  return rows;
}

function addUpKinds(): Map<string, Used> {
  const kinds = new Map<string, Used>();
  for (const { kind, user, system } of spent) {
    const sum = kinds.get(kind) ?? { user: 0, system: 0 };
    kinds.set(kind, { user: sum.user + user, system: sum.system + system });
  }
  return kinds;
}

function tell(began: number, machine: Used & { idle: number }): void {
  const rows = [...addUpFiles(readBusy())].toSorted(([, a], [, b]) => sumOf(b) - sumOf(a));
  console.log('wall s | processor s | kernel s | file: the largest');
  for (const [file, row] of rows) {
    const parts = [...row.kinds].toSorted(([, a], [, b]) => b - a).slice(0, 4);
    const words = parts.map(([kind, ms]) => `${kind} ${seconds(ms)}`).join(', ');
    const figures = [row.wall, sumOf(row), row.system].map(seconds).join(' | ');
    console.log(`${figures} | ${file}: ${words}`);
  }
  console.log('\nkind: processor s, kernel s');
  for (const [kind, used] of [...addUpKinds()].toSorted(([, a], [, b]) => sumOf(b) - sumOf(a)))
    if (sumOf(used) > 500) console.log(`${kind}: ${seconds(sumOf(used))}, ${seconds(used.system)}`);
  const seen = spent.reduce((sum, one) => sum + sumOf(one), 0);
  console.log(`seen ${seconds(seen)} s of ${seconds(sumOf(machine))} s`);
  console.log(
    `wall ${seconds(Date.now() - began)} s, processor of the machine ${seconds(sumOf(machine))} s, ` +
      `of it the kernel ${seconds(machine.system)} s, idle ${seconds(machine.idle)} s`,
  );
}

const began = Date.now();
const start = readMachine();
const before = new Set(readProcesses().map(({ key }) => key));
const [command, ...args] = process.argv.slice(2);
const child = spawn(command!, args, { stdio: 'inherit', env: { ...process.env, COST_LOG: log } });
const timer = setInterval(() => sample(before), 250);
const [status] = (await once(child, 'close')) as [number | null];
clearInterval(timer);
sample(before);
const end = readMachine();
tell(began, {
  user: end.user - start.user,
  system: end.system - start.system,
  idle: end.idle - start.idle,
});
process.exitCode = status ?? 1;
