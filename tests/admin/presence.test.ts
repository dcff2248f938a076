/** Presenze in a real browser: who is inside by gate and sector, what the phones have not told, and it goes on by itself. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { sendAdmissions } from '#server/contract/door/admissions.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { changePhone, heartbeat, pairAgain, revokePhone } from '#server/contract/door/phones.ts';
import type { PhoneState } from '#server/domain/door/phone.ts';
import { tellUnknown } from '#apps/admin/door/presence-words.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { desk, openDesk, phone as small, within } from '#tests/support/door/desk.ts';
import { makeEvening } from '#tests/support/door/door-evening.ts';
import { save } from '#tests/support/event-desk.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

for (const [where, size] of [
  ['at a desk', desk],
  ['on a phone', small],
] as const) {
  test(`who is inside is counted by gate and section, follows the door by itself, and says what it cannot know (${where})`, async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    const { tickets, one, two, admit } = await makeEvening(server, admin);
    const event = await callOk(server, readEvent, { params: { eventId: demoEvent } }, admin);
    await save(server, admin, event, {
      seat_pricing: event.form.seat_pricing.map((entry) => ({ ...entry, gate: 'Varco A' })),
    });
    await admit(one, tickets[0]!);
    const page = await openDesk(browser, server, admin, { path: '/door/presence', size });
    const head = page.getByRole('region', { name: 'In sala adesso' });
    await see(head).toContainText('1 presente', within);
    await see(head).toContainText('Tutti i telefoni hanno inviato');
    await admit(two, tickets[1]!);
    await see(head).toContainText('2 presenti', within);
    await see(page.getByRole('row', { name: /^Varco A/ }).first()).toContainText('1 di 3');
    await see(page.getByRole('row', { name: /^Varco B/ }).first()).not.toContainText(' di ');
    await see(page.getByRole('row', { name: /^Platea/ }).first()).toContainText('2');
    await admit(two, tickets[0]!, { direction: 'out', verdict: 'out' });
    await see(head).toContainText('1 presente', within);
    await callOk(
      server,
      heartbeat,
      { body: { queue_length: 18, battery: 0.1, app_version: '1.4.2' } },
      two.headers,
    );
    await see(head).toContainText('18 ingressi da inviare → fino a 19 presenti', within);
    const row = page.getByRole('row', { name: /^Varco B Varco B/ });
    await see(row).toContainText('batteria 10 %', within);
    await see(row).toContainText('Batteria quasi scarica');
    expect(await auditPage(page)).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true);
    await page.context().close();
  });
}

test('what a revoked phone still holds is not taken for sent, and where there is no phone nothing is said of phones', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { tickets, one, two, admit } = await makeEvening(server, admin);
  await admit(one, tickets[0]!);
  await callOk(server, heartbeat, { body: { queue_length: 2 } }, one.headers);
  await callOk(server, revokePhone, { params: { phoneId: one.phone_id } }, admin);
  const page = await openDesk(browser, server, admin, {
    path: `/door/presence?event_id=${demoEvent}`,
    size: small,
  });
  const head = page.getByRole('region', { name: 'In sala adesso' });
  await see(head).toContainText('2 ingressi da inviare → fino a 3 presenti', within);
  await see(page.getByRole('row', { name: /^Varco A Varco A/ })).toContainText('Revocato');
  expect(await auditPage(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
    true,
  );
  await admit(one, tickets[1]!, { ago: 1 });
  await callOk(server, pairAgain, { params: { phoneId: two.phone_id } }, admin);
  await see(head).toContainText('1 ingresso da inviare', within);
  await admit(one, tickets[2]!, { ago: 1 });
  await see(head).toContainText('3 presenti', within);
  await see(head).not.toContainText('da inviare');
  await see(page.getByText('Nessun telefono è assegnato a questo evento.')).toBeVisible(within);
  await see(head).not.toContainText('Tutti i telefoni');
  await page.context().close();
});

test('the door stays at the event it looks at, however busy another one is', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { tickets, one, scanOf, admit } = await makeEvening(server, admin);
  await callOk(
    server,
    changePhone,
    { params: { phoneId: one.phone_id }, body: { event_ids: [demoEvent, 'concerto-di-natale'] } },
    admin,
  );
  await admit(one, tickets[0]!);
  const page = await openDesk(browser, server, await asRole(server, 'door'), {
    path: '/door/presence',
  });
  const choice = page.getByLabel('Evento');
  const shown = choice.locator('option:checked');
  await see(shown).toContainText('La locandiera', within);
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
  await see(choice.locator('option', { hasText: 'Concerto di Natale' })).toBeAttached(within);
  await see(shown).toContainText('La locandiera', within);
  await see(page.getByRole('region', { name: 'In sala adesso' })).toContainText(
    '1 presente',
    within,
  );
  await page.context().close();
});

test('a list of events that does not come is said, and asked for again', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { tickets, one, admit } = await makeEvening(server, admin);
  await admit(one, tickets[0]!);
  const page = await openDesk(browser, server, admin, { path: '/settings/health' });
  await see(page.getByRole('heading', { level: 1, name: 'Salute' })).toBeVisible(within);
  const eventList = /\/api\/admin\/events\/(?:\?|$)/;
  await page.context().route(eventList, (route) => route.abort());
  await page.getByRole('link', { name: 'Porta' }).click();
  const again = page.getByRole('alert').getByRole('button', { name: 'Riprova' });
  await see(again).toBeVisible(within);
  await page.context().unroute(eventList);
  await again.click();
  await see(page.getByRole('region', { name: 'In sala adesso' })).toContainText(
    '1 presente',
    within,
  );
  await page.context().close();
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
  const says = (phones: ReturnType<typeof seen>[], unsent = 0, missing_scans = 0) =>
    tellUnknown({ inside: 812, phones, unsent, missing_scans }, now);
  expect(says([seen(0), seen(1)])).toBeNull();
  expect(says([seen(0), seen(6), seen(4)], 18)).toBe(
    '2 telefoni fermi da 6 min → fino a 830 presenti (18 ingressi da inviare).',
  );
  expect(says([seen(6)])).toBe('1 telefono fermo da 6 min.');
  expect(says([seen(null)])).toBe('1 telefono fermo.');
  expect(says([seen(0)], 1)).toBe('1 ingresso da inviare → fino a 813 presenti.');
  expect(says([seen(0), seen(90, 'revoked')], 3)).toBe(
    '3 ingressi da inviare → fino a 815 presenti.',
  );
  expect(says([seen(0)], 0, 1)).toBe('Manca 1 lettura di un telefono.');
  expect(says([seen(3)], 2, 3)).toBe(
    '1 telefono fermo da 3 min → fino a 814 presenti (2 ingressi da inviare). Mancano 3 letture dei telefoni.',
  );
});
