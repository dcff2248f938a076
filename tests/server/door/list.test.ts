/** The door's list on the wire: all of it once, then only what changed; lean, exact, and nothing that a phone must not know. */
import { expect, test } from 'vitest';
import * as v from 'valibot';
import { hashesOfRow, placeOf, scansOfRow } from '#apps/scanner/list/image.ts';
import { readBlockAnswer } from '#apps/scanner/list/page.ts';
import { endTickets, insertTickets } from '#db/tickets.ts';
import { nextFeedSeq, updateEvent } from '#db/events.ts';
import { issueRevision, touchPlaces } from '#db/seats.ts';
import { transact } from '#db/transact.ts';
import { pullChanges } from '#server/contract/admissions.ts';
import { doorPage } from '#server/contract/door-list.ts';
import { changePhone, revokePhone } from '#server/contract/phones.ts';
import { openBlock } from '#server/domain/door-block.ts';
import { isWhole, packPlaces, placeAt, ticketPositions } from '#server/domain/door-list.ts';
import { doorMemory } from '#server/services/door/state.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { admissionsIn, phoneOf, placesIn, undoOf } from '#tests/support/door/door-phone.ts';
import { ask, callOk, makeAdmin } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const address = (query: string) => `/api/scanner/events/hall/changes?${query}`;

/** One more ticket on a place, as a change of holder or a second sale makes it. */
async function sellAgain({ house: { ctx } }: TestServer, place: string): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const feed_seq = await nextFeedSeq(trx, 'hall');
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
    const revision = await issueRevision(trx, 'hall', place, feed_seq);
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
        holder_changes: 0,
        issued_at: ctx.now(),
        ended_at: null,
      },
    ]);
    await touchPlaces(trx, 'hall', { places: [place], feed_seq });
  });
}

testOnBoth('the list in columns is the list of objects, whole, and by pages', async (server) => {
  const hall = await fillHall(server.house.ctx.db, { places: 900, phones: 1, unsoldEach: 7 });
  const phone = phoneOf(server, hall);
  const scans = hall.labels
    .filter((_, at) => at % 7 === 1)
    .slice(0, 20)
    .map((place) => phone.scan(place));
  await phone.send(...scans);
  await phone.send(undoOf(phone, scans[0]!));
  await sellAgain(server, hall.labels[0]!);
  const page = await phone.pull();
  expect(
    v.safeParse(doorPage, {
      ...page,
      server_time: 0,
      event: { ...page.event, starts_at: 0, wipe_at: 0 },
      other_events: [],
    }).success,
  ).toBe(true);
  expect([
    page.kind,
    page.from,
    page.more,
    isWhole(page.places),
    page.event.places,
    page.event.rehearsal,
  ]).toEqual(['snapshot', null, false, true, 900, false]);

  const objects = await callOk(server, pullChanges, { params: { eventId: 'hall' } }, phone.headers);
  const tickets = ticketPositions(page.places);
  let hash = 0;
  const listed = new Map(
    page.places.issued.map((_, at) => {
      const { section: __, ticket, ...place } = placeAt(page.places, at, tickets[at]!);
      const hashes = Array.from({ length: page.places.hash_counts[at]! }, () =>
        page.places.hashes.slice(16 * hash, 16 * ++hash),
      );
      return [place.place, { ...place, hashes, ticket }];
    }),
  );
  expect(listed.size).toBe(900);
  for (const { ticket, ...place } of objects.places) {
    const { ticket: packed, ...rest } = listed.get(place.place)!;
    expect(rest).toEqual(place);
    expect(packed && { ...packed, ticket_id: ticket!.ticket_id }).toEqual(
      ticket && { ...ticket, name: null, order_number: null },
    );
  }
  expect(
    [...admissionsIn(page).values()]
      .map((scan) => ({ ...scan, at: new Date(scan.at).toISOString() }))
      .toSorted(byId),
  ).toEqual(objects.admissions.toSorted(byId));
  expect(
    [...admissionsIn(page).values()]
      .filter(({ undone }) => undone)
      .map(({ admission_id }) => admission_id),
  ).toEqual([scans[0]!.admission_id]);

  const [places, admissions] = [new Map(), new Map()];
  let part = await phone.pull(undefined, 200);
  for (let pages = 1; ; pages += 1) {
    expect(pages).toBeLessThan(8);
    for (const [name, place] of placesIn(part)) places.set(name, place);
    for (const [id, scan] of admissionsIn(part)) admissions.set(id, scan);
    if (!part.more) break;
    part = await phone.pull(part.cursor, 200);
    expect([part.kind, part.event.places]).toEqual(['delta', 900]);
  }
  expect(places).toEqual(placesIn(page));
  expect(admissions).toEqual(admissionsIn(page));
  expect(part.cursor).toBe(page.cursor);
});

