/** Telefoni in a real browser: made, changed, stopped; the supervisors' PIN; and what a phone without a line hands over. */
import { deflateSync } from 'node:zlib';
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEvent } from '#server/contract/event-desk.ts';
import { heartbeat } from '#server/contract/door/phones.ts';
import { base32Of } from '#server/domain/door/ticket-code.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { addCamera, breakCamera, show } from '#tests/support/door/camera.ts';
import { desk, openDesk, phone as small, within } from '#tests/support/door/desk.ts';
import { makeEvening } from '#tests/support/door/door-evening.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { makeDraft, save } from '#tests/support/event-desk.ts';
import { ask, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function expectGood(page: Page): Promise<void> {
  expect(await auditPage(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
    true,
  );
}

for (const [where, size] of [
  ['at a desk', desk],
  ['on a phone', small],
] as const) {
  test(`a phone is made for a role and a gate, changed, and the pairing says when no phone could open its address (${where})`, async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    const page = await openDesk(browser, server, admin, { path: '/door/phones', size });
    await page.getByRole('button', { name: 'Nuovo telefono' }).click(within);
    const making = page.getByRole('dialog', { name: 'Nuovo telefono' });
    await making.getByRole('textbox', { name: 'Nome' }).fill('Ingresso – Luca');
    await making.getByLabel('Varco (facoltativo)').fill('Varco A');
    await making.getByLabel(/^Responsabile/).check();
    await expectGood(page);
    await making.getByRole('button', { name: 'Crea il codice' }).click();
    const pairing = page.getByRole('dialog', { name: 'Abbina «Ingresso – Luca»' });
    await see(pairing).toContainText('Apri la fotocamera del telefono', within);
    await see(pairing).toContainText(
      'I telefoni non possono aprire questo indirizzo: avvia con npm start -- --https',
    );
    await expectGood(page);
    await page.keyboard.press('Escape');
    const row = page.getByRole('row').filter({ hasText: 'Ingresso – Luca' });
    await see(row).toContainText('Responsabile', within);
    await row.getByRole('button', { name: 'Modifica Ingresso – Luca' }).click();
    const changing = page.getByRole('dialog', { name: 'Modifica «Ingresso – Luca»' });
    await changing.getByRole('textbox', { name: 'Nome' }).fill('Galleria – Luca');
    await changing.getByLabel('Varco (facoltativo)').fill('');
    await changing.getByLabel(/^Maschera/).check();
    await changing.getByLabel(/^Concerto di Natale/).check();
    await changing.getByRole('button', { name: 'Salva' }).click();
    const changed = page.getByRole('row').filter({ hasText: 'Galleria – Luca' });
    await see(changed).toContainText(
      /Tutti i varchi.*La locandiera.*Concerto di Natale.*Maschera/s,
      within,
    );
    await expectGood(page);
    await changed.getByRole('button', { name: 'Revoca Galleria – Luca' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoca il telefono' }).click();
    await page.getByText('Telefoni revocati (1)').click(within);
    await see(changed).toContainText('Revocato', within);
    await page.context().close();
    // Three looks of two engines.
  }, 60_000);
}

test('a gate that no ticket names is told while it is typed and in the row of its phone; capitals and spaces make no other gate', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const event = await callOk(server, readEvent, { params: { eventId: demoEvent } }, admin);
  await save(server, admin, event, {
    seat_pricing: event.form.seat_pricing.map((entry, at) => ({
      ...entry,
      gate: at === 0 ? 'Varco A' : 'Varco B',
    })),
  });
  const page = await openDesk(browser, server, admin, { path: '/door/phones', size: small });
  await page.getByRole('button', { name: 'Nuovo telefono' }).click(within);
  const making = page.getByRole('dialog', { name: 'Nuovo telefono' });
  const gate = making.getByLabel('Varco (facoltativo)');
  const said = 'Nessun biglietto entra da «Varco 1»: i varchi sono Varco A, Varco B.';
  await gate.fill(' varco  a');
  await see(making).not.toContainText('Nessun biglietto');
  await gate.fill('Varco 1');
  await see(making.getByText(said)).toBeVisible();
  await see(gate).toHaveAccessibleDescription(new RegExp(said));
  await expectGood(page);
  // The events count that are ticked.
  await making.getByLabel(/^La locandiera/).uncheck();
  await see(making).not.toContainText('Nessun biglietto');
  await making.getByLabel(/^La locandiera/).check();
  await making.getByRole('textbox', { name: 'Nome' }).fill('Ingresso');
  await making.getByRole('button', { name: 'Crea il codice' }).click();
  await see(page.getByRole('dialog', { name: 'Abbina «Ingresso»' })).toBeVisible(within);
  await page.keyboard.press('Escape');
  await see(page.getByRole('row').filter({ hasText: 'Ingresso' })).toContainText(said, within);
  await expectGood(page);
  await page.context().close();
});

test('a new phone is for the next evening, never for yesterday’s, and a draft says when the phones get it', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { db } = server.house.ctx;
  await makeDraft(server, admin, { title: 'Recital' });
  const yesterday = { starts_at: Date.now() - 18 * 3_600_000 };
  await db('events').where({ id: demoEvent }).update(yesterday);
  const page = await openDesk(browser, server, admin, { path: '/door/phones' });
  const ticked = async () => {
    await page.getByRole('button', { name: 'Nuovo telefono' }).click(within);
    const making = page.getByRole('dialog', { name: 'Nuovo telefono' });
    await see(making.getByText(/^Recital/)).toContainText(
      'bozza: i telefoni lo ricevono quando lo pubblichi',
      within,
    );
    await see(making.getByText(/^La locandiera/)).not.toContainText('bozza');
    return making
      .locator('label')
      .filter({ has: page.locator('input[type=checkbox]:checked') })
      .allInnerTexts();
  };
  expect(await ticked()).toEqual([expect.stringMatching(/^Concerto di Natale/)]);
  await db('events').whereNot({ id: demoEvent }).update(yesterday);
  await page.reload();
  expect(await ticked()).toEqual([]);
  await page.context().close();
});

for (const [where, size] of [
  ['at a desk', desk],
  ['on a phone', small],
] as const) {
  test(`among two hundred phones one is found by name, gate or event; those in trouble stand above, the stopped ones are folded away (${where})`, async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    const { db } = server.house.ctx;
    const hall = await fillHall(db, {
      places: 1,
      phones: 200,
      event: { title: 'Così fan tutte', starts_at: Date.now() },
    });
    const change = (at: number, row: object) =>
      db('phones').where({ id: hall.phone_ids[at] }).update(row);
    for (let at = 0; at < 12; at += 1)
      await change(at, { revoked_at: Date.now(), name: `Fermato ${at + 1}` });
    await db('phones').update({ last_seen_at: Date.now() + 600_000 });
    await change(150, {
      last_seen_at: Date.now() - 2 * 3_600_000 - 1_000,
      name: 'Niccolò',
      gate: 'Galleria',
    });
    await change(160, { clock_offset_ms: 600_000 });
    await change(170, { wire_version: 1 });
    await change(180, { queue_length: 3 });
    const page = await openDesk(browser, server, admin, { path: '/door/phones', size });
    const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') });
    await see(rows).toHaveCount(188, within);
    await see(rows.first()).toContainText('Niccolò', within);
    const first = await Promise.all([0, 1, 2, 3].map((at) => rows.nth(at).innerText()));
    expect(first).toEqual([
      expect.stringMatching(/Niccolò[^]*Fermo da 2 h/),
      expect.stringContaining('Orologio indietro'),
      expect.stringContaining('App da aggiornare'),
      expect.stringContaining('3 ingressi da inviare'),
    ]);
    await see(page.getByText('Fermo da')).toHaveCount(1);
    await page.getByText('Telefoni revocati (12)').click();
    await see(rows).toHaveCount(200);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true);
    const search = page.getByRole('searchbox', { name: 'Cerca per nome, varco o evento' });
    await page.keyboard.press('/');
    await see(search).toBeFocused();
    for (const [typed, count] of [
      ['COSI FAN niccolo', 1],
      ['galleria', 1],
      ['varco 101', 1],
      ['fermato', 12],
    ] as const) {
      await search.fill(typed);
      await see(rows).toHaveCount(count, within);
    }
    await expectGood(page);
    await search.fill('nessuno');
    await see(page.getByText('Nessun telefono con questo nome')).toBeVisible(within);
    await search.fill('niccolò');
    await see(rows).toHaveCount(1, within);
    await page.keyboard.press('ArrowDown');
    await see(page.getByRole('button', { name: 'Modifica Niccolò' })).toBeFocused();
    await page.context().close();
    // Two hundred rows in a busy browser.
  }, 60_000);
}

