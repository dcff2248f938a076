/** What every answer tells a browser, and what it does not tell a stranger. */
import { request } from 'node:http';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { testOnce as it } from '#tests/support/both.ts';
import { ask, demoEvent, makeAdmin, makeOrder } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

const pages = ['/', `/event/${demoEvent}`, '/privacy', '/admin/', '/scanner/', '/api/v1', '/nulla'];

function policyOf(answer: { headers: Headers }): Record<string, string> {
  const policy = answer.headers.get('content-security-policy')!;
  return Object.fromEntries(
    policy.split(';').map((part) => {
      const [name, ...sources] = part.trim().split(' ');
      return [name, sources.join(' ')];
    }),
  );
}

it('no page may run a text as script or wear a style that its server did not write; WebAssembly is the scanner’s', async (server) => {
  for (const path of pages) {
    const answer = await fetch(server.url + path, { headers: { accept: 'text/html' } });
    const policy = policyOf(answer);
    const html = await answer.text();
    expect([path, policy['object-src'], policy['base-uri']]).toEqual([path, "'none'", "'none'"]);
    expect([path, JSON.stringify(policy)]).not.toEqual([
      path,
      expect.stringMatching(/'unsafe-inline'|'unsafe-eval'/),
    ]);
    expect([path, policy['script-src']!.includes('wasm')]).toEqual([path, path === '/scanner/']);
    // As many names as there are sheets, and none in what people wrote.
    const sheets = html.match(/<style>/g)?.length ?? 0;
    expect([path, policy['style-src']!.match(/'sha256-/g)?.length ?? 0]).toEqual([path, sheets]);
    expect([path, / style="/.test(html)]).toEqual([path, false]);
  }
});

it('every answer says what it is, to whom it may be shown and where its address may go', async (server) => {
  for (const path of [...pages, '/api/events/', '/api/nulla', '/favicon.svg', '/healthz']) {
    const { headers } = await fetch(server.url + path);
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
    expect([path, headers.get('referrer-policy')]).toEqual([path, 'no-referrer']);
    expect([path, policyOf({ headers })['frame-ancestors']]).toEqual([path, "'none'"]);
    expect(headers.get('content-type')).toMatch(/charset=utf-8|image\//i);
  }
});

test('cookies are this host’s alone, and over https a browser is told to come back by https', async () => {
  await using server = await startServer({
    env: { PUBLIC_URL: 'https://biglietti.example', BOTTEGHINO_DEMO: '1' },
  });
  // Behind a proxy that ends TLS.
  const url = `http://localhost:${server.settings['PORT']}`;
  const behind = { ...server, url };
  const { headers } = await ask(behind, 'GET', '/healthz');
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  const { cookie } = await makeAdmin(behind);
  expect(cookie).toMatch(/^__Host-sid=[\w-]{43}$/);
  const body = JSON.stringify({ email: 'ada@teatro.it', password: 'una-platea-piena-di-luce' });
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-requested-with': 'fetch' },
  });
  expect(login.headers.getSetCookie().length).toBeGreaterThan(0);
  for (const set of login.headers.getSetCookie())
    for (const word of ['__host-', 'secure', 'httponly', 'samesite=lax', 'path=/'])
      expect(set.toLowerCase()).toContain(word);
});

it('no other site’s page may read an answer, and a method that nobody needs is refused', async (server) => {
  const origin = { origin: 'https://evil.example' };
  const foreign = await fetch(`${server.url}/api/events/`, { headers: origin });
  expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  const traced = request(`${server.url}/api/events/`, { method: 'TRACE', headers: origin }).end();
  const [answer] = (await once(traced, 'response')) as [{ statusCode: number }];
  expect(answer.statusCode).toBe(405);
});

it('what opens something cannot be guessed, and nothing of the program’s own files is served', async (server) => {
  const { link_key } = await makeOrder(server);
  // 128 bits.
  expect(link_key).toMatch(/^[\w-]{22}$/);
  const hidden = [
    '/.git/HEAD',
    '/package.json',
    '/assets/',
    '/images/',
    '/server/main.ts',
    '/.env',
  ];
  for (const path of hidden) {
    const answer = await fetch(server.url + path);
    expect([path, answer.status]).toEqual([path, 404]);
  }
});
