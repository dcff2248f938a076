/** How orders are found by people who do not type like the computer stored it. */
import { expect, test } from 'vitest';
import { joinParts } from '#apps/admin/kit/join-parts.ts';
import { joinFacts } from '#apps/scanner/screens/words.ts';
import { foldText, foundBy, searchTextOf } from '#server/domain/text/search.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { showText } from '#server/domain/text/shown.ts';

const stored = searchTextOf('R3MD-N8RG', 'Nicolò D’Amico', 'nicolo@example.it');
const isIn = (text: string, q: string) =>
  foundBy(q).every((word) => text.split(' ').some((known) => known.startsWith(word)));
const isFound = (q: string) => isIn(stored, q);

test.each([
  'r3md-n8rg',
  'R3MDN8RG',
  'r3md n8rg',
  'nicolo',
  'NICOLÒ',
  "d'amico",
  'd’amico nicolo',
  'n8rg r3md',
  'amico nicolò',
  'example.it',
  'r3md',
  'ami nic',
  'damico',
])('finds %s', (q) => {
  expect(isFound(q)).toBe(true);
});

test.each(['rossi', 'nicolo rossi', 'n8rg r3mx', 'mico'])('does not find %s', (q) => {
  expect(isFound(q)).toBe(false);
});

test('a sign that a font lacks becomes one that it has; a symbol goes, and letters leave one ellipsis', () => {
  const has = (codePoint: number) => codePoint < 0x180 || [0x2026, 0x3c3].includes(codePoint);
  const cases = [
    ['perche\u0301', 'perché', true],
    ['Ａｎｎａ  ﬁla ①', 'Anna fila 1', true],
    ['Ngọc Ắn Σ', 'Ngoc An σ', true],
    ['Amleto 🎭', 'Amleto', true],
    ['Zo\u00adë\u202e\ufe0f', 'Zoë', true],
    ['王 小明 – Anna', '… Anna', false],
    ['नमस्ते', '…', false],
    ['🎭🎭', '', false],
    ['', '', true],
  ] as const;
  expect(cases.map(([text]) => showText(text, has))).toEqual(
    cases.map(([, text, isWhole]) => ({ text, isWhole })),
  );
});

test('a name from the right is isolated, another stays as it is, also where facts are joined', () => {
  expect(['Zoë Ђорђевић 王', 'Lea לוי', 'محمد'].map(isolate)).toEqual([
    'Zoë Ђорђевић 王',
    '\u2068Lea לוי\u2069',
    '\u2068محمد\u2069',
  ]);
  for (const join of [joinParts, joinFacts])
    expect(join('محمد', null, '7K2A')).toBe('\u2068محمد\u2069 · 7K2A');
});

test('letters of the neighbours become plain ones', () => {
  expect(foldText('  Łukasz   Sørensen-Weiß ')).toBe('lukasz sorensen-weiss');
});

test('a first and a last name of four letters each are two words, not a number', () => {
  const anna = searchTextOf('R3MD-N8RG', 'Neri Anna', 'anna@example.it');
  expect(isIn(anna, 'anna neri')).toBe(true);
});

test('a telephone is one word, however it was parted and with or without Italy before it', () => {
  const text = searchTextOf('R3MD-N8RG', null, '+39 347 123 45 67');
  for (const q of ['347 123', '3471234567', '0039 347.1234567', '347/1234567'])
    expect([q, isIn(text, q)]).toEqual([q, true]);
  // No telephone at all: a row and a seat, a price, half a number.
  for (const q of ['12 4', '1.50', '1234']) expect(foundBy(q).join('').length).toBeGreaterThan(1);
});

test('only letters and digits are stored and asked for, each word once', () => {
  const text = searchTextOf('R3MD-N8RG', `"Rosa" 'O''R' \\ % _ : & | ! * (x)`, 'rosa rosa@rosa.it');
  expect(text).toMatch(/^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*$/u);
  expect(text.split(' ').filter((word) => word === 'rosa')).toHaveLength(1);
  expect(foundBy(`") OR * NEAR( 'x':* & !y`)).toEqual(['or', 'near', 'x', 'y']);
});