const byId = (a: { admission_id: string }, b: { admission_id: string }) =>
  a.admission_id < b.admission_id ? -1 : 1;

testOnBoth(
  'after the list only what changed comes, all of it, and an old list is caught up',
  async (server) => {
    const { db } = server.house.ctx;
    const hall = await fillHall(db, { places: 60, phones: 2 });
    const [a, b] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
    const first = await a.pull();
    const empty = await a.pull(first.cursor);
    expect([
      empty.kind,
      empty.from,
      empty.cursor,
      empty.more,
      empty.places.issued.length,
      empty.admissions.revision.length,
    ]).toEqual(['delta', first.cursor, first.cursor, false, 0, 0]);
    expect(v.safeParse(doorPage.entries.places, empty.places).success).toBe(true);

    await sellAgain(server, hall.labels[3]!);
    const scan = b.scan(hall.labels[5]!);
    await b.send(scan);
    // A list that was made a moment ago is handed out again, and says that there is more.
    const kept = await b.pull();
    expect([kept.cursor, kept.more, kept.places.issued.length]).toEqual([first.cursor, true, 60]);
    for (const phone of [a, b]) {
      const delta = await phone.pull(first.cursor);
      expect([
        [...placesIn(delta).keys()],
        placesIn(delta).get(hall.labels[3]!)!.issued,
        [...admissionsIn(delta).keys()],
        delta.more,
      ]).toEqual([[hall.labels[3]], 2, [scan.admission_id], false]);
    }
    // It is not handed out for ever.
    server.clock.advance(61_000);
    const later = await a.pull();
    expect([
      later.more,
      placesIn(later).get(hall.labels[3]!)!.issued,
      admissionsIn(later).size,
    ]).toEqual([false, 2, 1]);
    // What is said of the event is never old.
    await transact(db, (trx) =>
      updateEvent(trx, 'hall', {
        title: 'Un altro titolo',
        admits_until: Date.UTC(2026, 11, 1),
        status: 'cancelled',
      }),
    );
    expect((await a.pull(later.cursor)).event).toMatchObject({
      title: 'Un altro titolo',
      admits_until: '2026-12-01T00:00:00.000Z',
      cancelled: true,
    });
    expect((await a.pull()).event.cancelled).toBe(true);

    for (const since of [
      '',
      'e1.1',
      `other.1.2`,
      first.cursor.replace(/\.\d+\./, '.999999.'),
      `${first.cursor}n`,
      'e1.-1.2',
      'e1.1e1.2',
      '__proto__',
    ]) {
      const answer = await ask(
        server,
        'GET',
        address(`wire=2&since=${encodeURIComponent(since)}`),
        { headers: a.headers },
      );
      expect([since, answer.status, (answer.body as { code: string }).code]).toEqual([
        since,
        409,
        'resync_required',
      ]);
    }
    await transact(db, (trx) => updateEvent(trx, 'hall', { feed_epoch: 'e2' }));
    expect(
      (await ask(server, 'GET', address(`wire=2&since=${later.cursor}`), { headers: a.headers }))
        .status,
    ).toBe(409);
  },
);

testOnBoth('names are for supervisors; whose role changes begins anew', async (server) => {
  const admin = await makeAdmin(server);
  const hall = await fillHall(server.house.ctx.db, { places: 12, phones: 2, supervisors: 1 });
  const [boss, steward] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  const [named, plain] = [await boss.pull(), await steward.pull()];
  expect([plain.places.name, plain.places.order_number]).toEqual([null, null]);
  expect([...placesIn(named).values()].map(({ ticket }) => ticket!.name)).toEqual(
    expect.arrayContaining(['Ada Rossi']),
  );
  expect(named.places.order_number!.every((number) => /^[\w-]{8}$/.test(number!))).toBe(true);
  const params = { phoneId: hall.phone_ids[0]! };
  await callOk(server, changePhone, { params, body: { role: 'steward' } }, admin);
  expect(
    (await ask(server, 'GET', address(`wire=2&since=${named.cursor}`), { headers: boss.headers }))
      .status,
  ).toBe(409);
  const anew = await boss.pull();
  expect([anew.places.name, anew.cursor]).toEqual([null, plain.cursor]);
  await callOk(server, changePhone, { params, body: { role: 'supervisor' } }, admin);
  expect(
    (await ask(server, 'GET', address(`wire=2&since=${anew.cursor}`), { headers: boss.headers }))
      .status,
  ).toBe(409);
});

