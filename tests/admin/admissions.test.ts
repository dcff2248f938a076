/**
 * Ingressi in a real browser: what phones read appears by itself, a ticket is admitted at the desk,
 * and a scan is taken back with a reason.
 */
import { expect, test } from 'vitest';
import { tellOutcome } from '#apps/admin/door/desk-words.ts';
import { formatTime } from '#apps/shared/format.ts';
import { makeEvening } from '#tests/support/door/door-evening.ts';
import { demoEvent } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import { desk, expectGood, goTo, phone, see, testOffice as it } from './office.ts';

it('a scan appears by itself, and is taken back with a reason that stays in the list; whoever has left is told by the hour of the exit, which is no way in', async (office) => {
  const { server, admin } = office;
  const { tickets, one, two, admit } = await makeEvening(server, admin);
  // A supervisor's phone lets in by hand.
  await server.house.ctx.db('phones').where({ id: one.phone_id }).update({ role: 'supervisor' });
  const page = await office.open('/door/scans', { size: phone });
  await see(page.getByText('Nessuna lettura.')).toBeVisible();
  await admit(one, tickets[0]!, { means: 'search', note: 'Telefono scarico' });
  const recent = page.getByRole('region', { name: 'Ultime letture' });
  await see(recent.getByRole('row').filter({ hasText: 'Telefono scarico' })).toContainText(
    'Trovato a mano',
  );
  await recent.getByRole('link', { name: tickets[0]!.seat }).click();
  const ticket = page.locator('.door-admissions_desk-ticket');
  const verdict = ticket.locator('.door-admissions_desk-verdict');
  await see(ticket).toContainText('GIÀ ENTRATO');
  const annul = ticket.getByRole('button', { name: /^Annulla la lettura/ });
  await annul.click();
  const dialog = page.getByRole('dialog', { name: 'Annullare questo ingresso?' });
  await see(dialog.getByRole('button', { name: 'Annulla la lettura' })).toBeDisabled();
  await dialog.getByLabel('Motivo').fill('Letto per sbaglio');
  await expectGood(page, [desk.width]);
  await dialog.getByRole('button', { name: 'Annulla la lettura' }).click();
  await see(verdict).toContainText('ENTRA');
  await see(ticket).toContainText('Annullata dopo');
  await see(ticket).toContainText('Letto per sbaglio');
  await see(annul).toHaveCount(0);
  await ticket.getByRole('button', { name: 'Fai entrare' }).click();
  await see(verdict).toContainText('Ingresso registrato');
  await page.setViewportSize(desk);
  await expectGood(page);

  await setPolicy(server, { reentry: 0 }, demoEvent);
  await admit(one, tickets[1]!, { ago: 50 });
  await admit(two, tickets[1]!, { ago: 10, direction: 'out', verdict: 'out' });
  await admit(one, tickets[2]!, { ago: 30 });
  const hourOf = (ago: number) => formatTime(server.clock.now() - ago * 60_000);
  const [left, came] = [hourOf(10), hourOf(30)];
  await goTo(page, `/door/scans?ticket=${tickets[1]!.ticket_id}`);
  await see(verdict).toContainText(
    `È uscito alle ${left} al Varco B, da Varco B: non può rientrare.`,
  );
  await goTo(page, `/door/scans?ticket=${tickets[2]!.ticket_id}`);
  await see(verdict).toContainText(
    new RegExp(`Già entrato il .* ${came} al Varco A, da Varco A\\.`),
  );
});

test('a way in that the desk could not record says whether the ticket was used to come or to go', () => {
  const first = {
    admission_id: 'a',
    place: 'p',
    revision: 1,
    at: '2026-11-22T20:10:00Z',
    gate: 'Varco A',
    phone_id: 'x',
    by: 'Luca',
    conflict_with: null,
    undone: false,
  };
  const outcome = {
    admission_id: 'b',
    verdict: 'already_in',
    counts: false,
    ticket_id: 't',
    seat: 'A1',
    at: '2026-11-22T20:30:00Z',
  } as const;
  expect(tellOutcome({ ...outcome, first: { ...first, direction: 'out' } })).toBe(
    'È uscito alle 21:10 al Varco A, da Luca: non può rientrare.',
  );
  expect(tellOutcome({ ...outcome, first: { ...first, direction: 'in' } })).toBe(
    'Già entrato il 22/11/2026 21:10 al Varco A, da Luca.',
  );
});
