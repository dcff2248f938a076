/** Large letters, narrow windows, the keyboard: nothing is cut off or covered, and everything can be pressed (WCAG 1.4.4, 1.4.10, 2.4.7, 2.4.11, 2.5.8). */
import { asVisitor } from '#tests/support/make.ts';
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect } from 'vitest';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { sidewaysFaults } from '#tests/support/faults.ts';
import { testVisit as test } from '#tests/support/browsers/start-visit.ts';
import { eventPage, within } from '#tests/support/visit.ts';
import { chooseTwoSeats } from '#tests/support/visitor.ts';

/** Words or controls that reach over an edge behind which nobody can scroll; the preview of the description is cut on purpose, the chart has tests of its own. */
async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isText = (element: Element) =>
      [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== '',
      );
    const clips = (element: Element, axis: 'overflowX' | 'overflowY') =>
      ['hidden', 'clip'].includes(getComputedStyle(element)[axis]);
    const scrolls = (element: Element) =>
      ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
    const found: string[] = [];
    const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent;
    const scope = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    for (const element of scope.querySelectorAll('*')) {
      const box = element.getBoundingClientRect();
      if (
        box.width === 0 ||
        !element.checkVisibility({ visibilityProperty: true }) ||
        element.closest(
          '.visually-hidden, .event-seats-seat-chart_chart, .event-header_description',
        ) ||
        !(isText(element) || element.matches('button, a, input, textarea'))
      )
        continue;
      let around: Element | null = element;
      while (around !== null && !scrolls(around)) {
        const frame = around.getBoundingClientRect();
        if (
          around !== element &&
          ((clips(around, 'overflowX') &&
            (box.right > frame.right + 1 || box.left < frame.left - 1)) ||
            (clips(around, 'overflowY') &&
              (box.bottom > frame.bottom + 1 || box.top < frame.top - 1)))
        )
          found.push(`${nameOf(element)} in ${around.className}`);
        around = around.parentElement;
      }
      if (around === null && (box.right > innerWidth + 1 || box.left < -1))
        found.push(`${nameOf(element)} beyond the window`);
      if (
        isText(element) &&
        clips(element, 'overflowX') &&
        element.scrollWidth > element.clientWidth + 1
      )
        found.push(`${nameOf(element)} in itself`);
    }
    return found;
  });
}

/**
 * Zoomed in, which makes a window narrow, and with letters twice as large, as a browser's own
 * setting makes them.
 */
const windows = [
  { name: '1280 px at 400 %', viewport: { width: 320, height: 568 }, letters: '' },
  { name: '1280 px at 200 %', viewport: { width: 640, height: 450 }, letters: '' },
  { name: 'large letters', viewport: { width: 1280, height: 900 }, letters: '200%' },
  { name: 'large letters on a phone', viewport: { width: 360, height: 740 }, letters: '200%' },
];

/** In each window; the page is left as it was. */
async function expectWhole(
  page: Page,
  state: string,
  also: () => Promise<void> = async () => {},
): Promise<void> {
  const before = page.viewportSize()!;
  for (const { name, viewport, letters } of [
    ...windows,
    { name: 'before', viewport: before, letters: '' },
  ]) {
    await page.setViewportSize(viewport);
    await page.evaluate(async (fontSize) => {
      document.documentElement.style.fontSize = fontSize;
      // What follows the size of the window is drawn in the frames after it.
      await new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      });
    }, letters);
    if (name === 'before') continue;
    expect([state, name, await sidewaysFaults(page), await cutOff(page)]).toEqual([
      state,
      name,
      [],
      [],
    ]);
    await also();
  }
}

test('in small windows and with large letters nothing is cut off; whatever the keyboard comes to is not behind the bar, shows its focus, and is large enough to touch', async (at) => {
  const { page, server } = at;
  const { order_id } = await makePaidOrder(server, {}, { nth: 7 });
  for (const path of ['/', '/i-miei-biglietti', '/condizioni']) {
    await page.goto(path);
    await see(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectWhole(page, path);
  }
  await page.goto(await asVisitor(server, `/orders/${order_id}`));
  const large = page.getByRole('button', { name: 'Mostra a tutto schermo' }).first();
  await large.waitFor(within);
  await expectWhole(page, 'tickets');
  await large.click();
  const screen = page.getByRole('dialog', { name: 'La locandiera' });
  await see(screen).toBeVisible();
  await expectWhole(page, 'a code on the whole screen', async () => {
    // What does not fit is reached by scrolling, to the last word.
    const last = screen.getByText('Alza la luminosità dello schermo');
    await last.scrollIntoViewIfNeeded();
    await see(last).toBeInViewport({ ratio: 0.9 });
  });

  await page.goto(eventPage);
  await chooseTwoSeats(page);
  await expectWhole(page, 'two seats chosen');
  await page.getByRole('button', { name: /Leggi tutto/ }).click();
  await see(page.getByRole('dialog', { name: 'La locandiera' })).toBeVisible();
  await expectWhole(page, 'the description in its drawer');
  await page.keyboard.press('Escape');
  await see(page.getByRole('dialog')).toHaveCount(0);

  for (const viewport of [
    { width: 320, height: 568 },
    { width: 640, height: 360 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    await page.evaluate(() => {
      scrollTo(0, 0);
      (document.activeElement as HTMLElement | null)?.blur();
    });
    const stops = [];
    for (const keys of ['Tab', 'Shift+Tab']) {
      for (let press = 0; press < 40; press += 1) {
        await page.keyboard.press(keys);
        const stop = await readFocus(page);
        if (stop === null) break;
        stops.push({ keys, ...stop });
      }
    }
    expect(stops.length).toBeGreaterThan(30);
    expect([
      viewport,
      stops.filter((stop) => stop.covered || !stop.outlined || stop.small),
    ]).toEqual([viewport, []]);
  }
});

/** What has the focus; null where it has left the page. */
async function readFocus(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    // A box to tick is pressed by its words, too.
    const box = (element.closest('label') ?? element).getBoundingClientRect();
    const bar = document.querySelector('.event-seats-selection-summary_bar')!;
    const inBar = bar.contains(element);
    const edge = bar.getBoundingClientRect();
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const inText = getComputedStyle(element).display === 'inline';
    return {
      name: element.getAttribute('aria-label') ?? element.textContent!.slice(0, 40),
      // A control that is higher than the window may have its end behind the bar, never its beginning.
      covered:
        (box.top < -1 && box.bottom < 24) ||
        box.top > innerHeight - 24 ||
        (!inBar &&
          box.top < edge.bottom - 1 &&
          box.bottom > edge.top + 1 &&
          box.top > edge.top - 24),
      outlined: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
      small: !inText && (box.width < 24 || box.height < 24),
    };
  });
}
