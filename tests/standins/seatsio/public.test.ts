/** What a browser sees and may do: holds, releases and the stream, by the public workspace key alone. */
import { expect } from 'vitest';
import { eventParams, things, updateParams, testStandin as test } from './start.ts';
import type { PublicBody, Standin } from './start.ts';

const MINUTE = 60_000;

interface Line {
  next: () => Promise<unknown>;
  close: () => void;
}

/** A server-sent event stream read message by message; comments and retry hints are passed over. */
async function openStream(
  { url, workspaceKey }: Standin,
  more: { event?: string; since?: number; lastId?: number; channels?: string } = {},
): Promise<Line> {
  const abort = new AbortController();
  const query = `?since=${more.since ?? ''}&channels=${more.channels ?? ''}`;
  const answer = await fetch(
    `${url}/system/public/${workspaceKey}/events/${more.event ?? 'ev'}/stream${query}`,
    {
      signal: abort.signal,
      headers: more.lastId === undefined ? {} : { 'Last-Event-ID': String(more.lastId) },
    },
  );
  if (!answer.ok || !answer.headers.get('content-type')?.startsWith('text/event-stream'))
    throw new Error(`No stream: ${answer.status}`);
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  return {
    async next() {
      for (;;) {
        const end = buffer.indexOf('\n\n');
        if (end >= 0) {
          const block = buffer.slice(0, end);
          buffer = buffer.slice(end + 2);
          const data = block.split('\n').find((line) => line.startsWith('data: '));
          if (data) return JSON.parse(data.slice(6)) as unknown;
          continue;
        }
        const { value, done } = await reader.read();
        if (done) return null;
        buffer += value;
      }
    },
    close: () => abort.abort(),
  };
}

async function makeToken(standin: Standin): Promise<string> {
  return ((await standin.visit('POST', '/hold-tokens')).body as { holdToken: string }).holdToken;
}

async function hold(standin: Standin, holdToken: string, ...objects: (string | object)[]) {
  return standin.visit('POST', '/events/ev/actions/hold', {
    holdToken,
    objects: objects.map((object) => (typeof object === 'string' ? { objectId: object } : object)),
  });
}

test('rendering information carries the drawing in tenths and only what is not plainly free', async (standin) => {
  const { events } = standin.client;
  await events.book('ev', things('A-1', 'B-3', { objectId: 'GA1', quantity: 2 }), null, 'order1');
  await events.changeObjectStatus('ev', 'A-2', 'in_pagamento');
  await events.hold('ev', 'A-3', await makeToken(standin));
  await events.editForSaleConfig('ev', null, [{ object: 'B-1' }, { object: 'GA1', quantity: 10 }]);
  await events.channels.add('ev', 'partner', 'Partner', '#000000', 1, ['B-2']);
  const { status, body } = await standin.visit('GET', '/rendering-info?event_key=ev');
  expect(status).toBe(200);
  expect(body.statuses).toEqual([
    { labels: ['A-1', 'B-3'], status: 'booked' },
    { labels: ['A-2'], status: 'in_pagamento' },
    { labels: ['A-3'], status: 'reservedByToken' },
    { labels: ['B-1'], status: 'free', forSale: false },
    { labels: ['B-2'], status: 'free', locked: true },
    { labels: ['GA1'], status: 'free', numBooked: 12 },
  ]);
  expect(body).toMatchObject({
    event: { key: 'ev', isInThePast: false },
    holdPeriodInMinutes: 15,
    chart: { key: 'small', version: 1, width: 4000, focalPoint: { x: 1000, y: 0 } },
  });
  expect(body.chart.categories.map(({ key }: { key: string }) => key)).toEqual(['1', 'two']);
  expect(body.chart.rows[0]).toMatchObject({
    type: 'row',
    section: -1,
    label: 'A',
    seats: {
      labels: { from: 1, step: 1 },
      runs: [{ count: 8, line: [200, 500, 200, 0] }],
      categories: 0,
    },
  });
  expect(body.chart.rows.find(({ section }: { section: number }) => section === 0)).toEqual({
    type: 'row',
    section: 0,
    label: 'C',
    displayLabel: 'Fila C',
    displayObjectType: 'Palco',
    seats: {
      labels: { from: 1, step: 1 },
      runs: [
        { count: 2, line: [200, 2300, 400, 0] },
        { count: 1, line: [800, 2300, 0, 0] },
      ],
      categories: 1,
      flags: [0, 4],
      gapsAfter: [0],
    },
  });
  expect(body.chart.areas).toEqual([
    {
      section: -1,
      label: 'GA1',
      displayLabel: 'GA1',
      category: 1,
      capacity: 100,
      shape: {
        type: 'circle',
        center: { x: 3000, y: 2000 },
        radius1: 600,
        radius2: 400,
        rotationAngle: 0,
      },
    },
  ]);
  expect(body.chart.rows.find(({ type }: { type: string }) => type === 'table')).toMatchObject({
    label: 'T1',
    bookAsAWhole: true,
    center: { x: 3000, y: 600 },
    radius: 200,
  });
});

