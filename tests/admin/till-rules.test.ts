/** The till under price rules: each line says list price and reason, and the shown sum is sold. */
import { expect, test } from 'vitest';
import { tillIsReady, typeSeats } from '#tests/support/browsers/till-page.ts';
import { openDrawer } from '#tests/support/counter.ts';
import { demoEvent } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { addRule, threeForTwo } from '#tests/support/rules-in-force.ts';
import { expectGood, see, startOffice } from './office.ts';

test('three best seats are sold for two, with the reason on each line', async () => {
  await using office = await startOffice();
  const { server } = office;
  await addRule(server, threeForTwo);
  const seller = await asRole(server, 'cassa');
  await openDrawer(server, seller);
  const size = { width: 1280, height: 900 };
  const page = await office.open(`/sell/event/${demoEvent}`, { as: seller, size });
  await tillIsReady(page);
  await typeSeats(page, '3');
  const lines = page.getByRole('list', { name: 'Posti scelti' }).getByRole('listitem');
  await see(lines).toHaveCount(3);
  await see(lines.first()).toContainText('3x2: il meno caro è gratis');
  await see(lines.locator('s')).toHaveCount(3);
  await expectGood(page, [390]);
  if (process.env['SHOTS'] !== undefined)
    await page.screenshot({ path: `${process.env['SHOTS']}/till.png` });
  await page.keyboard.press('F2');
  await page.keyboard.press('Enter');
  await see(page.getByText('Venduto')).toBeVisible();
  const [order] = await server.house.ctx.db('orders').select('total_cents', 'paid_cents');
  expect(order.paid_cents).toBe(order.total_cents);
  const lists = await server.house.ctx.db('order_lines').sum({ sum: 'list_cents' }).first();
  expect(Number(lists!.sum)).toBeGreaterThan(order.total_cents);
});
