/** An order that was begun and not paid: told alike everywhere, known in every tab, given back with words, and begun anew with the same seats. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { callOk, makeOrder } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';
import { eventPage, pauseClock, visit, within } from '#tests/support/visit.ts';
import { pressPay, visitWithSeats } from '#tests/support/visitor.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const overlay = (page: Page) => page.getByRole('alertdialog');
const notice = (page: Page) => page.getByRole('region', { name: 'Ordine in sospeso' });
/** The words of the control that has the focus, and its element. */
const focused = (page: Page) =>
  page.evaluate(() => [
    document.activeElement!.tagName,
    document.activeElement!.textContent!.trim(),
  ]);

test(
  'overlay and order page say the same seats, sum and deadline, and "Prosegui" stands before "Annulla"',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const { order_id } = await makeOrder(server);
    const order = await callOk(server, getOrder, { params: { orderId: order_id } });
    await using visitor = await visit(browser, server.url, { orders: [{ id: order_id }] });
    const { page } = visitor;
    const sum = /2 posti · \d+,00\s€ · riservati fino alle \d\d:\d\d/;
    await page.goto(eventPage);
    await see(overlay(page)).toContainText(sum, within);
    const said = sum.exec((await overlay(page).textContent())!)![0];
    for (const { seat } of order.lines) await see(overlay(page)).toContainText(seat);
    await see(overlay(page).locator('a, button')).toHaveText(['Prosegui', 'Annulla']);
    await page.goto(`/orders/${order_id}`);
    const main = page.getByRole('main');
    await see(main).toContainText(said, within);
    for (const { seat } of order.lines) await see(main).toContainText(seat);
    await see(main.locator('section').first().locator('a, button')).toHaveText([
      'Prosegui',
      'Annulla l’ordine',
    ]);
  },
);

test(
  'while the order is at the checkout a new tab says so on the home page and on other pages, and falls silent when it has ended',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await visitWithSeats(browser, server.url);
    const { page } = visitor;
    const other = await page.context().newPage();
    await other.goto('/');
    await see(other.getByRole('heading', { level: 1 })).toBeVisible(within);
    await see(notice(other)).toHaveCount(0);
    await pressPay(page);
    // The open tab hears of it, a later one finds it.
    await see(notice(other)).toContainText('2 posti · 64,00', within);
    await see(notice(other).getByRole('link', { name: 'Prosegui' })).toHaveAttribute(
      'href',
      page.url(),
    );
    for (const path of ['/privacy', eventPage]) {
      await other.goto(path);
      await see(notice(other)).toBeVisible(within);
      await see(overlay(other)).toHaveCount(0);
    }
    await notice(other).getByRole('link', { name: 'Vedi l’ordine' }).click();
    await see(other.getByRole('heading', { level: 1 })).toHaveText(
      'Il pagamento non è ancora concluso',
      within,
    );
    await see(notice(other)).toHaveCount(0);
    await other.getByRole('button', { name: 'Annulla l’ordine' }).click();
    await other.getByRole('button', { name: 'Sì, annulla l’ordine' }).click();
    await see(other.getByRole('heading', { level: 1 })).toHaveText('Ordine annullato.', within);
    await expect.poll(() => focused(other)).toEqual(['H1', 'Ordine annullato.']);
    await other.goto('/');
    await see(other.getByRole('heading', { level: 1 })).toBeVisible(within);
    await expect
      .poll(() => other.evaluate(() => localStorage['botteghino.open-order.1']))
      .toBeUndefined();
    await see(notice(other)).toHaveCount(0);
  },
);

test(
  'after "Annulla" the seats are said to be given back, "Ordine annullato." has the focus, and it never falls to the page’s body',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const { order_id } = await makeOrder(server);
    await using visitor = await visit(browser, server.url, {
      orders: [{ id: order_id }],
      clock: true,
    });
    const { page } = visitor;
    await page.goto(eventPage);
    await see(overlay(page).getByRole('button', { name: 'Annulla' })).toBeVisible(within);
    await see(overlay(page).getByText('riservati fino alle')).toBeVisible(within);
    expect(await focused(page)).toEqual(['A', 'Prosegui']);
    await pauseClock(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await see(overlay(page).getByText('Libero i tuoi posti…')).toBeVisible();
    expect(await focused(page)).toEqual(['BUTTON', 'Annulla']);
    await page.clock.runFor(4_100);
    await page.clock.resume();
    await see(overlay(page).getByRole('heading')).toHaveText(
      'Sessione di pagamento scaduta.',
      within,
    );
    await expect.poll(() => focused(page)).toEqual(['P', 'Ordine annullato.']);
    await overlay(page).getByRole('button', { name: 'Riprova' }).click();
    await see(overlay(page)).toHaveCount(0);
    await expect.poll(async () => (await focused(page))[0]).toBe('MAIN');
  },
);

test(
  '"Riprendi gli stessi posti" chooses them again, from the overlay and, after the time to pay, from the order page',
  { timeout: 90_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await visitWithSeats(browser, server.url);
    const { page } = visitor;
    const chosen = page.getByRole('region', { name: 'I tuoi posti' }).getByRole('listitem');
    await pressPay(page);
    await page.goto(eventPage);
    await overlay(page).getByRole('button', { name: 'Annulla' }).click(within);
    await overlay(page).getByRole('link', { name: 'Riprendi gli stessi posti' }).click(within);
    await see(overlay(page)).toHaveCount(0);
    await see(chosen).toHaveText([/posto 1.*Intero/, /posto 2.*Intero/], within);

    await pressPay(page);
    const last = await server.house.ctx
      .db('orders')
      .where({ state: 'awaiting_payment' })
      .first<{ id: string }>();
    server.clock.advance(16 * 60_000);
    await server.runDue();
    await page.goto(`/orders/${last!.id}`);
    await see(page.getByRole('heading', { name: 'Sessione di pagamento scaduta.' })).toBeVisible(
      within,
    );
    await page.getByRole('link', { name: 'Riprendi gli stessi posti' }).click(within);
    await page.waitForURL(`**${eventPage}`);
    await see(chosen).toHaveText([/posto 1.*Intero/, /posto 2.*Intero/], within);
    await see(overlay(page)).toHaveCount(0);
    // Chosen once: a reload does not choose what was put back since.
    await page.getByRole('button', { name: /^Togli .*posto 1/ }).click();
    await see(chosen).toHaveCount(1, within);
    await page.reload();
    await see(chosen).toHaveText([/posto 2/], within);
    expect(visitor.troubles).toEqual([]);
  },
);
