/** The event page in every state in which something can be bought: two accessibility engines and the validator find nothing, in both themes, narrow and wide. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { expectNoFaults, openPage } from '#tests/support/faults.ts';
import { demoEvent } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';
import { chooseTwoSeats } from '#tests/support/visitor.ts';

const within = { timeout: 20_000 };
const minute = 60_000;
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** What the browser's own boxes said; each is closed at once. */
function hearAlerts(page: Page): string[] {
  const alerts: string[] = [];
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message());
    void dialog.accept();
  });
  return alerts;
}

test('while seats are looked for and chosen', { timeout: 120_000 }, async () => {
  await using server = await startServer();
  await using visitor = await openPage(browser, server.url);
  const { page } = visitor;
  const alerts = hearAlerts(page);
  await page.goto(`/event/${demoEvent}`);
  await page.getByRole('button', { name: /Scegli da un elenco/ }).waitFor(within);
  await page.getByRole('button', { name: 'Procedi al pagamento', exact: true }).click();
  await expect.poll(() => alerts).toEqual(['Seleziona prima i posti...']);
  await expectNoFaults(page, 'asked to pay with nothing chosen');

  await page.getByRole('button', { name: /Leggi tutto/ }).click();
  await see(page.getByRole('dialog', { name: 'La locandiera' })).toBeVisible();
  await expectNoFaults(page, 'the description in its drawer');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Info | Contatti | Privacy Policy' }).click();
  await see(
    page
      .getByRole('dialog', { name: 'Info e contatti' })
      .getByRole('heading', { name: 'Privacy Policy' }),
  ).toBeVisible(within);
  await expectNoFaults(page, 'the drawer with contacts and legal texts');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /Scegli da un elenco/ }).click();
  await page
    .getByRole('button', { name: /^Platea/ })
    .first()
    .click();
  await page
    .getByRole('button', { name: /^Fila D/ })
    .first()
    .click();
  await page.getByRole('button', { name: /Fila D, posto 2,.*libero/ }).click();
  await see(page.getByRole('dialog').getByRole('button', { name: /Intero/ })).toBeVisible();
  await expectNoFaults(page, 'the choice of a ticket type');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Intero/ })
    .click();
  await see(
    page.getByRole('status', { name: 'Avviso' }).getByText('Così resterebbe un posto isolato'),
  ).toBeVisible(within);
  await expectNoFaults(page, 'a seat left alone');
});

test('while seats are held, until their time is over', { timeout: 120_000 }, async () => {
  await using server = await startServer();
  await using visitor = await openPage(browser, server.url);
  const { page } = visitor;
  const alerts = hearAlerts(page);
  await page.goto(`/event/${demoEvent}`);
  await chooseTwoSeats(page);
  await see(page.locator('.event-book-button_bubble')).toBeVisible();
  await expectNoFaults(page, 'two seats chosen');

  await page.route('**/book', (route) => route.abort());
  await page.getByRole('button', { name: /^Paga / }).click();
  await expect
    .poll(() => alerts.join())
    .toContain('Oops... si è verificato un problema. Riprova...');
  await see(page.locator('.event-seats-selection-summary_warning')).not.toBeEmpty();
  await see(page.getByRole('button', { name: /^Paga / })).toHaveAttribute('aria-busy', 'false');
  await expectNoFaults(page, 'a booking that failed');
  await page.unroute('**/book');
  await page.evaluate(() => sessionStorage.removeItem('botteghino.booking.1'));

  // The same session goes on after a reload, with what is left of its time.
  server.clock.advance(13.5 * minute);
  await page.reload();
  await see(page.getByRole('button', { name: 'Ho bisogno di più tempo' })).toBeVisible(within);
  await see(page.locator('.event-hold-clock_soon')).toBeVisible();
  await expectNoFaults(page, 'the end of the hold is near');

  await page.route('**/prolong', (route) => route.abort());
  await page.getByRole('button', { name: 'Ho bisogno di più tempo' }).click();
  await see(page.getByRole('alertdialog', { name: /^Errore: / })).toBeVisible();
  await see(page.getByRole('button', { name: 'Ho bisogno di più tempo' })).toHaveAttribute(
    'aria-busy',
    'false',
  );
  await expectNoFaults(page, 'a button whose work failed');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Chiudi', exact: true }).click();

  server.clock.advance(2 * minute);
  await page.reload();
  await see(page.getByText('Nessun posto scelto')).toBeVisible(within);
  await page.getByRole('button', { name: /Scegli da un elenco/ }).waitFor(within);
  await expectNoFaults(page, 'the hold is over');
});

test('while the way to the checkout is busy', { timeout: 60_000 }, async () => {
  await using server = await startServer();
  await using visitor = await openPage(browser, server.url);
  const { page } = visitor;
  await page.goto(`/event/${demoEvent}`);
  await chooseTwoSeats(page);
  const asked = page.waitForRequest('**/book');
  await page.route('**/book', () => {});
  await page.getByRole('button', { name: /^Paga / }).click();
  await asked;
  await expectNoFaults(page, 'asked for the order, no answer yet');
});
