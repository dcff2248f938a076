/**
 * "Posta" in a real browser: the list, a letter as the buyer has it, why one could not leave, and
 * sending it once more.
 */
import { expect, test } from 'vitest';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { startSmtp } from '#tests/support/smtp.ts';
import {
  desk,
  expectFit,
  expectGood,
  phone,
  see,
  startOffice,
  testOffice as it,
} from './office.ts';

it('a letter is read as the buyer has it, with its attachments, and goes nowhere without a mail server', async (office) => {
  const { server } = office;
  const page = await office.open('/settings/mail');
  await see(page.getByText('Non c’è ancora nessun messaggio.')).toBeVisible();
  await see(page.getByText('nessun server di posta')).toBeVisible();

  await makePaidOrder(server, { email: 'eva@example.it' });
  await server.runDue();
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'eva@example.it' });
  await see(row).toContainText('Non spedito: posta non configurata');
  await row.getByRole('link').click();
  await see(
    page.getByRole('heading', { name: /^I tuoi biglietti per La locandiera/ }),
  ).toBeVisible();
  const letter = page.frameLocator('iframe[title="Messaggio"]');
  await see(letter.getByText('Ciao Eva Neri,')).toBeVisible();
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
  await see(tickets.getByText('Ordine confermato!')).toBeVisible();
  await tickets.close();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /\.pdf$/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^La locandiera [0-9A-Z]{4}-[0-9A-Z]{4}\.pdf$/);
  await expectGood(page);
});

test('a mail that was refused says why, and is sent again after a question that names the address', async () => {
  let full = true;
  await using smtp = await startSmtp({ rcpt: () => (full ? '550 Mailbox unavailable' : null) });
  await using office = await startOffice({
    env: { SMTP_URL: smtp.url, MAIL_FROM: 'biglietti@teatro.it' },
  });
  const { server } = office;
  await makePaidOrder(server, { email: 'eva@example.it' });
  await server.runDue();
  const page = await office.open('/settings/mail', { size: phone });
  await page.getByRole('button', { name: 'Filtri' }).click();
  await page.getByLabel('Stato').selectOption({ label: 'Non inviato o respinto' });
  await expectGood(page, [desk.width]);
  await page.getByRole('link', { name: /^I tuoi biglietti/ }).click();
  await see(page.getByText('Il server di posta ha rifiutato il messaggio.')).toBeVisible();
  await page.getByText('Dettagli tecnici').first().click();
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
  );
  await server.runDue();
  expect(smtp.received.map(({ to }) => to)).toEqual([['eva@example.it']]);
  await see(page.getByText('Inviato', { exact: true }).first()).toBeVisible();
  await expectFit(page);
});
