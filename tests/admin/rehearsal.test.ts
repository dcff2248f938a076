/**
 * Prova generale in a real browser: made from an evening, walked through with a phone, turned,
 * printed, made again and closed.
 */
import { expect } from 'vitest';
import { sendAdmissions, type ScanSent } from '#server/contract/door/admissions.ts';
import { callOk, makePairedPhone } from '#tests/support/make.ts';
import {
  confirm,
  expectGood,
  goTo,
  lookAgain,
  phone as small,
  see,
  testOffice as test,
} from './office.ts';

test('a rehearsal is made like an evening, takes phones in, shows its codes with their words and ticks off what phones say; the doors are turned, the sheet is printed, and it is made again and closed', async (office) => {
  const { server, admin } = office;
  const phone = await makePairedPhone(server, admin);
  const page = await office.open('/door/rehearsals');
  const button = (name: string) => page.getByRole('button', { name });
  await button('Nuova prova').click();
  await button('Prepara la prova').click();
  await see(
    page.getByRole('heading', { level: 1, name: 'Prova generale · La locandiera' }),
  ).toBeVisible();
  await button('Varco A partecipa').click();
  await see(button('Varco A partecipa')).toHaveAttribute('aria-pressed', 'true');
  await button('Ingrandisci il codice: RIMBORSATO').click();
  await see(page.getByRole('dialog', { name: 'RIMBORSATO' })).toContainText(
    'Chi l’aveva comprato ha riavuto i soldi.',
  );
  await expectGood(page);
  await page.keyboard.press('Escape');

  await see(page.getByText('0 di 21 già provati')).toBeVisible();
  const at = new Date(server.clock.now()).toISOString();
  const scan: ScanSent = {
    admission_id: 'rehearsal-0123456789',
    seq: 0,
    event_id: new URL(page.url()).pathname.split('/').at(-1)!,
    place: 'refunded-1',
    revision: 1,
    read: null,
    direction: 'in',
    gate: null,
    verdict: 'refunded',
    counts: false,
    override: null,
    scanned_at: at,
    corrected_at: at,
    offline: false,
  };
  await callOk(server, sendAdmissions, { body: { items: [scan] } }, phone.headers);
  await lookAgain(page);
  await see(page.getByText('1 di 21 già provati')).toBeVisible();
  await see(page.getByRole('listitem').filter({ hasText: 'RIMBORSATO' })).toContainText('Varco A');
  await button('Non ancora aperte').click();
  await see(page.getByText('Le porte della prova non sono aperte')).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Foglio dei codici/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Prova generale La locandiera - foglio dei codici.pdf');
  await confirm(page, 'Ricomincia…', 'Ricomincia');
  await see(page.getByText('0 di 21 già provati')).toBeVisible();
  await see(button('Varco A partecipa')).toHaveAttribute('aria-pressed', 'true');
  await confirm(page, 'Chiudi la prova…', 'Chiudi la prova');
  await see(page.getByText(/Chiusa il \d/)).toBeVisible();
  await goTo(page, '/door/rehearsals');
  await see(page.getByRole('row').filter({ hasText: 'Chiusa' })).toHaveCount(2);
  await page.setViewportSize(small);
  await expectGood(page);
});
