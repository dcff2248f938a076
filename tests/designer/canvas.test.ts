/** The designer's canvas under a hand: what one draws, selects, moves and paints with mouse, keys and fingers. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openSheet } from './sheet.ts';

let browser: Browser;
/** On one page; a drawing does not know what was done to the one before. */
let layOut: Awaited<ReturnType<typeof openSheet>>;
beforeAll(async () => {
  browser = await launchBrowser();
  layOut = await openSheet(browser);
});
afterAll(() => browser.close());

test('a click selects an object, Shift adds, a rectangle takes what it touches, with Alt its seats; what is locked stays', async () => {
  const { click, drag, selected, page, take } = await layOut();
  await click([124, 140]);
  expect(await selected()).toEqual({ items: ['B'], seats: [] });
  await click([100, 180], { modifiers: ['Shift'] });
  expect((await selected()).items).toEqual(['B', 'C']);
  await click([300, 400]);
  expect((await selected()).items).toEqual([]);
  await drag([80, 80], [160, 190]);
  expect((await selected()).items).toEqual(['A', 'B', 'C']);
  await page.keyboard.down('Alt');
  await drag([80, 80], [160, 150]);
  await page.keyboard.up('Alt');
  expect(await selected()).toEqual({
    items: [],
    seats: [
      ['A', [0, 1, 2]],
      ['B', [0, 1, 2]],
    ],
  });
  // A section is taken only whole, and then its rows are not taken twice.
  await drag([420, 60], [700, 320]);
  expect((await selected()).items).toEqual(['G']);
  await drag([420, 60], [780, 320]);
  expect((await selected()).items).toEqual(['section']);
  await take('lasso');
  await drag([90, 90], [110, 230]);
  expect((await selected()).items).toEqual([]);
});

test('what is dragged moves once, by as much as the pointer; undone, the drawing is the same', async () => {
  const { click, drag, ask, done } = await layOut();
  const before = await ask<string>('saved()');
  await click([124, 140]);
  await drag([124, 140], [174, 353], ['Control']);
  expect(await done()).toEqual(['move']);
  const seat = await ask<{ x: number; y: number }>(`studio.state.doc.items.get('B').data.seats[0]`);
  expect(seat.x).toBeCloseTo(150, 0);
  expect(seat.y).toBeCloseTo(353, 0);
  await ask('studio.undo()');
  expect(await ask('saved()')).toBe(before);
  // It continues the distance that the other rows keep.
  await ask('canvas.set({ grid: false })');
  await drag([124, 140], [124, 257]);
  expect(await ask(`studio.state.doc.items.get('B').data.seats[0].y`)).toBeCloseTo(260, 0);
});

test('a second click goes deeper: to the seat, and into a section, beside which nothing is taken', async () => {
  const { click, selected, ask } = await layOut();
  await click([148, 100], { clickCount: 2 });
  expect(await selected()).toEqual({ items: [], seats: [['A', [2]]] });
  await click([700, 250], { clickCount: 2 });
  expect(await ask('studio.state.section')).toBe('section');
  await click([148, 180]);
  expect((await selected()).items).toEqual([]);
  await click([500, 130]);
  expect((await selected()).items).toEqual(['G']);
});

test('a row is drawn with the distance of the others, made longer and bent by its handles', async () => {
  const { take, drag, done, ask, selected } = await layOut();
  await ask(`studio.set({ brush: '1' })`);
  await take('row');
  await drag([100, 500], [220, 500]);
  const [id] = (await selected()).items;
  const row = () =>
    ask<{ label: string; seats: { x: number; y: number; categoryKey: number }[] }>(
      `studio.state.doc.items.get('${id}').data`,
    );
  const drawn = await row();
  expect(drawn.label).toBe('E');
  expect(drawn.seats.map(({ x }) => x)).toEqual([100, 124, 148, 172, 196, 220]);
  expect(drawn.seats[0]!.categoryKey).toBe(1);
  await take('select');
  const scale = await ask<number>('canvas.scale');
  const beside = 24 * 0.43 + 12 / scale;
  await drag([220 + beside, 500], [268 + beside, 500]);
  expect((await row()).seats).toHaveLength(8);
  await drag([184, 500 + beside], [184, 530 + beside]);
  const bent = await row();
  expect(Math.max(...bent.seats.map(({ y }) => y)) - bent.seats[0]!.y).toBeGreaterThan(20);
  expect(await done()).toEqual(['make-row', 'resize-row', 'curve-row']);
});

