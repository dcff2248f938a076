/** Before the script is there, and where it never comes: no click is lost, and what stands on the page can be read. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { demoEvent } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';
import { screens, visit } from '#tests/support/visit.ts';

const within = { timeout: 20_000 };
const eventPage = `/event/${demoEvent}`;
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** The page is painted, its scripts are on their way until they are let go. */
async function openSlowly(page: Page, path: string): Promise<{ letGo: () => void }> {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await gone;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  await see(page.getByRole('heading', { level: 1 })).toBeVisible(within);
  return { letGo };
}

for (const viewport of screens) {
  test(
    `§2: a tap on the strip that comes before the script opens the drawer when it is there, once (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      for (const path of [eventPage, '/', '/privacy']) {
        await using visitor = await visit(browser, server.url, { viewport });
        const { page } = visitor;
        const { letGo } = await openSlowly(page, path);
        const strip = page.getByRole('button', { name: 'Info | Contatti | Privacy Policy' });
        await strip.click();
        await strip.click();
        await see(page.getByRole('dialog')).toHaveCount(0);
        letGo();
        await see(page.getByRole('dialog', { name: 'Info e contatti' })).toBeVisible(within);
        await page.keyboard.press('Escape');
        await see(page.getByRole('dialog')).toHaveCount(0);
        await see(strip).toBeFocused();
        expect(visitor.troubles).toEqual([]);
      }
    },
  );

  test(
    `§2: a tap on the description that comes before the script opens its drawer (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await visit(browser, server.url, { viewport });
      const { page } = visitor;
      const { letGo } = await openSlowly(page, eventPage);
      const preview = (await page.locator('.event-header_description').boundingBox())!;
      await page.mouse.click(preview.x + preview.width / 2, preview.y + 10);
      letGo();
      await see(page.getByRole('dialog', { name: 'La locandiera' })).toContainText(
        'Consigliata dai 10 anni',
        within,
      );
    },
  );
}

test(
  'colours that are asked for before the script is there change once, and what was asked for last counts',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await visit(browser, server.url, { colorScheme: 'dark' });
    const { page } = visitor;
    const { letGo } = await openSlowly(page, '/');
    await page.getByRole('button', { name: 'Info | Contatti | Privacy Policy' }).click();
    const colours = page.getByRole('button', { name: 'Passa ai colori chiari' });
    await colours.click();
    await colours.click();
    letGo();
    await see(page.locator('html')).toHaveAttribute('data-theme', 'light', within);
    await see(page.getByRole('dialog')).toHaveCount(0);
    // Heard by the app now, and by it alone.
    await page.getByRole('button', { name: 'Passa ai colori scuri' }).click();
    await see(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  },
);

test(
  '§5: "Procedi al pagamento" before the script is there says "Seleziona prima i posti..." when it is',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await using visitor = await visit(browser, server.url);
    const { letGo } = await openSlowly(visitor.page, eventPage);
    await visitor.page.getByRole('button', { name: 'Procedi al pagamento', exact: true }).click();
    letGo();
    await expect.poll(() => visitor.alerts, within).toEqual(['Seleziona prima i posti...']);
    expect(visitor.countCalls(/\/book$/)).toBe(0);
  },
);

test(
  'a ticket that is tapped before the script is there fills the screen when it is',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const { order_id } = await makePaidOrder(server);
    await using visitor = await visit(browser, server.url, { viewport: screens[0] });
    const { page } = visitor;
    const { letGo } = await openSlowly(page, `/orders/${order_id}`);
    await page.getByRole('button', { name: 'Mostra a tutto schermo' }).first().click();
    letGo();
    await see(
      page
        .getByRole('dialog')
        .getByRole('img', { name: /Codice QR/ })
        .first(),
    ).toBeVisible(within);
    expect(visitor.troubles).toEqual([]);
  },
);

test('a link works before the script is there', { timeout: 60_000 }, async () => {
  await using server = await startServer();
  await using visitor = await visit(browser, server.url);
  const { page } = visitor;
  const { letGo } = await openSlowly(page, '/');
  await page
    .getByRole('link', { name: /La locandiera/ })
    .first()
    .click({ noWaitAfter: true });
  await see(page.getByRole('heading', { level: 1 })).toHaveText('La locandiera', within);
  letGo();
  await see(page.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible(within);
});

for (const viewport of screens) {
  test(
    `without any script date, prices, the whole description and the legal links are there, and nothing that cannot work (${viewport.width} px)`,
    { timeout: 60_000 },
    async () => {
      await using server = await startServer();
      await using visitor = await visit(browser, server.url, {
        viewport,
        javaScriptEnabled: false,
      });
      const { page } = visitor;
      await page.goto(eventPage);
      await see(page.getByText('ore 21:00')).toBeVisible();
      await see(page.getByText('32,00').first()).toBeVisible();
      await see(page.getByText('Consigliata dai 10 anni')).toBeInViewport();
      await see(page.locator('noscript')).toBeVisible();
      await see(page.getByRole('button')).toHaveCount(0);
      await see(page.getByText('Carichiamo la pianta dei posti…')).toBeHidden();
      for (const [name, title] of [
        ['Condizioni', /condizioni/i],
        ['Privacy', /privacy/i],
        ['Cookie', /cookie/i],
        ['Accessibilità', /accessibilità/i],
      ] as const) {
        await page
          .getByRole('contentinfo')
          .getByRole('link', { name: new RegExp(name, 'i') })
          .click();
        await see(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
        await page.goBack();
      }
    },
  );
}
