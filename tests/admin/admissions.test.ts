/** Ingressi in a real browser: what phones read appears by itself, a ticket is admitted at the desk, and a scan is taken back with a reason. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { desk, openDesk, phone as small, within } from '#tests/support/desk.ts';
import { makeEvening } from '#tests/support/door-evening.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => { browser = await launchBrowser(); });
afterAll(() => browser.close());

for (const [where, size] of [['at a desk', desk], ['on a phone', small]] as const) {
  test(`a scan appears by itself, and is taken back with a reason that stays in the list (${where})`, async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    const { tickets, one, admit } = await makeEvening(server, admin);
    const page = await openDesk(browser, server, admin, { path: '/admissions', size });
    await see(page.getByText('Nessuna lettura.')).toBeVisible(within);
    await admit(one, tickets[0]!, { means: 'search', note: 'Telefono scarico' });
    const recent = page.getByRole('region', { name: 'Ultime letture' });
    await see(recent.getByRole('row').filter({ hasText: 'Telefono scarico' })).toContainText('Trovato a mano', within);
    await recent.getByRole('link', { name: tickets[0]!.seat }).click();
    const desk = page.locator('.desk-ticket');
    await see(desk).toContainText('GIÀ ENTRATO', within);
    await desk.getByRole('button', { name: /^Annulla la lettura/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Annullare questo ingresso?' });
    await see(dialog.getByRole('button', { name: 'Annulla la lettura' })).toBeDisabled();
    await dialog.getByLabel('Motivo').fill('Letto per sbaglio');
    expect(await auditPage(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Annulla la lettura' }).click();
    await see(desk.locator('.desk-verdict')).toContainText('ENTRA', within);
    await see(desk).toContainText('Annullata dopo');
    await see(desk).toContainText('Letto per sbaglio');
    await see(desk.getByRole('button', { name: /^Annulla la lettura/ })).toHaveCount(0);
    await desk.getByRole('button', { name: 'Fai entrare' }).click();
    await see(desk.locator('.desk-verdict')).toContainText('Ingresso registrato', within);
    expect(await auditPage(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await page.context().close();
  });
}
