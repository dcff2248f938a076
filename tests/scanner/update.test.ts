/** A new version during a shift: it waits until somebody asks, a window at the door is left alone, and the queue outlives the change. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errors } from '#server/contract/errors.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makeAdmin } from '#tests/support/make.ts';
import {
  openPhone,
  pairingLink,
  scanCode,
  sellTickets,
  startScanning,
  waitForList,
  waitForQueue,
  wake,
} from '#tests/support/door/phone.ts';
import { startServer } from '#tests/support/server.ts';

const root = join(import.meta.dirname, '../..');
const patiently = { timeout: 15_000, interval: 250 };

let browser: Browser;
let nextBuild: string;
beforeAll(async () => {
  nextBuild = await mkdtemp(join(tmpdir(), 'botteghino-next-'));
  // The app of next week: the same sources, and a mark by which a test knows it.
  const mark = {
    name: 'mark',
    transform: (code: string, id: string) =>
      id.endsWith('/apps/scanner/main.tsx')
        ? `document.documentElement.dataset.build = 'next';\n${code}`
        : null,
  };
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  await build({
    configFile: join(root, 'apps/scanner/vite.config.ts'),
    mode: 'production',
    logLevel: 'silent',
    plugins: [mark],
    build: { outDir: nextBuild, emptyOutDir: true },
  });
  process.env['NODE_ENV'] = before;
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await rm(nextBuild, { recursive: true, force: true });
});

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** The product behind a door that can be told to hand out next week’s app, to have no API, to speak another language, or to be a captive portal. */
async function startDoor() {
  const server = await startServer({ worker: true });
  const state = { serves: 'this' as 'this' | 'next' | 'portal', api: true, speaks: true };
  const front = createServer((incoming, outgoing) => {
    void carry().catch(() => incoming.socket.destroy());

    async function carry() {
      const path = new URL(incoming.url!, 'http://localhost').pathname;
      if (path.startsWith('/api/') && !state.api) return incoming.socket.destroy();
      if (/\/(?:list|changes)$/.test(path) && !state.speaks)
        return outgoing.writeHead(426, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            status: 426,
            code: 'update_required',
            message: errors.update_required.message,
          }),
        );
      if (path.startsWith('/scanner/') && state.serves === 'portal')
        return outgoing
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<!doctype html><title>Wi-Fi</title>');
      if (path.startsWith('/scanner/') && state.serves === 'next') {
        const file = path === '/scanner/' ? 'index.html' : path.slice('/scanner/'.length);
        const content = await readFile(join(nextBuild, file)).catch(() => null);
        return outgoing
          .writeHead(content ? 200 : 404, {
            'content-type': types[extname(file)] ?? 'text/plain',
            'cache-control': 'no-cache',
          })
          .end(content);
      }
      const onward = request(server.url + incoming.url, {
        method: incoming.method!,
        headers: { ...incoming.headers, connection: 'close' },
      });
      incoming.pipe(onward);
      const [answer] = (await once(onward, 'response')) as [IncomingMessage];
      outgoing.writeHead(answer.statusCode!, { ...answer.headers, connection: 'close' });
      return answer.pipe(outgoing);
    }
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const admin = await makeAdmin(server);
  return {
    server,
    state,
    url,
    link: () => pairingLink(server, admin, { name: 'Luca', origin: url }),
    async [Symbol.asyncDispose]() {
      front.closeAllConnections();
      await new Promise((resolve) => {
        front.close(resolve);
      });
      await server.close();
    },
  };
}

/** As the browser does by itself when the app is opened, or our hourly look: true when a new worker lies ready and waits. */
async function lookForUpdate(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update();
  });
  await expect
    .poll(
      () => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null),
      patiently,
    )
    .toBe(true);
}

/** What only this very page knows: gone after a reload. */
async function markPage(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.body.dataset['mark'] = 'before';
  });
}

async function versionOf(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      `${document.documentElement.dataset['build'] ?? 'this'} ${document.body.dataset['mark'] ?? 'reloaded'}`,
  );
}

function offer(page: Page) {
  return page
    .locator('.screens-parts_note', { hasText: /versione nuova/ })
    .getByRole('button', { name: 'Aggiorna' });
}

