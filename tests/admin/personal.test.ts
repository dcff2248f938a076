/**
 * "Dati personali" in a real browser: what is held, a copy, the erasure with the address typed once
 * more, the times, and the register on paper.
 */
import { unzipSync } from 'fflate';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { expectFit, expectGood, phone, see, testOffice as test } from './office.ts';

const email = 'eva.neri@example.it';

test('somebody’s data is found, given out and erased, and what must wait is said before and after', async (office) => {
  const { server } = office;
  const { ctx } = server.house;
  await makePaidOrder(server, { name: 'Eva Neri', email });
  await server.runDue();
  const { order_id } = await makePaidOrder(server, { name: 'Eva Neri', email }, { nth: 4 });
  await ctx.db('tickets').where({ order_id }).update({ state: 'void' });
  const page = await office.open('/settings/personal');
  await see(page.getByText('Finora nessuna.')).toBeVisible();
  await page.getByLabel('E-mail della persona').fill('nessuno@example.it');
  await page.getByRole('button', { name: 'Mostra i dati' }).click();
  await see(page.getByText('Non c’è nessun dato con questo indirizzo.')).toBeVisible();
  await page.getByLabel('E-mail della persona').fill(email);
  await page.getByRole('button', { name: 'Mostra i dati' }).click();
  await see(page.getByRole('row', { name: /^Pagamenti/ })).toBeVisible();
  await expectGood(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Scarica una copia (ZIP)' }).click(),
  ]);
  const zip = unzipSync(new Uint8Array(readFileSync(await download.path())));
  expect(Object.keys(zip)).toEqual(['dati.json', 'dati.html']);

  await page.getByRole('button', { name: 'Cancella i suoi dati…' }).click();
  const dialog = page.getByRole('dialog', { name: `Cancellare i dati di ${email}?` });
  await see(dialog.getByText('devono ancora aprire la porta')).toBeVisible();
  await see(dialog.getByText(/^pi_/).first()).toBeVisible();
  await see(dialog.getByRole('button', { name: 'Cancella i dati' })).toBeDisabled();
  await expectGood(page);
  await dialog.getByLabel('Per confermare scrivi il suo indirizzo').fill(email);
  await dialog.getByRole('button', { name: 'Cancella i dati' }).click();
  await see(page.getByText('Cancellato quello che si può.')).toBeVisible();
  await see(page.getByText('Un ordine aspetta ancora.')).toBeVisible();
  expect(await ctx.db('orders').whereNull('buyer_name').pluck('id')).toEqual([order_id]);
  await expectFit(page);
  await page.setViewportSize(phone);

  await page.getByRole('link', { name: 'Tempi di conservazione' }).click();
  const letters = page.getByLabel(/^Testi dei messaggi sugli ordini/);
  await letters.fill('5');
  await page.getByRole('button', { name: 'Salva' }).click();
  await see(page.getByText('Un numero da 7 a 730.')).toBeVisible();
  await letters.fill('60');
  await page.getByRole('button', { name: 'Salva' }).click();
  await see(page.getByText('Salvato: si vede subito.')).toBeVisible();
  await expectGood(page);

  await page.getByRole('link', { name: 'Registro dei trattamenti' }).click();
  await see(page.getByText('60 giorni dall’invio')).toBeVisible();
  await see(page.getByText(/Non si inviano messaggi promozionali/)).toBeVisible();
  await expectGood(page);
  await page.emulateMedia({ media: 'print' });
  await see(page.getByRole('navigation').first()).toBeHidden();
  await see(page.getByRole('heading', { name: /^Registro delle attività/ })).toBeVisible();
  expect(server.logged).toEqual([]);
});
