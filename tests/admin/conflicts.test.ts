/**
 * Conflitti in a real browser: both ways in stand beside each other, a person says what it was, and
 * the count in the navigation goes down.
 */
import { expect } from 'vitest';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { makeEvening } from '#tests/support/door/door-evening.ts';
import { refundByOffice } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import { desk, expectGood, phone, see, testOffice as test } from './office.ts';

test('two ways in with one ticket are a card that the office answers, and may answer again; a scan in doubt says why in Italian, and the office says whether it counts', async (office) => {
  const { server, admin } = office;
  const { db } = server.house.ctx;
  const { tickets, one, two, admit, scanOf } = await makeEvening(server, admin);
  await admit(one, tickets[0]!, { ago: 10 });
  await admit(two, tickets[0]!, { ago: 7, offline: true });
  await admit(one, tickets[1]!, { ago: 1 });
  const { place } = scanOf(one, tickets[1]!, { ago: 1 });
  const stored = await db('admissions').where({ place }).first('id');
  await admit(two, tickets[1]!, { verdict: 'undone', counts: false, annuls: stored.id, place });
  await admit(two, tickets[2]!, { corrected_at: '2001-01-01T00:00:00.000Z' });
  const door = await office.open('/door/conflicts', { as: await asRole(server, 'door') });
  await see(door.getByRole('article', { name: tickets[0]!.seat })).toBeVisible();
  await see(door.getByText('Può rispondere solo l’ufficio.').first()).toBeVisible();
  await see(door.getByRole('button', { name: 'Possibile copia' })).toHaveCount(0);
  await door.close();

  const page = await office.open('/door/conflicts', { size: phone });
  const [card, forged, old] = tickets.map(({ seat }) => page.getByRole('article', { name: seat }));
  await see(card!).toContainText('Da chiarire');
  await see(card!).toContainText(
    /Primo ingresso.*Varco A.*3 min dopo.*Secondo ingresso.*Varco B.*senza rete/s,
  );
  await see(forged!).toContainText(
    /In dubbio.*Annullamento della lettura di Varco A.*può farlo solo un responsabile/s,
  );
  await see(old!).toContainText(/Ingresso.*più di tre ore prima dell’apertura delle porte/s);
  const room = page.getByRole('link', { name: 'Conflitti 3 in attesa' });
  await see(room).toBeAttached();
  await expectGood(page, [desk.width]);

  await card!.getByLabel('Nota (facoltativa)').fill('Uscita dal bar');
  await card!.getByRole('button', { name: 'Era la stessa persona' }).click();
  await see(card!).toHaveCount(0);
  await see(room).toHaveCount(0);
  await old!.getByLabel('Nota (facoltativa)').fill('Prova del mattino');
  await old!.getByRole('button', { name: 'Non vale' }).click();
  await see(old!).toHaveCount(0);
  await forged!.getByRole('button', { name: 'Vale', exact: true }).click();
  await see(forged!).toHaveCount(0);
  await see(page.getByText('Nessun conflitto da chiarire.')).toBeVisible();
  await see(page.getByRole('link', { name: 'Conflitti', exact: true })).toBeAttached();
  await page.setViewportSize(desk);
  await page.getByLabel('Anche i conflitti risolti').click();
  await see(old!).toContainText(/Non vale.*Ada.*«Prova del mattino»/s);
  await see(card!).toContainText(/Era la stessa persona.*Ada.*«Uscita dal bar»/s);
  await card!.getByRole('button', { name: 'Cambia risposta' }).click();
  await see(card!.getByRole('button', { name: 'Possibile copia' })).toBeVisible();
  await expectGood(page);
  await card!.getByRole('button', { name: 'Lascia com’era' }).click();
  await see(card!.getByRole('button', { name: 'Possibile copia' })).toHaveCount(0);
  await see(card!).toContainText('«Uscita dal bar»');
  await card!.getByRole('button', { name: 'Cambia risposta' }).click();
  await card!.getByRole('button', { name: 'Possibile copia' }).click();
  await see(card!.locator('.door-conflicts_head')).toContainText('Possibile copia');
  expect(await db('admissions').where({ settled_as: 'copy' }).select('settled_note')).toEqual([
    { settled_note: 'Uscita dal bar' },
  ]);
  expect((await db('admissions').where({ id: stored.id }).first()).annulled_by).not.toBeNull();
});

