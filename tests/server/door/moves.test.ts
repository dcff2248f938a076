/** What an evening does to phones and tickets: a phone goes to another event with scans on it, a code is replaced while a phone is away, a guest comes back where nobody may. */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { importAdmissions } from '#server/contract/door/admissions.ts';
import { listEvents } from '#server/contract/events.ts';
import {
  changePhone,
  heartbeat,
  listPhones,
  pairAgain,
  revokePhone,
} from '#server/contract/door/phones.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import { wipeAfterMs } from '#server/domain/event/event.ts';
import { makeLimits, networkOf } from '#server/http/limits.ts';
import { handInMs } from '#server/domain/door/phone.ts';
import { findTicketByIdOrCode } from '#server/services/order/tickets.ts';
import { writeTicketCode } from '#server/domain/door/ticket-code.ts';
import { testOnBoth as it, testOnSqlite } from '#tests/support/both.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import {
  admissionsIn,
  pairAnew,
  phoneOf,
  resultsOf,
  statusOf,
} from '#tests/support/door/door-phone.ts';
import { ask, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

/** So long after an hour ago. */
const at = (minute: number) => ({
  corrected_at: new Date(Date.now() + (minute - 60) * 60_000).toISOString(),
});
const listOf = (event_id: string) => `/api/scanner/events/${event_id}/list?wire=4`;

it('a phone that was taken from an event hands in what it has read there, and sees nothing of it any more', async (server, admin) => {
  const hall = await fillHall(server.house.ctx.db, { places: 6, phones: 2 });
  const [phone, other] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  const params = { phoneId: hall.phone_ids[0]! };
  const scans = [phone.scan(hall.labels[0]!), phone.scan(hall.labels[1]!)];
  const send = async (event_id: string) => {
    server.clock.advance(1_000);
    const body = { event_ids: [event_id] };
    const { events } = await callOk(server, changePhone, { params, body }, admin);
    expect(events).toMatchObject([{ id: event_id }]);
  };
  const present = async () => {
    const asked = { params: { eventId: hall.event_id } };
    const { phones } = await callOk(server, readPresence, asked, admin);
    return phones.map(({ name }) => name);
  };
  await send(demoEvent);
  // Until it is heard again nobody knows what it still has of the evening.
  expect(await present()).toEqual(['Varco 1', 'Varco 2']);
  server.clock.advance(1_000);
  expect(resultsOf(await phone.send(...scans))).toEqual(['stored', 'stored']);
  expect(admissionsIn(await other.pull()).size).toBe(2);
  expect(await statusOf(server, ['GET', listOf('hall')], phone.headers)).toBe(404);
  const beat = await callOk(server, heartbeat, { body: { queue_length: 0 } }, phone.headers);
  expect(beat.events.map(({ id }) => id)).toEqual([demoEvent]);
  expect(await present()).toEqual(['Varco 2']);
  // Back again, it is as it was.
  await send(hall.event_id);
  expect(admissionsIn(await phone.pull()).size).toBe(2);
  // For an event that it never had it has nothing to say.
  const elsewhere = { ...phone.scan(hall.labels[2]!), event_id: 'concerto-di-natale' };
  expect(resultsOf(await phone.send(elsewhere))).toEqual(['unreadable']);
});

it('a phone that is paired as another one hands in what it read before, also what had arrived without its hearing of it, and also after it lost its place', async (server, admin) => {
  const hall = await fillHall(server.house.ctx.db, { places: 6, phones: 2 });
  const [before, lost] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  const [heard, waiting] = [before.scan(hall.labels[0]!), before.scan(hall.labels[1]!)];
  await before.send(heard);
  const pairAs = async (previous_token: string) => {
    const { device_token, events } = await pairAnew(server, admin, null, { previous_token });
    expect(events.map(({ id }) => id)).toEqual([demoEvent]);
    return phoneOf(server, hall, 0, device_token);
  };
  const stranger = await pairAs('x'.repeat(43));
  expect(resultsOf(await stranger.send({ ...waiting, seq: 0 }))).toEqual(['unreadable']);
  await callOk(server, heartbeat, { body: { queue_length: 1 } }, before.headers);
  const again = await pairAs(hall.tokens[0]!);
  const { items } = await callOk(server, listPhones, {}, admin);
  const known = items.find(({ id }) => id === hall.phone_ids[0]);
  expect(known).toMatchObject({ queue_length: 0 });
  const sent = await again.send({ ...heard, seq: 0 }, { ...waiting, seq: 1 });
  expect(resultsOf(sent)).toEqual(['stored', 'stored']);
  const ids = await server.house.ctx.db('admissions').pluck('id');
  expect(new Set(ids)).toEqual(new Set([heard.admission_id, waiting.admission_id]));
  expect(await statusOf(server, ['GET', listOf('hall')], again.headers)).toBe(404);

  const left = lost.scan(hall.labels[2]!);
  await callOk(server, pairAgain, { params: { phoneId: hall.phone_ids[1]! } }, admin);
  const found = await pairAs(hall.tokens[1]!);
  expect(resultsOf(await found.send({ ...left, seq: 0 }))).toEqual(['stored']);
});

testOnSqlite(
  'where nobody may come back, a second way in after an exit is a card, with re-entry it is none',
  async (server) => {
    for (const reentry of [0, 1] as const) {
      const hall = await fillHall(server.house.ctx.db, {
        places: 2,
        phones: 2,
        event_id: `hall-${reentry}`,
        event: { reentry, code_tag: `AAA${reentry}` },
      });
      const [one, two] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
      const [place] = hall.labels as [string];
      await one.send(
        one.scan(place, at(0)),
        one.scan(place, { direction: 'out', verdict: 'out', ...at(10) }),
      );
      expect(resultsOf(await two.send(two.scan(place, at(15))))).toEqual([
        reentry === 1 ? 'stored' : 'conflict',
      ]);
    }
  },
);

it('a guest who is read twice on the way out has left once, for the list of events too', async (server, admin) => {
  const hall = await fillHall(server.house.ctx.db, { places: 5, phones: 2 });
  const [one, two] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  await one.send(...hall.labels.slice(0, 3).map((place) => one.scan(place)));
  for (const phone of [one, two])
    await phone.send(phone.scan(hall.labels[0]!, { direction: 'out', verdict: 'out' }));
  // And one who has come back once more is in.
  await one.send(one.scan(hall.labels[0]!));
  await two.send(two.scan(hall.labels[4]!, { direction: 'out', verdict: 'out' }));
  const { items } = await callOk(server, listEvents, {}, admin);
  expect(items.find(({ id }) => id === hall.event_id)!.counts).toMatchObject({ inside: 3 });
  expect(
    await callOk(server, readPresence, { params: { eventId: hall.event_id } }, admin),
  ).toMatchObject({ inside: 3 });
});

test('a phone is told of an event when its doors are open to phones; the office sees for what it was made', async () => {
  await using server = await startServer();
  const { db } = server.house.ctx;
  const admin = await makeAdmin(server);
  const hall = await fillHall(db, { places: 2, phones: 1, event: { status: 'draft' } });
  const phone = phoneOf(server, hall);
  const told = async () =>
    (await callOk(server, heartbeat, { body: { queue_length: 0 } }, phone.headers)).events.map(
      ({ id }) => id,
    );
  expect([
    await told(),
    (await callOk(server, listPhones, {}, admin)).items[0]!.events.map(({ id }) => id),
  ]).toEqual([[], [hall.event_id]]);
  await db('events').where({ id: hall.event_id }).update({ status: 'published' });
  expect(await told()).toEqual([hall.event_id]);
});

test('a file from the office makes what the phone still has to send less; two days after the evening nobody gets its list', async () => {
  await using server = await startServer();
  const { db } = server.house.ctx;
  const admin = await makeAdmin(server);
  const hall = await fillHall(db, { places: 6, phones: 1 });
  const phone = phoneOf(server, hall);
  await callOk(server, heartbeat, { body: { queue_length: 5 } }, phone.headers);
  const items = hall.labels.slice(0, 3).map((place) => phone.scan(place));
  const body = { phone_id: hall.phone_ids[0]!, wire: 4, items };
  await callOk(server, importAdmissions, { body }, admin);
  expect((await callOk(server, listPhones, {}, admin)).items[0]).toMatchObject({ queue_length: 2 });
  const { cursor } = await phone.pull();
  const { starts_at } = await db('events').where({ id: hall.event_id }).first('starts_at');
  server.clock.advance(starts_at + wipeAfterMs - server.clock.now() - 60_000);
  expect((await phone.pull(cursor)).from).toBe(cursor);
  server.clock.advance(60_000);
  const changes = `/api/scanner/events/hall/changes?wire=4&since=${cursor}`;
  for (const path of [listOf('hall'), changes])
    expect([path, await statusOf(server, ['GET', path], phone.headers)]).toEqual([path, 404]);
});

test('a phone says how many readings it could not hand in, and one that does not know the word changes nothing', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const hall = await fillHall(server.house.ctx.db, { places: 1, phones: 1 });
  const { headers } = phoneOf(server, hall);
  const told = async (body: { queue_length: number; shelf_length?: number }) => {
    await callOk(server, heartbeat, { body }, headers);
    return (await callOk(server, listPhones, {}, admin)).items[0]!.shelf_length;
  };
  expect([
    await told({ queue_length: 0 }),
    await told({ queue_length: 0, shelf_length: 3 }),
    await told({ queue_length: 1 }),
    await told({ queue_length: 0, shelf_length: 0 }),
  ]).toEqual([null, 3, 3, 0]);
});