test('what is selected is scaled and turned by its frame', async () => {
  const { drag, done, ask } = await layOut();
  await drag([80, 80], [110, 190]);
  const reach = 24 * 0.43;
  const [left, right] = [100 - reach, 316 + reach];
  await drag([right, 140], [right + 108, 140]);
  const xs = await ask<number[]>(`studio.state.doc.items.get('A').data.seats.map(({ x }) => x)`);
  expect(xs.at(-1)! - xs[0]!).toBeGreaterThan(300);
  const scale = await ask<number>('canvas.scale');
  const middle = (left + right + 108) / 2;
  const top = 100 - reach - 26 / scale;
  await drag([middle, top], [middle + 150, 140], ['Shift']);
  expect(await done()).toEqual(['scale', 'rotate']);
  const turned = await ask<number[]>(
    `studio.state.doc.items.get('A').data.seats.map(({ x }) => x)`,
  );
  expect(Math.max(...turned) - Math.min(...turned)).toBeLessThan(1);
});

test('a block of rows asks how it should be, and shows it while it asks', async () => {
  const { take, drag, done, page, selected } = await layOut();
  await take('row-block');
  await drag([100, 480], [196, 546]);
  const form = page.getByRole('form', { name: 'Blocco di file' });
  await form.getByLabel('File', { exact: true }).fill('2');
  await form.getByLabel('Posti nell’ultima fila').fill('7');
  expect(await done()).toEqual([]);
  await page.keyboard.press('Enter');
  expect(await done()).toEqual(['make-row-block']);
  expect((await selected()).items).toHaveLength(2);
  await drag([400, 480], [496, 546]);
  await page.keyboard.press('Escape');
  expect(await done()).toEqual(['make-row-block']);
});

test('the brush paints the seats it passes over in one act, and what is painted is seen', async () => {
  const { take, drag, done, ask, colorAt } = await layOut();
  await ask('canvas.set({ labels: false, grid: false })');
  expect(await colorAt([148, 100])).toBe('#ffffff');
  expect(await colorAt([500, 130])).toBe('#e08a2f');
  await take('paint');
  await drag([100, 100], [196, 100]);
  expect(await done()).toEqual([]);
  await ask(`studio.set({ brush: '1' })`);
  await drag([100, 100], [196, 100]);
  expect(await done()).toEqual(['paint']);
  expect(await colorAt([148, 100])).toBe('#2f6fe0');
  expect(await colorAt([244, 100])).toBe('#ffffff');
});

test('a broken row and a section are clicked point by point, a stage is dragged, the focal point is one click', async () => {
  const { take, click, drag, done } = await layOut();
  await take('segmented-row');
  for (const at of [
    [100, 480],
    [200, 480],
    [200, 530],
    [200, 530],
  ] as const)
    await click(at);
  await take('section');
  for (const at of [
    [400, 480],
    [560, 480],
    [560, 530],
    [400, 480],
  ] as const)
    await click(at);
  await take('stage');
  await drag([100, 20], [300, 60]);
  await take('focal-point');
  await click([200, 40]);
  expect(await done()).toEqual(['make-row', 'make-section', 'make-stage', 'focal-point']);
});