test('a guest whose ticket has ended is a card beside the conflicts: why, since when, whose place it is; the order page never says that the place is free while somebody sits there', async (office) => {
  const { server, admin } = office;
  const { db } = server.house.ctx;
  const { tickets, one, two, admit } = await makeEvening(server, admin);
  const [before, inside, sold] = tickets as [
    (typeof tickets)[0],
    (typeof tickets)[0],
    (typeof tickets)[0],
  ];
  const { order_id } = await db('tickets').where({ id: before.ticket_id }).first('order_id');
  const refund = (ticket_id: string) =>
    refundByOffice(server, admin, { order_id }, { ticket_ids: [ticket_id] });
  await admit(one, inside, { ago: 6 });
  for (const { ticket_id } of [before, inside, sold]) await refund(ticket_id);
  server.clock.advance(4 * 60_000);
  for (let turn = 0; turn < 3; turn += 1) await server.runDue();
  const { place } = await db('tickets').where({ id: sold.ticket_id }).first('place');
  await makePaidOrder(server, { name: 'Piero Fabbri' }, { seats: [place] });
  await admit(two, before, { ago: 0, offline: true });
  await admit(two, sold, { ago: 0, offline: true });
  await server.runDue();

  const page = await office.open('/door/conflicts', { size: phone });
  const [late, early, twice] = [before, inside, sold].map(({ seat }) =>
    page.getByRole('article', { name: seat }),
  );
  await see(late!).toContainText(
    /Da decidere.*Varco B.*senza rete.*Entrato con un biglietto rimborsato.*prima.*non è in vendita/s,
  );
  await see(early!).toContainText(/Biglietto rimborsato.*dopo l’ingresso.*non è in vendita/s);
  await see(twice!).toContainText(/Il posto è già di un altro.*Piero Fabbri/s);
  await see(page.getByRole('link', { name: 'Conflitti 3 in attesa' })).toBeAttached();
  await see(page.getByText('Nessun conflitto da chiarire.')).toHaveCount(0);
  await expectGood(page, [desk.width]);

  const order = await office.open(`/orders/${order_id}`);
  await see(order.getByText('posto non in vendita: c’è chi è entrato')).toHaveCount(2);
  await see(order.getByText('posto venduto di nuovo')).toBeVisible();
  await see(order.getByText('posto di nuovo libero')).toHaveCount(0);

  await late!.getByRole('button', { name: 'Resta: il posto non si vende' }).click();
  await see(late!).toHaveCount(0);
  await twice!.getByRole('button', { name: 'Resta, in un altro posto' }).click();
  await see(twice!).toHaveCount(0);
  await early!.getByLabel('Nota (facoltativa)').fill('Accompagnato all’uscita');
  await early!.getByRole('button', { name: 'È uscito' }).click();
  await see(early!).toHaveCount(0);
  await page.getByLabel('Anche i conflitti risolti').click();
  await see(early!).toContainText(/È uscito.*Uscito alle.*Ada.*«Accompagnato all’uscita»/s);
  await late!.getByRole('button', { name: 'Cambia risposta' }).click();
  await late!.getByRole('button', { name: 'Errore di lettura' }).click();
  await see(late!).toContainText('Errore di lettura');
  for (let turn = 0; turn < 3; turn += 1) await server.runDue();
  await order.reload();
  await see(order.getByText('posto di nuovo libero')).toHaveCount(2);
  await see(order.getByText('Entrato e uscito')).toBeVisible();
  await expectGood(page, [desk.width]);
});
