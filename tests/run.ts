/**
 * `npm test`: builds, then runs every `*.test.ts`, with format, types and lint beside them.
 * `npm test -- NAME…` runs only the files whose path contains a name, `npm test -- --changed` those
 * that the change since main asks for. `npm run test:proof` and `npm run test:long` run the files
 * of the two heavier tiers. The last line is the sum.
 * It imports nothing but Node: a package's exit hook could otherwise overwrite the exit code.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { listChanged } from './suite/change.ts';
import { addUp, describe, keep, type TimedFile } from './suite/seconds.ts';
import { selectTests } from './suite/selection.ts';

const root = join(import.meta.dirname, '..');
const out = join(root, 'tests/.out');
const bin = join(root, 'node_modules/.bin');
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    /** Writes the seconds of each folder to tests/seconds.json. */
    keep: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    proof: { type: 'boolean', default: false },
  },
});
const tier = flags.long ? 'long' : flags.proof ? 'proof' : 'test';
const programs = ['server', 'apps', 'server/domain', 'tests'];
let passed = 0;
let failed = 0;
/** What failed, a line each; they stand together just before the sum. */
const red: string[] = [];

/** The output is returned, so that parallel commands do not mix their lines. */
async function run(
  command: string,
  args: string[],
): Promise<{ status: number | null; said: string }> {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, said };
}

/** How long Vitest may take to end once its report is whole. */
const longestEndMs = 15_000;

/**
 * Runs Vitest in a process group of its own, which is killed at the end: a process that a test left
 * behind would keep Vitest waiting for its output, and a caller of this program too.
 */
async function runVitest(args: string[], report: string): Promise<{ status: number | null }> {
  const child = spawn(join(bin, 'vitest'), args, { cwd: root, stdio: 'inherit', detached: true });
  const kill = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, signal);
    } catch {
      // The group has ended.
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => kill(signal));
  let written: number | null = null;
  let hung = false;
  const look = setInterval(() => {
    if (written === null && readReport(report) === null) return;
    written ??= performance.now();
    hung = performance.now() - written > longestEndMs;
    if (hung) kill('SIGKILL');
  }, 1_000);
  const [status] = (await once(child, 'exit')) as [number | null];
  clearInterval(look);
  kill('SIGKILL');
  if (!hung) return { status };
  console.log('Vitest did not end by itself after its report.');
  return { status: 0 };
}

/** Runs one command: its exit code is the verdict, and that it says nothing but what is expected. */
async function check(name: string, command: string, args: string[], expected = /^/): Promise<void> {
  const began = performance.now();
  const { status, said } = await run(command, args);
  const good = status === 0 && expected.test(said);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (good) passed += 1;
  else {
    failed += 1;
    red.push(name);
  }
  console.log(`${said}${good ? 'ok' : 'failed'}: ${name} (${seconds} s)`);
}

/** These run one after the other, so together they need one processor. */
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
  testResults: (TimedFile & { status: string; message: string; assertionResults: Assertion[] })[];
}

interface Assertion {
  fullName: string;
  status: string;
  failureMessages?: string[];
}

/** One line for each test that did not pass, and for each file that could not be loaded. */
function listRed({ testResults }: VitestReport): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    if (status === 'failed' && assertionResults.length === 0)
      return [`${relative(root, name)}: ${message}`];
    return assertionResults.flatMap((one) => (one.status === 'passed' ? [] : say(name, one)));
  });
}

/** One line for each test that passed, but not at its first try, with what it said then. */
function listLucky({ testResults }: VitestReport): string[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages?.length)
      .map((one) => say(name, one)),
  );
}

function say(file: string, { fullName, status, failureMessages }: Assertion): string {
  return `${relative(root, file)}: ${fullName}: ${failureMessages?.[0] ?? status}`;
}

/** A line of a report, without what a long message adds. */
function tell(word: string, lines: readonly string[]): void {
  for (const line of lines)
    console.log(`${word}: ${line.split('\n').slice(0, 3).join(' ').slice(0, 500)}`);
}

function readReport(path: string): VitestReport | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as VitestReport;
  } catch {
    return null;
  }
}

/** Vitest counts its own tests; a run that breaks off before it can count is one failure. */
async function runTests(names: readonly string[]): Promise<void> {
  const path = join(out, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`];
  const config = `tests/vitest.${tier === 'test' ? '' : `${tier}.`}config.ts`;
  const asked = ['run', '--config', config, ...reporters, ...names];
  const { status } = await runVitest(asked, path);
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
  red.push(...listRed(report));
  tell('tried again', listLucky(report));
  const unexplained = status !== 0 && notPassed + brokenFiles === 0;
  if (unexplained || report.numPassedTests === 0) failed += 1;
  if (tier === 'long') return;
  const seconds = addUp(report.testResults);
  console.log(describe(tier, seconds));
  if (flags.keep) keep(tier, seconds);
}

/**
 * Names the files of the heavier tiers that did not run, so that nothing is left out silently.
 */
function tellLeftOut(): void {
  for (const left of ['proof', 'long']) {
    const files = globSync(`tests/**/*.${left}.ts`, { cwd: root }).toSorted();
    if (files.length > 0)
      console.log(`left for npm run test:${left}, ${files.length} files: ${files.join(', ')}`);
  }
}

/**
 * The names of the files that a change selects; prints the rooms that it saw and the files left
 * out.
 */
function chooseChanged(): string[] {
  const { base, paths } = listChanged();
  const { rooms, tests, leftOut } = selectTests(paths);
  console.log(`changed since ${base.slice(0, 8)}: ${rooms.join(', ') || 'nothing'}`);
  console.log(
    `left out, ${leftOut.length} of ${leftOut.length + tests.length} files: ${leftOut.join(', ')}`,
  );
  return tests;
}

const began = performance.now();
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const names = flags.changed ? chooseChanged() : positionals;
const isWhole = tier === 'test' && positionals.length === 0;
const sources = isWhole ? checkSources() : Promise.resolve();
await check('browsers and dictionary', process.execPath, ['tests/support/browsers/bring-all.ts']);
// A warning of the build is a fault, or the next one is not seen.
await check('build', process.execPath, ['apps/build.ts', '--if-changed'], /^(?:built .+\n)?$/);
await runTests(names);
await sources;
if (isWhole) tellLeftOut();
console.log(`in ${Math.round((performance.now() - began) / 1000)} s`);
tell('FAILED', red);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
