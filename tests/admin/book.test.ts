/**
 * Libro in a real browser: the key, the book of an evening, and the name of one order for whoever
 * checks it.
 */
import { expect } from 'vitest';
import { keepBooks } from '#server/services/book/keep.ts';
import { sealRegistry } from '#server/services/reconcile/registry-seals.ts';
import { makePaid } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import { expectFit, expectGood, phone, see, testOffice as test } from './office.ts';

test('the book of an evening is taken away, and one name of it is opened', async (office) => {
  const { server } = office;
  const { ctx } = server.house;
  const person = await asRole(server, 'office');
  const { order_id } = await makePaid(server);
  server.clock.advance(11 * 60_000);
  const { signal } = new AbortController();
  await sealRegistry(ctx, signal);
  await keepBooks(ctx, signal);
  const page = await office.open('/reports/book', { as: person });
  await see(page.getByRole('heading', { name: 'Chiave di firma' })).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: 'Concerto di Natale' });
  await see(row).toContainText(/\d+\srighe/);
  const download = page.waitForEvent('download');
  await row.getByRole('link', { name: 'Libro' }).click();
  expect((await download).suggestedFilename()).toMatch(/^bordero-.*\.json\.gz$/);
  const { number } = await ctx.db('orders').where({ id: order_id }).first('number');
  await page.setViewportSize(phone);
  await page.getByLabel('Numero d’ordine').fill(number);
  await page.getByRole('button', { name: 'Mostra la chiave' }).click();
  await see(page.getByLabel(`Chiave dell’ordine ${number}`)).toBeVisible();
  await expectGood(page);
  await page.getByLabel('Numero d’ordine').fill('ZZZZ-ZZZZ');
  await page.getByRole('button', { name: 'Mostra la chiave' }).click();
  await see(page.getByRole('alert')).toContainText('Ordine non trovato.');
  await page.goto(`${server.url}/chiave-del-libro`);
  await see(page.getByRole('heading', { name: 'Chiave del libro' })).toBeVisible();
  await expectFit(page);
});
