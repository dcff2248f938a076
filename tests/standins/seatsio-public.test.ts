/** What a browser sees and may do: holds, releases and the stream, by the public workspace key alone. */
import { expect, test } from 'vitest';
import { startStandin, things } from './seatsio-start.ts';
import type { Standin } from './seatsio-start.ts';

const MINUTE = 60_000;

interface Line { next: () => Promise<unknown>; close: () => void }

/** A server-sent event stream read message by message; comments and retry hints are passed over. */
async function openStream({ url, workspaceKey }: Standin, more: { since?: number; lastId?: number } = {}): Promise<Line> {
  const abort = new AbortController();
  const query = more.since === undefined ? '' : `?since=${more.since}`;
  const answer = await fetch(
    `${url}/system/public/${workspaceKey}/events/ev/stream${query}`,
    { signal: abort.signal, headers: more.lastId === undefined ? {} : { 'Last-Event-ID': String(more.lastId) } },
  );
  if (!answer.ok || !answer.headers.get('content-type')?.startsWith('text/event-stream')) throw new Error(`No stream: ${answer.status}`);
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
  return standin.visit(
    'POST', '/events/ev/actions/hold', { holdToken, objects: objects.map((object) => (typeof object === 'string' ? { objectId: object } : object)) },
  );
}

test('rendering information carries the drawing in tenths and only what is not plainly free', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  await client.events.book('ev', things('A-1', { objectId: 'GA1', quantity: 2 }), null, 'order1');
  await client.events.changeObjectStatus('ev', 'A-2', 'in_pagamento');
  await client.events.hold('ev', 'A-3', await makeToken(standin));
  await client.events.editForSaleConfig('ev', null, [{ object: 'B-1' }, { object: 'GA1', quantity: 10 }]);
  await client.events.channels.add('ev', 'partner', 'Partner', '#000000', 1, ['B-2']);
  const { status, body } = await standin.visit('GET', '/rendering-info?event_key=ev');
  expect(status).toBe(200);
  expect(body.statuses).toEqual([
    { label: 'A-1', status: 'booked' }, { label: 'A-2', status: 'in_pagamento' }, { label: 'A-3', status: 'reservedByToken' }, { label: 'B-1', status: 'free', forSale: false },
    { label: 'B-2', status: 'free', forSale: false }, { label: 'GA1', status: 'free', numBooked: 12 },
  ]);
  expect(body).toMatchObject({
    event: { key: 'ev', isInThePast: false }, holdPeriodInMinutes: 15,
    chart: { key: 'small', version: 1, width: 4000, focalPoint: { x: 1000, y: 0 } },
  });
  expect(body.chart.categories.map(({ key }: { key: string }) => key)).toEqual(['1', 'two']);
  expect(body.chart.rows[0]).toMatchObject({
    type: 'row', section: -1, label: 'A',
    seats: { labels: ['1', '2', '3', '4', '5', '6', '7', '8'], x: [200, 200, 200, 200, 200, 200, 200, 200], y: [500, 0, 0, 0, 0, 0, 0, 0] },
  });
  expect(body.chart.rows.find(({ section }: { section: number }) => section === 0)).toEqual({
    type: 'row', section: 0, label: 'C', displayLabel: 'Fila C', displayObjectType: 'Palco', seats: {
      labels: ['1', '2', '3'], x: [200, 400, 200], y: [2300, 0, 0], categories: [1, 1, 1], flags: [4, 0, 0], gapsAfter: [0],
    },
  });
  expect(body.chart.areas).toEqual([{
    section: -1, label: 'GA1', displayLabel: 'GA1', category: 1, capacity: 100,
    shape: { type: 'circle', center: { x: 3000, y: 2000 }, radius1: 600, radius2: 400, rotationAngle: 0 },
  }]);
  expect(body.chart.rows.find(({ type }: { type: string }) => type === 'table')).toMatchObject({
    label: 'T1', bookAsAWhole: true, center: { x: 3000, y: 600 }, radius: 200,
  });
});

test('nothing public tells of tokens, orders or extra data of others', async () => {
  await using standin = await startStandin();
  const mine = await makeToken(standin);
  const stream = await openStream(standin);
  await hold(standin, mine, 'A-1');
  await standin.client.events.book('ev', things({ objectId: 'A-2', extraData: { name: 'Rossi' } }), null, 'order-secret');
  const other = await makeToken(standin);
  const heard = [await stream.next(), await stream.next()];
  const seen = JSON.stringify([
    heard, (await standin.visit('GET', '/rendering-info?event_key=ev')).body, (await hold(standin, other, 'A-3')).body,
    (await standin.visit('GET', `/hold-tokens/${other}?event_key=ev`)).body,
  ]);
  for (const secret of [mine, 'order-secret', 'Rossi', standin.secretKey]) expect(seen).not.toContain(secret);
  stream.close();
});

