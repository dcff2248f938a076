/** `npm test` is red when anything is red: the runner is started in a small repository of its own with one fault at a time. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
/** The runner itself and what it starts before the first test, PostgreSQL included: its package ends processes with code 0. */
const real = [
  'package.json',
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'tests/run.ts',
  'tests/vitest.config.ts',
  'tests/vitest.long.config.ts',
  'tests/support/file-order.ts',
  'tests/support/global-setup.ts',
  'tests/support/port.ts',
  'tests/support/postgres.ts',
  'tests/support/postgres-server.ts',
  'tests/support/surroundings.ts',
];
/** What takes long or needs the whole product is empty here. */
const empty = ['apps/build.ts', 'tests/support/browsers/bring-all.ts', 'server/nothing.ts'];
/** Without the types of browsers and packages, which one line does not need and four compilers would read in every run. */
const quickly = '"compilerOptions": { "lib": ["es5"], "types": [], "skipLibCheck": true }';
const programs = ['server', 'apps', 'server/domain', 'tests'];

const good = `import { expect, test } from 'vitest';\n\ntest('one is one', () => {\n  expect(1).toBe(1);\n});\n`;
const bad = good.replace('toBe(1)', 'toBe(2)');
const long = good.replace('one is one', 'a storm');

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
    for (const path of real) await cp(join(root, path), join(folder, path));
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
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, sum: output.trim().split('\n').at(-1) ?? '', output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test(
  'a run in which everything passes is green, says how much, and names what it leaves for the long one',
  { timeout: 240_000 },
  async () => {
    const files = { 'tests/a.test.ts': good, 'tests/storm.long.ts': long };
    const { code, sum, output } = await runScratch(files);
    expect({ code, sum }).toEqual({ code: 0, sum: '9 passed, 0 failed' });
    expect(output).toMatch(/storm\.long\.ts > a storm\n1 test is left for npm run test:long\n/);
  },
);

/** With names only the tests run: format, types and lint need not be there to see that a test is red. */
const faults: [fault: string, files: Record<string, string>, names?: string[]][] = [
  ['a failing test', { 'tests/a.test.ts': good, 'tests/b.test.ts': bad }, ['.test']],
  [
    'a skipped test',
    { 'tests/a.test.ts': good, 'tests/b.test.ts': good.replace('test(', 'test.skip(') },
    ['.test'],
  ],
  [
    'a file that cannot be loaded',
    { 'tests/a.test.ts': good, 'tests/b.test.ts': `throw new Error('broken');\n` },
    ['.test'],
  ],
  ['no test at all', {}],
  [
    'a file that is not formatted and one of a wrong type',
    {
      'tests/a.test.ts': good.replace('  expect', 'expect'),
      'server/nothing.ts': `export const nothing: null = 1;\n`,
    },
  ],
];
for (const [fault, files, names] of faults) {
  test(
    `a run with ${fault} is red in its exit code and in its last line`,
    { timeout: 240_000 },
    async () => {
      const { code, sum } = await runScratch(files, names);
      expect(code).toBe(1);
      expect(sum).toMatch(/^\d+ passed, [1-9]\d* failed$/);
    },
  );
}

test(
  'the long run takes what was left, and is red when that is',
  { timeout: 240_000 },
  async () => {
    const files = { 'tests/a.test.ts': bad, 'tests/storm.long.ts': long };
    expect(await runScratch(files, ['--long'])).toMatchObject({
      code: 0,
      sum: '3 passed, 0 failed',
    });
    const red = { ...files, 'tests/storm.long.ts': bad };
    expect((await runScratch(red, ['--long'])).code).toBe(1);
  },
);

test(
  'a name runs the files that carry it, and one that no file carries is an error',
  { timeout: 240_000 },
  async () => {
    const files = { 'tests/a.test.ts': good, 'tests/b.test.ts': bad };
    expect(await runScratch(files, ['a.test'])).toMatchObject({
      code: 0,
      sum: '3 passed, 0 failed',
    });
    expect((await runScratch(files, ['nobody'])).code).toBe(1);
  },
);
