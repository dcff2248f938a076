/** A cancelled evening asks its buyer on the order page, and leaves the money to the house. */
import { expect as see } from 'playwright/test';
import { expect } from 'vitest';
import { cancelEvent, previewCancellation } from '#server/contract/order/refunds.ts';
import { makeDates } from '#server/contract/shows.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { testVisit as it } from '#tests/support/browsers/start-visit.ts';
import { inDays } from '#tests/support/event-desk.ts';
import { expectNoFaults } from '#tests/support/faults.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { passTime } from '#tests/support/refunds.ts';
import { screens, within } from '#tests/support/visit.ts';
import type { TestServer } from '#tests/support/server.ts';
import { passUndo } from '#tests/support/undo.ts';

/** With another date on sale, and a question of five days. */
async function cancel(server: TestServer): Promise<void> {
  const admin = await makeAdmin(server);
  const { db } = server.house.ctx;
  const { starts_at } = await db('events').where({ id: demoEvent }).first();
  const starts = [new Date(starts_at + 86_400_000).toISOString()];
  const about = { params: { showId: demoEvent }, body: { like: demoEvent, starts } };
  await callOk(server, makeDates, about, admin);
  await db('events').where({ show_id: demoEvent }).update({ status: 'published' });
  const params = { eventId: demoEvent };
  const preview = await callOk(server, previewCancellation, { params }, admin);
  const expected = { expected_cents: preview.sum_cents, expected_orders: preview.orders };
  const body = { ...expected, reason: 'Il tenore è malato', ask_until: inDays(server, 5) };
  await callOk(server, cancelEvent, { params, body }, admin);
  await passUndo(server);
}

it('nothing is preselected, giving the money up is asked twice and can be changed, and the receipt says what it is', async (at) => {
  const { page, server } = at;
  const bought = await makePaidOrder(server);
  await cancel(server);
  await page.goto(`/orders/${bought.link_key}#annullato`);
  const section = page.getByRole('region', { name: /Che cosa preferisci|La tua scelta/ });
  await see(section).toContainText(/Hai pagato 64,00\s€. Rispondi entro/, within);
  for (const name of ['Voglio il rimborso', 'Un’altra data', 'Lascio il denaro al teatro'])
    await see(section.getByRole('button', { name })).toBeVisible(within);
  await see(page.getByRole('img', { name: /QR/ })).toHaveCount(0);
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    await expectNoFaults(page, 'the question of a cancelled evening');
  }
  await section.getByRole('button', { name: 'Un’altra data' }).click();
  await see(section).toContainText(/Valgono 64,00\s€\./, within);
  await section.getByRole('button', { name: 'Annulla' }).click();
  await section.getByRole('button', { name: 'Lascio il denaro al teatro' }).click();
  const sure = page.getByRole('alertdialog');
  await see(sure).toContainText('senza nulla in cambio', within);
  await sure.getByRole('button', { name: /^Sì, lascio 64,00/ }).click();
  await see(section).toContainText(/Hai scelto di lasciare 64,00\s€ al teatro/, within);
  await see(section.getByRole('button', { name: 'Voglio il rimborso' })).toBeVisible(within);
  await passTime(server, 6 * 86_400_000);
  await page.reload();
  await see(section).toContainText(/Ricevuta di erogazione liberale.*64,00\s€/, within);
  await see(section).toContainText('Non è un titolo di accesso e non è una fattura', within);
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    await expectNoFaults(page, 'the receipt of money that was left');
  }
  expect(at.troubles).toEqual([]);
});
