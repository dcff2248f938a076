/** More of what is there, from the menus: boxes along a row, copies in series, an aisle, each one step back. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { makeRow } from '#server/drawing/edit/rows/make.ts';
import { makeSection } from '#server/drawing/edit/sections.ts';
import { makeRoundTable } from '#server/drawing/edit/tables/make.ts';
import { saveDrawing } from '#server/drawing/model/open.ts';
import { Drawn } from '#tests/drawing/edit/drawn.ts';
import { uploadDrawing } from '#tests/standins/seatsio/start.ts';
import { testWorkshop as test } from './studio.ts';

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

test('boxes take the place of a row, a table is copied in a line, an aisle opens, each undone by one step; floors, zones, aisles and guides are made by fields', async (workshop) => {
  expect(await uploadDrawing(workshop, { key: 'sala', drawing: drawHall() })).toBe(201);
  const { page, open, told } = await workshop.enter();
  expect(await open({ chartKey: 'sala' })).toBe('rendered');
  // Letters choose tools from the start, and after a dialog again.
  await page.keyboard.press('t');
  await told('Tavolo rotondo');
  await page.getByRole('button', { name: 'Elenco degli oggetti' }).click();
  const undo = (what: string) => page.getByRole('button', { name: `Annulla: ${what}` });

  await arrange(page, /Fila A/, 'Palchi lungo la fila…');
  await page.getByLabel('Palchi', { exact: true }).fill('7');
  await page.getByLabel('Ordine (per esempio «I ordine»)').fill('I ordine');
  await page.getByRole('button', { name: 'Fai i palchi' }).click();
  await undo('Nuovi palchi: 7').waitFor();
  await page.keyboard.press('v');
  await told('Seleziona');
  // All seven are still selected, and have one tier.
  const tier = page.getByLabel('Ordine di palchi');
  expect(await tier.inputValue()).toBe('I ordine');
  await tier.fill('II ordine');
  await tier.press('Enter');
  await undo('Proprietà').click();

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

  const drawn = new Drawn();
  const row = { at: AT, from: { x: 100, y: 100 }, to: { x: 280, y: 100 }, categoryKey: 1 };
  drawn.make(makeRow(drawn.doc, row, drawn.newId));
  const points = [
    { x: 60, y: 60 },
    { x: 320, y: 60 },
    { x: 320, y: 140 },
    { x: 60, y: 140 },
  ];
  const section = { floor: AT.floor, points, take: true, label: 'Platea' };
  drawn.make(makeSection(drawn.doc, section, drawn.newId));
  await uploadDrawing(workshop, { key: 'zone', drawing: saveDrawing(drawn.doc) });
  expect(await open({ chartKey: 'zone' })).toBe('rendered');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const type = async (label: string | RegExp, text: string) => {
    await page.getByLabel(label).fill(text);
    await page.getByLabel(label).press('Enter');
  };

  await press('Aggiungi una guida verticale');
  await type('Guida verticale 1', '240');
  await press('Elenco degli oggetti');
  await page.getByRole('treeitem', { name: /Settore Platea/ }).click();
  await press('Nuova zona da qui');
  expect(await page.getByLabel('Zona').locator('option:checked').textContent()).toBe('Zona 1');
  await page.getByRole('treeitem', { name: /Settore Platea/ }).press('ArrowRight');
  await page.getByRole('treeitem', { name: /Fila A/ }).click();
  await page.getByRole('treeitem', { name: /Fila A/ }).press('ArrowRight');
  await page.getByRole('treeitem', { name: /[Pp]osto 2/ }).click();
  await type(/^Corridoio dopo il posto/, '50');

  await press('Gestisci i piani');
  await page.getByRole('menuitem', { name: 'Aggiungi un piano…' }).click();
  await page.getByLabel('Nome del piano').fill('Galleria');
  await press('Aggiungi');
  const floors = page.getByRole('group', { name: 'Piani' });
  expect(await floors.getByRole('button', { pressed: true }).textContent()).toBe('Galleria');
  await floors.getByRole('button', { name: 'Piano 1' }).click();
  expect(await floors.getByRole('button', { pressed: true }).textContent()).toBe('Piano 1');
  await arrange(page, /Settore Platea/, 'Porta su un altro piano…');
  await press('Porta');
  expect(await floors.getByRole('button', { pressed: true }).textContent()).toBe('Galleria');
  await undo('Spostamento di piano: 1').click();
  await floors.getByRole('button', { name: 'Piano 1' }).click();

  await page.getByText(/^Bozza salvata alle/).waitFor();
  const saved = await workshop.client.charts.retrieveDraftVersion('zone');
  const [first, second] = saved.subChartFloors;
  expect([saved.venueType, saved.zones.list, second.floorName]).toEqual([
    'WITH_ZONES',
    [{ key: 'zone-1', label: 'Zona 1', focalPoint: null }],
    'Galleria',
  ]);
  const [{ zone, subChart }] = first.sections;
  const [, before, after] = subChart.rows[0].seats;
  expect([zone, first.x_guides, before.x_gapAfter]).toEqual(['zone-1', { x: [240], y: [] }, true]);
  expect(Math.round(after.x - before.x)).toBeGreaterThan(60);
});