test('nothing public tells of tokens, orders or extra data of others', async (standin) => {
  const mine = await makeToken(standin);
  const stream = await openStream(standin);
  await hold(standin, mine, 'A-1');
  await standin.client.events.book(
    'ev',
    things({ objectId: 'A-2', extraData: { name: 'Rossi' } }),
    null,
    'order-secret',
  );
  const other = await makeToken(standin);
  const heard = [await stream.next(), await stream.next()];
  const seen = JSON.stringify([
    heard,
    (await standin.visit('GET', '/rendering-info?event_key=ev')).body,
    (await hold(standin, other, 'A-3')).body,
    (await standin.visit('GET', `/hold-tokens/${other}?event_key=ev`)).body,
  ]);
  for (const secret of [mine, 'order-secret', 'Rossi', standin.secretKey])
    expect(seen).not.toContain(secret);
  stream.close();
});

test('a visitor holds and releases, seats and places, and sees what the token has', async (standin) => {
  const { events } = standin.client;
  const token = await makeToken(standin);
  const held = await hold(
    standin,
    token,
    { objectId: 'A-1', ticketType: 'intero' },
    { objectId: 'GA1', quantity: 3 },
    { objectId: 'GA1', quantity: 2, ticketType: 'ridotto' },
  );
  expect(held).toEqual({
    status: 200,
    body: {
      statuses: [
        { label: 'A-1', status: 'reservedByToken' },
        { label: 'GA1', status: 'free', numHeld: 5 },
      ],
      objects: [
        { objectId: 'A-1', quantity: 1, ticketType: 'intero' },
        { objectId: 'GA1', quantity: 3 },
        { objectId: 'GA1', quantity: 2, ticketType: 'ridotto' },
      ],
    },
  });
  expect((await standin.visit('GET', `/hold-tokens/${token}?event_key=ev`)).body).toMatchObject({
    holdToken: token,
    expiresInSeconds: 900,
    workspaceKey: standin.workspaceKey,
    objects: held.body.objects,
  });
  const released = await standin.visit('POST', '/events/ev/actions/release', {
    holdToken: token,
    objects: [{ objectId: 'A-1' }, { objectId: 'GA1', quantity: 2, ticketType: 'ridotto' }],
  });
  expect(released.body).toEqual({
    statuses: [
      { label: 'A-1', status: 'free' },
      { label: 'GA1', status: 'free', numHeld: 3 },
    ],
    objects: [{ objectId: 'GA1', quantity: 3 }],
  });
  expect(
    (await events.statusChanges('ev').firstPage()).items.map(({ origin }) => origin.type),
  ).toEqual([
    'HOLD_RELEASED_BY_USER',
    'HOLD_RELEASED_BY_USER',
    'HELD_BY_USER',
    'HELD_BY_USER',
    'HELD_BY_USER',
  ]);
  await events.book('ev', things({ objectId: 'GA1', quantity: 3 }), token);
  expect((await standin.visit('GET', `/hold-tokens/${token}?event_key=ev`)).body.objects).toEqual(
    [],
  );
});

