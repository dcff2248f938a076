/** Series of dates by a rule, and times that move with a date: always by the clock on the wall in Rome. */
import { expect, test } from 'vitest';
import { isoOf } from '#server/domain/time/dates.ts';
import { moveWith, startsOf, timesAt } from '#server/domain/event/series.ts';
import { dayText, romeDay } from '#server/domain/time/rome-clock.ts';
import {
  dateAddress,
  fieldsThatDiffer,
  resolveDate,
  sharedFields,
} from '#server/domain/event/show.ts';
import { bareEvent } from '#server/domain/event/event.ts';

const weekend = {
  rules: [
    { weekdays: [5, 6], time: '21:00' },
    { weekdays: [7], time: '16:30' },
  ],
};

test('every Friday and Saturday at nine and Sunday at half past four, across the end of summer time', () => {
  const starts = startsOf({ ...weekend, from: '2026-10-22', until: '2026-11-01' });
  expect(starts.map(isoOf)).toEqual([
    '2026-10-23T19:00:00.000Z',
    '2026-10-24T19:00:00.000Z',
    // The clocks went back that night.
    '2026-10-25T15:30:00.000Z',
    '2026-10-30T20:00:00.000Z',
    '2026-10-31T20:00:00.000Z',
    '2026-11-01T15:30:00.000Z',
  ]);
});

test('across the beginning of summer time; an hour that is left out is the one after it, one that comes twice its first', () => {
  expect(startsOf({ ...weekend, from: '2027-03-27', until: '2027-03-28' }).map(isoOf)).toEqual([
    '2027-03-27T20:00:00.000Z',
    '2027-03-28T14:30:00.000Z',
  ]);
  const at = (day: string) =>
    startsOf({ rules: [{ weekdays: [7], time: '02:30' }], from: day, until: day }).map(isoOf);
  expect([at('2027-03-28'), at('2026-10-25')]).toEqual([
    ['2027-03-28T01:30:00.000Z'],
    ['2026-10-25T00:30:00.000Z'],
  ]);
});

test('a day that is excepted is left out, two rules for one moment make one date, and a mistyped century ends', () => {
  const rules = [...weekend.rules, { weekdays: [5], time: '21:00' }];
  const starts = startsOf({
    rules,
    from: '2026-12-04',
    until: '2026-12-06',
    except: ['2026-12-05'],
  });
  expect(starts.map(isoOf)).toEqual(['2026-12-04T20:00:00.000Z', '2026-12-06T15:30:00.000Z']);
  expect(startsOf({ rules, from: '2026-01-01', until: '2099-01-01' }).length).toBeLessThan(320);
});

test('times go where the date goes: an hour before nine stays an hour before, whatever the clocks did', () => {
  const from = Date.parse('2026-10-24T19:00:00Z');
  const to = Date.parse('2026-10-30T20:00:00Z');
  expect(isoOf(moveWith(Date.parse('2026-10-24T18:00:00Z'), { from, to }))).toBe(
    '2026-10-30T19:00:00.000Z',
  );
  const moved = timesAt(
    {
      starts_at: from,
      doors_at: Date.parse('2026-10-24T18:00:00Z'),
      ends_at: Date.parse('2026-10-24T21:00:00Z'),
      admits_from: Date.parse('2026-10-24T10:00:00Z'),
      admits_until: null,
      sales_opens_at: Date.parse('2026-09-01T10:00:00Z'),
      sales_closes_at: Date.parse('2026-10-23T19:00:00Z'),
    },
    to,
  );
  expect(
    Object.entries(moved).map(([field, at]) => [field, at === null ? null : isoOf(at)]),
  ).toEqual([
    ['doors_at', '2026-10-30T19:00:00.000Z'],
    ['ends_at', '2026-10-30T22:00:00.000Z'],
    ['admits_from', '2026-10-30T11:00:00.000Z'],
    ['admits_until', null],
    ['sales_closes_at', '2026-10-29T20:00:00.000Z'],
    ['starts_at', '2026-10-30T20:00:00.000Z'],
    ['sales_opens_at', '2026-09-01T10:00:00.000Z'],
  ]);
  expect(dayText(romeDay(Date.parse('2026-10-24T22:30:00Z')))).toBe('2026-10-25');
});

test('a date takes from its show what it has not set for itself, field by field', () => {
  const show = { ...bareEvent, title: 'Amleto', max_seats: 8 };
  for (const field of sharedFields) {
    const date = { ...show, [field]: 'its own' } as unknown as typeof show;
    expect([field, fieldsThatDiffer(show, date)]).toEqual([field, [field]]);
    expect(resolveDate(show, date, [field])[field]).toBe('its own');
    expect(resolveDate(show, date, [])[field]).toBe(show[field]);
  }
});

test('an address of a date names its day and is never too long', () => {
  expect(dateAddress('amleto', '2026-12-05')).toBe('amleto-2026-12-05');
  const long = dateAddress('a'.repeat(60), '2026-12-05', 2);
  expect([long.length, long.endsWith('a-2026-12-05-2')]).toEqual([60, true]);
});
