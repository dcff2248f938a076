/**
 * The office corrects an order in a real browser: buyer, notes, names, added seats; what a till
 * sees; and what a paper says after the end.
 */
import { expect } from 'vitest';
import { openDrawer } from '#tests/support/counter.ts';
import { demoEvent, makeOrder } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import { refundTickets, sellTo } from '#tests/support/till.ts';
import { confirm, expectGood, goTo, see, testOffice as test } from './office.ts';

test('the buyer is corrected with a sentence per field, a new address is offered the tickets; a note is pinned, stands in head and list, and is deleted after a question; seats are added at the till, and both orders name each other', async (office) => {
  const { server, admin } = office;
  const buyer = { name: 'Mirandolina Fiorentini', email: 'm@exmaple.it' };
  const { order_id } = await sellTo(server, buyer);
  const page = await office.open(`/orders/${order_id}`);
  await page.getByRole('button', { name: 'Correggi…' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Correggi l’acquirente' });
  await see(dialog.getByRole('button', { name: 'Salva' })).toBeDisabled();
  await dialog.getByLabel('E-mail').fill('m@example');
  await dialog.getByLabel('Referente').fill('Nino, 333 4445556');
  await dialog.getByRole('button', { name: 'Salva' }).click();
  await see(dialog.getByText('Scrivi un indirizzo e-mail intero')).toBeVisible();
  await dialog.getByLabel('E-mail').fill('m@example.it');
  await dialog.getByRole('button', { name: 'Salva' }).click();
  const resend = page.getByRole('alertdialog', { name: 'Rimanda i biglietti' });
  await resend.getByRole('button', { name: 'Manda a m@example.it' }).click();
  await see(page.getByText('Nino, 333 4445556').first()).toBeVisible();
  const changes = 'e-mail «m@exmaple.it» → «m@example.it», referente nessuno → «Nino, 333 4445556»';
  await see(page.getByText(changes)).toBeVisible();
  await see(page.getByRole('alertdialog')).toHaveCount(0);

  await page.getByRole('button', { name: 'Scrivi i dati…' }).click();
  const invoice = page.getByRole('alertdialog', { name: 'Dati per la fattura' });
  await see(invoice.getByLabel('Denominazione')).toBeFocused();
  await page.keyboard.type('Bottega Verdi S.r.l.');
  await invoice.getByRole('button', { name: 'Salva' }).press('Enter');
  await see(invoice.getByText('Scrivi via e numero civico.')).toBeVisible();
  await see(invoice.getByLabel('Via e numero civico')).toBeFocused();
  for (const text of ['Calle Lunga 12', '30124', 'Venezia', 've', '', 'RSSMRA80A01F205X']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await expectGood(page);
  await invoice.getByRole('button', { name: 'Salva' }).press('Enter');
  await see(invoice).toHaveCount(0);
  await see(page.getByText('Bottega Verdi S.r.l., codice fiscale RSSMRA80A01F205X')).toBeVisible();

  const note = page.getByText('Arriva con la carrozzina');
  await page.getByLabel('Nuova nota').fill('Arriva con la carrozzina\ningresso laterale');
  await page.getByRole('checkbox', { name: 'In evidenza' }).check();
  await page.getByRole('button', { name: 'Scrivi la nota' }).click();
  await see(note).toHaveCount(2);
  await page.getByRole('link', { name: 'Ordini', exact: true }).first().click();
  await see(page.getByRole('img', { name: /^Nota: Arriva con la carrozzina/ })).toBeVisible();
  await page.goBack();
  await confirm(page, 'Cancella…', 'Cancella la nota');
  await see(note).toHaveCount(0);

  await openDrawer(server, admin);
  await page.getByRole('link', { name: 'Aggiungi posti' }).click();
  const banner = page.getByText(/Posti in più per l’ordine/);
  await see(banner).toContainText(buyer.name);
  const line = page.getByRole('textbox', { name: /^Posti/ });
  await see(line).toBeEditable();
  await line.fill('2');
  await line.press('Enter');
  await see(page.getByText('2 biglietti', { exact: true })).toBeVisible();
  await page.keyboard.press('F4');
  await page.getByRole('dialog').getByRole('button', { name: /64,00/ }).click();
  const sold = page.getByRole('region', { name: 'Ultima vendita' });
  await see(sold).toContainText('Venduto');
  await see(banner).toHaveCount(0);
  await sold.getByRole('link').first().click();
  await see(page.getByText('Fa parte dell’ordine')).toBeVisible();
  const { number } = await server.house.ctx.db('orders').where({ id: order_id }).first('number');
  await page.getByRole('link', { name: number }).first().click();
  await see(page.getByText('Posti aggiunti a questo ordine')).toBeVisible();
});

test('a confirmation asks for name and address and offers the paper at once; missing names stand in the head, no code does, and a pasted list fills them all', async (office) => {
  const { server, admin } = office;
  await openDrawer(server, admin);
  const order = await makeOrder(server);
  const page = await office.open(`/orders/${order.order_id}`);
  await page.getByRole('button', { name: 'Conferma senza pagamento online…' }).click();
  const asking = page.getByRole('alertdialog', { name: 'Conferma senza pagamento online' });
  await asking.getByLabel('Perché').fill('Pagato alla cassa');
  await asking.getByLabel('Nome (facoltativo)').fill('Ada Neri');
  await asking.getByLabel('E-mail (facoltativa)').fill('ada@example.it');
  await asking.getByRole('button', { name: /^Conferma: / }).click();
  const done = page.getByRole('dialog', { name: 'Ordine confermato' });
  await see(done.getByRole('link', { name: 'Biglietti in PDF' })).toBeVisible();
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes');
  });
  await done.getByRole('button', { name: /^Stampa a «/ }).click();
  await see(page.locator('body[data-printed="yes"]')).toHaveCount(1);
  await done.getByRole('button', { name: 'Chiudi', exact: true }).click();
  await see(page.getByRole('link', { name: 'ada@example.it' })).toBeVisible();

  await setPolicy(server, { nominative: 1, holder_change: 1 }, demoEvent);
  await page.reload();
  await see(page.getByText('Mancano i nomi su 2 biglietti.')).toBeVisible();
  await see(page.getByText('Manca il nome').first()).toBeVisible();
  await see(page.getByText('Il codice arriva con il nome').first()).toBeVisible();
  await see(page.getByText('Valido', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Scrivi i nomi…' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Nomi sui biglietti' });
  await dialog.getByLabel('Incolla un elenco').fill('1. Anna\tD’Amico\n2) Bruno');
  await dialog.getByRole('button', { name: 'Metti i nomi nei campi' }).click();
  await see(dialog.getByText('2 nomi letti.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Salva 2 nomi' }).click();
  await see(dialog.getByText('Scrivi nome e cognome, come sul documento.')).toHaveCount(1);
  await dialog
    .getByLabel(/, posto /)
    .nth(1)
    .fill('Bruno De Verdi');
  await dialog.getByRole('button', { name: 'Salva 2 nomi' }).click();
  await see(page.getByText('Mancano i nomi')).toHaveCount(0);
  await see(page.getByText('Bruno De Verdi')).toBeVisible();
});

test('a voided order says so in its head; a till finds the orders of today’s events, and no way to what is the office’s', async (office) => {
  const { server, admin } = office;
  const order = await sellTo(server, { name: 'Mirandolina Fiorentini' });
  const page = await office.open('/orders', { as: await asRole(server, 'cassa') });
  await see(page.getByText('Mirandolina Fiorentini')).toBeVisible();
  await see(page.getByRole('link', { name: /^CSV/ })).toHaveCount(0);
  await goTo(page, `/orders/${order.order_id}`);
  await see(page.getByRole('button', { name: 'Stampa i biglietti…' })).toBeVisible();
  for (const name of ['Correggi…', 'Rimborsa…', 'Rimanda i biglietti…', 'Scrivi la nota'])
    expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0]);
  await see(page.getByRole('link', { name: 'Vedi i posti sulla pianta' })).toHaveCount(0);

  await refundTickets(server, admin, order);
  await server.runDue();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await see(page.getByText(/^Tutti i biglietti (rimborsati|annullati) il /)).toBeVisible();
  await expectGood(page, [1440, 1152, 1024, 768, 390]);
  await server.house.ctx.db('events').update({ starts_at: 1, ends_at: 2 });
  await page.reload();
  await see(page.getByText('Ordine non trovato.')).toBeVisible();
});
