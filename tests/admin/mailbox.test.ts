/** "Posta" in a real browser: the list, a letter as the buyer has it, why one could not leave, and sending it once more. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { startSmtp } from '#tests/support/smtp.ts';

const within = { timeout: 20_000 };
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function openMailbox(server: TestServer, width = 1280): Promise<Page> {
  const { cookie } = await makeAdmin(server);
  const context = await browser.newContext({ viewport: { width, height: 900 }, locale: 'it-IT' });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  const page = await context.newPage();
  await page.goto(`${server.url}/admin/settings/mail`);
  await see(page.getByRole('heading', { name: 'Posta' })).toBeVisible(within);
  return page;
}

test('a letter is read as the buyer has it, with its attachments, and goes nowhere without a mail server', async () => {
  await using server = await startServer();
  const page = await openMailbox(server);
  await see(page.getByText('Non c’è ancora nessun messaggio.')).toBeVisible(within);
  await see(page.getByText('nessun server di posta')).toBeVisible();
  expect(await auditPage(page)).toEqual([]);

  await makePaidOrder(server, { email: 'eva@example.it' });
  await server.runDue();
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'eva@example.it' });
  await see(row).toContainText('Non spedito: posta non configurata', within);
  await row.getByRole('link').click();
  await see(page.getByRole('heading', { name: /^I tuoi biglietti per La locandiera/ })).toBeVisible(
    within,
  );
  const letter = page.frameLocator('iframe[title="Messaggio"]');
  await see(letter.getByText('Ciao Eva Neri,')).toBeVisible(within);
  // The page's own rules let the letter's look through, and nothing else.
  expect(
    await letter
      .getByRole('link', { name: 'Vedi i biglietti' })
      .evaluate((link) => getComputedStyle(link).color),
  ).toBe('rgb(255, 255, 255)');
  const [tickets] = await Promise.all([
    page.waitForEvent('popup'),
    letter.getByRole('link', { name: 'Vedi i biglietti' }).click(),
  ]);
  await see(tickets.getByText('Ordine confermato!')).toBeVisible(within);
  await tickets.close();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /\.pdf$/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^La locandiera [0-9A-Z]{4}-[0-9A-Z]{4}\.pdf$/);
  expect(await auditPage(page)).toEqual([]);
});

test('a mail that was refused says why, and is sent again after a question that names the address', async () => {
  let full = true;
  await using smtp = await startSmtp({ rcpt: () => (full ? '550 Mailbox unavailable' : null) });
  await using server = await startServer({
    env: { SMTP_URL: smtp.url, MAIL_FROM: 'biglietti@teatro.it' },
  });
  await makePaidOrder(server, { email: 'eva@example.it' });
  await server.runDue();
  const page = await openMailbox(server, 390);
  await page.getByRole('button', { name: 'Filtri' }).click(within);
  await page.getByLabel('Stato').selectOption({ label: 'Non inviato o respinto' });
  await page.getByRole('link', { name: /^I tuoi biglietti/ }).click(within);
  await see(page.getByText('Il server di posta ha rifiutato il messaggio.')).toBeVisible(within);
  await page.getByText('Dettagli tecnici').first().click(within);
  await see(page.getByText('550 Mailbox unavailable')).toBeVisible();
  const old = page.url();
  full = false;
  await page.getByRole('button', { name: 'Invia di nuovo' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Inviare di nuovo?' });
  await see(dialog).toContainText('eva@example.it');
  await dialog.getByRole('button', { name: 'Torna indietro' }).click();
  expect(smtp.received).toEqual([]);
  await page.getByRole('button', { name: 'Invia di nuovo' }).click();
  await dialog.getByRole('button', { name: 'Invia di nuovo' }).click();
  await page.waitForURL(
    (url) => url.href !== old && url.pathname.startsWith('/admin/settings/mail/'),
    within,
  );
  await server.runDue();
  expect(smtp.received.map(({ to }) => to)).toEqual([['eva@example.it']]);
  await see(page.getByText('Inviato', { exact: true }).first()).toBeVisible(within);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await auditPage(page)).toEqual([]);
});
