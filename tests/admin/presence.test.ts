/**
 * Presenze in a real browser: who is inside by gate and sector, what the phones have not told, and
 * it goes on by itself.
 */
import { expect, test } from 'vitest';
import { sendAdmissions } from '#server/contract/door/admissions.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { changePhone, heartbeat, pairAgain, revokePhone } from '#server/contract/door/phones.ts';
import type { PhoneState } from '#server/domain/door/phone.ts';
import { tellUnknown } from '#apps/admin/door/presence-words.ts';
import { makeEvening } from '#tests/support/door/door-evening.ts';
import { save } from '#tests/support/event-desk.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { desk, expectGood, lookAgain, phone as small, see, testOffice as it } from './office.ts';

it('who is inside is counted by gate and section, also after the list of events did not come, follows the door by itself, and says what it cannot know; what a revoked phone still holds is not taken for sent', async (office) => {
  const { server, admin } = office;
  const { tickets, one, two, admit } = await makeEvening(server, admin);
  const event = await callOk(server, readEvent, { params: { eventId: demoEvent } }, admin);
  await save(server, admin, event, {
    seat_pricing: event.form.seat_pricing.map((entry) => ({ ...entry, gate: 'Varco A' })),
  });
  await admit(one, tickets[0]!, { ago: 10 });
  const page = await office.open('/account');
  const eventList = /\/api\/admin\/events\/(?:\?|$)/;
  await page.route(eventList, (route) => route.abort());
  await page.getByRole('link', { name: 'Porta' }).click();
  const again = page.getByRole('alert').getByRole('button', { name: 'Riprova' });
  await see(again).toBeVisible();
  await page.unroute(eventList);
  await again.click();
  const head = page.getByRole('region', { name: 'In sala adesso' });
  const row = (name: RegExp) => page.getByRole('row', { name }).first();
  await see(head).toContainText('1 presente');
  await see(head).toContainText('Tutti i telefoni hanno inviato');
  await admit(two, tickets[1]!, { ago: 9 });
  await see(head).toContainText('2 presenti');
  await see(row(/^Varco A/)).toContainText('1 di 3');
  await see(row(/^Varco B/)).not.toContainText(' di ');
  await see(row(/^Platea/)).toContainText('2');
  await admit(two, tickets[0]!, { ago: 8, direction: 'out', verdict: 'out' });
  await lookAgain(page);
  await see(head).toContainText('1 presente');
  const beat = { queue_length: 18, battery: 0.1, app_version: '1.4.2' };
  await callOk(server, heartbeat, { body: beat }, one.headers);
  await lookAgain(page);
  await see(head).toContainText('Fino a 3 presenti: 18 ingressi da inviare');
  const phone = row(/^Varco A Varco A/);
  await see(phone).toContainText('batteria 10 %');
  await see(phone).toContainText('Batteria quasi scarica');
  await page.setViewportSize(small);
  await expectGood(page, [desk.width]);

  await callOk(server, heartbeat, { body: { queue_length: 2 } }, one.headers);
  await callOk(server, revokePhone, { params: { phoneId: one.phone_id } }, admin);
  await lookAgain(page);
  await see(head).toContainText('Fino a 3 presenti: 2 ingressi da inviare');
  await see(phone).toContainText('Revocato');
  await admit(one, tickets[2]!, { ago: 1 });
  await callOk(server, pairAgain, { params: { phoneId: two.phone_id } }, admin);
  await lookAgain(page);
  await see(head).toContainText('1 ingresso da inviare');
  await admit(one, tickets[0]!, { ago: 1 });
  await lookAgain(page);
  await see(head).toContainText('3 presenti');
  await see(head).not.toContainText('da inviare');
  await see(page.getByText('Nessun telefono è assegnato a questo evento.')).toBeVisible();
  await see(head).not.toContainText('Tutti i telefoni');
});

