/**
 * "Piante" in a real browser: a drawing is chosen, checked in words, confirmed; and taken from a
 * seats.io account.
 */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { smallDrawing, testStandin as it } from '#tests/standins/seatsio/start.ts';
import { expectGood, see, startOffice, testOffice as test } from './office.ts';

const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page
    .getByLabel(/Scegli il file/)
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
}

test('a file is checked first, refused with what is wrong, and a good one becomes a chart; one begins with a typical room, too, is drawn in the whole window, renamed, copied and put aside', async (office) => {
  const page = await office.open('/settings/charts');
  await see(card(page, 'Teatro Goldoni')).toContainText('639 posti');
  await page.getByRole('button', { name: 'Importa una pianta' }).click();
  const dialog = page.getByRole('dialog', { name: 'Importa una pianta' });
  await choose(page, 'foto.json', 'non è JSON');
  await see(dialog.getByRole('alert')).toContainText('non è un disegno');

  const twice = structuredClone(smallDrawing);
  twice.subChart.rows[0]!.seats[1]!.label = '1';
  await choose(page, 'doppia.json', JSON.stringify(twice));
  await see(dialog.getByText('Così non si può importare')).toBeVisible();
  await see(dialog.getByRole('listitem').filter({ hasText: '«1»' }).first()).toContainText(
    /fila A/i,
  );
  await see(dialog.getByRole('button', { name: 'Importa la pianta' })).toHaveCount(0);
  await expectGood(page);

  await dialog.getByRole('button', { name: 'Scegli un altro disegno' }).click();
  await choose(page, 'piccola.json', JSON.stringify({ ...smallDrawing, name: 'Sala Piccola' }));
  await see(dialog.getByLabel('Chiave')).toHaveValue('sala-piccola');
  await dialog.getByRole('button', { name: 'Importa la pianta' }).click();
  await see(page.getByText('Pianta importata')).toContainText('sala-piccola');
  await see(card(page, 'Sala Piccola')).toBeVisible();

  await page.getByRole('button', { name: 'Nuova pianta' }).click();
  const making = page.getByRole('dialog', { name: 'Nuova pianta' });
  await making.getByLabel('Nome').fill('Sala nuova');
  await making.getByRole('radio', { name: 'Black box' }).check({ force: true });
  await expectGood(page);
  await making.getByRole('button', { name: 'Crea e disegna' }).click();
  await page.waitForURL(/\/settings\/charts\/[\w-]+\/draw$/);
  const designer = page.getByRole('button', { name: 'Pubblica' });
  await see(designer).toBeVisible();
  await see(page.getByLabel('Nome della pianta')).toHaveValue('Sala nuova');
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(900);
  const secret = office.server.house.standins!.seatsio!.secretKey;
  expect(await page.content()).not.toContain(secret);
  await page.getByRole('button', { name: 'Esci' }).click();

  await see(page.getByRole('heading', { name: 'Sala nuova' })).toBeVisible();
  await see(page.getByRole('row', { name: /112 posti/ })).toContainText('In uso');
  await expectGood(page);
  await page.getByRole('button', { name: 'Rinomina…' }).click();
  await page.getByRole('dialog').getByLabel('Nome').fill('Ridotto');
  await page.getByRole('button', { name: 'Rinomina', exact: true }).click();
  await see(page.getByRole('heading', { name: 'Ridotto', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Duplica…' }).click();
  await see(page.getByRole('dialog').getByLabel('Nome')).toHaveValue('Ridotto (copia)');
  await page.getByRole('button', { name: 'Duplica', exact: true }).click();
  await see(page.getByRole('heading', { name: 'Ridotto (copia)' })).toBeVisible();
  await page.getByRole('button', { name: 'Archivia…' }).click();
  await page.getByRole('button', { name: 'Archivia', exact: true }).click();
  await see(page.getByRole('button', { name: 'Togli dall’archivio' })).toBeVisible();
  await page.getByRole('link', { name: 'Piante' }).last().click();
  await see(card(page, 'Ridotto')).toHaveCount(1);
  await page.getByRole('button', { name: 'Archivio' }).click();
  await see(card(page, 'Ridotto (copia)')).toHaveCount(1);
});

test('the list takes what the designer takes: its rows are looked at in the designer; who publishes a chart on sale reads its evenings and prices', async (office) => {
  const page = await office.open('/settings/charts');
  const seats = Array.from({ length: 6 }, (_, n) => `<circle cx="${20 + n * 24}" cy="40" r="8"/>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 80">${seats.join('')}</svg>`;
  const importing = async (name: string, text: string) => {
    await page.getByRole('button', { name: 'Importa una pianta' }).click();
    await page
      .getByLabel(/Scegli il file/)
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await page.waitForURL(/\/settings\/charts\/[\w-]+\/draw$/);
  };
  await importing('Ridotto.svg', svg);
  const review = page.getByRole('dialog', { name: 'File trovate nel disegno' });
  await see(review.getByRole('status')).toContainText('6 posti in 1 fila');
  await review.getByRole('button', { name: 'Crea 1 fila' }).click();
  await see(page.getByLabel('Nome della pianta')).toHaveValue('Ridotto');
  await see(page.getByText(/^Bozza salvata alle/)).toBeVisible();
  await page.getByRole('button', { name: 'Esci' }).click();
  await page.getByRole('link', { name: 'Piante' }).last().click();

  const zone = { name: 'Platea', zone_id: 'p', position: { x: 0, y: 0 }, rows: [] };
  await importing('pretix.json', JSON.stringify({ name: 'Sala', zones: [zone], categories: [] }));
  const dialog = page.getByRole('dialog', { name: 'Importa una pianta' });
  await see(dialog.getByRole('alert')).toContainText('nessun posto');

  await page.goto(`${office.server.url}/admin/settings/charts/teatro-goldoni/draw`);
  await page.getByRole('button', { name: 'Elenco degli oggetti' }).click();
  await page.getByRole('treeitem', { name: 'Settore Galleria' }).click();
  await page.getByLabel('Categoria', { exact: true }).selectOption('Platea');
  await page.getByRole('button', { name: 'Pubblica', exact: true }).click();
  const evening = page
    .getByRole('dialog')
    .getByRole('listitem')
    .filter({ hasText: 'La locandiera' });
  await see(evening).toContainText(
    /155 posti: prima da 12,00\s€ a 18,00\s€, poi da 25,00\s€ a 32,00\s€/,
  );
});

it('a drawing is taken from an account, and a wrong key is told without losing what was typed', async (account) => {
  await using office = await startOffice({ env: { SEATSIO_REGION_URL: account.url } });
  const page = await office.open('/settings/charts');
  await page.getByRole('button', { name: 'Importa una pianta' }).click();
  const dialog = page.getByRole('dialog', { name: 'Importa una pianta' });
  await dialog.getByRole('button', { name: 'Da un account seats.io' }).click();
  await dialog.getByLabel('Chiave della pianta').fill('small');
  await dialog.getByLabel('Chiave segreta dello spazio di lavoro').fill('sbagliata');
  await dialog.getByRole('button', { name: 'Prendi il disegno' }).click();
  await see(dialog.getByRole('alert')).toContainText('chiave segreta');
  await see(dialog.getByLabel('Chiave della pianta')).toHaveValue('small');
  await dialog.getByLabel('Chiave segreta dello spazio di lavoro').fill(account.secretKey);
  await dialog.getByRole('button', { name: 'Prendi il disegno' }).click();
  await see(dialog.getByText('da seats.io, small')).toBeVisible();
  await dialog.getByRole('button', { name: 'Importa la pianta' }).click();
  await see(page.getByText('Pianta importata')).toBeVisible();
});