test('a visitor gets only what is free and for sale, all of it or nothing', async (standin) => {
  const { events } = standin.client;
  const [mine, other] = [await makeToken(standin), await makeToken(standin)];
  await hold(standin, other, 'A-1');
  await events.book('ev', 'A-2');
  await events.changeObjectStatus('ev', 'A-3', 'blocked');
  await events.markAsNotForSale('ev', ['A-4']);
  await events.channels.add('ev', 'partner', 'Partner', '#000000', 1, ['A-5']);
  const codes: Record<string, string> = {};
  for (const label of ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'Z-1']) {
    const { status, body } = await hold(standin, mine, 'B-1', label);
    expect(status).toBe(400);
    codes[label] = body.errors[0]!.code;
  }
  expect(codes).toEqual({
    'A-1': 'ILLEGAL_STATUS_CHANGE',
    'A-2': 'ILLEGAL_STATUS_CHANGE',
    'A-3': 'ILLEGAL_STATUS_CHANGE',
    'A-4': 'NOT_FOR_SALE',
    'A-5': 'ILLEGAL_STATUS_CHANGE',
    'Z-1': 'OBJECT_NOT_FOUND',
  });
  expect((await standin.info('B-1')).status).toBe('free');
  for (const label of ['A-1', 'A-2', 'B-1'])
    expect(
      (
        await standin.visit('POST', '/events/ev/actions/release', {
          holdToken: mine,
          objects: [{ objectId: label }],
        })
      ).status,
    ).toBe(400);
});

test('a token that is over or of nobody is refused, and read as not found', async (standin) => {
  const token = await makeToken(standin);
  standin.clock.now += 15 * MINUTE;
  expect(await hold(standin, token, 'A-1')).toMatchObject({
    status: 400,
    body: { status: 400, errors: [{ code: 'HOLD_TOKEN_EXPIRED' }] },
  });
  expect(await hold(standin, 'nobody', 'A-1')).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'HOLD_TOKEN_NOT_FOUND' }] },
  });
  expect(await standin.visit('GET', `/hold-tokens/${token}`)).toMatchObject({
    status: 404,
    body: { errors: [{ code: 'HOLD_TOKEN_EXPIRED' }] },
  });
  expect(await standin.visit('GET', '/hold-tokens/nobody')).toMatchObject({
    status: 404,
    body: { errors: [{ code: 'HOLD_TOKEN_NOT_FOUND' }] },
  });
});

test('public calls know limits, their workspace and their body', async (standin) => {
  const token = await makeToken(standin);
  expect((await hold(standin, token, { objectId: 'GA1', quantity: 100 })).status).toBe(200);
  expect(await hold(standin, token, 'A-1')).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'TOO_MANY_OBJECTS' }] },
  });
  expect((await standin.info('A-1')).status).toBe('free');
  for (const objects of [undefined, [], ['A-1'], [{ objectId: 'GA1', quantity: 0 }]]) {
    const body = { holdToken: token, objects };
    expect((await standin.visit('POST', '/events/ev/actions/hold', body)).status).toBe(400);
  }
  const asked = { holdToken: token, objects: [{ objectId: 'A-1' }] };
  for (const [event, body, status] of [
    ['ev', { holdToken: 'x'.repeat(70_000) }, 413],
    ['nowhere', asked, 404],
  ] as const)
    expect((await standin.visit('POST', `/events/${event}/actions/hold`, body)).status).toBe(
      status,
    );
  for (const [call, status] of [
    ['/rendering-info', 400],
    ['/rendering-info?event_key=nowhere', 404],
    ['/events/ev/stream?since=x', 400],
    ['/hold-tokens', 405],
  ] as const)
    expect([call, (await standin.visit('GET', call)).status]).toEqual([call, status]);
  for (const workspace of ['another', standin.secretKey]) {
    const url = `${standin.url}/system/public/${workspace}/rendering-info?event_key=ev`;
    expect((await fetch(url)).status).toBe(404);
  }
});

