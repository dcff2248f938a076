/** The product as a process: three lines, a data folder that survives a kill, and a second start by mistake that hurts nobody. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { acceptInvite } from '#server/contract/users.ts';
import { ask, until } from '#tests/support/make.ts';
import { databaseKinds } from '#tests/support/server.ts';
import { makeData, startProduct } from '#tests/support/product.ts';

for (const database of databaseKinds) {
  test(
    `a second start loses nothing, even after a kill (${database})`,
    { timeout: 60_000 },
    async () => {
      const data = await makeData(database, inject('postgresUrl'));
      try {
        const first = await startProduct(data);
        expect(
          first.lines.map((line) =>
            /^(Prenota un posto|La porta|Primo amministratore).*: +http:\/\/localhost:\d+\//.test(
              line,
            ),
          ),
        ).toEqual([true, true, true]);
        const { body: before } = await ask(first, 'GET', '/api/event/la-locandiera/');
        const mistake = spawn(process.execPath, ['server/main.ts'], {
          cwd: join(import.meta.dirname, '../../..'),
          env: { ...process.env, NODE_ENV: '', ...data.env },
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        const complaint = mistake.stderr.setEncoding('utf8').toArray();
        expect(await once(mistake, 'exit')).toEqual([1, null]);
        expect((await complaint).join('')).toContain('è già in uso');
        const invited = await ask(first, 'POST', acceptInvite.path, {
          body: {
            token: first.invite.split('#')[1],
            email: 'ada@teatro.it',
            name: 'Ada',
            password: 'una-platea-piena-di-luce',
          },
        });
        expect(invited.status).toBe(200);
        const cookie = invited.headers.getSetCookie()[0]!.split(';')[0]!;
        await first.kill();

        await using second = await startProduct(data);
        expect(second.lines[2]).toMatch(/^L'ufficio: +http/);
        await until(async () => (await ask(second, 'GET', '/readyz')).status === 200);
        expect((await ask(second, 'GET', '/api/event/la-locandiera/')).body).toEqual(before);
        expect(
          (await ask(second, 'GET', '/api/auth/me', { headers: { cookie } })).body,
        ).toMatchObject({ email: 'ada@teatro.it', role: 'admin' });
        expect(second.lines).toHaveLength(3);
      } finally {
        await data.clean();
      }
    },
  );
}

/** All files that a start reads, one a line. */
const tellLoaded = `
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      console.log(url);
      return next(url, context);
    },
  });
  await import('./server/open.ts');
`;

test('what waits for its first use makes no start slower: pictures, papers, passkeys, the guessing of passwords, mail', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', tellLoaded],
    { cwd: join(import.meta.dirname, '../../..') },
  );
  const isLoaded = (name: string) => stdout.includes(`/node_modules/${name}/`);
  expect(isLoaded('koa')).toBe(true);
  const late = [
    'sharp',
    'pdfkit',
    '@simplewebauthn/server',
    '@zxcvbn-ts/core',
    'nodemailer',
    'vite',
  ];
  expect(late.filter(isLoaded)).toEqual([]);
});

test(
  'in development the same pages are drawn on the server, from the sources',
  { timeout: 120_000 },
  async () => {
    const data = await makeData('sqlite', inject('postgresUrl'));
    try {
      await using product = await startProduct(data, ['--dev']);
      const page = async (path: string) => {
        const { status, body } = await ask(product, 'GET', path);
        return { status, html: body as string };
      };
      const event = await page('/event/la-locandiera');
      expect([
        event.status,
        /<h1[^>]*>La locandiera<\/h1>/.test(event.html),
        event.html.includes('src="/@vite/client"'),
        event.html.includes('src="/start.ts"'),
        event.html.includes('<title>La locandiera'),
      ]).toEqual([200, true, true, true, true]);
      expect(event.html).not.toContain('<!--page-');
      expect((await page('/')).html).toContain('Concerto di Natale');
      expect([
        (await page('/event/niente')).status,
        (await page('/niente')).status,
        (await page('/privacy')).status,
      ]).toEqual([404, 404, 200]);
      const office = await page('/admin/');
      expect([office.status, office.html.includes('/admin/@vite/client')]).toEqual([200, true]);
      // A page of the door that was open before this start asks as Vite's script does, until it may load itself anew.
      const isBack = () =>
        new Promise<boolean>((resolve) => {
          const socket = new WebSocket(
            `${product.url.replace(/^http/, 'ws')}/scanner/hmr`,
            'vite-ping',
          );
          socket.addEventListener('open', () => resolve(true));
          socket.addEventListener('error', () => resolve(false));
        });
      await until(isBack);
    } finally {
      await data.clean();
    }
  },
);
