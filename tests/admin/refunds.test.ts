/**
 * Giving money back in a real browser: the sum and the seats are seen before the button; what
 * failed can be mended; a cancelled event shows how far it is.
 */
import { admitTicket } from '#server/contract/door/admissions.ts';
import { callOk, makeOrder } from '#tests/support/make.ts';
import { refundTickets, sellTo, settle } from '#tests/support/till.ts';
import { expectGood, goTo, lookAgain, see, testOffice as test } from './office.ts';

test('two tickets of three are refunded after sum and seats were shown, then a sum without a ticket, never more than is left; a refund that failed is first on its page and settled by hand', async (office) => {
  const { server, admin } = office;
  const order = await sellTo(
    server,
    { name: 'Conte d’Albafiorita' },
    { seats: ['Platea-C-1', 'Platea-C-2', 'Platea-C-3'] },
  );
  const seat = (number: number) => `Platea, fila C, posto ${number}`;
  const pass = async (direction: 'in' | 'out') => {
    for (const place of ['Platea-C-1', 'Platea-C-3']) {
      const { id } = await server.house.ctx.db('tickets').where({ place }).first();
      const body = { direction, override: 'Prova' };
      await callOk(server, admitTicket, { params: { ticketId: id }, body }, admin);
    }
  };
  await pass('in');
  const page = await office.open(`/orders/${order.order_id}`);
  await page.getByRole('checkbox', { name: seat(1) }).check();
  await page.getByRole('checkbox', { name: seat(3) }).check();
  await page.getByRole('button', { name: 'Rimborsa 2 biglietti…' }).click();
  const dialog = page.getByRole('alertdialog');
  const preview = dialog.locator('.kit-form-named-seats_preview');
  await see(preview).toContainText('64,00');
  await see(preview).toContainText(seat(1));
  await see(preview).toContainText(seat(3));
  await see(preview).not.toContainText(seat(2));
  await see(dialog).toContainText('Tutti e 2 sono dentro.');
  await dialog.getByRole('checkbox', { name: seat(2) }).check();
  await see(dialog).toContainText('2 di questi sono dentro.');
  await dialog.getByRole('checkbox', { name: seat(2) }).uncheck();
  await see(dialog).toContainText('Tutti e 2 sono dentro.');
  await pass('out');
  const button = dialog.getByRole('button', { name: /^Rimborsa 64,00/ });
  await see(button).toBeDisabled();
  await dialog.getByLabel('Perché').fill('Un amico malato');
  await expectGood(page);
  await button.click();
  await see(page.getByText('Rimborsato in parte').first()).toBeVisible();
  await see(page.getByText('«Un amico malato»').first()).toBeVisible();
  await server.runDue();
  await page.reload();
  await see(page.getByText(/Rimborso di 64,00\s€ riuscito/)).toBeVisible();
  const row = (text: string) => page.locator('tr').filter({ hasText: text });
  await see(row(seat(2))).toContainText('Valido');
  await see(row(seat(1))).toContainText('Rimborsato');

  await page.getByRole('button', { name: 'Rimborsa…' }).click();
  await dialog.getByRole('button', { name: 'Una somma' }).click();
  await dialog.getByLabel('Perché').fill('Guardaroba chiuso');
  await dialog.getByLabel('Quanto').fill('32,01');
  await see(dialog.getByText('L’importo supera quanto resta da rimborsare.')).toBeVisible();
  await see(dialog.getByRole('button', { name: /^Rimborsa 32,01/ })).toBeDisabled();
  await dialog.getByLabel('Quanto').fill('dieci');
  await see(dialog.getByText('Scrivi una somma, per esempio 12,50.')).toBeVisible();
  await dialog.getByLabel('Quanto').fill('10,5');
  await dialog.getByRole('button', { name: /^Rimborsa 10,50/ }).click();
  await see(page.getByText('«Guardaroba chiuso»').first()).toBeVisible();
  await see(row(seat(2))).toContainText('Valido');

  const failed = await sellTo(
    server,
    { method: 'pm_card_refundFail' },
    { seats: ['Platea-D-1', 'Platea-D-2'] },
  );
  await refundTickets(server, admin, failed);
  await settle(server, failed);
  await page.goto(`${server.url}/admin/orders/${failed.order_id}`);
  const card = page.getByRole('region', { name: 'Rimborso da decidere' });
  await see(card).toContainText(/Il rimborso di 64,00\s€ non è riuscito\./);
  await see(
    page.getByText(/^Tutti i biglietti annullati il .* Nessun rimborso: restano 64,00\s€/),
  ).toBeVisible();
  await see(page.getByText(/rimborsat[oi]/i)).toHaveCount(0);
  const buyers = await office.visit(`/orders/${failed.link_key}`);
  await see(buyers.getByRole('heading', { name: 'Biglietti annullati' })).toBeVisible();
  await see(buyers.getByText(/rimborsat[oi]/i)).toHaveCount(0);
  await buyers.close();
  await card.getByRole('button', { name: /^Restituiti a mano/ }).click();
  await see(dialog).toContainText('Platea, fila D, posto 2');
  await dialog.getByLabel('Come e quando (facoltativo)').fill('Contanti, sabato');
  await dialog.getByRole('button', { name: /^Restituiti a mano/ }).click();
  await see(card).toHaveCount(0);
  await see(page.getByText('Da sistemare', { exact: true })).toHaveCount(1);
});

test('an event is cancelled only after its title was typed; the progress survives a reload', async (office) => {
  const { server } = office;
  await sellTo(server, { name: 'Mirandolina Fiorentini' });
  await sellTo(server, { name: 'Otto Rossi', email: 'otto@example.it' }, { nth: 3 });
  await makeOrder(server, { nth: 4 });
  const page = await office.open('/events/la-locandiera');
  await page.getByRole('link', { name: 'Annulla l’evento…' }).click();
  const facts = page.locator('.kit-page-panel_panel').filter({ hasText: 'Che cosa succede' });
  await see(facts).toContainText('128,00');
  await see(facts).toContainText('4 biglietti');
  await see(facts).toContainText('1 ordine finisce senza incasso');
  const button = page.getByRole('button', { name: /^Annulla l’evento e rimborsa 128,00/ });
  await page.getByLabel('Perché viene annullato').fill('La protagonista è malata');
  await page.getByLabel(/Scrivi il titolo/).fill('La locand');
  await see(button).toBeDisabled();
  await page.getByLabel(/Scrivi il titolo/).fill('la LOCANDIERA');
  await expectGood(page);
  await button.click();
  await see(page.getByRole('heading', { name: 'La locandiera: evento annullato' })).toBeVisible();
  await page.reload();
  for (let look = 0; look < 4; look += 1) {
    await server.runDue();
    server.clock.advance(60_000);
  }
  await lookAgain(page);
  await see(page.getByText('Tutto rimborsato')).toBeVisible();
  await see(page.getByText('2 di 2 rimborsi')).toBeVisible();
  await see(page.getByText(/128,00\s€ di 128,00/)).toBeVisible();
  await expectGood(page);
  await goTo(page, '/events/la-locandiera');
  await see(page.getByRole('link', { name: 'Segui i rimborsi' })).toBeVisible();
});
