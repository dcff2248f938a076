/**
 * How the office begins: the login fetches little, the rest comes when it is looked at, and a
 * screen that cannot be fetched says so.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { see, startOffice } from './office.ts';

const assets = join(import.meta.dirname, '../../dist/admin/assets');
const sizeOf = (file: string) => statSync(join(assets, file)).size;

test('no script is so large that the build warns, the login fetches less than one such, and a screen whose script does not come says so in its place, while the way to the others stays', async () => {
  const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'));
  expect(scripts.filter((file) => sizeOf(file) >= 500_000)).toEqual([]);
  await using office = await startOffice();
  const stranger = await office.visit('/admin/');
  await see(stranger.getByRole('button', { name: 'Accedi' })).toBeVisible();
  const asked = await stranger.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  );
  const fetched = asked.filter((path) => path.endsWith('.js')).map((path) => basename(path));
  expect(fetched.length).toBeGreaterThan(0);
  expect(fetched.reduce((sum, file) => sum + sizeOf(file), 0)).toBeLessThan(450_000);

  // What the frame itself asks of the same name must come.
  const screen = scripts.find(
    (file) =>
      file.startsWith('conflicts-') &&
      readFileSync(join(assets, file), 'utf8').includes('ConflictsScreen'),
  )!;
  const page = await office.open('/account');
  await page.context().route(`**/assets/${screen}`, (route) => route.abort());
  // From the beginning: the other screens are fetched by themselves, too.
  await page.goto(`${office.server.url}/admin/door/phones`);
  await page.getByRole('link', { name: 'Conflitti' }).click();
  const failed = page
    .getByRole('alert')
    .filter({ hasText: 'Questa pagina non si è potuta caricare' });
  await see(failed).toBeVisible();
  await page.getByRole('link', { name: 'Presenze' }).click();
  await see(page.getByRole('heading', { level: 1, name: 'Presenze' })).toBeVisible();
  await page.getByRole('link', { name: 'Conflitti' }).click();
  await see(failed).toBeVisible();
  await page.context().unrouteAll();
  await failed.getByRole('button', { name: 'Riprova' }).click();
  await see(page.getByRole('heading', { level: 1, name: 'Conflitti' })).toBeVisible();
});
