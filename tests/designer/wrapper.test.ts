/** The vendor's own React component opens our designer: its settings, its callbacks, its life. */
import path from 'node:path';
import type { Browser, Page } from 'playwright';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openWorkshop, type Workshop } from './studio.ts';

let browser: Browser;
let script: string;
beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    build: {
      write: false,
      minify: false,
      rollupOptions: { input: path.join(import.meta.dirname, 'react-page.js') },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (!result || !('output' in result)) throw new Error('Vite built nothing');
  script = result.output[0].code;
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function enter(workshop: Workshop, settings: object): Promise<Page> {
  const { page } = await workshop.enter();
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
}

test('the component opens, tells each save to the latest callback, and leaves nothing behind', async () => {
  await using workshop = await openWorkshop(browser);
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
  await page.getByRole('button', { name: 'Esci' }).click();
  await hears(page, 'exit');
  await page.evaluate('change(null)');
  await page.waitForFunction('document.querySelectorAll(".bsd").length === 0');
  expect(await page.evaluate('designer.state')).toBe('DESTROYED');
});

test('modes and features: read-only, parts that are switched off, the published drawing instead of its draft', async () => {
  await using workshop = await openWorkshop(browser);
  const page = await enter(workshop, { chartKey: 'small' });
  await hears(page, 'rendered');
  await rename(page, 'Bozza nuova');
  await hears(page, 'updated small after 0');
  const change = async (settings: object) => {
    await page.evaluate('heard.length = 0');
    await page.evaluate(
      `change(${JSON.stringify({ secretKey: workshop.secretKey, chartKey: 'small', ...settings })})`,
    );
    await hears(page, 'rendered');
  };
  const name = page.getByLabel('Nome della pianta');
  await change({ openDraftDrawing: false, mode: 'readOnly' });
  expect(await name.inputValue()).toBe('Small');
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
});