test('a stream hears every change once, in order, with the numbers that rendering information starts from', async (standin) => {
  const { events } = standin.client;
  const token = await makeToken(standin);
  const { sequence } = (await standin.visit('GET', '/rendering-info?event_key=ev')).body as {
    sequence: number;
  };
  const stream = await openStream(standin, { since: sequence });
  await hold(standin, token, 'A-1', { objectId: 'GA1', quantity: 2 });
  expect(await stream.next()).toEqual({
    sequence: sequence + 1,
    changes: [
      { label: 'A-1', status: 'reservedByToken' },
      { label: 'GA1', status: 'free', numHeld: 2 },
    ],
  });
  await events.book('ev', 'A-1', token);
  expect(await stream.next()).toEqual({
    sequence: sequence + 2,
    changes: [{ label: 'A-1', status: 'booked' }],
  });
  standin.clock.now += 15 * MINUTE;
  // Nobody calls: the server's own timer lets the places go.
  expect(await stream.next()).toEqual({
    sequence: sequence + 3,
    changes: [{ label: 'GA1', status: 'free' }],
  });
  await events.markEverythingAsNotForSale('ev');
  expect(await stream.next()).toEqual({ resync: true });
  stream.close();
});

test('in a rush the changes are told together, each object once in its last state', async (standin) => {
  const stream = await openStream(standin);
  const token = await makeToken(standin);
  await hold(standin, token, 'A-1');
  const first = await stream.next();
  expect(first).toMatchObject({ changes: [{ label: 'A-1', status: 'reservedByToken' }] });
  await Promise.all([
    ...Array.from({ length: 7 }, (_, seat) => hold(standin, token, `B-${seat + 1}`)),
    standin.client.events.book('ev', 'A-1', token),
  ]);
  const told = new Map<string, string>();
  let messages = 0;
  for (; told.size < 8; messages += 1) {
    const { changes } = (await stream.next()) as { changes: { label: string; status: string }[] };
    for (const { label, status } of changes) {
      expect(told.has(label)).toBe(false);
      told.set(label, status);
    }
  }
  expect(messages).toBeLessThan(8);
  expect([...told].filter(([, status]) => status === 'booked')).toEqual([['A-1', 'booked']]);
  stream.close();
});

test('who names a channel may take its objects and is told which they are, and hears of no other', async (standin) => {
  const { client } = standin;
  await client.events.channels.replace('ev', [
    { key: 'partner', name: 'Partner', color: '#000000', index: 1, objects: ['A-1', 'A-2'] },
    { key: 'a,b', name: 'Press', color: '#000000', index: 2, objects: ['A-3'] },
  ]);
  const read = async (channels: string) =>
    (
      await standin.visit(
        'GET',
        `/rendering-info?event_key=ev&channels=${encodeURIComponent(channels)}`,
      )
    ).body.statuses;
  expect(await read('')).toEqual([{ status: 'free', locked: true, labels: ['A-1', 'A-2', 'A-3'] }]);
  expect(await read('partner')).toEqual([
    { status: 'free', channel: 'partner', labels: ['A-1', 'A-2'] },
    { status: 'free', locked: true, labels: ['A-3'] },
  ]);
  expect(await read('a%2Cb')).toEqual([
    { status: 'free', locked: true, labels: ['A-1', 'A-2'] },
    { status: 'free', channel: 'a,b', labels: ['A-3'] },
  ]);
  expect(await read('nowhere')).toEqual(await read(''));
  for (const bad of ['%E0%A4%A', ',', Array.from({ length: 60 }, (_, n) => `c${n}`).join(',')]) {
    expect(
      (
        await standin.visit(
          'GET',
          `/rendering-info?event_key=ev&channels=${encodeURIComponent(bad)}`,
        )
      ).status,
    ).toBe(400);
  }
  const [named, unnamed] = [
    await openStream(standin, { channels: 'partner' }),
    await openStream(standin),
  ];
  const token = await makeToken(standin);
  const holdWith = (label: string, channels?: string[]) =>
    standin.visit('POST', '/events/ev/actions/hold', {
      holdToken: token,
      channels,
      objects: [{ objectId: label }],
    });
  expect((await holdWith('A-1')).status).toBe(400);
  expect((await holdWith('A-3', ['partner'])).status).toBe(400);
  expect((await holdWith('B-1', ['partner'])).status).toBe(400);
  expect((await holdWith('B-1', ['partner', 'NO_CHANNEL'])).status).toBe(200);
  expect((await holdWith('A-1', ['partner'])).body.statuses).toEqual([
    { label: 'A-1', status: 'reservedByToken', channel: 'partner' },
  ]);
  const changesOf = async (stream: Line) =>
    [await stream.next(), await stream.next()]
      .map((message) => (message as { changes: unknown[] }).changes)
      .at(-1);
  expect(await changesOf(named)).toEqual([
    { label: 'A-1', status: 'reservedByToken', channel: 'partner' },
  ]);
  expect(await changesOf(unnamed)).toEqual([
    { label: 'A-1', status: 'reservedByToken', locked: true },
  ]);
  named.close();
  unnamed.close();
});

