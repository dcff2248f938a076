/** The door's list on the wire: all of it once, then only what changed; lean, exact, and nothing that a phone must not know. */
import { expect, test } from 'vitest';
import * as v from 'valibot';
import { readChanges, readList } from '#apps/scanner/list/page.ts';
import { endTickets, insertTickets } from '#db/order/tickets.ts';
import { nextAtDoor, updateEvent } from '#db/event/events.ts';
import { issueRevision, touchPlaces } from '#db/seat/seats.ts';
import { transact } from '#db/engine/transact.ts';
import { doorChanges } from '#server/contract/door/door-list.ts';
import { changePhone, revokePhone } from '#server/contract/door/phones.ts';
import { openBlock } from '#server/domain/door/door-block.ts';
import { doorMemory } from '#server/services/door/state.ts';
import { testOnBoth as it, testOnSqlite } from '#tests/support/both.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import {
  admissionsIn,
  fetchList,
  listIn,
  phoneOf,
  placesIn,
  statusOf,
  undoOf,
} from '#tests/support/door/door-phone.ts';
import { ask, callOk } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const address = (query: string) => `/api/scanner/events/hall/changes?${query}`;
const list = (event_id = 'hall') => `/api/scanner/events/${event_id}/list?wire=4`;

/** One more ticket on a place, as a change of holder or a second sale makes it. */
async function sellAgain({ house: { ctx } }: TestServer, place: string): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const { feed_seq } = await nextAtDoor(trx, 'hall');
    const before = await trx('tickets')
      .where({ event_id: 'hall', place })
      .orderBy('revision', 'desc')
      .first();
    if (before)
      await endTickets(trx, before.order_id, {
        places: [place],
        state: 'void',
        ended_at: ctx.now(),
      });
    const issuing = { feed_seq, why: 'resold', now: ctx.now() } as const;
    const revision = await issueRevision(trx, 'hall', place, issuing);
    const order = await trx('orders')
      .where({ event_id: 'hall' })
      .whereNot({ id: before?.order_id ?? '' })
      .first('id');
    await insertTickets(trx, [
      {
        ...before,
        id: ctx.newId(),
        order_id: order.id,
        event_id: 'hall',
        place,
        revision,
        state: 'valid',
        ticket_type: 'intero',
        type_label: 'Intero',
        price_cents: 0,
        holder: null,
        holder_email: null,
        test_money: 0,
        holder_changes: 0,
        issued_at: ctx.now(),
        ended_at: null,
      },
    ]);
    await touchPlaces(trx, 'hall', { places: [place], feed_seq });
  });
}

it('all changes since the beginning are the whole list', async (server) => {
  const hall = await fillHall(server.house.ctx.db, { places: 900, phones: 1, unsoldEach: 7 });
  const phone = phoneOf(server, hall);
  const { cursor } = await phone.pull();
  const scans = hall.labels
    .filter((_, at) => at % 7 === 1)
    .slice(0, 20)
    .map((place) => phone.scan(place));
  await phone.send(...scans);
  await phone.send(undoOf(phone, scans[0]!));
  await sellAgain(server, hall.labels[0]!);
  server.clock.advance(61_000);
  const whole = await phone.pull();
  const changes = await phone.pull(cursor.replace(/\.\d+/, '.0'));
  expect(v.safeParse(doorChanges, changes).success).toBe(true);
  expect(readChanges(changes).event.starts_at).toBe(Date.parse(changes.event.starts_at));
  expect([changes.cursor, changes.event, changes.other_events]).toEqual([
    whole.cursor,
    whole.event,
    whole.other_events,
  ]);
  expect(placesIn(whole).size).toBe(900);
  expect(placesIn(changes)).toEqual(placesIn(whole));
  expect(admissionsIn(changes)).toEqual(admissionsIn(whole));
  expect(
    [...admissionsIn(whole).values()]
      .filter(({ undone }) => undone)
      .map(({ admission_id }) => admission_id),
  ).toEqual([scans[0]!.admission_id]);
});

