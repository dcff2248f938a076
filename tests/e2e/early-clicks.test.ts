/** Before the script is there, and where it never comes: no click is lost, and what stands on the page can be read. */
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { holdCalls, startVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, screens, within } from '#tests/support/visit.ts';

const scripts = '**/assets/*.js';

/** The page is painted, its scripts are on their way until they are let go. */
async function openSlowly(page: Page, path: string): Promise<() => void> {
  await page.unroute(scripts);
  const letGo = await holdCalls(page, scripts);
  await page.goto(path, { waitUntil: 'commit' });
  await see(page.getByRole('heading', { level: 1 })).toBeVisible();
  return letGo;
}

test('what is pressed before the script is there is done when it is, once: the strip, the description (§2), "Procedi al pagamento" (§5), a ticket, the colours, a link', async () => {
  await using at = await startVisit({ viewport: screens[0], colorScheme: 'dark' });
  const { page, server } = at;
  const { link_key } = await makePaidOrder(server);
  const dialog = page.getByRole('dialog');

  let letGo = await openSlowly(page, eventPage);
  const strip = page.getByRole('button', { name: 'Info | Contatti | Privacy Policy' });
  await strip.click();
  await strip.click();
  await see(dialog).toHaveCount(0);
  letGo();
  await see(page.getByRole('dialog', { name: 'Info e contatti' })).toBeVisible();
  await page.keyboard.press('Escape');
  await see(dialog).toHaveCount(0);
  await see(strip).toBeFocused();

  letGo = await openSlowly(page, eventPage);
  const preview = (await page.locator('.event-header_description').boundingBox())!;
  await page.mouse.click(preview.x + preview.width / 2, preview.y + 10);
  letGo();
  await see(page.getByRole('dialog', { name: 'La locandiera' })).toContainText(
    'Consigliata dai 10 anni',
  );

  letGo = await openSlowly(page, eventPage);
  await page.getByRole('button', { name: 'Procedi al pagamento', exact: true }).click();
  letGo();
  await expect.poll(() => at.alerts, within).toEqual(['Seleziona prima i posti...']);
  expect(at.countCalls(/\/book$/)).toBe(0);

  letGo = await openSlowly(page, `/orders/${link_key}`);
  await page.getByRole('button', { name: 'Mostra a tutto schermo' }).first().click();
  letGo();
  await see(dialog.getByRole('img', { name: /Codice QR/ }).first()).toBeVisible();

  // What was asked for last counts.
  letGo = await openSlowly(page, '/');
  await strip.click();
  const colours = page.getByRole('button', { name: 'Passa ai colori chiari' });
  await colours.click();
  await colours.click();
  letGo();
  await see(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await see(dialog).toHaveCount(0);
  // Heard by the app now, and by it alone.
  await page.getByRole('button', { name: 'Passa ai colori scuri' }).click();
  await see(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  letGo = await openSlowly(page, '/');
  await page
    .getByRole('link', { name: /La locandiera/ })
    .first()
    .click({ noWaitAfter: true });
  await see(page.getByRole('heading', { level: 1 })).toHaveText('La locandiera');
  letGo();
  await see(page.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible();
  expect(at.troubles).toEqual([]);
}, 90_000);

test('without any script date, prices, the whole description and the legal links are there, and nothing that cannot work', async () => {
  await using at = await startVisit({ javaScriptEnabled: false });
  const { page } = at;
  await page.goto(eventPage);
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    await see(page.getByRole('heading', { level: 1 })).toHaveText('La locandiera');
    await see(page.getByText('ore 21:00')).toBeVisible();
    await see(page.getByText('32,00').first()).toBeVisible();
    await see(page.getByText('Consigliata dai 10 anni')).toBeInViewport();
    await see(page.locator('noscript')).toBeVisible();
    await see(page.getByRole('button')).toHaveCount(0);
    await see(page.getByText('Carichiamo la pianta dei posti…')).toBeHidden();
  }
  for (const name of [/condizioni/i, /privacy/i, /cookie/i, /accessibilità/i]) {
    await page.getByRole('contentinfo').getByRole('link', { name }).click();
    await see(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.goBack();
  }
});
