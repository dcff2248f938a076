/** The vendor's own React component opens our designer: its settings, its callbacks, its life. */
import path from 'node:path';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { makeRow } from '#server/drawing/edit/rows/make.ts';
import { sectionAround } from '#server/drawing/edit/sections.ts';
import { makeRoundTable } from '#server/drawing/edit/tables/make.ts';
import { saveDrawing } from '#server/drawing/model/open.ts';
import { selectItems } from '#server/drawing/model/selection.ts';
import { bundle } from '#tests/chart/bundle.ts';
import { Drawn } from '#tests/drawing/edit/drawn.ts';
import { uploadDrawing } from '#tests/standins/seatsio/start.ts';
import { type Workshop, testWorkshop as test } from './studio.ts';

async function enter(workshop: Workshop, settings: object): Promise<Page> {
  const { page } = await workshop.enter();
  const script = await bundle(path.join(import.meta.dirname, 'react-page.js'));
  const ask = JSON.stringify({ designer: { secretKey: workshop.secretKey, ...settings } });
  await page.route(`${workshop.url}/page`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="it"><title>Piante</title><style>#page{height:100vh}</style><main><div id="page"></div></main><script>ask = ${ask}</script><script type="module" src="/page.js"></script>`,
    }),
  );
  await page.route(`${workshop.url}/page.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
  await page.goto(`${workshop.url}/page`);
  return page;
}

const hears = (page: Page, line: string) =>
  page.waitForFunction(`heard.includes(${JSON.stringify(line)})`);

async function rename(page: Page, name: string): Promise<void> {
  await page.getByLabel('Nome della pianta').fill(name);
  await page.keyboard.press('Enter');
  // Saved without the moment of quiet before it: as when a line is there again.
  await page.evaluate("dispatchEvent(new Event('online'))");
}

test('the component opens, tells each save to the latest callback, takes other modes and features, and leaves nothing behind', async (workshop) => {
  const page = await enter(workshop, { chartKey: 'small' });
  await hears(page, 'rendered');
  expect(await page.locator('.bsd').count()).toBe(1);
  await rename(page, 'Prima');
  await hears(page, 'updated small after 0');
  await rename(page, 'Seconda');
  await hears(page, 'updated small after 1');
  await page.getByRole('button', { name: 'Pubblica', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Pubblica la pianta' });
  await dialog.getByRole('button', { name: 'Pubblica' }).click();
  await hears(page, 'published small');
  await page.getByText('Pubblicata', { exact: true }).waitFor();
  await rename(page, 'Terza');
  await hears(page, 'updated small after 2');
  await page.getByRole('button', { name: 'Pianta', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Versioni pubblicate…' }).click();
  await page.getByRole('button', { name: 'Scarta la bozza', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Scartare la bozza?' });
  await question.getByRole('button', { name: 'Scarta la bozza' }).click();
  await hears(page, 'updated small after 3');
  await page.getByRole('button', { name: 'Esci' }).click();
  await hears(page, 'exit');

  await rename(page, 'Bozza nuova');
  await hears(page, 'updated small after 4');
  const change = async (settings: object) => {
    await page.evaluate('heard.length = 0');
    await page.evaluate(
      `change(${JSON.stringify({ secretKey: workshop.secretKey, chartKey: 'small', ...settings })})`,
    );
    await hears(page, 'rendered');
  };
  const name = page.getByLabel('Nome della pianta');
  await change({ openDraftDrawing: false, mode: 'readOnly' });
  expect(await name.inputValue()).toBe('Seconda');
  expect(await name.isEditable()).toBe(false);
  expect(await page.getByRole('button', { name: 'Pubblica', exact: true }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Fila', exact: true }).count()).toBe(0);
  await change({
    features: { disabled: ['publishing', 'tables', 'rows'], readOnly: ['chartName'] },
  });
  expect(await name.inputValue()).toBe('Bozza nuova');
  expect(await name.isEditable()).toBe(false);
  expect(await page.getByRole('button', { name: 'Pubblica', exact: true }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Tavolo rotondo' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Area poligonale' }).count()).toBe(1);
  await change({ mode: 'safe' });
  await page.getByRole('button', { name: 'Elenco degli oggetti' }).click();
  await page.getByRole('treeitem', { name: 'Fila B', exact: true }).click();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog', { name: 'Qualcuno ha questi posti' }).waitFor();
  await page.keyboard.press('Escape');
  await change({ mode: 'safe', safeModeOptions: { allowDeletingObjects: true } });
  await page.getByRole('button', { name: 'Elenco degli oggetti' }).click();
  await page.getByRole('treeitem', { name: 'Fila B', exact: true }).click();
  await page.keyboard.press('Delete');
  await page.getByRole('treeitem', { name: 'Fila B', exact: true }).waitFor({ state: 'detached' });

  await page.evaluate('change(null)');
  await page.waitForFunction('document.querySelectorAll(".bsd").length === 0');
  expect(await page.evaluate('designer.state')).toBe('DESTROYED');
  expect(await page.evaluate('document.adoptedStyleSheets.length')).toBe(0);
});

/** A table, and a section of one row. */
function drawParts(): object {
  const drawn = new Drawn();
  const at = { floor: 'floor-0', section: null };
  const table = { at, center: { x: 500, y: 400 }, chairs: 6, categoryKey: 1 };
  drawn.make(makeRoundTable(drawn.doc, table, drawn.newId));
  const line = { from: { x: 100, y: 100 }, to: { x: 300, y: 100 } };
  const rows = drawn.make(makeRow(drawn.doc, { at, ...line, categoryKey: 1 }, drawn.newId));
  drawn.make(sectionAround(drawn.doc, selectItems(rows), {}, drawn.newId));
  return saveDrawing(drawn.doc);
}

/** What a page switches off by a name, and how it is seen that it is there; `firstTimeTutorial` and `viewFromYourSeat` name what ours has not. */
const parts: Record<string, (page: Page) => Promise<boolean>> = {
  rows: (page) => hasButton(page, 'Fila'),
  tables: (page) => hasButton(page, 'Tavolo rotondo'),
  booths: (page) => hasButton(page, 'Séparé'),
  areas: (page) => hasButton(page, 'Area poligonale'),
  sections: (page) => hasLine(page, 'Disponi', 'Fai un settore'),
  focalPoint: (page) => hasButton(page, 'Punto focale'),
  shapes: (page) => hasButton(page, 'Sagoma'),
  texts: (page) => hasButton(page, 'Testo'),
  icons: (page) => hasButton(page, 'Icona'),
  images: (page) => hasButton(page, 'Immagine'),
  publishing: (page) => hasButton(page, 'Pubblica'),
  labeling: (page) => hasLine(page, 'Modifica', 'Etichette…'),
  backgroundImage: (page) => hasLine(page, 'Pianta', 'Sfondo da ricalcare…'),
  referenceChart: (page) => hasLine(page, 'Pianta', 'Sfondo da ricalcare…'),
  categoryList: async (page) => (await page.getByRole('tab', { name: 'Categorie' }).count()) > 0,
  objectProperties: async (page) =>
    (await page.getByRole('tab', { name: 'Proprietà' }).count()) > 0,
  contextActions: async (page) => {
    await page.getByRole('application').press('Shift+F10');
    const menu = page.getByRole('menu', { name: 'Che cosa fare' });
    const isThere = await menu.isVisible();
    if (isThere) await page.keyboard.press('Escape');
    return isThere;
  },
  'tables.bookAsAWhole': async (page) => {
    await page
      .getByRole('treeitem', { name: /^Tavolo/ })
      .first()
      .click();
    return (await page.getByLabel('Si vende').count()) > 0;
  },
  publishedSectionLabel: async (page) => {
    await page
      .getByRole('treeitem', { name: /^Settore/ })
      .first()
      .click();
    return (await page.getByLabel('Etichetta mostrata').count()) > 0;
  },
};

async function hasButton(page: Page, name: string): Promise<boolean> {
  return (await page.getByRole('button', { name, exact: true }).count()) > 0;
}

async function hasLine(page: Page, menu: string, line: string): Promise<boolean> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  const count = await page.getByRole('menuitem', { name: line }).count();
  await page.keyboard.press('Escape');
  return count > 0;
}

test('each feature that a page switches off takes away what it names, and nothing else', async (workshop) => {
  await uploadDrawing(workshop, { key: 'parti', drawing: drawParts() });
  const { page, open } = await workshop.enter();
  // Two names that stand for one thing here, and a panel that others are looked for in, are switched off by turns.
  const names = Object.keys(parts);
  const rounds = [
    names.filter((_, at) => at % 2 === 0 && names[at] !== 'objectProperties'),
    names.filter((name, at) => at % 2 === 1 && name !== 'referenceChart'),
    ['referenceChart'],
    ['objectProperties'],
  ];
  for (const disabled of rounds) {
    expect(await open({ chartKey: 'parti', features: { disabled } })).toBe('rendered');
    await page.getByRole('button', { name: 'Elenco degli oggetti' }).click();
    const isOne = disabled.length === 1;
    for (const [name, isThere] of Object.entries(parts)) {
      const isOff =
        disabled.includes(name) ||
        (/^(?:background|reference)/.test(name) &&
          disabled.some((one) => /^(?:background|reference)/.test(one)));
      const isHidden =
        /bookAsAWhole|publishedSectionLabel/.test(name) &&
        disabled.some((one) => ['labeling', 'objectProperties'].includes(one));
      if ((isOne && !isOff) || isHidden) continue;
      expect([name, await isThere(page)]).toEqual([name, !isOff]);
    }
  }
}, 60_000);
