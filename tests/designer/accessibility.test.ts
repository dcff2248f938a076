/** The designer for whoever does not see it, or has no mouse: keys or fingers do everything, and each act is told. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { uploadDrawing } from '#tests/standins/seatsio/start.ts';
import { drawRow, rowsOf } from './one-row.ts';
import { testWorkshop as test } from './studio.ts';

test('without a mouse: found by its label, moved, copied, undone, and each act is told', async (workshop) => {
  const { page, open, told } = await workshop.enter();
  await open({ chartKey: 'small' });
  await page.locator('[role=application]').focus();
  await page.keyboard.press('Control+f');
  await page.getByLabel(/^Etichetta/).fill('B-3');
  await page.keyboard.press('Enter');
  await told('Fila B, posto 3');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await told('Fila B');
  await page.keyboard.press('Shift+ArrowRight');
  await told('Spostamento');
  await page.keyboard.press('Control+c');
  await told('Copiato');
  await page.keyboard.press('Control+v');
  await told('Incolla');
  await page.keyboard.press('Control+z');
  await told('Annullato: Incolla');
  await page.keyboard.press('r');
  await page.getByRole('button', { name: 'Fila', exact: true, pressed: true }).waitFor();
});

type Place = [x: number, y: number];

/** Fingers on a tablet's glass, by places in the window. */
async function layFingers(page: Page) {
  const session = await page.context().newCDPSession(page);
  const put = async (type: 'touchStart' | 'touchMove' | 'touchEnd', places: Place[]) => {
    const touchPoints = places.map(([x, y], id) => ({ x, y, id }));
    await session.send('Input.dispatchTouchEvent', { type, touchPoints });
  };
  /** Each finger goes from its first place to its last in a few steps. */
  const slide = async (...ways: { from: Place; to: Place }[]) => {
    await put(
      'touchStart',
      ways.map(({ from }) => from),
    );
    for (const part of [0.25, 0.5, 0.75, 1])
      await put(
        'touchMove',
        ways.map(({ from: [x, y], to: [u, v] }) => [x + (u - x) * part, y + (v - y) * part]),
      );
    await put('touchEnd', []);
  };
  return { put, slide };
}

test('on a tablet, by fingers: two zoom, one selects, drags and draws a row, and a long press opens the menu', async (workshop) => {
  expect(await uploadDrawing(workshop, { key: 'sala', drawing: drawRow() })).toBe(201);
  const { page, open, told } = await workshop.enter({
    viewport: { width: 1024, height: 768 },
    hasTouch: true,
  });
  await open({ chartKey: 'sala' });
  const { put, slide } = await layFingers(page);
  const box = (await page.locator('[role=application]').boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const scale = async () =>
    Number.parseInt(await page.getByLabel('Ingrandimento').innerText()) / 100;

  const before = await scale();
  await slide(
    { from: [x - 160, y - 120], to: [x - 80, y - 60] },
    { from: [x + 160, y + 120], to: [x + 80, y + 60] },
  );
  const now = await scale();
  expect(now / before).toBeCloseTo(0.5, 1);

  await put('touchStart', [[x, y]]);
  await put('touchEnd', []);
  await told('Fila A');
  await slide({ from: [x, y], to: [x + 40, y + 90] });
  await told('Spostamento');
  await put('touchStart', [[x + 40, y + 90]]);
  const menu = page.getByRole('menu', { name: 'Che cosa fare' });
  await menu.waitFor();
  await put('touchEnd', []);
  await menu.getByRole('menuitem', { name: /^Duplica/ }).tap();
  await told('Duplicazione');
  await page.getByRole('button', { name: 'Fila', exact: true }).tap();
  await slide({ from: [x - 90, y - 100], to: [x + 60, y - 100] });
  await told('5 posti');
  // What the tool wants is not hidden behind the switches.
  const hint = (await page.locator('#bsd-canvas-hint').boundingBox())!;
  const bar = (await page.locator('.bsd-canvas-bar').boundingBox())!;
  expect(hint.y + hint.height <= bar.y || hint.x >= bar.x + bar.width).toBe(true);

  const rows = async () => rowsOf(await workshop.client.charts.retrieveDraftVersion('sala'));
  await expect
    .poll(
      () =>
        rows().then(
          (all) => all.length,
          () => 0,
        ),
      { timeout: 10_000 },
    )
    .toBe(3);
  const [moved, copy, drawn] = await rows();
  // It was taken at its fifth seat, and the grid may have drawn it a little nearer.
  expect(Math.abs(moved!.seats[4]!.x - (496 + 40 / now))).toBeLessThan(8);
  expect(Math.abs(moved!.seats[4]!.y - (300 + 90 / now))).toBeLessThan(8);
  expect(copy!.seats).toHaveLength(9);
  expect(copy!.seats[0]).not.toEqual(moved!.seats[0]);
  expect(drawn!.seats).toHaveLength(5);
  expect(Math.abs(drawn!.seats[0]!.x - (496 - 90 / now))).toBeLessThan(8);
  expect(drawn!.seats.every((seat) => Math.abs(seat.y - (300 - 100 / now)) < 8)).toBe(true);
}, 30_000);
