/** Tickets as they are needed in front of the door: the code in the first screen, the list of one's orders, both without signal too. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import { startServer } from '#tests/support/server.ts';
import { eventPage, visit, within } from '#tests/support/visit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test(
  'on a later visit code and seat fill the first screen of any phone, held either way',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const { order_id } = await makePaidOrder(server);
    const { tickets } = await callOk(server, getOrder, { params: { orderId: order_id } });
    server.clock.advance(3_600_000);
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 360, height: 640 },
      { width: 844, height: 390 },
      { width: 1280, height: 900 },
    ]) {
      await using visitor = await visit(browser, server.url, { viewport });
      const { page } = visitor;
      await page.goto(`/orders/${order_id}`);
      const { seat } = tickets[0]!;
      await see(page.getByRole('heading', { level: 3, name: seat })).toBeVisible(within);
      const low = await page.evaluate((name) => {
        const qr = document.querySelector('.ui-qr')!;
        const heads = [...document.querySelectorAll('h3')];
        const place = heads.find((head) => head.textContent === name)!;
        return [qr, place].map((part) => Math.round(part.getBoundingClientRect().bottom));
      }, seat);
      expect([viewport, Math.max(...low) <= viewport.height, low]).toEqual([viewport, true, low]);
      await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeAttached();
      expect(visitor.troubles).toEqual([]);
    }
  },
);

test(
  'the head of every page leads to "I miei biglietti", which lists this browser’s orders, also without signal',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const { order_id } = await makePaidOrder(server);
    await using visitor = await visit(browser, server.url);
    const { page } = visitor;
    await page.goto(`/orders/${order_id}`);
    await see(page.getByText('Scarica il PDF')).toBeVisible(within);
    const isKept = () =>
      page.evaluate(async () => {
        const active = (await navigator.serviceWorker.getRegistrations()).map(
          (one) => one.active?.state,
        );
        return (
          (await caches.match('/i-miei-biglietti')) !== undefined &&
          active.length === 2 &&
          active.every((state) => state === 'activated')
        );
      });
    await expect.poll(isKept, within).toBe(true);
    for (const path of ['/', eventPage, '/privacy', '/niente']) {
      await page.goto(path);
      await see(
        page.getByRole('banner').getByRole('link', { name: 'I miei biglietti' }),
      ).toBeVisible(within);
    }
    await page.getByRole('banner').getByRole('link', { name: 'I miei biglietti' }).click();
    const order = page.getByRole('main').getByRole('link', { name: /La locandiera.*2 biglietti/ });
    await see(order).toBeVisible(within);

    await page.context().setOffline(true);
    await page.goto('/i-miei-biglietti');
    await see(page.getByRole('heading', { level: 1 })).toHaveText('I miei biglietti', within);
    await order.click(within);
    await see(page.getByRole('img', { name: /Codice QR/ })).toHaveCount(2, within);
    expect(visitor.troubles).toEqual([]);
  },
);

test(
  'all names are asked for in one go, the buyer’s is filled in, and nothing is said of a mail that nobody gave',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await setPolicy(server, { nominative: 1 }, demoEvent);
    const { order_id } = await makePaidOrder(server, { name: 'Eva Maria Neri' });
    await using visitor = await visit(browser, server.url);
    const { page } = visitor;
    await page.goto(`/orders/${order_id}`);
    await page.getByRole('button', { name: 'Indica i nomi' }).click(within);
    const form = page.getByRole('dialog', { name: 'Chi userà il biglietto?' });
    await form.getByRole('button', { name: /Uso il mio nome/ }).click();
    await see(form.getByLabel('Nome', { exact: true })).toHaveValue('Eva Maria');
    await see(form.getByLabel('Cognome')).toHaveValue('Neri');
    await form.getByRole('button', { name: 'Salva e continua' }).click();
    await see(form.getByLabel('Cognome')).toHaveValue('', within);
    await see(form.getByLabel('Nome', { exact: true })).toBeFocused();
    await form.getByLabel('Nome', { exact: true }).fill('Bruno');
    await form.getByLabel('Cognome').fill('Verdi');
    await form.getByRole('button', { name: 'Salva il nome' }).click();
    await see(form).toHaveCount(0, within);
    await see(page.getByText('Intestato a Eva Maria Neri')).toBeVisible(within);
    await see(page.getByText('Intestato a Bruno Verdi')).toBeVisible(within);
    const keep = page.getByText('salvane l’indirizzo');
    await see(page.getByText('Li trovi anche nella tua e-mail.')).toBeVisible();
    await server.house.ctx.db('orders').update({ buyer_email: null });
    await page.reload();
    await see(keep).toBeVisible(within);
    await see(page.getByText(/e-mail, li trovi|nella tua e-mail/)).toHaveCount(0);
    expect(
      (await callOk(server, getOrder, { params: { orderId: order_id } })).buyer_name,
    ).toBeNull();
  },
);
