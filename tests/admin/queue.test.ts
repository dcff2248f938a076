/** The waiting room in the office: switched on, watched, paused, told something and closed, each by somebody who was asked first. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openDesk, within } from '#tests/support/door/desk.ts';
import { demoEvent, makeAdmin } from '#tests/support/make.ts';
import { entrants, openNow, room } from '#tests/support/queue.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function act(page: Page, opener: string, confirm: string): Promise<void> {
  await page.getByRole('button', { name: opener }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: confirm }).click();
}

test('the office switches the room on, sees it fill, pauses, tells, goes on and closes', async () => {
  await using server = await startServer();
  const page = await openDesk(browser, server, await makeAdmin(server), {
    path: `/events/${demoEvent}`,
  });
  await see(page.getByText('Serve quando arriva una folla.')).toBeVisible(within);
  await page.getByRole('link', { name: 'Apri la sala d’attesa' }).click();
  await page.getByRole('radio', { name: /^Accesa/ }).check(within);
  await page.getByLabel('Minuti per ogni turno').fill('500');
  await page.getByRole('button', { name: 'Salva' }).click();
  await see(page.getByText('Un turno dura da 2 a 60 minuti.')).toBeVisible(within);
  await page.getByLabel('Minuti per ogni turno').fill('12');
  await page.getByRole('checkbox', { name: /^Ritmo fisso/ }).check();
  await page.getByLabel('Persone al minuto').fill('120');
  await page.getByLabel('Codice per non aspettare').fill('SOCI-2026');
  await page.getByRole('button', { name: 'Salva' }).click();
  await see(page.getByText('Si raccoglie')).toBeVisible(within);
  await see(page.getByText('il numero segreto non si può più cambiare')).toBeVisible();

  await entrants(server, 3);
  await openNow(server);
  await see(page.getByText('120 al minuto')).toBeVisible(within);
  await see(page.getByRole('link', { name: 'Come è stato estratto l’ordine' })).toBeVisible(within);
  expect(await auditPage(page)).toEqual([]);

  await page.getByLabel('Messaggio a chi aspetta').fill('Restano posti in galleria.');
  await page.getByRole('button', { name: 'Mostra il messaggio' }).click();
  await see(page.getByRole('button', { name: 'Mostra il messaggio' })).toBeDisabled(within);
  await act(page, 'Metti in pausa…', 'Metti in pausa');
  await see(page.getByText('In pausa', { exact: true })).toBeVisible(within);
  expect(await room(server)).toMatchObject({
    phase: 'paused',
    message: 'Restano posti in galleria.',
    per_minute: 120,
    minutes: 12,
    has_code: true,
  });
  await act(page, 'Riprendi…', 'Riprendi');
  await see(page.getByText('Si entra', { exact: true }).first()).toBeVisible(within);
  // After the draw the other settings may still change.
  await page.getByLabel('Minuti per ogni turno').fill('15');
  await page.getByRole('button', { name: 'Salva' }).click();
  await see.poll(async () => (await room(server)).minutes, within).toBe(15);
  await act(page, 'Chiudi…', 'Chiudi la sala d’attesa');
  await see(page.getByText('Chiusa', { exact: true })).toBeVisible(within);
  await page.getByRole('link', { name: 'Evento', exact: true }).click();
  await see(
    page.getByRole('region', { name: 'Sala d’attesa' }).getByText('Chiusa', { exact: true }),
  ).toBeVisible(within);
  expect(await auditPage(page)).toEqual([]);
  await page.context().close();
});
