/**
 * Telefoni in a real browser: made, changed, stopped; the supervisors' PIN; and what a phone
 * without a line hands over.
 */
import { deflateSync } from 'node:zlib';
import { expect } from 'vitest';
import { readEvent } from '#server/contract/event-desk.ts';
import { heartbeat } from '#server/contract/door/phones.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import { wallTimeOf } from '#apps/admin/kit/form/wall-time.ts';
import { base32Of } from '#server/domain/door/ticket-code.ts';
import { addCamera, breakCamera, show } from '#tests/support/door/camera.ts';
import { makeEvening } from '#tests/support/door/door-evening.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { makeDraft, save } from '#tests/support/event-desk.ts';
import { ask, callOk, demoEvent } from '#tests/support/make.ts';
import {
  confirm,
  desk,
  expectFit,
  expectGood,
  phone as small,
  see,
  testOffice as test,
} from './office.ts';

/** As a phone writes it: deflated JSON in base32, in pieces. */
function chainOf(payload: unknown, length: number): string[] {
  const text = base32Of(deflateSync(JSON.stringify(payload)));
  const pieces = Array.from({ length: Math.ceil(text.length / length) }, (_, at) =>
    text.slice(at * length, (at + 1) * length),
  );
  return pieces.map((piece, at) => `BTG1/${at + 1}/${pieces.length}/${piece}`);
}

test('a phone is made for a role and a gate that a ticket names, changed and revoked; the pairing says when no phone could open its address; the supervisors’ PIN is set and taken away, never shown', async (office) => {
  const { server, admin } = office;
  const event = await callOk(server, readEvent, { params: { eventId: demoEvent } }, admin);
  await save(server, admin, event, {
    seat_pricing: event.form.seat_pricing.map((entry, at) => ({
      ...entry,
      gate: at === 0 ? 'Varco A' : 'Varco B',
    })),
  });
  const page = await office.open('/door/phones');
  const button = (name: string) => page.getByRole('button', { name });
  await button('Nuovo telefono').click();
  const making = page.getByRole('dialog', { name: 'Nuovo telefono' });
  await making.getByRole('textbox', { name: 'Nome' }).fill('Ingresso – Luca');
  const gate = making.getByLabel('Varco (facoltativo)');
  const said = 'Nessun biglietto entra da «Varco 1»: i varchi sono Varco A, Varco B.';
  // Capitals and spaces make no other gate.
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
  await making.getByLabel(/^Responsabile/).check();
  await making.getByRole('button', { name: 'Crea il codice' }).click();
  const pairing = page.getByRole('dialog', { name: 'Abbina «Ingresso – Luca»' });
  await see(pairing).toContainText('Apri la fotocamera del telefono');
  await see(pairing).toContainText(
    'I telefoni non possono aprire questo indirizzo: avvia con npm start -- --https',
  );
  await expectGood(page);
  await page.keyboard.press('Escape');
  const row = page.getByRole('row').filter({ hasText: 'Ingresso – Luca' });
  await see(row).toContainText('Responsabile');
  await see(row).toContainText(said);
  await page.setViewportSize(small);
  await expectGood(page, [desk.width]);
  await row.getByRole('button', { name: 'Modifica Ingresso – Luca' }).click();
  const changing = page.getByRole('dialog', { name: 'Modifica «Ingresso – Luca»' });
  await changing.getByRole('textbox', { name: 'Nome' }).fill('Galleria – Luca');
  await changing.getByLabel('Varco (facoltativo)').fill('');
  const choosing = changing.getByLabel(/^Il varco si può cambiare dal telefono/);
  await see(choosing).toBeChecked();
  await choosing.uncheck();
  await changing.getByLabel(/^Maschera/).check();
  await changing.getByLabel(/^Concerto di Natale/).check();
  await changing.getByRole('button', { name: 'Salva' }).click();
  const changed = page.getByRole('row').filter({ hasText: 'Galleria – Luca' });
  await see(changed).toContainText(/Tutti i varchi.*La locandiera.*Concerto di Natale.*Maschera/s);
  await changed.getByRole('button', { name: 'Modifica Galleria – Luca' }).click();
  await see(page.getByLabel(/^Il varco si può cambiare dal telefono/)).not.toBeChecked();
  await page.keyboard.press('Escape');
  await confirm(page, 'Revoca Galleria – Luca', 'Revoca il telefono');
  await page.getByText('Telefoni revocati (1)').click();
  await see(changed).toContainText('Revocato');

  const panel = page.getByRole('region', { name: 'PIN dei responsabili' });
  await panel.getByRole('button', { name: 'Imposta un PIN…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Imposta il PIN dei responsabili' });
  for (const wrong of ['123', '123456789', '12a4']) {
    await dialog.getByLabel('Nuovo PIN').fill(wrong);
    await dialog.getByRole('button', { name: 'Salva il PIN' }).click();
    await see(dialog).toContainText('Il PIN ha da 4 a 8 cifre.');
  }
  await dialog.getByLabel('Nuovo PIN').fill('480312');
  await dialog.getByRole('button', { name: 'Salva il PIN' }).click();
  await see(panel).toContainText(/Impostato il .* da Ada/);
  await see(panel).toContainText(
    'serve per far entrare lo stesso, per far entrare a mano chi si trova con «Cerca» e per annullare le letture di altri',
  );
  await see(panel).toContainText('Nessun telefono di responsabile è abbinato');
  await page.reload();
  await see(panel).toContainText('Impostato');
  expect(await page.content()).not.toContain('480312');
  await confirm(page, 'Togli il PIN…', 'Togli il PIN');
  await see(panel.getByRole('button', { name: 'Imposta un PIN…' })).toBeVisible();
});

