/** `npm run bench -- [name] [arguments]`: runs one measurement of this folder, or all of them; figures, never a verdict. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const benches = [
  'scanner-latency',
  'door-phone',
  'door-server',
  'door-decode',
  'chart',
  'chart-server',
  'live',
  'booking',
  'counter',
  'site',
  'queue',
  'admin',
  'reports',
  'report-export',
  'designer',
  'capacity',
] as const;
/** What people type. */
const aliases: Record<string, readonly string[]> = {
  door: ['scanner-latency', 'door-phone', 'door-server', 'door-decode'],
  decode: ['door-decode'],
  chart: ['chart', 'chart-server', 'live'],
};

const [name, ...rest] = process.argv.slice(2);
const wanted =
  name === undefined ? benches : (aliases[name] ?? benches.filter((bench) => bench === name));
if (wanted.length === 0) {
  console.error(
    `Usage: npm run bench -- [${[...new Set([...Object.keys(aliases), ...benches])].join(' | ')}] [arguments]`,
  );
  process.exit(2);
}
for (const bench of wanted) {
  console.log(`\n== ${bench}`);
  const { status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, `${bench}.ts`), ...rest],
    { stdio: 'inherit' },
  );
  if (status !== 0) process.exit(status ?? 1);
}
