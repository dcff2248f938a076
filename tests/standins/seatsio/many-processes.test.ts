/** Several seat map servers on one PostgreSQL: what one writes the others know, show and never sell again. */
import { hash, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect, inject, test, vi } from 'vitest';
import type { WireStatus } from '#server/standins/seatsio/wire.ts';
import { until } from '#tests/support/make.ts';
import { eventParams, refusalOf, refuses, START, startStandin, type Standin } from './start.ts';

const MINUTE = 60_000;

/** Two servers that share their tables. */
async function startTwo() {
  const file = randomUUID();
  const clock = { now: START };
  const one = await startStandin({ database: 'postgres', file, clock });
  const other = await startStandin({ database: 'postgres', file, clock });
  return {
    one,
    other,
    clock,
    schema: `t_${hash('sha256', file).slice(0, 12)}`,
    async [Symbol.asyncDispose]() {
      await other.close();
      await one.close();
    },
  };
}

test('two servers have the same keys, of all who want a seat at both one gets it, and whoever comes back with the number of the last message has missed nothing before it', async () => {
  await using two = await startTwo();
  const { one, other } = two;
  expect(other).toMatchObject({ secretKey: one.secretKey, workspaceKey: one.workspaceKey });
  const seats = ['A', 'B'].flatMap((row) => [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `${row}-${n}`));
  const asked = seats.flatMap((label) => [one, other, one, other].map((at) => ({ label, at })));
  const answers = await Promise.allSettled(
    asked.map(({ label, at }, n) => at.client.events.book('ev', [label], null, `order${n}`)),
  );
  const won = asked.flatMap(({ label }, n) =>
    answers[n]!.status === 'fulfilled' ? [[label, `order${n}`]] : [],
  );
  expect(won.map(([label]) => label)).toEqual(seats);
  for (const { client } of [one, other]) {
    const infos = await client.events.retrieveObjectInfos('ev', seats);
    expect(seats.map((label) => [label, infos[label]!.orderId])).toEqual(won);
  }
  await one.client.events.create('small', eventParams({ key: 'again' }));
  for (const n of [1, 2, 3]) {
    const map = await follow(other, lookAt('again', 2 * n - 2));
    await one.client.events.book('again', `A-${n}`);
    await other.client.events.book('again', `B-${n}`);
    await map.until(new RegExp(`"B-${n}"`));
    map.stop();
    const { sequence } = map.messages().at(-1)!;
    const back = await follow(other, lookAt('again', sequence!));
    while (![map, back].some(({ shown }) => shown().has(`A-${n}`))) await back.more();
    back.stop();
  }
});

test('whoever looks at the map of one server hears what the other has sold, and what ran out at both', async () => {
  await using two = await startTwo();
  const { one, other, clock } = two;
  const stop = new AbortController();
  const line = await fetch(
    `${other.url}/system/public/${other.workspaceKey}/events/ev/stream?since=0`,
    { signal: stop.signal },
  );
  const heard = listenTo(line.body!);
  const { holdToken } = await one.client.holdTokens.create(15);
  await one.client.events.hold('ev', 'A-3', holdToken);
  await heard.until(/"A-3"[^}]*reservedByToken|"A-3"/);
  await one.client.events.book('ev', 'B-7');
  await heard.until(/"B-7"/);
  clock.now += 20 * MINUTE;
  const infos = await Promise.all(
    [one, other].map(({ client }) => client.events.retrieveObjectInfo('ev', 'A-3')),
  );
  expect(infos.map(({ status }) => status)).toEqual(['free', 'free']);
  const { items } = await one.client.events.statusChangesForObject('ev', 'A-3').firstPage();
  expect(items.map(({ status }) => status)).toEqual(['free', 'reservedByToken']);
  stop.abort();
});

