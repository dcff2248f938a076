/** Nothing lies on anything else: the scanning screen and its verdicts measured by their boxes on a small phone, a large one and one on its side. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { cardPlans } from '#server/domain/door/rehearsal.ts';
import { closeVerdict } from '#tests/support/door/phone.ts';
import { readCode, startRehearsal } from '#tests/support/door/rehearsal.ts';
import { openTwoPhones, readQuestionOf } from '#tests/support/door/two-phones.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser.close());

const slow = { timeout: 120_000 };
const sizes = [
  [360, 640],
  [390, 844],
  [844, 390],
] as const;

interface Box {
  name: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Of everything of these kinds that is on the screen. */
function boxesOf(page: Page, selectors: readonly string[]): Promise<Box[]> {
  return page.evaluate(
    (wanted) =>
      wanted.flatMap((selector) =>
        [...document.querySelectorAll(selector)]
          .filter((element) => element.checkVisibility())
          .map((element) => {
            const { left, top, right, bottom } = element.getBoundingClientRect();
            return { name: selector, left, top, right, bottom };
          }),
      ),
    selectors,
  );
}

function overlapsIn(boxes: readonly Box[]): string[] {
  return boxes.flatMap((a, i) =>
    boxes
      .slice(i + 1)
      .filter(
        (b) =>
          a.left < b.right - 1 &&
          b.left < a.right - 1 &&
          a.top < b.bottom - 1 &&
          b.top < a.bottom - 1,
      )
      .map((b) => `${a.name} × ${b.name}`),
  );
}

function outside(boxes: readonly Box[], width: number, height: number): string[] {
  return boxes
    .filter((box) => box.left < 0 || box.top < 0 || box.right > width || box.bottom > height)
    .map(({ name }) => `${name} is cut off`);
}

const onPicture = [
  '.screens-scan-scan-camera_frame',
  '.screens-scan-scan-camera_aim p',
  '.screens-scan-scan-camera_counters',
  '.screens-scan-scan-camera_button',
  '.screens-scan-scan-camera_zoom',
];
const onVerdict = [
  '.screens-scan-verdict_icon',
  '.screens-scan-verdict_word',
  '.screens-scan-verdict_seat',
  '.screens-scan-verdict_name',
  '.screens-scan-verdict_detail',
  '.screens-scan-verdict_notice',
  '.screens-scan-verdict_reason',
  '.screens-scan-verdict_foot',
];
const onQuestion = [
  '.screens-scan-ask-supervisor_head',
  '.screens-scan-ask-supervisor_about',
  '.screens-scan-ask-supervisor_what',
  '.screens-scan-ask-supervisor_code',
  '[data-camera]',
];

/** The bars over the edges of a doubt or a refusal, by their height in the sheet. */
function stripeOf(page: Page): Promise<number> {
  return page.locator('[data-verdict]').evaluate((frame) => {
    const height = getComputedStyle(frame, '::after').height;
    return height === 'auto' ? 0 : Number.parseFloat(height);
  });
}

test(
  'what lies on the camera’s picture lies on nothing else, and in and out are a thumb apart',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { page } = await rehearsal.phone();
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      for (const mode of ['Entrata', 'Uscita', 'Solo info']) {
        await page.getByText(mode, { exact: true }).click();
        const boxes = await boxesOf(page, onPicture);
        expect(boxes.some(({ name }) => name.endsWith('aim p'))).toBe(true);
        expect([width, mode, ...overlapsIn(boxes)]).toEqual([width, mode]);
        expect([width, mode, ...outside(boxes, width, height)]).toEqual([width, mode]);
      }
      const boxOf = async (word: string) =>
        (await page.locator('label', { hasText: word }).boundingBox())!;
      const [entry, exit] = [await boxOf('Entrata'), await boxOf('Uscita')];
      expect(exit.x - (entry.x + entry.width)).toBeGreaterThanOrEqual(72);
    }
  },
);

test(
  'of every verdict the words and the buttons stand clear of each other and of the stripes',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser);
    const { page } = await rehearsal.phone({ gate: 'Varco A' });
    const seen = new Set<string>();
    for (const { key, verdict } of cardPlans) {
      if (seen.has(verdict)) continue;
      seen.add(verdict);
      if (verdict === 'out') await page.getByText('Uscita', { exact: true }).click();
      const told = await readCode(page, rehearsal.codes(key)[0]!);
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height });
        if ((await page.locator('[data-verdict]').count()) === 0)
          await readCode(page, rehearsal.codes(key)[0]!);
        const at = `${told} at ${width} × ${height}`;
        const stripe = await stripeOf(page);
        const boxes = await boxesOf(page, onVerdict);
        expect([at, ...overlapsIn(boxes)]).toEqual([at]);
        const buttons = await boxesOf(page, ['.screens-scan-verdict_action']);
        const word = boxes.filter(({ name }) => /word|icon/.test(name));
        for (const box of [...buttons, ...word]) {
          expect([at, box.name, box.top >= stripe]).toEqual([at, box.name, true]);
          expect([at, box.name, box.bottom <= height - stripe]).toEqual([at, box.name, true]);
        }
        if (verdict === 'unpaid') {
          expect(buttons).toHaveLength(1);
          // It can be tapped, not only seen.
          await page.getByRole('button', { name: 'Fai entrare lo stesso' }).click({ trial: true });
        }
      }
      if (verdict === 'out') {
        await closeVerdict(page);
        await page.getByText('Entrata', { exact: true }).click();
      }
    }
    expect(seen.size).toBeGreaterThan(8);
  },
);

test(
  'a question to a supervisor and its camera share the screen, and the code can be read at each size',
  slow,
  async () => {
    await using rehearsal = await startRehearsal(browser, { pin: '4711' });
    const { page } = (await openTwoPhones(rehearsal)).steward;
    await readCode(page, rehearsal.codes('unpaid')[0]!);
    await page.getByRole('button', { name: 'Fai entrare lo stesso' }).click();
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      const boxes = await boxesOf(page, onQuestion);
      expect(boxes).toHaveLength(onQuestion.length);
      expect([width, ...overlapsIn(boxes), ...outside(boxes, width, height)]).toEqual([width]);
      expect(overlapsIn(await boxesOf(page, onPicture))).toEqual([]);
      const camera = boxes.at(-1)!;
      expect(Math.min(camera.bottom - camera.top, camera.right - camera.left)).toBeGreaterThan(140);
      expect(await readQuestionOf(page)).toMatch(/^BTG\.ASK\|/);
    }
  },
);
