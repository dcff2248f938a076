/** What a release consists of: a number in package.json, a heading in the changelog, and a tag. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const told = (path: string) => JSON.parse(read(path)) as { version: string; released: string };

test('the changelog begins with this version and its date, and ends with 1.0.0', () => {
  const headings = [...read('.github/CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(
    ([, text]) => text!,
  );
  const named = headings.map((text) => /^(\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$/.exec(text));
  expect(headings.filter((_, nth) => named[nth] === null)).toEqual([]);
  const versions = named.map((found) => found![1]!);
  expect([versions[0], versions.at(-1)]).toEqual([told('package.json').version, '1.0.0']);
  expect(told('package-lock.json').version).toBe(versions[0]);
  const days = named.map((found) => found![2]!);
  expect(days.filter((day) => Number.isNaN(Date.parse(day)))).toEqual([]);
  expect(days).toEqual(days.toSorted().toReversed());
  expect(told('package.json').released).toBe(days[0]);
});

test('the workflow that tags has the whole history, and comes after a green run', () => {
  const workflow = read('.github/workflows/tag.yml');
  expect(workflow).toMatch(
    /conclusion == 'success'[^]*fetch-depth: 0[^]*\.ci\/tag && git push --tags/,
  );
});

test('each version gets its tag on the commit that first said it, once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'etichette-'));
  const run = (command: string, ...words: string[]) =>
    execFileSync(command, words, { cwd: folder, encoding: 'utf8' }).trim();
  const commit = (...words: string[]) => {
    run('git', 'add', '-A');
    run('git', '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', words.join(' '));
    return run('git', 'rev-parse', 'HEAD');
  };
  const say = (version: string) =>
    writeFileSync(join(folder, 'package.json'), `{\n  "version": "${version}"\n}\n`);
  mkdirSync(join(folder, '.github'));
  cpSync(join(root, '.ci'), join(folder, '.ci'), { recursive: true });
  run('git', 'init', '-q');
  say('0.1.0');
  commit('before');
  say('1.0.0');
  const first = commit('the first release');
  writeFileSync(join(folder, 'other'), '');
  commit('between two releases');
  say('1.0.1');
  const second = commit('the second release');
  const changelog = '# Changes\n\n## 1.0.1 (2026-12-01)\n\n## 1.0.0 (2026-11-28)\n';
  writeFileSync(join(folder, '.github/CHANGELOG.md'), changelog);
  commit('after it');
  expect(run('.ci/tag').split('\n')).toEqual([`v1.0.1 is ${second}`, `v1.0.0 is ${first}`]);
  expect(run('.ci/tag')).toBe('');
  expect(run('git', 'rev-parse', 'v1.0.0', 'v1.0.1').split('\n')).toEqual([first, second]);
  // It landed together with the version after it.
  writeFileSync(join(folder, '.github/CHANGELOG.md'), `${changelog}\n## 0.9.0 (2026-11-01)\n`);
  expect(run('.ci/tag')).toBe('');
  const unsaid = changelog.replace('## 1.0.1', '## 1.0.2 (2026-12-02)\n\n## 1.0.1');
  writeFileSync(join(folder, '.github/CHANGELOG.md'), unsaid);
  expect(() => run('.ci/tag')).toThrow('No commit says version 1.0.2');
  rmSync(folder, { recursive: true, force: true });
});
