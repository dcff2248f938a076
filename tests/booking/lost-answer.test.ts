/** A booking whose answer does not arrive, in a real browser against the whole product: the visitor keeps his own seats. */
import type { Browser, Page, Route } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { startServer } from '#tests/support/server.ts';
import { chooseTwoSeats } from '#tests/support/visitor.ts';

const within = { timeout: 15_000 };
const booking = /\/book$/;
const orderWaits = { name: 'Hai un ordine in sospeso' };
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A visitor who has chosen two seats, and what the page alerted. */
async function chooseSeats(
  url: string,
): Promise<{ page: Page; alerts: string[]; pay: () => Promise<void>; close: () => Promise<void> }> {
  const context = await browser.newContext({ locale: 'it-IT', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const alerts: string[] = [];
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message());
    void dialog.accept();
  });
  await page.goto(`${url}/event/la-locandiera`);
  await chooseTwoSeats(page);
  return {
    page,
    alerts,
    pay: () =>
      page
        .getByRole('button', { name: /^Procedi al pagamento/ })
        .last()
        .click(),
    close: () => context.close(),
  };
}

/** The server answers, the visitor does not hear it. */
async function lose(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

test('after a lost answer the button asks for the same order again, and a way to the checkout that breaks off leaves a living page', async () => {
  await using server = await startServer();
  const { page, alerts, pay, close } = await chooseSeats(server.url);
  await page.route(booking, lose, { times: 1 });
  await pay();
  // The seats are booked, so the chart has let them go.
  await see(page.getByRole('button', { name: /Fila C, posto 1,.*occupato/ })).toBeVisible(within);
  // The browser stays where it is, and the ten seconds after the redirect are one.
  await page.route(/cs_test/, (route) => route.fulfill({ status: 204 }));
  await page.evaluate(
    '{ const { setTimeout } = globalThis; globalThis.setTimeout = (work, ms) => setTimeout(work, ms === 10_000 ? 1_000 : ms); }',
  );
  await pay();
  await see(page.getByText('Ti portiamo al pagamento…')).toBeVisible(within);
  expect(alerts).toHaveLength(1);
  expect(alerts[0]).toContain('Il sito non risponde: controlla la connessione.');
  await page.getByRole('alertdialog', orderWaits).waitFor(within);
  await page.getByLabel(/^Pianta dei posti\. Frecce/).waitFor(within);
  await close();
});

test('after a lost answer a reload asks for the same order again', async () => {
  await using server = await startServer();
  const { page, alerts, pay, close } = await chooseSeats(server.url);
  await page.route(booking, lose, { times: 1 });
  await pay();
  await expect.poll(() => alerts.length, within).toBe(1);
  await page.reload();
  await page.getByRole('alertdialog', orderWaits).waitFor();
  await close();
});

test('an order that the server could not finish is remembered, and watched until it can be paid', async () => {
  await using server = await startServer();
  const { page, alerts, pay, close } = await chooseSeats(server.url);
  // What the server says while the payment provider is silent, with the order that it has stored by then.
  await page.route(
    booking,
    async (route) => {
      const { order_id } = (await (await route.fetch()).json()) as { order_id: string };
      await route.fulfill({
        status: 503,
        json: {
          status: 503,
          code: 'provider_silent',
          message: 'Riprova tra poco.',
          detail: { order_id },
        },
      });
    },
    { times: 1 },
  );
  let early = true;
  await page.route(/\/api\/orders\/[^/]+\/status$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      json: early
        ? { ...(await answer.json()), checkout_session_status: null, checkout_url: null }
        : await answer.json(),
    });
    early = false;
  });
  await pay();
  await page.getByRole('alertdialog', orderWaits).waitFor();
  expect(alerts[0]).toContain('Riprova tra poco.');
  await close();
});

test('a page that is not ours in place of the answer changes nothing, and the keyboard stays where it was', async () => {
  await using server = await startServer();
  const { page, alerts, close } = await chooseSeats(server.url);
  await page.route(booking, (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Wi-Fi dell’hotel</h1>' }),
  );
  const button = page.getByRole('button', { name: /^Procedi al pagamento/ }).last();
  await button.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => alerts.length, within).toBe(1);
  expect(alerts[0]).toContain('Il sito non ha risposto come previsto.');
  await see(page.getByText('2 posti · 64,00').first()).toBeVisible();
  await see(button).toBeFocused();

  await page.getByRole('button', { name: /^Togli .*posto 1/ }).focus();
  await page.keyboard.press('Enter');
  await see(page.getByRole('button', { name: /^Togli .*posto 2/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await see(page.getByRole('heading', { name: 'I tuoi posti', exact: true })).toBeFocused();
  await close();
});
