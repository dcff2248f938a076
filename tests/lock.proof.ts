/** An install by npm itself, which takes its time. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

test('npm takes lock and package.json as one, and an install leaves both as they are', () => {
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
      expect(readFileSync(join(folder, file), 'utf8')).toBe(readFileSync(join(root, file), 'utf8'));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
