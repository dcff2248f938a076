/**
 * Thousands of random histories and evenings over several seeds, and every planted fault of the
 * door; `npm test` runs a short form.
 */
import { expect, test } from 'vitest';
import { doorMutants } from './door-mutants.ts';
import { simulate } from './simulate.ts';

const seeds = [20_261_121, 7_040_611, 91_827_364, 445_566_778, 1_513_219_600];

test('two thousand histories with faults at every step: nothing lost, nothing sold twice, every cent accounted for', async () => {
  const { code, said } = await simulate('run.ts', ['--histories', '2000', '--seed', '20']);
  expect(said).toContain('2000 histories');
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
});

for (const seed of seeds) {
  test(`ten thousand histories, seed ${seed}`, async () => {
    const options = ['--histories', '10000', '--seed', String(seed)];
    const { code, said } = await simulate('run.ts', options);
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  });

  test(`two thousand evenings at the door, seed ${seed}`, async () => {
    const options = ['--evenings', '2000', '--seed', String(seed)];
    const { code, said } = await simulate('door-run.ts', options);
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  });
}

test('two thousand histories with tables that are sold whole', async () => {
  const options = ['--histories', '2000', '--seed', '7', '--tables'];
  const { code, said } = await simulate('run.ts', options);
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
});

test('three thousand histories in which the evening changes its hall', async () => {
  const options = ['--histories', '3000', '--seed', '7', '--rehouses'];
  const { code, said } = await simulate('run.ts', options);
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
});

test('three hundred histories on PostgreSQL with two processes', async () => {
  const options = ['--histories', '300', '--seed', '7040611', '--postgres'];
  const { code, said } = await simulate('run.ts', options);
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
});

for (const name of new Set(doorMutants.map((mutant) => mutant.name))) {
  test(`the simulation of the door catches the mutant ${name} within five hundred evenings`, async () => {
    const tables = name.startsWith('table-') ? ['--tables'] : [];
    const options = ['--evenings', '500', '--seed', '7', '--mutant', name, '--quick', ...tables];
    const { code, said } = await simulate('door-run.ts', options);
    expect({ code, caught: /broken after \d+ evenings/.test(said) }).toEqual({
      code: 1,
      caught: true,
    });
  });
}
