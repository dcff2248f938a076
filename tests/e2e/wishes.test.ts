/** What a visitor's system asks for: less motion, its own few colours. */
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { readQr } from '#tests/support/door/qr.ts';
import { followLink } from '#tests/support/faults.ts';
import { callOk, asVisitor } from '#tests/support/make.ts';
import { startVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, screens, within } from '#tests/support/visit.ts';
import { chooseTwoSeats } from '#tests/support/visitor.ts';

const systemColours = [
  { forcedColors: 'active', colorScheme: 'dark' },
  { forcedColors: 'active', colorScheme: 'light' },
] as const;

test('with the system’s own colours every control is seen, the focus too, and a code stays black on white; whoever asks for less motion sees none: no waves, nothing slides or turns', async () => {
  await using at = await startVisit({ viewport: screens[0] });
  const { page, server } = at;
  const { order_id } = await makePaidOrder(server, {}, { nth: 7 });
  const order = await callOk(server, getOrder, { params: { orderId: order_id } });
  await page.goto(await asVisitor(server, `/orders/${order_id}`));
  await see(page.getByRole('button', { name: 'Mostra a tutto schermo' }).first()).toBeVisible();
  for (const colours of systemColours) {
    await page.emulateMedia(colours);
    expect([colours, await unseen(page)]).toEqual([colours, []]);
    const code = page.getByRole('img', { name: /Codice QR del biglietto 1/ });
    expect(await readQr(code)).toBe(order.tickets[0]!.code);
  }
  await page.goto(eventPage);
  await page.getByRole('button', { name: /Scegli da un elenco/ }).waitFor(within);
  const more = page.getByRole('button', { name: /Leggi tutto/ });
  for (const colours of systemColours) {
    await page.emulateMedia(colours);
    expect([colours, await unseen(page)]).toEqual([colours, []]);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle)).toBe(
      'solid',
    );
    await more.click();
    await see(page.getByRole('dialog', { name: 'La locandiera' })).toBeVisible();
    expect([colours, await unseen(page)]).toEqual([colours, []]);
    await page.keyboard.press('Escape');
  }

  await page.emulateMedia({ forcedColors: 'none' });
  await chooseTwoSeats(page);
  await see(page.locator('.event-book-button_bubble')).toBeVisible();
  const running = () =>
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
  const less = () => page.emulateMedia({ reducedMotion: 'reduce' });
  const asUsual = () => page.emulateMedia({ reducedMotion: 'no-preference' });
  await asUsual();
  await expect.poll(running).toBeGreaterThan(0);
  await less();
  await expect.poll(running).toBe(0);
  await more.click();
  expect(await running()).toBe(0);
  await page.keyboard.press('Escape');
  await page.route('**/api/event/**', () => {});
  await page.goto('/');
  await followLink(page.getByRole('link', { name: /Concerto di Natale/ }));
  await see(page.locator('.ui-spinner-full')).toBeVisible();
  expect(await running()).toBe(0);
  await asUsual();
  await expect.poll(running).toBeGreaterThan(0);
}, 90_000);

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