test(
  'a new version in mid-shift waits: scans go on, the offer is on the screen before the door, and with one tap the queue is still there and goes up once',
  { timeout: 180_000 },
  async () => {
    await using door = await startDoor();
    const tickets = await sellTickets(door.server, { count: 4 });
    await using phone = await openPhone(browser, await door.link(), { installed: true });
    const { page } = phone;
    door.state.api = false;
    for (const { code } of tickets.slice(0, 3)) expect(await scanCode(page, code)).toBe('admit');
    await waitForQueue(page, 3);
    await markPage(page);

    door.state.serves = 'next';
    await lookForUpdate(page);
    expect(await versionOf(page)).toBe('this before');
    expect(await scanCode(page, tickets[3]!.code)).toBe('admit');
    await waitForQueue(page, 4);
    expect(await offer(page).count()).toBe(0);

    await page.getByRole('button', { name: 'Torna alla preparazione' }).click();
    await offer(page).click();
    await expect
      .poll(() => versionOf(page).catch(() => 'between'), patiently)
      .toBe('next reloaded');
    await waitForList(page);
    await waitForQueue(page, 4);
    expect(await offer(page).count()).toBe(0);
    await startScanning(page);
    expect(await scanCode(page, tickets[0]!.code)).toMatch(/already_in|just_read/);

    door.state.api = true;
    await wake(page);
    await waitForQueue(page, 0);
    expect(
      (await door.server.house.ctx.db('admissions').orderBy('seq')).map(({ seq, counts }) => [
        seq,
        counts,
      ]),
    ).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 0],
    ]);
  },
);

test(
  'who changes over in one window does not pull the other from under a scan: that one changes when nobody looks at it',
  { timeout: 180_000 },
  async () => {
    await using door = await startDoor();
    const [ticket] = await sellTickets(door.server, { count: 1 });
    await using phone = await openPhone(browser, await door.link(), { installed: true });
    const { page, context } = phone;
    const other = await context.newPage();
    await other.goto(`${door.url}/scanner/`);
    await waitForList(other);
    await markPage(page);
    await markPage(other);
    door.state.serves = 'next';
    await lookForUpdate(page);
    await offer(other).click();
    await expect
      .poll(() => versionOf(other).catch(() => 'between'), patiently)
      .toBe('next reloaded');

    expect(await versionOf(page)).toBe('this before');
    expect(await scanCode(page, ticket!.code)).toBe('admit');
    expect(await versionOf(page)).toBe('this before');
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect
      .poll(() => versionOf(page).catch(() => 'between'), patiently)
      .toBe('next reloaded');
    await waitForQueue(page, 0);
    expect(await door.server.house.ctx.db('admissions')).toHaveLength(1);
  },
);

test(
  'a captive portal in the place of the new version changes nothing: the app on the phone stays whole',
  { timeout: 120_000 },
  async () => {
    await using door = await startDoor();
    const [ticket] = await sellTickets(door.server, { count: 1 });
    await using phone = await openPhone(browser, await door.link(), { installed: true });
    const { page } = phone;
    door.state.serves = 'portal';
    expect(
      await page.evaluate(async () =>
        (await navigator.serviceWorker.ready).update().then(
          () => 'updated',
          (error: unknown) => (error as Error).name,
        ),
      ),
    ).toBe('SecurityError');
    await page.reload();
    await startScanning(page);
    expect(await scanCode(page, ticket!.code)).toBe('admit');
  },
);

test(
  'an old app and a server that no longer speaks its language: it says so, the new one is fetched unasked, and one tap brings it with the queue',
  { timeout: 180_000 },
  async () => {
    await using door = await startDoor();
    const [ticket] = await sellTickets(door.server, { count: 1 });
    await using phone = await openPhone(browser, await door.link(), { installed: true });
    const { page } = phone;
    door.state.api = false;
    expect(await scanCode(page, ticket!.code)).toBe('admit');
    await page.getByRole('button', { name: 'Torna alla preparazione' }).click();
    await markPage(page);
    door.state.serves = 'next';
    door.state.speaks = false;
    door.state.api = true;
    await wake(page);
    await page.locator('[data-update=required]').waitFor();
    // What was read goes up all the same: scans are facts.
    await waitForQueue(page, 0);
    expect(await door.server.house.ctx.db('admissions')).toHaveLength(1);
    await expect
      .poll(
        () => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null),
        patiently,
      )
      .toBe(true);
    expect(await versionOf(page)).toBe('this before');
    await page.locator('[data-update=required]').getByRole('button', { name: 'Aggiorna' }).click();
    await expect
      .poll(() => versionOf(page).catch(() => 'between'), patiently)
      .toBe('next reloaded');
  },
);

test(
  'who asks for a new version where there is none yet is told so, and gets it when it has come',
  { timeout: 180_000 },
  async () => {
    await using door = await startDoor();
    await using phone = await openPhone(browser, await door.link(), { installed: true });
    const { page } = phone;
    await page.getByRole('button', { name: 'Torna alla preparazione' }).click();
    await markPage(page);
    door.state.speaks = false;
    await wake(page);
    const note = page.locator('[data-update=required]');
    const button = note.getByRole('button', { name: 'Aggiorna' });
    await button.click();
    await note.getByText('Una versione nuova non c’è ancora').waitFor();
    expect(await versionOf(page)).toBe('this before');
    door.state.serves = 'next';
    await button.click();
    await expect
      .poll(
        () => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null),
        patiently,
      )
      .toBe(true);
    await button.click();
    await expect
      .poll(() => versionOf(page).catch(() => 'between'), patiently)
      .toBe('next reloaded');
  },
);
