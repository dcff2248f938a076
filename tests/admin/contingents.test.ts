/**
 * Seats kept for who has a code, in a real browser: the office reserves them, a visitor opens them
 * with the code, and what is left goes back to everybody.
 */
import { expect } from 'vitest';
import { listContingents } from '#server/contract/contingents.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { expectFit, see, testOffice as test } from './office.ts';

const params = { eventId: demoEvent };

test('the office reserves seats, adds and removes some, a visitor opens them with the code typed in small letters or by the link, and the office gives the rest to everybody and takes it back', async (office) => {
  const { server, admin } = office;
  const page = await office.open(`/events/${demoEvent}/seats`);
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await page.getByLabel('Scrivi i posti').fill('platea C1-4');
  await page.keyboard.press('Enter');
  await button('Riserva a un contingente…').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Nome').fill('Amici del teatro');
  await dialog.getByLabel('Codice', { exact: true }).fill('amici-2026');
  await dialog.getByRole('button', { name: 'Fino a 24 ore prima' }).click();
  await dialog.getByRole('button', { name: 'Riserva', exact: true }).click();
  await see(page.getByText('4 posti riservati a Amici del teatro.')).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: 'Amici del teatro' });
  await see(row).toContainText('0 di 4');
  await see(row.getByLabel('Codice', { exact: true })).toHaveValue('AMICI2026');
  expect(await auditPage(page, '[aria-labelledby=contingents-title]')).toEqual([]);
  await expectFit(page);

  // Two more come, and one press takes them back.
  const items = async () => (await callOk(server, listContingents, { params }, admin)).items;
  const placesAre = (places: number) =>
    see.poll(async () => (await items())[0]!.places).toBe(places);
  await page.getByLabel('Scrivi i posti').fill('platea C3-6');
  await page.keyboard.press('Enter');
  await button('Aggiungi a un contingente…').press('Enter');
  await see(dialog.getByLabel('Amici del teatro')).toBeChecked();
  await dialog.getByRole('button', { name: 'Aggiungi', exact: true }).press('Enter');
  await see(page.getByText('2 posti aggiunti a Amici del teatro.')).toBeVisible();
  await placesAre(6);
  await button('Annulla').press('Enter');
  await placesAre(4);

  // Two of those that it has leave it, and come back.
  await button(/^Togli la scelta/).press('Enter');
  await page.getByLabel('Scrivi i posti').fill('platea C3-6');
  await page.keyboard.press('Enter');
  await button('Togli 2 posti da Amici del teatro').press('Enter');
  await see(page.getByText('2 posti di nuovo per tutti.')).toBeVisible();
  await placesAre(2);
  await button('Annulla').press('Enter');
  await placesAre(4);

  const visitor = await office.visit(`/event/${demoEvent}`);
  await visitor.getByText('Hai un codice?').click();
  const field = visitor.getByLabel('Scrivi il codice');
  await field.fill('sbagliato');
  await visitor.keyboard.press('Enter');
  await see(visitor.getByText('Questo codice qui non vale')).toBeVisible();
  await field.fill('amici 2026');
  const opened = visitor.getByText('il codice apre 4 posti riservati, oltre a quelli liberi.');
  // The button rests for a moment after each press.
  await see(async () => {
    if (await field.isVisible()) await field.press('Enter', { timeout: 1_000 });
    await see(opened).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await visitor.reload();
  await see(opened).toBeVisible();
  await visitor.getByRole('button', { name: 'Togli il codice' }).click();
  await see(visitor.getByText('Hai un codice?')).toBeVisible();
  await visitor.goto(`${server.url}/event/${demoEvent}?code=AMICI2026`);
  await see(opened).toBeVisible();

  await row.getByRole('button', { name: 'Libera…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Libera' }).click();
  await see(page.getByText('4 posti di nuovo per tutti.')).toBeVisible();
  await see(row).toContainText('Liberato il');
  await button('Annulla').click();
  await see(row).toContainText('Senza scadenza');
  expect(await items()).toMatchObject([{ is_live: true, places: 4, code: 'AMICI2026' }]);
}, 120_000);
