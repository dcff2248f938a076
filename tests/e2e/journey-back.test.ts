/** Back from the checkout with the browser's arrow, and a reload in the middle of choosing: the visitor finds his own seats and his order again. */
import { chromium, type Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { browserOptions, findChromium } from '#tests/support/browsers/browser.ts';
import { startServer } from '#tests/support/server.ts';
import { fillCard, testVisit as it } from '#tests/support/browsers/start-visit.ts';
import { eventPage, within } from '#tests/support/visit.ts';
import { chooseTwoSeats, pressPay, visitWithSeats } from '#tests/support/visitor.ts';

const overlay = (page: Page) => page.getByRole('alertdialog', { name: 'Hai un ordine in sospeso' });

/** To the checkout, and back by the arrow; gives the checkout's address. */
async function goAndComeBack(page: Page): Promise<string> {
  await pressPay(page);
  const checkout = page.url();
  await see(page.getByLabel('Numero della carta')).toBeVisible();
  // The page that was asked to go may be gone before it answers.
  await page.evaluate(() => void setTimeout(() => history.back()));
  await page.waitForURL(`**${eventPage}`, within);
  return checkout;
}

async function secondsLeft(page: Page): Promise<number> {
  const [, minutes, seconds] = /(\d+):(\d\d)/.exec((await page.getByRole('timer').textContent())!)!;
  return Number(minutes) * 60 + Number(seconds);
}

it('a reload keeps the seats and their time; back by the arrow "Prosegui" leads to the same checkout; and who has paid and never comes back is told by the event page of his tab', async (at) => {
  const { page } = at;
  await page.goto(eventPage);
  await chooseTwoSeats(page);
  const before = await secondsLeft(page);
  await page.reload();
  await see(page.getByRole('region', { name: 'I tuoi posti' }).getByRole('listitem')).toHaveText([
    /posto 1.*Intero.*32,00/,
    /posto 2.*Intero.*32,00/,
  ]);
  await see(page.getByRole('status', { name: 'Posti scelti' })).toContainText('2 posti · 64,00');
  const after = await secondsLeft(page);
  expect([after <= before, after > before - 60]).toEqual([true, true]);

  const checkout = await goAndComeBack(page);
  await overlay(page).getByRole('link', { name: 'Prosegui' }).click(within);
  await page.waitForURL(checkout, within);
  await fillCard(page);
  // The way back to us is cut.
  await page.route('**/orders/**', (route) => route.abort('internetdisconnected'));
  const back = page.waitForRequest(/\/orders\/.*\/from_stripe_cs\/complete$/);
  await page.getByRole('button', { name: /^Paga 64,00/ }).click();
  await back;
  await page.unroute('**/orders/**');
  await page.goto(eventPage);
  await page
    .getByRole('alertdialog', { name: 'Ordine confermato!' })
    .getByRole('button', { name: 'Vedi biglietti' })
    .click(within);
  await see(page.getByRole('img', { name: /Codice QR/ })).toHaveCount(2);
  expect([at.countCalls(/\/book$/), at.alerts]).toEqual([1, []]);
});

test('back by the arrow to a page that the browser has kept: the order is offered; after "Annulla" the seats are free, for him as for all, and he buys them again', async () => {
  // Chromium as people have it keeps the page it leaves; Playwright's usual one loads it anew.
  const browser = await chromium.launch({
    ...browserOptions,
    executablePath: findChromium()!,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  try {
    await using server = await startServer();
    await using visitor = await visitWithSeats(browser, server.url);
    const { page } = visitor;
    const checkout = await goAndComeBack(page);
    await see(overlay(page).getByRole('link', { name: 'Prosegui' })).toHaveAttribute(
      'href',
      checkout,
    );
    await overlay(page).getByRole('button', { name: 'Annulla' }).click(within);
    const ended = page.getByRole('alertdialog', { name: 'Sessione di pagamento scaduta.' });
    await see(ended).toContainText('Ordine annullato.');
    await ended.getByRole('button', { name: 'Riprova' }).click();
    await chooseTwoSeats(page);
    await page.getByRole('button', { name: /^Paga 64,00/ }).click(within);
    await page.waitForURL(/\/c\/pay\//, within);
    expect(page.url()).not.toBe(checkout);
    const orders = await server.house.ctx.db('orders').orderBy('created_at').pluck('state');
    expect([orders, visitor.alerts]).toEqual([['deleted', 'awaiting_payment'], []]);
  } finally {
    await browser.close();
  }
});
