/** Rapporti in a real browser: what was chosen stays in the address, each picture can be read without seeing it, and paper gets all tables. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { desk, openDesk, phone, within } from '#tests/support/door/desk.ts';
import { demoEvent, makeAdmin } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const ofEvent = `/reports/sales?event_id=${demoEvent}`;
const fits = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
/** How many of its pixels are painted. */
const painted = (page: Page, title: string) =>
  page
    .getByRole('region', { name: title })
    .locator('.uplot canvas')
    .evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, at) => at % 4 === 3 && value > 0).length;
    });

test('a picture is read by keys, hides a line, has its table behind it, and paper shows both (at a desk)', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  await makePaidOrder(server);
  const page = await openDesk(browser, server, admin, { path: ofEvent });
  const figure = page.getByRole('region', { name: 'Vendite per canale' });
  await see(figure.locator('.uplot canvas')).toBeVisible(within);
  expect(await painted(page, 'Vendite per canale')).toBeGreaterThan(2_000);

  const slider = figure.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('Home');
  await see(slider).toHaveAttribute('aria-valuetext', 'Sito: Ordini 1, Biglietti 2');
  await see(figure).toContainText('Biglietti 2');
  await figure.getByRole('button', { name: 'Importi' }).click();
  await see(figure.getByRole('slider')).toHaveAttribute(
    'aria-valuetext',
    /Gratuiti: Valore 0,00\s€/,
  );
  await figure.getByRole('button', { name: 'Quantità' }).click();
  await figure.getByRole('button', { name: 'Biglietti' }).click();
  await see(figure.getByRole('button', { name: 'Biglietti' })).toHaveAttribute(
    'aria-pressed',
    'false',
  );
  await figure.getByRole('button', { name: 'Ordini' }).click();
  await see(figure.getByRole('button', { name: 'Ordini' })).toHaveAttribute('aria-pressed', 'true');

  await see(figure.getByRole('table')).toHaveCount(0);
  await figure.getByRole('button', { name: 'Mostra la tabella' }).click();
  await see(figure.getByRole('row', { name: /^Sito/ })).toHaveText(/Sito\s*1\s*2\s*64,00\s€/);
  expect(await auditPage(page)).toEqual([]);
  expect(await fits(page)).toBe(true);

  const bars = page.getByRole('navigation', { name: 'Sezioni' });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await see(bars).toBeHidden();
  await see(
    page.getByRole('region', { name: 'Incasso per giorno' }).getByRole('table'),
  ).toBeVisible();
  await see(page.getByText(/^Contato il \d\d\/\d\d\/\d{4} \d\d:\d\d$/)).toBeVisible();
  await see(page.getByRole('button', { name: 'Stampa' })).toBeHidden();
  await see(page.getByRole('heading', { name: /^La locandiera/ })).toHaveCSS(
    'color',
    'rgb(19, 26, 38)',
  );
  await page.emulateMedia({ media: null, colorScheme: null });
  await see(page.getByText(/^Contato alle \d\d:\d\d$/)).toBeVisible();

  await page
    .getByRole('navigation', { name: 'Rapporti' })
    .getByRole('link', { name: 'Sala' })
    .click();
  await see(page).toHaveURL(new RegExp(`/reports/hall\\?event_id=${demoEvent}$`));
  const hall = page.getByRole('region', { name: 'La sala posto per posto' });
  await see(hall.getByRole('list', { name: 'Legenda della pianta' })).toContainText(
    'Venduto 2',
    within,
  );
  await see(
    hall.getByRole('region', { name: 'Pianta della sala a colori' }).locator('canvas').first(),
  ).toBeVisible(within);
  await hall.getByRole('button', { name: 'Prezzo' }).click();
  await see(hall.getByRole('list', { name: 'Legenda della pianta' })).toHaveText(
    /^1\s*32,00\s€\s*2$/,
  );
  expect(await auditPage(page)).toEqual([]);

  const links = page
    .getByRole('list', { name: 'Scarica: Occupazione per categoria' })
    .getByRole('link');
  for (const [name, start] of [
    ['XLSX', 'PK'],
    ['CSV (Excel italiano)', '\uFEFFCategoria;Posti'],
    ['CSV', 'Categoria,Posti'],
  ] as const) {
    const link = links.filter({ hasText: name === 'CSV' ? /^CSV$/ : name });
    const file = await page.request.get(server.url + (await link.getAttribute('href'))!);
    expect((await file.text()).slice(0, start.length)).toBe(start);
  }
  await page.context().close();
}, 60_000);

