/** The product as a process: three lines, a data folder that survives a kill, and a second start by mistake that hurts nobody. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { startStandins } from '#server/standins/start.ts';
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

test('what waits for its first use makes no start slower: pictures, papers, passkeys, the guessing of passwords, seals, mail', async () => {
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
    'age-encryption',
    'nodemailer',
    'vite',
  ];
  expect(late.filter(isLoaded)).toEqual([]);
});

/** What is in memory of a process, in KiB. */
function residentOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kilobytes);
}

/** As the units start it: the flags of npm start, and few heaps of the allocator. */
function asInProduction(): Record<string, string> {
  const { scripts } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'),
  ) as { scripts: Record<string, string> };
  return {
    NODE_ENV: 'production',
    BOTTEGHINO_DEMO: '1',
    NODE_OPTIONS: scripts['start']!.match(/--max-[\w-]+=\d+/g)!.join(' '),
    MALLOC_ARENA_MAX: '2',
  };
}

test('at rest a house with its shows takes at most 150 MB, its vendors not counted', async () => {
  const { env, clean } = await makeData('sqlite', inject('postgresUrl'));
  const standins = await startStandins({
    file: ':memory:',
    now: Date.now,
    chartFolder: join(import.meta.dirname, '../../../dist/chart'),
    stripePublicUrl: `http://localhost:${env['PORT']}/standins/stripe`,
    seatsioPort: 0,
    stripePort: 0,
    webhookUrl: `http://127.0.0.1:${env['PORT']}/api/webhooks/stripe`,
  });
  const { seatsio, stripe } = standins;
  const settings = {
    ...env,
    ...asInProduction(),
    PUBLIC_URL: `http://localhost:${env['PORT']}`,
    SEATSIO_URL: seatsio!.url,
    SEATSIO_SECRET_KEY: seatsio!.secretKey,
    SEATSIO_WORKSPACE_KEY: seatsio!.workspaceKey,
    STRIPE_URL: stripe!.url,
    STRIPE_SECRET_KEY: stripe!.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe!.webhookSecret!,
  };
  try {
    // The first start makes the shows: the second is how a house stands all year.
    await (await startProduct({ env: settings, clean }))[Symbol.asyncDispose]();
    await using house = await startProduct({ env: settings, clean });
    await until(async () => (await ask(house, 'GET', '/readyz')).status === 200);
    expect(residentOf(house.pid)).toBeLessThan(150 * 1_024);
  } finally {
    await standins.close();
    await clean();
  }
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
