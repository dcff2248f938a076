/** Every screen of the public site that needs no order: its first HTML is valid, and two accessibility engines find nothing, in both themes, narrow and wide. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { htmlFaults } from '#tests/support/faults.ts';
import { startServer } from '#tests/support/server.ts';

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
