/** How a request is read: decoded once, each part by its own schema, and nothing of it but the named fields. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { addressOf, endpoint } from '#server/contract/endpoint.ts';
import { listMails } from '#server/contract/mails.ts';
import { makePhone } from '#server/contract/door/phones.ts';
import { termsOf, withoutPerson } from '#server/domain/person/words.ts';
import { testOnce as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { askOne } from './one-endpoint.ts';

it('a name in a path is decoded once', async (server) => {
  const statusOf = async (name: string) =>
    (await ask(server, 'GET', `/api/event/${name}/queue`)).status;
  const once = demoEvent.replace('-', '%2D');
  expect([await statusOf(once), await statusOf(once.replace('%', '%25'))]).toEqual([200, 404]);
});

it('a parameter that comes twice, or in another part of the request, is not read', async (server) => {
  const headers = await makeAdmin(server);
  const get = async (query: string) =>
    (await ask(server, 'GET', `/api/admin/search?${query}`, { headers })).status;
  expect([await get('q=rossi'), await get('q=rossi&q=verdi')]).toEqual([200, 400]);
  const body = { name: 'Varco', event_ids: [demoEvent] };
  const post = async (query: string, sent: object) =>
    (await ask(server, 'POST', `${makePhone.path}${query}`, { headers, body: sent })).status;
  expect([await post('', body), await post('?name=Varco', { event_ids: [demoEvent] })]).toEqual([
    200, 400,
  ]);
});

it('what may be read as two requests is refused', async (server) => {
  const port = Number(new URL(server.url).port);
  const say = async (headers: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.end(`POST /api/auth/login HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n0\r\n\r\n`);
    return (await text(socket)).slice(0, 12);
  };
  for (const headers of [
    'Content-Length: 5\r\nTransfer-Encoding: chunked',
    'Content-Length: 5\r\nContent-Length: 6',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
    'Transfer-Encoding: xchunked',
    'Content-Length : 5',
  ])
    expect([headers, await say(headers)]).toEqual([headers, 'HTTP/1.1 400']);
});

test('signs of a regular expression in a name are only signs', () => {
  const terms = termsOf(['Rossi (.*) Neri']);
  expect(withoutPerson('Rossi, poi Neri', terms)).toBe('Rossi, poi Neri');
  expect(termsOf(['Rossi (((', '[a-'])).not.toBeNull();
});

const writeThing = endpoint('POST', '/api/thing', {
  who: 'public',
  summary: 'A thing',
  body: v.object({ name: v.string(), more: v.optional(v.record(v.string(), v.unknown())) }),
  reply: v.object({ name: v.string() }),
});

test('a handler gets the fields that its endpoint names, a caller too, and a body brings no prototype along', async () => {
  const seen: object[] = [];
  const handle = async ({ body }: { body: { name: string } }) => {
    seen.push(body);
    return { ...body, password_hash: 'geheim' };
  };
  const prototypes = '"__proto__":{"role":"admin"},"\\u005f_proto__":{"role":"admin"}';
  const body = `{"name":"Ada","role":"admin","more":{"a":{"b":1,${prototypes}}},${prototypes}}`;
  expect(await askOne(writeThing, handle, { body })).toEqual({
    status: 200,
    body: { name: 'Ada' },
  });
  expect(JSON.stringify(seen)).toBe('[{"name":"Ada","more":{"a":{"b":1}}}]');
});

it('what would be SQL in a search is only looked for', async (server) => {
  const headers = await makeAdmin(server);
  await makePaidOrder(server, { email: 'eva@example.it' });
  const find = async (q: string) => {
    const path = addressOf(listMails, {}, { q });
    const { body } = await ask(server, 'GET', path, { headers });
    return (body as { items: unknown[] }).items.length;
  };
  expect([await find('eva@example'), await find(`zz' OR 'a' LIKE 'a`)]).toEqual([1, 0]);
});
