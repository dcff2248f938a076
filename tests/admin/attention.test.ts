/**
 * The office's inbox in a real browser: what waits, what each choice will do, and that it is gone
 * once decided.
 */
import { payAs } from '#tests/support/buyer.ts';
import { makeOrder } from '#tests/support/make.ts';
import { sellTo, settle } from '#tests/support/till.ts';
import { confirm, expectGood, phone, see, testOffice as test } from './office.ts';

test('what waits stands in the inbox with what each choice does: another sum, a dispute, a mail that was refused; what is decided goes, and so does the mark in the navigation', async (office) => {
  const { server } = office;
  const { db } = server.house.ctx;
  const order = await makeOrder(server, { seats: ['Platea-C-1', 'Platea-C-2'] });
  await db('orders').where({ id: order.order_id }).update({ total_cents: 7_000 });
  await payAs(server, order);
  await settle(server, order);
  const page = await office.open('/orders');
  await page.getByRole('link', { name: 'Da sistemare 2 in attesa' }).click();
  await see(page.getByText('L’importo pagato su Stripe non è quello dell’ordine')).toBeVisible();
  await see(page.getByText('L’ordine viene confermato con la somma arrivata')).toBeVisible();
  await page.getByRole('button', { name: 'Accetta l’importo…' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Accetta l’importo' });
  await see(dialog).toContainText('64,00');
  await see(dialog).toContainText('Platea, fila C, posto 2');
  await see(dialog.getByRole('button', { name: 'Accetta l’importo' })).toBeDisabled();
  await dialog.getByLabel('Perché').fill('Sconto concordato');
  await dialog.getByRole('button', { name: 'Accetta l’importo' }).click();
  // The house has no mail server, which is never beside "nothing".
  const nothing = page.getByText('Niente da sistemare.');
  await see(page.getByRole('link', { name: 'Da sistemare 1 in attesa' })).toBeVisible();
  await see(page.getByRole('region', { name: 'La casa' })).toContainText(
    'Manca il server di posta.',
  );
  await see(nothing).toHaveCount(0);
  Object.assign(server.house.ctx.mail, { leaves: true });
  server.clock.advance(10_000);
  await page.reload();
  await see(nothing).toBeVisible();
  await see(page.getByRole('link', { name: 'Da sistemare', exact: true })).toBeVisible();

  await sellTo(server, { name: 'Otto Rossi', method: 'pm_card_createDispute' }, { nth: 1 });
  const unsent = await sellTo(server, { name: 'Eva Neri' }, { nth: 3 });
  await db('mails')
    .where({ order_id: unsent.order_id })
    .update({ state: 'failed', last_error: 'rejected: 550' });
  await page.setViewportSize(phone);
  await page.reload();
  await see(page.getByText('Stripe aspetta le prove')).toBeVisible();
  const refused = page.getByText('Il server di posta ha rifiutato il messaggio.');
  await see(refused).toBeVisible();
  await expectGood(page);
  await confirm(page, 'Invia di nuovo…', 'Invia di nuovo');
  await see(refused).toHaveCount(0);
});