test('what is held for a group of events is held on all of them or on none', async (standin) => {
  const { events } = standin.client;
  await events.create('small', eventParams({ key: 'second' }));
  const token = await makeToken(standin);
  await events.book('second', 'A-2');
  const ask = (label: string) =>
    standin.visit('POST', '/events/ev/actions/hold', {
      holdToken: token,
      events: ['second'],
      objects: [{ objectId: label }],
    });
  expect((await ask('A-1')).status).toBe(200);
  expect((await ask('A-2')).status).toBe(400);
  for (const event of ['ev', 'second'])
    expect((await standin.info('A-1', event)).holdToken).toBe(token);
  expect((await standin.info('A-2')).status).toBe('free');
  expect(
    (
      await standin.visit('POST', '/events/ev/actions/release', {
        holdToken: token,
        events: ['second'],
        objects: [{ objectId: 'A-1' }],
      })
    ).status,
  ).toBe(200);
  for (const event of ['ev', 'second'])
    expect((await standin.info('A-1', event)).status).toBe('free');
});

test('the best places are held for a visitor at once, with their ticket types, or nothing is', async (standin) => {
  const token = await makeToken(standin);
  const ask = (body: object, action = 'hold') =>
    standin.visit('POST', `/events/ev/actions/${action}-best-available`, {
      holdToken: token,
      ...body,
    });
  const found = await ask({ number: 2, categories: ['Cat1'], except: ['A-4'] }, 'find');
  expect(found).toMatchObject({
    status: 200,
    body: { nextToEachOther: true, statuses: [], objects: [] },
  });
  expect(found.body.chosen.map(({ objectId }) => objectId)).not.toContain('A-4');
  expect((await standin.info(found.body.chosen[0]!.objectId)).status).toBe('free');
  const { body } = await ask({
    number: 2,
    categories: ['cat1'],
    ticketTypes: ['intero', 'ridotto'],
  });
  expect(body.chosen.map(({ ticketType }) => ticketType)).toEqual(['intero', 'ridotto']);
  expect(body.objects).toEqual(body.chosen);
  const standing = await ask({
    number: 5,
    categories: ['two'],
    ticketTypes: ['x', 'x', 'y', 'y', 'y'],
  });
  expect(standing.body.chosen).toEqual([
    { objectId: 'GA1', quantity: 2, ticketType: 'x' },
    { objectId: 'GA1', quantity: 3, ticketType: 'y' },
  ]);
  expect((await standin.info(body.chosen[0]!.objectId)).holdToken).toBe(token);
  expect(await ask({ number: 4, sections: ['Balcony'] })).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'BEST_AVAILABLE_OBJECTS_NOT_FOUND' }] },
  });
  for (const bad of [
    {},
    { number: 0 },
    { number: 101 },
    { number: 1, accessibleSeats: 2 },
    { number: 2, ticketTypes: ['x'] },
    { number: 1, holdToken: null },
    { number: 1, holdToken: 'nobody' },
  ]) {
    expect((await ask(bad)).status).toBe(400);
  }
});

