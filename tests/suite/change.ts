/**
 * The files that a person has changed since the branch left main, including uncommitted changes.
 */
import { execFileSync } from 'node:child_process';
import { root } from './imports.ts';

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

function tryGit(...args: string[]): string | null {
  try {
    return git(...args);
  } catch {
    return null;
  }
}

/** On main itself the changes since `origin/main` count, if that exists. */
function findBase(): string {
  const isMain = tryGit('rev-parse', '--abbrev-ref', 'HEAD') === 'main';
  const main = isMain ? 'origin/main' : 'main';
  return tryGit('merge-base', 'HEAD', main) ?? git('rev-parse', 'HEAD');
}

export function listChanged(): { base: string; paths: string[] } {
  const base = findBase();
  const tracked = git('diff', '--name-only', base);
  const fresh = git('ls-files', '--others', '--exclude-standard');
  return { base, paths: `${tracked}\n${fresh}`.split('\n').filter(Boolean) };
}
