/**
 * Moving tickets in a real browser: typed or pressed on the map, with the difference before and the
 * way back after, at every width of the office.
 */
import { expect } from 'vitest';
import { demoEvent, findSeats } from '#tests/support/make.ts';
import { makeSold, soldOf } from '#tests/support/move.ts';
import { type TestServer } from '#tests/support/server.ts';
import { expectGood, goTo, see, testOffice as test } from './office.ts';

/** As the counter types it: "Platea B4 B5". */
async function typedAs(server: TestServer, labels: readonly string[]): Promise<string> {
  const rows: { place: string; section: string; row: string; seat: string }[] =
    await server.house.ctx
      .db('places')
      .where({ event_id: demoEvent })
      .whereIn('place', [...labels]);
  return labels
    .map((label) => rows.find(({ place }) => place === label)!)
    .map(({ section, row, seat }) => `${section.split(' ')[0]} ${row}${seat}`)
    .join(' ');
}

test('from the order to other seats by keyboard, one sentence before, done, and back with one press; a cheaper seat asks how the money goes back, and nobody is moved before it is said', async (office) => {
  const { server } = office;
  const { db } = server.house.ctx;
  const sold = await makeSold(server, { count: 2 });
  const single = await makeSold(server, { count: 1, nth: 1 });
  const to = await findSeats(server, { count: 2, nth: 3 });
  const page = await office.open(`/orders/${sold.order_id}`);
  await page.getByRole('link', { name: 'Sposta…' }).press('Enter');
  const line = page.getByLabel('Posti nuovi');
  await see(line).toBeVisible();
  await line.fill('Platea ZZ99');
  await line.press('Enter');
  await see(page.getByText('ZZ99 non esiste.')).toBeVisible();
  await page.getByRole('button', { name: 'Proponi posti' }).press('Enter');
  await see(page.getByRole('button', { name: 'Sposta 2 biglietti' })).toBeVisible();
  await line.fill(await typedAs(server, to));
  await line.press('Enter');
  await see(page.getByText('il prezzo non cambia')).toBeVisible();
  await see(page.getByText('i codici di prima non valgono più')).toBeVisible();
  await see(page.locator('[class*="move_map"] canvas').first()).toBeVisible();
  const bright = await page.evaluate(() =>
    getComputedStyle(document.documentElement).getPropertyValue('--seat-found'),
  );
  expect(bright).not.toBe('');
  await expectGood(page, [1440, 1152, 1024, 768]);
  await page.getByRole('button', { name: 'Sposta 2 biglietti' }).press('Enter');
  await see(page.getByText('Fatto.')).toBeVisible();
  expect((await soldOf(server, sold.order_id)).seats).toEqual(to);
  await page.getByRole('button', { name: 'Rimetti com’era' }).press('Enter');
  await expect.poll(async () => (await soldOf(server, sold.order_id)).seats).toEqual(sold.seats);

  const [cheap] = await findSeats(server, { count: 1, category: 'Galleria' });
  await goTo(page, `/orders/${single.order_id}`);
  await page.getByRole('link', { name: 'Sposta…' }).click();
  const seat = page.getByLabel('Posto nuovo');
  await seat.fill(await typedAs(server, [cheap!]));
  await seat.press('Enter');
  await see(page.getByText('Differenza da restituire: 14,00')).toBeVisible();
  await page.getByLabel('Senza differenza').check();
  const button = page.getByRole('button', { name: 'Sposta 1 biglietto' });
  await see(button).toBeDisabled();
  await page.getByLabel('Perché', { exact: true }).fill('Preferisce stare in alto');
  await page.getByLabel('Lascia bloccati i posti di prima').check();
  await see(button).toBeDisabled();
  await page.getByLabel('Perché restano bloccati').fill('Poltrona rotta');
  await button.click();
  await see(page.getByText('Fatto.')).toBeVisible();
  await see(page.getByRole('button', { name: 'Rimetti com’era' })).toHaveCount(0);
  expect(await db('blocked_places').pluck('place')).toEqual(single.seats);
  expect(
    await db('orders').where({ id: single.order_id }).first('total_cents', 'refunded_cents'),
  ).toEqual({ total_cents: 3_200, refunded_cents: 0 });
  expect(server.logged).toEqual([]);
});
