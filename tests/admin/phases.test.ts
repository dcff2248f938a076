/** Phases of prices on the office's screen: added, typed as a table, ordered, told before saving, sold. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { makePublished } from '#tests/support/event-desk.ts';
import { makePaid } from '#tests/support/refunds.ts';
import { expectGood, goTo, see, startOffice } from './office.ts';

test('a phase is typed with its end and amounts, faults stand beside their fields, saving says what changes, and the order says its phase', async () => {
  await using office = await startOffice();
  const { server, admin } = office;
  await makePublished(server, admin);
  const page = await office.open('/events/recital/prices');
  const save = page.getByRole('button', { name: 'Salva i prezzi…' });
  await addPhase(page);
  const first = page.getByRole('region', { name: 'Fase 1' });
  await first.getByRole('textbox', { name: 'Intero, Platea, euro, Fase 1' }).fill('15');
  await save.click();
  await see(first.getByText('Scegli l’ultimo giorno.')).toBeVisible();
  await first.getByRole('button', { name: 'Ore prima dell’inizio' }).click();
  await first.getByLabel('Fino a quante ore prima dell’inizio').fill('2');
  await see(first.getByText(/^Vale fino a 2 ore prima dell’inizio, poi valgono/)).toBeVisible();
  await addPhase(page);
  const second = page.getByRole('region', { name: 'Fase 2' });
  await second.getByRole('button', { name: 'Biglietti venduti' }).click();
  await second.getByLabel('Fino a quanti biglietti venduti').fill('50');
  await second.getByRole('textbox', { name: 'Intero, Platea, euro, Fase 2' }).fill('10');
  await second.getByLabel('Nome').fill('Primi 50');
  await page.getByRole('button', { name: 'Sposta prima la fase Primi 50' }).click();
  await see(
    page.getByText('Vale fino a 50 biglietti venduti, poi comincia «Fase 1».'),
  ).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 900 });
  await shoot(page, 'phases-office');
  await expectGood(page, [1280, 390]);
  await save.click();
  const question = page.getByRole('alertdialog', { name: 'Salvare i prezzi?' });
  await see(question.getByRole('row', { name: 'Fase «Primi 50»' })).toContainText('50 biglietti');
  await see(question.getByRole('row', { name: /«Primi 50»: Platea, Intero/ })).toContainText(
    '10,00 €',
  );
  await shoot(page, 'phases-question');
  await question.getByRole('button', { name: 'Salva i prezzi', exact: true }).click();
  await see(question).toBeHidden();
  const now = page.getByRole('region', { name: 'Primi 50' });
  await see(now.getByText('Vale adesso')).toBeVisible();
  const { order_id } = await makePaid(server, { event: 'recital', count: 2 });
  const order = await server.house.ctx.db('orders').where({ id: order_id }).first();
  expect([order.total_cents, order.sold_in_phase]).toEqual([2_000, 'Primi 50']);
  await goTo(page, `/orders/${order_id}`);
  await see(page.getByText('Prezzi della fase «Primi 50».')).toBeVisible();
});

/** The bar with the save button would cover it. */
async function addPhase(page: Page) {
  const button = page.getByRole('button', { name: 'Aggiungi una fase' });
  await button.evaluate((one) => one.scrollIntoView({ block: 'center' }));
  await button.click();
}

async function shoot(page: Page, name: string) {
  const folder = process.env['SHOTS'];
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