it('after the list only what changed comes, all of it, and an old list is caught up', async (server) => {
  const { db } = server.house.ctx;
  const hall = await fillHall(db, { places: 60, phones: 2 });
  const [a, b] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  const first = await a.pull();
  const empty = await a.pull(first.cursor);
  expect([empty.from, empty.cursor, empty.places, empty.admissions]).toEqual([
    first.cursor,
    first.cursor,
    [],
    [],
  ]);

  await sellAgain(server, hall.labels[3]!);
  const scan = b.scan(hall.labels[5]!);
  await b.send(scan);
  // A list that was made a moment ago is handed out again.
  const kept = await b.pull();
  expect([kept.cursor, kept.places.length]).toEqual([first.cursor, 60]);
  for (const phone of [a, b]) {
    const delta = await phone.pull(first.cursor);
    expect([
      [...placesIn(delta).keys()],
      placesIn(delta).get(hall.labels[3]!)!.issued,
      [...admissionsIn(delta).keys()],
    ]).toEqual([[hall.labels[3]], 2, [scan.admission_id]]);
  }
  // It is not handed out for ever.
  server.clock.advance(61_000);
  const later = await a.pull();
  expect([placesIn(later).get(hall.labels[3]!)!.issued, admissionsIn(later).size]).toEqual([2, 1]);
  // What is said of the event is never old.
  const admits_until = server.clock.now() + 8 * 24 * 3_600_000;
  await transact(db, (trx) =>
    updateEvent(trx, 'hall', {
      title: 'Un altro titolo',
      admits_until,
      status: 'cancelled',
    }),
  );
  expect((await a.pull(later.cursor)).event).toMatchObject({
    title: 'Un altro titolo',
    admits_until: new Date(admits_until).toISOString(),
    cancelled: true,
  });
  expect((await a.pull()).event.cancelled).toBe(true);

  for (const since of [
    '',
    'e1',
    `other.1`,
    first.cursor.replace(/\.\d+/, '.999999'),
    `${first.cursor}n`,
    'e1.-1',
    'e1.1e1',
    '__proto__',
  ]) {
    const path = address(`wire=4&since=${encodeURIComponent(since)}`);
    const { status, body } = await ask(server, 'GET', path, { headers: a.headers });
    expect([since, status, body]).toMatchObject([since, 409, { code: 'resync_required' }]);
  }
  await transact(db, (trx) => updateEvent(trx, 'hall', { feed_epoch: 'e2' }));
  const behind = ['GET', address(`wire=4&since=${later.cursor}`)] as const;
  expect(await statusOf(server, behind, a.headers)).toBe(409);
});

testOnSqlite('names are for supervisors; whose role changes begins anew', async (server, admin) => {
  const hall = await fillHall(server.house.ctx.db, {
    places: 12,
    phones: 2,
    supervisors: 1,
    event: { nominative: 1 },
  });
  const [boss, steward] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  const [named, plain] = [await boss.pull(), await steward.pull()];
  const told = ({ places }: typeof named) =>
    places
      .toSorted((a, b) => (a.place < b.place ? -1 : 1))
      .flatMap(({ ticket }) => (ticket ? [[ticket.name, ticket.order_number]] : []));
  expect(new Set(told(plain).flat())).toEqual(new Set([null]));
  expect(told(named).map(([name]) => name)).toEqual(expect.arrayContaining(['Ada Rossi']));
  expect(told(named).every(([, number]) => /^[\w-]{8}$/.test(number!))).toBe(true);
  const whole = `${named.cursor.split('.')[0]}.0`;
  expect(told(await steward.pull(whole))).toEqual(told(plain));
  expect(told(await boss.pull(`${whole}.n`))).toEqual(told(named));
  const params = { phoneId: hall.phone_ids[0]! };
  const change = async (role: 'steward' | 'supervisor', cursor: string) => {
    await callOk(server, changePhone, { params, body: { role } }, admin);
    const behind = ['GET', address(`wire=4&since=${cursor}`)] as const;
    expect(await statusOf(server, behind, boss.headers)).toBe(409);
  };
  await change('steward', named.cursor);
  const anew = await boss.pull();
  expect([told(anew), anew.cursor]).toEqual([told(plain), plain.cursor]);
  await change('supervisor', anew.cursor);
});

