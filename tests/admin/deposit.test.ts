/** Part payments of a reservation in a real browser, by keys: made with one, another added, and the rest. */
import { tillIsReady } from '#tests/support/browsers/till-page.ts';
import { openDrawer } from '#tests/support/counter.ts';
import { demoEvent } from '#tests/support/make.ts';
import { expectGood, goTo, see, testOffice as it } from './office.ts';

it('a reservation with a deposit says what is left, takes another part, and then only the rest', async ({
  server,
  admin,
  open,
}) => {
  await openDrawer(server, admin);
  const page = await open(`/sell/event/${demoEvent}`);
  await tillIsReady(page);
  const chosen = page.getByRole('list', { name: 'Posti scelti' });
  await page.keyboard.press('2');
  await page.keyboard.press('Enter');
  await see(chosen.getByRole('listitem')).toHaveCount(2);
  await page.keyboard.press('F8');
  await page.getByLabel('Acconto in contanti (facoltativo)').fill('20');
  await page.keyboard.press('Enter');
  await see(page.getByText('Acconto 20,00 € · restano 44,00 €')).toBeVisible();
  await goTo(page, '/sell/reservations');
  await see(page.getByText('Acconto 20,00 € · restano 44,00 €')).toBeVisible();
  await page.getByRole('button', { name: 'Acconto…' }).press('Enter');
  await see(page.getByLabel('In contanti')).toBeFocused();
  await page.keyboard.type('64');
  await page.keyboard.press('Enter');
  await see(page.getByText('Un acconto è meno di 44,00 €.')).toBeVisible();
  await page.getByLabel('In contanti').fill('');
  await page.getByLabel('Con il POS').fill('10');
  await see(page.getByText('Acconto 30,00 € · restano 34,00 €')).toBeVisible();
  await expectGood(page);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Contanti' }).press('Enter');
  await see(page.getByRole('dialog').getByText('34,00 €')).toBeVisible();
  await page.keyboard.press('Enter');
  await see(page.getByText('Nessuna prenotazione in attesa.')).toBeVisible();
});