test('browsers that can unpack get the drawing packed, and every change is in the next answer', async (standin) => {
  const { events } = standin.client;
  const read = async (encoding: string) => {
    const answer = await fetch(
      `${standin.url}/system/public/${standin.workspaceKey}/rendering-info?event_key=ev`,
      { headers: { 'Accept-Encoding': encoding } },
    );
    return {
      packed: answer.headers.get('content-encoding'),
      body: (await answer.json()) as PublicBody,
    };
  };
  const plain = await read('identity');
  expect(plain.packed).toBeNull();
  expect(await read('gzip')).toEqual({ packed: 'gzip', body: plain.body });
  await events.book('ev', 'A-1');
  expect((await read('gzip')).body.statuses).toEqual([{ status: 'booked', labels: ['A-1'] }]);
  await events.update('ev', updateParams({ name: 'Prima' }));
  expect((await read('gzip')).body.event.name).toBe('Prima');
});

test('a refused change is not heard', async (standin) => {
  const { events } = standin.client;
  await events.book('ev', 'A-1');
  const stream = await openStream(standin);
  await hold(standin, await makeToken(standin), 'A-2', 'A-1');
  await events.book('ev', 'A-3');
  expect(await stream.next()).toMatchObject({ changes: [{ label: 'A-3', status: 'booked' }] });
  stream.close();
});

test('a line that was broken catches up with the present state, or is told to start anew', async (standin) => {
  const { events } = standin.client;
  await events.book('ev', 'A-1');
  await events.book('ev', 'A-2');
  await events.release('ev', 'A-1');
  const bySince = await openStream(standin, { since: 0 });
  expect(await bySince.next()).toEqual({
    sequence: 3,
    changes: [
      { label: 'A-1', status: 'free' },
      { label: 'A-2', status: 'booked' },
    ],
  });
  const byHeader = await openStream(standin, { since: 0, lastId: 2 });
  expect(await byHeader.next()).toEqual({
    sequence: 3,
    changes: [{ label: 'A-1', status: 'free' }],
  });
  const ahead = await openStream(standin, { since: 99 });
  expect(await ahead.next()).toEqual({ resync: true });
  for (let round = 0; round < 6; round += 1)
    for (const act of ['book', 'release'] as const)
      await Promise.all(Array.from({ length: 50 }, () => events[act]('ev', 'GA1')));
  const late = await openStream(standin, { since: 1 });
  expect(await late.next()).toEqual({ resync: true });
  for (const stream of [bySince, byHeader, ahead, late]) stream.close();
});

test('who missed hundreds of objects reads them anew, because that is printed once for everybody', async (standin) => {
  const { events, eventReports } = standin.client;
  await events.create('teatro-dell-opera', eventParams({ key: 'opera' }));
  const { free } = (await eventReports.byStatus('opera', 'free')) as unknown as {
    free: { label: string; objectType: string }[];
  };
  const labels = free.filter(({ objectType }) => objectType === 'seat').map(({ label }) => label);
  await events.book('opera', labels.slice(0, 300));
  const few = await openStream(standin, { event: 'opera', since: 0 });
  expect(await few.next()).toMatchObject({ sequence: 1, changes: { length: 300 } });
  await events.book('opera', labels.slice(300, 302));
  const many = await openStream(standin, { event: 'opera', since: 0 });
  expect(await many.next()).toEqual({ resync: true });
  for (const stream of [few, many]) stream.close();
});

test('streams end when the server stops', async (standin) => {
  const stream = await openStream(standin);
  await standin.close();
  expect(await stream.next().catch(() => null)).toBeNull();
});