testOnSqlite(
  'where guests are not named, supervisors search order numbers and see initials: no name goes out, neither in the list nor behind it',
  async (server) => {
    const { db } = server.house.ctx;
    const hall = await fillHall(db, { places: 12, phones: 1, supervisors: 1 });
    await db('tickets').update({ holder: 'Zefiro Quintavalle' });
    const boss = phoneOf(server, hall);
    const block = async () => {
      const bytes = await (await fetchList(server, 'hall', boss.headers)).arrayBuffer();
      return openBlock(readList(bytes).block);
    };
    const list = await boss.pull();
    const changes = await boss.pull(`${list.cursor.split('.')[0]}.0.o`);
    expect([list.places.length, changes.places.length]).toEqual([12, 12]);
    for (const { places } of [list, changes]) {
      const tickets = places.map(({ ticket }) => ticket!);
      expect(new Set(tickets.map(({ name, initials }) => [name, initials].join()))).toEqual(
        new Set([',Z. Q.']),
      );
      expect(tickets.every(({ order_number }) => /^[\w-]{8}$/.test(order_number!))).toBe(true);
      expect(JSON.stringify(places)).not.toMatch(/Zefiro|Quintavalle|Rossi/);
    }
    expect((await block()).named).toBe(false);

    await transact(db, (trx) => updateEvent(trx, 'hall', { nominative: 1, feed_epoch: 'e2' }));
    const behind = ['GET', address(`wire=4&since=${list.cursor}`)] as const;
    expect(await statusOf(server, behind, boss.headers)).toBe(409);
    expect((await block()).named).toBe(true);
    expect((await boss.pull()).places[0]!.ticket!.name).toBe('Zefiro Quintavalle');
  },
);

