/**
 * OWASP ASVS 5.0.0, levels 1 and 2: every requirement has a row in asvs.tsv, and what a row names
 * is there. `npm run asvs` makes each row's break and wants its test red; this only looks.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '#server/settings.ts';
import { readRows, root } from './asvs/rows.ts';

const rows = readRows();
const read = (path: string) =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
const isOnce = (text: string, part: string) => part !== '' && text.split(part).length === 2;

/** Requirements of levels 1 and 2, chapter by chapter. */
const perChapter = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

test('each requirement of levels 1 and 2 has a row, in their order', () => {
  const numbers = [...new Set(rows.map(({ number }) => number))];
  const counted = perChapter.map(
    (_, nth) => numbers.filter((number) => number.startsWith(`${nth + 1}.`)).length,
  );
  expect(counted).toEqual(perChapter);
  const inOrder = new Intl.Collator('en', { numeric: true });
  expect(rows.map(({ number }) => number)).toEqual(
    rows.map(({ number }) => number).toSorted(inOrder.compare),
  );
});

test('each test that a row names is there, and the text of its break stands in its file once', () => {
  const proven = rows.filter((row) => row.kind === 'proven');
  const missing = proven.filter(
    ({ file, test: name, place, text, instead }) =>
      !read(`tests/${file}`).includes(name) || !isOnce(read(place), text) || text === instead,
  );
  expect(missing).toEqual([]);
  // Two rows with one break would be one claim.
  const breaks = proven.map(({ number, place, text, instead }) => ({
    number,
    change: `${place} ${text} ${instead}`,
  }));
  const doubled = breaks.filter(({ number, change }) =>
    breaks.some((other) => other.change === change && other.number !== number),
  );
  expect(doubled).toEqual([]);
});

test('each heading that a row names is there', () => {
  const missing = rows.filter(
    (row) => row.kind === 'written' && !read(row.file).split('\n').includes(row.heading),
  );
  expect(missing).toEqual([]);
});

test('what the product has not, no source and no package of it has', () => {
  // `npm run dev` starts the server; it is no part of it.
  const sources = globSync('{server,db,apps}/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => path !== 'server/dev.ts')
    .map((path) => [path, read(path)] as const);
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: object };
  const all = [...sources, ['package.json', Object.keys(dependencies).join('\n')] as const];
  const patterns = new Set(rows.flatMap((row) => (row.kind === 'absent' ? [row.pattern] : [])));
  const found = [...patterns].flatMap((pattern) => {
    const words = new RegExp(pattern, 'i');
    return all.filter(([, text]) => words.test(text)).map(([path]) => `${path} has ${pattern}`);
  });
  expect(found).toEqual([]);
});

test('what is not met says why', () => {
  const unmet = rows.filter((row) => row.kind === 'unmet');
  for (const { number, why } of unmet) console.log(`${number} is not met, because ${why}`);
  expect(unmet.filter(({ why }) => why.length < 20)).toEqual([]);
});

test('whatever signs, seals or hashes with a key stands in the inventory, and what stands there is there', () => {
  const inventory = read('.github/cryptography.md');
  const keyed = /\b(?:createHmac|createCipheriv|argon2|pbkdf2|createPrivateKey|createPublicKey)\b/;
  const users = globSync('{server,db}/**/*.ts', { cwd: root }).filter(
    (file) => !file.includes('standins/') && keyed.test(read(file)),
  );
  expect(users.filter((file) => !inventory.includes(`\`${file}\``))).toEqual([]);
  const named = [...inventory.matchAll(/`(server\/[^`]+)`/g)].map(([, file]) => file!);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('each secret of the environment stands in the inventory of keys', () => {
  const inventory = read('.github/cryptography.md');
  const secrets = settings.filter(
    ({ name, secret }) => secret || /KEY_FILE|SECRET|PASSPHRASE|TOKEN/.test(name),
  );
  expect(secrets.length).toBeGreaterThan(10);
  expect(secrets.filter(({ name }) => !inventory.includes(`\`${name}\``))).toEqual([]);
});
