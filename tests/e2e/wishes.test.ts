/** What a visitor's system asks for: less motion, its own few colours. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { followLink, openPage } from '#tests/support/faults.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { readQr } from '#tests/support/door/qr.ts';
import { startServer } from '#tests/support/server.ts';
import { chooseSeats } from '#tests/support/visitor.ts';

const within = { timeout: 20_000 };
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test(
  'whoever asks for less motion sees none: no waves, nothing slides or turns',
  { timeout: 90_000 },
  async () => {
    await using server = await startServer();
    const running = (page: Page) =>
      page.evaluate(
        () =>
          document
            .getAnimations()
            .filter(
              (animation) =>
                animation.playState === 'running' &&
                !(animation.effect as KeyframeEffect).target!.closest(
                  '.event-seats-seat-chart_chart',
                ),
            ).length,
      );
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      await using visitor = await openPage(browser, server.url, { reducedMotion });
      const { page } = visitor;
      await page.goto(`/event/${demoEvent}`);
      // The visitor before has his seats still in his hands.
      await chooseSeats(page, { row: reducedMotion === 'reduce' ? 'D' : 'C', seats: ['1', '2'] });
      await see(page.locator('.event-book-button_bubble')).toBeVisible(within);
      const waves = await running(page);
      await page.getByRole('button', { name: /Leggi tutto/ }).click();
      const sliding = await running(page);
      await page.keyboard.press('Escape');
      await page.route('**/api/event/**', () => {});
      await page.goto('/');
      await followLink(page.getByRole('link', { name: /Concerto di Natale/ }));
      await see(page.locator('.ui-spinner-full')).toBeVisible(within);
      const turning = await running(page);
      if (reducedMotion === 'reduce') expect([waves, sliding, turning]).toEqual([0, 0, 0]);
      else expect([waves > 0, turning > 0]).toEqual([true, true]);
    }
  },
);

test(
  'with the system’s own colours every control is seen, the focus too, and a code stays black on white',
  { timeout: 90_000 },
  async () => {
    await using server = await startServer();
    const { order_id } = await makePaidOrder(server, {}, { nth: 7 });
    const { code } = (await callOk(server, getOrder, { params: { orderId: order_id } }))
      .tickets[0]!;
    for (const colorScheme of ['dark', 'light'] as const) {
      await using visitor = await openPage(browser, server.url, {
        forcedColors: 'active',
        colorScheme,
        viewport: { width: 390, height: 844 },
      });
      const { page } = visitor;
      await page.goto(`/orders/${order_id}`);
      await see(page.getByRole('button', { name: 'Mostra a tutto schermo' }).first()).toBeVisible(
        within,
      );
      expect(await unseen(page)).toEqual([]);
      expect(await readQr(page.getByRole('img', { name: /Codice QR del biglietto 1/ }))).toBe(code);
      await page.goto(`/event/${demoEvent}`);
      await page.getByRole('button', { name: /Scegli da un elenco/ }).waitFor(within);
      expect(await unseen(page)).toEqual([]);
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle),
      ).toBe('solid');
      await page.getByRole('button', { name: /Leggi tutto/ }).click();
      await see(page.getByRole('dialog', { name: 'La locandiera' })).toBeVisible();
      expect(await unseen(page)).toEqual([]);
    }
  },
);

/** Controls that have neither words nor a picture in another colour than what is behind them. */
async function unseen(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const groundOf = (element: Element | null): string => {
      if (element === null) return getComputedStyle(document.body).backgroundColor;
      const { backgroundColor } = getComputedStyle(element);
      return backgroundColor === 'rgba(0, 0, 0, 0)'
        ? groundOf(element.parentElement)
        : backgroundColor;
    };
    const controls = [...document.querySelectorAll('button, a, input, summary')].filter(
      (control) =>
        control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        !control.closest('.event-seats-seat-chart_chart'),
    );
    if (controls.length < 5) return ['too few controls to say anything'];
    return controls
      .filter((control) => {
        const { color, borderTopColor, borderTopWidth } = getComputedStyle(control);
        return (
          color === groundOf(control) ||
          (control.matches('input') &&
            (borderTopWidth === '0px' || borderTopColor === groundOf(control)))
        );
      })
      .map((control) => control.outerHTML.slice(0, 120));
  });
}
