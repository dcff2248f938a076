/** A flood of logins, each of which costs a processor its time; passwords.test.ts has the turnstile alone. */
import { expect, test } from 'vitest';
import { login } from '#server/contract/users.ts';
import { ask, makeAdmin, until } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

test('six hundred logins at once keep no visitor waiting: a page comes while many that are to be looked at still wait', async () => {
  await using server = await startServer({ env: { TRUST_PROXY: '1' } });
  await makeAdmin(server);
  const visit = async () => {
    const page = await fetch(`${server.url}/privacy`, { headers: { accept: 'text/html' } });
    await page.text();
    return page.status;
  };
  await visit();
  const seen = { hashed: 0, sentAway: 0 };
  for (let nth = 0; nth < 600; nth += 1)
    void ask(server, 'POST', login.path, {
      body: { email: `nessuno-${nth}@teatro.it`, password: 'sbagliata' },
      headers: { 'x-forwarded-for': `198.51.${nth >> 8}.${nth & 255}` },
    }).then(
      ({ status }) => (seen[status === 401 ? 'hashed' : 'sentAway'] += 1),
      () => {},
    );
  await until(() => Promise.resolve(seen.hashed > 0));
  expect(await visit()).toBe(200);
  // Two are looked at at a time and two hundred wait; the others were sent away.
  expect(600 - seen.hashed - seen.sentAway).toBeGreaterThan(50);
});
