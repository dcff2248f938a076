/** What `.ci/run` makes of an install and two runs, played with an `npm` that prints what we say. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

interface Played {
  /** What `npm ci` prints. */
  install?: string;
  /** What each of the two suites prints last. */
  sum?: string;
  /** The exit code of each suite. */
  code?: number;
}

/** Runs `.ci/run` in an empty repository; returns its exit code and its last lines. */
function play({
  install = 'added 751 packages in 25s',
  sum = '10 passed, 0 failed',
  code = 0,
}: Played) {
  const folder = mkdtempSync(join(tmpdir(), 'botteghino-ci-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'house', '.ci'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  cpSync(join(import.meta.dirname, '..', '.ci', 'run'), join(folder, 'house', '.ci', 'run'));
  const npm = join(folder, 'bin', 'npm');
  writeFileSync(
    npm,
    `#!/bin/sh\nif [ "$1" = ci ]; then echo '${install}'; else echo '${sum}'; exit ${code}; fi\n`,
  );
  chmodSync(npm, 0o755);
  const house = join(folder, 'house');
  const git = (...args: string[]) => spawnSync('git', args, { cwd: house });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'one');
  const run = spawnSync('bash', ['.ci/run'], {
    cwd: house,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` },
  });
  const lines = run.stdout.trim().split('\n');
  return { status: run.status, last: lines.at(-1), end: lines.slice(-2).join('\n') };
}

test('green runs are green, also where the Node that installs is older', () => {
  expect(play({})).toMatchObject({ status: 0, last: '20 passed, 0 failed' });
  const install = 'npm warn EBADENGINE Unsupported engine {\nnpm warn EBADENGINE   required: 24 }';
  expect(play({ install })).toMatchObject({ status: 0, last: '20 passed, 0 failed' });
});

test('a warning of the install, a failed suite and a missing sum are red', () => {
  const mixed = 'npm warn EBADENGINE old\nnpm warn deprecated left-pad';
  expect(play({ install: mixed }).status).toBe(1);
  expect(play({ sum: '9 passed, 1 failed' }).status).toBe(1);
  expect(play({ code: 1 }).status).toBe(1);
  const early = 'FAILED: a.test.ts: one is two\n9 passed, 1 failed';
  expect(play({ sum: early }).end).toBe('FAILED: a.test.ts: one is two\n18 passed, 2 failed');
  expect(play({ sum: 'broken off' })).toMatchObject({ status: 1, last: '0 passed, 2 failed' });
});