test('what a report is of is found by name and stays in the address, and what does not go together is said (on a phone)', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const page = await openDesk(browser, server, admin, { path: '/reports', size: phone });
  await page.emulateMedia({ colorScheme: 'dark' });
  await see(page).toHaveURL(/\/reports\/sales$/, within);
  await see(page.getByText('Non si è ancora venduto nulla.')).toBeVisible(within);
  await see(page.getByRole('heading', { name: /^Stagione 20/ })).toBeVisible();
  expect(await auditPage(page)).toEqual([]);

  await makePaidOrder(server);
  await page.getByRole('button', { name: 'Evento' }).click();
  await page.getByRole('searchbox').fill('locand');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^La locandiera/ })
    .click();
  await see(page).toHaveURL(new RegExp(`event_id=${demoEvent}`));
  await see(page.getByRole('region', { name: 'In breve' })).toContainText(
    /Incassato\s*64,00\s€/,
    within,
  );
  await see(page.getByRole('region', { name: 'Incasso per giorno' }).locator('.uplot')).toBeVisible(
    within,
  );
  expect(await auditPage(page)).toEqual([]);
  expect(await fits(page)).toBe(true);

  await page.getByLabel('Confronto').selectOption('Con la data precedente');
  await see(page.getByRole('alert')).toContainText('non ha una data precedente', within);
  await page.getByRole('button', { name: 'Togli il confronto' }).click();
  await page.getByLabel('Confronto').selectOption('Con un altro evento…');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Concerto di Natale/ })
    .click();
  await see(page.getByText(/^a confronto con Concerto di Natale/)).toBeVisible(within);
  await see(page.getByRole('region', { name: 'In breve' })).toContainText('confronto: 0', within);

  await page.getByRole('button', { name: 'Periodo' }).click();
  await see(page).toHaveURL(/from=20\d\d-\d\d-\d\d&to=20\d\d-\d\d-\d\d$/);
  await see(page.getByRole('heading', { name: /^Dal / })).toBeVisible(within);
  await page.getByLabel('Al', { exact: true }).fill('2020-01-31');
  await see(page).toHaveURL(/from=2020-01-31&to=2020-01-31$/);
  await see(page.getByText('Non si è ancora venduto nulla.')).toBeVisible(within);
  await page.context().close();
}, 60_000);

test('a viewer sees reports without a way to orders, whoever may not is told, and a line that breaks leaves what is shown', async () => {
  await using server = await startServer();
  await makeAdmin(server);
  await makePaidOrder(server);
  const viewer = await asRole(server, 'viewer');
  const page = await openDesk(browser, server, viewer, {
    path: `/events/${demoEvent}`,
    size: desk,
  });
  const wire = '**/api/admin/reports/*';
  await page.context().route(wire, (route) => route.abort());
  await page.getByRole('link', { name: /^Rapporto/ }).click(within);
  const again = page.getByRole('alert').getByRole('button', { name: 'Riprova' });
  await see(again).toBeVisible(within);
  await page.context().unroute(wire);
  await again.click();
  const sums = page.getByRole('region', { name: 'In breve' });
  await see(sums).toContainText(/Biglietti\s*2/, within);
  await see(page.getByRole('link', { name: 'Evento', exact: true })).toBeVisible();
  await see(page.getByRole('link', { name: 'Ordini' })).toHaveCount(0);

  await page.context().setOffline(true);
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await see(page.getByText('Senza linea dalle')).toBeVisible(within);
  await see(sums).toContainText(/Biglietti\s*2/);
  await page.context().close();

  const door = await openDesk(browser, server, await asRole(server, 'door'), { path: ofEvent });
  await see(door.getByText('Questa pagina non è per il tuo ruolo.')).toBeVisible(within);
  await door.context().close();
}, 60_000);