testOnSqlite(
  'a list knows nothing that a phone must not: no mail, telephone, price, code, order or name',
  async (server) => {
    const { db } = server.house.ctx;
    const hall = await fillHall(db, {
      places: 30,
      phones: 2,
      supervisors: 1,
      event: { nominative: 1 },
    });
    await db('tickets').update({ holder: 'Zefiro Quintavalle', holder_email: 'zefiro@example.it' });
    const phones = [phoneOf(server, hall), phoneOf(server, hall, 1)];
    await phones[1]!.send(
      phones[1]!.scan(hall.labels[0]!),
      phones[1]!.scan(null, { read: 'something-read' }),
    );
    const [boss, steward] = await Promise.all(
      phones.map(async (phone, nth) => {
        const { cursor } = await phone.pull();
        return phone.pull(`${cursor.split('.')[0]}.0${nth === 0 ? '.n' : ''}`);
      }),
    );
    const keysOf = (value: unknown, path = ''): string[] =>
      value === null || typeof value !== 'object'
        ? [path]
        : Array.isArray(value)
          ? value.length > 0
            ? keysOf(value[0], `${path}[]`)
            : [`${path}[]`]
          : Object.entries(value).flatMap(([key, inner]) => keysOf(inner, `${path}.${key}`));
    expect(
      keysOf({ ...steward!, other_events: [] }).filter((key) => !key.startsWith('.event.')),
    ).toEqual([
      ...['cursor', 'other_events[]', 'heads[]', 'from', 'server_time'].map((key) => `.${key}`),
      ...'place seat section category entrance issued hashes[] lost[]'
        .split(' ')
        .map((key) => `.places[].${key}`),
      ...'revision state type_label order_group initials sealed_name gates[] name order_number reentry note moved_from[]'
        .split(' ')
        .map((key) => `.places[].ticket.${key}`),
      ...'admission_id place revision direction at gate phone_id by conflict_with undone'
        .split(' ')
        .map((key) => `.admissions[].${key}`),
    ]);
    expect(Object.keys(steward!.event).join(' ')).toBe(
      'id title starts_at admits_from admits_until wipe_at cancelled tag salt verify_policy moved_policy reentry rehearsal licensed',
    );
    const event = await db('events').where({ id: 'hall' }).first();
    const tickets = await db('tickets');
    const orders = await db('orders');
    const secrets = [
      event.code_secret,
      '@',
      'example',
      '+39',
      '333',
      '4321',
      'something-read',
      ...tickets.flatMap((ticket) => [ticket.id, ticket.order_id]),
      ...orders.flatMap((order) => [order.id, order.id.slice(0, 8)]),
    ];
    for (const text of [steward, boss].map((page) =>
      JSON.stringify({
        ...page!,
        places: page!.places.map((place) => ({
          ...place,
          hashes: [],
          ticket: place.ticket && { ...place.ticket, order_number: null },
        })),
      }),
    )) {
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
    expect([
      JSON.stringify(boss).includes('Zefiro'),
      JSON.stringify(steward).includes('Zefiro'),
      JSON.stringify(steward).includes('Rossi'),
      new Set(steward!.places.map(({ ticket }) => ticket?.initials)),
    ]).toEqual([true, false, false, new Set(['Z. Q.'])]);
  },
);

it('a phone is refused at its very next call, and sees only its own events', async (server, admin) => {
  const hall = await fillHall(server.house.ctx.db, { places: 5, phones: 3 });
  await fillHall(server.house.ctx.db, {
    places: 5,
    phones: 0,
    event_id: 'other',
    event: { code_tag: 'OTHR' },
  });
  const [a, b] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  const { cursor, other_events } = await a.pull();
  expect(other_events.map(({ tag }) => tag)).toContain('OTHR');
  const status = (path: string, headers: Record<string, string>) =>
    statusOf(server, ['GET', path], headers);
  const mine = address(`wire=4&since=${cursor}`);
  expect([
    await status(mine, a.headers),
    await status(mine, a.headers),
    await status(mine, b.headers),
    await status(mine, b.headers),
  ]).toEqual([200, 200, 200, 200]);
  expect(await status(list('other'), a.headers)).toBe(404);
  expect([
    await status(mine, {}),
    await status(mine, { authorization: `Bearer ${'x'.repeat(43)}` }),
  ]).toEqual([401, 401]);
  await callOk(server, revokePhone, { params: { phoneId: hall.phone_ids[0]! } }, admin);
  expect([await status(mine, a.headers), await status(mine, b.headers)]).toEqual([401, 200]);
  await callOk(
    server,
    changePhone,
    { params: { phoneId: hall.phone_ids[1]! }, body: { event_ids: ['other'] } },
    admin,
  );
  expect([await status(mine, b.headers), await status(list('other'), b.headers)]).toEqual([
    404, 200,
  ]);
  await server.house.ctx.db('events').where({ id: 'hall' }).update({ status: 'draft' });
  expect(await status(mine, phoneOf(server, hall, 2).headers)).toBe(404);
});

it('the list as a block knows what its role may know, and holds nothing more', async (server) => {
  const { db } = server.house.ctx;
  const hall = await fillHall(db, {
    places: 300,
    phones: 3,
    supervisors: 1,
    unsoldEach: 7,
    event: { nominative: 1 },
  });
  await db('events').where({ id: 'hall' }).update({ nominative: 1 });
  await db('tickets')
    .where({ place: hall.labels[1]! })
    .update({ holder: 'Zefiro Quintavalle', holder_email: 'zefiro@example.it' });
  const phones = [phoneOf(server, hall), phoneOf(server, hall, 1), phoneOf(server, hall, 2)];
  const scan = phones[2]!.scan(hall.labels[1]!);
  await phones[2]!.send(scan, phones[2]!.scan(hall.labels[2]!), undoOf(phones[2]!, scan));
  await sellAgain(server, hall.labels[4]!);
  const tickets = await db('tickets');
  const { code_secret } = await db('events').where({ id: 'hall' }).first();
  for (const [nth, phone] of phones.slice(0, 2).entries()) {
    const response = await fetchList(server, 'hall', phone.headers);
    const bytes = await response.arrayBuffer();
    expect([
      response.headers.get('content-type'),
      Number(response.headers.get('x-unpacked-length')),
    ]).toEqual(['application/octet-stream', bytes.byteLength]);
    const { head, block: kept } = readList(bytes);
    expect(head.event.starts_at).toBe(Date.parse(listIn(bytes).event.starts_at));
    const block = openBlock(kept);
    expect([
      block.named,
      block.tickets,
      listIn(bytes).admissions.filter(({ undone }) => undone).length,
    ]).toEqual([nth === 0, tickets.filter(({ state }) => state === 'valid').length, 1]);
    // Without the hashes, in which any letters may come together.
    block.codes.fill(0);
    const text = Buffer.from(bytes).toString('latin1');
    const secrets = [
      code_secret,
      'example',
      '+39',
      'something-read',
      ...(nth === 0 ? [] : ['Zefiro', 'Rossi']),
      ...tickets.flatMap((ticket) => [ticket.id, ticket.order_id]),
    ];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
  // A list of a moment ago is handed out again, with what has come since as differences.
  await sellAgain(server, hall.labels[9]!);
  const { cursor } = await phones[1]!.pull();
  expect([...placesIn(await phones[1]!.pull(cursor)).keys()]).toEqual([hall.labels[9]]);
});

test('so much has changed that it costs more than the whole list: that is what the phone is sent for, and it is not an old one', async () => {
  await using server = await startServer();
  const { db } = server.house.ctx;
  const hall = await fillHall(db, { places: 10_200, phones: 1 });
  const phone = phoneOf(server, hall);
  const { cursor } = await phone.pull();
  await transact(db, async (trx) => {
    const { feed_seq } = await nextAtDoor(trx, 'hall');
    await trx('places').where({ event_id: 'hall' }).update({ feed_seq });
  });
  const refused = await ask(server, 'GET', address(`wire=4&since=${cursor}`), {
    headers: phone.headers,
  });
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'resync_required' }]);
  const anew = await phone.pull();
  expect([anew.cursor === cursor, (await phone.pull(anew.cursor)).places]).toEqual([false, []]);
});

