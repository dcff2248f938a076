/** TanStack Query's settings and the error shapes of RULES W2, against a real server that misbehaves. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { call, CallError } from '#apps/shared/api.ts';
import { makeQueryClient } from '#apps/shared/query.ts';
import { errorMessage } from '#apps/shared/error-message.ts';
import { endpoint } from '#server/contract/endpoint.ts';
import * as v from 'valibot';

let server: Server;
const answers: Record<string, [status: number, type: string, body: string]> = {
  '/refused': [
    409,
    'application/json',
    '{"status":409,"code":"seats_taken","message":"Qualcuno ha appena preso uno dei tuoi posti.","detail":{"objects":["A-1"]}}',
  ],
  '/broken': [500, 'text/html', '<h1>Oops</h1>'],
  '/empty': [204, 'text/plain', ''],
  '/file': [200, 'application/pdf', '%PDF'],
  '/portal': [200, 'text/html', '<h1>Wi-Fi dell’hotel</h1>'],
  '/torn': [200, 'application/json', '{"ok":tr'],
  '/fine': [200, 'application/json', '{"ok":true}'],
};

beforeAll(async () => {
  server = createServer((request, response) => {
    const [status, type, body] = answers[request.url!]!;
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { fetch } = globalThis;
  vi.stubGlobal('location', { origin });
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    fetch(path === '/nowhere' ? 'http://127.0.0.1:1/' : origin + path, init),
  );
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});

const plain = { who: 'public', limit: 'read', summary: '' } as const;
/** Asks with relative addresses as a page does; a Node process has none, so it is given one. */
const get = (path: string) =>
  call(endpoint('GET', path, { ...plain, reply: v.unknown() }), {}).catch(
    (error: unknown) => error,
  );

test('a refusal is thrown as the server told it, an unreadable one and a dead line in the words of the specification', async () => {
  expect(await get('/refused')).toMatchObject({
    status: 409,
    code: 'seats_taken',
    message: 'Qualcuno ha appena preso uno dei tuoi posti.',
    detail: { objects: ['A-1'] },
  });
  expect(await get('/broken')).toMatchObject({
    status: 'unknown',
    message: 'Unexpected error',
    detail: expect.any(String),
  });
  expect(await get('/nowhere')).toMatchObject({
    status: 'unknown',
    message: 'Network error',
    detail: expect.any(String),
  });
  expect(await get('/empty')).toBeUndefined();
  expect(await get('/fine')).toEqual({ ok: true });
});

test('what is not JSON is binary only where the contract promises no reply', async () => {
  expect(await call(endpoint('GET', '/file', plain), {})).toBeInstanceOf(Blob);
  for (const path of ['/file', '/portal', '/torn'])
    expect(await get(path)).toMatchObject({
      status: 'unknown',
      code: 'unreadable',
      message: 'Unexpected error',
      detail: expect.any(String),
    });
});

test('what a visitor reads of an error is Italian: the server’s sentence, or one of ours', async () => {
  expect(errorMessage(await get('/refused'))).toBe('Qualcuno ha appena preso uno dei tuoi posti.');
  const said = [
    errorMessage(await get('/portal')),
    errorMessage(await get('/nowhere')),
    errorMessage(new TypeError('x is not a function')),
  ];
  expect(said.join(' ')).not.toMatch(/error|function/i);
  expect(new Set(said).size).toBe(3);
});

test('a failed query is tried again once, a clear refusal and a dead network never', async () => {
  const client = makeQueryClient();
  const { retry, staleTime, gcTime, refetchOnWindowFocus } = client.getDefaultOptions().queries!;
  expect([staleTime, gcTime, refetchOnWindowFocus]).toEqual([300, 2_000, true]);
  const triesOf = async (error: Error) => {
    let tries = 0;
    await client
      .fetchQuery({
        queryKey: [error.message],
        retry: retry!,
        retryDelay: 0,
        queryFn: () => {
          tries += 1;
          throw error;
        },
      })
      .catch(() => {});
    return tries;
  };
  expect(await triesOf(new CallError('unknown', 'unreadable', 'Unexpected error'))).toBe(2);
  expect(await triesOf(new CallError(503, 'provider_silent', 'Riprova'))).toBe(2);
  expect(await triesOf(new CallError('unknown', 'network', 'Network error'))).toBe(1);
  expect(await triesOf(new CallError(404, 'event_not_found', 'Non esiste'))).toBe(1);
});
