/**
 * Writing to many buyers and the guests of an evening in a real browser: choosing orders, the text,
 * the last question, calling off; the list and its paper.
 */
import { makePaidOrder } from '#tests/support/buyer.ts';
import { demoEvent } from '#tests/support/make.ts';
import { copyOrder } from '#tests/support/many-orders.ts';
import {
  confirm,
  expectFit,
  expectGood,
  goTo,
  lookAgain,
  phone,
  see,
  testOffice as test,
} from './office.ts';

const widths = [1440, 1152, 1024, 768, phone.width];

test('some orders are chosen and written to: who is left out, how it reads, a test, the question, calling it off; all results are sent their tickets again, and the list of messages tells how it went', async (office) => {
  const { server } = office;
  await makePaidOrder(server, { email: 'eva@example.it', name: 'Eva Neri' });
  await makePaidOrder(server, { email: 'ugo@example.it', name: 'Ugo Verdi' });
  const lost = await makePaidOrder(server, { email: 'ida@example.it', name: 'Ida Blu' });
  await server.house.ctx
    .db('orders')
    .where({ id: lost.order_id })
    .update({ buyer_email: null, buyer_name: 'Ida Blu' });
  await server.runDue();
  const page = await office.open('/orders');
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  await row('Eva Neri').getByRole('checkbox').check();
  await row('Ida Blu').getByRole('checkbox').check();
  await see(page.getByText('2 ordini scelti')).toBeVisible();
  await expectFit(page, widths);
  await page.getByRole('link', { name: 'Scrivi…' }).click();
  await see(page.getByRole('heading', { name: '1 destinatario su 2 ordini' })).toBeVisible();
  await see(page.getByText('nessun indirizzo e-mail')).toBeVisible();
  await see(page.getByText('Non è configurato nessun server di posta:')).toBeVisible();
  await see(page.getByText('la pubblicità richiede un consenso')).toBeVisible();

  const send = page.getByRole('button', { name: 'Invia il messaggio…' });
  await see(send).toBeDisabled();
  await page.getByLabel('Oggetto').fill('Parcheggio per {spettacolo}');
  await see(page.getByText('Nessuno sa che cosa mettere al posto di {spettacolo}.')).toBeVisible();
  await page.getByLabel('Oggetto').fill('Parcheggio per {evento}');
  await page.getByRole('textbox', { name: 'Testo' }).fill('Ciao , il parcheggio è chiuso.');
  await page.getByRole('textbox', { name: 'Testo' }).evaluate((field: HTMLTextAreaElement) => {
    field.setSelectionRange(5, 5);
  });
  await page.getByRole('button', { name: 'nome', exact: true }).click();
  await page.getByRole('button', { name: 'Mostra l’anteprima' }).click();
  const letter = page.frameLocator('iframe[title="Anteprima del messaggio"]');
  await see(letter.getByText('Ciao Eva Neri, il parcheggio è chiuso.')).toBeVisible();
  await see(page.getByRole('heading', { name: 'Parcheggio per La locandiera' })).toBeVisible();
  await page.getByRole('button', { name: 'Manda una prova a me' }).click();
  await see(page.getByText('La prova parte per')).toBeVisible();
  await expectGood(page, widths);

  await send.click();
  const question = page.getByRole('alertdialog', { name: 'Invia il messaggio?' });
  await question.getByRole('button', { name: 'Invia a 1 destinatario' }).click();
  await page.waitForURL(/\/messages\/[\w-]+$/);
  await see(page.getByText('Parte tra poco')).toBeVisible();
  await expectGood(page, widths);
  await confirm(page, 'Annulla l’invio', 'Annulla l’invio');
  await see(page.getByText('Annullato', { exact: true })).toBeVisible();

  await goTo(page, `/events/${demoEvent}/orders`);
  await page.getByRole('link', { name: 'Rimanda i biglietti…' }).click();
  await see(page.getByRole('heading', { name: '2 destinatari su 3 ordini' })).toBeVisible();
  await page.getByRole('button', { name: 'Rimanda i biglietti…' }).click();
  await page.getByRole('button', { name: 'Invia a 2 destinatari' }).click();
  await see(page.getByText('Parte tra poco')).toBeVisible();
  server.clock.advance(61_000);
  await server.runDue();
  await lookAgain(page);
  const kept = page.getByRole('row').filter({ hasText: 'eva@example.it' });
  await see(kept).toContainText('Non spedito: posta non configurata');
  await page.getByRole('link', { name: 'Messaggi' }).click();
  await see(page.getByRole('row').filter({ hasText: 'Biglietti rimandati' })).toContainText(
    'La locandiera',
  );
  await expectFit(page, widths);
}, 120_000);

test('the guests of an evening are found and filtered, and printed by name', async (office) => {
  const { server } = office;
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it', name: 'Eva Neri' });
  await copyOrder(server.house.ctx.db, order_id, 60);
  const page = await office.open(`/events/${demoEvent}`);
  await page.getByRole('link', { name: 'Ospiti' }).click();
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await see(rows).toHaveCount(50);
  await page.getByRole('button', { name: 'Carica altri' }).click();
  await see(rows).toHaveCount(62);
  await page.getByRole('searchbox').fill('neri');
  await see(rows).toHaveCount(2);
  await expectGood(page, widths);
  await page.getByLabel('Ingresso').selectOption({ label: 'Dentro' });
  await see(page.getByText('Nessun biglietto trovato.')).toBeVisible();
  await page.getByRole('button', { name: 'Mostra tutti' }).click();
  await see(rows).toHaveCount(62);

  await page.getByRole('button', { name: 'Stampa l’elenco' }).click();
  await page.emulateMedia({ media: 'print' });
  const paper = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'N', exact: true }) });
  await see(paper).toContainText('Neri Eva');
  await see(page.getByText('stampato il')).toBeVisible();
  await see(page.getByRole('button', { name: 'Stampa l’elenco' })).toBeHidden();
  await see(page.getByText('@example.it')).toHaveCount(0);
}, 120_000);