test('5,000 places are one lean answer, made once for phones that come together, and readable without compression', async () => {
  await using server = await startServer();
  const hall = await fillHall(server.house.ctx.db, { places: 5_000, phones: 20, unsoldEach: 9 });
  const pull = async (phone: number, encoding: string) => {
    const { headers } = phoneOf(server, hall, phone);
    const response = await fetchList(server, 'hall', { ...headers, 'accept-encoding': encoding });
    const bytes = Buffer.from(await response.arrayBuffer());
    // A phone's bar needs it.
    expect(Number(response.headers.get('x-unpacked-length'))).toBe(bytes.length);
    return {
      encoding: response.headers.get('content-encoding'),
      length: Number(response.headers.get('content-length')),
      bytes,
    };
  };
  const answers = await Promise.all(Array.from({ length: 20 }, (_, phone) => pull(phone, 'gzip')));
  expect(answers.every(({ bytes }) => bytes.equals(answers[0]!.bytes))).toBe(true);
  const { block } = readList(new Uint8Array(answers[0]!.bytes).buffer);
  expect((answers[0]!.length - openBlock(block).codes.length) / 5_000).toBeLessThan(26);
  const plain = await pull(0, 'identity');
  expect([plain.encoding, plain.bytes.equals(answers[0]!.bytes)]).toEqual([null, true]);
});

test('a call that the stop of the server overtakes fails by itself: it does not end the process', async () => {
  const server = await startServer();
  const { ctx } = server.house;
  await server.close();
  await expect(doorMemory(ctx).events.read('hall')).rejects.toThrow(/not open/);
});