test('among two hundred phones one is found by name, gate or event; those in trouble stand above, the stopped ones are folded away; a new one is for the next evening, never for yesterday’s', async (office) => {
  const { server, admin } = office;
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
  const page = await office.open('/door/phones', { size: small });
  const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') });
  await see(rows).toHaveCount(188);
  await see(rows.first()).toContainText('Niccolò');
  const first = await Promise.all([0, 1, 2, 3].map((at) => rows.nth(at).innerText()));
  expect(first).toEqual([
    expect.stringMatching(/Niccolò[^]*Fermo da 2 h/),
    expect.stringContaining('Orologio indietro'),
    expect.stringContaining('App da aggiornare'),
    expect.stringContaining('3 letture da inviare'),
  ]);
  await see(page.getByText('Fermo da')).toHaveCount(1);
  await page.getByText('Telefoni revocati (12)').click();
  await see(rows).toHaveCount(200);
  await expectFit(page, [desk.width]);
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
    await see(rows).toHaveCount(count);
  }
  await search.fill('nessuno');
  await see(page.getByText('Nessun telefono con questo nome')).toBeVisible();
  await search.fill('niccolò');
  await see(rows).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await see(page.getByRole('button', { name: 'Modifica Niccolò' })).toBeFocused();

  await makeDraft(server, admin, { title: 'Recital' });
  const yesterday = { starts_at: Date.now() - 18 * 3_600_000 };
  await db('events').whereIn('id', [demoEvent, hall.event_id]).update(yesterday);
  const ticked = async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Nuovo telefono' }).click();
    const making = page.getByRole('dialog', { name: 'Nuovo telefono' });
    await see(making.getByText(/^Recital/)).toContainText(
      'bozza: i telefoni lo ricevono quando lo pubblichi',
    );
    await see(making.getByText(/^La locandiera/)).not.toContainText('bozza');
    return making
      .getByRole('group', { name: 'Eventi' })
      .locator('label')
      .filter({ has: page.locator('input[type=checkbox]:checked') })
      .allInnerTexts();
  };
  expect(await ticked()).toEqual([expect.stringMatching(/^Concerto di Natale/)]);
  await db('events').update(yesterday);
  expect(await ticked()).toEqual([]);
}, 60_000);

