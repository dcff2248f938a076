/**
 * Rapporti in a real browser: what was chosen stays in the address, each picture can be read
 * without seeing it, and paper gets all tables.
 */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { demoEvent } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { expectGood, phone, see, testOffice as test } from './office.ts';

const ofEvent = `/reports/sales?event_id=${demoEvent}`;
/** How many of its pixels are painted. */
const painted = (page: Page, title: string) =>
  page
    .getByRole('region', { name: title })
    .locator('.uplot canvas')
    .evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, at) => at % 4 === 3 && value > 0).length;
    });

test('a picture is read by keys, hides a line, has its table behind it, and paper shows both', async (office) => {
  const { server } = office;
  await makePaidOrder(server);
  const page = await office.open(ofEvent);
  const figure = page.getByRole('region', { name: 'Vendite per canale' });
  await see(figure.locator('.uplot canvas')).toBeVisible();
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
  await expectGood(page);

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
  await see(hall.getByRole('list', { name: 'Legenda della pianta' })).toContainText('Venduto 2');
  await see(
    hall.getByRole('region', { name: 'Pianta della sala a colori' }).locator('canvas').first(),
  ).toBeVisible();
  await hall.getByRole('button', { name: 'Prezzo' }).click();
  await see(hall.getByRole('list', { name: 'Legenda della pianta' })).toHaveText(
    /^1\s*32,00\s€\s*2$/,
  );
  await expectGood(page);

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
}, 60_000);

test('a viewer sees reports without a way to orders; what they are of is found by name and stays in the address, what does not go together is said, and a line that breaks leaves what is shown', async (office) => {
  const { server } = office;
  const as = await asRole(server, 'viewer');
  const page = await office.open(`/events/${demoEvent}`, { as, size: phone, colorScheme: 'dark' });
  const wire = '**/api/admin/reports/*';
  await page.route(wire, (route) => route.abort());
  await page.getByRole('link', { name: /^Rapporto/ }).click();
  const again = page.getByRole('alert').getByRole('button', { name: 'Riprova' });
  await see(again).toBeVisible();
  await page.unroute(wire);
  await again.click();
  await see(page.getByText('Non si è ancora venduto nulla.')).toBeVisible();
  await see(page.getByRole('link', { name: 'Evento', exact: true })).toBeVisible();
  await see(page.getByRole('link', { name: 'Ordini' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Rapporti' }).first().click();
  await see(page).toHaveURL(/\/reports\/sales$/);
  await see(page.getByText('Non si è ancora venduto nulla.')).toBeVisible();
  await see(page.getByRole('heading', { name: /^Stagione 20/ })).toBeVisible();

  await makePaidOrder(server);
  await page.getByRole('button', { name: 'Evento' }).click();
  await page.getByRole('searchbox').fill('locand');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^La locandiera/ })
    .click();
  await see(page).toHaveURL(new RegExp(`event_id=${demoEvent}`));
  await see(page.getByRole('region', { name: 'In breve' })).toContainText(/Incassato\s*64,00\s€/);
  await see(
    page.getByRole('region', { name: 'Incasso per giorno' }).locator('.uplot'),
  ).toBeVisible();
  await expectGood(page);

  await page.getByLabel('Confronto').selectOption('Con la data precedente');
  await see(page.getByRole('alert')).toContainText('non ha una data precedente');
  await page.getByRole('button', { name: 'Togli il confronto' }).click();
  await page.getByLabel('Confronto').selectOption('Con un altro evento…');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Concerto di Natale/ })
    .click();
  await see(page.getByText(/^a confronto con Concerto di Natale/)).toBeVisible();
  await see(page.getByRole('region', { name: 'In breve' })).toContainText('confronto: 0');

  await page.getByRole('button', { name: 'Periodo' }).click();
  await see(page).toHaveURL(/from=20\d\d-\d\d-\d\d&to=20\d\d-\d\d-\d\d$/);
  await see(page.getByRole('heading', { name: /^Dal / })).toBeVisible();
  await page.getByLabel('Al', { exact: true }).fill('2020-01-31');
  await see(page).toHaveURL(/from=2020-01-31&to=2020-01-31$/);
  await see(page.getByText('Non si è ancora venduto nulla.')).toBeVisible();

  await page.context().setOffline(true);
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await see(page.getByText('Senza linea dalle')).toBeVisible();
  await see(page.getByText('Non si è ancora venduto nulla.')).toBeVisible();
}, 60_000);
