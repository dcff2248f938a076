/** Back from the checkout with the browser's arrow, and a reload in the middle of choosing: the visitor finds his own seats and his order again. */
import { chromium, type Browser, type Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserOptions, findChromium, launchBrowser } from '#tests/support/browsers/browser.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { eventPage, within, type Visit } from '#tests/support/visit.ts';
import { openRow, pressPay, visitWithSeats } from '#tests/support/visitor.ts';

/** Chromium as people have it keeps the page it leaves; Playwright's usual one loads it anew. */
const browsers: Record<string, Browser> = {};
beforeAll(async () => {
  browsers['loaded anew'] = await launchBrowser();
  browsers['kept by the browser'] = await chromium.launch({
    ...browserOptions,
    executablePath: findChromium()!,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
});
afterAll(() => Promise.all(Object.values(browsers).map((browser) => browser.close())));

const overlay = (page: Page) => page.getByRole('alertdialog', { name: 'Hai un ordine in sospeso' });
const seat = (page: Page, number: string, state: string) =>
  page.getByRole('button', { name: new RegExp(`Fila C, posto ${number},.*${state}`) });

/** Two seats chosen, paid for until the checkout, and back by the arrow. */
async function goAndComeBack(
  server: TestServer,
  browser: Browser,
): Promise<Visit & { checkout: string }> {
  const visitor = await visitWithSeats(browser, server.url);
  const { page } = visitor;
  await pressPay(page);
  const checkout = page.url();
  await see(page.getByLabel('Numero della carta')).toBeVisible(within);
  // The page that was asked to go may be gone before it answers.
  await page.evaluate(() => void setTimeout(() => history.back()));
  await page.waitForURL(`**${eventPage}`, within);
  return { ...visitor, checkout };
}

for (const kind of ['loaded anew', 'kept by the browser']) {
  test(
    `back by the arrow, page ${kind}: the order is offered, and "Prosegui" leads to the same checkout`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await goAndComeBack(server, browsers[kind]!);
      const { page, checkout } = visitor;
      await see(overlay(page)).toContainText(
        'Vuoi continuare con il pagamento o annullare l’ordine?',
        within,
      );
      await overlay(page).getByRole('link', { name: 'Prosegui' }).click();
      await page.waitForURL(checkout, within);
      await see(page.getByRole('button', { name: /^Paga 64,00/ })).toBeVisible(within);
      expect(visitor.countCalls(/\/book$/)).toBe(1);
    },
  );

  test(
    `back by the arrow, page ${kind}: after "Annulla" the seats are free, for him as for all, and he buys them again`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await goAndComeBack(server, browsers[kind]!);
      const { page, checkout } = visitor;
      await overlay(page).getByRole('button', { name: 'Annulla' }).click(within);
      const ended = page.getByRole('alertdialog', { name: 'Sessione di pagamento scaduta.' });
      await see(ended).toContainText('Ordine annullato.', within);
      await ended.getByRole('button', { name: 'Riprova' }).click();
      await openRow(page, 'C');
      for (const number of ['1', '2']) {
        await seat(page, number, 'libero').click(within);
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /Intero/ })
          .click();
      }
      await page.getByRole('button', { name: /^Paga 64,00/ }).click(within);
      await page.waitForURL(/\/c\/pay\//, within);
      expect(page.url()).not.toBe(checkout);
      const orders = await server.house.ctx.db('orders').orderBy('created_at').pluck('state');
      expect([orders, visitor.alerts]).toEqual([['deleted', 'awaiting_payment'], []]);
    },
  );
}

test(
  'paid, and then back by the arrow: the event page says so, and leads to the tickets',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await goAndComeBack(server, browsers['loaded anew']!);
    const { page } = visitor;
    await overlay(page).getByRole('link', { name: 'Prosegui' }).click(within);
    for (const [name, typed] of [
      ['E-mail', 'eva@example.it'],
      ['Nome e cognome', 'Eva Neri'],
      ['Numero della carta', '4242424242424242'],
      ['Scadenza', '12/34'],
      ['CVC', '123'],
      ['Nome sulla carta', 'Eva Neri'],
    ] as const)
      await page.getByLabel(name).fill(typed);
    await page.getByRole('button', { name: /^Paga 64,00/ }).click();
    await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible(within);
    await page.goto(eventPage);
    await page
      .getByRole('alertdialog', { name: 'Ordine confermato!' })
      .getByRole('button', { name: 'Vedi biglietti' })
      .click(within);
    await see(page.getByRole('img', { name: /Codice QR/ })).toHaveCount(2, within);
  },
);

test(
  'a reload in the middle of choosing keeps the seats, their time and the order of things',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await visitWithSeats(browsers['loaded anew']!, server.url);
    const { page } = visitor;
    const timer = page.getByRole('timer');
    const leftOf = async () => {
      const [, minutes, seconds] = /(\d+):(\d\d)/.exec((await timer.textContent())!)!;
      return Number(minutes) * 60 + Number(seconds);
    };
    const before = await leftOf();
    await page.reload();
    await see(page.getByRole('region', { name: 'I tuoi posti' }).getByRole('listitem')).toHaveText(
      [/posto 1.*Intero.*32,00/, /posto 2.*Intero.*32,00/],
      within,
    );
    await see(page.getByRole('status', { name: 'Posti scelti' })).toContainText('2 posti · 64,00');
    const after = await leftOf();
    expect([after <= before, after > before - 60]).toEqual([true, true]);
    await page.getByRole('button', { name: /^Paga 64,00/ }).click();
    await page.waitForURL(/\/c\/pay\//, within);
    expect(visitor.alerts).toEqual([]);
  },
);
