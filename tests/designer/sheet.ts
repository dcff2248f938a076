/** A page with nothing but the designer's canvas, and a person at it. */
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import type { Tool } from '#apps/chart/designer/state/studio.ts';
import { bundle } from '#tests/chart/bundle.ts';

type At = readonly [x: number, y: number];

interface Sheet {
  page: Page;
  /** Runs an expression in the page, where `studio`, `canvas`, `menus` and `saved()` are known. */
  ask: <T>(expression: string) => Promise<T>;
  take: (tool: Tool) => Promise<void>;
  /** In units of the drawing. */
  click: (
    at: At,
    options?: { modifiers?: ('Shift' | 'Alt')[]; clickCount?: number },
  ) => Promise<void>;
  drag: (from: At, to: At, keys?: readonly string[]) => Promise<void>;
  /** The codes of all that was done, the last one last. */
  done: () => Promise<string[]>;
  selected: () => Promise<{ items: string[]; seats: [string, number[]][] }>;
  /** `#rrggbb` of the drawing there, once it has been painted. */
  colorAt: (at: At) => Promise<string>;
  screen: (at: At) => Promise<{ x: number; y: number }>;
}

/** Lays one drawing after another on a page, each on a canvas of its own. */
type LayOut = (options?: object) => Promise<Sheet>;

export async function openSheet(
  browser: Browser,
  wishes: BrowserContextOptions = {},
): Promise<LayOut> {
  const context = await browser.newContext({
    viewport: { width: 1000, height: 760 },
    reducedMotion: 'reduce',
    ...wishes,
  });
  const page = await context.newPage();
  const body = await bundle(path.join(import.meta.dirname, 'canvas-page.js'));
  const html =
    '<!doctype html><html lang="it"><style>body{margin:0}#host{height:760px}</style><div id="host"></div><script type="module" src="/page.js"></script>';
  await page.route('http://localhost/**', (route) =>
    route.fulfill(
      route.request().url().endsWith('.js')
        ? { contentType: 'text/javascript', body }
        : { contentType: 'text/html', body: html },
    ),
  );
  await page.goto('http://localhost/');
  await page.waitForFunction('globalThis.begin');
  return async (options = {}) => {
    const settings = JSON.stringify({ bar: false, ...options });
    await page.evaluate(`begin(${JSON.stringify(drawSheet())}, ${settings})`);
    await page.waitForFunction('canvas.scale !== 1');
    return sheetOf(page);
  };
}

function sheetOf(page: Page): Sheet {
  const ask = <T>(expression: string) => page.evaluate<T>(expression);
  const screen = ([x, y]: At) =>
    ask<{ x: number; y: number }>(`canvas.screenOf(${JSON.stringify({ x, y })})`);
  return {
    page,
    ask,
    screen,
    take: (tool) => ask(`studio.set({ tool: '${tool}' })`),
    async click(at, { modifiers = [], clickCount = 1 } = {}) {
      const { x, y } = await screen(at);
      // Two clicks on two things that come at once are not a double click.
      await page.mouse.move(x + 40, y + 40);
      for (const key of modifiers) await page.keyboard.down(key);
      await page.mouse.click(x, y, { clickCount });
      for (const key of modifiers) await page.keyboard.up(key);
    },
    async drag(from, to, keys = []) {
      const [a, b] = [await screen(from), await screen(to)];
      await page.mouse.move(a.x, a.y);
      await page.mouse.down();
      for (const key of keys) await page.keyboard.down(key);
      await page.mouse.move(b.x, b.y, { steps: 3 });
      await page.mouse.up();
      for (const key of keys) await page.keyboard.up(key);
    },
    done: () => ask('studio.state.past.map(({ code }) => code)'),
    selected: () =>
      ask(
        '({ items: [...studio.state.selection.items], seats: [...studio.state.selection.seats].map(([id, seats]) => [id, [...seats]]) })',
      ),
    async colorAt(at) {
      const { x, y } = await screen(at);
      await ask('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      return ask(`(() => {
        const sheet = canvas.element.querySelector('canvas');
        const ratio = sheet.width / sheet.clientWidth;
        const { data } = sheet.getContext('2d').getImageData(Math.round(${x} * ratio), Math.round(${y} * ratio), 1, 1);
        return '#' + [...data].slice(0, 3).map((part) => part.toString(16).padStart(2, '0')).join('');
      })()`);
    },
  };
}

/** Rows A to D of ten seats each, 24 apart, without a category; a section and a locked shape below. */
export function drawSheet(): object {
  const seats = (row: number) =>
    Array.from({ length: 10 }, (_, seat) => ({
      uuid: `s${row}-${seat}`,
      label: String(seat + 1),
      x: 100 + seat * 24,
      y: 100 + row * 40,
    }));
  const subChart = {
    width: 800,
    height: 600,
    focalPoint: null,
    rows: ['A', 'B', 'C', 'D'].map((label, row) => ({
      uuid: label,
      label,
      chairSpacing: 24,
      seats: seats(row),
    })),
    sections: [
      {
        uuid: 'section',
        label: 'Galleria',
        points: [
          { x: 450, y: 80 },
          { x: 750, y: 80 },
          { x: 750, y: 300 },
          { x: 450, y: 300 },
        ],
        topLeft: { x: 450, y: 80 },
        categoryKey: 2,
        subChart: {
          rows: [
            {
              uuid: 'G',
              label: 'G',
              seats: [0, 1, 2].map((seat) => ({
                uuid: `g${seat}`,
                label: String(seat + 1),
                x: 50 + seat * 24,
                y: 50,
              })),
            },
          ],
        },
      },
    ],
    shapes: [
      {
        uuid: 'locked',
        type: 'rectangle',
        center: { x: 300, y: 400 },
        width: 300,
        height: 80,
        x_locked: true,
      },
    ],
  };
  return {
    name: 'Prova',
    version: 1,
    venueType: 'WITH_SECTIONS_AND_FLOORS',
    categories: {
      list: [
        { key: 1, label: 'Platea', color: '#2f6fe0', accessible: false },
        { key: 2, label: 'Galleria', color: '#e08a2f', accessible: false },
      ],
      maxCategoryKey: 2,
    },
    subChart,
  };
}
