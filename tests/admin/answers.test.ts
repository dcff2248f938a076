/** The office's list of answers to a cancelled evening, by keyboard, in a real browser. */
import { expect } from 'vitest';
import { cancelEvent, previewCancellation } from '#server/contract/order/refunds.ts';
import { inDays } from '#tests/support/event-desk.ts';
import { tillIsReady, typeSeats } from '#tests/support/browsers/till-page.ts';
import { openDrawer } from '#tests/support/counter.ts';
import { callOk } from '#tests/support/make.ts';
import { oneShow } from '#tests/support/other-date.ts';
import { feeEvent, makePaid, passTime, stateOf } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { passUndo } from '#tests/support/undo.ts';
import {
  expectFit,
  expectGood,
  goTo,
  phone,
  see,
  testOffice as it,
  type Office,
} from './office.ts';

async function cancelAsking({ server, admin }: Pick<Office, 'server' | 'admin'>) {
  const params = { eventId: feeEvent };
  const { sum_cents, orders } = await callOk(server, previewCancellation, { params }, admin);
  const ask_until = inDays(server, 5);
  const figures = { expected_cents: sum_cents, expected_orders: orders };
  const body = { ...figures, reason: 'Il tenore è malato', ask_until };
  await callOk(server, cancelEvent, { params, body }, admin);
  await server.runDue();
}

it('an answer is entered by keyboard, and the others are written to again', async (office) => {
  const { server } = office;
  const { db } = server.house.ctx;
  const caller = await makePaid(server);
  await makePaid(server, { nth: 3 });
  await db('orders').update({ buyer_email: 'eva@example.it', buyer_name: 'Eva Conti' });
  await db('orders').where({ id: caller.order_id }).update({ buyer_name: 'Anna Neri' });
  await cancelAsking(office);

  const page = await office.open(`/events/${feeEvent}/cancel`);
  await page.getByRole('link', { name: 'Le risposte, ordine per ordine' }).press('Enter');
  const row = page.getByRole('row', { name: 'Anna Neri' });
  await see(row.getByText('Non ha risposto')).toBeVisible();
  await row.getByRole('button', { name: 'Inserisci risposta…' }).press('Enter');
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Lascia il denaro al teatro').press('Space');
  await dialog.getByRole('button', { name: 'Registra: lascia il denaro' }).press('Enter');
  await see(row.getByText('Lascia il denaro al teatro')).toBeVisible();
  await see(row.getByRole('cell', { name: /\d\d\/\d\d\/\d{4}/ })).toBeVisible();

  await page.getByRole('button', { name: 'Riscrivi a chi non ha risposto (1)' }).press('Enter');
  await dialog.getByRole('button', { name: 'Manda 1 e-mail' }).press('Enter');
  await see(page.getByText('puoi rifarlo dopo un’ora')).toBeVisible();
  expect(await db('messages').select('act', 'orders')).toEqual([{ act: 'question', orders: 1 }]);
  await page.setViewportSize(phone);
  await expectFit(page);

  await goTo(page, `/orders/${caller.order_id}`);
  await page.getByRole('button', { name: 'Inserisci la risposta…' }).press('Enter');
  await dialog.getByLabel('Rimborso').press('Space');
  await dialog.getByRole('button', { name: /^Rimborsa 59,00/ }).press('Enter');
  await see(page.getByText('Rispondono entro')).toBeVisible();
  await see(page.getByRole('button', { name: 'Inserisci la risposta…' })).toBeHidden();
  expect(await stateOf(server, caller)).toMatchObject({ refunded_cents: 5_900 });
  expect(server.logged).toEqual([]);
}, 90_000);

async function goOn(server: TestServer): Promise<void> {
  await passUndo(server);
  for (let n = 0; n < 3; n += 1) await passTime(server, 5_000);
}

it('one buyer gets another date through the dialog and the till, the silent ones go together by one act', async (office) => {
  const { server, admin } = office;
  const { db } = server.house.ctx;
  await oneShow(server);
  await openDrawer(server, admin);
  const caller = await makePaid(server);
  const others = [await makePaid(server, { nth: 3 }), await makePaid(server, { nth: 5 })];
  await db('orders').update({ buyer_email: 'eva@example.it', buyer_name: 'Eva Conti' });
  await db('orders').where({ id: caller.order_id }).update({ buyer_name: 'Anna Neri' });
  await cancelAsking(office);
  await passUndo(server);

  const page = await office.open(`/events/${feeEvent}/answers`);
  const row = page.getByRole('row', { name: 'Anna Neri' });
  await row.getByRole('button', { name: 'Inserisci risposta…' }).press('Enter');
  await page.getByRole('link', { name: 'Scegli la data e i posti' }).press('Enter');
  await see(page.getByText(/biglietti valgono/)).toBeVisible();
  await page.keyboard.press('1');
  await tillIsReady(page);
  await typeSeats(page, '2');
  await see(page.getByLabel('Conto del cambio')).toContainText('Da pagare');
  await page.keyboard.press('F2');
  await page.keyboard.press('Enter');
  await see(page.getByText(/^Differenza pagata: /)).toBeVisible();

  await goTo(page, `/events/${feeEvent}/answers`);
  await see(row.getByText('Un’altra data')).toBeVisible();
  await page.getByRole('button', { name: 'Porta su un’altra data (2)…' }).press('Enter');
  const dialog = page.getByRole('alertdialog');
  await see(dialog.getByText('2 ordini, 4 biglietti')).toBeVisible();
  await see(dialog.getByText('Nessuno paga di più.')).toBeVisible();
  await expectGood(page, [390]);
  await dialog.getByRole('button', { name: 'Porta 2 ordini' }).press('Enter');
  await see(page.getByRole('button', { name: 'Annulla il cambio data' })).toBeVisible();
  await goOn(server);
  await see(page.getByText(/Sono andati su .*: 2 ordini\./)).toBeVisible();
  await expectGood(page, [390]);
  for (const { order_id } of others)
    expect(await stateOf(server, { order_id })).toMatchObject({
      tickets: ['refunded', 'refunded'],
    });
  expect(server.logged).toEqual([]);
}, 120_000);
