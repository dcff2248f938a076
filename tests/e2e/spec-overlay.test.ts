/** RULES O10, the order overlay: its four states in their order, sentence by sentence, at the width of a phone and of a desk. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { payAs } from '#tests/support/buyer.ts';
import { callOk, demoEvent, makeOrder } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { ordersOfTab, pauseClock, screens, visit } from '#tests/support/visit.ts';
import { orderStatus } from '#server/contract/order/orders.ts';

const within = { timeout: 20_000 };
const status = /^GET \/api\/orders\/[\w-]+\/status$/;
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const eventPage = `/event/${demoEvent}`;
const overlayOf = (page: Page) => page.getByRole('alertdialog');

/** How often the status was asked for after the cancel request went out. */
function looksSinceCancel(calls: readonly string[]): number {
  return calls
    .slice(calls.findLastIndex((call) => call.startsWith('DELETE')))
    .filter((call) => status.test(call)).length;
}

/** What the status call says, for moments that last no longer than a call: the rest of the answer is the server's own. */
async function sayStatus(
  page: Page,
  server: TestServer,
  said: { order_id: string } & Record<string, unknown>,
): Promise<void> {
  const real = await callOk(server, orderStatus, { params: { orderId: said.order_id } });
  await page.route(`**/api/orders/${said.order_id}/status`, (route) =>
    route.fulfill({ json: { ...real, ...said } }),
  );
}

