/** Bookings that ask for a whole chart of 20,000 seats keep nobody waiting and fill no memory. */
import { expect, onTestFinished, test } from 'vitest';
import { makeData, startProduct } from '#tests/support/product.ts';
import { openLargeHall } from './large-hall.ts';
import { askForCharts, wishes } from './whole-charts.ts';

test('bookings that want the whole chart are answered without it, or share it', async () => {
  const data = await makeData('sqlite', '');
  onTestFinished(() => data.clean());
  data.env['TRUST_PROXY'] = '1';
  await using product = await startProduct(data);
  const hall = await openLargeHall(product, 20_000);
  for (const wish of Object.values(wishes)) {
    const { mean, memory } = await askForCharts(product, await wish(hall));
    // When each read its own it was 6 to 12 s, and up to 570 MB.
    expect(mean).toBeLessThan(3_000);
    expect(memory).toBeLessThan(300);
  }
});
