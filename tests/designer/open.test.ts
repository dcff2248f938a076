/** The designer's place on a page: its script comes when one is opened, and a chart that cannot be opened says why. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openWorkshop } from './studio.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('the designer opens a chart for whoever has the key, says why another does not open, and leaves nothing behind', async () => {
  await using workshop = await openWorkshop(browser);
  const { page, ask, open } = await workshop.enter();
  expect(await open({ chartKey: 'teatro-goldoni' })).toBe('rendered');
  expect(await page.getByRole('heading', { name: 'Teatro Goldoni' }).isVisible()).toBe(true);
  expect(await open({ chartKey: 'small', secretKey: 'nobody' })).toBe('failed');
  await page.getByText('La chiave segreta non è valida per questa pianta.').waitFor();
  expect(await open({ chartKey: 'nowhere' })).toBe('failed');
  await page.getByText('Non trovo questa pianta: controlla la sua chiave.').waitFor();
  await ask('designer.destroy()');
  expect(await ask('document.querySelectorAll(".bsd").length')).toBe(0);
});

test('what every visitor fetches has not grown by the designer', () => {
  const file = readFileSync(path.join(import.meta.dirname, '../../dist/chart/chart.js'));
  expect(gzipSync(file, { level: 9 }).length).toBeLessThanOrEqual(57_463 + 1_024);
});
