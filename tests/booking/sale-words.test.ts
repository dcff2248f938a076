/** What a visitor reads about the sale, in good Italian. */
import { expect, test } from 'vitest';
import { sayBegun, sayState } from '#apps/booking/event/sale-words.ts';
import { sayTimes } from '#apps/booking/order/say-times.ts';
import { sayFrom } from '#server/domain/time/dates.ts';

test.each([
  ['2026-12-03T09:00:00.000Z', 'dal 3 dicembre alle 10:00'],
  ['2026-12-08T09:30:00.000Z', 'dall’8 dicembre alle 10:30'],
  ['2026-12-11T09:00:00.000Z', 'dall’11 dicembre alle 10:00'],
  ['2027-05-01T10:00:00.000Z', 'dal 1º maggio alle 12:00'],
  ['2026-12-31T23:30:00.000Z', 'dal 1º gennaio alle 00:30'],
])('the sale that opens at %s is said "%s"', (iso, words) => {
  expect(sayFrom(iso)).toBe(words);
});

test('a sale state is a few words, none while tickets can be bought', () => {
  expect(sayState({ state: 'open', opens_at: null })).toBeNull();
  expect(sayState({ state: 'not_yet', opens_at: '2026-12-03T09:00:00.000Z' })).toBe(
    'Vendita dal 3 dicembre alle 10:00',
  );
  expect(sayState({ state: 'closed', opens_at: null })).toBe('Vendita chiusa');
  expect(sayState({ state: 'cancelled', opens_at: null })).toBe('Evento annullato');
});

test('doors without a time of their own are not mentioned', () => {
  expect(
    sayTimes({ starts_at: '2026-12-19T20:00:00.000Z', doors_at: '2026-12-19T18:30:00.000Z' }),
  ).toBe('Apertura porte ore 19:30 · Inizio ore 21:00');
  expect(sayTimes({ starts_at: '2026-12-19T20:00:00.000Z', doors_at: null })).toBe(
    'Inizio ore 21:00',
  );
});

test.each<
  [now: string, ends_at: string | null, title: string | undefined, text: string | undefined]
>([
  ['2026-12-19T19:59:59.999Z', null, undefined, undefined],
  [
    '2026-12-19T20:00:00.000Z',
    null,
    'Spettacolo iniziato',
    'È iniziato sabato 19 dicembre 2026, ore 21:00.',
  ],
  [
    '2026-12-20T01:59:00.000Z',
    null,
    'Spettacolo iniziato',
    'È iniziato sabato 19 dicembre 2026, ore 21:00.',
  ],
  [
    '2026-12-20T02:00:00.000Z',
    null,
    'Spettacolo concluso',
    'Si è svolto sabato 19 dicembre 2026, ore 21:00.',
  ],
  [
    '2026-12-19T22:29:00.000Z',
    '2026-12-19T22:30:00.000Z',
    'Spettacolo iniziato',
    'È iniziato sabato 19 dicembre 2026, ore 21:00.',
  ],
  [
    '2026-12-19T22:30:00.000Z',
    '2026-12-19T22:30:00.000Z',
    'Spettacolo concluso',
    'Si è svolto sabato 19 dicembre 2026, ore 21:00.',
  ],
])('at %s an evening that ends at %s is said "%s"', (now, ends_at, title, text) => {
  const said = sayBegun({ starts_at: '2026-12-19T20:00:00.000Z', ends_at }, Date.parse(now));
  expect([said?.title, said?.text]).toEqual([title, text]);
});
