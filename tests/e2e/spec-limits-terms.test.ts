/** RULES R1, R2 and R3: what the terms and conditions say of refunds and entry, in the drawer and on their own page; RULES W4: the date of the privacy policy. */
import type { Browser, Locator } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { demoEvent } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';
import { screens, visit } from '#tests/support/visit.ts';

const within = { timeout: 20_000 };
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** The default sentences, one by one. On cancellation the fees go back as well: that is decided so, because courts have struck down terms that keep them. */
const terms: Record<string, RegExp> = {
  'a refund within 10 days of purchase': /chiedere il rimborso entro 10 giorni dall’acquisto/,
  'provided the event is not past or imminent': /purché l’evento non sia già passato o imminente/,
  'tickets bought within 15 days before the event are not refundable':
    /biglietti acquistati nei 15 giorni che precedono l’evento non sono rimborsabili/,
  'sales fees and handling fees are never refunded':
    /le commissioni di vendita e di gestione non vengono restituite/,
  'the credit can take up to 10 working days': /fino a 10 giorni lavorativi/,
  'on cancellation the ticket price is refunded':
    /Se l’evento viene annullato rimborsiamo il prezzo del biglietto/,
  'entry is by QR code': /Si entra mostrando il codice QR/,
  '§6: tickets are personal and non-transferable': /I biglietti sono personali e non cedibili/,
};

async function expectTerms(place: Locator): Promise<void> {
  const text = (await place.innerText()).replace(/\s+/g, ' ');
  expect(
    Object.entries(terms)
      .filter(([, words]) => !words.test(text))
      .map(([sentence]) => sentence),
  ).toEqual([]);
}

for (const viewport of screens) {
  test(`§9: the terms say who gets money back, until when and how much, in the footer's drawer and on a page (${viewport.width} px)`, async () => {
    await using server = await startServer();
    await using visitor = await visit(browser, server.url, { viewport });
    const { page } = visitor;
    await page.goto(`/event/${demoEvent}`);
    await see(page.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible(within);
    const strip = page.getByRole('button', {
      name: 'Info | Contatti | Privacy Policy',
      exact: true,
    });
    await strip.click();
    const drawer = page.getByRole('dialog', { name: 'Info e contatti' });
    await see(drawer.getByRole('heading', { name: 'Rimborsi' })).toBeVisible(within);
    await expectTerms(drawer);
    // A bottom drawer: in the middle of the lower edge, as wide as a phone, and all of it can be read.
    const box = (await drawer.boundingBox())!;
    expect([box.y + box.height, box.x * 2 + box.width]).toEqual([viewport.height, viewport.width]);
    expect(box.width).toBeGreaterThanOrEqual(Math.min(viewport.width, 600));
    const date = drawer.getByText('Ultima modifica: 5 agosto 2024');
    await date.scrollIntoViewIfNeeded();
    await see(date).toBeInViewport();
    expect(
      await drawer.getByRole('region').evaluate((body) => body.scrollWidth - body.clientWidth),
    ).toBe(0);

    await page.goto('/condizioni');
    await expectTerms(page.locator('main'));
    await page.goto('/privacy');
    await see(page.locator('main').getByText('Ultima modifica: 5 agosto 2024')).toBeVisible();
  });
}
