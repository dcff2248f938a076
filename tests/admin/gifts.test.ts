/** Gifts and codes in the office: what a gift means for the VAT is said before it is given, and a refund may give a code back. */
import { test } from 'vitest';
import { tillIsReady, typeSeats } from '#tests/support/browsers/till-page.ts';
import { openDrawer } from '#tests/support/counter.ts';
import { demoEvent, holdSeats, payOrder } from '#tests/support/make.ts';
import { bookedWith, makeCode } from '#tests/support/price-codes.ts';
import { expectGood, goTo, see, startOffice } from './office.ts';

const size = { width: 1280, height: 900 };
const shots = process.env['SHOTS'];

test('the till and the event tell the gifts of a sector, and the form joins sectors', async () => {
  await using office = await startOffice();
  const { server, admin } = office;
  await openDrawer(server, admin);
  const { ctx } = server.house;
  const hall = { event_id: demoEvent, category: 'Platea', in_hall: 1 };
  const places: string[] = await ctx.db('places').where(hall).pluck('place');
  const allowed = Math.floor(places.length / 20);
  const page = await office.open(`/sell/event/${demoEvent}`, { as: admin, size });
  await tillIsReady(page);
  await typeSeats(page, '2');
  await page.keyboard.press('F7');
  const dialog = page.getByRole('dialog', { name: 'Omaggio' });
  await see(dialog).toContainText(`Omaggi in Platea, compresi questi: 2 di ${allowed}`);
  await expectGood(page, [390]);
  if (shots !== undefined) await page.screenshot({ path: `${shots}/gift-till.png` });
  await dialog.getByLabel('Motivo').fill('Rassegna stampa');
  await page.keyboard.press('Enter');
  await see(page.getByText('Venduto')).toBeVisible();

  // One place fewer than gifts are allowed.
  await ctx
    .db('places')
    .where(hall)
    .whereNotIn('place', places.slice(0, 20))
    .update({ in_hall: 0 });
  await goTo(page, `/events/${demoEvent}`);
  await see(page.getByText('Omaggi in Platea: 2 di 1 (5 % di 20)')).toBeVisible();
  await see(page.getByText('Uno oltre il limite: IVA da pagare 2,91 €')).toBeVisible();
  await expectGood(page, [390]);
  if (shots !== undefined)
    await page.screenshot({ path: `${shots}/gift-event.png`, fullPage: true });
  await goTo(page, `/events/${demoEvent}/edit`);
  await page.getByRole('button', { name: 'Unisci più settori' }).click();
  const joined = page.getByRole('group', { name: 'Settori uniti' });
  await joined.getByLabel('Nome').fill('Sala');
  for (const name of ['Platea', 'Palchi']) await joined.getByLabel(name, { exact: true }).check();
  await expectGood(page, [390]);
  if (shots !== undefined) await joined.screenshot({ path: `${shots}/gift-form.png` });
  await page.getByRole('button', { name: /^Salva/ }).click();
  await see(page.getByText(/^Salvato alle/)).toBeVisible();
  await goTo(page, `/events/${demoEvent}`);
  await see(page.getByText('Omaggi in Sala: 2 di')).toBeVisible();
});

test('a full refund offers to make the code usable again, and does not by itself', async () => {
  await using office = await startOffice();
  const { server, admin } = office;
  await makeCode(server, admin, {});
  const order = await bookedWith(server, await holdSeats(server), { codes: ['META26'] });
  await payOrder(server, order.checkout_url);
  await server.runDue();
  const page = await office.open(`/orders/${order.order_id}`, { as: admin, size });
  await page.getByRole('button', { name: /^Rimborsa/ }).click();
  const choice = page.getByLabel('Rendi di nuovo usabile il codice META26');
  await see(choice).not.toBeChecked();
  await choice.check();
  await page.getByLabel('Motivo').fill('Malattia');
  await expectGood(page, [390]);
  if (shots !== undefined) await page.screenshot({ path: `${shots}/refund-code.png` });
  await page.getByRole('button', { name: /^Rimborsa 3/ }).click();
  await see(page.getByRole('dialog')).toHaveCount(0);
  const { ctx } = server.house;
  const uses = await ctx.db('code_uses').whereNotNull('given_back_at');
  if (uses.length !== 1) throw new Error('the use did not come back');
});
