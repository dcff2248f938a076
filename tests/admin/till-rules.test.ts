/** The till under price rules: each line says list price and reason, and the shown sum is sold. */
import { expect, test } from 'vitest';
import { sellWithReasons, tillIsReady, typeSeats } from '#tests/support/browsers/till-page.ts';
import { openDrawer } from '#tests/support/counter.ts';
import { addEventRule } from '#server/contract/price-rules.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { counts, countsOf, makeCode } from '#tests/support/price-codes.ts';
import { asRole } from '#tests/support/roles.ts';
import { addRule, threeForTwo } from '#tests/support/rules-in-force.ts';
import { typedCode, typedConvention } from '#tests/support/typed-rules.ts';
import { expectGood, see, startOffice } from './office.ts';

test('a convention by name and a code lower the sale, with the reason on each line, and the next buyer has neither', async () => {
  await using office = await startOffice();
  const { server, admin } = office;
  const params = { eventId: demoEvent };
  const body = typedConvention({ meets: true });
  await callOk(server, addEventRule, { params, body }, admin);
  const { code_id } = await makeCode(server, admin, {
    spelling: 'UNDER26',
    rule: typedCode({ percent: 10, meets: true }),
  });
  const seller = await asRole(server, 'cassa');
  await openDrawer(server, seller);
  const size = { width: 1280, height: 900 };
  const page = await office.open(`/sell/event/${demoEvent}`, { as: seller, size });
  await tillIsReady(page);
  await typeSeats(page, '2');
  const lines = page.getByRole('list', { name: 'Posti scelti' }).getByRole('listitem');
  await see(lines).toHaveCount(2);
  await page.getByText('Codice o convenzione').click();
  await page.getByLabel('Convenzione').selectOption({ label: 'Soci FAI · 3,00 € in meno' });
  await see(lines.first()).toContainText('Soci FAI: 3,00 € in meno, mostra la tessera');
  const code = page.getByLabel('Codice', { exact: true });
  await code.fill('sbagliato');
  await code.press('Enter');
  await see(page.getByText('Questo codice qui non vale')).toBeVisible();
  await code.fill('under 26');
  await code.press('Enter');
  await see(page.getByText('UNDER26 · Under 26: 10 % in meno')).toBeVisible();
  await see(lines.first()).toContainText('Under 26: 10 % in meno');
  await expectGood(page, [390]);
  if (process.env['SHOTS'] !== undefined)
    await page.screenshot({ path: `${process.env['SHOTS']}/till-code.png` });
  await page.keyboard.press('F2');
  await page.keyboard.press('Enter');
  await see(page.getByText('Venduto')).toBeVisible();
  await see(page.getByText('Codice o convenzione UNDER26')).toHaveCount(0);
  expect(await countsOf(server, code_id)).toEqual(counts(1, 2));
});

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

test('a code that is used up meanwhile leaves the sale with a sentence, and the sale goes on without it', async () => {
  await using office = await startOffice();
  const { server, admin } = office;
  const rule = typedCode({ percent: 50 });
  const { code_id } = await makeCode(server, admin, { rule, most_orders: 1 });
  const seller = await asRole(server, 'cassa');
  await openDrawer(server, seller);
  const size = { width: 1280, height: 900 };
  const page = await office.open(`/sell/event/${demoEvent}`, { as: seller, size });
  await tillIsReady(page);
  await typeSeats(page, '2');
  await page.getByText('Codice o convenzione').click();
  const code = page.getByLabel('Codice', { exact: true });
  await code.fill('meta 26');
  await code.press('Enter');
  await see(page.getByText('Codice o convenzione META26')).toBeVisible();
  await server.house.ctx.db('price_codes').where({ id: code_id }).update({ most_orders: 0 });
  await page.keyboard.press('F2');
  await page.keyboard.press('Enter');
  const alert = page.getByRole('alert').filter({ hasText: 'è già stato usato' });
  await see(alert).toContainText('Tolto dalla vendita: META26');
  await see(page.getByText('Codice o convenzione META26')).toHaveCount(0);
  await page.keyboard.press('F2');
  await page.keyboard.press('Enter');
  await see(page.getByText('Venduto')).toBeVisible();
  await see(alert).toHaveCount(0);
});

test('a class of 42 with two teachers is sold as a group: forty pay, two accompany', async () => {
  await using office = await startOffice();
  const { server } = office;
  await addRule(server, {
    ...threeForTwo,
    kind: 'group',
    name: 'Scuole',
    from_places: 20,
    percent: null,
    price_cents: 1_000,
    free_every: 20,
  });
  await openDrawer(server, office.admin);
  const size = { width: 1280, height: 900 };
  const page = await office.open(`/sell/event/${demoEvent}`, { size });
  await tillIsReady(page);
  await typeSeats(page, '42');
  const lines = page.getByRole('list', { name: 'Posti scelti' }).getByRole('listitem');
  await see(lines).toHaveCount(42);
  await expectGood(page, [390]);
  if (process.env['SHOTS'] !== undefined)
    await page.screenshot({ path: `${process.env['SHOTS']}/till-class.png` });
  await page.keyboard.press('F2');
  await page.keyboard.press('Enter');
  await sellWithReasons(page, ['Scuola Manzoni', 'Classe intera']);
  await see(page.getByText(/^Venduto: /)).toContainText('400,00');
  const { ctx } = server.house;
  const sold = await ctx.db('order_lines').groupBy('price_cents').count({ n: '*' });
  expect(await ctx.db('order_lines').where({ price_cents: 0 }).count({ n: '*' }).first()).toEqual({
    n: 2,
  });
  expect(sold).toHaveLength(2);
});
