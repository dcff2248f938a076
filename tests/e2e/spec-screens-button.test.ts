/** RULES W5, the round booking button at the right of the header. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { startServer } from '#tests/support/server.ts';
import { eventPage, screens, visit, within } from '#tests/support/visit.ts';
import { chooseSeats } from '#tests/support/visitor.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

for (const viewport of screens) {
  test(`§2: with nothing selected the booking button shows an empty cart and is hidden; with seats a cart, their number, waves and "Procedi al pagamento" (${viewport.width} px)`, async () => {
    await using server = await startServer();
    await using visitor = await visit(browser, server.url, {
      viewport,
      reducedMotion: 'no-preference',
    });
    const { page } = visitor;
    await page.goto(eventPage);
    await see(page.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible(within);
    const round = page.locator('.event-book-button_button');
    const icon = () => round.locator('svg path').getAttribute('d');
    const bubble = page.locator('.event-book-button_bubble');
    await see(round).toBeHidden();
    await see(
      page.getByRole('banner').getByRole('button', { name: /Procedi al pagamento/ }),
    ).toHaveCount(0);
    await see(bubble).toHaveCount(0);
    const emptyCart = await icon();
    expect(emptyCart).toMatch(/^M/);

    await chooseSeats(page, { row: 'C', seats: ['1'] });
    for (const seat of [2, 3]) {
      await see(page.locator('.event-book-button_badge')).toHaveText(String(seat - 1), within);
      await page
        .getByRole('button', { name: new RegExp(`Fila C, posto ${seat},.*libero`) })
        .click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Intero/ })
        .click();
    }
    await see(page.locator('.event-book-button_badge')).toHaveText('3', within);
    await see(
      page.getByRole('banner').getByRole('button', {
        name: /^Procedi al pagamento, 3 posti scelti, ordine con obbligo di pagare 96,00/,
      }),
    ).toBeVisible();
    expect(await icon()).not.toBe(emptyCart);
    await see(bubble).toHaveText('Procedi al pagamento');

    await page.evaluate(() => scrollTo(0, 0));
    for (const part of [round, bubble, page.locator('.event-book-button_badge')])
      await see(part).toBeInViewport({ ratio: 1 });
    const [button, head, title] = await Promise.all(
      [round, page.getByRole('banner'), page.getByRole('heading', { level: 1 })].map(
        async (part) => (await part.boundingBox())!,
      ),
    );
    // Round, large enough for a thumb, in the header, and to the right of the title's first letters.
    await see(round).toHaveCSS('border-radius', '50%');
    expect(button!.width).toBeCloseTo(button!.height, 1);
    expect(button!.width).toBeGreaterThanOrEqual(44);
    expect(button!.y + button!.height).toBeLessThanOrEqual(head!.y + head!.height);
    expect(button!.x).toBeGreaterThan(viewport.width / 2);
    expect(button!.x).toBeGreaterThan(title!.x);
    expect(button!.x + button!.width).toBeGreaterThan(
      Math.min(viewport.width, viewport.width / 2 + 450) - 40,
    );
    const waves = await page
      .locator('.event-book-button_waves span')
      .evaluateAll((spans) =>
        spans.map(
          (span) =>
            span
              .getAnimations()
              .filter(
                (animation) =>
                  animation.playState === 'running' &&
                  animation.effect!.getTiming().iterations === Infinity,
              ).length,
        ),
      );
    expect(waves).toEqual([1, 1]);
    // Waves may not widen the page.
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);

    for (const left of [2, 1, 0]) {
      await page
        .getByRole('button', { name: /^Togli / })
        .first()
        .click();
      await see(page.getByRole('button', { name: /^Togli / })).toHaveCount(left, within);
    }
    await see(round).toBeHidden();
    await see(bubble).toHaveCount(0);
    expect(await icon()).toBe(emptyCart);
    expect(visitor.troubles).toEqual([]);
  });

  test(`§2: the booking button books: it leads to the checkout (${viewport.width} px)`, async () => {
    await using server = await startServer();
    await using visitor = await visit(browser, server.url, { viewport });
    const { page, countCalls } = visitor;
    await page.goto(eventPage);
    await chooseSeats(page, { row: 'C', seats: ['1', '2'] });
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Procedi al pagamento, 2 posti scelti/ })
      .click(within);
    await page.waitForURL(/\/c\/pay\//, within);
    expect(countCalls(/^POST .*\/book$/)).toBe(1);
  });
}

test('§2: who wants no movement sees the cart and its number without waves', async () => {
  await using server = await startServer();
  await using visitor = await visit(browser, server.url, { reducedMotion: 'reduce' });
  const { page } = visitor;
  await page.goto(eventPage);
  await chooseSeats(page, { row: 'C', seats: ['1', '2'] });
  await see(page.locator('.event-book-button_badge')).toHaveText('2', within);
  await see
    .poll(
      () =>
        page
          .locator('.event-book-button_book')
          .evaluate(
            (book) =>
              book
                .getAnimations({ subtree: true })
                .filter((animation) => animation.playState === 'running').length,
          ),
      within,
    )
    .toBe(0);
});
