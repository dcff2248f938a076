/** RULES W4: breakpoints and widths, seen on each side of every edge. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { demoEvent } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';
import { visit } from '#tests/support/visit.ts';

const within = { timeout: 20_000 };
const eventPage = `/event/${demoEvent}`;
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function lookAt(page: Page, width: number) {
  await page.setViewportSize({ width, height: 900 });
  return page.evaluate(() => {
    const boxOf = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
    return {
      ball: boxOf('.event-header_ball').width,
      banner: boxOf('.event-header_banner').height,
      beside:
        boxOf('.event-seats-selection-summary_button').top <
        boxOf('.event-seats-selection-summary_text').bottom,
      sideways: document.documentElement.scrollWidth - innerWidth,
    };
  });
}

test('§9: mobile is below 768 px and large above 1100 px; at no width does anything scroll sideways', async () => {
  await using server = await startServer();
  await using visitor = await visit(browser, server.url);
  const { page } = visitor;
  await page.goto(eventPage);
  await see(page.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible(within);
  const mobile = { ball: 120, banner: 168, beside: false, sideways: 0 };
  const middle = { ball: 192, banner: 240, beside: true, sideways: 0 };
  const large = { ...middle, banner: 272 };
  for (const [width, look] of [
    [320, mobile],
    [390, mobile],
    [767, mobile],
    [768, middle],
    [1100, middle],
    [1101, large],
    [1280, large],
    [1920, large],
  ] as const) {
    expect([width, await lookAt(page, width)]).toEqual([width, look]);
  }
});

test('§2, §9: page content is at most 900 px wide and stands in the middle, on the event page, in its drawers and on the order page', async () => {
  await using server = await startServer();
  const { order_id } = await makePaidOrder(server);
  await using visitor = await visit(browser, server.url, {
    viewport: { width: 1600, height: 1000 },
  });
  const { page } = visitor;
  const expectCentred = async (...selectors: string[]) => {
    for (const selector of selectors) {
      const { x, width } = (await page.locator(selector).boundingBox())!;
      expect([selector, width, x]).toEqual([selector, 900, 350]);
    }
  };
  await page.goto(eventPage);
  await see(page.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible(within);
  await expectCentred(
    'main',
    '.event-header_inner',
    '.event-header_bar',
    '.shell-page-page-footer_footer',
  );
  for (const [button, drawer] of [
    [/^Leggi tutto/, 'La locandiera'],
    ['Info | Contatti | Privacy Policy', 'Info e contatti'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await see(page.getByRole('dialog', { name: drawer })).toBeVisible();
    const { x, width } = (await page.locator('dialog[open]').boundingBox())!;
    expect([drawer, width <= 900, x + width / 2]).toEqual([drawer, true, 800]);
    await page.keyboard.press('Escape');
  }
  await page.goto(`/orders/${order_id}`);
  await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible(within);
  await expectCentred('main', '.shell-page-page-footer_footer');
});

test('§9: everything is said in Italian, whatever the browser speaks; prices are euros with a comma on every screen', async () => {
  await using server = await startServer();
  const { order_id } = await makePaidOrder(server);
  await using visitor = await visit(browser, server.url, { locale: 'en-US' });
  const { page } = visitor;
  for (const [path, least] of [
    ['/', 2],
    [eventPage, 6],
    [`/orders/${order_id}`, 3],
  ] as const) {
    await page.goto(path);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('it');
    await see
      .poll(async () => (await page.locator('body').innerText()).match(/€/g)?.length ?? 0, within)
      .toBeGreaterThanOrEqual(least);
    const text = await page.locator('body').innerText();
    expect([
      path,
      text
        .match(/\S*\s?€\S*/g)!
        .filter((price) => !/^\(?\d{1,3}(\.\d{3})*,\d\d\u00a0€[).,;]?$/.test(price)),
    ]).toEqual([path, []]);
  }
});
