/** RULES O12 and O10: which order the overlay speaks of, and when it says nothing. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { demoEvent, makeOrder } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';
import { ordersOfTab, visit } from '#tests/support/visit.ts';

const within = { timeout: 20_000 };
const eventPage = `/event/${demoEvent}`;
const status = /^GET \/api\/orders\/[\w-]+\/status$/;
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test(
  '§3: the last order is the most recent id that was not discarded; discarding it brings the one before',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const [first, second, third] = [
      await makeOrder(server),
      await makeOrder(server, { nth: 1 }),
      await makeOrder(server, { nth: 2 }),
    ];
    await using visitor = await visit(browser, server.url, {
      orders: [
        { id: first.order_id },
        { id: second.order_id },
        { id: third.order_id, discarded: true },
      ],
    });
    const { page } = visitor;
    await page.goto(eventPage);
    const onward = page.getByRole('alertdialog').getByRole('link', { name: 'Prosegui' });
    await see(onward).toHaveAttribute('href', second.checkout_url, within);
    expect(visitor.countCalls(new RegExp(third.order_id))).toBe(0);
    // The second one ends elsewhere: its session expires, the overlay learns it by itself.
    await page.route(`**/api/orders/${second.order_id}/status`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        json: { ...(await answer.json()), checkout_session_status: 'expired', checkout_url: null },
      });
    });
    await page.getByRole('alertdialog').getByRole('button', { name: 'Riprova' }).click(within);
    await see(onward).toHaveAttribute('href', first.checkout_url, within);
    expect(await ordersOfTab(page)).toEqual([
      { id: first.order_id },
      { id: second.order_id, discarded: true },
      { id: third.order_id, discarded: true },
    ]);
  },
);

test(
  '§4: without a last order nothing is asked and nothing shown; §7: the status is asked only when a last order id exists',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const { order_id } = await makeOrder(server);
    for (const orders of [[], [{ id: order_id, discarded: true }]]) {
      await using visitor = await visit(browser, server.url, { orders });
      await visitor.page.goto(eventPage);
      await see(visitor.page.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible(
        within,
      );
      await see(visitor.page.getByRole('alertdialog')).toHaveCount(0);
      expect(visitor.countCalls(status)).toBe(0);
    }
  },
);

test(
  '§4: an order whose status does not load shows no overlay, and the visitor goes on choosing',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await visit(browser, server.url, {
      orders: [{ id: 'un-ordine-che-non-esiste' }],
    });
    const { page } = visitor;
    await page.goto(eventPage);
    await expect.poll(() => visitor.countCalls(status), within).toBeGreaterThan(0);
    await page.getByRole('button', { name: /Scegli da un elenco/ }).click(within);
    await see(page.getByRole('alertdialog')).toHaveCount(0);
    expect(visitor.troubles).toEqual([]);
  },
);

test(
  '§9: the session is kept in session storage: another tab knows nothing of the order',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const { order_id } = await makeOrder(server);
    await using visitor = await visit(browser, server.url, { orders: [] });
    const { page } = visitor;
    await page.goto(eventPage);
    await page.evaluate((id) => {
      sessionStorage.setItem('botteghino.orders.1', JSON.stringify([{ id }]));
    }, order_id);
    await page.reload();
    await see(page.getByRole('alertdialog')).toBeVisible(within);
    const other = await page.context().newPage();
    await other.goto(eventPage);
    await see(other.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible(within);
    await see(other.getByRole('alertdialog')).toHaveCount(0);
  },
);
