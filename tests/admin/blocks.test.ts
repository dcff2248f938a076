/** The office works on its seats in a real browser: chooses many, keeps them back, takes it back, and leads to the till. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listBlocks } from '#server/contract/blocks.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { callOk, demoEvent, holdObjects, makeAdmin, makeHoldToken } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const within = { timeout: 20_000 };
const params = { eventId: demoEvent };
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function enter(
  server: TestServer,
  person: { cookie: string },
  options: { path?: string; width?: number; light?: boolean } = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: 900 },
    locale: 'it-IT',
    colorScheme: options.light ? 'light' : 'dark',
  });
  const [name = '', value = ''] = person.cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  const page = await context.newPage();
  await page.goto(`${server.url}/admin${options.path ?? `/events/${demoEvent}/seats`}`);
  await see(map(page)).toBeVisible(within);
  return page;
}

const map = (page: Page) => page.locator('.seats-seat-map_chart canvas').first();
const panel = (page: Page) =>
  page.getByRole('complementary', { name: /^(Il posto scelto|I posti scelti)$/ });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

async function type(page: Page, seats: string): Promise<void> {
  await page.getByLabel('Scrivi i posti').fill(seats);
  await page.keyboard.press('Enter');
}

async function keepBack(page: Page, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Motivo').fill(reason);
  await dialog.getByLabel('Viola').check();
  await dialog.getByRole('button', { name: 'Blocca', exact: true }).click();
}

test('typed seats are blocked by the keyboard alone, listed, undone, blocked again and changed; Esc gives the choice up', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const blocks = async () => (await callOk(server, listBlocks, { params }, admin)).items;
  const page = await enter(server, admin);
  await type(page, 'platea H5 h6-7');
  await see(panel(page)).toContainText('3 posti scelti', within);
  await page.keyboard.press('Escape');
  await see(panel(page)).not.toContainText('posti scelti');
  await type(page, 'platea H5 h6-7 z99');
  await see(page.getByText('Non esiste: Z99.')).toBeVisible();

  await button(page, 'Blocca 3 posti…').focus();
  await page.keyboard.press('Enter');
  await button(page, 'Fino a 2 ore prima').click();
  await keepBack(page, 'Sponsor');
  await see(page.getByText('3 posti bloccati.')).toBeVisible(within);
  await see(panel(page)).toContainText('Bloccati', within);
  const [made] = await blocks();
  expect(made).toMatchObject({ reason: 'Sponsor', color: 'violet' });
  expect(made!.release_at).not.toBeNull();
  await button(page, 'Annulla').click();
  await see.poll(blocks, within).toEqual([]);

  await button(page, 'Blocca 3 posti…').click(within);
  await keepBack(page, 'Stampa');
  const row = page.getByRole('row').filter({ hasText: 'Stampa' });
  await see(row).toContainText('Senza scadenza', within);
  await button(page, 'Togli il blocco Stampa').click();
  await see(page.getByText('3 posti di nuovo in vendita.')).toBeVisible(within);
  await button(page, 'Annulla').click();
  await see(row).toBeVisible(within);
  expect(await blocks()).toMatchObject([{ reason: 'Stampa', color: 'violet', release_at: null }]);
  await button(page, 'Modifica il blocco Stampa').click();
  await page.getByRole('dialog').getByLabel('Motivo').fill('Tecnici');
  await button(page, 'Salva').click();
  await see(page.getByRole('row').filter({ hasText: 'Tecnici' })).toBeVisible(within);
  await page.context().close();
});

test('a rectangle and Shift choose many, a row and a section grow from one seat, and a seat that went meanwhile is named while the others are blocked', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const page = await enter(server, admin);
  const box = (await map(page).boundingBox())!;
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.7, { steps: 8 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await see(panel(page)).toContainText(/\d{2,} posti scelti/, within);
  await page.keyboard.press('Escape');

  await type(page, 'platea C1');
  await see(panel(page)).toContainText('Platea, fila C, posto 1', within);
  await button(page, 'Tutta la fila').click();
  const chosen = Number(/(\d+) posti scelti/.exec((await panel(page).textContent())!)![1]);
  expect(chosen).toBeGreaterThan(5);
  await button(page, /^Blocca \d+ posti…/).click();
  await holdObjects(server, await makeHoldToken(server), [{ object_id: 'Platea-C-3' }]);
  await keepBack(page, 'Distanza');
  const dialog = page.getByRole('dialog');
  await see(dialog).toContainText('1 posto non è libero: Platea, fila C, posto 3.', within);
  await dialog.getByRole('button', { name: `Blocca gli altri ${chosen - 1}` }).click();
  await see(page.getByText(`${chosen - 1} posti bloccati.`)).toBeVisible(within);

  // The one in the cart is freed, after a question.
  await page.keyboard.press('Escape');
  await type(page, 'platea C3');
  await button(page, 'Libera dal carrello…').click(within);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Libera' }).click();
  await see(page.getByText('1 posto di nuovo in vendita.')).toBeVisible(within);
  await page.context().close();
});

test('places of a standing area are blocked by number, and chosen seats are sold at the till', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const page = await enter(server, admin, { path: `/events/${demoEvent}/seats?seat=Loggione` });
  await button(page, 'Blocca alcuni posti…').click(within);
  await page.getByLabel('Quanti posti').fill('12');
  await keepBack(page, 'Scuola');
  await see(page.getByText('12 posti bloccati.')).toBeVisible(within);
  await see(panel(page)).toContainText('Scuola', within);
  await button(page, 'Togli il blocco Scuola').click();
  await see(page.getByText('12 posti di nuovo in vendita.')).toBeVisible(within);

  await type(page, 'platea H5 H6');
  await page.getByRole('link', { name: 'Vendi questi posti' }).click(within);
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/admin/sell/event/${demoEvent}`);
  await page.getByLabel('Fondo cassa').fill('50');
  await page.keyboard.press('Enter');
  await see(page.getByText('2 biglietti')).toBeVisible(within);
  expect(new URL(page.url()).search).toBe('');
  await page.context().close();
});

for (const light of [false, true])
  test(`${light ? 'light' : 'dark'}, from 1440 to 768 px, nothing sticks out and no barrier is found`, async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    const page = await enter(server, admin, { light });
    await type(page, 'platea H5 h6-9');
    await button(page, 'Blocca 5 posti…').click(within);
    await see(page.getByLabel('Motivo')).toBeFocused();
    expect(await auditPage(page)).toEqual([]);
    await keepBack(page, 'Vista limitata dalla colonna');
    await see(page.getByText('5 posti bloccati.')).toBeVisible(within);
    await see(page.getByRole('row').filter({ hasText: 'Vista limitata' })).toBeVisible(within);
    for (const width of [1440, 1152, 1024, 768]) {
      await page.setViewportSize({ width, height: 900 });
      await see(panel(page)).toContainText('5 posti scelti', within);
      expect(await auditPage(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    }
    await page.context().close();
  });
