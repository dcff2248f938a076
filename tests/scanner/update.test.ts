/** A new version during a shift: it waits until somebody asks, a window at the door is left alone, and the queue outlives the change. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errors } from '#server/contract/errors.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import {
  openDoor,
  openPhone,
  scanCode,
  startScanning,
  waitForList,
  waitForQueue,
  wake,
} from '#tests/support/door/phone.ts';

const patiently = { timeout: 15_000, interval: 250 };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

/** What of next week's app is another than today's, by its path: a script by which a test knows it, the page that loads it, and the worker that keeps both. */
async function nextWeek(): Promise<Map<string, [type: string, text: string]>> {
  const read = (file: string) =>
    readFile(join(import.meta.dirname, '../../dist/scanner', file), 'utf8');
  const [page, worker] = [await read('index.html'), await read('sw.js')];
  const [, main] = /<script [^>]*src="([^"]+)"/.exec(page)!;
  const kept = (url: string) => JSON.stringify({ revision: 'next', url });
  const files: [path: string, type: string, text: string][] = [
    [
      'next.js',
      'text/javascript',
      `document.documentElement.dataset.build = 'next';import '${main!}';`,
    ],
    ['', 'text/html', page.replace(`src="${main!}"`, 'src="/scanner/next.js"')],
    [
      'sw.js',
      'text/javascript',
      worker.replace(
        /\{"revision":"\w+","url":"index\.html"\}/,
        `${kept('index.html')},${kept('next.js')}`,
      ),
    ],
  ];
  expect(files[2]![2]).toContain(kept('next.js'));
  return new Map(files.map(([path, type, text]) => [`/scanner/${path}`, [type, text]]));
}

/** The product behind a door that can be told to hand out next week’s app, to have no API, to speak another language, or to be a captive portal. */
async function startDoor(sold: number) {
  const door = await openDoor(sold);
  const next = await nextWeek();
  const state = { serves: 'this' as 'this' | 'next' | 'portal', api: true, speaks: true };
  const front = createServer((incoming, outgoing) => {
    void carry().catch(() => incoming.socket.destroy());

    async function carry() {
      const { pathname } = new URL(incoming.url!, 'http://localhost');
      if (pathname.startsWith('/api/') && !state.api) return incoming.socket.destroy();
      if (/\/(?:list|changes)$/.test(pathname) && !state.speaks) {
        const { message } = errors.update_required;
        return outgoing
          .writeHead(426, { 'content-type': 'application/json' })
          .end(JSON.stringify({ status: 426, code: 'update_required', message }));
      }
      if (pathname.startsWith('/scanner/') && state.serves === 'portal')
        return outgoing
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<!doctype html><title>Wi-Fi</title>');
      const other = next.get(pathname.replace(/index\.html$/, ''));
      if (state.serves === 'next' && other)
        return outgoing
          .writeHead(200, { 'content-type': other[0], 'cache-control': 'no-cache' })
          .end(other[1]);
      const onward = request(door.server.url + incoming.url, {
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
  return {
    ...door,
    state,
    url,
    link: () => door.link('Luca', { origin: url }),
    async [Symbol.asyncDispose]() {
      front.closeAllConnections();
      await new Promise((resolve) => {
        front.close(resolve);
      });
      await door[Symbol.asyncDispose]();
    },
  };
}

/** A new worker lies ready and waits. */
function waitForUpdate(page: Page): Promise<void> {
  const isWaiting = () =>
    page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null);
  return expect.poll(isWaiting, patiently).toBe(true);
}

/** As the browser does by itself when the app is opened, or our hourly look: the name of the fault, if there is one. */
function lookForUpdate(page: Page): Promise<string | null> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return registration.update().then(
      () => null,
      (error: unknown) => (error as Error).name,
    );
  });
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

async function expectVersion(page: Page, version: string): Promise<void> {
  await expect.poll(() => versionOf(page).catch(() => 'between'), patiently).toBe(version);
}

function offer(page: Page) {
  return page
    .locator('.screens-parts_note', { hasText: /versione nuova/ })
    .getByRole('button', { name: 'Aggiorna' });
}

test('a new version in mid-shift waits: a captive portal in its place changes nothing, scans go on, who changes over in one window leaves the other alone until nobody looks, and the queue goes up once', async () => {
  await using door = await startDoor(4);
  const codes = door.tickets.map(({ code }) => code) as [string, string, string, string];
  await using phone = await openPhone(browser, await door.link(), { installed: true });
  const { page, context } = phone;
  door.state.serves = 'portal';
  expect(await lookForUpdate(page)).toBe('SecurityError');
  await page.reload();
  await startScanning(page);
  const other = await context.newPage();
  await other.goto(`${door.url}/scanner/`);
  await waitForList(other);
  door.state.api = false;
  for (const code of codes.slice(0, 3)) expect(await scanCode(page, code)).toBe('admit');
  await markPage(page);
  await markPage(other);

  door.state.serves = 'next';
  expect(await lookForUpdate(page)).toBeNull();
  await waitForUpdate(page);
  expect(await versionOf(page)).toBe('this before');
  expect(await scanCode(page, codes[3])).toBe('admit');
  expect(await offer(page).count()).toBe(0);
  await offer(other).click();
  await expectVersion(other, 'next reloaded');
  await waitForList(other);
  await waitForQueue(other, 4);
  expect(await offer(other).count()).toBe(0);

  expect(await versionOf(page)).toBe('this before');
  expect(await scanCode(page, 'HTTPS://EXAMPLE.COM')).toBe('invalid');
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expectVersion(page, 'next reloaded');
  await waitForQueue(page, 5);
  await startScanning(page);
  expect(await scanCode(page, codes[0])).toMatch(/already_in|just_read/);

  door.state.api = true;
  await wake(page);
  await waitForQueue(page, 0);
  expect((await door.admissions()).map(({ seq, counts }) => [seq, counts])).toEqual([
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 0],
    [5, 0],
  ]);
});

test('an old app and a server that no longer speaks its language: it says so and hands in all the same; who asks where no new version is yet is told so, else it is fetched unasked, and one tap brings it', async () => {
  await using door = await startDoor(1);
  const { state } = door;
  await using phone = await openPhone(browser, await door.link(), { installed: true });
  const { page } = phone;
  state.api = false;
  expect(await scanCode(page, door.tickets[0]!.code)).toBe('admit');
  await page.getByRole('button', { name: 'Torna alla preparazione' }).click();
  await markPage(page);
  state.speaks = false;
  state.api = true;
  await wake(page);
  const note = page.locator('[data-update=required]');
  const button = note.getByRole('button', { name: 'Aggiorna' });
  await button.click();
  await note.getByText('Una versione nuova non c’è ancora').waitFor();
  // What was read goes up all the same: scans are facts.
  await waitForQueue(page, 0);
  expect(await door.admissions()).toHaveLength(1);
  expect(await versionOf(page)).toBe('this before');

  // Refused anew, it looks by itself.
  state.speaks = true;
  await wake(page);
  await note.waitFor({ state: 'detached' });
  state.serves = 'next';
  state.speaks = false;
  await wake(page);
  await waitForUpdate(page);
  expect(await versionOf(page)).toBe('this before');
  await button.click();
  await expectVersion(page, 'next reloaded');
});
