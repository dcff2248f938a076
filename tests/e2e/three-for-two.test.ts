/** Three for two on a phone: list price, reason and sum in the cart, a total that changes meanwhile, and the paid order. */
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { fillCard, startVisit } from '#tests/support/browsers/start-visit.ts';
import { addRule, threeForTwo } from '#tests/support/rules-in-force.ts';
import { eventPage, within } from '#tests/support/visit.ts';
import { chooseSeats, takeSeats } from '#tests/support/visitor.ts';

const phone = { width: 390, height: 844 };

test('three seats cost two, each says why; a rule that ended longer ago than the offer lasts is said in one sentence, and the buyer goes on and pays what is shown', async () => {
  await using at = await startVisit({ viewport: phone });
  const { page, server, alerts } = at;
  const { db } = server.house.ctx;
  const shot = async (name: string) => {
    if (process.env['SHOTS'] === undefined) return;
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await page.screenshot({ path: `${process.env['SHOTS']}/${name}-${width}.png` });
    }
    await page.setViewportSize(phone);
  };
  const group = { ...threeForTwo, kind: 'group' as const, name: 'In tre', from_places: 3 };
  const cheap = { ...group, percent: 50, price_cents: null, free_every: null };
  const first = await addRule(server, cheap);
  await page.goto(eventPage);
  await chooseSeats(page, { row: 'C', seats: ['1', '2'] });
  await see(page.getByText('2 posti · 64,00').first()).toBeVisible();
  await see(page.getByText(/^Con un biglietto in più paghi meno: .*scende a 48,00/)).toBeVisible();
  await page.locator('#selected-title').scrollIntoViewIfNeeded();
  await shot('hint');
  await takeSeats(page, { row: 'C', seats: ['3'] });
  await see(page.getByText('3 posti · 48,00').first()).toBeVisible();
  // Longer ago than the page's offer lasts.
  const ended_at = server.clock.now() - 21 * 60_000;
  await db('price_rules').where({ id: first }).update({ ended_at });
  await addRule(server, threeForTwo);
  await db('price_rules').whereNot({ id: first }).update({ created_at: ended_at });

  const pay = page.locator('.event-seats-selection-summary_button');
  await pay.click();
  await see(page.getByText(/Il totale è cambiato: ora è 64,00/)).toBeVisible();
  await see(page.getByText('3 posti · 64,00').first()).toBeVisible();
  await see(page.locator('s', { hasText: '32,00' })).toHaveCount(3);
  await see(page.getByText('3x2: il meno caro è gratis').first()).toBeVisible();
  await see(page.getByText(/prezzo intero 32,00.*paghi 21,33/).first()).toBeAttached();
  await see(page.getByText(/A prezzo intero 96,00.*risparmi 32,00/)).toBeVisible();
  expect(alerts).toEqual([]);
  await page.locator('#selected-title').evaluate((title) => title.scrollIntoView());
  await shot('cart');

  await see(pay).toHaveText(/Paga 64,00/);
  await pay.click();
  await page.waitForURL(/\/c\/pay\//, within);
  await shot('checkout');
  await fillCard(page);
  await page.getByRole('button', { name: /^Paga 64,00/ }).click();
  await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible();
  await see(page.getByText('Intero, 3x2').first()).toBeVisible();
  await page.getByText('Intero, 3x2').first().scrollIntoViewIfNeeded();
  await shot('order');
  expect(await db('orders').first('total_cents', 'paid_cents')).toEqual({
    total_cents: 6_400,
    paid_cents: 6_400,
  });
  expect(at.troubles).toEqual([]);
});