test('a visitor holds and releases, seats and places, and sees what the token has', async () => {
  await using standin = await startStandin();
  const token = await makeToken(standin);
  const held = await hold(
    standin, token, { objectId: 'A-1', ticketType: 'intero' }, { objectId: 'GA1', quantity: 3 },
    { objectId: 'GA1', quantity: 2, ticketType: 'ridotto' },
  );
  expect(held).toEqual({ status: 200, body: {
    statuses: [{ label: 'A-1', status: 'reservedByToken' }, { label: 'GA1', status: 'free', numHeld: 5 }],
    objects: [
      { objectId: 'A-1', quantity: 1, ticketType: 'intero' }, { objectId: 'GA1', quantity: 3 },
      { objectId: 'GA1', quantity: 2, ticketType: 'ridotto' },
    ],
  } });
  expect((await standin.visit('GET', `/hold-tokens/${token}?event_key=ev`)).body).toMatchObject({
    holdToken: token, expiresInSeconds: 900, workspaceKey: standin.workspaceKey, objects: held.body.objects,
  });
  const released = await standin.visit(
    'POST', '/events/ev/actions/release',
    { holdToken: token, objects: [{ objectId: 'A-1' }, { objectId: 'GA1', quantity: 2, ticketType: 'ridotto' }] },
  );
  expect(released.body).toEqual({
    statuses: [{ label: 'A-1', status: 'free' }, { label: 'GA1', status: 'free', numHeld: 3 }], objects: [{ objectId: 'GA1', quantity: 3 }],
  });
  expect((await standin.client.events.statusChanges('ev').firstPage()).items.map(({ origin }) => origin.type)).toEqual([
    'HOLD_RELEASED_BY_USER', 'HOLD_RELEASED_BY_USER', 'HELD_BY_USER', 'HELD_BY_USER', 'HELD_BY_USER',
  ]);
  await standin.client.events.book('ev', things({ objectId: 'GA1', quantity: 3 }), token);
  expect((await standin.visit('GET', `/hold-tokens/${token}?event_key=ev`)).body.objects).toEqual([]);
});

test('a visitor gets only what is free and for sale, all of it or nothing', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  const [mine, other] = [await makeToken(standin), await makeToken(standin)];
  await hold(standin, other, 'A-1');
  await client.events.book('ev', 'A-2');
  await client.events.changeObjectStatus('ev', 'A-3', 'blocked');
  await client.events.markAsNotForSale('ev', ['A-4']);
  await client.events.channels.add('ev', 'partner', 'Partner', '#000000', 1, ['A-5']);
  const codes: Record<string, string> = {};
  for (const label of ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'Z-1']) {
    const { status, body } = await hold(standin, mine, 'B-1', label);
    expect(status).toBe(400);
    codes[label] = body.errors[0]!.code;
  }
  expect(codes).toEqual({
    'A-1': 'ILLEGAL_STATUS_CHANGE', 'A-2': 'ILLEGAL_STATUS_CHANGE', 'A-3': 'ILLEGAL_STATUS_CHANGE', 'A-4': 'NOT_FOR_SALE',
    'A-5': 'ILLEGAL_STATUS_CHANGE', 'Z-1': 'OBJECT_NOT_FOUND',
  });
  expect((await client.events.retrieveObjectInfo('ev', 'B-1')).status).toBe('free');
  for (const label of ['A-1', 'A-2', 'B-1']) expect((await standin.visit(
    'POST', '/events/ev/actions/release', { holdToken: mine, objects: [{ objectId: label }] },
  )).status).toBe(400);
});

test('a token that is over or of nobody is refused, and read as not found', async () => {
  await using standin = await startStandin();
  const token = await makeToken(standin);
  standin.clock.now += 15 * MINUTE;
  expect(await hold(standin, token, 'A-1')).toMatchObject({ status: 400, body: { status: 400, errors: [{ code: 'HOLD_TOKEN_EXPIRED' }] } });
  expect(await hold(standin, 'nobody', 'A-1')).toMatchObject({ status: 400, body: { errors: [{ code: 'HOLD_TOKEN_NOT_FOUND' }] } });
  expect(await standin.visit('GET', `/hold-tokens/${token}`)).toMatchObject({ status: 404, body: { errors: [{ code: 'HOLD_TOKEN_EXPIRED' }] } });
  expect(await standin.visit('GET', '/hold-tokens/nobody')).toMatchObject({ status: 404, body: { errors: [{ code: 'HOLD_TOKEN_NOT_FOUND' }] } });
});