test('a new code for a phone in use is asked about first, with what it still holds; one that waits for its code gets another at once', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { one } = await makeEvening(server, admin);
  const beat = () =>
    ask(server, heartbeat.method, heartbeat.path, {
      body: { queue_length: 3 },
      headers: one.headers,
    });
  await beat();
  const page = await openDesk(browser, server, admin, { path: '/door/phones', size: small });
  const renew = page.getByRole('button', { name: 'Nuovo codice per Varco A' });
  const asking = page.getByRole('alertdialog', { name: 'Un nuovo codice per «Varco A»?' });
  await see(page.getByRole('row').filter({ hasText: '3 ingressi da inviare' })).toBeVisible(within);
  await renew.click();
  await see(asking).toContainText('smette di inviare finché non lo abbini di nuovo');
  await see(asking).toContainText('Ha ancora 3 ingressi da inviare');
  await expectGood(page);
  await asking.getByRole('button', { name: 'Torna indietro' }).click();
  await see(asking).toHaveCount(0);
  expect((await beat()).status).toBe(200);
  await renew.click();
  await asking.getByRole('button', { name: 'Crea il nuovo codice' }).click();
  await see(page.getByRole('dialog', { name: 'Abbina «Varco A»' })).toBeVisible(within);
  expect((await beat()).status).toBe(401);
  await page.keyboard.press('Escape');
  await see(page.getByRole('row').filter({ hasText: 'Varco A' })).toContainText(
    'In attesa',
    within,
  );
  await renew.click();
  await see(page.getByRole('dialog', { name: 'Abbina «Varco A»' })).toBeVisible(within);
  await page.context().close();
});

