/** The order page in a real browser: codes for the door, names on tickets, and all of it without signal. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

const within = { timeout: 20_000 };
const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];
/** Both themes are seen, one at each size. */
const themeOf = ({ width }: { width: number }) =>
  width === 390 ? ('dark' as const) : ('light' as const);
const named = {
  nominative: 1,
  holder_change: 1,
  holder_changes_max: 1,
  holder_change_until_hours: 24,
};

async function openContext(
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<BrowserContext> {
  const viewport = options.viewport ?? sizes[0]!;
  // Without movements an audit never looks at colours that are just changing.
  return browser.newContext({
    locale: 'it-IT',
    hasTouch: true,
    reducedMotion: 'reduce',
    colorScheme: themeOf(viewport),
    ...options,
    viewport,
  });
}

async function ticketsOf(server: TestServer, order_id: string) {
  return (await callOk(server, getOrder, { params: { orderId: order_id } })).tickets;
}

/** A line to the product that can fall silent: whoever asks hears neither yes nor no. */
async function startLine(
  target: string,
): Promise<AsyncDisposable & { url: string; stall: () => void }> {
  let silent = false;
  const open = new Set<{ destroy: () => void }>();
  const server = createServer((near) => {
    const far = connect(Number(new URL(target).port), new URL(target).hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from
        .on('data', (bytes) => {
          if (!silent) to.write(bytes);
        })
        .on('close', () => to.destroy())
        .on('error', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stall() {
      silent = true;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

/** The page has put away what it needs: its frame comes last. */
async function untilKept(page: Page): Promise<void> {
  const isKept = () =>
    page.evaluate(
      async () =>
        (await caches.match('/orders/frame')) !== undefined &&
        (await navigator.serviceWorker.getRegistrations())[0]?.active?.state === 'activated',
    );
  await expect.poll(isKept, { timeout: 15_000, interval: 200 }).toBe(true);
}

test(
  'an order that was opened once opens without signal, says so and since when, and is news again when the line is back',
  { timeout: 90_000 },
  async () => {
    await using server = await startServer();
    const { order_id } = await makePaidOrder(server);
    const other = await makePaidOrder(server, {}, { nth: 0 });
    const [first] = await ticketsOf(server, order_id);
    const context = await openContext();
    const page = await context.newPage();
    await page.goto(`${server.url}/orders/${order_id}`);
    await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible(within);
    await untilKept(page);

    await context.setOffline(true);
    for (const path of ['', '/from_stripe_cs/complete']) {
      await page.goto(`${server.url}/orders/${order_id}${path}`);
      await see(page.getByRole('status').filter({ hasText: 'Sei offline' })).toHaveText(
        /^ ?Sei offline: questi sono i biglietti salvati alle \d\d:\d\d\.$/,
        within,
      );
      await see(
        page.getByRole('img', {
          name: new RegExp(`Codice QR del biglietto 1 di 2: ${first!.seat}`),
        }),
      ).toBeVisible();
      await see(page.getByText(first!.code_for_people)).toBeVisible();
    }
    // What asks the server is not offered.
    for (const name of [/Scarica il PDF/, /Chiedi un rimborso/, /calendario/])
      expect(await page.getByText(name).count()).toBe(0);
    expect(await auditPage(page)).toEqual([]);
    await page.goto(`${server.url}/orders/${other.order_id}`);
    await see(page.getByText('Oops... Si è verificato un errore')).toBeVisible(within);

    await page.goto(`${server.url}/orders/${order_id}`);
    await context.setOffline(false);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await see(page.getByText('Scarica il PDF')).toBeVisible(within);
    await see(page.getByText('Sei offline')).toHaveCount(0);
    await context.close();
  },
);

test(
  'over a line that says nothing the saved tickets are there within seconds',
  { timeout: 90_000 },
  async () => {
    await using server = await startServer();
    await using line = await startLine(server.url);
    const { order_id } = await makePaidOrder(server);
    const context = await openContext();
    const page = await context.newPage();
    await page.goto(`${line.url}/orders/${order_id}`);
    await see(page.getByText('Scarica il PDF')).toBeVisible(within);
    await untilKept(page);
    line.stall();
    const began = performance.now();
    await page.goto(`${line.url}/orders/${order_id}`, { waitUntil: 'commit' });
    await see(page.getByText(/questi sono i biglietti salvati/)).toBeVisible(within);
    expect(performance.now() - began).toBeLessThan(15_000);
    await context.close();
  },
);

for (const javaScriptEnabled of [false, true]) {
  test(
    `the order page stands in its first HTML, ${javaScriptEnabled ? 'and its script takes it over without a word' : 'and can be read without any script'}`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      const { order_id } = await makePaidOrder(server);
      const [first] = await ticketsOf(server, order_id);
      const context = await openContext({ javaScriptEnabled });
      const page = await context.newPage();
      const troubles: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning')
          troubles.push(message.text());
      });
      page.on('pageerror', (error) => troubles.push(error.message));
      for (const path of [
        `/orders/${order_id}`,
        `/orders/${order_id}/from_stripe_cs/complete`,
        '/i-miei-biglietti',
      ]) {
        await page.goto(server.url + path);
        if (!javaScriptEnabled)
          await see(page.getByRole('heading', { level: 1 })).toHaveText(
            path.startsWith('/orders/') ? 'Ordine confermato!' : 'I miei biglietti',
          );
        else
          await see
            .poll(
              () =>
                page.evaluate(() =>
                  Object.keys(document.querySelector('main')!).some((key) =>
                    key.startsWith('__reactProps'),
                  ),
                ),
              within,
            )
            .toBe(true);
      }
      await page.goto(`${server.url}/orders/${order_id}`);
      await see(page.getByRole('img', { name: new RegExp(first!.seat) })).toBeVisible();
      await see(page.getByText(first!.code_for_people)).toBeVisible();
      expect(troubles).toEqual([]);
      await context.close();
    },
  );
}

test(
  'the worker sees order pages and the list of tickets only, and nothing of the API is kept in a cache',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const { order_id } = await makePaidOrder(server);
    const context = await openContext();
    const page = await context.newPage();
    await page.goto(`${server.url}/event/${demoEvent}`);
    await see(page.getByRole('heading', { level: 1, name: 'La locandiera' })).toBeVisible(within);
    expect(
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
    ).toBe(0);
    await page.goto(`${server.url}/orders/${order_id}`);
    await untilKept(page);
    expect(
      await page.evaluate(async () =>
        (await navigator.serviceWorker.getRegistrations())
          .map(({ scope }) => new URL(scope).pathname)
          .toSorted(),
      ),
    ).toEqual(['/i-miei-biglietti', '/orders/']);
    const kept = await page.evaluate(async () =>
      (await (await caches.open('botteghino-orders-1')).keys()).map(
        ({ url }) => new URL(url).pathname,
      ),
    );
    expect(
      kept.filter(
        (path) =>
          !/^\/assets\/|^\/images\/logo\.svg$|^\/favicon\.svg$|^\/orders\/frame$|^\/i-miei-biglietti$/.test(
            path,
          ),
      ),
    ).toEqual([]);
    // One frame serves every order: it must hold none.
    expect(
      await page.evaluate(
        async (id) => (await (await caches.match('/orders/frame'))!.text()).includes(id),
        order_id,
      ),
    ).toBe(false);
    for (const path of [`/event/${demoEvent}`, '/', '/admin/']) {
      await page.goto(server.url + path);
      expect([path, await page.evaluate(() => navigator.serviceWorker.controller)]).toEqual([
        path,
        null,
      ]);
    }
    await context.close();
  },
);

test(
  'an order that is gone is forgotten, and other people’s storage is no order',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const { order_id } = await makePaidOrder(server);
    const context = await openContext();
    const page = await context.newPage();
    await page.goto(`${server.url}/orders/${order_id}`);
    await see(page.getByText('Scarica il PDF')).toBeVisible(within);
    const savedIds = () =>
      page.evaluate(() =>
        Object.keys(localStorage).filter((key) => key.startsWith('botteghino.order.')),
      );
    await see.poll(savedIds, within).toEqual([`botteghino.order.2.${order_id}`]);
    await page.evaluate(() => {
      localStorage.setItem(
        'botteghino.order.2.nobody',
        '{"at":1,"order":{"order_id":"nobody","tickets":[],"event":{"starts_at":"2020-01-01T00:00:00.000Z"}}}',
      );
      localStorage.setItem('botteghino.order.2.broken', '{"at":');
    });
    await page.goto(`${server.url}/orders/nobody`);
    await see(page.getByText('Ordine non trovato')).toBeVisible(within);
    await page.goto(`${server.url}/orders/${order_id}`);
    await see.poll(savedIds, within).toEqual([`botteghino.order.2.${order_id}`]);
    await context.close();
  },
);

for (const viewport of sizes) {
  test(
    `a code fills the screen, the next one is a swipe away, and Esc closes it (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      const { order_id } = await makePaidOrder(server);
      const [first, second] = await ticketsOf(server, order_id);
      const context = await openContext({ viewport });
      const page = await context.newPage();
      await page.goto(`${server.url}/orders/${order_id}`);
      const buttons = page.getByRole('button', { name: 'Mostra a tutto schermo' });
      await buttons.last().click(within);
      const screen = page.getByRole('dialog', { name: 'La locandiera' });
      await see(screen.getByText('2 di 2')).toBeVisible();
      const qr = (await screen.getByRole('img', { name: new RegExp(second!.seat) }).boundingBox())!;
      expect(qr.width).toBeGreaterThan(Math.min(viewport.width, viewport.height) * 0.55);
      expect([qr.x >= 0, qr.x + qr.width <= viewport.width]).toEqual([true, true]);
      await see(screen.getByText('Alza la luminosità dello schermo')).toBeVisible();
      expect(await auditPage(page)).toEqual([]);
      await screen.getByRole('button', { name: 'Biglietto precedente' }).click();
      await see(screen.getByText('1 di 2')).toBeVisible();
      await see(screen.getByText(first!.code_for_people)).toBeInViewport();
      await page.keyboard.press('Escape');
      await see(screen).toHaveCount(0);
      await see(buttons.last()).toBeFocused();
      await context.close();
    },
  );

  test(
    `names are asked for before codes are shown, and a change of holder brings another code (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await setPolicy(server, named, demoEvent);
      const { order_id } = await makePaidOrder(server);
      const context = await openContext({ viewport });
      const page = await context.newPage();
      await page.goto(`${server.url}/orders/${order_id}`);
      await see(
        page.getByText('Intestatario mancante: il codice QR compare quando indichi il nome.'),
      ).toHaveCount(2, within);
      expect([
        await page.getByRole('img', { name: /Codice QR/ }).count(),
        await page.getByText('Scarica il PDF').count(),
      ]).toEqual([0, 0]);
      expect(await auditPage(page)).toEqual([]);

      await page.getByRole('button', { name: 'Indica i nomi' }).click();
      const form = page.getByRole('dialog', { name: 'Chi userà il biglietto?' });
      await see(form.getByLabel('Nome', { exact: true })).toBeFocused();
      const save = form.getByRole('button', { name: 'Salva e continua' });
      await save.click();
      await see(form.getByText('Scrivi il nome.')).toBeVisible();
      expect(await auditPage(page)).toEqual([]);
      await form.getByLabel('Nome', { exact: true }).fill('Anna');
      await form.getByLabel('Cognome').fill('Bianchi2');
      await page.keyboard.press('Enter');
      await see(form.getByText('Usa solo lettere')).toBeVisible();
      await form.getByLabel('Cognome').fill('Bianchi');
      // The button rests for 200 ms after each click (RULES W5).
      await see(save).toHaveAttribute('aria-busy', 'false');
      await page.keyboard.press('Enter');
      // The next ticket's turn: it may wait.
      await see(form.getByRole('button', { name: 'Salva il nome' })).toBeVisible(within);
      await form.getByRole('button', { name: 'Torna indietro' }).click();
      await see(page.getByText('Intestato a Anna Bianchi')).toBeVisible(within);
      await see(page.getByRole('img', { name: /Codice QR/ })).toHaveCount(1);
      const before = (await ticketsOf(server, order_id)).find(
        (ticket) => ticket.holder === 'Anna Bianchi',
      )!;

      await page
        .getByRole('region', { name: 'Intestatari' })
        .getByRole('button', { name: /^Cambia/ })
        .click();
      const change = page.getByRole('dialog', { name: 'Cambia intestatario' });
      await see(change.getByText('smette subito di valere')).toBeVisible();
      await change.getByLabel('Nome', { exact: true }).fill('Bruno');
      await change.getByLabel('Cognome').fill('Verdi');
      await change.getByRole('button', { name: 'Cambia intestatario' }).click();
      await see(page.getByText('Intestato a Bruno Verdi')).toBeVisible(within);
      await see(page.getByText('Il cambio è già stato fatto')).toBeVisible();
      const after = (await ticketsOf(server, order_id)).find(
        (ticket) => ticket.ticket_id === before.ticket_id,
      )!;
      await see(page.getByText(after.code_for_people)).toBeVisible();
      expect([
        after.code === before.code,
        await page.getByText(before.code_for_people).count(),
      ]).toEqual([false, 0]);
      await context.close();
    },
  );

  test(
    `whoever has lost his links asks for them by mail (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await makePaidOrder(server, { email: 'eva@example.it' });
      const context = await openContext({ viewport });
      const page = await context.newPage();
      const answer = await page.goto(`${server.url}/i-miei-biglietti`);
      expect(answer!.status()).toBe(200);
      const send = page.getByRole('button', { name: 'Mandami i link' });
      // What the server has drawn can be seen before it can be used.
      await see(async () => {
        await send.click();
        await see(page.getByText('Scrivi il tuo indirizzo e-mail.')).toBeVisible({ timeout: 500 });
      }).toPass(within);
      await page.getByLabel('E-mail').fill('eva@');
      await see(send).toHaveAttribute('aria-busy', 'false');
      await send.click();
      await see(page.getByText('Questo indirizzo non è completo.')).toBeVisible();
      expect(await auditPage(page)).toEqual([]);
      await page.getByLabel('E-mail').fill('nessuno@example.it');
      await see(send).toHaveAttribute('aria-busy', 'false');
      await send.click();
      await see(
        page
          .getByRole('status')
          .filter({ hasText: 'Se con nessuno@example.it sono stati fatti ordini' }),
      ).toBeVisible(within);
      await see(send).toHaveCSS('opacity', '1');
      expect(await auditPage(page)).toEqual([]);
      await context.close();
    },
  );
}
