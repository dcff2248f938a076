/**
 * `npm test`: builds, then format, types, lint, unit, API on both databases and end to end; the last line sums it up.
 * `npm test -- NAME…` runs only the test files whose path contains a name.
 * It imports nothing but Node: a package's exit hook could otherwise overwrite the exit code.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const out = join(root, 'tests/.out');
const bin = join(root, 'node_modules/.bin');
const names = process.argv.slice(2);
let passed = 0;
let failed = 0;

function run(command: string, args: string[]): number | null {
  return spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status;
}

/** One command whose exit code is its verdict. */
function check(name: string, command: string, args: string[]): void {
  const began = performance.now();
  const good = run(command, args) === 0;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (good) passed += 1;
  else failed += 1;
  console.log(`${good ? 'ok' : 'FAILED'}: ${name} (${seconds} s)`);
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
function runTests(): void {
  const path = join(out, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`];
  const config = ['--config', 'tests/vitest.config.ts'];
  const status = run(join(bin, 'vitest'), ['run', ...config, ...reporters, ...names]);
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

const began = performance.now();
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
check('browsers and dictionary', process.execPath, ['tests/support/browsers/bring-all.ts']);
check('build', process.execPath, ['apps/build.ts', '--if-changed']);
if (names.length === 0) {
  check('format', join(bin, 'oxfmt'), ['--check']);
  for (const program of ['server', 'apps', 'server/domain', 'tests']) {
    check(`types of ${program}`, join(bin, 'tsc'), ['-p', program]);
  }
  check('lint', join(bin, 'oxlint'), ['--deny-warnings']);
}
runTests();
console.log(`in ${Math.round((performance.now() - began) / 1000)} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