testOnBoth(
  'a list knows nothing that a phone must not: no mail, telephone, price, code, order or name',
  async (server) => {
    const { db } = server.house.ctx;
    const hall = await fillHall(db, { places: 30, phones: 2, supervisors: 1 });
    await db('tickets').update({ holder: 'Zefiro Quintavalle', holder_email: 'zefiro@example.it' });
    const phones = [phoneOf(server, hall), phoneOf(server, hall, 1)];
    await phones[1]!.send(
      phones[1]!.scan(hall.labels[0]!),
      phones[1]!.scan(null, { read: 'something-read' }),
    );
    const [boss, steward] = await Promise.all(phones.map((phone) => phone.pull()));
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
      '.wire',
      '.kind',
      '.from',
      '.other_events[]',
      '.places.place.heads.of[]',
      '.places.place.heads.at[]',
      '.places.place.tails[]',
      '.places.seat.heads.of[]',
      '.places.seat.heads.at[]',
      '.places.seat.tails[]',
      '.places.section.of[]',
      '.places.section.at[]',
      '.places.category.of[]',
      '.places.category.at[]',
      '.places.issued[]',
      '.places.hashes',
      '.places.hash_counts[]',
      '.places.ticketed[]',
      '.places.revision[]',
      '.places.state[]',
      '.places.type_label.of[]',
      '.places.type_label.at[]',
      '.places.order_group.of[]',
      '.places.order_group.at[]',
      '.places.initials.of[]',
      '.places.initials.at[]',
      '.places.gates.of[]',
      '.places.gates.at[]',
      '.places.sealed_name',
      '.places.name',
      '.places.order_number',
      '.admissions.admission_id[]',
      '.admissions.place.heads.of[]',
      '.admissions.place.heads.at[]',
      '.admissions.place.tails[]',
      '.admissions.revision[]',
      '.admissions.direction[]',
      '.admissions.at[]',
      '.admissions.gate.of[]',
      '.admissions.gate.at[]',
      '.admissions.phone_id.of[]',
      '.admissions.phone_id.at[]',
      '.admissions.by.of[]',
      '.admissions.by.at[]',
      '.admissions.conflict_with.of[]',
      '.admissions.conflict_with.at[]',
      '.admissions.undone[]',
      '.cursor',
      '.more',
      '.server_time',
    ]);
    expect(Object.keys(steward!.event)).toEqual([
      'id',
      'title',
      'starts_at',
      'admits_from',
      'admits_until',
      'wipe_at',
      'cancelled',
      'tag',
      'salt',
      'verify_policy',
      'reentry',
      'rehearsal',
      'places',
    ]);
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
      JSON.stringify({ ...page!, places: { ...page!.places, hashes: '', order_number: null } }),
    )) {
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
    expect([
      JSON.stringify(boss).includes('Zefiro'),
      JSON.stringify(steward).includes('Zefiro'),
      JSON.stringify(steward).includes('Rossi'),
      steward!.places.initials.of,
    ]).toEqual([true, false, false, ['Z. Q.']]);
  },
);

testOnBoth(
  'a phone is refused at its very next call, and sees only its own events',
  async (server) => {
    const admin = await makeAdmin(server);
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
    const status = async (path: string, headers: Record<string, string>) =>
      (await ask(server, 'GET', path, { headers })).status;
    const mine = address(`wire=2&since=${cursor}`);
    // Asked twice: the second answer comes from memory.
    expect([
      await status(mine, a.headers),
      await status(mine, a.headers),
      await status(mine, b.headers),
      await status(mine, b.headers),
    ]).toEqual([200, 200, 200, 200]);
    expect(await status('/api/scanner/events/other/changes?wire=2', a.headers)).toBe(404);
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
    expect([
      await status(mine, b.headers),
      await status('/api/scanner/events/other/changes?wire=2', b.headers),
    ]).toEqual([404, 200]);
    await server.house.ctx.db('events').where({ id: 'hall' }).update({ status: 'draft' });
    expect(await status(mine, phoneOf(server, hall, 2).headers)).toBe(404);
  },
);

