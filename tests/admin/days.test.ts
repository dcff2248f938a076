/** The office closes a day by keyboard: counts blind, sees what differs, signs, and corrects it. */
import { expect } from 'vitest';
import { closeShift } from '#server/contract/shifts.ts';
import { dayText, romeDay } from '#server/domain/time/rome-clock.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { callOk } from '#tests/support/make.ts';
import { expectFit, goTo, phone, see, testOffice as it } from './office.ts';

it('a day is counted before anything is told, signed with a reason, and a correction names it', async (office) => {
  const { server } = office;
  const seller = office.admin;
  const { shift_id } = await openDrawer(server, seller);
  await sellAtCounter(server, seller, {
    payments: [
      { method: 'cash', amount_cents: 2_000 },
      { method: 'pos', amount_cents: 4_400 },
    ],
  });
  const day = dayText(romeDay(server.clock.now()));
  const page = await office.open('/reports/days');
  await see(page.getByText('1 turno ancora aperto')).toBeVisible();
  await goTo(page, '/reports/days/ieri');
  await see(page.getByText('La richiesta contiene dati non validi')).toBeVisible();
  await goTo(page, `/reports/days/${day}`);
  await see(page.getByText('Prima di contare la giornata vanno chiusi')).toBeVisible();
  const body = { pieces: { '10000': 1, '2000': 1 }, expected_cents: 12_000 };
  await callOk(server, closeShift, { body: { shift_id, ...body } }, seller);

  await page.reload();
  await see(page.getByRole('heading', { name: 'Il contante per la banca' })).toBeVisible();
  await see(page.getByText('Atteso')).toHaveCount(0);
  await page.getByLabel('10,00 €', { exact: true }).fill('1');
  await page.getByLabel(/^POS di/).fill('44,00');
  await page.setViewportSize(phone);
  await expectFit(page);
  await page.keyboard.press('Enter');
  await see(page.getByText('Secondo la conta dei turni')).toBeVisible();
  await expectFit(page);
  await page.getByLabel('Perché non torna').fill('Un foglio da dieci è rimasto in cassa');
  await page.getByLabel('Consegnato per la banca a').fill('Rita Bianchi');
  await page.keyboard.press('Enter');
  await see(page.getByText('Consegnato per la banca a Rita Bianchi')).toBeVisible();
  await see(page.getByRole('link', { name: 'PDF' })).toBeVisible();

  await page.getByRole('button', { name: 'Correggi con un foglio nuovo' }).click();
  await page.getByLabel('20,00 €', { exact: true }).fill('1');
  await page.getByLabel(/^POS di/).fill('44');
  await page.getByRole('button', { name: 'Ho contato' }).click();
  await page.getByLabel('Consegnato per la banca a').fill('Rita Bianchi');
  await see(page.getByLabel('Perché non torna')).toHaveCount(0);
  await page.getByRole('button', { name: 'Firma la chiusura' }).click();
  await see(page.getByRole('heading', { name: 'Foglio 2, corregge il foglio 1' })).toBeVisible();
  expect(await server.house.ctx.db('day_sheets').whereNotNull('signed_at')).toHaveLength(2);
  expect(server.logged).toEqual([]);
}, 90_000);
