/** The bar under the chart: sum and time always in view, never over the places that it speaks of; and what waits for the chart is as dark as it. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { startServer } from '#tests/support/server.ts';
import { eventPage, visit, within } from '#tests/support/visit.ts';
import { chooseSeats } from '#tests/support/visitor.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const inView = async (page: Page, selector: string) => {
  const { top, bottom } = await page
    .locator(selector)
    .evaluate((one) => one.getBoundingClientRect().toJSON() as DOMRect);
  return top >= 0 && bottom <= page.viewportSize()!.height + 1;
};

for (const viewport of [
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 844, height: 390 },
])
  test(`once a seat is chosen the whole chart stands above the bar, and sum and time stay in view (${viewport.width} × ${viewport.height})`, async () => {
    await using server = await startServer();
    await using visitor = await visit(browser, server.url, { viewport });
    const { page } = visitor;
    await page.goto(eventPage);
    await see(page.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible(within);
    // The chart is cut by the lower edge of the window.
    await page
      .locator('.event-seats-seat-chart_chart')
      .evaluate((chart) => scrollBy(0, chart.getBoundingClientRect().top - innerHeight * 0.4));
    await chooseSeats(page, { row: 'C', seats: ['1'] });
    await see(page.getByText('1 posto · 32,00').first()).toBeVisible(within);
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
    for (const part of ['.event-seats-seat-chart_chart', '#selected-title']) {
      await page.locator(part).evaluate((one) => one.scrollIntoView({ block: 'start' }));
      expect(await inView(page, '.event-seats-selection-summary_text')).toBe(true);
    }
  });

test('in the light theme, too, the chart’s place is as dark as the chart while it waits', async () => {
  await using server = await startServer();
  await using visitor = await visit(browser, server.url, { colorScheme: 'light' });
  const { page } = visitor;
  let go = () => {};
  const wait = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route('**/chart.js', async (route) => {
    await wait;
    await route.continue();
  });
  await page.goto(eventPage);
  await see(page.getByText('Carichiamo la pianta dei posti…')).toBeVisible(within);
  const colorOf = (selector: string) =>
    page.locator(selector).evaluate((one) => getComputedStyle(one).backgroundColor);
  // The chart's own script may just take the place of what waited for it: an element that has gone has no colour.
  let before = '';
  await see
    .poll(async () => (before = await colorOf('.event-seats-seat-chart_chart')), within)
    .not.toBe('');
  go();
  await see(page.locator('.bsc')).toBeVisible(within);
  expect(before).toBe(await colorOf('.bsc'));
});
