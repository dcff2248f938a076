/** The switch of the site's service worker: turned off, the server's next answer takes worker and kept pages away from every phone that has them. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build, type Rollup } from 'vite';
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { startVisit } from '#tests/support/browsers/start-visit.ts';
import { screens, within } from '#tests/support/visit.ts';

const booking = join(import.meta.dirname, '../../apps/booking');

/** The worker as it is built once the switch is turned. */
async function buildSwitchedOff(): Promise<string> {
  let turned = false;
  const made = (await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      lib: {
        entry: join(booking, 'sw.ts'),
        formats: ['iife'],
        name: 'worker',
        fileName: () => 'sw.js',
      },
    },
    plugins: [
      {
        name: 'switch-off',
        enforce: 'pre',
        transform(code, id) {
          if (!id.endsWith('/offline-switch.ts')) return null;
          const off = code.replace('keepsOrders: boolean = true', 'keepsOrders: boolean = false');
          turned = off !== code;
          return off;
        },
      },
    ],
  })) as Rollup.RollupOutput[];
  expect(turned).toBe(true);
  return (made[0]!.output[0] as Rollup.OutputChunk).code;
}

/** The product, but for its worker, which may be another one by now. */
async function startShop(
  target: string,
): Promise<AsyncDisposable & { url: string; answerWith: (worker: string) => void }> {
  let worker: string | null = null;
  const server = createServer((asked, answer) => {
    if (worker !== null && asked.url === '/sw.js') {
      answer
        .writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-cache' })
        .end(worker);
      return;
    }
    const passed = request(
      target + asked.url!,
      { method: asked.method, headers: { ...asked.headers, connection: 'close' } },
      (found) => {
        answer.writeHead(found.statusCode!, found.headers);
        found.pipe(answer);
      },
    );
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerWith(next) {
      worker = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('a worker that was switched off takes itself and all kept pages away at the next visit, and the page comes from the network', async () => {
  await using at = await startVisit({ viewport: screens[0] });
  const { page, server } = at;
  const context = page.context();
  await using shop = await startShop(server.url);
  const { link_key } = await makePaidOrder(server);
  const state = () =>
    page.evaluate(async () => ({
      workers: (await navigator.serviceWorker.getRegistrations()).length,
      kept: (await caches.keys()).filter((name) => name.startsWith('botteghino-orders-')).length,
    }));
  await page.goto(`${shop.url}/orders/${link_key}`);
  await see
    .poll(
      () =>
        page.evaluate(
          async () =>
            (await caches.match('/orders/frame')) !== undefined &&
            (await navigator.serviceWorker.getRegistrations()).filter(
              ({ active }) => active?.state === 'activated',
            ).length === 3,
        ),
      within,
    )
    .toBe(true);
  await context.setOffline(true);
  await page.reload();
  await see(page.getByRole('heading', { name: 'La locandiera' }).first()).toBeVisible();
  for (const path of ['/', '/event/la-locandiera']) {
    await page.goto(shop.url + path);
    await see(page.getByRole('heading', { name: 'Sei senza connessione' })).toBeVisible();
  }
  await page.getByRole('link', { name: 'I miei biglietti' }).click();
  await see(page.getByRole('heading', { name: 'I miei biglietti' })).toBeVisible();
  await context.setOffline(false);
  await page.goto(`${shop.url}/orders/${link_key}`);

  shop.answerWith(await buildSwitchedOff());
  // In the worker's reach, but nothing there puts pages away anew: the browser looks for a newer
  // worker by itself.
  await page.goto(`${shop.url}/orders/niente`);
  await see.poll(async () => (await state()).kept, within).toBe(0);
  // The list of tickets and the programme have scopes of their own, whose workers go when these
  // pages are visited, or earlier if a page sees that no order is kept any more.
  await page.goto(`${shop.url}/i-miei-biglietti`);
  await see.poll(async () => (await state()).workers, within).toBeLessThanOrEqual(1);
  await page.goto(`${shop.url}/`);
  await see.poll(state, within).toEqual({ workers: 0, kept: 0 });
  await page.goto(`${shop.url}/orders/niente`);
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBe(null);
  await context.setOffline(true);
  await expect(page.goto(`${shop.url}/orders/${link_key}`)).rejects.toThrow(
    /ERR_INTERNET_DISCONNECTED/,
  );
});
