/** The service worker: the scanner opens with its server gone, asks nobody else for anything, and hands in its queue with no page open. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { revokePhone } from '#server/contract/door/phones.ts';
import { startBadLine } from '#tests/support/bad-line.ts';
import { launchBrowser, launchWholeBrowser } from '#tests/support/browsers/browser.ts';
import { callOk } from '#tests/support/make.ts';
import {
  openDoor,
  openPhone,
  openWindow,
  readTable,
  scanCode,
  startScanning,
  waitForList,
  waitForQueue,
  waitUntilInstalled,
} from '#tests/support/door/phone.ts';

/** Something that goes on in another process: asked again until it is so. */
const patiently = { timeout: 15_000, interval: 250 };

/** The files that were built and do not lie in the phone's caches. */
async function missingFiles(page: Page): Promise<string[]> {
  const kept = await page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys())
        found.push(new URL(url).pathname);
    return found;
  });
  const dist = join(import.meta.dirname, '../../dist/scanner');
  const built = (await readdir(dist, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dist.length + 1))
    .filter((path) => !/\.(?:br|gz)$/.test(path) && path !== 'sw.js');
  expect(built.some((path) => path.endsWith('.wasm'))).toBe(true);
  return built.filter((path) => !kept.includes(`/scanner/${path}`));
}

test('after one visit everything that was built lies on the phone, no other house was asked, and the app opens with the server gone, at every address of its own, in a new window, and reads a code', async () => {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  await using door = await openDoor();
  const { server } = door;
  await using phone = await openWindow(browser, { installed: true });
  const { page, context } = phone;
  const strange: string[] = [];
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(server.url) && !/^(?:blob|data):/.test(url)) strange.push(url);
  });
  await page.goto(await door.link());
  await waitForList(page);
  await waitUntilInstalled(page);
  expect(await missingFiles(page)).toEqual([]);
  // The address without its slash has a worker of its own.
  await expect
    .poll(
      () =>
        page.evaluate(async () =>
          (await navigator.serviceWorker.getRegistrations())
            .filter(({ active }) => active?.state === 'activated')
            .map(({ scope }) => new URL(scope).pathname)
            .toSorted(),
        ),
      patiently,
    )
    .toEqual(['/scanner', '/scanner/']);
  await server.close();
  await expect(fetch(`${server.url}/readyz`)).rejects.toThrow();

  for (const path of [
    '/scanner',
    '/scanner?da=casa',
    '/scanner/',
    '/scanner/una/pagina?con=domanda',
  ]) {
    await page.goto(server.url + path);
    await waitForList(page);
  }
  await page.reload();
  await waitForList(page);
  const second = await context.newPage();
  await second.goto(`${server.url}/scanner/`);
  await waitForList(second);
  await second.close();
  // Its decoder is a worker and a file of WebAssembly: both are there.
  await startScanning(page);
  expect(await scanCode(page, door.tickets[0]!.code)).toBe('admit');
  // What is not the app's is not pretended.
  expect(
    await page.evaluate(() =>
      fetch('/api/auth/me').then(
        () => 'answered',
        () => 'no line',
      ),
    ),
  ).toBe('no line');
  expect(strange).toEqual([]);
});

/** Scans without a line until the system is asked to wake the worker, and closes the app: of this browser only an empty window is left. */
async function scanAndClose(page: Page, codes: readonly string[]): Promise<void> {
  for (const code of codes) expect(await scanCode(page, code)).toBe('admit');
  await waitForQueue(page, codes.length);
  const tagsOf = () =>
    page.evaluate(async () => {
      const { sync } = (await navigator.serviceWorker.ready) as ServiceWorkerRegistration & {
        sync: { getTags(): Promise<string[]> };
      };
      return sync.getTags();
    });
  await expect.poll(tagsOf, patiently).toEqual(['hand-in']);
  await page.goto('about:blank');
}

test('scans that found no line go up when the system wakes the worker with the app closed, and a phone that was revoked meanwhile loses its tickets', async () => {
  // The shell has no background sync.
  const browser = await launchWholeBrowser();
  onTestFinished(() => browser.close());
  await using door = await openDoor(3);
  await using line = await startBadLine(() => door.server.url);
  const link = await door.link('Luca', { origin: line.url });
  await using phone = await openPhone(browser, link, { installed: true });
  const { page, context } = phone;
  const tools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [found] = registrations.filter(
        ({ isDeleted, scopeURL }) => !isDeleted && scopeURL === `${line.url}/scanner/`,
      );
      if (found) resolve(found.registrationId);
    });
  });
  await tools.send('ServiceWorker.enable');
  const registrationId = await registered;
  /** The system's word that there is a line again. */
  const wakeWorker = () =>
    tools.send('ServiceWorker.dispatchSyncEvent', {
      origin: line.url,
      registrationId,
      tag: 'hand-in',
      lastChance: false,
    });
  const [first, second, third] = door.tickets.map(({ code }) => code) as [string, string, string];

  line.faults.portal = 'all';
  await scanAndClose(page, [first, second]);
  // A captive portal swallows nothing: they are still to be sent.
  await wakeWorker();
  expect(await door.admissions()).toEqual([]);
  line.faults.portal = false;
  await wakeWorker();
  const stored = async () => (await door.admissions()).map(({ seq, counts }) => [seq, counts]);
  const both = [
    [0, 1],
    [1, 1],
  ];
  await expect.poll(stored, patiently).toEqual(both);
  await page.goto(`${line.url}/scanner/`);
  await waitForQueue(page, 0);
  expect(await stored()).toEqual(both);

  line.faults.portal = 'all';
  await startScanning(page);
  await scanAndClose(page, [third]);
  const [row] = await door.db('phones');
  await callOk(door.server, revokePhone, { params: { phoneId: row.id } }, door.admin);
  line.faults.portal = false;
  await wakeWorker();
  // The database of the closed app, seen from a page of the same house that runs none of its code.
  await page.goto(`${line.url}/scanner/icon.svg`);
  await expect.poll(() => readTable(page, 'events'), patiently).toEqual([]);
});
