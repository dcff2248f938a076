/** RULES O11, the booking flow: one call, a chart that is destroyed, an order that is kept, 10 ms, 10 s, 200 ms. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { startServer } from '#tests/support/server.ts';
import { ordersOfTab, pauseClock, screens, within } from '#tests/support/visit.ts';
import { visitWithSeats } from '#tests/support/visitor.ts';

const booked = /^POST .*\/book$/;
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const payButton = (page: Page) => page.getByRole('button', { name: /^Paga 64,00/ });
const roundButton = (page: Page) =>
  page.getByRole('button', { name: /^Procedi al pagamento, 2 posti/ });

for (const viewport of screens) {
  test(
    `§4: the booking call is guarded against double submission, on one button and across both (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await visitWithSeats(browser, server.url, { viewport });
      const { page, countCalls } = visitor;
      // Four clicks within one task: faster than any person and any redraw.
      await page.evaluate(() => {
        const [round, pay] = [
          document.querySelector<HTMLElement>('.event-book-button_button')!,
          document.querySelector<HTMLElement>('.event-seats-selection-summary_button')!,
        ];
        for (const button of [pay, pay, round, round]) button.click();
      });
      await page.waitForURL(/\/c\/pay\//, within);
      expect([countCalls(booked), visitor.alerts]).toEqual([1, []]);
    },
  );
}

test(
  '§4, §9: on success the chart is destroyed, the order id kept, and 10 ms later the browser goes to checkout_url',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await visitWithSeats(browser, server.url, { clock: true });
    const { page } = visitor;
    await page.evaluate(() => {
      (window as unknown as Window & { navigation: EventTarget }).navigation.addEventListener(
        'navigate',
        (event) => {
          document.title = (event as Event & { destination: { url: string } }).destination.url;
        },
      );
    });
    // The redirect is a timer of the page: with its clock stopped everything before it can be looked at.
    await pauseClock(page);
    const answer = page.waitForResponse(/\/book$/);
    await payButton(page).click();
    const { order_id, checkout_url } = (await (await answer).json()) as {
      order_id: string;
      checkout_url: string;
    };
    await see(page.getByText('Ti portiamo al pagamento…')).toBeVisible();
    await see(page.getByLabel(/^Pianta dei posti\. Frecce/)).toHaveCount(0);
    expect(await ordersOfTab(page)).toEqual([{ id: order_id }]);
    await see(page.getByRole('alertdialog')).toHaveCount(0);
    await page.clock.runFor(9);
    await see(page).toHaveTitle('La locandiera · Botteghino');
    await page.clock.runFor(1);
    await page.waitForURL(checkout_url, within);
  },
);

test(
  '§4, §9: after the redirect the button stays busy for 10 s, shown with reduced opacity; then the page is alive again',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await visitWithSeats(browser, server.url, { clock: true });
    const { page, countCalls } = visitor;
    // The browser stays where it is, as with a checkout that does not come.
    await page.route(/\/c\/pay\//, (route) => route.fulfill({ status: 204 }));
    await pauseClock(page);
    const gone = page.waitForRequest(/\/c\/pay\//);
    await payButton(page).click();
    await see(page.getByText('Ti portiamo al pagamento…')).toBeVisible();
    await page.clock.runFor(10);
    await gone;
    const bar = page.locator('.event-seats-selection-summary_button');
    for (const passed of [5_000, 4_900]) {
      await page.clock.runFor(passed);
      await see(bar).toHaveAttribute('aria-busy', 'true');
      await see(bar).toHaveAttribute('aria-disabled', 'true');
      expect(await bar.evaluate((button) => Number(getComputedStyle(button).opacity))).toBeLessThan(
        1,
      );
      await bar.click({ force: true });
    }
    await page.clock.runFor(500);
    await see(bar).toHaveAttribute('aria-busy', 'false');
    expect(await bar.evaluate((button) => getComputedStyle(button).opacity)).toBe('1');
    await page.clock.resume();
    await see(page.getByRole('alertdialog', { name: 'Hai un ordine in sospeso' })).toBeVisible(
      within,
    );
    await see(page.getByLabel(/^Pianta dei posti\. Frecce/)).toBeVisible(within);
    expect(countCalls(booked)).toBe(1);
  },
);

test(
  '§4, §8: on failure an alert says so, the busy state is released 200 ms later, and the next try books',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await visitWithSeats(browser, server.url, { clock: true });
    const { page, alerts, countCalls } = visitor;
    await page.route(
      /\/book$/,
      (route) =>
        route.fulfill({
          status: 500,
          json: {
            status: 500,
            code: 'unexpected',
            message: 'Errore imprevisto. Riprova tra poco.',
          },
        }),
      { times: 1 },
    );
    await pauseClock(page);
    await payButton(page).click();
    await expect.poll(() => alerts).toHaveLength(1);
    expect(alerts[0]).toMatch(/^Oops\.\.\. si è verificato un problema\. Riprova\.\.\./);
    // The work is over, the button takes another 200 ms.
    await page.clock.runFor(190);
    await see(payButton(page)).toHaveAttribute('aria-disabled', 'true');
    expect(
      await payButton(page).evaluate((button) => Number(getComputedStyle(button).opacity)),
    ).toBeLessThan(1);
    await payButton(page).click({ force: true });
    await page.clock.runFor(20);
    await see(payButton(page)).toHaveAttribute('aria-disabled', 'false');
    // The other button was never the one that was clicked: it is free at once.
    await see(roundButton(page)).toHaveAttribute('aria-disabled', 'false');
    await see(page.getByRole('status', { name: 'Avviso' }).first()).toContainText(
      'Errore imprevisto. Riprova tra poco.',
    );
    expect(countCalls(booked)).toBe(1);
    await page.clock.resume();
    await payButton(page).click();
    await page.waitForURL(/\/c\/pay\//, within);
    expect([countCalls(booked), alerts.length]).toEqual([2, 1]);
  },
);

test(
  '§4: selecting and deselecting updates the list of selected seats, on the chart’s side and on the page’s',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await visitWithSeats(browser, server.url);
    const { page } = visitor;
    const lines = page.getByRole('region', { name: 'I tuoi posti' }).getByRole('listitem');
    await see(lines).toHaveText([
      /Platea, fila C, posto 1.*Intero.*32,00\s€/,
      /Platea, fila C, posto 2.*Intero.*32,00\s€/,
    ]);
    await page.getByRole('button', { name: /Fila C, posto 2,.*scelto/ }).click();
    await see(lines).toHaveText([/posto 1/]);
    await see(page.locator('.event-book-button_badge')).toHaveText('1');
    await page.getByRole('button', { name: /^Togli .*posto 1/ }).click();
    await see(lines).toHaveCount(0);
    await see(page.getByRole('button', { name: /Fila C, posto 1,.*libero/ })).toBeVisible(within);
    await see(page.locator('.event-book-button_button')).toBeHidden();
  },
);
