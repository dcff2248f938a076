/** What reaches the disk together, fails together or waits for somebody else's lock: nobody hears of a success that is none. */
import { tmpdir } from 'node:os';
import Database from 'better-sqlite3';
import { SeatsioClient, Region } from 'seatsio';
import { expect, test, vi } from 'vitest';
import { openSeatsioStore } from '#server/standins/seatsio/open.ts';
import { startSeatsio } from '#server/standins/seatsio/server.ts';
import { newFile } from '#tests/standins/new-file.ts';
import { makeCompany } from './company.ts';
import {
  basic,
  eventParams,
  refusalOf,
  smallDrawing,
  SYSTEM_SECRET,
  startStandin,
  START,
  things,
  uploadDrawing,
  testStandin as it,
} from './start.ts';

test('while another process writes to the file, bookings wait for it, and reads that need one too', async () => {
  using place = newFile();
  const { file } = place;
  await using standin = await startStandin({ file });
  const { client, clock } = standin;
  const { holdToken } = await client.holdTokens.create(1);
  await client.events.hold('ev', 'B-1', holdToken);
  const other = new Database(file);
  other.exec('BEGIN IMMEDIATE');
  clock.now += 60_000;
  // Longer than SQLite itself waits.
  setTimeout(() => {
    other.exec('COMMIT');
    other.close();
  }, 300);
  const answers = await Promise.all([
    ...['A-1', 'A-2', 'A-3'].map((label) => client.events.book('ev', label)),
    standin.info('B-1'),
    refusalOf(client.events.book('ev', 'Z-9')),
  ]);
  expect(other.open).toBe(false);
  expect(answers[3]).toMatchObject({ label: 'B-1', status: 'free' });
  expect(answers[4]).toMatchObject({ status: 400, code: 'OBJECT_NOT_FOUND' });
  const infos = await client.events.retrieveObjectInfos('ev', ['A-1', 'A-2', 'A-3']);
  expect(Object.values(infos).map(({ status }) => status)).toEqual(['booked', 'booked', 'booked']);
});

test('a full disk answers nobody with a success, and leaves no trace once there is room again', async () => {
  using complaints = vi.spyOn(console, 'error').mockReturnValue();
  const store = openSeatsioStore(':memory:');
  const { url, secretKey, close } = await startSeatsio({
    store,
    now: () => START,
    port: 0,
    chartFolder: tmpdir(),
    systemSecret: SYSTEM_SECRET,
  });
  const client = new SeatsioClient(new Region(url), secretKey).setMaxRetries(0);
  await uploadDrawing({ url, secretKey }, { key: 'small', drawing: smallDrawing });
  await client.events.create('small', eventParams({ key: 'ev' }));
  const labels = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6'];
  const big = { note: 'x'.repeat(15_000) };
  const { page_count } = (await store.get<{ page_count: number }>('PRAGMA page_count'))!;
  const allow = (pages: number) => store.get(`PRAGMA max_page_count = ${pages}`);
  await allow(page_count + 6);
  const answers = await Promise.allSettled(
    labels.map((objectId) => client.events.book('ev', things({ objectId, extraData: big }))),
  );
  const booked = labels.filter((_, index) => answers[index]!.status === 'fulfilled');
  expect(booked.length).toBeLessThan(labels.length);
  expect(complaints).toHaveBeenCalled();
  await allow(1_000_000);
  const infos = await client.events.retrieveObjectInfos('ev', labels);
  expect(labels.filter((label) => infos[label]!.status === 'booked')).toEqual(booked);
  expect(
    (await client.events.statusChanges('ev').firstPage()).items
      .map(({ objectLabel }) => objectLabel)
      .sort(),
  ).toEqual(booked);
  await client.events.book(
    'ev',
    labels.filter((label) => !booked.includes(label)),
  );
  await close();
  await store.close();
});

it('what was read inside of a refused call is not remembered', async (standin) => {
  const { client } = standin;
  const post = async (path: string, body: object) =>
    (await standin.ask(`POST ${path}`, body)).status;
  expect(await post('/seasons', { chartKey: 'small', key: 'season', eventKeys: ['evening'] })).toBe(
    200,
  );
  const notForSale = (object: string) => ({ notForSale: [{ object }] });
  expect(
    await post('/events/actions/edit-for-sale-config', {
      events: { evening: notForSale('A-1'), season: notForSale('B-1'), nowhere: notForSale('A-1') },
    }),
  ).toBe(404);
  expect(await post('/events/evening/actions/edit-for-sale-config', notForSale('A-2'))).toBe(200);
  const infos = await client.events.retrieveObjectInfos('season', ['A-1', 'A-2', 'B-1']);
  expect(
    Object.fromEntries(Object.entries(infos).map(([label, { forSale }]) => [label, forSale])),
  ).toEqual({ 'A-1': true, 'A-2': false, 'B-1': true });
});

it('who is let in with a slow body is asked again when it has come', async (standin) => {
  const { url } = standin;
  const { client: company } = await makeCompany(standin);
  const workspace = await company.workspaces.create('Soon gone');
  let finish = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"name":'));
      finish = () => {
        controller.enqueue(new TextEncoder().encode('"Late"}'));
        controller.close();
      };
    },
  });
  const late = fetch(`${url}/charts`, {
    method: 'POST',
    headers: { Authorization: basic(workspace.secretKey) },
    body,
    duplex: 'half',
  } as RequestInit);
  await company.workspaces.deactivate(workspace.key);
  await company.workspaces.delete(workspace.key);
  finish();
  expect((await late).status).toBe(401);
});
