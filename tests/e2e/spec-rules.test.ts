/** RULES S1 and P2: what may be selected, what is refused before anything is sent, and how prices are written. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePublished } from '#tests/support/event-desk.ts';
import { demoEvent, makeAdmin } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';
import { screens, visit } from '#tests/support/visit.ts';
import { chooseSeats, chooseTwoSeats } from '#tests/support/visitor.ts';

const within = { timeout: 20_000 };
const booked = /^POST .*\/book$/;
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const pay = (page: Page) => page.locator('.event-seats-selection-summary_button').click();
const notice = (page: Page) =>
  page.getByRole('region', { name: 'I tuoi posti' }).getByRole('status', { name: 'Avviso' });

for (const viewport of screens) {
  test(
    `§5: booking with no selected seats alerts "Seleziona prima i posti..." and nothing is sent, also after seats were taken away again (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await visit(browser, server.url, { viewport });
      const { page, alerts } = visitor;
      await page.goto(`/event/${demoEvent}`);
      await chooseSeats(page, { row: 'C', seats: ['1'] });
      await page.getByRole('button', { name: /^Togli .*posto 1/ }).click(within);
      await see(page.getByText('Nessun posto scelto')).toBeVisible();
      await pay(page);
      await expect.poll(() => alerts).toEqual(['Seleziona prima i posti...']);
      await see(notice(page)).toHaveText('Seleziona prima i posti...');
      expect(visitor.countCalls(booked)).toBe(0);
    },
  );

  test(
    `§5: no orphan seat may be left; it is said beside the seats and at the button, and nothing is sent (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await visit(browser, server.url, { viewport });
      const { page, alerts } = visitor;
      await page.goto(`/event/${demoEvent}`);
      // What will tell it is there before it has anything to tell, as screen readers need it.
      await see(notice(page)).toBeEmpty(within);
      await chooseSeats(page, { row: 'C', seats: ['2'] });
      await see(notice(page)).toContainText(
        'Così resterebbe un posto isolato: spostati di uno.',
        within,
      );
      await pay(page);
      // Said in its line, which the button brings into view; alerts are for what the specification names.
      await see(page.getByRole('heading', { name: 'I tuoi posti', exact: true })).toBeFocused();
      await see(notice(page)).toBeInViewport();
      expect(alerts).toEqual([]);
      expect(visitor.countCalls(booked)).toBe(0);
      // The seat beside it mends it.
      await page.getByRole('button', { name: /Fila C, posto 1,.*libero/ }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Intero/ })
        .click();
      await see(notice(page)).toBeEmpty(within);
    },
  );

  test(
    `§5: seats must be consecutive; nothing is sent while they are not (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await visit(browser, server.url, { viewport });
      const { page, alerts } = visitor;
      await page.goto(`/event/${demoEvent}`);
      await chooseSeats(page, { row: 'C', seats: ['1', '5'] });
      await see(notice(page)).toContainText('Scegli posti vicini tra loro.', within);
      await pay(page);
      await see(page.getByRole('heading', { name: 'I tuoi posti', exact: true })).toBeFocused();
      expect(alerts).toEqual([]);
      expect(visitor.countCalls(booked)).toBe(0);
    },
  );
}

test('§5: seats in two rows are not consecutive', { timeout: 60_000 }, async () => {
  await using server = await startServer();
  await using visitor = await visit(browser, server.url);
  const { page, alerts } = visitor;
  await page.goto(`/event/${demoEvent}`);
  await chooseSeats(page, { row: 'C', seats: ['1'] });
  await page
    .getByRole('button', { name: /^Fila D/ })
    .first()
    .click();
  await page.getByRole('button', { name: /Fila D, posto 1,.*libero/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Intero/ })
    .click();
  await see(notice(page)).toContainText('Scegli posti vicini tra loro.', within);
  await pay(page);
  await see(page.getByRole('heading', { name: 'I tuoi posti', exact: true })).toBeFocused();
  expect(alerts).toEqual([]);
  expect(visitor.countCalls(booked)).toBe(0);
});

test(
  '§5: objects without pricing are not selectable: the list offers the priced section alone',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await makePublished(server, await makeAdmin(server));
    await using visitor = await visit(browser, server.url);
    const { page } = visitor;
    await page.goto('/event/recital');
    await page.getByRole('button', { name: /Scegli da un elenco/ }).click(within);
    const list = page.getByRole('region', { name: 'Scegli da un elenco' });
    await see(list.getByRole('heading', { level: 3 })).toHaveText([/^Platea.*20,00\s€/], within);
    await see(list.getByText('Galleria')).toBeVisible();
    await see(list.getByRole('button', { name: /Galleria|Palchi/ })).toHaveCount(0);
  },
);

test(
  '§5: prices have two decimals, a comma and the suffix €; a missing price shows "N/D" instead of a sum that is too low',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await visit(browser, server.url);
    const { page } = visitor;
    await page.goto(`/event/${demoEvent}`);
    await chooseTwoSeats(page);
    const shown = await page.getByText('€').allTextContents();
    expect(shown.length).toBeGreaterThan(5);
    for (const text of shown)
      for (const [price] of text.matchAll(/\S+\s€/g))
        expect(price).toMatch(/^\d{1,3}(\.\d{3})*,\d\d\s€$/);
    // The price of what is chosen goes while the page is open; it looks again when its window is looked at.
    await page.route(`**/api/event/${demoEvent}/`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), prices: [] } });
    });
    await page.waitForFunction(() => performance.now() > 300);
    await page.evaluate(() => {
      dispatchEvent(new Event('visibilitychange'));
      document.dispatchEvent(new Event('visibilitychange'));
    });
    const summary = page.getByRole('region', { name: 'I tuoi posti' });
    await see(summary.getByRole('listitem').first()).toContainText('N/D', within);
    await see(summary.getByText('Totale (IVA inclusa)').locator('..')).toContainText('N/D');
    await see(page.getByRole('status', { name: 'Posti scelti' })).toContainText('2 posti · N/D');
  },
);
