/**
 * `npm run names -- COMMIT [REASONS]`: which tests moved, went or came since a commit.
 * REASONS has a line for each test that went: file, name, `merged`, `removed` or `renamed`, and
 * what proves it now, between tabs. Its names may hold `${…}` for what a loop puts in. It is red
 * when a test went without a reason.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root } from './imports.ts';

interface Named {
  name: string;
  /** A path in the repository. */
  file: string;
}

interface Reason extends Named {
  kind: string;
  why: string;
}

function listTests(folder: string): Named[] {
  const configs = ['config', 'proof.config', 'long.config'].map(
    (name) => `tests/vitest.${name}.ts`,
  );
  return configs
    .filter((config) => existsSync(join(folder, config)))
    .flatMap((config) => {
      const out = join(folder, 'tests/.out-names.json');
      // Only a run of the file reveals the test names that loops make.
      const args = ['list', '--staticParse=false', '--config', config, `--json=${out}`];
      execFileSync(join(root, 'node_modules/.bin/vitest'), args, { cwd: folder, stdio: 'ignore' });
      const listed = JSON.parse(readFileSync(out, 'utf8')) as Named[];
      rmSync(out);
      return listed.map(({ name, file }) => ({ name, file: relative(folder, file) }));
    });
}

function listTestsAt(commit: string): Named[] {
  const folder = mkdtempSync(join(tmpdir(), 'botteghino-names-'));
  execFileSync('git', ['worktree', 'add', '--detach', '--force', folder, commit], { cwd: root });
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return listTests(folder);
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root });
  }
}

function readReasons(path: string | undefined): Reason[] {
  if (path === undefined) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [file = '', name = '', kind = '', why = ''] = line.split('\t');
      return { file, name, kind, why };
    });
}

/** A test may run on both databases, and both runs count as one name. */
const bare = (name: string) => name.replace(/ \((?:sqlite|postgres)\)$/, '');

function fits(template: string, name: string): boolean {
  const parts = bare(template).split(/\$\{[^}]*\}/);
  const pattern = parts.map((part) => RegExp.escape(part)).join('.*');
  return new RegExp(`^${pattern}$`).test(bare(name));
}

const tierOf = (file: string) => /\.(test|proof|long)\.ts$/.exec(file)?.[1];

function tell(title: string, lines: readonly string[]): void {
  console.log(`\n${title}: ${lines.length}`);
  for (const line of lines) console.log(`  ${line}`);
}

const [commit = 'HEAD', reasonsPath] = process.argv.slice(2);
const reasons = readReasons(reasonsPath);
const before = listTestsAt(commit);
const now = listTests(root);
const nowByName = Map.groupBy(now, ({ name }) => bare(name));
const namesBefore = new Set(before.map(({ name }) => bare(name)));

const moved: string[] = [];
const explained: string[] = [];
const silent: string[] = [];
/** They ran on both databases. */
const once: string[] = [];
for (const { name, file } of before) {
  const here = nowByName.get(bare(name)) ?? [];
  const stayed = here.filter((one) => one.file === file);
  if (stayed.some((one) => one.name === name)) continue;
  if (stayed.length > 0) {
    once.push(`${file} > ${name}`);
    continue;
  }
  const reason = reasons.find((one) => file === `tests/${one.file}` && fits(one.name, name));
  if (here[0] !== undefined) {
    const tier = tierOf(here[0].file) === tierOf(file) ? '' : ` (${tierOf(here[0].file)})`;
    moved.push(`${file} > ${name} -> ${here[0].file}${tier}`);
  } else if (reason) explained.push(`${reason.kind}: ${file} > ${name}: ${reason.why}`);
  else silent.push(`${file} > ${name}`);
}
tell('moved', moved);
tell('on one database now', once);
tell('gone, with a reason', explained.toSorted());
tell('gone without a reason', silent);
tell(
  'new',
  now
    .filter(({ name }) => !namesBefore.has(bare(name)))
    .map(({ name, file }) => `${file} > ${name}`),
);
console.log(`\n${before.length} tests before, ${now.length} now`);
process.exitCode = silent.length === 0 ? 0 : 1;
