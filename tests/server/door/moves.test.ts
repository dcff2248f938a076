/** What an evening does to phones and tickets: a phone goes to another event with scans on it, a code is replaced while a phone is away, a guest comes back where nobody may. */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { importAdmissions, pullChanges, pullList } from '#server/contract/door/admissions.ts';
import { listEvents } from '#server/contract/events.ts';
import {
  changePhone,
  heartbeat,
  listPhones,
  makePhone,
  pairAgain,
  pairPhone,
  revokePhone,
} from '#server/contract/door/phones.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import { wipeAfterMs } from '#server/domain/event.ts';
import { makeLimits, networkOf } from '#server/http/limits.ts';
import { handInMs } from '#server/domain/door/phone.ts';
import { findTicketByIdOrCode } from '#server/services/booking/tickets.ts';
import { writeTicketCode } from '#server/domain/door/ticket-code.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { admissionsIn, phoneOf } from '#tests/support/door/door-phone.ts';
import { ask, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

const resultsOf = (results: readonly { result: string }[]) => results.map(({ result }) => result);

/** So long after an hour ago. */
const minutesIn = (minutes: number) => new Date(Date.now() + (minutes - 60) * 60_000).toISOString();

testOnBoth(
  'a phone that was taken from an event hands in what it has read there, and sees nothing of it any more',
  async (server) => {
    const admin = await makeAdmin(server);
    const hall = await fillHall(server.house.ctx.db, { places: 6, phones: 2 });
    const [phone, other] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
    const params = { phoneId: hall.phone_ids[0]! };
    const scans = [phone.scan(hall.labels[0]!), phone.scan(hall.labels[1]!)];
    server.clock.advance(1_000);
    expect(
      await callOk(server, changePhone, { params, body: { event_ids: [demoEvent] } }, admin),
    ).toMatchObject({ events: [{ id: demoEvent }] });
    // Until it is heard again nobody knows what it still has of the evening.
    expect(
      (
        await callOk(server, readPresence, { params: { eventId: hall.event_id } }, admin)
      ).phones.map(({ name }) => name),
    ).toEqual(['Varco 1', 'Varco 2']);
    server.clock.advance(1_000);
    expect(resultsOf(await phone.send(...scans))).toEqual(['stored', 'stored']);
    expect(admissionsIn(await other.pull()).size).toBe(2);
    const pulled = await ask(server, 'GET', `/api/scanner/events/${hall.event_id}/list?wire=3`, {
      headers: phone.headers,
    });
    expect([
      pulled.status,
      (await callOk(server, heartbeat, { body: { queue_length: 0 } }, phone.headers)).events.map(
        ({ id }) => id,
      ),
    ]).toEqual([404, [demoEvent]]);
    expect(
      (
        await callOk(server, readPresence, { params: { eventId: hall.event_id } }, admin)
      ).phones.map(({ name }) => name),
    ).toEqual(['Varco 2']);
    // Back again, it is as it was.
    expect(
      await callOk(server, changePhone, { params, body: { event_ids: [hall.event_id] } }, admin),
    ).toMatchObject({ events: [{ id: hall.event_id }] });
    expect(admissionsIn(await phone.pull()).size).toBe(2);
    // For an event that it never had it has nothing to say.
    expect(
      resultsOf(
        await phone.send({ ...phone.scan(hall.labels[2]!), event_id: 'concerto-di-natale' }),
      ),
    ).toEqual(['unreadable']);
  },
);

testOnBoth(
  'a phone that is paired as another one hands in what it read before, also what had arrived without its hearing of it',
  async (server) => {
    const admin = await makeAdmin(server);
    const hall = await fillHall(server.house.ctx.db, { places: 6, phones: 1 });
    const before = phoneOf(server, hall);
    const [heard, waiting] = [before.scan(hall.labels[0]!), before.scan(hall.labels[1]!)];
    await before.send(heard);
    const pairAs = async (name: string, more: object) => {
      const { pairing_url } = await callOk(
        server,
        makePhone,
        { body: { name, gate: null, event_ids: [demoEvent] } },
        admin,
      );
      const { device_token, events } = await callOk(server, pairPhone, {
        body: { token: new URL(pairing_url).hash.split('=')[1]!, ...more },
      });
      expect(events.map(({ id }) => id)).toEqual([demoEvent]);
      return { ...before, headers: { authorization: `Bearer ${device_token}` } };
    };
    const sendAs = async (phone: { headers: Record<string, string> }, ...items: object[]) =>
      resultsOf(
        (
          (
            await ask(server, 'POST', '/api/scanner/admissions', {
              body: { items },
              headers: phone.headers,
            })
          ).body as { results: { result: string }[] }
        ).results,
      );
    const stranger = await pairAs('Altro', { previous_token: 'x'.repeat(43) });
    expect(await sendAs(stranger, { ...waiting, seq: 0 })).toEqual(['unreadable']);
    await callOk(server, heartbeat, { body: { queue_length: 1 } }, before.headers);
    const again = await pairAs('Nuovo', { previous_token: hall.tokens[0] });
    expect(
      (await callOk(server, listPhones, {}, admin)).items.find(
        ({ id }) => id === hall.phone_ids[0],
      ),
    ).toMatchObject({ queue_length: 0 });
    expect(await sendAs(again, { ...heard, seq: 0 }, { ...waiting, seq: 1 })).toEqual([
      'stored',
      'stored',
    ]);
    expect(
      await server.house.ctx
        .db('admissions')
        .where({ event_id: hall.event_id })
        .count({ n: '*' })
        .first(),
    ).toMatchObject({ n: 2 });
    expect(
      (
        await ask(server, 'GET', `/api/scanner/events/${hall.event_id}/list?wire=3`, {
          headers: again.headers,
        })
      ).status,
    ).toBe(404);
  },
);

testOnBoth(
  'the same place is let in by an old code here and by its new one there: a card for a person, and one guest in the house',
  async (server) => {
    const { db } = server.house.ctx;
    const admin = await makeAdmin(server);
    const hall = await fillHall(db, { places: 4, phones: 2, event: { reentry: 1 } });
    const [away, here] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
    const [place] = hall.labels as [string];
    await db('places').where({ event_id: hall.event_id, place }).update({ issued: 2 });
    const at = (minute: number) => ({
      corrected_at: minutesIn(minute),
    });
    const old = away.scan(place, at(0));
    const fresh = here.scan(place, { revision: 2, ...at(5) });
    expect(resultsOf(await here.send(fresh))).toEqual(['stored']);
    expect(resultsOf(await away.send(old))).toEqual(['stored']);
    const told = admissionsIn(await here.pull());
    expect([
      told.get(fresh.admission_id)!.conflict_with,
      told.get(old.admission_id)!.conflict_with,
    ]).toEqual([old.admission_id, null]);
    expect(
      await callOk(server, readPresence, { params: { eventId: hall.event_id } }, admin),
    ).toMatchObject({ inside: 1, entered: 1 });
    // Whoever has gone out leaves the place to the next.
    const left = [
      away.scan(hall.labels[1]!, at(0)),
      away.scan(hall.labels[1]!, { direction: 'out', verdict: 'out', ...at(10) }),
    ];
    expect(resultsOf(await away.send(...left))).toEqual(['stored', 'stored']);
    await db('places')
      .where({ event_id: hall.event_id, place: hall.labels[1] })
      .update({ issued: 2 });
    expect(
      resultsOf(await here.send(here.scan(hall.labels[1]!, { revision: 2, ...at(20) }))),
    ).toEqual(['stored']);
  },
);

testOnBoth(
  'where nobody may come back, a second way in after an exit is a card, with re-entry it is none',
  async (server) => {
    const at = (minute: number) => ({
      corrected_at: minutesIn(minute),
    });
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

testOnBoth(
  'a guest who is read twice on the way out has left once, for the list of events too',
  async (server) => {
    const admin = await makeAdmin(server);
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
  },
);

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
  await callOk(
    server,
    importAdmissions,
    {
      body: {
        phone_id: hall.phone_ids[0]!,
        wire: 3,
        items: hall.labels.slice(0, 3).map((place) => phone.scan(place)),
      },
    },
    admin,
  );
  expect((await callOk(server, listPhones, {}, admin)).items[0]).toMatchObject({ queue_length: 2 });
  const { cursor } = await phone.pull();
  const { starts_at } = await db('events').where({ id: hall.event_id }).first('starts_at');
  server.clock.advance(starts_at + wipeAfterMs - server.clock.now() - 60_000);
  expect((await phone.pull(cursor)).from).toBe(cursor);
  server.clock.advance(60_000);
  for (const [{ path }, query] of [
    [pullList, 'wire=3'],
    [pullChanges, `wire=3&since=${cursor}`],
  ] as const) {
    expect([
      query,
      (
        await ask(server, 'GET', `${path.replace(':eventId', hall.event_id)}?${query}`, {
          headers: { ...phone.headers, 'accept-encoding': 'gzip' },
        })
      ).status,
    ]).toEqual([query, 404]);
  }
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

testOnBoth(
  'who loses its place to another handset is told so, hands in what it has and no more; until somebody has the place it keeps what it has',
  async (server) => {
    const admin = await makeAdmin(server);
    const hall = await fillHall(server.house.ctx.db, { places: 6, phones: 1 });
    const before = phoneOf(server, hall);
    const read = before.scan(hall.labels[0]!, {
      corrected_at: new Date(server.clock.now()).toISOString(),
    });
    const params = { phoneId: hall.phone_ids[0]! };
    const refusalOf = async (
      headers: Record<string, string>,
      path = `/api/scanner/events/${hall.event_id}/list?wire=3`,
    ) => {
      const { status, body } = await ask(server, 'GET', path, { headers });
      return status === 200 ? 200 : (body as { code: string }).code;
    };
    const renew = async () =>
      new URL((await callOk(server, pairAgain, { params }, admin)).pairing_url).hash.split('=')[1]!;
    const token = await renew();
    // Perhaps it is the same phone that comes back.
    expect(await refusalOf(before.headers)).toBe('not_logged_in');
    const { device_token } = await callOk(server, pairPhone, { body: { token } });
    const after = { authorization: `Bearer ${device_token}` };
    expect([
      await refusalOf(before.headers),
      await refusalOf(before.headers, '/api/scanner/live'),
      await refusalOf(after),
    ]).toEqual(['phone_revoked', 'phone_revoked', 200]);
    expect(resultsOf(await before.send(read))).toEqual(['stored']);
    expect(
      await server.house.ctx
        .db('admissions')
        .where({ event_id: hall.event_id, counts: 1 })
        .count({ n: '*' })
        .first(),
    ).toMatchObject({ n: 1 });
    server.clock.advance(handInMs + 1_000);
    expect(
      (
        await ask(server, 'POST', '/api/scanner/admissions', {
          body: { items: [before.scan(hall.labels[1]!)] },
          headers: before.headers,
        })
      ).status,
    ).toBe(401);
    expect(await refusalOf(after)).toBe(200);
    // A lost one, and a new code that nobody has used: the office stops the phone, and so whoever has it.
    await renew();
    expect(await refusalOf(after)).toBe('not_logged_in');
    await callOk(server, revokePhone, { params }, admin);
    expect(await refusalOf(after)).toBe('phone_revoked');
    expect(
      (
        await ask(server, 'POST', pairAgain.path.replace(':phoneId', params.phoneId), {
          body: {},
          headers: admin,
        })
      ).body,
    ).toMatchObject({ code: 'phone_revoked' });
  },
);

testOnBoth(
  'what a handset read before it lost its place comes in through whatever phone it is paired as',
  async (server) => {
    const admin = await makeAdmin(server);
    const hall = await fillHall(server.house.ctx.db, { places: 6, phones: 1 });
    const before = phoneOf(server, hall);
    const waiting = before.scan(hall.labels[0]!);
    await callOk(server, pairAgain, { params: { phoneId: hall.phone_ids[0]! } }, admin);
    const { pairing_url } = await callOk(
      server,
      makePhone,
      { body: { name: 'Nuovo', gate: null, event_ids: [demoEvent] } },
      admin,
    );
    const { device_token } = await callOk(server, pairPhone, {
      body: { token: new URL(pairing_url).hash.split('=')[1]!, previous_token: hall.tokens[0]! },
    });
    const { body } = await ask(server, 'POST', '/api/scanner/admissions', {
      body: { items: [{ ...waiting, seq: 0 }] },
      headers: { authorization: `Bearer ${device_token}` },
    });
    expect(resultsOf((body as { results: { result: string }[] }).results)).toEqual(['stored']);
  },
);

testOnBoth(
  'a number beyond all reason is kept, and the next handset does not go on from it',
  async (server) => {
    const admin = await makeAdmin(server);
    const hall = await fillHall(server.house.ctx.db, { places: 6, phones: 1 });
    const phone = phoneOf(server, hall);
    expect(
      resultsOf(
        await phone.send(phone.scan(hall.labels[0]!), {
          ...phone.scan(hall.labels[1]!),
          seq: 1_000_000_000_000,
        }),
      ),
    ).toEqual(['stored', 'stored']);
    const { pairing_url } = await callOk(
      server,
      pairAgain,
      { params: { phoneId: hall.phone_ids[0]! } },
      admin,
    );
    expect(
      await callOk(server, pairPhone, {
        body: { token: new URL(pairing_url).hash.split('=')[1]! },
      }),
    ).toMatchObject({ next_seq: 1 });
  },
);

testOnBoth(
  'many at once with the same numbers: each is stored or asked to come again, and nothing is our fault',
  async (server) => {
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
  },
);

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

testOnBoth(
  'a code of another evening that an older app sends is kept by its tag and its end alone',
  async (server) => {
    const hall = await fillHall(server.house.ctx.db, { places: 6, phones: 1 });
    const phone = phoneOf(server, hall);
    const code = writeTicketCode('ABCD', new Uint8Array(16).fill(7));
    const other = { ...phone.scan(null, { verdict: 'wrong_event' }), read: code };
    expect(
      resultsOf(await phone.send(other, { ...phone.scan(null), read: 'https://example.it/menu' })),
    ).toEqual(['stored', 'stored']);
    expect(resultsOf(await phone.send(other))).toEqual(['stored']);
    expect(await server.house.ctx.db('admissions').orderBy('seq').pluck('read')).toEqual([
      `ABCD…${code.slice(-4)}`,
      'https://example.it/menu',
    ]);
  },
);