test('a code that is none of a large hall is looked for without keeping the doors waiting', async () => {
  await using server = await startServer();
  const { db } = server.house.ctx;
  await fillHall(db, { places: 3_000, phones: 1 });
  const { code_tag } = await db('events').where({ id: 'hall' }).first('code_tag');
  let turns = 0;
  const search = { over: false };
  const counting = (async () => {
    while (!search.over) {
      await yieldToLoop();
      turns += 1;
    }
  })();
  expect(await findTicketByIdOrCode(db, writeTicketCode(code_tag, new Uint8Array(16)))).toBeNull();
  search.over = true;
  await counting;
  expect(turns).toBeGreaterThan(5);
});

test('two hundred phones behind one router are heard; a flood from one address is not', async () => {
  const limits = makeLimits();
  const caller = { ip: '203.0.113.7', state: {}, set: () => {} } as never;
  for (let n = 0; n < 6_000; n += 1) await limits.count(caller, 'sync');
  await expect(
    (async () => {
      for (let n = 0; n < 6_000; n += 1) await limits.count(caller, 'sync');
    })(),
  ).rejects.toMatchObject({ code: 'too_many_requests' });
});

it('who loses its place to another handset is told so, hands in what it has and no more; until somebody has the place it keeps what it has', async (server, admin) => {
  const hall = await fillHall(server.house.ctx.db, { places: 6, phones: 1 });
  const before = phoneOf(server, hall);
  const read = before.scan(hall.labels[0]!, {
    corrected_at: new Date(server.clock.now()).toISOString(),
  });
  const params = { phoneId: hall.phone_ids[0]! };
  const refusalOf = async (headers: Record<string, string>, path = listOf('hall')) => {
    const { status, body } = await ask(server, 'GET', path, { headers });
    return status === 200 ? 200 : (body as { code: string }).code;
  };
  // Perhaps it is the same phone that comes back.
  await callOk(server, pairAgain, { params }, admin);
  expect(await refusalOf(before.headers)).toBe('not_logged_in');
  const { device_token } = await pairAnew(server, admin, params.phoneId);
  const after = { authorization: `Bearer ${device_token}` };
  expect([
    await refusalOf(before.headers),
    await refusalOf(before.headers, '/api/scanner/live'),
    await refusalOf(after),
  ]).toEqual(['phone_revoked', 'phone_revoked', 200]);
  expect(resultsOf(await before.send(read))).toEqual(['stored']);
  const counting = server.house.ctx.db('admissions').where({ counts: 1 });
  expect(await counting.pluck('id')).toEqual([read.admission_id]);
  server.clock.advance(handInMs + 1_000);
  const items = [before.scan(hall.labels[1]!)];
  const hand = ['POST', '/api/scanner/admissions'] as const;
  expect(await statusOf(server, hand, before.headers, { items })).toBe(401);
  expect(await refusalOf(after)).toBe(200);
  // A lost one, and a new code that nobody has used: the office stops the phone, and so whoever has it.
  await callOk(server, pairAgain, { params }, admin);
  expect(await refusalOf(after)).toBe('not_logged_in');
  await callOk(server, revokePhone, { params }, admin);
  expect(await refusalOf(after)).toBe('phone_revoked');
  const anew = pairAgain.path.replace(':phoneId', params.phoneId);
  const { body } = await ask(server, 'POST', anew, { body: {}, headers: admin });
  expect(body).toMatchObject({ code: 'phone_revoked' });
});