test('while another process writes, bookings wait for it; a connection that is cut takes nothing half with it', async () => {
  await using two = await startTwo();
  const { one, other, schema } = two;
  const client = new Client({ connectionString: `${inject('postgresUrl')}/postgres` });
  await client.connect();
  try {
    await client.query(
      `BEGIN; SET LOCAL search_path TO ${schema}; SELECT pg_advisory_xact_lock(1936027508, hashtext(current_schema()))`,
    );
    let isOver = false;
    const waiting = Promise.allSettled([
      one.client.events.book('ev', ['A-1', 'A-2']),
      other.client.events.book('ev', ['A-2', 'A-1']),
      refusalOf(one.client.events.book('ev', 'Z-9')),
    ]).finally(() => {
      isOver = true;
    });
    expect(await one.client.events.retrieveObjectInfo('ev', 'A-1')).toMatchObject({
      status: 'free',
    });
    expect(isOver).toBe(false);
    await client.query('COMMIT');
    const answers = await waiting;
    expect(
      answers
        .slice(0, 2)
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual(['fulfilled', 'rejected']);
    expect(answers[2]!.status).toBe('fulfilled');
    const asked = Array.from({ length: 40 }, (_, n) =>
      (n % 2 === 0 ? one : other).client.events.book('ev', [
        `B-${(n % 8) + 1}`,
        `A-${((n + 3) % 6) + 3}`,
      ]),
    );
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'botteghino ${schema}'`,
    );
    await Promise.allSettled(asked);
    const seats = [
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `B-${n}`),
      ...[3, 4, 5, 6, 7, 8].map((n) => `A-${n}`),
    ];
    const infos = await other.client.events.retrieveObjectInfos('ev', seats);
    const booked = seats.filter((label) => infos[label]!.status === 'booked');
    expect(booked.filter((label) => label.startsWith('A')).length * 2).toBe(booked.length);
    await refuses('ILLEGAL_STATUS_CHANGE', one.client.events.book('ev', 'A-1'));
  } finally {
    await client.end();
  }
});

/** A test's own line to the tables of all. */
async function openLine() {
  const client = new Client({ connectionString: `${inject('postgresUrl')}/postgres` });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

/** From now on whoever reads the state of this seat, once it has one, waits a moment. */
async function slowSeat(client: Client, schema: string, label: string): Promise<void> {
  await client.query(`SET search_path TO ${schema}; BEGIN;
    ALTER TABLE seatsio_objects RENAME TO kept_objects;
    CREATE VIEW seatsio_objects AS SELECT * FROM kept_objects
      WHERE CASE WHEN label = '${label}' THEN pg_sleep(0.7) IS NOT NULL ELSE TRUE END;
    COMMIT`);
}

async function isReadSlowly(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND application_name = 'botteghino ' || current_schema()`,
  );
  return rows.length > 0;
}

const lookAt = (event: string, since: number) => `/events/${event}/stream?since=${since}`;

/** A browser's live map; `shown`: each object as it was told last. */
async function follow({ url, workspaceKey }: Standin, path: string) {
  const stop = new AbortController();
  const line = await fetch(`${url}/system/public/${workspaceKey}${path}`, { signal: stop.signal });
  const heard = listenTo(line.body!);
  const messages = () =>
    [...heard.text().matchAll(/^data: (.*)\n\n/gm)].map(
      ([, data]) => JSON.parse(data!) as Partial<{ sequence: number; changes: WireStatus[] }>,
    );
  return {
    ...heard,
    messages,
    shown: () =>
      new Map(
        messages().flatMap(({ changes = [] }) =>
          changes.map(({ label, status }) => [label, status] as const),
        ),
      ),
    stop: () => stop.abort(),
  };
}

test('what could not be read of another server’s changes is read again, and heard', async () => {
  await using two = await startTwo();
  const { one, other, schema } = two;
  const map = await follow(other, lookAt('ev', 0));
  await one.client.events.book('ev', 'A-1');
  await map.until(/"A-1"/);
  await using line = await openLine();
  const { client } = line;
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    // The number of a change is there, its row is not to be had.
    await client.query(`SET search_path TO ${schema}; BEGIN;
      UPDATE seatsio_events SET sequence = sequence + 1;
      INSERT INTO seatsio_stream SELECT id, sequence, '["A-2"]' FROM seatsio_events;
      ALTER TABLE seatsio_stream RENAME TO away;
      COMMIT`);
    await until(async () =>
      complaints.mock.calls.some((words) => words.join(' ').includes('seatsio_stream')),
    );
    await client.query('ALTER TABLE away RENAME TO seatsio_stream');
    await map.until(/"A-2"/);
  } finally {
    complaints.mockRestore();
    map.stop();
  }
});

test('what was read later is heard later: a seat that was given back is free on every map', async () => {
  await using two = await startTwo();
  const { one, schema } = two;
  await using line = await openLine();
  const { client } = line;
  await slowSeat(client, schema, 'A-8');
  const map = await follow(one, lookAt('ev', 0));
  await one.client.events.book('ev', ['A-8', 'A-1']);
  await until(() => isReadSlowly(client));
  await one.client.events.release('ev', 'A-1');
  while (map.messages().length < 2) await map.more();
  expect(map.shown().get('A-1')).toBe('free');
  map.stop();
});

test('a browser hears what the others were told while its own start was being read', async () => {
  await using two = await startTwo();
  const { one, schema } = two;
  await using line = await openLine();
  const { client } = line;
  await slowSeat(client, schema, 'A-8');
  await one.client.events.book('ev', 'A-8');
  const first = await follow(one, lookAt('ev', 1));
  const coming = follow(one, lookAt('ev', 0));
  await until(() => isReadSlowly(client));
  await one.client.events.book('ev', 'B-1');
  await first.until(/"B-1"/);
  const late = await coming;
  await late.until(/"B-1"/);
  first.stop();
  late.stop();
});

function listenTo(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const more = async () => {
    const { done, value } = await reader.read();
    if (done) throw new Error(`It ended: ${text}`);
    text += decoder.decode(value, { stream: true });
  };
  return {
    more,
    text: () => text,
    /** Reads on until it was said. */
    async until(words: RegExp): Promise<void> {
      while (!words.test(text)) await more();
    },
  };
}
