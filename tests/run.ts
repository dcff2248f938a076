/**
 * `npm test`: builds, then runs unit, API on both databases and end to end, with format, types and lint beside them; the last line sums it up.
 * `npm test -- NAME…` runs only the test files whose path contains a name; `npm run test:long` those that `npm test` leaves out.
 * It imports nothing but Node: a package's exit hook could otherwise overwrite the exit code.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const out = join(root, 'tests/.out');
const bin = join(root, 'node_modules/.bin');
const isLong = process.argv.includes('--long');
const names = process.argv.slice(2).filter((name) => name !== '--long');
const programs = ['server', 'apps', 'server/domain', 'tests'];
let passed = 0;
let failed = 0;

/** `aloud` shows its output as it comes; otherwise it is kept and given back, so that two that run at once do not mix their lines. */
async function run(
  command: string,
  args: string[],
  { aloud = false } = {},
): Promise<{ status: number | null; said: string }> {
  const output = aloud ? 'inherit' : 'pipe';
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', output, output] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, said };
}

/** One command whose exit code is its verdict. */
async function check(name: string, command: string, args: string[]): Promise<void> {
  const began = performance.now();
  const { status, said } = await run(command, args);
  const good = status === 0;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (good) passed += 1;
  else failed += 1;
  console.log(`${said}${good ? 'ok' : 'FAILED'}: ${name} (${seconds} s)`);
}

/** One after the other: together they need no more than one processor. */
async function checkSources(): Promise<void> {
  await check('format', join(bin, 'oxfmt'), ['--check']);
  await check('lint', join(bin, 'oxlint'), ['--deny-warnings']);
  for (const program of programs)
    await check(`types of ${program}`, join(bin, 'tsc'), ['-p', program]);
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

function readReport(path: string): VitestReport | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as VitestReport;
  } catch {
    return null;
  }
}

/** Vitest counts its own tests; a run that breaks off before it can count is one failure. */
async function runTests(): Promise<void> {
  const path = join(out, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`];
  const config = ['--config', `tests/vitest.${isLong ? 'long.' : ''}config.ts`];
  const asked = ['run', ...config, ...reporters, ...names];
  const { status } = await run(join(bin, 'vitest'), asked, { aloud: true });
  const report = readReport(path);
  if (report === null) {
    failed += 1;
    return;
  }
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  // A skipped test proves nothing: it counts as failed.
  const notPassed = report.numFailedTests + report.numPendingTests + report.numTodoTests;
  passed += report.numPassedTests;
  failed += notPassed + brokenFiles;
  const unexplained = status !== 0 && notPassed + brokenFiles === 0;
  if (unexplained || report.numPassedTests === 0) failed += 1;
}

/** What this run leaves for `npm run test:long`, by name and number: nothing is left out in silence. */
async function tellLeftOut(): Promise<void> {
  if (globSync('tests/**/*.long.ts', { cwd: root }).length === 0) return;
  const asked = ['list', '--config', 'tests/vitest.long.config.ts'];
  const { status, said } = await run(join(bin, 'vitest'), asked);
  const left = said.split('\n').filter((line) => line.includes(' > '));
  if (status !== 0 || left.length === 0) {
    failed += 1;
    console.log(`${said}FAILED: what is left for npm run test:long cannot be listed`);
    return;
  }
  const many = left.length === 1 ? '1 test is' : `${left.length} tests are`;
  console.log(`${left.join('\n')}\n${many} left for npm run test:long`);
}

const began = performance.now();
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const isWhole = names.length === 0 && !isLong;
const sources = isWhole ? checkSources() : Promise.resolve();
await check('browsers and dictionary', process.execPath, ['tests/support/browsers/bring-all.ts']);
await check('build', process.execPath, ['apps/build.ts', '--if-changed']);
await runTests();
await sources;
if (isWhole) await tellLeftOut();
console.log(`in ${Math.round((performance.now() - began) / 1000)} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
