/** Conflitti in a real browser: both ways in stand beside each other, a person says what it was, and the count in the navigation goes down. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { desk, openDesk, phone as small, within } from '#tests/support/door/desk.ts';
import { makeEvening } from '#tests/support/door/door-evening.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

for (const [where, size] of [
  ['at a desk', desk],
  ['on a phone', small],
] as const) {
  test(`two ways in with one ticket are a card that a person answers, and may answer again (${where})`, async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    const { tickets, one, two, admit } = await makeEvening(server, admin);
    await admit(one, tickets[0]!, { ago: 10 });
    await admit(two, tickets[0]!, { ago: 7, offline: true });
    const page = await openDesk(browser, server, admin, { path: '/door/conflicts', size });
    const card = page.getByRole('article', { name: tickets[0]!.seat });
    await see(card).toContainText('Da chiarire', within);
    await see(card).toContainText(
      /Primo ingresso.*Varco A.*3 min dopo.*Secondo ingresso.*Varco B.*senza rete/s,
    );
    const room = page.getByRole('link', { name: 'Conflitti 1 in attesa' });
    await see(room).toBeAttached(within);
    expect(await auditPage(page)).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true);

    await card.getByLabel('Nota (facoltativa)').fill('Uscita dal bar');
    await card.getByRole('button', { name: 'Era la stessa persona' }).click();
    await see(page.getByText('Nessun conflitto da chiarire.')).toBeVisible(within);
    await see(room).toHaveCount(0, within);
    await page.getByLabel('Anche i conflitti risolti').click();
    await see(card).toContainText(/Era la stessa persona.*Ada.*«Uscita dal bar»/s, within);
    await card.getByRole('button', { name: 'Cambia risposta' }).click();
    await see(card.getByRole('button', { name: 'Possibile copia' })).toBeVisible();
    // Scrolled, a tab may lie half under the bar, which is no fault of it.
    await page.evaluate(() => window.scrollTo(0, 0));
    expect(await auditPage(page)).toEqual([]);
    await card.getByRole('button', { name: 'Lascia com’era' }).click();
    await see(card.getByRole('button', { name: 'Possibile copia' })).toHaveCount(0);
    await see(card).toContainText('«Uscita dal bar»');
    await card.getByRole('button', { name: 'Cambia risposta' }).click();
    await card.getByRole('button', { name: 'Possibile copia' }).click();
    await see(card.locator('.door-conflicts_head')).toContainText('Possibile copia', within);
    expect(
      await server.house.ctx
        .db('admissions')
        .whereNotNull('settled_as')
        .select('settled_as', 'settled_note'),
    ).toEqual([{ settled_as: 'copy', settled_note: 'Uscita dal bar' }]);
    await page.context().close();
  });
}

for (const [where, size] of [
  ['at a desk', desk],
  ['on a phone', small],
] as const) {
  test(`a scan in doubt says why in Italian, and the office says whether it counts (${where})`, async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    const { tickets, one, two, admit, scanOf } = await makeEvening(server, admin);
    await admit(one, tickets[0]!, { ago: 1 });
    const scan = scanOf(one, tickets[0]!, { ago: 1 });
    const stored = await server.house.ctx.db('admissions').first('id');
    await admit(two, tickets[0]!, {
      verdict: 'undone',
      counts: false,
      annuls: stored.id,
      place: scan.place,
    });
    await admit(two, tickets[1]!, { corrected_at: '2001-01-01T00:00:00.000Z' });
    const page = await openDesk(browser, server, admin, { path: '/door/conflicts', size });
    const forged = page.getByRole('article', { name: tickets[0]!.seat });
    await see(forged).toContainText(
      /In dubbio.*Annullamento della lettura di Varco A.*può farlo solo un responsabile/s,
      within,
    );
    await see(page.getByRole('link', { name: 'Conflitti 2 in attesa' })).toBeAttached(within);
    const old = page.getByRole('article', { name: tickets[1]!.seat });
    await see(old).toContainText(/Ingresso.*più di tre ore prima dell’apertura delle porte/s);
    expect(await auditPage(page)).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true);
    await old.getByLabel('Nota (facoltativa)').fill('Prova del mattino');
    await old.getByRole('button', { name: 'Non vale' }).click();
    await see(old).toHaveCount(0, within);
    await forged.getByRole('button', { name: 'Vale', exact: true }).click();
    await see(forged).toHaveCount(0, within);
    await see(page.getByRole('link', { name: 'Conflitti', exact: true })).toBeAttached(within);
    await page.getByLabel('Anche i conflitti risolti').click();
    await see(old).toContainText(/Non vale.*Ada.*«Prova del mattino»/s, within);
    expect(
      (await server.house.ctx.db('admissions').where({ id: stored.id }).first()).annulled_by,
    ).not.toBeNull();
    await page.context().close();
  });
}

test('the door sees conflicts, but leaves the answer to the office', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { tickets, one, two, admit } = await makeEvening(server, admin);
  await admit(one, tickets[0]!, { ago: 10 });
  await admit(two, tickets[0]!, { ago: 7 });
  const page = await openDesk(browser, server, await asRole(server, 'door'), {
    path: '/door/conflicts',
  });
  await see(page.getByRole('article', { name: tickets[0]!.seat })).toBeVisible(within);
  await see(page.getByText('Può rispondere solo l’ufficio.')).toBeVisible();
  await see(page.getByRole('button', { name: 'Possibile copia' })).toHaveCount(0);
  await page.context().close();
});