test('public calls know limits, their workspace and their body', async () => {
  await using standin = await startStandin();
  const token = await makeToken(standin);
  expect((await hold(standin, token, { objectId: 'GA1', quantity: 100 })).status).toBe(200);
  expect(await hold(standin, token, 'A-1')).toMatchObject({ status: 400, body: { errors: [{ code: 'TOO_MANY_OBJECTS' }] } });
  expect((await standin.client.events.retrieveObjectInfo('ev', 'A-1')).status).toBe('free');
  for (const body of [
    undefined, [], { holdToken: token }, { holdToken: token, objects: [] }, { holdToken: token, objects: ['A-1'] },
    { holdToken: token, objects: [{ objectId: 'GA1', quantity: 0 }] },
    { holdToken: token, objects: Array.from({ length: 101 }, () => ({ objectId: 'GA1' })) },
  ]) {
    expect((await standin.visit('POST', '/events/ev/actions/hold', body)).status).toBe(400);
  }
  expect((await standin.visit('POST', '/events/ev/actions/hold', { holdToken: 'x'.repeat(70_000) })).status).toBe(413);
  expect((await standin.visit('POST', '/events/nowhere/actions/hold', { holdToken: token, objects: [{ objectId: 'A-1' }] })).status).toBe(404);
  expect((await standin.visit('GET', '/rendering-info')).status).toBe(400);
  expect((await standin.visit('GET', '/rendering-info?event_key=nowhere')).status).toBe(404);
  expect((await standin.visit('GET', '/events/ev/stream?since=x')).status).toBe(400);
  expect((await standin.visit('GET', '/hold-tokens')).status).toBe(405);
  expect((await fetch(`${standin.url}/system/public/another/rendering-info?event_key=ev`)).status).toBe(404);
  expect((await fetch(`${standin.url}/system/public/${standin.secretKey}/rendering-info?event_key=ev`)).status).toBe(404);
});

test('a stream hears every change once, in order, with the numbers that rendering information starts from', async () => {
  await using standin = await startStandin();
  const token = await makeToken(standin);
  const { sequence } = (await standin.visit('GET', '/rendering-info?event_key=ev')).body as { sequence: number };
  const stream = await openStream(standin, { since: sequence });
  await hold(standin, token, 'A-1', { objectId: 'GA1', quantity: 2 });
  expect(await stream.next()).toEqual({
    sequence: sequence + 1, changes: [{ label: 'A-1', status: 'reservedByToken' }, { label: 'GA1', status: 'free', numHeld: 2 }],
  });
  await standin.client.events.book('ev', 'A-1', token);
  expect(await stream.next()).toEqual({ sequence: sequence + 2, changes: [{ label: 'A-1', status: 'booked' }] });
  standin.clock.now += 15 * MINUTE;
  // Nobody calls: the server's own timer lets the places go.
  expect(await stream.next()).toEqual({ sequence: sequence + 3, changes: [{ label: 'GA1', status: 'free' }] });
  await standin.client.events.markEverythingAsNotForSale('ev');
  expect(await stream.next()).toEqual({ resync: true });
  stream.close();
});

test('a refused change is not heard', async () => {
  await using standin = await startStandin();
  await standin.client.events.book('ev', 'A-1');
  const stream = await openStream(standin);
  await hold(standin, await makeToken(standin), 'A-2', 'A-1');
  await standin.client.events.book('ev', 'A-3');
  expect(await stream.next()).toMatchObject({ changes: [{ label: 'A-3', status: 'booked' }] });
  stream.close();
});

test('a line that was broken catches up with the present state, or is told to start anew', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  await client.events.book('ev', 'A-1');
  await client.events.book('ev', 'A-2');
  await client.events.release('ev', 'A-1');
  const bySince = await openStream(standin, { since: 0 });
  expect(await bySince.next()).toEqual({ sequence: 3, changes: [{ label: 'A-1', status: 'free' }, { label: 'A-2', status: 'booked' }] });
  const byHeader = await openStream(standin, { since: 0, lastId: 2 });
  expect(await byHeader.next()).toEqual({ sequence: 3, changes: [{ label: 'A-1', status: 'free' }] });
  const ahead = await openStream(standin, { since: 99 });
  expect(await ahead.next()).toEqual({ resync: true });
  for (let round = 0; round < 251; round += 1) {
    await client.events.book('ev', 'B-1');
    await client.events.release('ev', 'B-1');
  }
  const late = await openStream(standin, { since: 1 });
  expect(await late.next()).toEqual({ resync: true });
  for (const stream of [bySince, byHeader, ahead, late]) stream.close();
});

test('streams end when the server stops', async () => {
  await using standin = await startStandin();
  const stream = await openStream(standin);
  await standin.close();
  expect(await stream.next().catch(() => null)).toBeNull();
});
