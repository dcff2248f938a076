/** `npm test` is red when anything is red: the runner is started in a small repository of its own with one fault at a time. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { bring, bringAll } from '#tests/support/browsers/bring.ts';

const root = join(import.meta.dirname, '..');
/** The runner itself and what it starts before the first test, PostgreSQL included: its package ends processes with code 0. */
const real = [
  'package.json',
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'tests/run.ts',
  'tests/suite',
  'tests/vitest.config.ts',
  'tests/vitest.long.config.ts',
  'tests/vitest.proof.config.ts',
  'tests/support/file-order.ts',
  'tests/support/global-setup.ts',
  'tests/support/port.ts',
  'tests/support/postgres.ts',
  'tests/support/postgres-server.ts',
  'tests/support/projects.ts',
  'tests/support/surroundings.ts',
];
/** What takes long or needs the whole product is empty here. */
const empty = ['apps/build.ts', 'tests/support/browsers/bring-all.ts', 'server/nothing.ts'];
/** Without the types of browsers and packages, which one line does not need and four compilers would read in every run. */
const quickly = '"compilerOptions": { "lib": ["es5"], "types": [], "skipLibCheck": true }';
const programs = ['server', 'apps', 'server/domain', 'tests'];

const good = `import { expect, test } from 'vitest';\n\ntest('one is one', () => {\n  expect(1).toBe(1);\n});\n`;
const bad = good.replace('toBe(1)', 'toBe(2)');
const storm = good.replace('one is one', 'a storm');
const skipped = good.replace('test(', 'test.skip(');
const unloadable = `throw new Error('broken');\n`;
/** Leaves a process that would hold the run's output open. */
const leaving = good
  .replace(`test('one`, `spawn('sleep', ['3600'], { stdio: 'inherit' });\n\ntest('one`)
  .replace('import', `import { spawn } from 'node:child_process';\nimport`);
/** Passes when it is tried once more. */
const flaky = `import { expect, test } from 'vitest';\n\nlet tries = 0;\n\ntest('luck', () => {\n  tries += 1;\n  expect(tries).toBe(2);\n});\n`;

/** Runs `tests/run.ts` over these files of tests and gives its exit code and its last line. */
async function runScratch(
  files: Record<string, string>,
  names: string[] = [],
): Promise<{ code: number; sum: string; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-runner-'));
  try {
    const put = async (path: string, text: string) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    };
    for (const path of real) await cp(join(root, path), join(folder, path), { recursive: true });
    for (const path of empty) await put(path, 'export const nothing = null;\n');
    for (const program of programs) {
      const only = join(folder, 'server/nothing.ts');
      await put(`${program}/tsconfig.json`, `{\n  ${quickly},\n  "files": ["${only}"]\n}\n`);
    }
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const [path, text] of Object.entries(files)) await put(path, text);
    const child = spawn(process.execPath, ['tests/run.ts', ...names], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
      // What a run costs is counted once, by the run around this one.
      env: { ...process.env, CI: 'true', COST_LOG: undefined },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, sum: output.trim().split('\n').at(-1) ?? '', output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const patience = { timeout: 240_000 };

test('a run in which everything passes is green, ends, says how much, and names what it leaves', async () => {
  const files = {
    'tests/a.test.ts': leaving,
    'tests/b.proof.ts': bad,
    'tests/c.long.ts': bad,
  };
  const { code, sum, output } = await runScratch(files);
  expect({ code, sum }).toEqual({ code: 0, sum: '9 passed, 0 failed' });
  expect(output).toContain('left for npm run test:proof, 1 files: tests/b.proof.ts\n');
  expect(output).toContain('left for npm run test:long, 1 files: tests/c.long.ts\n');
}, 240_000);

test('each fault makes a run red in its exit code and counts in its last line', async () => {
  const { code, sum, output } = await runScratch({
    'tests/good.test.ts': good,
    'tests/failing.test.ts': bad,
    'tests/skipped.test.ts': skipped,
    'tests/unloadable.test.ts': unloadable,
    'tests/unformatted.test.ts': good.replace('  expect', 'expect'),
    // All four programs of this small repository read it.
    'server/nothing.ts': `export const nothing: null = 1;\n`,
  });
  expect({ code, sum }).toEqual({ code: 1, sum: '5 passed, 8 failed' });
  // What failed stands together just before the sum: a long log is read from its end.
  const last = output.trim().split('\n').slice(-9, -1);
  const named = last.map((line) => /^FAILED: ([^:]+(?:: [a-z][^:]+)?)/.exec(line)?.[1]);
  expect(named.toSorted()).toEqual([
    'format',
    'tests/failing.test.ts: one is one',
    'tests/skipped.test.ts: one is one',
    'tests/unloadable.test.ts: broken',
    ...programs.map((program) => `types of ${program}`).toSorted(),
  ]);
}, 240_000);

test('a name runs the files that carry it, and one that no file carries is an error', async () => {
  const files = { 'tests/a.test.ts': good, 'tests/b.test.ts': bad };
  const green = await runScratch(files, ['a.test']);
  expect(green).toMatchObject({ code: 0, sum: '3 passed, 0 failed' });
  expect((await runScratch(files, ['nobody'])).code).toBe(1);
}, 240_000);

test('the runs of proofs and of long tests take only their own files', patience, async () => {
  const files = { 'tests/a.test.ts': bad, 'tests/b.proof.ts': storm, 'tests/c.long.ts': storm };
  for (const tier of ['--proof', '--long'])
    expect(await runScratch(files, [tier])).toMatchObject({ code: 0, sum: '3 passed, 0 failed' });
});

test('CI tries a failed test twice more and a proof once, and tells each', patience, async () => {
  const flakier = flaky.replace('toBe(2)', 'toBe(3)');
  const files = {
    'tests/a.test.ts': flakier,
    'tests/b.proof.ts': flaky,
    'tests/c.proof.ts': flakier,
  };
  const lucky = await runScratch(files, ['a.test']);
  expect(lucky.code).toBe(0);
  expect(lucky.output).toMatch(/^tried again: tests\/a\.test\.ts: luck: .*expected 1 to be 3/m);
  const proofs = await runScratch(files, ['--proof']);
  expect(proofs).toMatchObject({ code: 1, sum: '3 passed, 1 failed' });
  expect(proofs.output).toMatch(/^tried again: tests\/b\.proof\.ts: luck: .*expected 1 to be 2/m);
  expect(proofs.output).toMatch(/^FAILED: tests\/c\.proof\.ts: luck: .*expected 1 to be 3/m);
});

test('what the machine lacks is named all at once, with one command', () => {
  const lacks =
    (name: string, ...packages: string[]) =>
    () =>
      bring({ name, packages, find: () => null, ways: [] });
  const needs = {
    fox: lacks('Fox', 'fox-esr'),
    here: () => '/usr/bin/here',
    kit: lacks('Kit', 'a', 'b'),
  };
  expect(() => bringAll(needs)).toThrow(/Fox, Kit.*apt-get install -y fox-esr a b /);
});
