/** Programs of earlier releases, taken from this repository's history and built as they were. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const here = join(import.meta.dirname, '../..');

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: here, encoding: 'utf8' }).trim();
}

/** The commit that first said this version; null where the clone has none. */
function commitOf(version: string): string | null {
  if (!existsSync(join(here, '.git'))) return null;
  const found = git(
    'log',
    '--reverse',
    '--format=%H',
    `-S"version": "${version}"`,
    '--',
    'package.json',
  );
  const [first = null] = found.split('\n').filter(Boolean);
  return first;
}

/**
 * The oldest release before today's that a commit of its own first said, and that commit; null
 * where there is none, as in a clone of the newest commits or an unpacked archive. Versions that
 * landed together have one commit, which is the newest of them.
 */
export function oldestRelease(): { version: string; commit: string } | null {
  const log = readFileSync(join(here, '.github/CHANGELOG.md'), 'utf8');
  const [, ...older] = [...log.matchAll(/^## (\S+) \(/gm)].map((found) => found[1]!);
  for (const version of older.toReversed()) {
    const commit = commitOf(version);
    if (commit !== null) return { version, commit };
  }
  return null;
}

/** The lock file without the project's own version. */
function packagesOf(root: string): string {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>;
  };
  return JSON.stringify({ ...packages, '': { ...packages[''], version: '' } });
}

/**
 * The folder with the program of this commit, ready to start. It is made once for a machine, and
 * a second process waits for the first.
 */
export function checkOut(commit: string): string {
  const root = join(tmpdir(), `botteghino-released-${commit.slice(0, 12)}`);
  const script = join(import.meta.dirname, 'check-out-once.ts');
  execFileSync('flock', [`${root}.lock`, process.execPath, script, commit, root], {
    cwd: here,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return root;
}

/** Called while the lock is held. */
export function prepareOnce(commit: string, root: string): void {
  const done = join(root, 'tests/.out-ready');
  // The packages may lie in another clone, which may be gone.
  if (existsSync(done) && existsSync(join(root, 'node_modules'))) return;
  // An interrupted call leaves half of it.
  rmSync(root, { recursive: true, force: true });
  git('worktree', 'prune');
  git('worktree', 'add', '--force', '--detach', root, commit);
  if (packagesOf(root) === packagesOf(here))
    symlinkSync(join(here, 'node_modules'), join(root, 'node_modules'));
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, stdio: 'ignore' });
  execFileSync(process.execPath, ['apps/build.ts'], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  writeFileSync(done, '');
}
