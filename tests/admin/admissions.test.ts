/** Ingressi in a real browser: what phones read appears by itself, a ticket is admitted at the desk, and a scan is taken back with a reason. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tellOutcome } from '#apps/admin/door/desk-words.ts';
import { formatTime } from '#apps/shared/format.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { desk, openDesk, phone as small, within } from '#tests/support/door/desk.ts';
import { makeEvening } from '#tests/support/door/door-evening.ts';
import { demoEvent, makeAdmin } from '#tests/support/make.ts';
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
  test(`a scan appears by itself, and is taken back with a reason that stays in the list (${where})`, async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    const { tickets, one, admit } = await makeEvening(server, admin);
    const page = await openDesk(browser, server, admin, { path: '/door/scans', size });
    await see(page.getByText('Nessuna lettura.')).toBeVisible(within);
    await admit(one, tickets[0]!, { means: 'search', note: 'Telefono scarico' });
    const recent = page.getByRole('region', { name: 'Ultime letture' });
    await see(recent.getByRole('row').filter({ hasText: 'Telefono scarico' })).toContainText(
      'Trovato a mano',
      within,
    );
    await recent.getByRole('link', { name: tickets[0]!.seat }).click();
    const desk = page.locator('.door-admissions_desk-ticket');
    await see(desk).toContainText('GIÀ ENTRATO', within);
    await desk.getByRole('button', { name: /^Annulla la lettura/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Annullare questo ingresso?' });
    await see(dialog.getByRole('button', { name: 'Annulla la lettura' })).toBeDisabled();
    await dialog.getByLabel('Motivo').fill('Letto per sbaglio');
    expect(await auditPage(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Annulla la lettura' }).click();
    await see(desk.locator('.door-admissions_desk-verdict')).toContainText('ENTRA', within);
    await see(desk).toContainText('Annullata dopo');
    await see(desk).toContainText('Letto per sbaglio');
    await see(desk.getByRole('button', { name: /^Annulla la lettura/ })).toHaveCount(0);
    await desk.getByRole('button', { name: 'Fai entrare' }).click();
    await see(desk.locator('.door-admissions_desk-verdict')).toContainText(
      'Ingresso registrato',
      within,
    );
    expect(await auditPage(page)).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true);
    await page.context().close();
  });
}

test('where nobody comes back, whoever has left is told by the hour of his exit, which is no way in', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { tickets, one, two, admit } = await makeEvening(server, admin);
  await server.house.ctx.db('events').where({ id: demoEvent }).update({ reentry: 0 });
  const [gone, here] = [tickets[0]!, tickets[1]!];
  await admit(one, gone, { ago: 50 });
  await admit(two, gone, { ago: 10, direction: 'out', verdict: 'out' });
  await admit(one, here, { ago: 30 });
  const hourOf = (ago: number) => formatTime(server.clock.now() - ago * 60_000);
  const [left, came] = [hourOf(10), hourOf(30)];
  const page = await openDesk(browser, server, admin, {
    path: `/door/scans?ticket=${gone.ticket_id}`,
  });
  const verdict = page.locator('.door-admissions_desk-verdict');
  await see(verdict).toContainText(
    `È uscito alle ${left} al Varco B, da Varco B: non può rientrare.`,
    within,
  );
  await page.goto(`${server.url}/admin/door/scans?ticket=${here.ticket_id}`);
  await see(verdict).toContainText(
    new RegExp(`Già entrato il .* ${came} al Varco A, da Varco A\\.`),
    within,
  );
  await page.context().close();
});

test('a way in that the desk could not record says whether the ticket was used to come or to go', () => {
  const first = {
    admission_id: 'a',
    place: 'p',
    revision: 1,
    at: '2026-11-22T20:10:00Z',
    gate: 'Varco A',
    phone_id: 'x',
    by: 'Luca',
    conflict_with: null,
    undone: false,
  };
  const outcome = {
    admission_id: 'b',
    verdict: 'already_in',
    counts: false,
    ticket_id: 't',
    seat: 'A1',
    at: '2026-11-22T20:30:00Z',
  } as const;
  expect(tellOutcome({ ...outcome, first: { ...first, direction: 'out' } })).toBe(
    'È uscito alle 21:10 al Varco A, da Luca: non può rientrare.',
  );
  expect(tellOutcome({ ...outcome, first: { ...first, direction: 'in' } })).toBe(
    'Già entrato il 22/11/2026 21:10 al Varco A, da Luca.',
  );
});
