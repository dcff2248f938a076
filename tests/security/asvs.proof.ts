/** Three rows of asvs.tsv: their breaks turn their tests red; `npm run asvs` does all of them. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('the tests of three proven rows die with their breaks', () => {
  const seed = String(Date.now() % 1_000_000);
  const asked = [
    join(import.meta.dirname, 'asvs/run.ts'),
    '--anew',
    '--sample',
    '3',
    '--seed',
    seed,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, asked, { encoding: 'utf8' });
  console.log(stdout);
  expect([status, stderr]).toEqual([0, '']);
});
