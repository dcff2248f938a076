/** How the seats.io stand-in refuses, and what it serves beside the API. */
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Region, SeatsioClient } from 'seatsio';
import { basic, eventParams, startStandin, SYSTEM_SECRET, testStandin as it } from './start.ts';
import type { Standin } from './start.ts';

/** The body of every refusal, whatever it says. */
function refusal(status: number, code: string): object {
  return {
    status,
    errors: [{ code, message: expect.any(String) }],
    messages: [expect.any(String)],
    warnings: [],
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  };
}

it('without a known secret key the answer is 401 and says so', async (standin) => {
  const wrong: Record<string, string>[] = [
    {},
    { Authorization: basic('wrong') },
    { Authorization: basic('') },
    { Authorization: `Bearer ${standin.secretKey}` },
    { Authorization: basic(standin.workspaceKey) },
  ];
  for (const headers of wrong) {
    const answer = await fetch(`${standin.url}/events`, { headers });
    expect([answer.status, await answer.json()]).toEqual([401, refusal(401, 'UNAUTHORIZED')]);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
  }
  await expect(
    new SeatsioClient(new Region(standin.url), 'wrong').events.retrieve('ev'),
  ).rejects.toMatchObject({ status: 401, errors: [{ code: 'UNAUTHORIZED' }] });
});

test("a workspace key that is not the secret key's own is refused with 403", async () => {
  await using standin = await startStandin();
  const answer = await fetch(`${standin.url}/events`, {
    headers: { Authorization: basic(standin.secretKey), 'X-Workspace-Key': 'another' },
  });
  expect([answer.status, await answer.json()]).toEqual([403, refusal(403, 'FORBIDDEN')]);
  expect(
    (
      await new SeatsioClient(
        new Region(standin.url),
        standin.secretKey,
        standin.workspaceKey,
      ).events.retrieve('ev')
    ).key,
  ).toBe('ev');
});

it('a refusal carries its status, code, sentence and request id', async (standin) => {
  const { status, body } = await standin.ask('GET /events/nowhere');
  expect(status).toBe(404);
  expect(body).toEqual({
    status: 404,
    errors: [
      {
        code: 'EVENT_NOT_FOUND',
        message: `Event not found: nowhere was not found in workspace ${standin.workspaceKey}`,
      },
    ],
    messages: [`Event not found: nowhere was not found in workspace ${standin.workspaceKey}`],
    warnings: [],
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

it('30 MB are refused with 413 before they are all there, and the line is not cut', async (standin) => {
  const answer = await fetch(`${standin.url}/events`, {
    method: 'POST',
    body: Buffer.alloc(30 * 1024 * 1024, ' '),
    headers: { Authorization: basic(standin.secretKey) },
  });
  expect([answer.status, await answer.json()]).toEqual([413, refusal(413, 'GENERAL_ERROR')]);
  expect((await standin.ask('GET /events/ev')).status).toBe(200);
});

it('headers that are too long, and what is no HTTP, are answered in the same form', async (standin) => {
  const long = await fetch(`${standin.url}/events`, { headers: { 'X-Long': 'x'.repeat(20_000) } });
  expect([long.status, await long.json()]).toEqual([431, refusal(431, 'GENERAL_ERROR')]);
  const socket = connect(Number(new URL(standin.url).port), '127.0.0.1');
  socket.end('NOISE\r\n\r\n');
  const said = await textOf(socket);
  expect(said).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(JSON.parse(said.split('\r\n\r\n')[1]!)).toEqual(refusal(400, 'GENERAL_ERROR'));
});

it('a drawing that is none is refused, one of 2.6 MB is taken', async (standin) => {
  const { events } = standin.client;
  for (const body of [
    '',
    '{',
    '[]',
    '{}',
    '{"subChart":{"rows":7}}',
    '{"subChart":{"rows":[{"seats":[3]}]}}',
  ])
    expect((await standin.ask('POST /system/public/charts/bad', body)).status).toBe(400);
  const seats = Array.from({ length: 9000 }, (_, index) => ({
    uuid: 'u'.repeat(240),
    label: String(index),
    x: index,
    y: 1,
    categoryKey: 1,
  }));
  const large = { name: 'Large', subChart: { rows: [{ label: 'A', seats }] } };
  expect((await standin.ask('POST /system/public/charts/large', large)).status).toBe(201);
  await events.create('large', eventParams({ key: 'big' }));
  expect((await events.book('big', 'A-8999')).objects['A-8999']!.status).toBe('booked');
  expect((await standin.ask('POST /system/public/charts/large', '{"subChart":{}}')).status).toBe(
    400,
  );
});

test('provisioning does not exist without the flag and needs its secret with it', async () => {
  const upload = 'POST /system/public/charts/new';
  const make = ({ ask }: Standin, user: string) =>
    ask('POST /system/private/create-test-company', undefined, { Authorization: basic(user) });
  await using plain = await startStandin({ provisioning: false });
  expect((await plain.ask(upload, { subChart: {} })).status).toBe(404);
  expect((await make(plain, '')).status).toBe(404);
  await using flagged = await startStandin();
  const nobody = { Authorization: '' };
  expect((await flagged.ask(upload, { subChart: {} }, nobody)).status).toBe(401);
  for (const [user, status] of [
    ['', 401],
    ['wrong', 401],
    [flagged.secretKey, 401],
    [SYSTEM_SECRET, 200],
  ] as const)
    expect((await make(flagged, user)).status).toBe(status);
});

it('chart.js and its neighbours are served by exact name and asked again every time', async (standin) => {
  writeFileSync(join(standin.chartFolder, 'secret.txt'), 'no');
  writeFileSync(join(standin.chartFolder, 'designer.js'), 'var designer;');
  const first = await fetch(`${standin.url}/chart.js`);
  expect([
    first.status,
    first.headers.get('content-type'),
    first.headers.get('cache-control'),
    await first.text(),
  ]).toEqual([200, 'text/javascript; charset=utf-8', 'no-cache', 'var seatsio = {};\n']);
  const again = await fetch(`${standin.url}/chart.js`, {
    headers: { 'If-None-Match': first.headers.get('etag')! },
  });
  expect(again.status).toBe(304);
  writeFileSync(join(standin.chartFolder, 'chart.js'), 'var seatsio = {new: 1};\n');
  expect(
    (
      await fetch(`${standin.url}/chart.js`, {
        headers: { 'If-None-Match': first.headers.get('etag')! },
      })
    ).status,
  ).toBe(200);
  expect((await fetch(`${standin.url}/designer.js`)).status).toBe(200);
  for (const path of [
    '/secret.txt',
    '/missing.js',
    '/..%2fchart.js',
    '/sub/chart.js',
    '/.',
    '/constructor.js',
  ])
    expect((await fetch(`${standin.url}${path}`)).status).toBe(404);
});
