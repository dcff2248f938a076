/** Programmi in a real browser: a key that is shown once and revoked, an address that is tried, and what was sent to it. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openDesk, phone, within } from '#tests/support/door/desk.ts';
import { ask, makeAdmin } from '#tests/support/make.ts';
import { nearLine, startReceiver, tellDue } from '#tests/support/programs.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('a key is shown once and revoked; an address is tried, and its delivery read and sent again', async () => {
  await using server = await startServer({ programs: nearLine });
  await using receiver = await startReceiver();
  const admin = await makeAdmin(server);
  const page = await openDesk(browser, server, admin, { path: '/settings/programs' });
  await see(page.getByText('Nessuna: nessun altro programma')).toBeVisible(within);
  await page.getByRole('button', { name: 'Nuova chiave' }).click();
  await page.getByLabel('Nome').fill('Sito della compagnia');
  await page.getByRole('checkbox', { name: /^Ordini/ }).check();
  expect(await auditPage(page)).toEqual([]);
  await page.getByRole('button', { name: 'Crea la chiave' }).click();
  const token = await page.getByRole('textbox', { name: 'Chiave' }).inputValue(within);
  await page.getByRole('button', { name: 'Chiudi', exact: true }).click();
  const headers = { authorization: `Bearer ${token}` };
  expect((await ask(server, 'GET', '/api/v1/orders', { headers })).status).toBe(200);

  await page.getByRole('button', { name: 'Nuovo indirizzo' }).click();
  await page.getByLabel('Indirizzo').fill('http://10.0.0.1/botteghino');
  await page.getByRole('button', { name: 'Aggiungi l’indirizzo' }).click();
  await see(page.getByRole('alert')).toContainText('A questo indirizzo non si può scrivere');
  await page.getByLabel('Indirizzo').fill(receiver.url);
  await page.getByRole('button', { name: 'Aggiungi l’indirizzo' }).click();
  await see(page.getByRole('textbox', { name: 'Segreto' })).toHaveValue(/^whsec_/, within);
  await page.getByRole('button', { name: 'Chiudi', exact: true }).click();
  receiver.answer = (response) => response.writeHead(500).end('non ora');
  await page.getByRole('button', { name: 'Prova' }).click();
  await see(page.getByText('1 in attesa')).toBeVisible(within);
  await tellDue(server);
  expect(await auditPage(page)).toEqual([]);

  await page.getByRole('link', { name: 'Consegne' }).click();
  await page.getByRole('button', { name: 'Prova' }).click(within);
  const dialog = page.getByRole('dialog');
  await see(dialog).toContainText('Risposta 500', within);
  await see(dialog).toContainText('non ora');
  expect(await auditPage(page)).toEqual([]);
  receiver.answer = null;
  await dialog.getByRole('button', { name: 'Invia di nuovo' }).click();
  await see(dialog).toContainText('In attesa');
  await tellDue(server);
  await see(dialog).toContainText('Consegnata', within);
  expect(new Set(receiver.told.map(({ id }) => id)).size).toBe(1);

  await page.goto(`${server.url}/admin/settings/programs`);
  await page.getByRole('button', { name: 'Revoca… Sito della compagnia' }).click(within);
  await page.getByRole('button', { name: 'Revoca la chiave' }).click();
  await see(page.getByText('Revocata')).toBeVisible(within);
  expect((await ask(server, 'GET', '/api/v1/orders', { headers })).status).toBe(401);

  await page.setViewportSize(phone);
  for (const path of ['/settings/programs', '/settings/programs/deliveries']) {
    await page.goto(`${server.url}/admin${path}`);
    await see(page.getByRole('main').getByText(receiver.url).first()).toBeAttached(within);
    const isWider = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect([path, isWider, await auditPage(page)]).toEqual([path, false, []]);
  }
  await page.context().close();
});
