/** The report of sales over HTTP: what it is of, what it counts, and what it refuses. */
import { expect, test } from 'vitest';
import { readReport } from '#server/contract/reports.ts';
import {
  daysOfSeason,
  dayText,
  romeDay,
  romeHour,
  seasonOf,
  startOfDay,
} from '#server/domain/time/rome-clock.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, callOk, demoEvent } from '#tests/support/make.ts';

test('days, hours and seasons are those of Rome, also when the clocks change', () => {
  const beforeMidnight = Date.parse('2026-10-24T21:59:00Z');
  expect([dayText(romeDay(beforeMidnight)), romeHour(beforeMidnight)]).toEqual(['2026-10-24', 23]);
  expect(romeHour(Date.parse('2026-10-25T12:00:00Z'))).toBe(13);
  for (const [day, start] of [
    ['2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', '2026-10-24T22:00:00.000Z'],
    ['2026-10-26', '2026-10-25T23:00:00.000Z'],
  ] as const)
    expect(new Date(startOfDay(Date.parse(day) / 86_400_000)).toISOString()).toBe(start);
  expect(seasonOf(romeDay(Date.parse('2026-08-31T21:59:00Z')))).toBe(2025);
  expect(seasonOf(romeDay(Date.parse('2026-08-31T22:00:00Z')))).toBe(2026);
  expect(Object.values(daysOfSeason(2026)).map(dayText)).toEqual(['2026-09-01', '2027-08-31']);
});

it('a report is of one thing, and says which field is too much or missing', async (server, admin) => {
  const read = (query: string) =>
    ask(server, 'GET', `/api/admin/reports/sales${query}`, { headers: admin });
  for (const [query, field] of [
    ['?event_id=la-locandiera&season=2026', 'season'],
    ['?show_id=x&from=2026-01-01&to=2026-01-02', 'from'],
    ['?from=2026-01-01', 'to'],
    ['?to=2026-01-01', 'from'],
    ['?from=2026-01-02&to=2026-01-01', 'to'],
    ['?against=before', 'against'],
    ['?season=2026&against=la-locandiera', 'against'],
    ['?event_id=la-locandiera&against=la-locandiera', 'against'],
    ['?event_id=la-locandiera&against=nobody', 'against'],
    ['?season=26', 'season'],
  ] as const) {
    const { status, body } = await read(query);
    expect([query, status, body]).toMatchObject([query, 400, { detail: { fields: [field] } }]);
  }
  expect((await read('?event_id=nobody')).status).toBe(404);
  expect((await read('?show_id=nobody')).status).toBe(404);

  await makePaidOrder(server);
  const season = await callOk(server, readReport, { params: { report: 'sales' } }, admin);
  const event = await callOk(
    server,
    readReport,
    { params: { report: 'sales' }, query: { event_id: demoEvent } },
    admin,
  );
  const soldOf = ({ figures }: typeof season) =>
    figures.find(({ id }) => id === 'by_channel')!.rows[0];
  expect(soldOf(event)).toEqual(['Sito', 1, 2, 6400]);
  expect(soldOf(season)).toEqual(['Sito', 1, 2, 6400]);
});
