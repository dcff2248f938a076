/**
 * The order page with tickets, act by act: what it does, and in every state two accessibility
 * engines and the validator find nothing, in both themes, narrow and wide.
 */
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { expectNoFaults } from '#tests/support/faults.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { refundByOffice, setPolicy } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { testVisit as test } from '#tests/support/browsers/start-visit.ts';
import { screens, within } from '#tests/support/visit.ts';

/** A button that has just been pressed rests for 200 ms, and looks like it (RULES W5). */
async function rested(page: Page): Promise<void> {
  await see(page.locator('[aria-busy=true]')).toHaveCount(0);
}

async function ticketsOf(server: TestServer, order_id: string) {
  return (await callOk(server, getOrder, { params: { orderId: order_id } })).tickets;
}

test('paid; a code fills the screen, the next one is a swipe away, and Esc closes it; asked back, and refunded', async (at) => {
  const { page, server } = at;
  await setPolicy(server, { refund_request: 'office', refund_stop_days: 0 }, demoEvent);
  const { order_id, link_key } = await makePaidOrder(server);
  const [first, second] = await ticketsOf(server, order_id);
  await page.goto(`/orders/${link_key}`);
  await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible();
  const askBack = page.getByRole('button', { name: 'Chiedi un rimborso' });
  await see(askBack).toBeVisible();
  await expectNoFaults(page, 'paid');

  const large = page.getByRole('button', { name: 'Mostra a tutto schermo' }).last();
  const screen = page.getByRole('dialog', { name: 'La locandiera' });
  await large.click();
  await see(screen.getByText('2 di 2')).toBeVisible();
  await expectNoFaults(page, 'a code on the whole screen');
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    const code = screen.getByRole('img', { name: new RegExp(second!.seat) });
    const qr = (await code.boundingBox())!;
    expect(qr.width).toBeGreaterThan(Math.min(viewport.width, viewport.height) * 0.55);
    expect([qr.x >= 0, qr.x + qr.width <= viewport.width]).toEqual([true, true]);
  }
  await see(screen.getByText('Alza la luminosità dello schermo')).toBeVisible();
  await screen.getByRole('button', { name: 'Biglietto precedente' }).click();
  await see(screen.getByText('1 di 2')).toBeVisible();
  await see(screen.getByText(first!.code_for_people)).toBeInViewport();
  await page.keyboard.press('Escape');
  await see(screen).toHaveCount(0);
  await see(large).toBeFocused();

  await askBack.click();
  const tickets = page.getByRole('checkbox');
  const ask = page.getByRole('button', { name: /^Chiedi il rimborso di/ });
  await tickets.first().uncheck();
  await see(ask).toBeEnabled();
  await tickets.last().uncheck();
  await see(page.getByText('Scegli almeno un biglietto.')).toBeVisible();
  await expectNoFaults(page, 'no ticket to give back');
  await tickets.last().check();
  await ask.click(within);
  await see(page.getByRole('alertdialog', { name: 'Vuoi restituire 1 biglietto?' })).toBeVisible();
  await rested(page);
  await expectNoFaults(page, 'the last question before a refund');
  await page.getByRole('button', { name: /^Sì, chiedi/ }).click();
  await see(page.getByText(/^Hai chiesto il rimborso di/)).toBeVisible();
  await rested(page);
  await expectNoFaults(page, 'a refund was asked for');
  await page.getByRole('button', { name: 'Ritira la richiesta' }).click();
  await page.getByRole('button', { name: 'Sì, ritira' }).click();
  await see(page.getByText(/è stata ritirata/)).toBeVisible();

  const admin = await makeAdmin(server);
  await refundByOffice(server, admin, { order_id }, { ticket_ids: [first!.ticket_id] });
  await server.runDue();
  await page.reload();
  await see(page.getByText('Con questo biglietto non si entra più.')).toBeVisible();
  // The refunded one is the last.
  await see(page.getByRole('img', { name: /Codice QR del biglietto 1 di 2/ })).toBeVisible();
  await refundByOffice(server, admin, { order_id });
  await server.runDue();
  await page.reload();
  await see(page.getByRole('heading', { name: 'Ordine rimborsato' })).toBeVisible();
  await expectNoFaults(page, 'all refunded');
});

