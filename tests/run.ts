/** npm test: builds, then types, lint, unit, API on both databases and end to end; one line at the end sums it up. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './support/browser.ts';
import { ensureFirefox } from './support/firefox.ts';
import { ensureHunspell } from './support/spelling.ts';
import { ensureWebKit } from './support/webkit.ts';

const root = join(import.meta.dirname, '..');
const out = join(root, 'tests/.out');
const bin = join(root, 'node_modules/.bin');
let passed = 0;
let failed = 0;

/** One command whose exit code is its verdict. */
function check(name: string, command: string, args: string[]): void {
  const began = performance.now();
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (status === 0) passed += 1;
  else failed += 1;
  console.log(`${status === 0 ? 'ok' : 'FAILED'}: ${name} (${seconds} s)`);
}

/** Vitest counts its own tests; a run that breaks off before it can count is one failure. */
function runTests(): void {
  const report = join(out, 'vitest.json');
  const { status } = spawnSync(join(bin, 'vitest'), ['run', '--config', 'tests/vitest.config.ts', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8')) as { numPassedTests: number; numFailedTests: number; numPendingTests: number; numTodoTests: number; numFailedTestSuites: number; testResults: { status: string; assertionResults: unknown[] }[] };
    const brokenFiles = counts.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
    passed += counts.numPassedTests;
    // A skipped test proves nothing: it counts against us.
    failed += counts.numFailedTests + counts.numPendingTests + counts.numTodoTests + brokenFiles;
    if (status !== 0 && counts.numFailedTests + brokenFiles === 0) failed += 1;
  } catch {
    failed += 1;
  }
}

const began = performance.now();
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
console.log(`Chromium: ${ensureChromium()}`);
console.log(`Firefox: ${ensureFirefox()}`);
console.log(`WebKit: ${ensureWebKit()}`);
console.log(`Italian dictionary: ${ensureHunspell()}`);
check('build', process.execPath, ['apps/build.ts', '--if-changed']);
for (const program of ['server', 'apps', 'server/domain', 'tests']) check(`types of ${program}`, join(bin, 'tsc'), ['-p', program]);
check('lint', join(bin, 'oxlint'), ['--deny-warnings']);
runTests();
console.log(`in ${Math.round((performance.now() - began) / 1000)} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
