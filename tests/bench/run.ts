/** `npm run bench -- [name] [arguments]`: builds what is measured, then runs one measurement of this folder, or all of them; figures, never a verdict. BENCH_SCALE=0.05 makes all of it smaller (scale.ts). */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Whether a bench needs a browser. */
const benches: Record<string, { browser: boolean }> = {
  'scanner-latency': { browser: true },
  'door-phone': { browser: true },
  'door-server': { browser: false },
  'door-decode': { browser: false },
  chart: { browser: true },
  booking: { browser: false },
  site: { browser: true },
  designer: { browser: true },
  capacity: { browser: false },
  price: { browser: false },
};
/** Short names for the command line. */
const aliases: Record<string, readonly string[]> = {
  door: ['scanner-latency', 'door-phone', 'door-server', 'door-decode'],
  decode: ['door-decode'],
};

const [name, ...rest] = process.argv.slice(2);
const all = Object.keys(benches);
const wanted = name === undefined ? all : (aliases[name] ?? all.filter((bench) => bench === name));
if (wanted.length === 0) {
  const names = new Set([...Object.keys(aliases), ...all]);
  console.error(`Usage: npm run bench -- [${[...names].join(' | ')}] [arguments]`);
  process.exit(2);
}

function run(file: string, args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [file, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

run(join(import.meta.dirname, '../../apps/build.ts'), ['--if-changed']);
if (wanted.some((bench) => benches[bench]!.browser)) {
  const { ensureChromium } = await import('#tests/support/browsers/browser.ts');
  ensureChromium();
}
for (const bench of wanted) {
  console.log(`\n== ${bench}`);
  run(join(import.meta.dirname, `${bench}.ts`), rest);
}