test('names are asked for in one go before codes are shown, the buyer’s is filled in, and a change of holder brings another code; nothing is said of a mail that nobody gave', async (at) => {
  const { page, server } = at;
  const named = { nominative: 1, holder_change: 1, holder_changes_max: 1 };
  await setPolicy(server, { ...named, holder_change_until_hours: 24 }, demoEvent);
  const { order_id, link_key } = await makePaidOrder(server, { name: 'Eva Maria Neri' });
  await page.goto(`/orders/${link_key}`);
  await see(
    page.getByText('Intestatario mancante: il codice QR compare quando indichi il nome.'),
  ).toHaveCount(2);
  const codes = page.getByRole('img', { name: /Codice QR/ });
  expect([await codes.count(), await page.getByText('Scarica il PDF').count()]).toEqual([0, 0]);
  await expectNoFaults(page, 'names are missing');

  await page.getByRole('button', { name: 'Indica i nomi' }).click();
  const form = page.getByRole('dialog', { name: 'Chi userà il biglietto?' });
  const [name, surname] = [form.getByLabel('Nome', { exact: true }), form.getByLabel('Cognome')];
  await see(name).toBeFocused();
  const save = form.getByRole('button', { name: 'Salva e continua' });
  await save.click();
  await see(form.getByText('Scrivi il nome.')).toBeVisible();
  await rested(page);
  await expectNoFaults(page, 'a form with faults');
  await name.fill('Anna');
  await surname.fill('Bianchi2');
  await page.keyboard.press('Enter');
  await see(form.getByText('Usa solo lettere')).toBeVisible();
  await form.getByRole('button', { name: /Uso il mio nome/ }).click();
  await see(name).toHaveValue('Eva Maria');
  await see(surname).toHaveValue('Neri');
  await see(save).toHaveAttribute('aria-busy', 'false');
  await save.click();
  // The next ticket's turn: it may wait.
  await see(surname).toHaveValue('');
  await see(name).toBeFocused();
  await see(form.getByRole('button', { name: 'Torna indietro' })).toBeVisible();
  await name.fill('Bruno');
  await surname.fill('Verdi');
  await form.getByRole('button', { name: 'Salva il nome' }).click();
  await see(form).toHaveCount(0);
  // The button that opened the form is gone: the page's heading has the focus.
  await see(page.getByRole('heading', { level: 1 })).toBeFocused();
  await see(page.getByText('Intestatario: Eva Maria Neri')).toBeVisible();
  await see(page.getByText('Intestatario: Bruno Verdi')).toBeVisible();
  await see(codes).toHaveCount(2);
  await see(page.getByText('Li trovi anche nella tua e-mail.')).toBeVisible();

  const heldBy = async (holder: string) =>
    (await ticketsOf(server, order_id)).find((ticket) => ticket.holder === holder)!;
  const before = await heldBy('Eva Maria Neri');
  await page
    .getByRole('region', { name: 'Intestatari' })
    .getByRole('listitem')
    .filter({ hasText: 'Eva Maria Neri' })
    .getByRole('button', { name: /^Cambia/ })
    .click();
  const change = page.getByRole('dialog', { name: 'Cambia intestatario' });
  await see(change.getByText('smette subito di valere')).toBeVisible();
  await expectNoFaults(page, 'the form for a change of holder');
  await change.getByLabel('Nome', { exact: true }).fill('Anna');
  await change.getByLabel('Cognome').fill('Bianchi');
  await change.getByRole('button', { name: 'Cambia intestatario' }).click();
  await see(page.getByText('Intestatario: Anna Bianchi')).toBeVisible();
  await see(page.getByText('Il cambio è già stato fatto')).toBeVisible();
  const after = await heldBy('Anna Bianchi');
  await see(page.getByText(after.code_for_people)).toBeVisible();
  expect([after.ticket_id, after.code === before.code]).toEqual([before.ticket_id, false]);
  await see(page.getByText(before.code_for_people)).toHaveCount(0);

  await server.house.ctx.db('orders').update({ buyer_email: null });
  await page.reload();
  await see(page.getByText('salvane l’indirizzo')).toBeVisible();
  await see(page.getByText(/e-mail, li trovi|nella tua e-mail/)).toHaveCount(0);
});
