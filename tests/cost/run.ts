/**
 * `npm run cost -- COMMAND…`: what a command costs the whole machine, and each test file in it.
 * It samples every process four times a second, because browsers and servers that are no children
 * of the command escape `time`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMachine, readProcesses, readStart, type Process, type Used } from './processes.ts';

interface Known {
  kind: string;
  pool: string | null;
  user: number;
  system: number;
}

interface Spent extends Used {
  at: number;
  kind: string;
  pool: string | null;
}

interface Busy {
  file: string;
  pool: string;
  from: number;
  to: number;
}

const log = join(mkdtempSync(join(tmpdir(), 'botteghino-cost-')), 'log');
const known = new Map<string, Known>();
const spent: Spent[] = [];
const poolOfWorker = new Map<number, string>();

function kindOf({ name }: Process, command: string): string {
  if (/headless_shell|headless-shell|chrom/.test(`${name} ${command.split(' ')[0]}`)) return 'Chromium';
  if (/firefox/i.test(command)) return 'Firefox';
  if (/WPE|WebKit|MiniBrowser/i.test(`${name} ${command}`)) return 'WebKit';
  if (/postgres/.test(`${name} ${command}`)) return 'PostgreSQL';
  if (/vitest/.test(command)) return 'test worker';
  if (/server\/main|product/.test(command)) return 'product';
  if (/\btsc\b|oxlint|oxfmt/.test(command)) return 'sources';
  if (/node/.test(command)) return `node ${command.match(/[\w-]+\.(ts|js|mjs)/)?.[0] ?? ''}`;
  return name;
}

function readLog(): { what: 'begin' | 'end'; file: string; at: number; pid: number; pool: string }[] {
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
  return { kind: kindOf(process, command), pool, user: 0, system: 0 };
}

function sample(before: Set<string>): void {
  const at = Date.now();
  for (const process of readProcesses()) {
    if (before.has(process.key)) continue;
    const one = known.get(process.key) ?? meet(process);
    known.set(process.key, one);
    const user = process.user - one.user;
    const system = process.system - one.system;
    one.user = process.user;
    one.system = process.system;
    const pool = one.pool ?? `pid ${process.pid}`;
    if (user + system > 0) spent.push({ at, kind: one.kind, pool, user, system });
  }
}

/** Which file each worker was busy with, and when. */
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

function tell(began: number, machine: Used & { idle: number }): void {
  const busy = readBusy();
  const byFile = new Map<string, Used & { wall: number; kinds: Map<string, number> }>();
  for (const { file, from, to } of busy) {
    const row = byFile.get(file) ?? { user: 0, system: 0, wall: 0, kinds: new Map() };
    row.wall += Math.min(to, Date.now()) - from;
    byFile.set(file, row);
  }
  const kinds = new Map<string, Used>();
  for (const part of spent) {
    const kind = kinds.get(part.kind) ?? { user: 0, system: 0 };
    kind.user += part.user;
    kind.system += part.system;
    kinds.set(part.kind, kind);
    const pid = /^pid (\d+)$/.exec(part.pool ?? '')?.[1];
    const pool = pid === undefined ? part.pool : poolOfWorker.get(Number(pid));
    const file = busy.findLast((one) => one.pool === pool && one.from <= part.at)?.file;
    const row = file === undefined ? undefined : byFile.get(file);
    if (!row) continue;
    row.user += part.user;
    row.system += part.system;
    row.kinds.set(part.kind, (row.kinds.get(part.kind) ?? 0) + part.user + part.system);
  }
  const rows = [...byFile].toSorted(([, a], [, b]) => b.user + b.system - a.user - a.system);
  console.log('wall s | processor s | kernel s | file: the largest');
  for (const [file, row] of rows) {
    const parts = [...row.kinds].toSorted(([, a], [, b]) => b - a).slice(0, 4);
    const words = parts.map(([kind, ms]) => `${kind} ${seconds(ms)}`).join(', ');
    const used = row.user + row.system;
    console.log(`${seconds(row.wall)} | ${seconds(used)} | ${seconds(row.system)} | ${file}: ${words}`);
  }
  console.log('\nkind: processor s, kernel s');
  for (const [kind, { user, system }] of [...kinds].toSorted(
    ([, a], [, b]) => b.user + b.system - a.user - a.system,
  ))
    if (user + system > 500) console.log(`${kind}: ${seconds(user + system)}, ${seconds(system)}`);
  const seen = spent.reduce((sum, { user, system }) => sum + user + system, 0);
  console.log(`seen ${seconds(seen)} s of ${seconds(machine.user + machine.system)} s`);
  const { user, system, idle } = machine;
  console.log(
    `wall ${seconds(Date.now() - began)} s, processor of the machine ${seconds(user + system)} s, ` +
      `of it the kernel ${seconds(system)} s, idle ${seconds(idle)} s`,
  );
  const path = process.env['COST_JSON'];
  if (path) writeFileSync(path, JSON.stringify({ rows, kinds: [...kinds], machine }, (_, v) => v instanceof Map ? [...v] : v));
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
