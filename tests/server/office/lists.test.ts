/** The office's lists have one shape: pages that lead from one to the next and lose nobody, and a search that forgives accents, on both databases. */
import { expect } from 'vitest';
import { transact } from '#db/engine/transact.ts';
import { listCharts } from '#server/contract/charts.ts';
import { listConflicts } from '#server/contract/door/conflicts.ts';
import { listDoubts } from '#server/contract/door/doubts.ts';
import type { Asked, EndpointShape } from '#server/contract/endpoint.ts';
import { listEvents } from '#server/contract/events.ts';
import { listPhones, revokePhone } from '#server/contract/door/phones.ts';
import { listRehearsals, makeRehearsal } from '#server/contract/door/rehearsals.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { phoneOf, undoOf } from '#tests/support/door/door-phone.ts';
import {
  ask,
  callOk,
  demoEvent,
  makeAdmin,
  makePairedPhone,
  walkPages,
} from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

const day = 24 * 3_600_000;

interface Page {
  items: Record<string, unknown>[];
  next_cursor: string | null;
}

/** Asks a list as somebody who knows nothing but that it is one. */
async function read<E extends EndpointShape>(
  server: TestServer,
  endpoint: E,
  { query, headers }: { query: Record<string, string>; headers: Record<string, string> },
): Promise<Page> {
  const page = await callOk(server, endpoint, { query } as unknown as Asked<E>, headers);
  return page as unknown as Page;
}

/** The names of all rows, one page of `limit` after the other. */
async function walk<E extends EndpointShape>(
  server: TestServer,
  endpoint: E,
  {
    name,
    limit,
    ...rest
  }: {
    name: string;
    limit: number;
    query?: Record<string, string>;
    headers: Record<string, string>;
  },
): Promise<unknown[]> {
  const items = await walkPages(async (place) => {
    const query = { ...rest.query, limit: String(limit), ...place };
    const page = await read(server, endpoint, { query, headers: rest.headers });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    return page;
  });
  return items.map((item) => item[name]);
}

test('events: the next one first, then the latest that is over, page by page', async (server) => {
  const { db } = server.house.ctx;
  const headers = await makeAdmin(server);
  const event = await db('events').where({ id: demoEvent }).first();
  const now = server.clock.now();
  await transact(db, async (trx) => {
    for (const [id, title, away] of [
      ['ieri', 'La bisbetica', -day],
      ['anno-fa', 'Perché no', -365 * day],
      ['domani', 'Così è (se vi pare)', day],
      ['domani-bis', 'Così è (se vi pare)', day],
    ] as const)
      await trx('events').insert({
        ...event,
        id,
        title,
        starts_at: now + away,
        seatsio_event_key: id,
        code_tag: id.slice(-4).toUpperCase(),
      });
  });
  const options = { name: 'id', headers };
  const all = await walk(server, listEvents, { ...options, limit: 100 });
  expect(all.slice(0, 2)).toEqual(['domani', 'domani-bis']);
  expect(all.slice(-2)).toEqual(['ieri', 'anno-fa']);
  for (const limit of [1, 2, 3])
    expect(await walk(server, listEvents, { ...options, limit })).toEqual(all);
  const search = (q: string) => walk(server, listEvents, { ...options, limit: 1, query: { q } });
  expect(await search('PARE cosi')).toEqual(['domani', 'domani-bis']);
  expect(await search('perche')).toEqual(['anno-fa']);
  expect(await search('%')).toEqual([]);
});

test('phones: newest first, in use or stopped, by name, gate, event or id', async (server) => {
  const headers = await makeAdmin(server);
  const ids: string[] = [];
  for (const name of ['Niccolò', 'Ada', 'Bruno', 'Carla']) {
    server.clock.advance(1_000);
    const { phone_id } = await makePairedPhone(server, headers, name);
    ids.unshift(phone_id);
  }
  await callOk(server, revokePhone, { params: { phoneId: ids[1]! } }, headers);
  const options = { name: 'id', headers };
  for (const limit of [1, 2, 100])
    expect(await walk(server, listPhones, { ...options, limit })).toEqual(ids);
  const found = (query: Record<string, string>) =>
    walk(server, listPhones, { ...options, limit: 2, query });
  expect(await found({ revoked: 'true' })).toEqual([ids[1]]);
  expect(await found({ revoked: 'false' })).toEqual([ids[0], ids[2], ids[3]]);
  expect(await found({ q: 'niccolo locandiera' })).toEqual([ids[3]]);
  expect(await found({ q: ids[2]! })).toEqual([ids[2]]);
  expect(await found({ q: 'bruno', revoked: 'false' })).toEqual([]);
});

