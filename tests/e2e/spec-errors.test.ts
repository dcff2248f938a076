/** RULES W9, the error catalogue, row by row, and the error shapes of W2 as a visitor meets them. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { demoEvent, makeOrder } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';
import { screens, visit } from '#tests/support/visit.ts';
import { chooseTwoSeats } from '#tests/support/visitor.ts';

const within = { timeout: 20_000 };
const eventPage = `/event/${demoEvent}`;
const eventCall = `**/api/event/${demoEvent}/`;
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const refusal = {
  status: 500,
  code: 'unexpected',
  message: 'Errore imprevisto. Riprova tra poco.',
};
const modal = (page: Page) => page.getByRole('alertdialog', { name: /^Errore: / });

/** The event page as the app opens it from the home page: its data come by a call. */
async function followToEvent(page: Page): Promise<void> {
  await page.goto('/');
  await page.waitForFunction(() =>
    Object.keys(document.getElementById('root')!).some((key) => key.startsWith('__reactContainer')),
  );
  await page
    .getByRole('link', { name: /La locandiera/ })
    .first()
    .click();
}

for (const viewport of screens) {
  test(
    `§2: while the event loads there is a full-screen spinner (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await visit(browser, server.url, { viewport });
      const { page } = visitor;
      let answer = () => {};
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route(eventCall, async (route) => {
        await held;
        await route.continue();
      });
      await followToEvent(page);
      const spinner = page.locator('.ui-spinner-full');
      await see(spinner).toBeVisible(within);
      const box = (await spinner.boundingBox())!;
      expect([box.x, box.y, box.width, box.height].map(Math.round)).toEqual([
        0,
        0,
        viewport.width,
        viewport.height,
      ]);
      answer();
      await see(page.getByRole('heading', { level: 1 })).toHaveText('La locandiera', within);
      await see(spinner).toHaveCount(0);
    },
  );

  test(
    `§8: an event that does not load says "Oops... Si è verificato un errore :( Riprova più tardi...", tried twice (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await visit(browser, server.url, { viewport });
      const { page, countCalls } = visitor;
      await page.route(eventCall, (route) => route.fulfill({ status: 500, json: refusal }));
      await followToEvent(page);
      await see(page.getByRole('alert')).toContainText(
        'Oops... Si è verificato un errore :( Riprova più tardi...',
        within,
      );
      // §7: a failed query is tried again while fewer than 2 attempts have been made.
      expect(countCalls(/^GET \/api\/event\//)).toBe(2);
      await page.unroute(eventCall);
      await page.getByRole('button', { name: 'Riprova' }).click();
      await see(page.getByRole('heading', { level: 1 })).toHaveText('La locandiera', within);
    },
  );

  test(
    `§8: a booking that fails alerts "Oops... si è verificato un problema. Riprova..." and releases the button (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await visit(browser, server.url, { viewport });
      const { page, alerts } = visitor;
      await page.route(/\/book$/, (route) => route.fulfill({ status: 500, json: refusal }));
      await page.goto(eventPage);
      await chooseTwoSeats(page);
      await page.locator('.event-seats-selection-summary_button').click();
      await expect
        .poll(() => alerts, within)
        .toEqual([
          'Oops... si è verificato un problema. Riprova...\n\nErrore imprevisto. Riprova tra poco.',
        ]);
      await see(page.locator('.event-seats-selection-summary_button')).toHaveAttribute(
        'aria-busy',
        'false',
      );
      // What the alert said can still be read.
      await see(page.getByRole('region', { name: 'I tuoi posti' })).toContainText(
        'Errore imprevisto. Riprova tra poco.',
      );
    },
  );

  test(
    `§8: an error thrown by an asynchronous button is a modal "Errore: {message}" that can be closed (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      const order = await makeOrder(server);
      await using visitor = await visit(browser, server.url, {
        viewport,
        orders: [{ id: order.order_id }],
      });
      const { page } = visitor;
      await page.route(
        '**/checkout_session',
        (route) =>
          route.fulfill({
            status: 503,
            json: {
              status: 503,
              code: 'try_again',
              message: 'Il sistema è occupato. Riprova tra qualche secondo.',
            },
          }),
        { times: 1 },
      );
      await page.goto(eventPage);
      const cancel = page.getByRole('button', { name: 'Annulla' });
      await cancel.click(within);
      await see(
        page.getByRole('alertdialog', {
          name: 'Errore: Il sistema è occupato. Riprova tra qualche secondo.',
        }),
      ).toBeVisible(within);
      await see(modal(page).getByRole('heading')).toBeInViewport();
      await modal(page).getByRole('button', { name: 'Chiudi', exact: true }).click();
      await see(modal(page)).toHaveCount(0);
      // The overlay stands as it was, the focus is back, and the next try works.
      await see(cancel).toBeFocused();
      await cancel.click();
      await see(page.getByRole('alertdialog')).toContainText('Ordine annullato.', within);
    },
  );

  test(
    `§8: an unknown route says "Ti sei perso?" with a link home (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await visit(browser, server.url, { viewport });
      const { page } = visitor;
      for (const path of ['/niente', '/event', '/orders', '/event/a/b', '/orders/a/b/c/d']) {
        expect((await page.goto(path))!.status()).toBe(404);
        await see(page.getByRole('heading', { level: 1 })).toHaveText('Ti sei perso?');
        await see(page.getByRole('main').getByRole('link')).toHaveAttribute('href', '/');
      }
      await page.getByRole('main').getByRole('link').click();
      await see(page.getByRole('heading', { name: 'In programma' })).toBeVisible(within);
    },
  );

  test(
    `§8: a screen that breaks while it is drawn says "Unexpected Application Error!", with a way on (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await visit(browser, server.url, { viewport });
      const { page } = visitor;
      await page.route(eventCall, (route) =>
        route.fulfill({ json: { event: { title: 'Senza niente' } } }),
      );
      await followToEvent(page);
      await see(page.getByRole('heading', { level: 1 })).toHaveText(
        'Unexpected Application Error!',
        within,
      );
      await page.unroute(eventCall);
      await page.getByRole('button', { name: 'Riprova' }).click();
      await see(page.getByRole('heading', { level: 1 })).toHaveText('La locandiera', within);
    },
  );
}

test(
  '§7, §8: a network failure of an asynchronous button is told in the same modal, in Italian; behind it all stands as it was',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const order = await makeOrder(server);
    await using visitor = await visit(browser, server.url);
    const { page } = visitor;
    await page.route('**/checkout_session', (route) => route.abort());
    await page.goto(`/orders/${order.order_id}`);
    await page.getByRole('button', { name: 'Annulla l’ordine' }).click(within);
    await page.getByRole('button', { name: 'Sì, annulla l’ordine' }).click();
    await see(
      page.getByRole('alertdialog', {
        name: 'Errore: Il sito non risponde: controlla la connessione.',
      }),
    ).toBeVisible(within);
    await page.keyboard.press('Escape');
    await see(modal(page)).toHaveCount(0);
    await see(page.getByRole('alertdialog', { name: 'Vuoi annullare l’ordine?' })).toBeVisible();
  },
);
