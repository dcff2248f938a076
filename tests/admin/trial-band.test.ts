/** The band PROVA comes with the page: nothing moves when the house has answered. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { enterOffice, within } from '#tests/support/browsers/till-page.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('while the house is not known yet the band stands, with the same words', async () => {
  await using server = await startServer();
  const seller = await makeAdmin(server);
  const page = await enterOffice(browser, server, { path: '/orders', seller });
  const band = page.getByRole('complementary', { name: 'Ambiente di prova' });
  await see(band).toBeVisible(within);
  const words = await band.textContent();
  const answered = Promise.withResolvers<void>();
  await page.route('**/api/admin/house', async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.reload();
  const title = page.getByRole('heading', { name: 'Ordini' });
  await see(title).toBeVisible(within);
  expect(await band.textContent()).toBe(words);
  const before = await title.boundingBox();
  const house = page.waitForResponse('**/api/admin/house');
  answered.resolve();
  await house;
  await see(page.getByRole('link', { name: 'Botteghino' })).toBeVisible(within);
  expect(await title.boundingBox()).toEqual(before);
});
