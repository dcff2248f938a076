/** The lock file names every platform's packages, so that `npm ci` works wherever somebody carries the project on. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

interface Locked {
  version?: string;
  integrity?: string;
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

test(
  'npm takes lock and package.json as one, and an install leaves both as they are',
  { timeout: 120_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'botteghino-lock-'));
    try {
      const files = ['package.json', 'package-lock.json'];
      for (const file of files) copyFileSync(join(root, file), join(folder, file));
      const npm = (...args: string[]) =>
        execFileSync('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], {
          cwd: folder,
          stdio: 'pipe',
        });
      npm('ci', '--dry-run');
      npm('install', '--package-lock-only');
      for (const file of files) {
        expect(readFileSync(join(folder, file), 'utf8')).toBe(
          readFileSync(join(root, file), 'utf8'),
        );
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
