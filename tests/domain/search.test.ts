/** How orders are found by people who do not type like the computer stored it. */
import { expect, test } from 'vitest';
import { foldText, searchTextOf, searchWords } from '#server/domain/search.ts';

const stored = searchTextOf('R3MD-N8RG', 'Nicolò D’Amico', 'nicolo@example.it');
const isFound = (q: string) => searchWords(q).every((word) => stored.includes(word));

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
])('finds %s', (q) => {
  expect(isFound(q)).toBe(true);
});

test.each(['rossi', 'nicolo rossi', 'n8rg r3mx'])('does not find %s', (q) => {
  expect(isFound(q)).toBe(false);
});

test('letters of the neighbours become plain ones', () => {
  expect(foldText('  Łukasz   Sørensen-Weiß ')).toBe('lukasz sorensen-weiss');
});

test('a first and a last name of four letters each are two words, not a number', () => {
  const anna = searchTextOf('R3MD-N8RG', 'Neri Anna', 'anna@example.it');
  expect(searchWords('anna neri').every((word) => anna.includes(word))).toBe(true);
});
