/** What the log says of refused, wrong and broken calls, in lines that no caller can forge; what a caller hears of them. */
import pino from 'pino';
import { expect, test } from 'vitest';
import { addTotp, beginTotp } from '#server/contract/account.ts';
import { endpoint } from '#server/contract/endpoint.ts';
import { login, me } from '#server/contract/users.ts';
import { TOTP } from 'otpauth';
import { testOnce as it } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer } from '#tests/support/server.ts';
import { askOne } from './one-endpoint.ts';

interface Line {
  status?: number;
  code?: string;
  user_id?: string;
  path?: string;
  msg?: string;
}

function listeningLog() {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  return { log, lines, read: () => lines.map((line) => JSON.parse(line) as Line) };
}

test('refused and wrong calls are in the log, with the refusal and who it was', async () => {
  const { log, read } = listeningLog();
  await using server = await startServer({ log });
  await makeAdmin(server);
  const viewer = await asRole(server, 'viewer');
  const { id } = await callOk(server, me, {}, viewer);
  await ask(server, 'GET', '/api/admin/orders/');
  await ask(server, 'GET', '/api/admin/orders/', { headers: viewer });
  await ask(server, 'POST', login.path, { body: { email: 7 } });
  const told = read().map(({ status, code, user_id }) => ({ status, code, user_id }));
  expect(told).toContainEqual({ status: 401, code: 'not_logged_in' });
  expect(told).toContainEqual({ status: 403, code: 'not_allowed' });
  expect(told).toContainEqual({ status: 400, code: 'bad_request' });
  await callOk(server, me, {}, viewer);
  expect(read()).toContainEqual(expect.objectContaining({ status: 200, user_id: id }));
});

it('each login, wrong password and wrong code stands in the Registro', async (server, admin) => {
  const { secret } = await callOk(server, beginTotp, {}, admin);
  const code = new TOTP({ secret }).generate({ timestamp: server.clock.now() });
  const ada = { email: 'ada@teatro.it', password: 'una-platea-piena-di-luce' };
  const enter = (more: object) => ask(server, 'POST', login.path, { body: { ...ada, ...more } });
  await enter({});
  await enter({ password: 'sbagliata' });
  await callOk(server, addTotp, { body: { secret, code } }, admin);
  await enter({ code: 'AAAA-AAAA' });
  const { db } = server.house.ctx;
  const actions = (await db('audit').pluck('action')) as string[];
  for (const action of ['logged_in', 'login_failed', 'code_failed'])
    expect([action, actions.filter((one) => one === action).length]).toEqual([action, 1]);
});

test('a line break in an address makes no second line of the log', async () => {
  const { log, lines, read } = listeningLog();
  await using server = await startServer({ log });
  const forged = '\n{"level":30,"msg":"forged"}\n';
  await ask(server, 'GET', `/api/event/${encodeURIComponent(forged)}/`);
  await ask(server, 'GET', `/api/event/${demoEvent}${encodeURIComponent('\u2028x')}/`);
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(line.trimEnd()).not.toContain('\n');
  expect(read().map(({ msg }) => msg)).not.toContain('forged');
});

const readThing = endpoint('GET', '/api/thing', {
  who: 'public',
  limit: 'read',
  summary: 'A thing',
});

test('of an error that was not foreseen the caller hears a sentence, and the log all of it', async () => {
  const { log, lines } = listeningLog();
  const broken = () => Promise.reject(new Error('SELECT code_secret FROM events'));
  const { status, body } = await askOne(readThing, broken, { log });
  expect([status, body]).toEqual([
    500,
    { status: 500, code: 'unexpected', message: expect.stringMatching(/^\p{Lu}/u) as string },
  ]);
  expect(lines.join()).toContain('SELECT code_secret FROM events');
});
