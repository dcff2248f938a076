/** The phone's screen for people without a ticket: counted without a line, kept through a reload, taken back after a question. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import { readTable } from '#tests/support/door/phone.ts';
import { startRehearsal } from '#tests/support/door/rehearsal.ts';
import { callOk, until } from '#tests/support/make.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('four artists come in without a line: one stray tap counts nobody, a reload loses nobody, the office hears of them later, and a count is taken back after a question', async () => {
  await using rehearsal = await startRehearsal(browser);
  const { server, admin, event_id } = rehearsal;
  const { page, context } = await rehearsal.phone({ scans: false });
  const open = () => page.getByRole('button', { name: 'Presenze' }).click();
  await open();
  await context.setOffline(true);
  const section = page.getByRole('region', { name: 'Senza biglietto' });
  const counted = () => section.getAttribute('data-heads');
  await section.getByRole('button', { name: 'Conta chi entra' }).click();
  const dialog = page.getByRole('dialog', { name: 'Chi entra senza biglietto?' });
  const act = (people: string) => dialog.getByRole('button', { name: `Fai entrare ${people}` });
  expect(await act('1 persona').isDisabled()).toBe(true);
  for (const button of await dialog.getByRole('button').all()) {
    const { width = 0, height = 0 } = (await button.boundingBox()) ?? {};
    expect([Math.min(width, height) >= 44, await button.innerText()]).toEqual([
      true,
      await button.innerText(),
    ]);
  }
  await dialog.getByRole('button', { name: '3', exact: true }).click();
  await dialog.getByRole('button', { name: 'Una in più' }).click();
  await dialog.getByRole('button', { name: 'Artisti' }).click();
  await dialog.getByLabel('Chi sono (facoltativo)').fill('Quartetto Rossi');
  await act('4 persone').click();
  await dialog.waitFor({ state: 'detached' });
  expect(await counted()).toBe('4');
  expect(await section.innerText()).toMatch(/4 entrate · Artisti: Quartetto Rossi[^]*da inviare/);

  await context.setOffline(false);
  await page.route('**/api/scanner/**', (route) => route.abort());
  await page.reload();
  await open();
  expect(await counted()).toBe('4');
  await section.getByRole('button', { name: 'Conta chi esce' }).click();
  const leaving = page.getByRole('dialog', { name: 'Chi esce senza biglietto?' });
  await leaving.getByRole('button', { name: '10', exact: true }).click();
  await leaving.getByRole('button', { name: 'Personale' }).click();
  expect(await leaving.innerText()).toContain('risultano dentro 4 persone');
  await leaving.getByRole('button', { name: 'Fai uscire 10 persone lo stesso' }).click();
  await leaving.waitFor({ state: 'detached' });
  expect(await section.innerText()).toContain('Ne risultano 6 uscite più di quante entrate');
  await section.getByRole('button', { name: 'Annulla' }).first().click();
  const question = page.getByRole('alertdialog', { name: 'Annullare il conteggio?' });
  await question.getByRole('button', { name: 'Lascia com’è' }).click();
  expect(await counted()).toBe('-6');
  await section.getByRole('button', { name: 'Annulla' }).first().click();
  await question.getByRole('button', { name: 'Annulla il conteggio' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await counted()).toBe('4');

  await page.unroute('**/api/scanner/**');
  const asked = { params: { eventId: event_id } };
  await until(async () => (await callOk(server, readPresence, asked, admin)).heads.inside === 4);
  await expect
    .poll(async () => (await readTable(page, 'heads')).map(({ fate }) => fate), { timeout: 30_000 })
    .toEqual(['stored', 'stored', 'stored']);
  expect(await page.locator('[data-presence]').innerText()).toMatch(/di cui 4 senza biglietto/);
}, 120_000);