test('the supervisors’ PIN is set, changed and taken away, and is never shown', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const page = await openDesk(browser, server, admin, { path: '/door/phones' });
  const panel = page.getByRole('region', { name: 'PIN dei responsabili' });
  await panel.getByRole('button', { name: 'Imposta un PIN…' }).click(within);
  const dialog = page.getByRole('dialog', { name: 'Imposta il PIN dei responsabili' });
  for (const wrong of ['123', '123456789', '12a4']) {
    await dialog.getByLabel('Nuovo PIN').fill(wrong);
    await dialog.getByRole('button', { name: 'Salva il PIN' }).click();
    await see(dialog).toContainText('Il PIN ha da 4 a 8 cifre.');
  }
  await dialog.getByLabel('Nuovo PIN').fill('480312');
  await expectGood(page);
  await dialog.getByRole('button', { name: 'Salva il PIN' }).click();
  await see(panel).toContainText(/Impostato il .* da Ada/, within);
  await see(panel).toContainText(
    'serve per far entrare lo stesso, per far entrare a mano chi si trova con «Cerca» e per annullare le letture di altri',
  );
  await see(panel).toContainText('Nessun telefono di responsabile è abbinato');
  await page.reload();
  await see(panel).toContainText('Impostato', within);
  expect(await page.content()).not.toContain('480312');
  await panel.getByRole('button', { name: 'Togli il PIN…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Togli il PIN' }).click();
  await see(panel.getByRole('button', { name: 'Imposta un PIN…' })).toBeVisible(within);
  await page.context().close();
});

