/** A step of list prices that ends while seats are held, on a phone: what was shown is paid, the next visitor sees the new price. */
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { fillCard, startVisit } from '#tests/support/browsers/start-visit.ts';
import { setPhases } from '#tests/support/price-phases.ts';
import { eventPage } from '#tests/support/visit.ts';
import { chooseSeats, pressPay } from '#tests/support/visitor.ts';

const minute = 60_000;

test('the next price stands beside the present one and in the cart; seats held over the end cost what was shown', async () => {
  await using at = await startVisit({ viewport: { width: 390, height: 844 } });
  const { page, server } = at;
  const until = { kind: 'day', at: server.clock.now() + 5 * minute } as const;
  await setPhases(server, [{ name: 'Prevendita anticipata', until, cents: 2_700 }]);
  await page.goto(eventPage);
  const prices = page.getByRole('region', { name: 'Prezzi' });
  await see(prices.getByText(/^dal.* alle \d\d:\d\d a 32,00/)).toBeVisible();
  await chooseSeats(page, { row: 'C', seats: ['1', '2'] });
  await see(page.getByText('2 posti · 54,00').first()).toBeVisible();
  await see(page.getByText(/^Platea, Intero: dal.* 32,00/)).toBeVisible();
  await shoot(page, 'phase-cart');
  server.clock.advance(8 * minute);
  await pressPay(page);
  await fillCard(page);
  await page.getByRole('button', { name: /^Paga 54,00/ }).click();
  await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible();
  expect(await server.house.ctx.db('orders').first('paid_cents', 'sold_in_phase')).toEqual({
    paid_cents: 5_400,
    sold_in_phase: 'Prevendita anticipata',
  });
  await page.goto(eventPage);
  await see(prices.getByText(/32,00/).first()).toBeVisible();
  await see(prices.getByText(/27,00/)).toHaveCount(0);
  expect(at.troubles).toEqual([]);
});

async function shoot(page: Page, name: string) {
  const folder = process.env['SHOTS'];
  if (folder === undefined) return;
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
  }
}
