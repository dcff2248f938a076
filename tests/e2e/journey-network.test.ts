/** The network goes while booking and while paying: nobody knows what happened, the visitor asks again, and there is one order and one payment. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { sessionsAtStripe } from '#tests/support/stripe-desk.ts';
import { eventPage, within } from '#tests/support/visit.ts';
import { pressPay, visitWithSeats } from '#tests/support/visitor.ts';

const oops = 'Oops... si è verificato un problema. Riprova...\n\n';
const noLine = `${oops}Manca la connessione a Internet.`;
const noAnswer = `${oops}Il sito non risponde: controlla la connessione.`;
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const ordersOf = (server: TestServer) => server.house.ctx.db('orders').pluck<string[]>('state');

async function fillCard(page: Page): Promise<void> {
  for (const [name, typed] of [
    ['E-mail', 'eva@example.it'],
    ['Nome e cognome', 'Eva Neri'],
    ['Numero della carta', '4242424242424242'],
    ['Scadenza', '12/34'],
    ['CVC', '123'],
    ['Nome sulla carta', 'Eva Neri'],
  ] as const)
    await page.getByLabel(name).fill(typed);
}

test(
  'the network is gone before the booking leaves: an alert says so, the seats stay chosen, and the next try makes the one order',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await visitWithSeats(browser, server.url);
    const { page, alerts } = visitor;
    await page.context().setOffline(true);
    await page.locator('.event-seats-selection-summary_button').click();
    await expect.poll(() => alerts, within).toEqual([noLine]);
    await see(page.getByRole('status', { name: 'Posti scelti' })).toContainText('2 posti · 64,00');
    expect(await ordersOf(server)).toEqual([]);
    await page.context().setOffline(false);
    await see(page.locator('.event-seats-selection-summary_button')).toHaveAttribute(
      'aria-disabled',
      'false',
    );
    await pressPay(page);
    expect([await ordersOf(server), alerts.length]).toEqual([['awaiting_payment'], 1]);
  },
);

test(
  'the answer to the booking is lost, twice: the same order is asked for until it is heard of, and his seats are never somebody else’s',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await visitWithSeats(browser, server.url);
    const { page, alerts } = visitor;
    await page.route(
      /\/book$/,
      async (route) => {
        await route.fetch();
        await route.abort('internetdisconnected');
      },
      { times: 2 },
    );
    for (const tries of [1, 2]) {
      await page.locator('.event-seats-selection-summary_button').click();
      await expect.poll(() => alerts.length, within).toBe(tries);
      await see(page.locator('.event-seats-selection-summary_button')).toHaveAttribute(
        'aria-disabled',
        'false',
      );
    }
    // What he chose is still in front of him, though the chart has let it go.
    await see(page.getByRole('status', { name: 'Posti scelti' })).toContainText('2 posti · 64,00');
    await pressPay(page);
    expect([await ordersOf(server), (await sessionsAtStripe(server)).length, alerts]).toEqual([
      ['awaiting_payment'],
      1,
      [noAnswer, noAnswer],
    ]);
  },
);

test(
  'the answer to the payment is lost: the page does not pay twice, and the tickets are there',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await visitWithSeats(browser, server.url);
    const { page } = visitor;
    await pressPay(page);
    await fillCard(page);
    await page.route(
      '**/payment_pages/*/confirm',
      async (route) => {
        await route.fetch();
        await route.abort('internetdisconnected');
      },
      { times: 1 },
    );
    const pay = page.getByRole('button', { name: /^Paga 64,00/ });
    await pay.click();
    // Whatever the hosted page does by itself, the visitor's own next step is the same button or the way back.
    await see(async () => {
      if (/\/orders\//.test(page.url())) return;
      await pay.click({ timeout: 1_000 });
      expect(page.url()).toMatch(/\/orders\//);
    }).toPass(within);
    await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible(within);
    const [session, ...others] = await sessionsAtStripe(server);
    expect([others, session!.payment_status, await ordersOf(server)]).toEqual([
      [],
      'paid',
      ['confirmed'],
    ]);
  },
);

test(
  'the visitor pays and never comes back: the event page of his tab tells him',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await visitWithSeats(browser, server.url);
    const { page } = visitor;
    await pressPay(page);
    await fillCard(page);
    // The way back to us is cut.
    await page.route('**/orders/**', (route) => route.abort('internetdisconnected'));
    const back = page.waitForRequest(/\/orders\/.*\/from_stripe_cs\/complete$/);
    await page.getByRole('button', { name: /^Paga 64,00/ }).click();
    await back;
    await page.unroute('**/orders/**');
    await page.goto(eventPage);
    await see(page.getByRole('alertdialog', { name: 'Ordine confermato!' })).toBeVisible(within);
  },
);