test('what a phone has exported is taken in from its file once, and says what was taken', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { tickets, one, two, scanOf, admit } = await makeEvening(server, admin);
  await admit(two, tickets[0]!, { ago: 30 });
  const file = {
    phone_id: one.phone_id,
    wire: 3,
    items: [
      scanOf(one, tickets[0]!, { ago: 20 }),
      scanOf(one, tickets[1]!, { ago: 19 }),
      'nonsense',
    ],
  };
  const page = await openDesk(browser, server, admin, { path: '/door/phones' });
  const importing = page.getByRole('dialog', { name: 'Importa le letture di un telefono' });
  const give = async (text: string) => {
    await page.getByRole('button', { name: 'Importa letture' }).click(within);
    await importing.locator('input[type=file]').setInputFiles({
      name: 'ingressi.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
  };
  await give('{"altro": 1}');
  await see(importing).toContainText('Questo non è un file di letture di un telefono.');
  await expectGood(page);
  await page.keyboard.press('Escape');
  await give(JSON.stringify(file));
  await see(importing).toContainText('3 letture del telefono «Varco A».', within);
  await importing.getByRole('button', { name: 'Importa', exact: true }).click();
  await see(importing).toContainText(
    /2 letture nuove da «Varco A».*1 è un doppio ingresso.*1 non si può leggere/s,
    within,
  );
  await expectGood(page);
  await importing.getByRole('button', { name: 'Chiudi', exact: true }).click();
  await give(JSON.stringify(file));
  await importing.getByRole('button', { name: 'Importa', exact: true }).click();
  await see(importing).toContainText(
    /Nessuna lettura nuova da «Varco A».*2 erano già arrivate/s,
    within,
  );
  expect(
    await server.house.ctx
      .db('admissions')
      .where({ phone_id: one.phone_id })
      .count({ n: '*' })
      .first(),
  ).toMatchObject({ n: 2 });
  await page.context().close();
});

/** As a phone writes it: deflated JSON in base32, in pieces. */
function chainOf(payload: unknown, length: number): string[] {
  const text = base32Of(deflateSync(JSON.stringify(payload)));
  const pieces = Array.from({ length: Math.ceil(text.length / length) }, (_, at) =>
    text.slice(at * length, (at + 1) * length),
  );
  return pieces.map((piece, at) => `BTG1/${at + 1}/${pieces.length}/${piece}`);
}

test('a chain of QR codes is read by the computer’s camera or from pasted text, in any order, and says what is missing', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { tickets, one, scanOf } = await makeEvening(server, admin);
  const links = chainOf(
    { phone_id: one.phone_id, wire: 3, items: tickets.map((ticket) => scanOf(one, ticket)) },
    400,
  );
  expect(links.length).toBeGreaterThan(1);
  const page = await openDesk(browser, server, admin, { path: '/settings/health' });
  await addCamera(page.context());
  await page.goto(`${server.url}/admin/door/phones`);
  await page.getByRole('button', { name: 'Importa letture' }).click(within);
  const importing = page.getByRole('dialog', { name: 'Importa le letture di un telefono' });
  await importing.getByRole('button', { name: 'Codici QR' }).click();
  await importing
    .getByLabel('Oppure incolla il testo dei codici')
    .fill(links.slice(1).toReversed().join('\n'));
  await see(importing).toContainText(`${links.length - 1} di ${links.length} codici letti`);
  await see(importing).toContainText('Manca il numero 1');
  await expectGood(page);
  await importing.getByRole('button', { name: 'Usa la fotocamera di questo computer' }).click();
  await show(page, links[0]!);
  await see(importing).toContainText('3 letture del telefono «Varco A».', within);
  await importing.getByRole('button', { name: 'Importa', exact: true }).click();
  await see(importing).toContainText('3 letture nuove da «Varco A».', within);
  await page.context().close();
});

test('the office may use a camera, and a fault of it is no dead end', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const page = await openDesk(browser, server, admin, { path: '/door/phones' });
  const importing = page.getByRole('dialog', { name: 'Importa le letture di un telefono' });
  const picture = importing.getByLabel('Immagine della fotocamera');
  const openChain = async () => {
    await page.getByRole('button', { name: 'Importa letture' }).click(within);
    await importing.getByRole('button', { name: 'Codici QR' }).click();
  };
  await openChain();
  // The browser's own test camera: what the page's headers forbid, no camera gives.
  await importing.getByRole('button', { name: 'Usa la fotocamera di questo computer' }).click();
  await expect
    .poll(() => picture.evaluate((video: HTMLVideoElement) => video.videoWidth), within)
    .toBeGreaterThan(0);
  await importing.getByRole('button', { name: 'Spegni la fotocamera' }).click();
  await addCamera(page.context());
  await page.reload();
  await openChain();
  await breakCamera(page, 'NotReadableError');
  await importing.getByRole('button', { name: 'Usa la fotocamera di questo computer' }).click();
  await see(importing.getByRole('alert')).toContainText('La fotocamera non si apre', within);
  await expectGood(page);
  await breakCamera(page, null);
  await importing.getByRole('button', { name: 'Riprova' }).click();
  await see(picture).toBeVisible(within);
  await see(importing.getByRole('alert')).toHaveCount(0);
  await page.context().close();
});
