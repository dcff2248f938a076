/** How the office begins: the login fetches little, the rest comes when it is looked at, and a screen that cannot be fetched says so. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openDesk, within } from '#tests/support/door/desk.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const assets = join(import.meta.dirname, '../../dist/admin/assets');
const sizeOf = (file: string) => statSync(join(assets, file)).size;

test('no script of the office is so large that the build warns, and the login fetches less than one such', async () => {
  const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'));
  expect(scripts.filter((file) => sizeOf(file) >= 500_000)).toEqual([]);
  await using server = await startServer();
  await makeAdmin(server);
  const page = await browser.newPage();
  const fetched: string[] = [];
  page.on('request', (request) => {
    const file = new URL(request.url()).pathname.split('/').at(-1)!;
    if (file.endsWith('.js')) fetched.push(file);
  });
  await page.goto(`${server.url}/admin/`);
  await see(page.getByRole('button', { name: 'Accedi' })).toBeVisible(within);
  expect(fetched.length).toBeGreaterThan(0);
  expect(fetched.reduce((sum, file) => sum + sizeOf(file), 0)).toBeLessThan(450_000);
  await page.close();
});

test('a screen whose script does not come says so in its place, and the way to the others stays', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const page = await openDesk(browser, server, admin, { path: '/door/phones' });
  // What the frame itself asks of the same name must come.
  const screen = readdirSync(assets).find(
    (file) =>
      /^conflicts-.*\.js$/.test(file) &&
      readFileSync(join(assets, file), 'utf8').includes('ConflictsScreen'),
  )!;
  await page.context().route(`**/assets/${screen}`, (route) => route.abort());
  // From the beginning: the other screens are fetched by themselves, too.
  await page.reload();
  await page.getByRole('link', { name: 'Conflitti' }).click(within);
  const failed = page
    .getByRole('alert')
    .filter({ hasText: 'Questa pagina non si è potuta caricare' });
  await see(failed).toBeVisible(within);
  await page.getByRole('link', { name: 'Presenze' }).click();
  await see(page.getByRole('heading', { level: 1, name: 'Presenze' })).toBeVisible(within);
  await page.getByRole('link', { name: 'Conflitti' }).click();
  await see(failed).toBeVisible(within);
  await page.context().unrouteAll();
  await failed.getByRole('button', { name: 'Riprova' }).click();
  await see(page.getByRole('heading', { level: 1, name: 'Conflitti' })).toBeVisible(within);
  await page.context().close();
});
