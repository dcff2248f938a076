/**
 * RULES W4: breakpoints and widths, seen on each side of every edge; RULES P2: how prices are
 * written.
 */
import { asVisitor } from '#tests/support/make.ts';
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { startVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, within } from '#tests/support/visit.ts';

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

/** The page speaks Italian, and has at least so many prices, all of them euros with a comma. */
async function expectEuros(page: Page, least: number): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('it');
  const text = () => page.locator('body').innerText();
  await see
    .poll(async () => (await text()).match(/€/g)?.length ?? 0, within)
    .toBeGreaterThanOrEqual(least);
  const prices = (await text()).match(/\S*\s?€\S*/g)!;
  expect(
    prices.filter((price) => !/^\(?\d{1,3}(\.\d{3})*,\d\d\u00a0€[).,;]?$/.test(price)),
  ).toEqual([]);
}

async function expectCentred(page: Page, ...selectors: string[]): Promise<void> {
  for (const selector of selectors) {
    const { x, width } = (await page.locator(selector).boundingBox())!;
    expect([selector, width, x]).toEqual([selector, 900, 350]);
  }
}

test('§2, §9: mobile is below 768 px and large above 1100 px, at no width does anything scroll sideways, content is at most 900 px wide and in the middle; all is Italian, whatever the browser speaks, and prices are euros with a comma', async () => {
  await using at = await startVisit({ locale: 'en-US' });
  const { page, server } = at;
  const { order_id } = await makePaidOrder(server);
  await page.goto('/');
  await expectEuros(page, 2);
  await page.goto(eventPage);
  await see(page.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible();
  await expectEuros(page, 6);
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
  ] as const)
    expect([width, await lookAt(page, width)]).toEqual([width, look]);

  await page.setViewportSize({ width: 1600, height: 1000 });
  const footer = '.shell-page-page-footer_footer';
  await expectCentred(page, 'main', '.event-header_inner', '.event-header_bar', footer);
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
  await page.goto(await asVisitor(server, `/orders/${order_id}`));
  await see(page.getByRole('heading', { name: 'Ordine confermato!' })).toBeVisible();
  await expectCentred(page, 'main', footer);
  await expectEuros(page, 3);
});
