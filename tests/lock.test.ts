/** The lock file names every platform's packages, so that `npm ci` works wherever somebody carries the project on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

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

test('what package.json asks for is what the lock was made of', () => {
  const asked = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Locked;
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const)
    expect([kind, packages['']![kind]]).toEqual([kind, asked[kind]]);
});
