/** The designer's place on a page: the chart to look at, and what is wrong with it in words. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallDrawing, uploadDrawing } from '#tests/standins/seatsio/start.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { buildScripts, openTheatre } from './theatre.ts';

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), buildScripts()]);
});
afterAll(() => browser.close());

test('the designer shows a chart and names what is wrong with it, for whoever has the key', async () => {
  await using theatre = await openTheatre(browser);
  const wrong = structuredClone(smallDrawing);
  wrong.subChart.rows[0]!.seats[1]!.label = '1';
  await uploadDrawing(theatre, { key: 'sbagliata', drawing: wrong });
  const { ask, page, hears } = await theatre.enter();
  await hears('rendered');
  await ask('hideChart()');
  const open = (settings: string) =>
    ask<string>(`new Promise((done) => {
    globalThis.designer?.destroy();
    const container = document.body.appendChild(document.createElement('div'));
    container.style.height = '600px';
    globalThis.designer = new seatsio.SeatingChartDesigner({ container, onDesignerRendered: () => done('rendered'), onDesignerRenderingFailed: () => done('failed'), ...(${settings}) }).render();
  })`);
  expect(await open(`{ secretKey: '${theatre.secretKey}', chartKey: 'sbagliata' }`)).toBe(
    'rendered',
  );
  const findings = page.getByRole('region', { name: 'Controllo della pianta' });
  expect(await findings.getByRole('heading').textContent()).toBe('Small · pubblicata');
  expect(await findings.locator('.bsc-bad').first().textContent()).toMatch(/«1»/);
  expect(await page.locator('.bsc-map').isVisible()).toBe(true);
  expect(await open(`{ secretKey: '${theatre.secretKey}', chartKey: 'teatro-goldoni' }`)).toBe(
    'rendered',
  );
  expect(await findings.locator('.bsc-bad').count()).toBe(0);
  expect(await open(`{ secretKey: 'nobody', chartKey: 'sbagliata' }`)).toBe('failed');
  await page.getByText('La chiave segreta non è valida per questa pianta.').waitFor();
  expect(await open(`{ secretKey: '${theatre.secretKey}', chartKey: 'nowhere' }`)).toBe('failed');
  await page.getByText('Non trovo questa pianta: controlla la sua chiave.').waitFor();
  await ask('designer.destroy()');
  expect(await ask('document.querySelectorAll(".bsc").length')).toBe(0);
});
