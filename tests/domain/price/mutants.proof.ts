/** Each named fault of a price rule is found by the check that is about it, in a process each. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { priceMutants } from './mutants.ts';

function run(...args: string[]) {
  const asked = [join(import.meta.dirname, 'mutant-run.ts'), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, asked, { encoding: 'utf8' });
  return { status, stderr, isRed: stdout.startsWith('red: ') };
}

test('the rules themselves pass every check', () => {
  expect(run()).toEqual({ status: 0, stderr: '', isRed: false });
});

for (const { name, by } of priceMutants)
  test(`${by} finds ${name}`, () => {
    expect(run(name)).toEqual({ status: 1, stderr: '', isRed: true });
  });
