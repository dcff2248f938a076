/** The search of a long programme: words, month, place and kind. */
import { expect, test } from 'vitest';
import { matches, monthOf, noWish } from '#apps/booking/home/filter.tsx';

const evening = {
  title: 'Perché no? Serata Goldoni',
  starts_at: '2026-12-31T23:30:00.000Z',
  venue_title: 'Teatro Verdi',
  kind: 'comedy',
} as const;

test('words are found in title and place, in any order, whatever their accents and capitals', () => {
  for (const words of ['', '  ', 'perche', 'GOLDONI perché', 'verdi serata', 'gold'])
    expect([words, matches(evening, { ...noWish, words })]).toEqual([words, true]);
  for (const words of ['locandiera', 'perche locandiera'])
    expect([words, matches(evening, { ...noWish, words })]).toEqual([words, false]);
});

test('the month is that of Rome, and month and place must both be right', () => {
  expect(monthOf(evening)).toBe('gennaio 2027');
  expect(matches(evening, { ...noWish, month: 'gennaio 2027', place: 'Teatro Verdi' })).toBe(true);
  expect(matches(evening, { ...noWish, month: 'dicembre 2026' })).toBe(false);
  expect(matches(evening, { ...noWish, place: 'Teatro Goldoni' })).toBe(false);
});

test('the kind is chosen by the name that people read', () => {
  expect(matches(evening, { ...noWish, kind: 'Cabaret' })).toBe(true);
  expect(matches(evening, { ...noWish, kind: 'Prosa' })).toBe(false);
});
