/** How money and times are said: as Intl would write them, and the same where its dictionaries were never opened. */
import { expect, test } from 'vitest';
import {
  formatDate,
  formatDay,
  formatListDate,
  formatLongDate,
  formatShortDate,
  formatTime,
  formatTimeWithSeconds,
  hearDates,
  learnDates,
} from '#server/domain/time/dates.ts';
import { formatEuro } from '#server/domain/price/money.ts';

test('amounts read as the Italian of Intl writes them, from nothing to millions, owed or owned', () => {
  const euro = new Intl.NumberFormat('it-IT', {
    style: 'currency',
    currency: 'EUR',
    useGrouping: 'always',
  });
  for (const cents of [
    0, 1, 9, 10, 99, 100, 2_500, 99_999, 100_000, 123_450, 99_999_999, 100_000_000, 123_456_789_01,
    -1, -2_500, -123_450,
  ])
    expect(formatEuro(cents)).toBe(euro.format(cents / 100));
});

test('times are those of Rome in both halves of the year and in the hour that comes twice', () => {
  expect([
    formatLongDate('2026-12-19T20:00:00.000Z'),
    formatShortDate('2026-07-04T19:30:00.000Z'),
    formatListDate('2026-07-04T19:30:05.000Z'),
    formatTime('2026-10-25T00:30:00.000Z'),
    formatTime('2026-10-25T01:30:00.000Z'),
  ]).toEqual([
    'sabato 19 dicembre 2026, ore 21:00',
    'sab 4 lug · 21:30',
    '04/07/2026 21:30',
    '02:30',
    '02:30',
  ]);
  expect([
    formatTimeWithSeconds('2026-01-01T08:05:09.000Z'),
    formatDay('2026-03-07T23:30:00.000Z'),
    formatDate('2024-08-05'),
  ]).toEqual(['09:05:09', '8 marzo', '5 agosto 2024']);
});

test('dates that were heard in one place are said in another without asking again', () => {
  const { result, dates } = hearDates(() => formatLongDate('2026-12-19T20:00:00.000Z'));
  expect(Object.values(dates)).toEqual([result]);
  const [key] = Object.keys(dates);
  // A word that no dictionary has: whoever says it has learned it.
  learnDates({ [key!]: 'domani sera' });
  expect(formatLongDate('2026-12-19T20:00:00.000Z')).toBe('domani sera');
  learnDates(dates);
  expect(hearDates(() => formatTime('2026-12-19T20:00:00.000Z')).dates).not.toHaveProperty(key!);
});
