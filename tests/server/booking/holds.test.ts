/** More time for held seats: enough to read, never for ever. */
import { expect, inject, test } from 'vitest';
import { testOnSqlite as it } from '#tests/support/both.ts';
import { prolongHold } from '#server/contract/holds.ts';
import { updateEvent } from '#db/event/events.ts';
import { transact } from '#db/engine/transact.ts';
import { forgetOldHolds, prolongHold as prolongNow } from '#server/services/booking/holds.ts';
import {
  ask,
  callOk,
  demoEvent,
  findSeats,
  holdObjects,
  makeHoldToken,
  aRefusal,
} from '#tests/support/make.ts';
import { databaseKinds, startServer, type TestServer } from '#tests/support/server.ts';

const minute = 60_000;
const path = `/api/event/${demoEvent}/hold/prolong`;

it('a hold that is nearly over gets ten minutes, twice; then it ends as it must', async (server) => {
  const hold_token = await makeHoldToken(server);
  const [seat] = await findSeats(server, { count: 1 });
  await holdObjects(server, hold_token, [{ object_id: seat! }]);
  const prolong = () =>
    callOk(server, prolongHold, { params: { eventId: demoEvent }, body: { hold_token } });

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
  expect((await server.house.ctx.seats.read(demoEvent, [seat!])).get(seat!)!.status).toBe(
    'reservedByToken',
  );

  server.clock.advance(2 * minute);
  expect(await ask(server, 'POST', path, { body: { hold_token } })).toMatchObject(
    aRefusal(409, 'hold_expired'),
  );
});

it('an unknown hold, an unknown event and a closed sale get a clear no', async (server) => {
  const hold_token = await makeHoldToken(server);
  expect(
    await ask(server, 'POST', path, { body: { hold_token: 'nobody-knows-it' } }),
  ).toMatchObject(aRefusal(409, 'hold_expired'));
  expect(await ask(server, 'POST', path, { body: { hold_token: '../events' } })).toMatchObject({
    status: 409,
  });
  expect(await ask(server, 'POST', path, { body: { hold_token: '' } })).toMatchObject({
    status: 400,
  });
  expect(
    await ask(server, 'POST', '/api/event/niente/hold/prolong', { body: { hold_token } }),
  ).toMatchObject(aRefusal(404, 'event_not_found'));
  await transact(server.house.ctx.db, (trx) =>
    updateEvent(trx, demoEvent, { sales_closes_at: server.clock.now() - 1 }),
  );
  expect(await ask(server, 'POST', path, { body: { hold_token } })).toMatchObject(
    aRefusal(410, 'sale_closed'),
  );
});

for (const database of databaseKinds) {
  test(`two times are two times, whichever process is asked, also after a restart and for many who ask at once (${database})`, async () => {
    await using first = await startServer({ database, postgresUrl: inject('postgresUrl') });
    const hold_token = await makeHoldToken(first);
    const [seat] = await findSeats(first, { count: 1 });
    await holdObjects(first, hold_token, [{ object_id: seat! }]);
    const left = (server: TestServer) => server.house.ctx.seats.holdLeft(hold_token);
    first.clock.advance(((await left(first)) - 60) * 1_000);
    // Two processes share the database and nothing else.
    const processes = [first.house.ctx, { ...first.house.ctx }];
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => prolongNow(processes[n % 2]!, demoEvent, hold_token)),
    );
    expect(answers.filter((answer) => answer.may_prolong).length).toBeLessThanOrEqual(1);
    const counted = async (server: TestServer) =>
      server.house.ctx.db('hold_prolongations').select('hold_token', 'times');
    expect(await counted(first)).toEqual([{ hold_token, times: expect.any(Number) }]);

    await using second = await first.restart();
    second.clock.advance(9 * minute);
    await prolongNow(second.house.ctx, demoEvent, hold_token);
    expect(await counted(second)).toEqual([{ hold_token, times: 2 }]);
    const before = await left(second);
    expect(await prolongNow(second.house.ctx, demoEvent, hold_token)).toMatchObject({
      may_prolong: false,
    });
    expect(await left(second)).toBeLessThanOrEqual(before);

    await forgetOldHolds(second.house.ctx);
    expect(await counted(second)).toHaveLength(1);
    second.clock.advance(25 * 60 * minute);
    await forgetOldHolds(second.house.ctx);
    expect(await counted(second)).toEqual([]);
  });
}
