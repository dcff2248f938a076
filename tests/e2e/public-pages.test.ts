/** Every screen of the public site that needs no order: its first HTML is valid, and two accessibility engines find nothing, in both themes, narrow and wide. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { htmlFaults } from '#tests/support/faults.ts';
import { startServer } from '#tests/support/server.ts';
import { startLine } from '#tests/support/silent-line.ts';
import { visit } from '#tests/support/visit.ts';

const within = { timeout: 20_000 };
const screens: [path: string, heading: string, status: number][] = [
  ['/', 'Il posto giusto, dal palco alla poltrona', 200],
  ['/event/la-locandiera', 'La locandiera', 200],
  ['/condizioni', 'Condizioni di vendita', 200],
  ['/privacy', 'Privacy Policy', 200],
  ['/cookie', 'Cookie', 200],
  ['/accessibilita', 'Dichiarazione di accessibilità', 200],
  ['/i-miei-biglietti', 'I miei biglietti', 200],
  ['/orders/nessuno', 'Ordine non trovato', 200],
  ['/una-pagina-che-non-esiste', 'Ti sei perso?', 404],
  ['/event/nessuno', 'Oops... Si è verificato un errore :( Riprova più tardi...', 404],
];

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('what the server draws is valid HTML', async () => {
  await using server = await startServer();
  for (const [path, , status] of screens) {
    const answer = await fetch(`${server.url}${path}`);
    expect([path, answer.status, await htmlFaults(await answer.text(), 'sent')]).toEqual([
      path,
      status,
      [],
    ]);
  }
});

test('without its database the site says so, waits through a restart, and shows what was asked for once it is back', async () => {
  await using line = await startLine(inject('postgresUrl'));
  await using server = await startServer({ database: 'postgres', postgresUrl: line.url });
  await using visitor = await visit(browser, server.url, { clock: true });
  const { page } = visitor;
  const away = page.getByRole('heading', { name: 'Un momento di pazienza' });
  await line.cut();
  await page.goto('/orders/nessuno');
  await see(away).toBeVisible(within);
  expect(await auditPage(page)).toEqual([]);
  // Nobody answers at all, as while the program starts anew.
  await page.context().setOffline(true);
  await page.clock.fastForward(5_000);
  await see(away).toBeVisible(within);
  await page.context().setOffline(false);
  await line.mend();
  await expect
    .poll(async () => (await fetch(`${server.url}/readyz`)).status, { timeout: 20_000 })
    .toBe(200);
  await page.clock.fastForward(5_000);
  await see(page.getByRole('heading', { name: 'Ordine non trovato' })).toBeVisible(within);
});

for (const width of [360, 1280]) {
  for (const colorScheme of ['dark', 'light'] as const) {
    test(
      `both accessibility engines find nothing, and nothing scrolls sideways (${width} px, ${colorScheme})`,
      { timeout: 180_000 },
      async () => {
        await using server = await startServer();
        const context = await browser.newContext({
          viewport: { width, height: 900 },
          locale: 'it-IT',
          colorScheme,
          baseURL: server.url,
        });
        const page = await context.newPage();
        const troubles: string[] = [];
        page.on('pageerror', (error) => troubles.push(`${page.url()} ${error.message}`));
        for (const [path, heading] of screens) {
          await page.goto(path);
          await see(page.getByRole('heading', { name: heading, exact: true }).first()).toBeVisible(
            within,
          );
          await see(page.locator('.ui-spinner')).toHaveCount(0, within);
          expect([path, await auditPage(page)]).toEqual([path, []]);
          expect([
            path,
            await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
          ]).toEqual([path, 0]);
        }
        expect(troubles).toEqual([]);
        await context.close();
      },
    );
  }
}
