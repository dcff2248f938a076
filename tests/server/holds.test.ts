/** More time for held seats: enough to read, never for ever. */
import { expect } from 'vitest';
import { prolongHold } from '#server/contract/holds.ts';
import { updateEvent } from '#db/events.ts';
import { transact } from '#db/transact.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, findSeats, holdObjects, makeHoldToken } from '#tests/support/make.ts';

const minute = 60_000;
const path = `/api/event/${demoEvent}/hold/prolong`;

testOnBoth('a hold that is nearly over gets ten minutes, twice; then it ends as it must', async (server) => {
  const hold_token = await makeHoldToken(server);
  const [seat] = await findSeats(server, { count: 1 });
  await holdObjects(server, hold_token, [{ object_id: seat! }]);
  const prolong = () => callOk(server, prolongHold, { params: { eventId: demoEvent }, body: { hold_token } });

  const early = await prolong();
  expect(early.may_prolong).toBe(true);
  expect(early.expires_in_seconds).toBeGreaterThan(600);

  server.clock.advance((early.expires_in_seconds - 60) * 1_000);
  const first = await prolong();
  expect(first.may_prolong).toBe(true);
  expect(first.expires_in_seconds).toBeGreaterThan(590);
  server.clock.advance(9 * minute);
  expect((await prolong()).may_prolong).toBe(false);
  server.clock.advance(9 * minute);
  const third = await prolong();
  expect(third.may_prolong).toBe(false);
  expect(third.expires_in_seconds).toBeLessThanOrEqual(60);
  expect((await server.house.ctx.seats.read(demoEvent, [seat!])).get(seat!)!.status).toBe('reservedByToken');

  server.clock.advance(2 * minute);
  expect(await ask(server, 'POST', path, { body: { hold_token } })).toMatchObject({ status: 409, body: { code: 'hold_expired' } });
});

testOnBoth('an unknown hold, an unknown event and a closed sale get a clear no', async (server) => {
  const hold_token = await makeHoldToken(server);
  expect(await ask(server, 'POST', path, { body: { hold_token: 'nobody-knows-it' } })).toMatchObject({ status: 409, body: { code: 'hold_expired' } });
  expect(await ask(server, 'POST', path, { body: { hold_token: '../events' } })).toMatchObject({ status: 409 });
  expect(await ask(server, 'POST', path, { body: { hold_token: '' } })).toMatchObject({ status: 400 });
  expect(await ask(server, 'POST', '/api/event/niente/hold/prolong', { body: { hold_token } })).toMatchObject({ status: 404, body: { code: 'event_not_found' } });
  await transact(server.house.ctx.db, (trx) => updateEvent(trx, demoEvent, { sales_closes_at: server.clock.now() - 1 }));
  expect(await ask(server, 'POST', path, { body: { hold_token } })).toMatchObject({ status: 410, body: { code: 'sale_closed' } });
});
