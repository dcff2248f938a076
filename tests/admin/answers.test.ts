/** The office's list of answers to a cancelled evening, by keyboard, in a real browser. */
import { expect } from 'vitest';
import { cancelEvent, previewCancellation } from '#server/contract/order/refunds.ts';
import { inDays } from '#tests/support/event-desk.ts';
import { callOk } from '#tests/support/make.ts';
import { feeEvent, makePaid, stateOf } from '#tests/support/refunds.ts';
import { expectFit, goTo, phone, see, testOffice as it } from './office.ts';

it('an answer is entered by keyboard, and the others are written to again', async (office) => {
  const { server, admin } = office;
  const { db } = server.house.ctx;
  const caller = await makePaid(server);
  await makePaid(server, { nth: 3 });
  await db('orders').update({ buyer_email: 'eva@example.it', buyer_name: 'Eva Conti' });
  await db('orders').where({ id: caller.order_id }).update({ buyer_name: 'Anna Neri' });
  const params = { eventId: feeEvent };
  const { sum_cents, orders } = await callOk(server, previewCancellation, { params }, admin);
  const ask_until = inDays(server, 5);
  const figures = { expected_cents: sum_cents, expected_orders: orders };
  const body = { ...figures, reason: 'Il tenore è malato', ask_until };
  await callOk(server, cancelEvent, { params, body }, admin);
  await server.runDue();

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