test('what a phone could not send is taken in once, from its file or from a chain of QR codes, read by a camera whose faults are no dead end; a new code for a phone in use is asked about first', async (office) => {
  const { server, admin } = office;
  const { db } = server.house.ctx;
  const { tickets, one, two, scanOf, admit } = await makeEvening(server, admin);
  await admit(two, tickets[0]!, { ago: 30 });
  const scans = tickets.map((ticket) => scanOf(one, ticket, { ago: 20 }));
  const file = JSON.stringify({
    phone_id: one.phone_id,
    wire: 4,
    items: [...scans.slice(0, 2), 'nonsense'],
  });
  const page = await office.open('/door/phones');
  const importing = page.getByRole('dialog', { name: 'Importa le letture di un telefono' });
  const inDialog = (name: string) => importing.getByRole('button', { name, exact: true });
  const give = async (text: string) => {
    await page.getByRole('button', { name: 'Importa letture' }).click();
    await importing.locator('input[type=file]').setInputFiles({
      name: 'ingressi.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
  };
  await give('{"altro": 1}');
  await see(importing).toContainText('Questo non è un file di letture di un telefono.');
  await page.keyboard.press('Escape');
  await give(file);
  await see(importing).toContainText('3 letture del telefono «Varco A».');
  await inDialog('Importa').click();
  await see(importing).toContainText(
    /2 letture nuove da «Varco A».*1 è un doppio ingresso.*1 non si può leggere/s,
  );
  await expectGood(page);
  await inDialog('Chiudi').click();
  await give(file);
  await inDialog('Importa').click();
  await see(importing).toContainText(/Nessuna lettura nuova da «Varco A».*2 erano già arrivate/s);
  const taken = () => db('admissions').where({ phone_id: one.phone_id }).pluck('id');
  expect(await taken()).toHaveLength(2);
  await inDialog('Chiudi').click();

  const links = chainOf({ phone_id: one.phone_id, wire: 4, items: scans }, 400);
  expect(links.length).toBeGreaterThan(1);
  const picture = importing.getByLabel('Immagine della fotocamera');
  const openChain = async () => {
    await page.getByRole('button', { name: 'Importa letture' }).click();
    await inDialog('Codici QR').click();
  };
  await openChain();
  // The browser's own test camera: what the page's headers forbid, no camera gives.
  await inDialog('Usa la fotocamera di questo computer').click();
  await expect
    .poll(() => picture.evaluate((video: HTMLVideoElement) => video.videoWidth))
    .toBeGreaterThan(0);
  await inDialog('Spegni la fotocamera').click();
  await addCamera(page.context());
  await page.reload();
  await openChain();
  await importing
    .getByLabel('Oppure incolla il testo dei codici')
    .fill(links.slice(1).toReversed().join('\n'));
  await see(importing).toContainText(`${links.length - 1} di ${links.length} codici letti`);
  await see(importing).toContainText('Manca il numero 1');
  await breakCamera(page, 'NotReadableError');
  await inDialog('Usa la fotocamera di questo computer').click();
  await see(importing.getByRole('alert')).toContainText('La fotocamera non si apre');
  await expectGood(page);
  await breakCamera(page, null);
  await inDialog('Riprova').click();
  await see(picture).toBeVisible();
  await see(importing.getByRole('alert')).toHaveCount(0);
  await show(page, links[0]!);
  await see(importing).toContainText('3 letture del telefono «Varco A».');
  await inDialog('Importa').click();
  await see(importing).toContainText('1 lettura nuova da «Varco A».');
  expect(await taken()).toHaveLength(3);
  await inDialog('Chiudi').click();

  const beat = () =>
    ask(server, heartbeat.method, heartbeat.path, {
      body: { queue_length: 3 },
      headers: one.headers,
    });
  await beat();
  await page.setViewportSize(small);
  const renew = page.getByRole('button', { name: 'Nuovo codice per Varco A' });
  const asking = page.getByRole('alertdialog', { name: 'Un nuovo codice per «Varco A»?' });
  const row = page.getByRole('row').filter({ hasText: 'Varco A' });
  await see(row).toContainText('3 letture da inviare');
  await renew.click();
  await see(asking).toContainText('smette di inviare finché non lo abbini di nuovo');
  await see(asking).toContainText('Ha ancora 3 letture da inviare');
  await asking.getByRole('button', { name: 'Torna indietro' }).click();
  await see(asking).toHaveCount(0);
  expect((await beat()).status).toBe(200);
  await renew.click();
  await asking.getByRole('button', { name: 'Crea il nuovo codice' }).click();
  const pairing = page.getByRole('dialog', { name: 'Abbina «Varco A»' });
  await see(pairing).toBeVisible();
  expect((await beat()).status).toBe(401);
  await page.keyboard.press('Escape');
  await see(row).toContainText('In attesa');
  await renew.click();
  await see(pairing).toBeVisible();
}, 90_000);

test('all that one phone read in a span of time is taken back in one act, after the number was seen', async (office) => {
  const { server, admin } = office;
  const { tickets, one, admit } = await makeEvening(server, admin);
  await admit(one, tickets[0]!, { ago: 90 });
  await admit(one, tickets[1]!, { ago: 30 });
  await admit(one, tickets[2]!, { ago: 20, code_read: null });
  const page = await office.open('/door/phones');
  const row = page.getByRole('row').filter({ hasText: 'Varco A' }).first();
  await row.getByRole('button', { name: 'Annulla letture di Varco A' }).click();
  const dialog = page.getByRole('dialog', { name: 'Annullare le letture di «Varco A»?' });
  await see(dialog.getByRole('status')).toHaveText('2 letture che contano e 1 in dubbio.');
  await expectGood(page, [desk.width, small.width]);
  const field = await dialog.getByLabel('Alle', { exact: true }).inputValue();
  await dialog.getByLabel('Dalle').fill(field.replace(/^\d{4}/, '2099'));
  await see(dialog.getByRole('status')).toHaveText('La fine viene prima dell’inizio.');
  await page.route('**/scans?*', (route) => route.abort());
  await dialog.getByLabel('Dalle').fill(field.replace(/^\d{4}/, '2020'));
  await see(dialog.getByRole('status')).toContainText('connessione');
  await page.unroute('**/scans?*');
  const hourAgo = wallTimeOf(new Date(server.clock.now() - 3_600_000).toISOString());
  await dialog.getByLabel('Dalle').fill(`${hourAgo.date}T${hourAgo.time}`);
  await see(dialog.getByRole('status')).toHaveText('1 lettura che conta e 1 in dubbio.');
  await dialog.getByLabel('Motivo').fill('Telefono rubato');
  await dialog.getByRole('button', { name: 'Annulla 2 letture' }).click();
  await see(dialog).toBeHidden();
  const { inside } = await callOk(server, readPresence, { params: { eventId: demoEvent } }, admin);
  expect(inside).toBe(1);
});
