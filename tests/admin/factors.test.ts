/** The second factor in a real browser: an authenticator app, a passkey of a virtual authenticator, and the question before a sensitive act. */
import { TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openDesk, within } from '#tests/support/door/desk.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function leave(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Esci', exact: true }).click();
  await see(page.getByRole('heading', { name: 'Accedi' })).toBeVisible(within);
}

async function typePassword(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill('ada@teatro.it');
  await page.getByLabel('Password', { exact: true }).fill('una-platea-piena-di-luce');
  await page.getByRole('button', { name: 'Accedi', exact: true }).click();
}

test('an authenticator app is added, its codes open, and a sensitive act asks for one', async () => {
  await using server = await startServer();
  const page = await openDesk(browser, server, await makeAdmin(server), { path: '/account' });
  await page.getByRole('button', { name: 'Aggiungi l’app dei codici…' }).click(within);
  const secret = await page
    .getByRole('textbox', { name: 'Chiave da scrivere a mano' })
    .inputValue(within);
  const code = () => new TOTP({ secret }).generate({ timestamp: server.clock.now() });
  await see(page.getByRole('img', { name: 'Codice per l’app dei codici' })).toBeVisible();
  expect(await auditPage(page)).toEqual([]);
  await page.getByLabel('Codice', { exact: true }).fill(code());
  await page.getByRole('button', { name: 'Aggiungi', exact: true }).click();
  const codes = page.getByRole('dialog', { name: 'Codici di riserva' });
  await see(codes.getByRole('listitem')).toHaveCount(10, within);
  expect(await auditPage(page)).toEqual([]);
  await codes.getByRole('button', { name: 'Li ho messi al sicuro' }).click();
  await see(page.getByText('Ti restano 10 codici di riserva')).toBeVisible();
  expect(await auditPage(page)).toEqual([]);

  await leave(page);
  await typePassword(page);
  server.clock.advance(60_000);
  await page.getByLabel('Codice', { exact: true }).fill(code(), within);
  await page.getByRole('button', { name: 'Accedi', exact: true }).click();
  await see(page.getByRole('navigation', { name: 'Sezioni' })).toBeVisible(within);

  server.clock.advance(11 * 60_000);
  await page.goto(`${server.url}/admin/settings/people`);
  await page.getByRole('button', { name: 'Invita' }).click(within);
  await page.getByRole('button', { name: 'Crea l’invito' }).click();
  const question = page.getByRole('dialog', { name: 'Conferma che sei tu' });
  await question.getByLabel('Codice', { exact: true }).fill(code(), within);
  expect(await auditPage(page)).toEqual([]);
  await question.getByRole('button', { name: 'Conferma' }).click();
  await see(page.getByRole('textbox', { name: 'Link di invito' })).toBeVisible(within);
  await page.context().close();
});

test('a passkey is added, opens without a password, and confirms a sensitive act', async () => {
  await using server = await startServer();
  const page = await openDesk(browser, server, await makeAdmin(server), { path: '/account' });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.getByRole('button', { name: 'Aggiungi una passkey' }).click(within);
  await page.getByRole('button', { name: 'Li ho messi al sicuro' }).click(within);
  await see(page.getByText('Passkey: Chrome su Linux')).toBeVisible(within);
  await page.getByRole('button', { name: 'Rinomina…' }).click();
  await page.getByLabel('Nome', { exact: true }).fill('  Portatile della cassa ');
  await page.keyboard.press('Enter');
  await see(page.getByText('Passkey: Portatile della cassa')).toBeVisible(within);
  await leave(page);
  await page.getByRole('button', { name: 'Entra con una passkey' }).click();
  await see(page.getByRole('navigation', { name: 'Sezioni' })).toBeVisible(within);

  server.clock.advance(11 * 60_000);
  await page.goto(`${server.url}/admin/account`);
  await page.getByRole('button', { name: 'Nuovi codici…' }).click(within);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Crea i codici' }).click();
  const question = page.getByRole('dialog', { name: 'Conferma che sei tu' });
  await question.getByRole('button', { name: 'Usa la passkey' }).click(within);
  await see(page.getByRole('dialog', { name: 'Codici di riserva' })).toBeVisible(within);
  await page.context().close();
});
