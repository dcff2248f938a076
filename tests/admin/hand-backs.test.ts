/** The list of a cancelled evening's money that goes back by hand, in a real browser. */
import { expect } from 'vitest';
import { cancelEvent, previewCancellation } from '#server/contract/order/refunds.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { expectFit, phone, see, testOffice as it } from './office.ts';
import { passUndo } from '#tests/support/undo.ts';

it('two buyers are handed back in one act, one of them by transfer, and the list tells what went', async (office) => {
  const { server, admin } = office;
  const { db } = server.house.ctx;
  await openDrawer(server, admin);
  await sellAtCounter(server, admin, { buyer: { name: 'Anna Neri' } });
  const second = await sellAtCounter(server, admin, { nth: 3, buyer: { name: 'Bice Rossi' } });
  const params = { eventId: demoEvent };
  const preview = await callOk(server, previewCancellation, { params }, admin);
  const body = {
    expected_cents: preview.sum_cents,
    expected_orders: preview.orders,
    reason: 'Il teatro è allagato',
  };
  await callOk(server, cancelEvent, { params, body }, admin);
  await passUndo(server);

  const page = await office.open(`/events/${demoEvent}/cancel`);
  await page.getByLabel('Tutti e 2').focus();
  await page.keyboard.press('Space');
  await page.getByLabel(`Come torna ${second.number}`).selectOption('Bonifico');
  await page.setViewportSize(phone);
  await expectFit(page);
  await page.getByRole('button', { name: /^Segna restituiti: 2 ordini, 128,00/ }).click();
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  await see(dialog.getByText('Contanti: 1 ordine, 64,00 €')).toBeVisible();
  await see(dialog.getByText('Bonifico: 1 ordine, 64,00 €')).toBeVisible();
  await dialog.getByRole('button', { name: 'Sì, restituiti' }).click();
  await see(page.getByText('Restituiti a mano:')).toBeVisible();
  await see(page.getByText('Non c’è più niente da restituire a mano.')).toBeVisible();
  expect(await db('refunds').orderBy('method').select('method', 'state')).toEqual([
    { method: 'cash', state: 'succeeded' },
    { method: 'transfer', state: 'succeeded' },
  ]);
  expect(server.logged).toEqual([]);
}, 90_000);
