/**
 * Printers and tills among the settings: what is wrong stands beside its field, and a printer says
 * how it is and what it printed last.
 */
import { expect, test } from 'vitest';
import { changeTills } from '#server/contract/counter.ts';
import { callOk } from '#tests/support/make.ts';
import { startTicketPrinter } from '#tests/support/ticket-printer.ts';
import { expectGood, see, startOffice } from './office.ts';

test('a till’s faults stand beside their fields, and its printer says what it printed last', async () => {
  await using printer = await startTicketPrinter();
  await using office = await startOffice({ worker: true });
  const { server, admin } = office;
  const page = await office.open('/settings/tills', { size: { width: 768, height: 900 } });
  const tabs = page.getByRole('navigation', { name: 'Impostazioni' }).getByRole('link');
  await see(tabs.filter({ hasText: 'Stampanti e casse' })).toHaveAttribute('aria-current', 'page');
  const save = page.getByRole('button', { name: 'Salva' });
  const host = page.getByLabel('Stampante in rete');
  await host.fill('stampante.teatro.it');
  await page.getByLabel('Porta', { exact: true }).fill('70000');
  await page.getByLabel('Nome della cassa').fill(' ');
  await save.click();
  await see(host).toHaveAccessibleDescription(/Scrivi il numero IP/);
  await see(page.getByLabel('Porta', { exact: true })).toHaveAccessibleDescription(/da 1 a 65535/);
  await see(page.getByLabel('Nome della cassa')).toHaveAccessibleDescription(
    'Dai un nome alla cassa.',
  );
  await page.getByLabel('Nome della cassa').fill('Cassa 1');
  await page.getByLabel('Porta', { exact: true }).fill(String(printer.port));
  // Only the server knows which numbers are the house's own.
  await host.fill('8.8.8.8');
  await save.click();
  await see(host).toHaveAccessibleDescription(/rete/);
  await see(host).toHaveAttribute('aria-invalid', 'true');
  await host.fill(printer.host);
  await save.click();
  await see(page.getByText('Non ha ancora stampato niente.')).toBeVisible();
  await page.getByRole('button', { name: 'Stampa di prova' }).click();
  await see(page.getByText('Ultima stampa: prova di stampa,')).toBeVisible();
  await expectGood(page);

  const tills = [{ id: 'cassa-1', name: 'Altra', layout: 'a6' as const, printer: null }];
  await callOk(server, changeTills, { body: { version: 1, gifts_per_event: 3, tills } }, admin);
  await page.getByLabel('Nome della cassa').fill('Mia');
  await save.click();
  await see(page.getByRole('alert')).toContainText('qualcun altro ha salvato');
  expect(server.logged).toEqual([]);
});
