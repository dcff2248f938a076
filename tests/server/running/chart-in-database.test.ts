/** The seat map in the house's PostgreSQL: it comes there from its file, is in every backup, and comes back with it. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { getEvent } from '#server/contract/events.ts';
import { makeBackup } from '#server/services/backup/make.ts';
import { setMaintenance } from '#server/services/site/maintenance.ts';
import { askAdmin } from '#tests/support/admin-command.ts';
import { placeOf } from '#tests/support/house.ts';
import { callOk, demoEvent, holdObjects, makeHoldToken, makeOrder } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { makeClock, openServer, startServer, type TestServer } from '#tests/support/server.ts';

const inDatabase = { CHART_DATABASE: '' };
const asked = (object_id: string) => [{ object_id, ticket_type: 'intero' }];

/** 409 where somebody has it. */
async function tryHold(server: TestServer, seat: string): Promise<number> {
  return (await holdObjects(server, await makeHoldToken(server), asked(seat), demoEvent)).status;
}

async function keyOf(server: TestServer): Promise<string> {
  const { event } = await callOk(server, getEvent, { params: { eventId: demoEvent } });
  return event.seatsio_workspace_key;
}

test('a seat map that began in a file goes into PostgreSQL, into each backup, and into the next house', async () => {
  const first = await startServer({ database: 'postgres', postgresUrl: inject('postgresUrl') });
  await makeOrder(first, { seats: ['Platea-C-1'] });
  const key = await keyOf(first);
  await using server = await first.restart(inDatabase);
  expect(await keyOf(server)).toBe(key);
  expect(await tryHold(server, 'Platea-C-1')).toBe(400);
  await makeOrder(server, { seats: ['Platea-C-2'] });

  const folder = await mkdtemp(join(tmpdir(), 'copie-'));
  const house = placeOf(server);
  expect(house.chartInDatabase).toBe(true);
  const { path } = await makeBackup({ house, folder, kind: 'by_hand', seal: null, now: 1 });
  await makeOrder(server, { seats: ['Platea-C-3'] });
  const again = await askAdmin(server, ['restore', path]);
  expect(again).toMatchObject({ code: 1, body: { ok: false } });

  const { address, drop } = await makeDatabase(inject('postgresUrl'));
  const settings = {
    DATA_DIR: await mkdtemp(join(tmpdir(), 'altrove-')),
    PORT: String(await freePort()),
    DATABASE_URL: address,
  };
  expect((await askAdmin({ settings }, ['restore', path])).body).toMatchObject({ ok: true });
  await using other = await openServer(settings, {}, makeClock(), drop);
  await setMaintenance(other.house.ctx, false, 'cli');
  expect(await keyOf(other)).toBe(key);
  const seats = ['Platea-C-1', 'Platea-C-2', 'Platea-C-3'];
  const tried: number[] = [];
  for (const seat of seats) tried.push(await tryHold(other, seat));
  expect(tried).toEqual([400, 400, 200]);
  await makeOrder(other, { seats: ['Platea-C-4'] });
});