it('people without a ticket are counted at the desk, shown apart from the guests and against what the hall is licensed for, and taken back after a question', async (office) => {
  const { server, admin } = office;
  const { tickets, one, admit } = await makeEvening(server, admin);
  await server.house.ctx.db('events').where({ id: demoEvent }).update({ licensed: 3 });
  await admit(one, tickets[0]!);
  const page = await office.open(`/door/presence?event_id=${demoEvent}`, {
    as: await asRole(server, 'door'),
  });
  const head = page.getByRole('region', { name: 'In sala adesso' });
  const panel = page.getByRole('region', { name: 'Senza biglietto' });
  await see(head).toContainText('1 presente su 3');
  await panel.getByRole('button', { name: 'Conta chi entra' }).click();
  const dialog = page.getByRole('dialog', { name: 'Chi entra senza biglietto?' });
  await dialog.getByLabel('Quante persone').fill('4');
  await dialog.getByLabel('Motivo').selectOption({ label: 'Vigili del fuoco' });
  await dialog.getByRole('button', { name: 'Fai entrare' }).click();
  await see(head).toContainText('5 presenti su 3');
  await see(head).toContainText('di cui 4 senza biglietto');
  await see(head).toContainText('Oltre la capienza di 2 persone');
  await see(panel).toContainText('4 entrate · Vigili del fuoco');
  await panel.getByRole('button', { name: 'Conta chi esce' }).click();
  const leaving = page.getByRole('dialog', { name: 'Chi esce senza biglietto?' });
  await leaving.getByLabel('Quante persone').fill('9');
  await leaving.getByRole('button', { name: 'Fai uscire' }).click();
  await see(leaving).toContainText('Non risultano dentro così tante persone');
  await leaving.getByRole('button', { name: 'Torna indietro' }).click();
  await page.setViewportSize(small);
  await expectGood(page, [desk.width]);
  await panel.getByRole('button', { name: 'Annulla' }).click();
  const question = page.getByRole('alertdialog', { name: 'Annullare il conteggio?' });
  await question.getByRole('button', { name: 'Annulla il conteggio' }).click();
  await see(panel).toContainText('Annullato');
  await see(head).toContainText('1 presente su 3');
});

it('the door stays at the event it looks at, however busy another one is', async (office) => {
  const { server, admin } = office;
  const { tickets, one, scanOf, admit } = await makeEvening(server, admin);
  const event_ids = [demoEvent, 'concerto-di-natale'];
  const params = { phoneId: one.phone_id };
  await callOk(server, changePhone, { params, body: { event_ids } }, admin);
  await admit(one, tickets[0]!);
  const page = await office.open('/door/presence', { as: await asRole(server, 'door') });
  const choice = page.getByLabel('Evento');
  const shown = choice.locator('option:checked');
  await see(shown).toContainText('La locandiera');
  await see(page).toHaveURL(/event_id=la-locandiera/);
  const elsewhere = Array.from({ length: 100 }, () =>
    scanOf(one, tickets[0]!, {
      event_id: 'concerto-di-natale',
      place: null,
      revision: null,
      read: 'QUALCOSA',
      verdict: 'invalid',
      counts: false,
    }),
  );
  await callOk(server, sendAdmissions, { body: { items: elsewhere } }, one.headers);
  await lookAgain(page);
  await see(choice.locator('option', { hasText: 'Concerto di Natale' })).toBeAttached();
  await see(shown).toContainText('La locandiera');
  await see(page.getByRole('region', { name: 'In sala adesso' })).toContainText('1 presente');
});

test('what is not known is said in one sentence: silent phones, what they hold, what never came', () => {
  const now = Date.parse('2026-11-22T20:00:00Z');
  const seen = (minutes: number | null, state: PhoneState = 'paired') => ({
    phone_id: 'x',
    name: 'x',
    gate: null,
    state,
    queue_length: 0,
    app_version: null,
    stale: true,
    last_seen_at: minutes === null ? null : new Date(now - minutes * 60_000).toISOString(),
  });
  const nothing = { unsent: 0, unsent_heads: 0, missing_scans: 0, missing_at_most: false };
  const says = (phones: ReturnType<typeof seen>[], told: Partial<typeof nothing> = {}) => {
    const { unsent, unsent_heads, missing_scans } = { ...nothing, ...told };
    const most_people = 812 + unsent + unsent_heads + missing_scans;
    return tellUnknown({ ...nothing, ...told, most_people, phones }, now);
  };
  expect(says([seen(0), seen(1)])).toBeNull();
  expect(says([seen(0), seen(6), seen(4)], { unsent: 18 })).toBe(
    'Fino a 830 presenti: 18 ingressi da inviare. 2 telefoni fermi da 6 min: quello che hanno letto da allora non si sa.',
  );
  expect(says([seen(6)])).toBe(
    '1 telefono fermo da 6 min: quello che ha letto da allora non si sa.',
  );
  expect(says([seen(null)])).toBe('1 telefono fermo: quello che ha letto da allora non si sa.');
  expect(says([seen(0)], { unsent: 1 })).toBe('Fino a 813 presenti: 1 ingresso da inviare.');
  expect(says([seen(0), seen(90, 'revoked')], { unsent: 3, unsent_heads: 2 })).toBe(
    'Fino a 817 presenti: 3 ingressi da inviare, 2 persone senza biglietto da inviare.',
  );
  expect(says([seen(0)], { missing_scans: 1 })).toBe(
    'Fino a 813 presenti: 1 lettura mai arrivata.',
  );
  expect(says([seen(0)], { unsent: 2, missing_scans: 3, missing_at_most: true })).toBe(
    'Fino a 817 presenti: 2 ingressi da inviare, fino a 3 letture mai arrivate.',
  );
});
