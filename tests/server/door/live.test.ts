/** What happens at one door reaches the other phones at once, whichever process took it in, and nobody who must not hear it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { listenDoor, type DoorNews } from '#server/contract/door/admissions.ts';
import { changePhone, revokePhone } from '#server/contract/door/phones.ts';
import { readConfig } from '#server/config.ts';
import { sendStream } from '#server/http/stream.ts';
import { openProduct, type OpenProduct } from '#server/open.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { admissionsIn, phoneOf, type DoorPhone } from '#tests/support/door/door-phone.ts';
import { ask, callOk } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { startServer } from '#tests/support/server.ts';

interface Ear extends AsyncDisposable {
  /** The next message; null: the stream is over. */ next: () => Promise<DoorNews | null>;
  comments: string[];
}

async function listen(
  server: { url: string },
  { headers }: { headers: Record<string, string> },
): Promise<Ear> {
  const stop = new AbortController();
  const response = await fetch(`${server.url}${listenDoor.path}`, { headers, signal: stop.signal });
  if (response.status !== 200) throw new Error(String(response.status));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const comments: string[] = [];
  let text = '';
  return {
    comments,
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const line = text.slice(0, end);
          text = text.slice(end + 2);
          if (line.startsWith('data: ')) return JSON.parse(line.slice(6)) as DoorNews;
          comments.push(line);
          continue;
        }
        const { value, done } = await reader.read();
        if (done) return null;
        text += value;
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
    },
  };
}

it('a scan reaches every other phone of the event as the page that leads to it', async (server) => {
  const { db } = server.house.ctx;
  const hall = await fillHall(db, { places: 8, phones: 3, supervisors: 1 });
  const other = await fillHall(db, {
    places: 8,
    phones: 1,
    event_id: 'other',
    event: { code_tag: 'OTHR' },
  });
  const phones = [0, 1, 2].map((nth) => phoneOf(server, hall, nth));
  const cursors = await Promise.all(phones.map(async (phone) => (await phone.pull()).cursor));
  await using boss = await listen(server, phones[0]!);
  await using steward = await listen(server, phones[1]!);
  await using stranger = await listen(server, phoneOf(server, other));
  expect([await boss.next(), await steward.next()]).toEqual(
    [0, 1].map((nth) => ({ event_id: 'hall', from: cursors[nth], to: cursors[nth] })),
  );
  expect(await stranger.next()).toMatchObject({ event_id: 'other' });

  const scan = phones[2]!.scan(hall.labels[0]!);
  await phones[2]!.send(scan);
  const began = performance.now();
  const [named, plain] = [(await boss.next())!, (await steward.next())!];
  expect(performance.now() - began).toBeLessThan(5_000);
  expect([
    plain.from,
    [...admissionsIn(plain.page!).keys()],
    plain.page!.cursor,
    plain.page!.from,
  ]).toEqual([cursors[1], [scan.admission_id], plain.to, plain.from]);
  expect([named.from, [...admissionsIn(named.page!).keys()]]).toEqual([
    cursors[0],
    [scan.admission_id],
  ]);
  // Whoever took the page stands where the server says that he stands.
  expect((await phones[1]!.pull(plain.to)).admissions).toEqual([]);

  // Much at once is told without a page: it is to be fetched.
  await db('places')
    .where({ event_id: 'hall' })
    .update({ feed_seq: 20, seat: 'x'.repeat(90), section: 'y'.repeat(90) });
  await db('places').insert(
    Array.from({ length: 120 }, (_, at) => ({
      event_id: 'hall',
      place: `${'z'.repeat(180)}-${String.fromCodePoint(0x4e00 + at)}`,
      object_label: `z${at}`,
      kind: 'seat',
      category: 'Platea',
      category_key: 'Platea',
      section: null,
      row: null,
      seat: `${at}${'w'.repeat(80)}`,
      position: 1,
      issued: 0,
      feed_seq: 20,
    })),
  );
  await db('events').where({ id: 'hall' }).update({ feed_seq: 20 });
  const much = (await steward.next())!;
  expect([much.from, much.page]).toEqual([plain.to, undefined]);
  expect((await phones[1]!.pull(plain.to)).cursor).toBe(much.to);
  // What is said of the event is told as well.
  await db('events').where({ id: 'hall' }).update({ title: 'Cambia il titolo' });
  expect(await steward.next()).toMatchObject({
    from: much.to,
    to: much.to,
    page: { event: { title: 'Cambia il titolo' } },
  });
  // Another list begins: nothing leads there.
  await db('events').where({ id: 'hall' }).update({ feed_epoch: 'e2' });
  const anew = (await steward.next())!;
  expect([anew.to.startsWith('e2.'), anew.page]).toEqual([true, undefined]);
  expect(server.logged).toEqual([]);
});

