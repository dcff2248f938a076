/** The search of a long programme, and the dates of a show: on its card, in its calendar, and the wish that goes from one to another. */
import { expect, test } from 'vitest';
import { monthOf } from '#apps/booking/event/month-of.ts';
import { weeksOf } from '#apps/booking/event/month-view.tsx';
import { wishOf } from '#apps/booking/event/wish.ts';
import { matches, noWish } from '#apps/booking/home/filter.tsx';
import {
  groupDates,
  sayDates,
  sayPostponed,
  type ListedEvent,
} from '#apps/booking/home/group-dates.ts';

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

const date = (id: string, changes: object = {}) =>
  ({
    id,
    show_id: 'x',
    starts_at: '2026-12-03T20:00:00.000Z',
    postponed_from: null,
    from_price: 2_000,
    availability: 'many',
    places_left: null,
    sales: { state: 'open' },
    ...changes,
  }) as unknown as ListedEvent;

test('a card leads to the first date with places, with the lowest price of those; "few" is said only if no date has many', () => {
  const [show] = groupDates([
    date('full', { availability: 'none', from_price: 500 }),
    date('few', { availability: 'few', places_left: 3 }),
    date('many', { from_price: 1_500 }),
    date('off', { sales: { state: 'cancelled' }, from_price: 100 }),
  ]);
  expect(show?.dates.length).toBe(4);
  expect(show?.shown).toMatchObject({ id: 'few', from_price: 1_500, availability: 'many' });
  const [soon] = groupDates([
    date('off', { sales: { state: 'cancelled' } }),
    date('soon', { sales: { state: 'not_yet' } }),
  ]);
  expect(soon?.shown.id).toBe('soon');
});

test.each<[starts: string[], said: string | null]>([
  [['2026-12-03T20:00:00.000Z'], null],
  [['2026-12-12T20:00:00.000Z', '2026-12-03T20:00:00.000Z'], '2 date dal 3 al 12 dicembre'],
  [
    ['2026-12-08T20:00:00.000Z', '2027-01-11T20:00:00.000Z'],
    '2 date dall’8 dicembre all’11 gennaio',
  ],
  [['2026-12-08T20:00:00.000Z', '2026-12-11T20:00:00.000Z'], '2 date dall’8 all’11 dicembre'],
  [['2026-12-03T15:00:00.000Z', '2026-12-03T20:00:00.000Z'], '2 date · 3 dicembre'],
  [['2026-12-03T20:00:00.000Z', '2027-12-04T20:00:00.000Z'], '2 date dal 3 dicembre al 4 dicembre'],
])('dates %j are said "%s"', (starts, said) => {
  expect(sayDates(starts.map((starts_at) => ({ starts_at })))).toBe(said);
});

test('a postponed date says so on its card, several say how many', () => {
  const moved = date('a', { postponed_from: '2026-11-08T20:00:00.000Z' });
  expect([[moved], [moved, date('b')], [date('b')]].map(sayPostponed)).toEqual([
    'Rinviato: era 8 novembre',
    '1 data rinviata',
    null,
  ]);
});

test('a calendar begins with Monday, and a date near midnight has its day in Rome', () => {
  const weeks = weeksOf([{ starts_at: '2026-11-30T23:30:00.000Z' }]);
  expect(weeks[0]!.map(({ day, on }) => [day, on.length])).toEqual([
    [0, 0],
    [1, 1],
    [2, 0],
    [3, 0],
    [4, 0],
    [5, 0],
    [6, 0],
  ]);
  expect(weeks.length).toBe(5);
});

test('a wish counts places and ticket types, and names each category once', () => {
  const seat = (label: string, type?: string) => ({
    category: { label },
    ...(type && { selectedTicketType: type }),
  });
  expect(wishOf('/event/a', [seat('Platea', 'intero'), seat('Platea', 'ridotto')])).toEqual({
    from: '/event/a',
    number: 2,
    categories: ['Platea'],
    types: { intero: 1, ridotto: 1 },
  });
  const area = { ...seat('Loggione'), numSelected: 3, selectionPerTicketType: { intero: 3 } };
  expect(wishOf('/event/a', [seat('Platea'), area])).toMatchObject({
    number: 4,
    categories: ['Platea', 'Loggione'],
  });
  expect(wishOf('/event/a', [])).toBeNull();
});