test('conflicts, rehearsals and charts are paged and searched alike', async (server) => {
  const { db } = server.house.ctx;
  const headers = await makeAdmin(server);
  const hall = await fillHall(db, { places: 6, phones: 2 });
  const [a, b] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  for (const label of hall.labels.slice(0, 5)) {
    await a.send(a.scan(label));
    server.clock.advance(60_000);
    await b.send(b.scan(label));
  }
  const places = hall.labels.slice(0, 5).toReversed();
  const conflicts = { name: 'place', headers, query: { open: '1' } };
  for (const limit of [2, 100])
    expect(await walk(server, listConflicts, { ...conflicts, limit })).toEqual(places);
  const query = { q: 'posto 3 «varco 2»'.replace(/[«»]/g, '') };
  expect(await walk(server, listConflicts, { ...conflicts, limit: 1, query })).toEqual([places[2]]);

  const rehearsals: string[] = [];
  for (const event_id of [demoEvent, null]) {
    server.clock.advance(1_000);
    rehearsals.unshift(
      (await callOk(server, makeRehearsal, { body: { event_id } }, headers)).event_id,
    );
  }
  const options = { name: 'event_id', headers };
  expect(await walk(server, listRehearsals, { ...options, limit: 1 })).toEqual(rehearsals);
  expect(
    await walk(server, listRehearsals, { ...options, limit: 1, query: { q: rehearsals[1]! } }),
  ).toEqual([rehearsals[1]]);

  const charts = { name: 'name', headers };
  const names = (await walk(server, listCharts, { ...charts, limit: 100 })) as string[];
  expect(names.length).toBeGreaterThan(1);
  expect(await walk(server, listCharts, { ...charts, limit: 1 })).toEqual(names);
  const q = names[1]!.slice(0, 6);
  expect(await walk(server, listCharts, { ...charts, limit: 1, query: { q } })).toEqual(
    names.filter((name) => name.includes(q)),
  );
});

test('scans in doubt are paged and searched as conflicts are, also by the phone whose scan they would take back', async (server) => {
  const headers = await makeAdmin(server);
  const hall = await fillHall(server.house.ctx.db, { places: 6, phones: 2 });
  const [a, b] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  for (const label of hall.labels.slice(0, 5)) {
    const entry = a.scan(label);
    await a.send(entry);
    server.clock.advance(60_000);
    await b.send(undoOf(b, entry));
  }
  const places = hall.labels.slice(0, 5).toReversed();
  const doubts = { name: 'place', headers };
  for (const limit of [1, 2, 100])
    expect(await walk(server, listDoubts, { ...doubts, limit })).toEqual(places);
  for (const [q, found] of [
    ['posto 3 varco 2', [places[2]]],
    ['varco 1', places],
    ['varco 9', []],
  ] as const)
    expect(await walk(server, listDoubts, { ...doubts, limit: 1, query: { q } })).toEqual(found);
  expect(await read(server, listDoubts, { headers, query: { limit: '1' } })).toMatchObject({
    open: 5,
  });
});

test('a cursor that is none, and a limit beyond the bounds, are refused by every list', async (server) => {
  const headers = await makeAdmin(server);
  const status = async (path: string) => (await ask(server, 'GET', path, { headers })).status;
  const lists = [listEvents, listPhones, listConflicts, listDoubts, listRehearsals, listCharts];
  for (const { path } of lists) {
    for (const cursor of ['x', '1', '1.', '-1.a', '1.%00', 'null', '9'.repeat(40)])
      if (path !== listCharts.path || cursor !== '1')
        expect([path, cursor, await status(`${path}?cursor=${cursor}`)]).toEqual([
          path,
          cursor,
          400,
        ]);
    for (const limit of ['0', '101', 'x', '-1'])
      expect([path, limit, await status(`${path}?limit=${limit}`)]).toEqual([path, limit, 400]);
  }
});