it('the stream ends for a phone that is revoked, paired anew or sent elsewhere; the others hear on', async (server, admin) => {
  const { db } = server.house.ctx;
  const hall = await fillHall(db, { places: 4, phones: 5 });
  await fillHall(db, { places: 1, phones: 0, event_id: 'other', event: { code_tag: 'OTHR' } });
  const phones = hall.tokens.map((_, nth) => phoneOf(server, hall, nth));
  const ears = await Promise.all(phones.map((phone) => listen(server, phone)));
  for (const ear of ears) expect(await ear.next()).not.toBeNull();
  await callOk(server, revokePhone, { params: { phoneId: hall.phone_ids[0]! } }, admin);
  expect(await ears[0]!.next()).toBeNull();
  expect((await ask(server, 'GET', listenDoor.path, { headers: phones[0]!.headers })).status).toBe(
    401,
  );
  await db('phones').where({ id: hall.phone_ids[1] }).update({ token_hash: 'another' });
  expect(await ears[1]!.next()).toBeNull();
  await callOk(
    server,
    changePhone,
    { params: { phoneId: hall.phone_ids[2]! }, body: { role: 'supervisor' } },
    admin,
  );
  expect(await ears[2]!.next()).toBeNull();
  await callOk(
    server,
    changePhone,
    { params: { phoneId: hall.phone_ids[3]! }, body: { event_ids: ['hall', 'other'] } },
    admin,
  );
  expect(await ears[3]!.next()).toBeNull();
  await phones[4]!.send(phones[4]!.scan(hall.labels[0]!));
  expect((await ears[4]!.next())!.page).toBeDefined();
  for (const ear of ears) await ear[Symbol.asyncDispose]();
});

test('a line is kept open by a word now and then, and the house does not wait for those who listen', async () => {
  const server = await startServer();
  const hall = await fillHall(server.house.ctx.db, { places: 4, phones: 1 });
  const ear = await listen(server, phoneOf(server, hall));
  await ear.next();
  server.clock.advance(16_000);
  const next = ear.next();
  await expect.poll(() => ear.comments, { timeout: 10_000 }).toEqual([':']);
  const began = performance.now();
  await server.close();
  expect(await next).toBeNull();
  expect(performance.now() - began).toBeLessThan(2_500);
});

test('a phone that reads too slowly is given up', async () => {
  const waiting = { bytes: 0, destroyed: false };
  const server = createServer((_, res) => {
    const ctx = { res, set() {}, status: 0, respond: true };
    sendStream(ctx as never, (listener) => {
      const piece = Buffer.alloc(16_384, 'x');
      const write = () => {
        if (!listener.write(piece)) {
          waiting.destroyed = res.destroyed;
          return;
        }
        waiting.bytes = Math.max(waiting.bytes, res.writableLength);
        setImmediate(write);
      };
      write();
    });
  });
  server.listen(0);
  await once(server, 'listening');
  const socket = connect((server.address() as { port: number }).port, 'localhost');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  socket.pause();
  await expect.poll(() => waiting.destroyed, { timeout: 20_000 }).toBe(true);
  expect(waiting.bytes).toBeGreaterThan(16_384);
  expect(waiting.bytes).toBeLessThan(131_072);
  socket.destroy();
  server.close();
});

test('of two processes one hears at once what the other takes in; the same place at the same moment is an admission and its double', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-'));
  const database = await makeDatabase(inject('postgresUrl'));
  const houses: OpenProduct[] = [];
  try {
    for (const port of [await freePort(), await freePort()]) {
      const settings = {
        PORT: String(port),
        DATA_DIR: join(folder, String(port)),
        DATABASE_URL: database.address,
        LOG_LEVEL: 'silent',
      };
      houses.push(await openProduct(readConfig(settings, []), { worker: false }));
    }
    const { db } = houses[0]!.ctx;
    const hall = await fillHall(db, { places: 41, phones: 2 });
    const [here, there] = houses.map((house, nth) => phoneOf(house, hall, nth)) as [
      DoorPhone,
      DoorPhone,
    ];
    const [first, ...others] = hall.labels as [string, ...string[]];
    await using ear = await listen(houses[0]!, here);
    await ear.next();
    const scan = there.scan(first);
    await there.send(scan);
    expect([...admissionsIn((await ear.next())!.page!).keys()]).toEqual([scan.admission_id]);

    for (let at = 0; at < others.length; at += 10) {
      const places = others.slice(at, at + 10);
      const sent = [here, there].map((phone, nth) => ({
        phone,
        scans: (nth === 0 ? places : places.toReversed()).map((place) => phone.scan(place)),
      }));
      await Promise.all([...sent, ...sent].map(({ phone, scans }) => phone.send(...scans)));
    }
    const rows = await db('admissions').where({ counts: 1 }).whereNot({ place: first });
    expect(rows).toHaveLength(80);
    for (const place of others) {
      const both = rows.filter((row) => row.place === place);
      const [admitted] = both.filter(({ conflict_with }) => conflict_with === null);
      expect(both.map(({ conflict_with }) => conflict_with)).toEqual(
        expect.arrayContaining([null, admitted.id]),
      );
    }
    // A phone that asks the one process is told at once what the other has taken in.
    const { cursor } = await here.pull();
    await there.send(there.scan(first, { direction: 'out', verdict: 'out' }));
    expect(admissionsIn(await here.pull(cursor)).size).toBe(1);
    const revoked = { revoked_at: Date.now() };
    await houses[1]!.ctx.db('phones').where({ id: hall.phone_ids[0] }).update(revoked);
    await expect.poll(() => ear.next()).toBeNull();
  } finally {
    await Promise.all(houses.map((house) => house.close()));
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
