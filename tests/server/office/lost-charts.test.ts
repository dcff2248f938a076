/** The seat map's own store is lost: start, Salute and doctor name the events, their sale stops, and goes on once the store is back. */
import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { connect } from '#db/engine/connect.ts';
import { lookAtAll } from '#server/services/office/findings.ts';
import { askAdmin } from '#tests/support/admin-command.ts';
import { ask, demoEvent } from '#tests/support/make.ts';
import { databaseKinds, startServer, type TestServer } from '#tests/support/server.ts';

/** Puts the seat map's store aside, or back. */
async function moveStore({ settings }: TestServer, way: 'away' | 'back'): Promise<void> {
  if (settings['DATABASE_URL'] === undefined) {
    const file = join(settings['DATA_DIR']!, 'standins.sqlite');
    if (way === 'away') return rename(file, `${file}.aside`);
    await rm(file);
    return cp(`${file}.aside`, file);
  }
  const db = connect(settings['DATABASE_URL']);
  if (way === 'away') await db.raw('ALTER SCHEMA seatsio RENAME TO aside');
  else await db.raw('DROP SCHEMA seatsio CASCADE; ALTER SCHEMA aside RENAME TO seatsio');
  await db.destroy();
}

const saleOf = async (server: TestServer) =>
  ((await ask(server, 'GET', `/api/event/${demoEvent}/`)).body as { sales: { state: string } })
    .sales.state;

for (const database of databaseKinds)
  test(`events whose chart is lost are named and not sold, until it is back (${database})`, async () => {
    const env: Record<string, string> = database === 'postgres' ? { CHART_DATABASE: '' } : {};
    await using server = await startServer({ database, postgresUrl: inject('postgresUrl'), env });
    expect([server.house.warning, await saleOf(server)]).toEqual([null, 'open']);
    await using lost = await server.restart({}, () => moveStore(server, 'away'));
    const named = expect.stringMatching(/«La locandiera», «Concerto di Natale».*restore/);
    expect(lost.house.warning).toEqual(named);
    const { ctx } = lost.house;
    expect((await lookAtAll(ctx)).get('charts')).toMatchObject({ state: 'red', mend: named });
    const { body } = await askAdmin(lost, ['doctor']);
    const lines = body['lines'] as { about: string }[];
    expect(lines.find(({ about }) => about === 'Pianta dei posti')).toMatchObject({
      state: 'bad',
      mend: named,
    });
    expect(await saleOf(lost)).toBe('paused');
    const selected_objects = [{ object_id: 'Platea-A-1', ticket_type: 'intero' }];
    const booked = await ask(lost, 'POST', `/api/event/${demoEvent}/book`, {
      body: { hold_token: 'x'.repeat(36), selected_objects },
    });
    expect(booked).toMatchObject({ status: 410, body: { code: 'sale_closed' } });
    await using back = await lost.restart({}, () => moveStore(lost, 'back'));
    expect([back.house.warning, await saleOf(back)]).toEqual([null, 'open']);
    expect((await lookAtAll(back.house.ctx)).get('charts')).toBe(null);
  });
