/** Tables sold whole in the office: the till, the event form, the map, the order. */
import { expect } from 'vitest';
import { tillIsReady, typeSeats } from '#tests/support/browsers/till-page.ts';
import { openClub } from '#tests/support/club.ts';
import { openDrawer } from '#tests/support/counter.ts';
import { asRole } from '#tests/support/roles.ts';
import { expectGood, goTo, phone, see, testOffice as test } from './office.ts';

test('a table is sold at the till with how many come, its way of sale is fixed then, and map and order show it as one', async (office) => {
  const { server, admin } = office;
  const { db } = server.house.ctx;
  await openClub(server, { starts_at: '2027-01-08T20:00:00.000Z' }, admin);
  const seller = await asRole(server, 'cassa');
  await openDrawer(server, seller);
  const till = await office.open('/sell/event/festa', { as: seller, size: phone });
  await tillIsReady(till);
  await typeSeats(till, 'tavolo t1 séparé s1');
  const basket = till.getByRole('list', { name: 'Posti scelti' }).getByRole('listitem');
  await see(basket).toHaveCount(2);
  for (let guests = 10; guests > 4; guests -= 1) await till.keyboard.press('-');
  await see(basket.first()).toContainText('Tavolo T1, intero: 6 di 10 posti');
  await see(till.getByText('Vengono in 4 di 10')).toBeVisible();
  await see(till.getByText('12 biglietti')).toBeVisible();
  await see(basket.nth(1)).toContainText('100,01 €');
  await expectGood(till, [390, 1280]);
  await till.keyboard.press('F2');
  await till.getByLabel('Ricevuti').fill('300');
  await till.keyboard.press('Enter');
  await see(till.getByText('Mandato in stampa.')).toBeVisible();
  await till.emulateMedia({ media: 'print' });
  await see(till.locator('article')).toHaveCount(12);

  const page = await office.open('/events/festa/edit');
  const wholes = page.locator('[data-field=whole_terms]');
  await see(wholes.getByText(/^Séparé S1 · Tavolo T1: occupati, bloccati o venduti/)).toBeVisible();
  await wholes.getByLabel('Nessuno').check();
  await page.getByRole('button', { name: /^Salva/ }).click();
  await see(wholes.getByText(/come si vendono non cambia più\. .*T1/)).toBeVisible();
  await page.getByLabel('Li scelgo uno per uno').check();
  await page.getByRole('checkbox', { name: 'Tavolo T3 10 posti' }).check();
  await see(
    page.getByRole('checkbox', { name: 'Tavolo T1 10 posti, non cambia più' }),
  ).toBeDisabled();
  await expectGood(page, [390, 1280]);
  await page.getByRole('button', { name: /^Salva/ }).click();
  await see(page.getByText('Salvato alle')).toBeVisible();
  const tables = await db('places').where({ kind: 'table', in_hall: 1 }).distinct('object_label');
  expect(tables).toEqual([{ object_label: 'T1' }, { object_label: 'T3' }]);

  await goTo(page, '/events/festa/seats?seat=T1');
  const panel = page.getByRole('complementary', { name: 'Il posto scelto' });
  await see(panel.getByRole('heading', { name: 'Tavolo T1' })).toBeVisible();
  await see(panel.getByText('in 6 di 10: gli altri posti restano chiusi')).toBeVisible();
  await see(panel.getByText('180,00 €')).toBeVisible();
  await panel
    .getByRole('link', { name: /^[0-9A-Z]{4}-/ })
    .first()
    .click();
  await page.getByLabel('Tavolo T1, intero: 6 di 10 posti').check();
  await page.getByLabel('Tavolo T1, posto 2 di 10').uncheck();
  await page.getByRole('button', { name: 'Rimborsa 5 biglietti…' }).click();
  const closed = page.getByText('Tavolo T1: i posti restituiti restano chiusi.');
  await see(closed).toBeVisible();
  await page.locator('dialog[open]').getByLabel('Tavolo T1, posto 2 di 10').click();
  await see(closed).toBeHidden();
});
