/** RULES W5, the round booking button at the right of the header. */
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { startVisit } from '#tests/support/browsers/start-visit.ts';
import { eventPage, screens, within } from '#tests/support/visit.ts';
import { chooseSeats, takeSeats } from '#tests/support/visitor.ts';

test('§2: with nothing selected the booking button shows an empty cart and is hidden; with seats a cart, their number, waves and "Procedi al pagamento", and it books', async () => {
  await using at = await startVisit({ viewport: screens[0], reducedMotion: 'no-preference' });
  const { page } = at;
  await page.goto(eventPage);
  await see(page.getByRole('button', { name: /Scegli da un elenco/ })).toBeVisible();
  const round = page.locator('.event-book-button_button');
  const icon = () => round.locator('svg path').getAttribute('d');
  const bubble = page.locator('.event-book-button_bubble');
  const badge = page.locator('.event-book-button_badge');
  const header = page.getByRole('banner');
  await see(round).toBeHidden();
  await see(header.getByRole('button', { name: /Procedi al pagamento/ })).toHaveCount(0);
  await see(bubble).toHaveCount(0);
  const emptyCart = await icon();
  expect(emptyCart).toMatch(/^M/);

  await chooseSeats(page, { row: 'C', seats: ['1'] });
  await see(badge).toHaveText('1');
  await takeSeats(page, { row: 'C', seats: ['2', '3'] });
  await see(badge).toHaveText('3');
  const named = header.getByRole('button', {
    name: /^Procedi al pagamento, 3 posti scelti, ordine con obbligo di pagare 96,00/,
  });
  await see(named).toBeVisible();
  expect(await icon()).not.toBe(emptyCart);
  await see(bubble).toHaveText('Procedi al pagamento');

  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    await page.evaluate(() => scrollTo(0, 0));
    for (const part of [round, bubble, badge]) await see(part).toBeInViewport({ ratio: 1 });
    const [button, head, title] = await Promise.all(
      [round, header, page.getByRole('heading', { level: 1 })].map(
        async (part) => (await part.boundingBox())!,
      ),
    );
    // Round, large enough for a thumb, in the header, and to the right of the title's first
    // letters.
    await see(round).toHaveCSS('border-radius', '50%');
    expect(button!.width).toBeCloseTo(button!.height, 1);
    expect(button!.width).toBeGreaterThanOrEqual(44);
    expect(button!.y + button!.height).toBeLessThanOrEqual(head!.y + head!.height);
    expect(button!.x).toBeGreaterThan(viewport.width / 2);
    expect(button!.x).toBeGreaterThan(title!.x);
    expect(button!.x + button!.width).toBeGreaterThan(
      Math.min(viewport.width, viewport.width / 2 + 450) - 40,
    );
    // Waves may not widen the page.
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  }
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

  const takeAway = page.getByRole('button', { name: /^Togli / });
  for (const left of [2, 1, 0]) {
    await takeAway.first().click();
    await see(takeAway).toHaveCount(left);
  }
  await see(round).toBeHidden();
  await see(bubble).toHaveCount(0);
  expect(await icon()).toBe(emptyCart);

  await takeSeats(page, { row: 'C', seats: ['1', '2'] });
  await header.getByRole('button', { name: /^Procedi al pagamento, 2 posti scelti/ }).click(within);
  await page.waitForURL(/\/c\/pay\//, within);
  expect([at.countCalls(/^POST .*\/book$/), at.troubles]).toEqual([1, []]);
});
