/** The service worker: the scanner opens with its server gone, asks nobody else for anything, and hands in its queue with no page open. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokePhone } from '#server/contract/door/phones.ts';
import { startBadLine } from '#tests/support/bad-line.ts';
import { launchWholeBrowser } from '#tests/support/browsers/browser.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';
import {
  openPhone,
  pairingLink,
  readTable,
  scanCode,
  sellTickets,
  startScanning,
  waitForList,
  waitForQueue,
} from '#tests/support/door/phone.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchWholeBrowser();
}, 60_000);
afterAll(() => browser.close());

/** Something that goes on in another process: asked again until it is so. */
const patiently = { timeout: 15_000, interval: 250 };

test(
  'after one visit the app opens with the server gone, at every address of its own, in a new window, and reads a code',
  { timeout: 120_000 },
  async () => {
    await using server = await startServer({ worker: true });
    const admin = await makeAdmin(server);
    const [ticket] = await sellTickets(server, { count: 1 });
    await using phone = await openPhone(
      browser,
      await pairingLink(server, admin, { name: 'Luca' }),
      { installed: true },
    );
    const { page, context } = phone;
    await server.close();
    await expect(fetch(`${server.url}/readyz`)).rejects.toThrow();

    for (const path of ['/scanner/', '/scanner/x', '/scanner/una/pagina?con=domanda']) {
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
    expect(await scanCode(page, ticket!.code)).toBe('admit');
    // What is not the app's is not pretended.
    expect(
      await page.evaluate(() =>
        fetch('/api/auth/me').then(
          () => 'answered',
          () => 'no line',
        ),
      ),
    ).toBe('no line');
  },
);

test('everything that was built lies on the phone, and no other house is ever asked', async () => {
  await using server = await startServer({ worker: true });
  const admin = await makeAdmin(server);
  const context = await browser.newContext();
  const strange: string[] = [];
  await context.route(
    (url) => url.origin !== server.url,
    (route) => {
      strange.push(route.request().url());
      return route.abort();
    },
  );
  const page = await context.newPage();
  await page.goto(await pairingLink(server, admin, { name: 'Luca' }));
  await waitForList(page);
  await page.locator('[data-check=offline][data-mark=good]').waitFor();
  const kept = await page.evaluate(async () =>
    (
      await Promise.all(
        (await caches.keys()).map(async (name) =>
          (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname),
        ),
      )
    ).flat(),
  );
  const dist = join(import.meta.dirname, '../../dist/scanner');
  const built = (await readdir(dist, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dist.length + 1));
  const wanted = built.filter((path) => !/\.(?:br|gz)$/.test(path) && path !== 'sw.js');
  expect(wanted.filter((path) => !kept.includes(`/scanner/${path}`))).toEqual([]);
  expect(wanted.some((path) => path.endsWith('.wasm'))).toBe(true);
  expect(strange).toEqual([]);
  await context.close();
});

/** A phone whose scan could not go up, with its app closed; `wake` is the system's word that there is a line again. */
async function closedPhone() {
  const server = await startServer({ worker: true });
  const line = await startBadLine(() => server.url);
  const admin = await makeAdmin(server);
  const tickets = await sellTickets(server, { count: 2 });
  const phone = await openPhone(
    browser,
    await pairingLink(server, admin, { name: 'Luca', origin: line.url }),
    { installed: true },
  );
  line.faults.portal = 'all';
  for (const { code } of tickets) expect(await scanCode(phone.page, code)).toBe('admit');
  await waitForQueue(phone.page, 2);
  await expect
    .poll(
      () =>
        phone.page.evaluate(async () => {
          const registration = (await navigator.serviceWorker
            .ready) as ServiceWorkerRegistration & { sync: { getTags(): Promise<string[]> } };
          return registration.sync.getTags();
        }),
      patiently,
    )
    .toEqual(['hand-in']);

  const tools = await phone.context.newCDPSession(phone.page);
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
  // The app is closed: of this browser only an empty window is left.
  await phone.page.goto('about:blank');
  return {
    server,
    line,
    admin,
    phone,
    wake: () =>
      tools.send('ServiceWorker.dispatchSyncEvent', {
        origin: line.url,
        registrationId,
        tag: 'hand-in',
        lastChance: false,
      }),
    async [Symbol.asyncDispose]() {
      await phone[Symbol.asyncDispose]();
      await line[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

test(
  'scans that found no line go up when the system wakes the worker, with the app closed',
  { timeout: 120_000 },
  async () => {
    await using closed = await closedPhone();
    const { server, line, wake, phone } = closed;
    expect(await server.house.ctx.db('admissions')).toEqual([]);
    await wake();
    // A captive portal swallows nothing: they are still to be sent.
    expect(await server.house.ctx.db('admissions')).toEqual([]);
    line.faults.portal = false;
    await wake();
    await expect
      .poll(
        () =>
          server.house.ctx
            .db('admissions')
            .orderBy('seq')
            .then((rows) => rows.map(({ seq, counts }) => [seq, counts])),
        patiently,
      )
      .toEqual([
        [0, 1],
        [1, 1],
      ]);
    await phone.page.goto(`${line.url}/scanner/`);
    await waitForQueue(phone.page, 0);
    expect(await server.house.ctx.db('admissions')).toHaveLength(2);
  },
);

test(
  'a phone that was revoked while its app was closed loses its tickets when the worker hears of it',
  { timeout: 120_000 },
  async () => {
    await using closed = await closedPhone();
    const { server, line, admin, wake, phone } = closed;
    const [row] = await server.house.ctx.db('phones');
    await callOk(server, revokePhone, { params: { phoneId: row.id } }, admin);
    line.faults.portal = false;
    await wake();
    // The database of the closed app, seen from a page of the same house that runs none of its code.
    await phone.page.goto(`${line.url}/scanner/icon.svg`);
    await expect.poll(() => readTable(phone.page, 'events'), patiently).toEqual([]);
  },
);
