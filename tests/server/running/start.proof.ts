/** The product as it is started in production, in development and by npm: its memory at rest, its pages from the sources, and its end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as dial } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, inject, test } from 'vitest';
import { lockHouse } from '#server/adapters/house-lock.ts';
import { startStandins } from '#server/standins/start.ts';
import { ask, until } from '#tests/support/make.ts';
import { makeData, startProduct } from '#tests/support/product.ts';
import { settingsOf } from '#tests/support/vendors.ts';

const root = join(import.meta.dirname, '../../..');

/** What is in memory of a process, in KiB. */
function residentOf(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kilobytes);
}

/** As the units start it: the flags of npm start, and few heaps of the allocator. */
function asInProduction(): Record<string, string> {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
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
    chartFolder: join(root, 'dist/chart'),
    stripePublicUrl: `http://localhost:${env['PORT']}/standins/stripe`,
    seatsioPort: 0,
    stripePort: 0,
    webhookUrl: `http://127.0.0.1:${env['PORT']}/api/webhooks/stripe`,
  });
  const settings = {
    ...env,
    ...asInProduction(),
    PUBLIC_URL: `http://localhost:${env['PORT']}`,
    ...settingsOf(standins),
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

test('of two first starts on one empty database both serve, each time, and one prints the invitation', async () => {
  for (let round = 0; round < 3; round += 1) {
    const [one, two] = [
      await makeData('postgres', inject('postgresUrl')),
      await makeData('sqlite', ''),
    ];
    const shared = { DATABASE_URL: one.env['DATABASE_URL']! };
    try {
      const products = await Promise.all(
        [one, two].map(({ env, clean }) => startProduct({ env: { ...env, ...shared }, clean })),
      );
      const invites = products.filter(({ invite }) => invite.includes('#'));
      const ready = await Promise.all(
        products.map(async (product) => (await ask(product, 'GET', '/readyz')).status),
      );
      for (const product of products) await product[Symbol.asyncDispose]();
      expect([round, invites.length, ready]).toEqual([round, 1, [200, 200]]);
    } finally {
      await two.clean();
      await one.clean();
    }
  }
});

test('in development the same pages are drawn on the server, from the sources', async () => {
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
    // Any address of the office may be the first one.
    const office = await page('/admin/settings/site');
    expect([office.status, office.html.includes('src="/admin/main.tsx"')]).toEqual([200, true]);
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
});

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = dial(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`npm start ends with ${signal} to npm, and its port and folder are free`, async () => {
    const { env, clean } = await makeData('sqlite', inject('postgresUrl'));
    const port = Number(env['PORT']);
    // The apps are built already: here only what npm does counts.
    const npm = spawn('npm', ['start', '--ignore-scripts'], {
      cwd: root,
      env: { ...process.env, NODE_ENV: '', ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
      // A group of its own: whatever this test leaves behind is ended with it.
      detached: true,
    });
    try {
      const ended = once(npm, 'exit');
      const lines = createInterface(npm.stdout);
      await new Promise<void>((resolve, reject) => {
        lines.on('line', (line) => line.includes('Primo amministratore') && resolve());
        npm.once('exit', () => reject(new Error('npm start did not come up')));
      });
      expect(await isOpen(port)).toBe(true);
      npm.kill(signal);
      await ended;
      await until(async () => !(await isOpen(port)));
      const lock = lockHouse(env['DATA_DIR']!);
      expect(lock).not.toBeNull();
      lock!.release();
    } finally {
      endGroup(npm.pid!);
      await clean();
    }
  });