test('everything can be drawn by keys: a crosshair, Enter, and the sentence that tells where it is', async () => {
  const { take, done, ask, page } = await layOut();
  await take('round-table');
  await ask('canvas.element.focus()');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(`studio.state.said.text !== ''`);
  expect(await ask('studio.state.said.text')).toMatch(/^\d+, \d+$/);
  await page.keyboard.press('Enter');
  await take('row');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  expect(await done()).toEqual(['make-table', 'make-row']);
  await take('area');
  for (const key of ['Enter', 'Shift+ArrowRight', 'Enter', 'Shift+ArrowDown', 'Enter', 'Enter'])
    await page.keyboard.press(key);
  expect((await done()).at(-1)).toBe('make-area');
  await page.keyboard.press('Escape');
  expect(await ask('studio.state.tool')).toBe('select');
  const scale = await ask<number>('canvas.scale');
  await page.keyboard.press('+');
  expect(await ask('canvas.scale')).toBeGreaterThan(scale);
  await page.keyboard.press('0');
  await page.keyboard.press('Shift+F10');
  expect(await ask('menus.length')).toBe(1);
});

test('two fingers move and scale the sheet and break off what one began; a long press asks for the menu', async () => {
  const layOut = await openSheet(browser, { hasTouch: true });
  const { ask, page, screen, done, selected } = await layOut();
  const session = await page.context().newCDPSession(page);
  const touch = (type: string, points: { x: number; y: number; id: number }[]) =>
    session.send('Input.dispatchTouchEvent', {
      type: type as 'touchStart',
      touchPoints: points,
    });
  const { x, y } = await screen([124, 140]);
  const scale = await ask<number>('canvas.scale');
  await touch('touchStart', [{ x, y, id: 0 }]);
  await touch('touchMove', [{ x: x + 30, y: y + 30, id: 0 }]);
  await touch('touchStart', [
    { x: x + 30, y: y + 30, id: 0 },
    { x: x + 130, y: y + 30, id: 1 },
  ]);
  await touch('touchMove', [
    { x: x - 20, y: y + 30, id: 0 },
    { x: x + 180, y: y + 30, id: 1 },
  ]);
  await touch('touchEnd', []);
  expect(await ask<number>('canvas.scale')).toBeGreaterThan(scale * 1.7);
  expect(await done()).toEqual([]);
  const held = await screen([196, 180]);
  await touch('touchStart', [{ ...held, id: 0 }]);
  await page.waitForFunction('menus.length > 0');
  await touch('touchEnd', []);
  expect((await selected()).items).toEqual(['C']);
  expect(await ask('menus[0].id')).toBe('C');
});

test('a guide comes out of the ruler, and what is drawn lies on it', async () => {
  const { ask, page, screen, done, take, drag } = await layOut();
  const to = await screen([0, 517]);
  await page.mouse.move(300, 8);
  await page.mouse.down();
  await page.mouse.move(to.x + 200, to.y, { steps: 3 });
  await page.mouse.up();
  const [line] = await ask<number[]>('studio.state.doc.floors[0].data.x_guides.y');
  expect(line).toBeGreaterThan(510);
  await take('row');
  await drag([100, line! - 2], [220, line! + 2]);
  const seats = await ask<{ y: number }[]>(
    '[...studio.state.doc.items.values()].at(-1).data.seats',
  );
  expect(seats.every(({ y }) => Math.abs(y - line!) < 0.02)).toBe(true);
  expect(await done()).toEqual(['guides', 'make-row']);
});

test('who may only look selects and zooms, and changes nothing', async () => {
  const { click, drag, done, selected, take, ask } = await layOut({ readOnly: true });
  await click([124, 140]);
  expect((await selected()).items).toEqual(['B']);
  await drag([124, 140], [224, 340]);
  await take('row');
  await drag([100, 500], [220, 500]);
  expect(await done()).toEqual([]);
  await ask('canvas.destroy()');
  expect(await ask(`document.querySelector('#host').childElementCount`)).toBe(0);
});
