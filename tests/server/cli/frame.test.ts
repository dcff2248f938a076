/** The command line itself: help, wrong usage, exit codes, and the verbs that let somebody in again. */
import { expect, test } from 'vitest';
import { acceptInvite } from '#server/contract/users.ts';
import { askAdmin, runAdmin } from '#tests/support/admin-command.ts';
import { testOnBoth as it, testOnSqlite } from '#tests/support/both.ts';
import { ask } from '#tests/support/make.ts';

const nowhere = { settings: { DATA_DIR: '/tmp/botteghino-is-not-here' } };

test('help lists every verb, and an unknown one is answered with the nearest', async () => {
  const help = await runAdmin(nowhere, ['help'], { apart: true });
  expect(help).toMatchObject({ code: 0, err: '' });
  expect(help.out).toMatch(/make-admin +Stampa un link/);
  expect((await runAdmin(nowhere, ['make-admin', '--help'])).out).toContain(
    'npm run admin -- make-admin',
  );
  const wrong = await runAdmin(nowhere, ['mak-admin'], { apart: true });
  expect(wrong).toMatchObject({ code: 2, out: '' });
  expect(wrong.err).toContain('Forse volevi dire «make-admin».');
});

test('words that make no sense are wrong usage, and say so; a house that is not there is a refusal', async () => {
  const misused = await runAdmin(nowhere, ['reset-factor']);
  expect(misused.code).toBe(2);
  expect(misused.err).toContain('npm run admin -- reset-factor E-MAIL');
  expect((await runAdmin(nowhere, ['rotate', 'tickets'])).code).toBe(2);
  expect((await runAdmin(nowhere, ['make-admin', '--loud'])).err).toContain('l’opzione «--loud»');
  const { code, body } = await askAdmin(nowhere, ['make-admin']);
  expect(code).toBe(1);
  expect(body).toMatchObject({ ok: false, code: 'refused' });
});

it('a link for a new administrator works while the server runs, and is in the registry', async (server) => {
  const { code, body } = await askAdmin(server, ['make-admin']);
  expect(code).toBe(0);
  const [page, token] = (body['url'] as string).split('#');
  expect(page).toBe(`${server.url}/admin/invito`);
  const accepted = await ask(server, 'POST', acceptInvite.path, {
    body: { token, email: 'ada@teatro.it', name: 'Ada', password: 'una-platea-piena-di-luce' },
  });
  expect(accepted.status).toBe(200);
  const noted = await server.house.ctx.db('audit').where({ action: 'person_invited' }).first();
  expect(noted).toMatchObject({ actor: 'cli' });
  const reset = await runAdmin(server, ['reset-factor', 'Ada@teatro.it']);
  expect(reset.out).toContain('Ada entra di nuovo con la sola password');
  expect((await runAdmin(server, ['reset-factor', 'nessuno@teatro.it'])).code).toBe(1);
});

testOnSqlite(
  'after sessions were rotated the old cookie opens nothing, and the password does',
  async (server, admin) => {
    const me = () => ask(server, 'GET', '/api/auth/me', { headers: admin });
    expect((await me()).status).toBe(200);
    expect((await askAdmin(server, ['rotate', 'sessions'])).body).toEqual({ ok: true, ended: 1 });
    expect((await me()).status).toBe(401);
    const body = { email: 'ada@teatro.it', password: 'una-platea-piena-di-luce' };
    expect((await ask(server, 'POST', '/api/auth/login', { body })).status).toBe(200);
    expect((await runAdmin(server, ['rotate', 'moon'])).code).toBe(2);
  },
);

testOnSqlite('the invariants are checked from the command line', async (server) => {
  const { code, out } = await runAdmin(server, ['invariants']);
  expect(out).toContain('Tutto torna.');
  expect(code).toBe(0);
});
