/**
 * Every screen of the public site that needs no order: its first HTML is valid, all begin at the
 * same edge, and two accessibility engines find nothing.
 */
import { see } from '#tests/support/browsers/see.ts';
import { expect, inject, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { expectNoFaults, htmlFaults } from '#tests/support/faults.ts';
import { startLine } from '#tests/support/silent-line.ts';
import { startVisit, testVisit as it } from '#tests/support/browsers/start-visit.ts';

/** `audited`: no other test audits the page. */
const pages: [path: string, heading: string, status: number, audited: boolean][] = [
  ['/', 'Il posto giusto, dal palco alla poltrona', 200, false],
  ['/event/la-locandiera', 'La locandiera', 200, false],
  ['/condizioni', 'Condizioni di vendita', 200, false],
  ['/privacy', 'Privacy Policy', 200, false],
  ['/cookie', 'Cookie', 200, true],
  ['/accessibilita', 'Dichiarazione di accessibilità', 200, true],
  ['/i-miei-biglietti', 'I miei biglietti', 200, false],
  ['/orders/nessuno', 'Ordine non trovato', 200, false],
  ['/una-pagina-che-non-esiste', 'Ti sei perso?', 404, true],
  ['/event/nessuno', 'Oops... Si è verificato un errore :( Riprova più tardi...', 404, true],
];

it('what the server draws is valid HTML, begins at the same left edge with the same bar, never scrolls sideways, and in both themes accessibility engines find nothing', async (at) => {
  const { page, server } = at;
  const edges = new Set<number>();
  for (const [path, heading, status, audited] of pages) {
    const answer = await fetch(`${server.url}${path}`);
    expect([path, answer.status, await htmlFaults(await answer.text(), 'sent')]).toEqual([
      path,
      status,
      [],
    ]);
    await page.goto(path);
    await see(page.getByRole('heading', { name: heading, exact: true }).first()).toBeVisible();
    await see(page.locator('.ui-spinner')).toHaveCount(0);
    if (audited) await expectNoFaults(page, path);
    await page.setViewportSize({ width: 1280, height: 900 });
    const bar = page.getByRole('banner');
    await see(bar.getByRole('button', { name: /Passa ai colori/ })).toBeVisible();
    edges.add(Math.round((await bar.locator('img').first().boundingBox())!.x));
  }
  expect([edges.size, at.troubles]).toEqual([1, []]);
});

test('without its database the site says so, waits through a restart, and shows what was asked for once it is back', async () => {
  await using line = await startLine(inject('postgresUrl'));
  await using at = await startVisit(
    { clock: true },
    { database: 'postgres', postgresUrl: line.url },
  );
  const { page, server } = at;
  const away = page.getByRole('heading', { name: 'Un momento di pazienza' });
  await line.cut();
  await page.goto('/orders/nessuno');
  await see(away).toBeVisible();
  expect(await auditPage(page)).toEqual([]);
  // Nobody answers at all, as while the program starts anew.
  await page.context().setOffline(true);
  await page.clock.fastForward(5_000);
  await see(away).toBeVisible();
  await page.context().setOffline(false);
  await line.mend();
  await expect
    .poll(async () => (await fetch(`${server.url}/readyz`)).status, { timeout: 20_000 })
    .toBe(200);
  await page.clock.fastForward(5_000);
  await see(page.getByRole('heading', { name: 'Ordine non trovato' })).toBeVisible();
});
