/** "Persone e ruoli" and the own account in a real browser: an invitation from the link to the first login, a suspended colleague, a new password. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openDesk } from '#tests/support/door/desk.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const within = { timeout: 20_000 };
const password = 'un-palco-tutto-di-velluto';
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function openStranger(server: TestServer, path: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'it-IT' });
  const page = await context.newPage();
  await page.goto(path.startsWith('http') ? path : `${server.url}/admin${path}`);
  return page;
}

async function accept(page: Page): Promise<void> {
  await page.getByLabel('Nome e cognome').fill('Rosa Bianchi', within);
  await page.getByLabel('E-mail').fill('rosa@teatro.it');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Ripeti la password').fill(password);
  await page.getByRole('button', { name: 'Crea l’accesso ed entra' }).click();
}

async function enter(page: Page, word: string): Promise<void> {
  await page.getByLabel('E-mail').fill('rosa@teatro.it', within);
  await page.getByLabel('Password', { exact: true }).fill(word);
  await page.getByRole('button', { name: 'Accedi' }).click();
}

test('somebody is invited with a link, chooses a password, sees only what the role may, and is suspended', async () => {
  await using server = await startServer();
  const desk = await openDesk(browser, server, await makeAdmin(server), {
    path: '/settings/people',
  });
  await see(desk.getByRole('row').filter({ hasText: 'ada@teatro.it' })).toContainText(
    '(tu)',
    within,
  );
  expect(await auditPage(desk)).toEqual([]);
  await desk.getByRole('button', { name: 'Invita' }).click();
  await desk.getByRole('radio', { name: /^Solo numeri/ }).check();
  await see(desk.getByRole('radio', { name: /^Con un link/ })).toBeChecked();
  expect(await auditPage(desk)).toEqual([]);
  await desk.getByRole('button', { name: 'Crea l’invito' }).click();
  const url = await desk.getByRole('textbox', { name: 'Link di invito' }).inputValue(within);
  await desk.getByRole('button', { name: 'Chiudi', exact: true }).click();
  await see(desk.getByRole('region', { name: 'Inviti in attesa' })).toContainText('Solo numeri');

  const rosa = await openStranger(server, url);
  await see(rosa.getByText('Il tuo ruolo in questo botteghino: Solo numeri')).toBeVisible(within);
  expect([rosa.url().includes('#'), await auditPage(rosa)]).toEqual([false, []]);
  await accept(rosa);
  await see(rosa.getByRole('link', { name: 'La locandiera' })).toBeVisible(within);
  await see(rosa.getByRole('link', { name: 'Ordini' })).toHaveCount(0);
  const late = await openStranger(server, url);
  await see(late.getByText('Questo invito non è più valido')).toBeVisible(within);

  await desk.reload();
  await desk.getByRole('button', { name: /Rosa Bianchi/ }).click(within);
  await desk.getByRole('button', { name: 'Sospendi…' }).click();
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Sospendi' }).click();
  await see(desk.getByRole('button', { name: 'Riattiva' })).toBeVisible(within);
  await rosa.reload();
  await enter(rosa, password);
  await see(rosa.getByRole('alert')).toContainText('Il tuo accesso è sospeso');
  await Promise.all([desk, rosa, late].map((page) => page.context().close()));
});

test('the last administrator is told that nobody else is left', async () => {
  await using server = await startServer();
  const desk = await openDesk(browser, server, await makeAdmin(server), {
    path: '/settings/people',
  });
  await desk.getByRole('button', { name: /Ada/ }).click(within);
  await desk.getByRole('radio', { name: /^Ufficio/ }).check();
  await desk.getByRole('button', { name: 'Salva il ruolo' }).click();
  await see(desk.getByRole('alert')).toContainText('È l’unico amministratore attivo', within);
  await desk.context().close();
});

test('the own password is changed, every device leaves, and whoever forgot asks for a link', async () => {
  await using server = await startServer();
  const desk = await openDesk(browser, server, await makeAdmin(server), { path: '/account' });
  await desk.getByLabel('Password di adesso').fill('una-platea-piena-di-luce', within);
  await desk.getByLabel('Nuova password').fill('corta');
  await desk.getByLabel('Ripeti la password').fill('corta');
  await desk.getByRole('button', { name: 'Cambia la password' }).click();
  await see(desk.getByText('Mancano ancora 7 caratteri.')).toBeVisible();
  await desk.getByLabel('Nuova password').fill(password);
  await desk.getByLabel('Ripeti la password').fill(password);
  await desk.getByRole('button', { name: 'Cambia la password' }).click();
  await see(desk.getByText('Password cambiata.')).toBeVisible(within);
  expect(await auditPage(desk)).toEqual([]);
  await desk.getByRole('button', { name: 'Esci ovunque…' }).click();
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Esci ovunque' }).click();
  await desk.getByRole('link', { name: 'Password dimenticata?' }).click(within);
  await desk.getByLabel('E-mail').fill('nessuno@teatro.it');
  await desk.getByRole('button', { name: 'Mandami il link' }).click();
  await see(desk.getByRole('heading', { name: 'Controlla la posta' })).toBeVisible(within);
  expect(await auditPage(desk)).toEqual([]);
  await desk.context().close();
});
