/** OWASP ASVS 5.0.0, levels 1 and 2: every requirement has a row, and what a row names is there. `npm test -- asvs` prints what falls short. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '#server/settings.ts';
import { inputRows } from './asvs/input.ts';
import { peopleRows } from './asvs/people.ts';
import { runningRows } from './asvs/running.ts';

const tests = join(import.meta.dirname, '..');
const rows = Object.entries({ ...inputRows, ...peopleRows, ...runningRows });

/** Requirements of levels 1 and 2, chapter by chapter. */
const perChapter = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

test('each requirement of levels 1 and 2 has a row', () => {
  const counted = perChapter.map(
    (_, nth) => rows.filter(([number]) => number.startsWith(`${nth + 1}.`)).length,
  );
  expect(counted).toEqual(perChapter);
});

test('each test and each place that a row names is there', () => {
  const missing = rows.flatMap(([number, row]) => {
    if (row.kind === 'built') return existsSync(join(tests, '..', row.place)) ? [] : [number];
    if (row.kind !== 'proven') return [];
    const file = join(tests, row.file);
    return existsSync(file) && readFileSync(file, 'utf8').includes(row.test)
      ? []
      : [`${number} ${row.file}`];
  });
  expect(missing).toEqual([]);
});

test('what falls short is known, and no more than that', () => {
  const short = rows.filter(([, row]) => row.kind === 'short').map(([number]) => number);
  for (const [number, row] of rows)
    if (row.kind === 'short') console.log(`V${number} falls short: ${row.why}`);
  expect(short).toEqual([
    '3.5.4',
    '4.1.2',
    '6.2.12',
    '6.5.2',
    '11.1.1',
    '12.3.1',
    '13.2.1',
    '13.3.1',
    '15.1.1',
    '15.2.1',
    '16.4.3',
  ]);
});

test('whatever signs, seals or hashes with a key stands in the inventory, and what stands there is there', () => {
  const house = join(tests, '..');
  const inventory = readFileSync(join(house, '.github/cryptography.md'), 'utf8');
  const keyed = /\b(?:createHmac|createCipheriv|argon2|pbkdf2|createPrivateKey|createPublicKey)\b/;
  const users = globSync('{server,db}/**/*.ts', { cwd: house }).filter(
    (file) => !file.includes('standins/') && keyed.test(readFileSync(join(house, file), 'utf8')),
  );
  expect(users.filter((file) => !inventory.includes(`\`${file}\``))).toEqual([]);
  const named = [...inventory.matchAll(/`(server\/[^`]+)`/g)].map(([, file]) => file!);
  expect(named.filter((file) => !existsSync(join(house, file)))).toEqual([]);
});

test('each secret of the environment stands in the inventory of keys', () => {
  const inventory = readFileSync(join(tests, '../.github/cryptography.md'), 'utf8');
  const secrets = settings.filter(
    ({ name, secret }) => secret || /KEY_FILE|SECRET|PASSPHRASE|TOKEN/.test(name),
  );
  expect(secrets.length).toBeGreaterThan(10);
  expect(secrets.filter(({ name }) => !inventory.includes(`\`${name}\``))).toEqual([]);
});
