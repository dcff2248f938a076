/** A copy of the sources in which a test may be broken, and what Vitest says of it there. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, type Broken } from './rows.ts';

/** All files that git knows or would take, the built apps, and a link to the packages. */
export function makeCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), 'botteghino-asvs-'));
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const asked = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', asked, { cwd: root, encoding: 'utf8' }).split('\0');
  for (const file of [...files, 'dist'])
    if (file !== '' && existsSync(join(root, file)))
      cpSync(join(root, file), join(copy, file), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  execFileSync(process.execPath, ['apps/build.ts', '--if-changed'], { cwd: copy, stdio: 'ignore' });
  return copy;
}

interface Result {
  /** Relative to tests/. */ file: string;
  name: string;
  passed: boolean;
  /** The first line of its failure. */ why: string;
}

interface Report {
  testResults: {
    name: string;
    message: string;
    assertionResults: { title: string; status: string; failureMessages: string[] }[];
  }[];
}

/**
 * Runs the named tests in the copy, those on both databases on SQLite only. A file that cannot
 * even be loaded has no results. `built`: the apps in dist/ are not built anew.
 */
export function runTests(copy: string, rows: readonly Broken[], { built }: { built: boolean }) {
  return (['test', 'proof'] as const).flatMap((tier): Result[] => {
    const some = rows.filter(({ file }) => file.endsWith(`.${tier}.ts`));
    const files = new Set(some.map(({ file }) => file));
    if (files.size === 0) return [];
    const out = join(copy, 'tests/.out/asvs.json');
    rmSync(out, { force: true });
    const names = [...new Set(some.map(({ test }) => RegExp.escape(test)))].join('|');
    const config = `tests/vitest.${tier === 'test' ? '' : 'proof.'}config.ts`;
    const vitest = 'node_modules/vitest/vitest.mjs';
    const options = ['--maxWorkers=1', '--testTimeout=60000', '--reporter=json'];
    const named = ['-t', `(?:${names})(?!.*\\(postgres\\))`];
    const asked = [vitest, 'run', '--config', config, ...options, `--outputFile=${out}`, ...named];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [...asked, ...[...files].map((file) => `tests/${file}`)],
      {
        cwd: copy,
        encoding: 'utf8',
        env: { ...process.env, CI: '', ...(built && { BUILT: '1' }) },
      },
    );
    if (!existsSync(out)) throw new Error(`Vitest did not run:\n${stdout}\n${stderr}`);
    const { testResults } = JSON.parse(readFileSync(out, 'utf8')) as Report;
    return testResults.flatMap(({ name: path, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'passed' || status === 'failed')
        .map(({ title, status, failureMessages }) => ({
          file: path.slice(join(copy, 'tests/').length),
          name: title,
          passed: status === 'passed',
          why: failureMessages[0]?.split('\n')[0] ?? '',
        })),
    );
  });
}

/** Whether a result is of the row's test. */
export function isOf({ file, test }: Broken, result: Pick<Result, 'file' | 'name'>): boolean {
  return result.file === file && result.name.includes(test);
}

/** Makes the row's break in the copy, runs its test there, and takes the break back. */
export function breakOne(copy: string, row: Broken, how: { built: boolean }) {
  const path = join(copy, row.place);
  const before = readFileSync(path, 'utf8');
  if (before.split(row.text).length !== 2) return { red: false, why: 'its line is not there once' };
  writeFileSync(
    path,
    before.replace(row.text, () => row.instead),
  );
  try {
    const results = runTests(copy, [row], how);
    const failed = results.find((result) => isOf(row, result) && !result.passed);
    if (failed) return { red: true, why: failed.why.slice(0, 160) };
    return { red: false, why: results.length === 0 ? 'its file does not load' : 'still green' };
  } finally {
    writeFileSync(path, before);
  }
}
