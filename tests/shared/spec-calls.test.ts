/** RULES W1 and W2: what a call sends, what its answers become, and how long they are kept; against a real server that notes what came. */
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { focusManager, QueryObserver } from '@tanstack/react-query';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { call, CallError } from '#apps/shared/api.ts';
import { errorMessage } from '#apps/shared/error-message.ts';
import { makeQueryClient } from '#apps/shared/query.ts';
import { endpoint } from '#server/contract/endpoint.ts';
import { listen } from '#tests/support/port.ts';

interface Came {
  method: string;
  url: string;
  type: string | undefined;
  body: string;
}

let server: Server;
let origin: string;
let came: Came[] = [];
let answer: { status: number; type?: string; body?: string | Uint8Array } = { status: 204 };

beforeAll(async () => {
  server = createServer(async (request, response) => {
    came.push({
      method: request.method!,
      url: request.url!,
      type: request.headers['content-type'],
      body: await text(request),
    });
    response
      .writeHead(answer.status, answer.type === undefined ? {} : { 'content-type': answer.type })
      .end(answer.body);
  });
  origin = `http://127.0.0.1:${await listen(server)}`;
});
// A page has an origin that its addresses are relative to; Node is given one.
const { fetch } = globalThis;
beforeEach(() => {
  came = [];
  vi.stubGlobal('location', { origin });
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(new URL(path, origin), init));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
afterAll(() => {
  server.close();
});

const common = { who: 'public', limit: 'read', summary: '' } as const;
const post = endpoint('POST', '/api/event/:eventId/book', {
  ...common,
  body: v.object({ a: v.number() }),
});
const list = endpoint('GET', '/api/list', {
  ...common,
  query: v.object({ q: v.optional(v.string()), limit: v.optional(v.number()) }),
  reply: v.unknown(),
});
const upload = endpoint('POST', '/api/upload', { ...common, form: v.object({}) });
const file = endpoint('GET', '/api/file', { ...common, file: 'application/pdf' });
const thrown = (asked: Promise<unknown>) =>
  asked.then(
    () => {
      throw new Error('it was answered');
    },
    (error: unknown) => error,
  );

test('§7: JSON is sent; path parameters are in the path, encoded, and query parameters appended', async () => {
  await call(post, { params: { eventId: 'a/b è?' }, body: { a: 1 } });
  answer = { status: 200, type: 'application/json', body: '[]' };
  await call(list, { query: { q: 'rossi & figli', limit: 5 } });
  await call(list, {});
  expect(came).toEqual([
    {
      method: 'POST',
      url: '/api/event/a%2Fb%20%C3%A8%3F/book',
      type: 'application/json',
      body: '{"a":1}',
    },
    { method: 'GET', url: '/api/list?q=rossi%20%26%20figli&limit=5', type: undefined, body: '' },
    { method: 'GET', url: '/api/list', type: undefined, body: '' },
  ]);
});

test('§7: a multipart body is sent as a form', async () => {
  answer = { status: 204 };
  const form = new FormData();
  form.set('file', new Blob(['punti'], { type: 'image/png' }), 'foto.png');
  await call(upload, { body: form });
  expect(came[0]!.type).toMatch(/^multipart\/form-data; boundary=/);
  expect(came[0]!.body).toContain('filename="foto.png"');
});

test('§7: of a not ok response the JSON body is thrown, all of it; an unreadable one is status "unknown", "Unexpected error" and the detail', async () => {
  answer = {
    status: 409,
    type: 'application/json',
    body: '{"status":409,"code":"seats_taken","message":"Presi.","detail":{"objects":["A-1"]}}',
  };
  const refused = await thrown(call(list, {}));
  expect(refused).toBeInstanceOf(CallError);
  expect(refused).toMatchObject({
    status: 409,
    code: 'seats_taken',
    message: 'Presi.',
    detail: { objects: ['A-1'] },
  });
  for (const body of ['<h1>502</h1>', '', '{"status":', 'null', '"no"', '{"nothing":"known"}']) {
    answer = { status: 502, type: 'application/json', body };
    const unreadable = (await thrown(call(list, {}))) as CallError;
    expect([body, unreadable.status, unreadable.message]).toEqual([
      body,
      'unknown',
      'Unexpected error',
    ]);
    expect([body, typeof unreadable.detail, String(unreadable.detail).length > 0]).toEqual([
      body,
      'string',
      true,
    ]);
  }
});

test('§7: a network failure is "Network error" with the detail; whoever calls off hears no error of the network', async () => {
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => fetch('http://127.0.0.1:1/', init));
  expect(await thrown(call(list, {}))).toMatchObject({
    status: 'unknown',
    message: 'Network error',
    detail: expect.stringContaining('fetch failed'),
  });
  expect(await thrown(call(list, {}, { signal: AbortSignal.abort() }))).toMatchObject({
    name: 'AbortError',
  });
});