testOnSqlite(
  'a number beyond all reason is kept, and the next handset does not go on from it',
  async (server, admin) => {
    const hall = await fillHall(server.house.ctx.db, { places: 6, phones: 1 });
    const phone = phoneOf(server, hall);
    const far = { ...phone.scan(hall.labels[1]!), seq: 1_000_000_000_000 };
    const sent = await phone.send({ ...phone.scan(hall.labels[0]!), seq: 0 }, far);
    expect(resultsOf(sent)).toEqual(['stored', 'stored']);
    expect(await pairAnew(server, admin, hall.phone_ids[0]!)).toMatchObject({ next_seq: 1 });
  },
);

it('many at once with the same numbers: each is stored or asked to come again, and nothing is our fault', async (server) => {
  const hall = await fillHall(server.house.ctx.db, { places: 20, phones: 1 });
  const phone = phoneOf(server, hall);
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) =>
      ask(server, 'POST', '/api/scanner/admissions', {
        body: { items: [{ ...phone.scan(hall.labels[n]!), seq: 3 }] },
        headers: phone.headers,
      }),
    ),
  );
  expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
  expect(answers.filter(({ status }) => status === 200).length).toBe(
    Number((await server.house.ctx.db('admissions').count({ n: '*' }).first())!.n),
  );
  expect(server.logged).toEqual([]);
});

