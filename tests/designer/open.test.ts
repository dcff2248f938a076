/** The designer's place on a page and the panels beside its canvas; its script comes when one is opened, and a chart that cannot be opened says why. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { testWorkshop as it } from './studio.ts';

test('what every visitor fetches has not grown by the designer', () => {
  const file = readFileSync(path.join(import.meta.dirname, '../../dist/chart/chart.js'));
  expect(gzipSync(file, { level: 9 }).length).toBeLessThanOrEqual(59_500 + 1_024);
});

it('the designer opens a chart for whoever has the key, with labels, categories, checks and quality each in its panel, says why another does not open, and leaves nothing behind', async (workshop) => {
  const { page, ask, open } = await workshop.enter();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  expect(await open({ chartKey: 'teatro-goldoni' })).toBe('rendered');
  expect(await page.getByRole('heading', { name: 'Teatro Goldoni' }).isVisible()).toBe(true);

  await page.getByRole('tab', { name: 'Categorie' }).click();
  const stalls = page.locator('details').filter({ hasText: 'Platea' }).first();
  await stalls.locator('summary').click();
  await stalls.getByLabel('Nome della categoria').fill('Poltrone');
  await stalls.getByLabel('Nome della categoria').press('Enter');
  await page.locator('details').filter({ hasText: 'Poltrone' }).first().waitFor();
  await page.getByText('Come si vedono i colori').waitFor();

  await page.getByRole('tab', { name: 'Controlli' }).click();
  await page.getByText('da verificare con il tecnico').waitFor();
  await page.getByText('Manca la scala della pianta').waitFor();
  await page.getByLabel('Capienza autorizzata').fill('10');
  await page.getByLabel('Capienza autorizzata').press('Enter');
  await page.getByText('ma la capienza autorizzata è di 10').waitFor();
  await page.getByLabel('Insieme di regole').selectOption('nessuna');
  await page.getByText('Non si controlla niente.').waitFor();

  await page.getByRole('tab', { name: 'Qualità dei posti' }).click();
  await page.getByLabel('Colori sulla pianta').selectOption('distance');
  await page.getByText('Migliore:').waitFor();
  await page.getByRole('button', { name: 'Mostra i primi 10' }).click();
  await page.getByLabel('Precedenza della selezione').fill('2');
  await page.getByLabel('Precedenza della selezione').press('Enter');
  await page.getByLabel('Colori sulla pianta').selectOption('best');
  const note = page.getByRole('region', { name: 'Colori sulla pianta' });
  expect(await note.count()).toBe(0);

  await page.getByRole('tab', { name: 'Differenze' }).click();
  await note.getByText('Ordine dei posti migliori').waitFor();
  await note.getByRole('button', { name: 'Legenda' }).click();
  await page.getByText('Peggiore:').waitFor();
  expect(await note.count()).toBe(0);
  await page.getByRole('tab', { name: 'Differenze' }).click();
  await note.getByRole('button', { name: 'Togli i colori' }).click();
  await note.waitFor({ state: 'detached' });
  await page.getByText('Categoria Poltrone', { exact: false }).first().waitFor();
  await page.getByLabel('Colora i posti cambiati').check();

  await page.getByRole('button', { name: 'Modifica', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Etichette…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Etichette' });
  await dialog.getByLabel('Verso').selectOption('centre');
  await dialog.getByLabel('Comincia da').fill('101');
  await dialog.getByLabel('Comincia da').press('Enter');
  await dialog.getByText('101', { exact: false }).first().waitFor();
  await dialog.getByRole('button', { name: 'Assegna' }).click();
  await page.getByRole('tab', { name: 'Cronologia' }).click();
  await page.getByText('Etichette assegnate').first().waitFor();
  expect(faults).toEqual([]);

  expect(await open({ chartKey: 'small', secretKey: 'nobody' })).toBe('failed');
  await page.getByText('La chiave segreta non è valida per questa pianta.').waitFor();
  expect(await open({ chartKey: 'nowhere' })).toBe('failed');
  await page.getByText('Non trovo questa pianta: controlla la sua chiave.').waitFor();
  await ask('designer.destroy()');
  expect(await ask('document.querySelectorAll(".bsd").length')).toBe(0);
});
