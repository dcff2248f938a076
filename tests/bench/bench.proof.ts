/**
 * Runs every measurement at a small scale; ratios to the floor of the same run may be twice as
 * bad as when this was written. One beyond its limit is measured again, because so short a
 * measurement suffers from what else the machine does in that moment.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

/** The number in brackets is taken from the output and must lie within these limits. */
interface Bound {
  figure: RegExp;
  least?: number;
  most?: number;
}

/** How often a figure must be beyond its limit in a row to be a fault. */
const tries = 3;

interface Small {
  bench: string;
  args?: string;
  scale?: number;
  env?: Record<string, string>;
  bounds?: Bound[];
}

const measurements: Small[] = [
  {
    bench: 'door-server',
    args: 'list,delta,scans,crowd,live 2',
    scale: 0.2,
    // Effects of the size of a hall show in a large hall only.
    env: { DOOR_PLACES: '40000' },
    bounds: [
      { figure: /^list of .*, ratio ([\d.]+);/m, most: 7 },
      { figure: /^empty delta .* ratio ([\d.]+)$/m, most: 2.4 },
      { figure: /batches of 500: .* bare [\d.]+, ratio ([\d.]+);/, least: 0.15 },
      { figure: /^live to .* as much as (\d+) kept 304s$/m, most: 1_200 },
    ],
  },
  { bench: 'scanner-latency' },
  { bench: 'door-phone' },
  { bench: 'door-decode', args: '1 0' },
  { bench: 'chart', bounds: [{ figure: /^chart\.js .*? \(([\d.]+)×\)/m, most: 13 }] },
  {
    bench: 'booking',
    args: 'sale,rules,fight,wal,vendors 1 60',
    scale: 0.1,
    bounds: [
      { figure: /without database = [\d.]+ \(goal 0.45\), by CPU ([\d.]+)/, least: 0.2 },
      { figure: /one client: ([\d.]+) KB/, most: 80 },
      { figure: /with rules : without = ([\d.]+) by CPU/, most: 1.6 },
    ],
  },
  {
    bench: 'site',
    args: 'all 1',
    scale: 0.1,
    bounds: [
      { figure: /^weight.* ratio ([\d.]+) /m, most: 1.8 },
      { figure: /^event JSON: 200 .*? ratio ([\d.]+) /m, least: 0.35 },
      { figure: /^event JSON: .* ratio ([\d.]+) \(goal 0.90\)/m, least: 0.35 },
      { figure: /^event page: LCP .* ratio ([\d.]+) /m, most: 4 },
    ],
  },
  { bench: 'designer', bounds: [{ figure: /open \d+ ms, ([\d.]+) ×/, most: 3 }] },
  { bench: 'capacity' },
  {
    bench: 'price',
    bounds: [
      { figure: /^100 places, 20 rules: .* ratio ([\d.]+)$/m, most: 1.5 },
      { figure: /^100 places at the bound of states: .* ratio ([\d.]+)$/m, most: 40 },
    ],
  },
];

for (const small of measurements)
  test(`npm run bench -- ${small.bench} goes through, and what is measured is not twice as dear`, async () => {
    const tried: string[] = [];
    for (let nth = 0; nth < tries; nth += 1) {
      const said = await measure(small);
      // A figure without measurements shows as one of these.
      expect(said).not.toMatch(/NaN|undefined|Infinity|UNEXPECTED/);
      const beyond = (small.bounds ?? []).flatMap((bound) => beyondBound(bound, said));
      if (beyond.length === 0) return;
      tried.push(...beyond, said);
    }
    expect.fail(tried.join('\n'));
  });

test('what is no measurement is told which there are', async () => {
  const { status, said } = await run(['run.ts', 'tempo']);
  expect(status).toBe(2);
  for (const { bench } of measurements) expect(said).toContain(bench);
});

function beyondBound({ figure, least = 0, most = Infinity }: Bound, said: string): string[] {
  const value = Number(figure.exec(said)?.[1] ?? 'none');
  const isWithin = value >= least && value <= most;
  return isWithin ? [] : [`${figure} is ${value}, not ${least} to ${most}`];
}

async function measure({ bench, args = '', scale = 0.01, env = {} }: Small): Promise<string> {
  const asked = args.split(' ').filter((arg) => arg !== '');
  const { status, said } = await run([`${bench}.ts`, ...asked], {
    BENCH_SCALE: String(scale),
    ...env,
  });
  expect(status, said).toBe(0);
  return said;
}

async function run([file = '', ...args]: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, complained] = [text(child.stdout), text(child.stderr)];
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, said: `${await complained}${await out}` };
}
