/**
 * Papers around the ticket in a real browser: a buyer asks for an invoice on a phone, the office
 * makes it, takes seals in from a file, and looks at the summaries.
 */
import { makePaidOrder } from '#tests/support/buyer.ts';
import { asVisitor, demoEvent } from '#tests/support/make.ts';
import { expectGood, goTo, phone, see, testOffice as test } from './office.ts';

test('a buyer asks for an invoice on a phone, is told what is wrong, and the office makes it; it looks at a file of seals before it takes it in, takes it back, and reads the evening’s summary', async (office) => {
  const { server } = office;
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const page = await office.visit(await asVisitor(server, `/orders/${order_id}`), { size: phone });
  await page.getByRole('button', { name: 'Ho bisogno della fattura' }).click();
  const asking = page.getByRole('dialog', { name: 'Dati per la fattura' });
  await asking.getByRole('button', { name: 'Chiedi la fattura' }).click();
  await see(asking.getByLabel('Denominazione')).toBeFocused();
  await see(asking.getByText('Il CAP ha 5 cifre.')).toBeVisible();
  await expectGood(page);
  const fields = {
    Denominazione: 'Bottega Verdi S.r.l.',
    'Via e numero civico': 'Calle Lunga 12',
    CAP: '30124',
    Comune: 'Venezia',
    Provincia: 've',
    'Partita IVA': '00905811007',
    'Codice destinatario': 'm5uxcr1',
  };
  for (const [label, text] of Object.entries(fields)) await asking.getByLabel(label).fill(text);
  await asking.getByRole('button', { name: 'Chiedi la fattura' }).click();
  await see(asking.getByText('Questa partita IVA non esiste')).toBeVisible();
  await asking.getByLabel('Partita IVA').fill('IT00905811006');
  await asking.getByRole('button', { name: 'Chiedi la fattura' }).click();
  await see(page.getByText('Bottega Verdi S.r.l.')).toBeVisible();
  await see(page.getByRole('button', { name: 'Cambia i dati' })).toBeVisible();
  await page.close();

  const desk = await office.open('/reports/invoices');
  await desk.getByRole('button', { name: 'Segna come fatta…' }).click();
  const make = desk.getByRole('dialog', { name: 'Segna la fattura come fatta' });
  await make.getByLabel('Numero').fill('7/2026');
  await make.getByLabel('Data').fill('2026-11-27');
  await make.getByRole('button', { name: 'Segna come fatta' }).click();
  await see(desk.getByText('n. 7/2026 del 27/11/2026')).toBeVisible();
  await expectGood(desk);

  await server.house.ctx.db('events').where({ id: demoEvent }).update({ regime: 'external' });
  await goTo(desk, `/events/${demoEvent}`);
  await desk.getByRole('link', { name: 'Importa i sigilli' }).click();
  await see(desk.getByRole('heading', { name: /Senza sigillo/ })).toContainText('2');
  const seat = await desk.getByRole('table').first().getByRole('rowheader').first().innerText();
  await desk.getByRole('button', { name: 'Importa i sigilli…' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Importa i sigilli' });
  const choose = (csv: string) =>
    dialog
      .getByLabel(/Scegli il file/)
      .setInputFiles({ name: 'sigilli.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await choose('posto;progressivo\nA;1');
  await see(dialog.getByRole('alert')).toContainText('Manca la colonna «Sigillo fiscale»');
  await choose('posto;sigillo fiscale\nA;1\n"B;2\nC;3');
  await see(dialog.getByRole('alert')).toContainText('Riga 3: una virgoletta');
  await choose(`Posto;Sigillo fiscale\n${seat};A1B2C3D4E5F60718\nPlatea Z 9;B1B2C3D4E5F60718`);
  await see(dialog.getByText('Su questo posto non c’è un biglietto valido.')).toBeVisible();
  await see(dialog.getByRole('status')).toContainText('1 esclusa');
  await expectGood(desk);
  await dialog.getByRole('button', { name: 'Importa 1 sigillo' }).click();
  await see(dialog.getByText('1 sigillo importato')).toBeVisible();
  await dialog.getByRole('button', { name: 'Chiudi' }).first().click();
  await see(desk.getByRole('heading', { name: /Senza sigillo/ })).toContainText('1');
  await desk.getByRole('button', { name: 'Annulla l’importazione…' }).click();
  await desk.getByRole('button', { name: 'Sì, annulla l’importazione' }).click();
  await see(desk.getByText(/annullata il/)).toBeVisible();
  await expectGood(desk);

  await goTo(desk, `/reports/summaries?event_id=${demoEvent}`);
  await see(desk.getByRole('heading', { name: 'IVA per aliquota' })).toBeVisible();
  await expectGood(desk);
  await goTo(desk, '/reports/summaries?from=2020-01-01&to=2020-01-02');
  await see(desk.getByText('In questi giorni non è passato denaro.')).toBeVisible();
});
