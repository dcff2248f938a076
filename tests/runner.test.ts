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
  'tests/support/global-setup.ts',
  'tests/support/port.ts',
  'tests/support/postgres.ts',
  'tests/support/postgres-server.ts',
];
/** What takes long or needs the whole product is empty here. */
const empty = ['apps/build.ts', 'tests/support/browsers/bring-all.ts', 'server/nothing.ts'];
const programs = ['server', 'apps', 'server/domain', 'tests'];

const good = `import { expect, test } from 'vitest';\n\ntest('one is one', () => {\n  expect(1).toBe(1);\n});\n`;
const bad = good.replace('toBe(1)', 'toBe(2)');

/** Runs `tests/run.ts` over these files of tests and gives its exit code and its last line. */
async function runScratch(
  files: Record<string, string>,
  names: string[] = [],
): Promise<{ code: number; sum: string }> {
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
      await put(`${program}/tsconfig.json`, `{ "files": ["${only}"] }\n`);
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
    return { code, sum: output.trim().split('\n').at(-1) ?? '' };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test(
  'a run in which everything passes is green and says how much',
  { timeout: 120_000 },
  async () => {
    expect(await runScratch({ 'tests/a.test.ts': good })).toEqual({
      code: 0,
      sum: '9 passed, 0 failed',
    });
  },
);

const faults: [fault: string, files: Record<string, string>][] = [
  ['a failing test', { 'tests/a.test.ts': good, 'tests/b.test.ts': bad }],
  [
    'a skipped test',
    { 'tests/a.test.ts': good, 'tests/b.test.ts': good.replace('test(', 'test.skip(') },
  ],
  [
    'a file that cannot be loaded',
    { 'tests/a.test.ts': good, 'tests/b.test.ts': `throw new Error('broken');\n` },
  ],
  ['no test at all', {}],
  ['a file that is not formatted', { 'tests/a.test.ts': good.replace('  expect', 'expect') }],
];
for (const [fault, files] of faults) {
  test(
    `a run with ${fault} is red in its exit code and in its last line`,
    { timeout: 120_000 },
    async () => {
      const { code, sum } = await runScratch(files);
      expect(code).toBe(1);
      expect(sum).toMatch(/^\d+ passed, [1-9]\d* failed$/);
    },
  );
}

test(
  'a name runs the files that carry it, and one that no file carries is an error',
  { timeout: 120_000 },
  async () => {
    const files = { 'tests/a.test.ts': good, 'tests/b.test.ts': bad };
    expect(await runScratch(files, ['a.test'])).toEqual({ code: 0, sum: '3 passed, 0 failed' });
    expect((await runScratch(files, ['nobody'])).code).toBe(1);
  },
);
