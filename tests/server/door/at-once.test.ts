/** What a phone is told from memory while nothing happens at its door: no more, no less and no longer than by the way through all checks. */
import { expect } from 'vitest';
import { revokePhone } from '#server/contract/door/phones.ts';
import { testOnce as test } from '#tests/support/both.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { phoneOf } from '#tests/support/door/door-phone.ts';
import { ask, callOk } from '#tests/support/make.ts';

test('whoever asks again while nothing has happened hears the same from memory; after a scan, or when the phone is revoked, it hears of that', async (server, admin) => {
  const hall = await fillHall(server.house.ctx.db, { places: 60, phones: 2 });
  const [a, b] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  const { cursor } = await a.pull();
  const changes = (query: string) =>
    ask(server, 'GET', `/api/scanner/events/hall/changes?${query}`, { headers: a.headers });
  const usual = `wire=4&since=${cursor}`;
  // Spelled in another way it goes through all checks.
  const checked = await changes(`since=${cursor}&wire=4`);
  for (let nth = 0; nth < 3; nth += 1) {
    const told = await changes(usual);
    const at = { server_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) };
    expect(told.body).toEqual({ ...(checked.body as object), ...at });
    for (const name of ['content-type', 'cache-control', 'vary', 'x-content-type-options'])
      expect(told.headers.get(name)).toBe(checked.headers.get(name));
  }
  const metrics = await ask(server, 'GET', '/metrics');
  expect(metrics.body).toMatch(/requests_total\{route="[^"]*\/changes",.*status="2xx"\} 4\n/);

  await b.send(b.scan(hall.labels[5]!));
  expect((await changes(usual)).body).toMatchObject({ admissions: [{ place: hall.labels[5]! }] });

  const params = { phoneId: hall.phone_ids[0]! };
  await callOk(server, revokePhone, { params }, admin);
  expect((await changes(usual)).body).toMatchObject({ code: 'phone_revoked' });
});
