/**
 * Programmi in a real browser: a key that is shown once and revoked, an address that is tried, and
 * what was sent to it.
 */
import { expect, test } from 'vitest';
import { ask } from '#tests/support/make.ts';
import { nearLine, startReceiver, tellDue } from '#tests/support/programs.ts';
import { expectFit, expectGood, goTo, lookAgain, see, startOffice } from './office.ts';

test('a key is shown once and revoked; an address is tried, and its delivery read and sent again', async () => {
  await using office = await startOffice({ programs: nearLine });
  await using receiver = await startReceiver();
  const { server } = office;
  const page = await office.open('/settings/programs');
  await see(page.getByText('Nessuna: nessun altro programma')).toBeVisible();
  await page.getByRole('button', { name: 'Nuova chiave' }).click();
  await page.getByRole('textbox', { name: 'Nome' }).fill('Sito della compagnia');
  await page.getByRole('checkbox', { name: /^Ordini/ }).check();
  await expectGood(page);
  await page.getByRole('button', { name: 'Crea la chiave' }).click();
  const token = await page.getByRole('textbox', { name: 'Chiave' }).inputValue();
  await page.getByRole('button', { name: 'Chiudi', exact: true }).click();
  const headers = { authorization: `Bearer ${token}` };
  expect((await ask(server, 'GET', '/api/v1/orders', { headers })).status).toBe(200);

  await page.getByRole('button', { name: 'Nuovo indirizzo' }).click();
  await page.getByRole('textbox', { name: 'Indirizzo' }).fill('http://10.0.0.1/botteghino');
  await page.getByRole('button', { name: 'Aggiungi l’indirizzo' }).click();
  await see(page.getByRole('alert')).toContainText('A questo indirizzo non si può scrivere');
  await page.getByRole('textbox', { name: 'Indirizzo' }).fill(receiver.url);
  await page.getByRole('button', { name: 'Aggiungi l’indirizzo' }).click();
  await see(page.getByRole('textbox', { name: 'Segreto' })).toHaveValue(/^whsec_/);
  await page.getByRole('button', { name: 'Chiudi', exact: true }).click();
  receiver.answer = (response) => response.writeHead(500).end('non ora');
  await page.getByRole('button', { name: 'Prova' }).click();
  await see(page.locator('#content').getByText('1 in attesa')).toBeVisible();
  await tellDue(server);
  await lookAgain(page);
  await expectGood(page);

  await page.getByRole('link', { name: 'Consegne' }).click();
  await page.getByRole('button', { name: 'Prova' }).click();
  const dialog = page.getByRole('dialog');
  await see(dialog).toContainText('Risposta 500');
  await see(dialog).toContainText('non ora');
  await expectGood(page);
  receiver.answer = null;
  await dialog.getByRole('button', { name: 'Invia di nuovo' }).click();
  await see(dialog).not.toContainText('Tentativi falliti');
  await tellDue(server);
  await lookAgain(page);
  await see(dialog).toContainText('Consegnata');
  expect(new Set(receiver.told.map(({ id }) => id)).size).toBe(1);

  await page.keyboard.press('Escape');
  await expectFit(page);
  await goTo(page, '/settings/programs');
  await page.getByRole('button', { name: 'Revoca… Sito della compagnia' }).click();
  await page.getByRole('button', { name: 'Revoca la chiave' }).click();
  await see(page.getByText('Revocata')).toBeVisible();
  expect((await ask(server, 'GET', '/api/v1/orders', { headers })).status).toBe(401);
  await expectFit(page);
});
