/** What somebody has said about services of others: how long it holds, and what it lets start. */
import { expect, test } from 'vitest';
import { choiceIn } from '#apps/booking/consent/consent.ts';
import { allowedOf, monitorsOf } from '#server/domain/site/monitoring.ts';

const day = 24 * 3_600_000;
const now = Date.UTC(2026, 10, 22);
const said = (at: number, asked: string[], allowed: string[]) =>
  JSON.stringify({ at, asked, allowed });

test('a choice holds for six months, for what was asked, and a no holds as long as a yes', () => {
  for (const allowed of [[], ['errors']]) {
    expect(choiceIn(said(now, ['errors'], allowed), ['errors'], now)).toEqual(allowed);
    expect(choiceIn(said(now - 183 * day, ['errors'], allowed), ['errors'], now)).toEqual(allowed);
    expect(choiceIn(said(now - 183 * day - 1, ['errors'], allowed), ['errors'], now)).toBe(null);
  }
  // A service that came later is asked about; one that went is not missed.
  expect(choiceIn(said(now, ['errors'], ['errors']), ['errors', 'statistics'], now)).toBe(null);
  expect(
    choiceIn(said(now, ['errors', 'statistics'], ['statistics']), ['statistics'], now),
  ).toEqual(['statistics']);
});

test('whatever else lies in the storage is no choice', () => {
  for (const text of [
    null,
    '',
    '{',
    'null',
    '[]',
    '{"at":"x"}',
    said(now + 1, ['errors'], ['errors']),
    `{"at":${now},"asked":1,"allowed":[]}`,
    `{"at":${now},"asked":[]}`,
  ])
    expect([text, choiceIn(text, ['errors'], now)]).toEqual([text, null]);
  expect(choiceIn(said(now, ['errors'], ['everything']), ['errors'], now)).toEqual([]);
});

test('our own counters ask nobody; services of others start with a yes alone', () => {
  const rum = { url: 'https://misure.example/api/rum/events', client_key: 'k' };
  const all = {
    rum,
    sentry: { dsn: 'https://a@errori.example/1' },
    analytics: { script_url: 'https://numeri.example/s.js', site_key: 's' },
  };
  const own = { ...all, rum: { ...rum, url: '/api/rum/events' } };
  expect([
    monitorsOf(null),
    monitorsOf({ rum: own.rum, sentry: null, analytics: null }),
    monitorsOf(all),
  ]).toEqual([[], [], ['errors', 'speed', 'statistics']]);
  expect(allowedOf(all, [])).toEqual({ rum: null, sentry: null, analytics: null });
  expect(allowedOf(own, [])).toEqual({ rum: own.rum, sentry: null, analytics: null });
  expect(allowedOf(all, ['errors', 'speed'])).toEqual({ ...all, analytics: null });
});
