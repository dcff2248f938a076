/** Moving about on the map: wheel, drag, pinch, keys and the small map, in a real browser. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { buildScripts, openTheatre } from './theatre.ts';

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), buildScripts()]);
});
afterAll(() => browser.close());

const phone = {
  viewport: { width: 390, height: 760 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};
const painted = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
const home = (page: Page) => page.getByRole('button', { name: 'Mostra tutta la sala' });
const isWhole = async (page: Page) => (await home(page).getAttribute('aria-disabled')) === 'true';

/** What is painted, as text: equal when the view is the same. */
async function viewOf(page: Page): Promise<string> {
  await painted(page);
  return page.evaluate('document.querySelector(".bsc-map").toDataURL()');
}

async function middleOf(page: Page): Promise<{ x: number; y: number }> {
  const box = (await page.locator('.bsc-map').boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test('the wheel comes near, a drag moves, and a drag is no click', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears, ask } = await theatre.enter({ chart: { session: 'none' } });
  await hears('rendered');
  const { x, y } = await middleOf(page);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -400);
  await expect.poll(() => isWhole(page)).toBe(false);
  const before = await viewOf(page);
  await page.mouse.down();
  await page.mouse.move(x - 120, y - 60, { steps: 6 });
  await page.mouse.up();
  expect(await viewOf(page)).not.toBe(before);
  expect(await ask('chart.selectedObjects')).toEqual([]);
  await home(page).click();
  await expect.poll(() => isWhole(page)).toBe(true);
});

test('a wheel turned outwards at the whole view scrolls the page', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter({
    chart: { session: 'none' },
    prepare: (page) =>
      page.addInitScript(
        'addEventListener("DOMContentLoaded", () => { document.body.style.height = "3000px"; })',
      ),
  });
  await hears('rendered');
  const { x, y } = await middleOf(page);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 300);
  await page.waitForFunction('scrollY > 0');
});

test('keys on the map: plus and minus, arrows, and nought for the whole', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter({ chart: { session: 'none' } });
  await hears('rendered');
  const whole = await viewOf(page);
  await page.locator('.bsc-map').focus();
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  expect(await isWhole(page)).toBe(false);
  const near = await viewOf(page);
  await page.keyboard.press('ArrowRight');
  expect(await viewOf(page)).not.toBe(near);
  await page.keyboard.press('ArrowLeft');
  expect(await viewOf(page)).toBe(near);
  await page.keyboard.press('0');
  expect(await isWhole(page)).toBe(true);
  expect(await viewOf(page)).toBe(whole);
  const outline = await page.evaluate(
    'getComputedStyle(document.querySelector(".bsc-map")).outlineStyle',
  );
  expect(outline).not.toBe('none');
});

test('two fingers come near and go back, and choose nothing', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears, ask } = await theatre.enter({ context: phone, chart: { session: 'none' } });
  await hears('rendered');
  const { x, y } = await middleOf(page);
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        type === 'touchEnd'
          ? []
          : [
              { x: x - apart, y, id: 0 },
              { x: x + apart, y, id: 1 },
            ],
    });
  const pinch = async (from: number, to: number) => {
    await touch('touchStart', from);
    for (let step = 1; step <= 5; step++) await touch('touchMove', from + ((to - from) * step) / 5);
    await touch('touchEnd', to);
  };
  await pinch(30, 120);
  await expect.poll(() => isWhole(page)).toBe(false);
  await pinch(150, 20);
  await expect.poll(() => isWhole(page)).toBe(true);
  expect(await ask('chart.selectedObjects')).toEqual([]);
});

/** What lies over the map where something is drawn. */
async function coveredParts(page: Page): Promise<string[]> {
  await painted(page);
  return page.evaluate(() => {
    const map = document.querySelector<HTMLCanvasElement>('.bsc-map')!;
    const box = map.getBoundingClientRect();
    const context = map.getContext('2d')!;
    const ratio = map.width / box.width;
    const floor = context.getImageData(1, 1, 1, 1).data.join();
    const found: string[] = [];
    for (const part of document.querySelectorAll(
      '.bsc-tools, .bsc-hint, .bsc-minimap, .bsc-floors',
    )) {
      const over = part.getBoundingClientRect();
      const [left, top] = [Math.max(over.left, box.left), Math.max(over.top, box.top)];
      const [width, height] = [
        Math.min(over.right, box.right) - left,
        Math.min(over.bottom, box.bottom) - top,
      ];
      if (width <= 0 || height <= 0) continue;
      const { data } = context.getImageData(
        (left - box.left) * ratio,
        (top - box.top) * ratio,
        width * ratio,
        height * ratio,
      );
      for (let at = 0; at < data.length; at += 4) {
        if (data.slice(at, at + 4).join() !== floor) {
          found.push(part.className);
          break;
        }
      }
    }
    return found;
  });
}

test('buttons, hint and small map leave the whole hall uncovered on a phone; the small map comes with nearness and moves the view', async () => {
  await using theatre = await openTheatre(browser);
  const upright = { ...phone, viewport: { width: 360, height: 640 } };
  const lying = { ...phone, viewport: { width: 844, height: 320 } };
  const across = await theatre.enter({ context: lying, chart: { session: 'none' } });
  await across.hears('rendered');
  expect(await coveredParts(across.page)).toEqual([]);
  const { page, hears } = await theatre.enter({ context: upright, chart: { session: 'none' } });
  await hears('rendered');
  expect(await coveredParts(page)).toEqual([]);
  const small = page.locator('.bsc-minimap');
  expect(await small.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Ingrandisci' }).click();
  await page.getByRole('button', { name: 'Ingrandisci' }).click();
  await small.waitFor();
  const before = await viewOf(page);
  const box = (await small.boundingBox())!;
  await page.mouse.click(box.x + 6, box.y + box.height - 6);
  expect(await viewOf(page)).not.toBe(before);
});