for (const viewport of screens) {
  test(
    `§4: a confirmed order says "Ordine confermato!"; "Vedi biglietti" goes to /orders/{order_id} (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      const order = await makeOrder(server);
      await payAs(server, order);
      server.clock.advance(3_000);
      await using visitor = await visit(browser, server.url, {
        viewport,
        orders: [{ id: order.order_id }],
      });
      const { page } = visitor;
      await page.goto(eventPage);
      await see(overlayOf(page).getByRole('heading')).toHaveText('Ordine confermato!', within);
      await see(overlayOf(page).getByRole('button')).toHaveText(['Chiudi', 'Vedi biglietti']);
      await overlayOf(page).getByRole('button', { name: 'Vedi biglietti' }).click();
      await page.waitForURL(`**/orders/${order.order_id}`);
      await see(page.getByRole('img', { name: /Codice QR/ })).toHaveCount(2, within);
      expect(visitor.troubles).toEqual([]);
    },
  );

  test(
    `§4: an open session asks to continue the payment or cancel; "Prosegui" is a link to checkout_url (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      const order = await makeOrder(server);
      await using visitor = await visit(browser, server.url, {
        viewport,
        orders: [{ id: order.order_id }],
      });
      const { page } = visitor;
      await page.goto(eventPage);
      await see(overlayOf(page)).toContainText(
        'Vuoi continuare con il pagamento o annullare l’ordine?',
        within,
      );
      const onward = overlayOf(page).getByRole('link', { name: 'Prosegui' });
      await see(onward).toHaveAttribute('href', order.checkout_url);
      await see(overlayOf(page).getByRole('button')).toHaveText(['Annulla']);
      // Both are within the screen, and large enough for a thumb.
      for (const control of [onward, overlayOf(page).getByRole('button')]) {
        const box = (await control.boundingBox())!;
        expect([
          box.height >= 44,
          box.x >= 0,
          box.x + box.width <= viewport.width,
          box.y + box.height <= viewport.height,
        ]).toEqual([true, true, true, true]);
      }
      await onward.click();
      await page.waitForURL(order.checkout_url);
    },
  );

  test(
    `§4: "Annulla" sends the cancel request, waits at least 3 s and about 1 s more, then reloads the status; "Riprova" discards the id (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      const order = await makeOrder(server);
      await using visitor = await visit(browser, server.url, {
        viewport,
        orders: [{ id: order.order_id }],
        clock: true,
      });
      const { page, calls, countCalls } = visitor;
      await page.goto(eventPage);
      await see(overlayOf(page).getByRole('button', { name: 'Annulla' })).toBeVisible(within);
      await pauseClock(page);
      const gone = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
      await overlayOf(page).getByRole('button', { name: 'Annulla' }).click();
      expect(new URL((await gone).url()).pathname).toBe(
        `/api/orders/${order.order_id}/checkout_session`,
      );
      // Busy: it cannot be sent twice, and nobody is led to pay for what is being cancelled.
      await see(overlayOf(page).getByRole('button', { name: 'Annulla' })).toHaveAttribute(
        'aria-busy',
        'true',
      );
      await overlayOf(page).getByRole('button', { name: 'Annulla' }).click({ force: true });
      await see(overlayOf(page).getByRole('link', { name: 'Prosegui' })).toHaveCount(0);
      await page.clock.runFor(3_900);
      expect([countCalls(/^DELETE/), looksSinceCancel(calls)]).toEqual([1, 0]);
      await page.clock.runFor(200);
      await expect.poll(() => looksSinceCancel(calls)).toBe(1);
      await page.clock.resume();
      await see(overlayOf(page)).toContainText('Sessione di pagamento scaduta.', within);
      await see(overlayOf(page)).toContainText('Ordine annullato.');
      await overlayOf(page).getByRole('button', { name: 'Riprova' }).click();
      await see(overlayOf(page)).toHaveCount(0);
      expect(await ordersOfTab(page)).toEqual([{ id: order.order_id, discarded: true }]);
    },
  );
}

test(
  '§4: the time after "Annulla" counts from the answer of the cancel request where that comes later than 3 s',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const order = await makeOrder(server);
    await using visitor = await visit(browser, server.url, {
      orders: [{ id: order.order_id }],
      clock: true,
    });
    const { page, calls } = visitor;
    let answer = () => {};
    const heard = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/checkout_session', async (route) => {
      await heard;
      await route.continue();
    });
    await page.goto(eventPage);
    await see(overlayOf(page).getByRole('button', { name: 'Annulla' })).toBeVisible(within);
    await pauseClock(page);
    await overlayOf(page).getByRole('button', { name: 'Annulla' }).click();
    await page.clock.runFor(20_000);
    expect(looksSinceCancel(calls)).toBe(0);
    const gone = page.waitForResponse((response) => response.request().method() === 'DELETE');
    answer();
    await (await gone).finished();
    // The answer is known to the page only after a turn of its own.
    await see(async () => {
      await page.clock.runFor(1_000);
      expect(looksSinceCancel(calls)).toBe(1);
    }).toPass();
  },
);

test(
  '§4: an expired session says "Sessione di pagamento scaduta.", and "Ordine annullato." only where order_deleted_at is set',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const order = await makeOrder(server);
    for (const order_deleted_at of [null, new Date().toISOString()]) {
      await using visitor = await visit(browser, server.url, { orders: [{ id: order.order_id }] });
      const { page } = visitor;
      await sayStatus(page, server, {
        order_id: order.order_id,
        order_deleted_at,
        checkout_session_status: 'expired',
        checkout_url: null,
      });
      await page.goto(eventPage);
      await see(overlayOf(page).getByRole('heading')).toHaveText(
        'Sessione di pagamento scaduta.',
        within,
      );
      await see(overlayOf(page).getByText('Ordine annullato.')).toHaveCount(
        order_deleted_at === null ? 0 : 1,
      );
      await see(overlayOf(page).getByRole('button')).toHaveText(['Riprova']);
    }
  },
);

test(
  '§4: a complete session says "Sessione di pagamento completata!" with "Chiudi" and "Vedi biglietti"',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const { order_id } = await makeOrder(server);
    await using visitor = await visit(browser, server.url, { orders: [{ id: order_id }] });
    const { page } = visitor;
    await sayStatus(page, server, {
      order_id,
      checkout_session_status: 'complete',
      checkout_url: null,
    });
    await page.goto(eventPage);
    await see(overlayOf(page).getByRole('heading')).toHaveText(
      'Sessione di pagamento completata!',
      within,
    );
    await see(overlayOf(page).getByRole('button')).toHaveText(['Chiudi', 'Vedi biglietti']);
    await overlayOf(page).getByRole('button', { name: 'Chiudi' }).click();
    await see(overlayOf(page)).toHaveCount(0);
    expect(await ordersOfTab(page)).toEqual([{ id: order_id, discarded: true }]);
  },
);

test(
  '§4: order_confirmed_at is looked at before the session, whatever that one says',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const { order_id } = await makeOrder(server);
    for (const checkout_session_status of ['open', 'expired', 'complete']) {
      await using visitor = await visit(browser, server.url, { orders: [{ id: order_id }] });
      await sayStatus(visitor.page, server, {
        order_id,
        order_confirmed_at: new Date().toISOString(),
        checkout_session_status,
      });
      await visitor.page.goto(eventPage);
      await see(overlayOf(visitor.page).getByRole('heading')).toHaveText(
        'Ordine confermato!',
        within,
      );
    }
  },
);
