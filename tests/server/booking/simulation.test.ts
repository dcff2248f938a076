/** Random histories of visitors, vendors and dying processes against the product's own services; and proof that the simulation sees faults: each named mutant is caught. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mutants } from '#tests/simulation/mutants.ts';

const root = join(import.meta.dirname, '../../..');

/** In a process of its own: mutants are applied while the product is loaded. */
function simulate(...options: string[]): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['tests/simulation/run.ts', ...options],
      { cwd: root, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, said: stdout + stderr });
      },
    );
  });
}

/** The product passes the very histories in which each mutant is caught. */
const sameHistories = ['--histories', '2000', '--seed', '20'];

test(
  'two thousand histories with faults at every step: nothing lost, nothing sold twice, every cent accounted for',
  { timeout: 300_000 },
  async () => {
    const { code, said } = await simulate(...sameHistories);
    expect(said).toContain('2000 histories');
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  },
);

test('histories on PostgreSQL with two processes hold as well', { timeout: 300_000 }, async () => {
  const { code, said } = await simulate('--histories', '30', '--seed', '20261121', '--postgres');
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
});

for (const name of new Set(mutants.map((mutant) => mutant.name))) {
  test(`the simulation catches the mutant ${name}`, { timeout: 300_000 }, async () => {
    const { code, said } = await simulate(...sameHistories, '--mutant', name, '--quick');
    const after = /broken after (\d+) histories/.exec(said);
    expect({ code, said: after ? '' : said.slice(0, 2_000) }).toEqual({ code: 1, said: '' });
    console.log(`mutant ${name}: caught after ${after![1]} histories`);
  });
}
