/** Public pages on paper: black on white from the dark theme too, no buttons, every ticket whole with a large code that a camera reads. */
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { readQr } from '#tests/support/door/qr.ts';
import { callOk, asVisitor } from '#tests/support/make.ts';
import { startVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, screens, within } from '#tests/support/visit.ts';

/** A4 less the margins of 12 mm, at 96 pixels an inch. */
const paper = { width: 703, height: 1032 };
const millimetre = 96 / 25.4;

/** What a sheet shows: nothing to press, and letters that are dark on white. */
async function readSheet(page: Page) {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(paper);
  return page.evaluate(() => {
    const shown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const brightness = (colour: string) =>
      Math.max(
        ...colour
          .match(/[\d.]+/g)!
          .slice(0, 3)
          .map(Number),
      );
    const words = [...document.querySelectorAll('#root *')].filter(
      (element) =>
        shown(element) &&
        !element.closest('svg, .visually-hidden') &&
        [...element.childNodes].some(
          (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== '',
        ),
    );
    return {
      ground: getComputedStyle(document.body).backgroundColor,
      buttons: [...document.querySelectorAll('button, summary, dialog')]
        .filter(shown)
        .map((button) => button.textContent),
      pale: words
        .filter((element) => brightness(getComputedStyle(element).color) > 140)
        .map((element) => element.textContent),
      words: words.length,
      sideways: document.documentElement.scrollWidth - innerWidth,
    };
  });
}

/** From both themes. */
async function expectSheet(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const { words, ...sheet } = await readSheet(page);
    expect(sheet).toEqual({ ground: 'rgb(255, 255, 255)', buttons: [], pale: [], sideways: 0 });
    expect(words).toBeGreaterThan(10);
  }
}

test('on paper tickets are whole with a code that is read, and the evening says what, when, where, the whole description and the prices', async () => {
  await using at = await startVisit({ viewport: screens[0] });
  const { page, server } = at;
  const { order_id } = await makePaidOrder(server, {}, { count: 3 });
  const { tickets } = await callOk(server, getOrder, { params: { orderId: order_id } });
  await page.goto(await asVisitor(server, `/orders/${order_id}`));
  await see(page.getByRole('button', { name: 'Mostra a tutto schermo' }).first()).toBeVisible();
  await expectSheet(page);
  const cards = await page.locator('.order-ticket-ticket-card_ticket').all();
  expect(cards).toHaveLength(tickets.length);
  for (const [index, card] of cards.entries()) {
    const ticket = tickets[index]!;
    for (const part of ['La locandiera', ticket.seat, ticket.code_for_people])
      await see(card).toContainText(part);
    const code = card.getByRole('img', { name: /Codice QR/ });
    expect((await code.boundingBox())!.width).toBeGreaterThanOrEqual(60 * millimetre);
    expect(await readQr(code)).toBe(ticket.code);
    // A sheet ends between two tickets, and none is higher than a sheet.
    expect([
      await card.evaluate((element) => getComputedStyle(element).breakInside),
      (await card.boundingBox())!.height < paper.height,
    ]).toEqual(['avoid', true]);
  }

  await page.emulateMedia({ media: 'screen' });
  await page.goto(eventPage);
  await page.getByRole('button', { name: /Scegli da un elenco/ }).waitFor(within);
  await expectSheet(page);
  for (const part of ['ore 21:00', 'Teatro Goldoni', 'Consigliata dai 10 anni', '32,00'])
    await see(page.getByText(part).first()).toBeVisible();
  const description = page.locator('.event-header_description');
  expect(
    await description.evaluate((element) => element.scrollHeight - element.clientHeight),
  ).toBeLessThanOrEqual(1);
  await page.goto('/');
  await see(page.getByRole('heading', { name: 'La locandiera' })).toBeVisible();
  await expectSheet(page);
});
