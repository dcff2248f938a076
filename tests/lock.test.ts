/** What comes from elsewhere is named exactly: every platform's packages, the Node, the actions of the workflows. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');

interface Locked {
  version?: string;
  integrity?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};

/** Node's own search: beside the package that asks, then one level up, to the top. */
function isLocked(asker: string, name: string): boolean {
  const path = `${asker === '' ? '' : `${asker}/`}node_modules/${name}`;
  if (packages[path] !== undefined) return true;
  if (asker === '') return false;
  const end = asker.lastIndexOf('/node_modules/');
  return isLocked(end < 0 ? '' : asker.slice(0, end), name);
}

test('every optional package of every platform is in the lock, with its checksum', () => {
  const missing = Object.entries(packages).flatMap(([asker, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(asker, name))
      .map((name) => `${asker} -> ${name}`),
  );
  expect(missing).toEqual([]);
  const unsure = Object.entries(packages).filter(
    ([path, { integrity }]) => path !== '' && !integrity,
  );
  expect(unsure.map(([path]) => path)).toEqual([]);
});

/** What the tools that run natively bring for each kind of machine that people work on. */
const platforms = [
  'linux-x64-gnu',
  'linux-x64-musl',
  'linux-arm64-gnu',
  'linux-arm64-musl',
  'darwin-x64',
  'darwin-arm64',
  'win32-x64-msvc',
];

test('Linux with glibc and musl, macOS and Windows are all served', () => {
  const tools = ['@oxlint/binding', '@oxfmt/binding', '@rolldown/binding', '@rollup/rollup'];
  const absent = tools.flatMap((tool) =>
    platforms
      .map((platform) => `node_modules/${tool}-${platform}`)
      .filter((path) => packages[path] === undefined),
  );
  expect(absent).toEqual([]);
});

const asked = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Locked & {
  scripts: Record<string, string>;
};

test('what package.json asks for is what the lock was made of', () => {
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const)
    expect([kind, packages['']![kind]]).toEqual([kind, asked[kind]]);
});

test('npm calls none of our scripts by itself, but the build before a start', () => {
  const events =
    /^(?:pre|post)?(?:(?:un)?install|prepare|publish(?:Only)?|pack|version|shrinkwrap|dependencies|stop|restart)$/;
  const around = Object.keys(asked.scripts).flatMap((name) => [`pre${name}`, `post${name}`]);
  const called = Object.keys(asked.scripts).filter(
    (name) => events.test(name) || around.includes(name),
  );
  expect(called).toEqual(['prestart']);
});

test('where the Node of npm is not in place, each script that starts Node says which one is wanted', () => {
  const check = './server/wanted-node.cjs';
  const started = Object.values(asked.scripts).flatMap((script) => script.match(/\bnode .*/) ?? []);
  expect(started.length).toBeGreaterThan(20);
  expect(started.filter((script) => !script.startsWith(`node -r ${check} `))).toEqual([]);
  const asOld = `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })`;
  const old = spawnSync(process.execPath, ['-e', `${asOld}; require('${check}')`], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(old.status).toBe(1);
  expect(old.stderr).toMatch(/^Questo è Node 20\.20\.2 e serve Node 24[^\n]*\n$/);
});

interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, { steps: { uses?: string }[] }>;
}

test('a workflow has the least rights and names an action by its commit, its version beside it', () => {
  const folder = join(root, '.github/workflows');
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    const { permissions, jobs } = parse(text) as Workflow;
    expect([name, Object.keys(permissions ?? {})]).toEqual([name, ['contents']]);
    for (const { uses } of Object.values(jobs).flatMap(({ steps }) => steps)) {
      if (uses === undefined) continue;
      expect([name, uses]).toEqual([name, expect.stringMatching(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)]);
      expect([name, text]).toEqual([
        name,
        expect.stringMatching(`${uses} # v\\d+\\.\\d+\\.\\d+\n`),
      ]);
    }
  }
});

test('version managers choose the Node that npm brings', () => {
  const wanted = readFileSync(join(root, '.nvmrc'), 'utf8').trim();
  expect(packages['node_modules/node']!.version!.split('.')[0]).toBe(wanted);
});
