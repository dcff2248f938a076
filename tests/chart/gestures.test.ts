/** Moving about on the map: wheel, drag, pinch and keys, in a real browser. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { middleOf, painted, phone, testTheatre as test } from './theatre.ts';

const chart = { session: 'none' };
const home = (page: Page) => page.getByRole('button', { name: 'Mostra tutta la sala' });
const isWhole = async (page: Page) => (await home(page).getAttribute('aria-disabled')) === 'true';

/** What is painted, as text: equal when the view is the same. */
async function viewOf(page: Page): Promise<string> {
  await painted(page);
  return page.evaluate('document.querySelector(".bsc-map").toDataURL()');
}

test('the wheel comes near, a drag moves and is no click; keys do the same; a wheel turned outwards at the whole view scrolls the page', async (theatre) => {
  const { page, chosen } = await theatre.enter({ chart });
  const { x, y } = await middleOf(page);
  const whole = await viewOf(page);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -400);
  await expect.poll(() => isWhole(page)).toBe(false);
  const before = await viewOf(page);
  await page.mouse.down();
  await page.mouse.move(x - 120, y - 60, { steps: 6 });
  await page.mouse.up();
  expect(await viewOf(page)).not.toBe(before);
  expect(await chosen()).toEqual([]);
  await home(page).click();
  await expect.poll(() => isWhole(page)).toBe(true);

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

  await page.evaluate('document.body.style.height = "3000px"');
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 300);
  await page.waitForFunction('scrollY > 0');
});

test('two fingers come near and go back, and choose nothing; the small map comes with nearness and moves the view', async (theatre) => {
  const { page, chosen } = await theatre.enter({ context: phone, chart });
  const { x, y } = await middleOf(page);
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: xs.map((at, id) => ({ x: at, y, id })),
    });
  const pinch = async (from: number, to: number) => {
    await touch('touchStart', x - from, x + from);
    for (let step = 1; step <= 5; step++) {
      const apart = from + ((to - from) * step) / 5;
      await touch('touchMove', x - apart, x + apart);
    }
    await touch('touchEnd');
  };
  await pinch(30, 120);
  await expect.poll(() => isWhole(page)).toBe(false);
  await pinch(150, 20);
  await expect.poll(() => isWhole(page)).toBe(true);
  expect(await chosen()).toEqual([]);

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
