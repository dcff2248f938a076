/** The bar under the chart: sum and time always in view, never over the places that it speaks of; and what waits for the chart is as dark as it. */
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { holdCalls, startVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, within } from '#tests/support/visit.ts';
import { openRow, takeSeats } from '#tests/support/visitor.ts';

test('in the light theme, too, the chart’s place is as dark as the chart while it waits; once a seat is chosen the whole chart stands above the bar, and sum and time stay in view', async () => {
  await using at = await startVisit({ colorScheme: 'light' });
  const { page } = at;
  const letGo = await holdCalls(page, '**/chart.js');
  await page.goto(eventPage);
  await see(page.getByText('Carichiamo la pianta dei posti…')).toBeVisible();
  const place = page.locator('.event-seats-seat-chart_chart');
  const colorOf = (selector: string) =>
    page.locator(selector).evaluate((one) => getComputedStyle(one).backgroundColor);
  // The chart's own script may just take the place of what waited for it: an element that has gone
  // has no colour.
  let before = '';
  await see
    .poll(async () => (before = await colorOf('.event-seats-seat-chart_chart')), within)
    .not.toBe('');
  letGo();
  await see(page.locator('.bsc')).toBeVisible();
  expect(before).toBe(await colorOf('.bsc'));

  await openRow(page, 'C');
  for (const viewport of [
    { width: 768, height: 1024 },
    { width: 1280, height: 800 },
    { width: 844, height: 390 },
  ]) {
    await page.setViewportSize(viewport);
    // The chart is cut by the lower edge of the window.
    await place.evaluate((chart) =>
      scrollBy(0, chart.getBoundingClientRect().top - innerHeight * 0.4),
    );
    await takeSeats(page, { row: 'C', seats: ['1'] });
    await see(page.getByText('1 posto · 32,00').first()).toBeVisible();
    const overlap = () =>
      page.evaluate(() => {
        const boxOf = (selector: string) =>
          document.querySelector(selector)!.getBoundingClientRect();
        return (
          boxOf('.event-seats-seat-chart_chart').bottom -
          boxOf('.event-seats-selection-summary_bar').top
        );
      });
    await expect.poll(overlap).toBeLessThanOrEqual(1);
    for (const part of [place, page.locator('#selected-title')]) {
      await part.evaluate((one) => one.scrollIntoView({ block: 'start' }));
      await see(page.locator('.event-seats-selection-summary_text')).toBeInViewport({
        ratio: 0.98,
      });
    }
    await page.getByRole('button', { name: /^Togli .*posto 1/ }).click();
    await see(page.getByText('Nessun posto scelto')).toBeVisible();
  }
});