testOnBoth(
  'the list as a block is the list in columns, by role, and holds nothing more',
  async (server) => {
    const { db } = server.house.ctx;
    const hall = await fillHall(db, { places: 300, phones: 3, supervisors: 1, unsoldEach: 7 });
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
      const page = await phone.pull();
      const response = await fetch(`${server.url}${address('form=block&wire=2')}`, {
        headers: phone.headers,
      });
      const bytes = await response.arrayBuffer();
      expect([
        response.headers.get('content-type'),
        Number(response.headers.get('x-unpacked-length')),
      ]).toEqual(['application/octet-stream', bytes.byteLength]);
      const { head, block: kept } = readBlockAnswer(bytes)!;
      const { places: _, admissions: __, ...rest } = page;
      expect({ ...head, server_time: '' }).toEqual({ ...rest, server_time: '' });
      const block = openBlock(kept);
      const places = Array.from({ length: block.count }, (___, row) => ({
        ...placeOf(block, row),
        hashes: hashesOfRow(block, row),
      }));
      expect(packPlaces(places, { names: nth === 0, sealed: true })).toEqual(page.places);
      const scans = Array.from({ length: block.count }, (___, row) =>
        scansOfRow(block, row),
      ).flat();
      expect(scans.toSorted(byId)).toEqual([...admissionsIn(page).values()].toSorted(byId));
      expect([block.named, block.tickets, scans.filter(({ undone }) => undone).length]).toEqual([
        nth === 0,
        tickets.filter(({ state }) => state === 'valid').length,
        1,
      ]);
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
      // Pressed or not, it is the same; and with a cursor or a limit there is no block.
      const plain = new Uint8Array(
        await (
          await fetch(`${server.url}${address('form=block&wire=2')}`, {
            headers: { ...phone.headers, 'accept-encoding': 'identity' },
          })
        ).arrayBuffer(),
      );
      expect(
        Buffer.from(readBlockAnswer(plain.buffer)!.block).equals(
          Buffer.from(
            readBlockAnswer(
              await (
                await fetch(`${server.url}${address('form=block&wire=2')}`, {
                  headers: phone.headers,
                })
              ).arrayBuffer(),
            )!.block,
          ),
        ),
      ).toBe(true);
      for (const query of [`since=${page.cursor}`, 'limit=200'])
        expect(
          (
            await ask(server, 'GET', address(`wire=2&form=block&${query}`), {
              headers: phone.headers,
            })
          ).body,
        ).toMatchObject({ wire: 2, places: { place: {} } });
      expect(
        (await ask(server, 'GET', address('wire=2&form=other'), { headers: phone.headers })).status,
      ).toBe(400);
    }
    // A list of a moment ago is handed out again, with what has come since as differences.
    await sellAgain(server, hall.labels[9]!);
    const again = readBlockAnswer(
      await (
        await fetch(`${server.url}${address('wire=2&form=block')}`, { headers: phones[1]!.headers })
      ).arrayBuffer(),
    )!;
    expect([
      again.head.more,
      [...placesIn(await phones[1]!.pull(again.head.cursor)).keys()],
    ]).toEqual([true, [hall.labels[9]]]);
  },
);

test('5,000 places are one lean answer, made once for phones that come together, and readable without compression', async () => {
  await using server = await startServer();
  const hall = await fillHall(server.house.ctx.db, { places: 5_000, phones: 20, unsoldEach: 9 });
  const pull = async (phone: number, encoding: string) => {
    const response = await fetch(`${server.url}${address('wire=2')}`, {
      headers: { ...phoneOf(server, hall, phone).headers, 'accept-encoding': encoding },
    });
    const text = await response.text();
    // A phone's bar needs it.
    expect(Number(response.headers.get('x-unpacked-length'))).toBe(Buffer.byteLength(text));
    return {
      encoding: response.headers.get('content-encoding'),
      length: Number(response.headers.get('content-length')),
      text,
    };
  };
  const answers = await Promise.all(Array.from({ length: 20 }, (_, phone) => pull(phone, 'gzip')));
  const lists = new Set(answers.map(({ text }) => text.replace(/"server_time":"[^"]+"/, '')));
  expect(lists.size).toBe(1);
  const { places } = JSON.parse(answers[0]!.text) as { places: { hash_counts: number[] } };
  const hashes = places.hash_counts.reduce((sum, count) => sum + count, 0) * 12;
  expect((answers[0]!.length - hashes) / 5_000).toBeLessThan(26);
  const block = await fetch(`${server.url}${address('wire=2&form=block')}`, {
    headers: { ...phoneOf(server, hall).headers, 'accept-encoding': 'gzip' },
  });
  expect((Number(block.headers.get('content-length')) - hashes) / 5_000).toBeLessThan(26);
  await block.arrayBuffer();
  const plain = await pull(0, 'identity');
  expect([plain.encoding, plain.text.replace(/"server_time":"[^"]+"/, '')]).toEqual([
    null,
    [...lists][0],
  ]);
  // An empty delta comes from memory in the same way.
  const raw = await fetch(
    `${server.url}${address(`wire=2&since=${(JSON.parse(plain.text) as { cursor: string }).cursor}`)}`,
    { headers: { ...phoneOf(server, hall).headers, 'accept-encoding': 'gzip, br' } },
  );
  expect(((await raw.json()) as { kind: string }).kind).toBe('delta');
});

test('a call that the stop of the server overtakes fails by itself: it does not end the process', async () => {
  const server = await startServer();
  const { ctx } = server.house;
  await server.close();
  await expect(doorMemory(ctx).events.read('hall')).rejects.toThrow(/not open/);
});