test('of one phone three streams are open at most: the oldest is closed', async () => {
  await using server = await startServer();
  const hall = await fillHall(server.house.ctx.db, { places: 6, phones: 1 });
  const { headers } = phoneOf(server, hall);
  const streams = [];
  for (let n = 0; n < 5; n += 1) {
    const { body } = await fetch(`${server.url}/api/scanner/live`, { headers });
    const reader = body!.getReader();
    await reader.read();
    streams.push(reader);
  }
  expect([(await streams[0]!.read()).done, (await streams[1]!.read()).done]).toEqual([true, true]);
  for (const reader of streams) await reader.cancel();
});

test('whoever has one IPv6 address has a /64 of them, however it is written', () => {
  expect(
    [
      '2001:db8::1',
      '2001:db8::2:7',
      '2001:db8:0:0:5::',
      '2001:0db8:0:1::1',
      '::1',
      '203.0.113.7',
      '::ffff:203.0.113.7',
    ].map(networkOf),
  ).toEqual([
    '2001:db8:0:0',
    '2001:db8:0:0',
    '2001:db8:0:0',
    '2001:0db8:0:1',
    '0:0:0:0',
    '203.0.113.7',
    '::ffff:203.0.113.7',
  ]);
});

test('what another site’s page asks here is refused before it is counted', async () => {
  await using server = await startServer({ env: { TRUST_PROXY: '1' } });
  const foreign = { 'x-forwarded-for': '203.0.113.9', 'sec-fetch-site': 'cross-site' };
  const login = (headers: Record<string, string>) =>
    ask(server, 'POST', '/api/auth/login', {
      body: { email: 'ada@teatro.it', password: 'x' },
      headers,
    });
  for (let n = 0; n < 110; n += 1) expect((await login(foreign)).status).toBe(403);
  expect((await login({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(401);
});

testOnSqlite(
  'a code of another evening that an older app sends is kept by its tag and its end alone',
  async (server) => {
    const hall = await fillHall(server.house.ctx.db, { places: 6, phones: 1 });
    const phone = phoneOf(server, hall);
    const code = writeTicketCode('ABCD', new Uint8Array(16).fill(7));
    const other = { ...phone.scan(null, { verdict: 'wrong_event' }), read: code };
    expect(
      resultsOf(
        await phone.send(other, {
          ...phone.scan(null),
          read: `https://example.it/orders/${'k'.repeat(22)}`,
        }),
      ),
    ).toEqual(['stored', 'stored']);
    expect(resultsOf(await phone.send(other))).toEqual(['stored']);
    expect(await server.house.ctx.db('admissions').orderBy('seq').pluck('read')).toEqual([
      `ABCD…${code.slice(-4)}`,
      'https://example.it/orders/…',
    ]);
  },
);