test('§7: 204 is an empty result, a JSON content type is parsed, anything else is read as binary', async () => {
  answer = { status: 204 };
  expect(await call(list, {})).toBeUndefined();
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/problem+json',
  ]) {
    answer = { status: 200, type, body: '{"città":"Forlì"}' };
    expect(await call(list, {})).toEqual({ città: 'Forlì' });
  }
  const bytes = Uint8Array.from([0, 255, 13, 10, 37]);
  answer = { status: 200, type: 'application/pdf', body: bytes };
  const binary = (await call(file, {})) as Blob;
  expect([binary.type, [...new Uint8Array(await binary.arrayBuffer())]]).toEqual([
    'application/pdf',
    [...bytes],
  ]);
  // Only where the contract promises no reply: a page that is not ours, or half an answer, is none.
  for (const [type, body] of [
    ['text/html', '<h1>Wi-Fi dell’hotel</h1>'],
    ['application/json', '{"ok":tr'],
  ] as const) {
    answer = { status: 200, type, body };
    expect(await thrown(call(list, {}))).toMatchObject({
      status: 'unknown',
      code: 'unreadable',
      message: 'Unexpected error',
    });
  }
});

test('what a visitor reads of an error is Italian: the server’s sentence, or one of ours', async () => {
  answer = {
    status: 409,
    type: 'application/json',
    body: '{"status":409,"code":"seats_taken","message":"Presi."}',
  };
  expect(errorMessage(await thrown(call(list, {})))).toBe('Presi.');
  answer = { status: 200, type: 'text/html', body: '<h1>Wi-Fi dell’hotel</h1>' };
  const unreadable = await thrown(call(list, {}));
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => fetch('http://127.0.0.1:1/', init));
  const noNetwork = await thrown(call(list, {}));
  const said = [unreadable, noNetwork, new TypeError('x is not a function')].map((error) =>
    errorMessage(error),
  );
  expect(said.join(' ')).not.toMatch(/error|function/i);
  expect(new Set(said).size).toBe(3);
});

test('§8: without a base "baseUrl not set" is thrown and nothing is sent', async () => {
  for (const location of [undefined, { origin: 'null' }, { origin: 'file://' }]) {
    vi.stubGlobal('location', location);
    expect(await thrown(call(list, {}))).toMatchObject({
      status: 'unknown',
      message: 'baseUrl not set',
    });
  }
  expect(came).toEqual([]);
});

test('§7: data is fresh for 300 ms, and gone from the cache 2000 ms after the last who looked', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const client = makeQueryClient();
  let asked = 0;
  const look = () => client.fetchQuery({ queryKey: ['event'], queryFn: () => ++asked });
  await look();
  vi.advanceTimersByTime(299);
  await look();
  expect(asked).toBe(1);
  vi.advanceTimersByTime(2);
  await look();
  expect(asked).toBe(2);
  vi.advanceTimersByTime(1_999);
  expect(client.getQueryData(['event'])).toBe(2);
  vi.advanceTimersByTime(2);
  expect(client.getQueryData(['event'])).toBeUndefined();
});

test('§7: what is looked at is asked for again when the window gets the focus back, unless it is fresh', async () => {
  const client = makeQueryClient();
  client.mount();
  let asked = 0;
  const observer = new QueryObserver(client, { queryKey: ['event'], queryFn: () => ++asked });
  const leave = observer.subscribe(() => {});
  // The client hears of it a few turns later.
  const comeBack = async () => {
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    await setImmediate();
  };
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(1));
  await comeBack();
  expect(asked).toBe(1);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 301 });
  await comeBack();
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(2));
  leave();
  client.unmount();
  focusManager.setFocused(undefined);
});

test('§7: a failed query is tried again only while fewer than 2 attempts have been made, and never after a clear refusal or a network-level error', async () => {
  const client = makeQueryClient();
  expect(client.getDefaultOptions().queries!.refetchOnWindowFocus).toBe(true);
  const attempts = async (status: number, body: string | null) => {
    came = [];
    answer = { status, type: 'application/json', body: body ?? '' };
    let tries = 0;
    const queryFn = () => {
      tries += 1;
      if (body === null)
        vi.stubGlobal('fetch', () => {
          throw new TypeError('fetch failed');
        });
      return call(list, {});
    };
    await client
      .fetchQuery({
        queryKey: [String(body)],
        queryFn,
        retry: client.getDefaultOptions().queries!.retry!,
        retryDelay: 0,
      })
      .catch(() => {});
    return [tries, came.length];
  };
  const refusal = (status: number, code: string) =>
    JSON.stringify({ status, code, message: 'Errore' });
  expect(await attempts(500, refusal(500, 'unexpected'))).toEqual([2, 2]);
  expect(await attempts(503, refusal(503, 'provider_silent'))).toEqual([2, 2]);
  expect(await attempts(500, '<h1>no</h1>')).toEqual([2, 2]);
  expect(await attempts(404, refusal(404, 'event_not_found'))).toEqual([1, 1]);
  expect(await attempts(500, null)).toEqual([1, 0]);
});
