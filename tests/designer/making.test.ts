/** More of what is there, from the menus: boxes along a row, copies in series, an aisle, each one step back. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeRow } from '#server/standins/seatsio/drawing/edit/rows/make.ts';
import { makeRoundTable } from '#server/standins/seatsio/drawing/edit/tables/make.ts';
import { saveDrawing } from '#server/standins/seatsio/drawing/model/open.ts';
import { Drawn } from '#tests/standins/seatsio/drawing/edit/drawn.ts';
import { uploadDrawing } from '#tests/standins/seatsio/start.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openWorkshop } from './studio.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const AT = { floor: 'floor-0', section: null };

/** A row bent like a balcony, a straight one, and a table. */
function drawHall(): object {
  const drawn = new Drawn();
  const [from, to] = [
    { x: 200, y: 400 },
    { x: 800, y: 400 },
  ];
  for (const line of [
    { from, to, curve: 200 },
    { from: { x: 300, y: 200 }, to: { x: 700, y: 200 } },
  ])
    drawn.make(makeRow(drawn.doc, { at: AT, ...line, categoryKey: 1 }, drawn.newId));
  const table = { at: AT, center: { x: 200, y: 800 }, chairs: 8, categoryKey: 1 };
  drawn.make(makeRoundTable(drawn.doc, table, drawn.newId));
  return saveDrawing(drawn.doc);
}

async function arrange(page: Page, object: RegExp, line: string): Promise<void> {
  await page.getByRole('treeitem', { name: object }).first().click();
  await page.getByRole('button', { name: 'Disponi', exact: true }).click();
  await page.getByRole('menuitem', { name: line }).click();
}

test('boxes take the place of a row, a table is copied in a line, an aisle opens; each is undone by one step', async () => {
  await using workshop = await openWorkshop(browser);
  expect(await uploadDrawing(workshop, { key: 'sala', drawing: drawHall() })).toBe(204);
  const { page, open } = await workshop.enter();
  expect(await open({ chartKey: 'sala' })).toBe('rendered');
  await page.getByRole('button', { name: 'Elenco degli oggetti' }).click();
  const undo = (what: string) => page.getByRole('button', { name: `Annulla: ${what}` });

  await arrange(page, /Fila A/, 'Palchi lungo la fila…');
  await page.getByLabel('Palchi', { exact: true }).fill('7');
  await page.getByLabel('Ordine (per esempio «I ordine»)').fill('I ordine');
  await page.getByRole('button', { name: 'Fai i palchi' }).click();
  await undo('Nuovi palchi: 7').waitFor();

  await arrange(page, /T1/, 'Copie in serie…');
  await page.getByLabel('Colonne').fill('4');
  await page.getByRole('button', { name: 'Copia', exact: true }).click();
  await undo('Copie in serie: 3').waitFor();
  await page.getByRole('treeitem', { name: /T4/ }).first().waitFor();

  await arrange(page, /Fila B/, 'Corridoio in mezzo alle file');
  await undo('Corridoio: 1').click();
  await undo('Copie in serie: 3').click();
  await undo('Nuovi palchi: 7').click();
  await page
    .getByRole('treeitem', { name: /Fila A/ })
    .first()
    .waitFor();
});
