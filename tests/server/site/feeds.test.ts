/** What machines read of the programme: a calendar that others subscribe to, and the events of the home page for search engines. */
import { expect } from 'vitest';
import { testOnBoth as test } from '#tests/support/both.ts';
import { ask, demoEvent } from '#tests/support/make.ts';

/** Long lines are folded (RFC 5545 §3.1). */
function linesOf(text: unknown): string[] {
  return String(text)
    .replace(/\r\n[ \t]/g, '')
    .split('\r\n');
}

test('the programme is a calendar: what moves keeps its name there, what is cancelled says so', async (server) => {
  const { db, now } = server.house.ctx;
  const first = await ask(server, 'GET', '/calendario.ics');
  expect([first.status, first.headers.get('content-type')]).toEqual([
    200,
    'text/calendar; charset=utf-8',
  ]);
  const lines = linesOf(first.body);
  const uids = lines.filter((line) => line.startsWith('UID:'));
  expect(uids).toContain(`UID:${demoEvent}@localhost`);
  expect(lines).toContain('SUMMARY:La locandiera');
  expect(lines.filter((line) => line === 'STATUS:CONFIRMED')).toHaveLength(uids.length);
  const again = await ask(server, 'GET', '/calendario.ics');
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'));

  const { show_id } = await db('events').where({ id: demoEvent }).first('show_id');
  await db('events')
    .where({ id: demoEvent })
    .update({ status: 'cancelled', version: 7, updated_at: now() + 1 });
  const show = linesOf((await ask(server, 'GET', `/calendario/${show_id}.ics`)).body);
  expect(show).toContain('STATUS:CANCELLED');
  expect(show).toContain('SEQUENCE:7');
  expect(show.filter((line) => line.startsWith('UID:'))).toContain(`UID:${demoEvent}@localhost`);

  await db('events').where({ id: demoEvent }).update({ status: 'draft' });
  const without = linesOf((await ask(server, 'GET', '/calendario.ics')).body);
  expect(without.filter((line) => line.startsWith('UID:'))).toHaveLength(uids.length - 1);
  expect((await ask(server, 'GET', '/calendario/nessuno.ics')).status).toBe(404);
});

test('the home page tells search engines what is to come, moved and cancelled evenings too', async (server) => {
  const { db } = server.house.ctx;
  const listed = async () => {
    const { body } = await ask(server, 'GET', '/');
    const [, json = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(
      String(body),
    )!;
    const { itemListElement } = JSON.parse(json) as { itemListElement: { item: object }[] };
    return itemListElement.map(({ item }) => item);
  };
  expect(await listed()).toContainEqual(
    expect.objectContaining({
      '@type': 'TheaterEvent',
      name: 'La locandiera',
      url: `${server.url}/event/${demoEvent}`,
      eventStatus: 'https://schema.org/EventScheduled',
      location: expect.objectContaining({ name: 'Teatro Goldoni' }) as object,
      offers: expect.objectContaining({
        priceCurrency: 'EUR',
        availability: 'https://schema.org/InStock',
      }) as object,
    }),
  );
  const write = (changes: object) => db('events').where({ id: demoEvent }).update(changes);
  await write({ postponed_from: Date.UTC(2026, 0, 1, 20), version: 5 });
  expect(await listed()).toContainEqual(
    expect.objectContaining({
      name: 'La locandiera',
      previousStartDate: '2026-01-01T20:00:00.000Z',
      eventStatus: 'https://schema.org/EventRescheduled',
    }),
  );
  await write({ status: 'cancelled', version: 6 });
  expect(await listed()).toContainEqual(
    expect.objectContaining({ eventStatus: 'https://schema.org/EventCancelled' }),
  );
});
