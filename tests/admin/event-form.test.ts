/**
 * The event form in a real browser: from an empty page to an event on sale, and everything that can
 * go wrong on the way.
 */
import sharp from 'sharp';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { readEvent } from '#server/contract/event-desk.ts';
import { getEvent } from '#server/contract/events.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { lastSundayOf, nextYear, numberOf } from '#tests/support/calendar.ts';
import {
  forgetSeller,
  makeDraft,
  makePublished,
  nameSeller,
  save,
} from '#tests/support/event-desk.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { addRow, redraw } from '#tests/support/door/redraw.ts';
import { type TestServer } from '#tests/support/server.ts';
import { atStripe } from '#tests/support/stripe-desk.ts';
import { sellTo } from '#tests/support/till.ts';
import { confirm, desk, expectGood, goTo, phone, see, testOffice as test } from './office.ts';

/** The days on which the clocks are set. */
const [spring, autumn] = [lastSundayOf(3), lastSundayOf(10)];

/** Long ways through a browser, on a machine that others use too. */

const edit = (id: string) => `/events/${id}/edit`;

function stored(server: TestServer, admin: { cookie: string }, eventId: string) {
  return callOk(server, readEvent, { params: { eventId } }, admin);
}

async function setTime(page: Page, label: string, date: string, time: string): Promise<void> {
  const field = page.getByRole('group', { name: label, exact: true });
  await field.getByLabel(/: giorno$/).fill(date);
  await field.getByLabel(/: ora$/).fill(time);
}

async function savedSays(page: Page): Promise<void> {
  await see(page.getByText(/^Salvato alle \d\d:\d\d$/)).toBeVisible();
}

test('from an empty page to an event on sale: texts, hours of Rome, chart and prices, and the checklist leads to what is missing', async (office) => {
  const { server, admin } = office;
  await forgetSeller(server);
  const price_id = await server.house.ctx.payments.ensurePrice({
    lookup_key: 'turandot-platea',
    product: 'Turandot, platea',
    unit_amount: 3_500,
  });
  const page = await office.open('/events');
  await see(page.getByRole('link', { name: 'La locandiera' })).toBeVisible();
  await expectGood(page);
  await page.getByRole('link', { name: 'Nuovo evento' }).click();
  await page.getByLabel('Titolo', { exact: true }).fill('Turandot – Prima');
  await see(page.getByLabel('Indirizzo della pagina')).toHaveValue('turandot-prima');
  const text = page.getByRole('textbox', { name: 'Descrizione' });
  await text.click();
  await page.getByRole('button', { name: 'Grassetto' }).first().click();
  await page.keyboard.type('Nessun dorma');
  await page.getByRole('button', { name: 'Grassetto' }).first().click();
  await page.keyboard.type(', al ');
  await page.getByRole('button', { name: 'Link' }).first().click();
  await page.getByLabel('Indirizzo del link').fill('www.teatro.it');
  await page.keyboard.press('Enter');
  await setTime(page, 'Inizio', spring, '20:30');
  const said = `domenica ${numberOf(spring)} marzo ${nextYear}, ore 20:30`;
  await see(page.getByText(said, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Crea la bozza' }).click();
  await see(page).toHaveURL(/\/events\/turandot-prima\/edit$/);

  const list = page.getByRole('region', { name: 'Pubblicazione' });
  await see(list.getByRole('button', { name: 'Pubblica' })).toBeDisabled();
  await list.getByRole('button', { name: 'Il luogo' }).click();
  await see(page.getByLabel('Luogo', { exact: true })).toBeFocused();
  await page.keyboard.type('Teatro Goldoni');
  await page.getByRole('radio', { name: /Teatro Goldoni/ }).check();
  const platea = page.getByRole('group', { name: 'Platea' });
  await platea.getByText('Dettagli tecnici').click();
  await platea.getByRole('button', { name: /Aggiungi un biglietto/ }).click();
  await page.getByRole('group', { name: 'Platea' }).getByLabel('Prezzo su Stripe').fill(price_id);
  await see(page.getByText('Turandot, platea · 35,00 €')).toBeVisible();
  for (const sector of ['Palchi', 'Galleria'])
    await page.getByRole('group', { name: sector }).getByLabel('Non in vendita').check();
  await page.getByLabel('Cambio di data dalla pagina dell’ordine').check();
  const dayBefore = `${Number(numberOf(spring)) - 1}/03/${nextYear}`;
  await see(page.getByText('Chi compra legge: «')).toContainText(
    `cambiare data fino al ${dayBefore}`,
  );
  await page.getByRole('button', { name: 'Salva la bozza' }).click();
  await savedSays(page);
  await see(list.getByRole('link', { name: /partita IVA/ })).toBeVisible();
  await page.setViewportSize(phone);
  await page.getByRole('button', { name: 'Link' }).first().click();
  await expectGood(page, [desk.width]);
  await page.setViewportSize(desk);
  await nameSeller(server, admin);
  await page.reload();
  await page.getByRole('button', { name: 'Pubblica' }).click();
  await see(page.getByText('L’evento è sul sito.')).toBeVisible();

  const { event, venue_title, prices } = await callOk(server, getEvent, {
    params: { eventId: 'turandot-prima' },
  });
  expect([event.title, event.starts_at, venue_title, prices]).toEqual([
    'Turandot – Prima',
    `${spring}T18:30:00.000Z`,
    'Teatro Goldoni',
    [{ id: price_id, unit_amount: 3_500 }],
  ]);
  expect(event.attributes.description).toMatch(
    /^<p><strong>Nessun dorma<\/strong>, al <a href="https:\/\/www\.teatro\.it\/?"[^>]*>www\.teatro\.it<\/a><\/p>$/,
  );
  expect(event.attributes.seat_pricing).toEqual([
    { category: 'Platea', ticketTypes: [{ price_id, ticketType: 'intero', label: 'Intero' }] },
  ]);
}, 90_000);

test('what is wrong is said beside its field and in a summary that leads there; a picture is cut by keyboard; when somebody else saved first, either version can be kept; leaving with changes asks first', async (office) => {
  const { server, admin } = office;
  const page = await office.open('/events');
  await page.getByRole('link', { name: 'Nuovo evento' }).click();
  await page.getByLabel('Titolo', { exact: true }).fill('Notte bianca');
  await page.getByLabel('Indirizzo della pagina').fill('Notte Bianca');
  await setTime(page, 'Inizio', spring, '02:30');
  await page.getByLabel('Posti per ordine, al massimo').fill('99');
  await page.getByLabel('Sito o mappa del luogo (facoltativo)').fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Crea la bozza' }).click();
  const summary = page.getByRole('alert');
  await see(summary).toBeFocused();
  await see(summary).toContainText('ci sono 4 campi da correggere');
  await see(summary).toContainText('dalle 2:00 si passa alle 3:00');
  expect(await auditPage(page, '[role=alert]')).toEqual([]);
  await summary.getByRole('button', { name: 'Posti per ordine' }).click();
  await see(page.getByLabel('Posti per ordine, al massimo')).toBeFocused();
  await see(page.getByLabel('Posti per ordine, al massimo')).toHaveAttribute(
    'aria-invalid',
    'true',
  );

  await page.getByLabel('Posti per ordine, al massimo').fill('6');
  await page.getByLabel('Sito o mappa del luogo (facoltativo)').fill('teatro.it');
  // The address of an event that is there already is the server's to refuse.
  await page.getByLabel('Indirizzo della pagina').fill(demoEvent);
  await setTime(page, 'Inizio', autumn, '02:30');
  await page.getByLabel('La seconda (ora solare)').check();
  await page.getByRole('button', { name: 'Crea la bozza' }).click();
  await see(summary).toContainText('C’è già un evento con questo indirizzo');
  await summary.getByRole('button', { name: 'Indirizzo della pagina' }).click();
  await see(page.getByLabel('Indirizzo della pagina')).toBeFocused();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('notte-bianca');
  await page.getByRole('button', { name: 'Crea la bozza' }).click();
  await see(page).toHaveURL(/notte-bianca\/edit$/);
  await see(page.getByLabel('La seconda (ora solare)')).toBeChecked();
  const { form } = await stored(server, admin, 'notte-bianca');
  expect([form.starts_at, form.max_seats, form.venue_href]).toEqual([
    `${autumn}T01:30:00.000Z`,
    6,
    'https://teatro.it/',
  ]);

  const picture = page.getByRole('group', { name: 'Immagine dell’evento' });
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    picture.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
  await choose('x.svg', 'image/svg+xml', Buffer.from('<svg/>'));
  await see(picture.getByRole('alert')).toContainText('JPEG');
  await choose('x.jpg', 'image/jpeg', Buffer.from('nessuna foto'));
  await see(picture.getByRole('alert')).toContainText('non si apre');
  const blue = {
    input: { create: { width: 600, height: 400, channels: 3 as const, background: '#0000ff' } },
    left: 600,
    top: 0,
  };
  const red = {
    create: { width: 1_200, height: 400, channels: 3 as const, background: '#ff0000' },
  };
  await choose('due.png', 'image/png', await sharp(red).composite([blue]).png().toBuffer());
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Ingrandimento').press('End');
  await dialog.getByLabel('Da sinistra a destra').press('End');
  await expectGood(page);
  await dialog.getByRole('button', { name: 'Usa questa immagine' }).click();
  await see(picture.getByRole('img')).toHaveAttribute('src', /^\/media\//);
  await page.getByRole('button', { name: 'Salva la bozza' }).click();
  await savedSays(page);
  const image = async () => (await stored(server, admin, 'notte-bianca')).form.event_ball_image;
  await see.poll(image).toMatch(/^\/media\//);
  const draft = await stored(server, admin, 'notte-bianca');
  const file = await fetch(`${server.url}${draft.form.event_ball_image}/320.jpg`);
  const { data, info } = await sharp(Buffer.from(await file.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info.width).toBe(info.height);
  expect([data[0]! < 60, data[2]! > 200]).toEqual([true, true]);

  const place = page.getByLabel('Luogo', { exact: true });
  await place.fill('Teatro mio');
  const theirs = await save(server, admin, draft, { venue_title: 'Teatro loro' });
  await page.getByRole('button', { name: 'Salva la bozza' }).click();
  const other = page.getByRole('alertdialog', { name: 'Qualcun altro ha salvato nel frattempo' });
  await other.getByRole('button', { name: 'Carica la sua versione' }).click();
  await see(place).toHaveValue('Teatro loro');
  await place.fill('Teatro mio');
  await save(server, admin, theirs, { venue_title: 'Teatro di nuovo loro' });
  await page.getByRole('button', { name: 'Salva la bozza' }).click();
  await see(other).toBeVisible();
  await expectGood(page);
  await other.getByRole('button', { name: 'Salva la mia' }).click();
  await see(other).toHaveCount(0);
  await savedSays(page);
  expect((await stored(server, admin, 'notte-bianca')).form.venue_title).toBe('Teatro mio');

  await place.fill('Teatro nuovo');
  const question = page.getByRole('alertdialog', { name: 'Uscire senza salvare?' });
  const elsewhere = page
    .getByRole('navigation', { name: 'Sezioni' })
    .getByRole('link', { name: 'Ordini' });
  await elsewhere.click();
  await question.getByRole('button', { name: 'Resta qui' }).click();
  await see(place).toHaveValue('Teatro nuovo');
  await page.evaluate(() => history.back());
  await question.getByRole('button', { name: 'Resta qui' }).click();
  await see(place).toHaveValue('Teatro nuovo');
  await elsewhere.click();
  await question.getByRole('button', { name: 'Esci senza salvare' }).click();
  await see(page.getByRole('heading', { name: 'Ordini' })).toBeVisible();
}, 90_000);

test('an event is copied from the list; one without orders goes back to a draft; a draft is deleted, and so is the show that it leaves empty; a new date for one that is sold is saved only after the number of people to be told was seen', async (office) => {
  const { server, admin } = office;
  await makePublished(server, admin);
  await makeDraft(server, admin, { id: 'saggio', title: 'Saggio' });
  await sellTo(server, { name: 'Mirandolina Fiorentini' });
  const page = await office.open('/events');
  await page.getByRole('button', { name: 'Duplica Recital' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Duplica «Recital»' });
  await see(dialog.getByLabel('Indirizzo della nuova pagina')).toHaveValue('recital-2');
  await dialog.getByRole('button', { name: 'Crea la copia' }).click();
  await see(page).toHaveURL(/recital-2\/edit$/);
  expect(await stored(server, admin, 'recital-2')).toMatchObject({
    status: 'draft',
    title: 'Recital',
  });
  await page.goto(`${server.url}/admin${edit('recital')}`);
  await confirm(page, 'Riporta in bozza…', 'Riporta in bozza');
  await see(page.getByRole('heading', { name: 'Pronto da pubblicare' })).toBeVisible();
  expect((await stored(server, admin, 'recital')).status).toBe('draft');
  await goTo(page, '/events/saggio');
  await confirm(page, 'Elimina la bozza…', 'Elimina la bozza');
  await see(page).toHaveURL(/\/events$/);
  await goTo(page, '/shows/saggio');
  await confirm(page, 'Elimina lo spettacolo…', 'Elimina lo spettacolo');
  await see(page).toHaveURL(/\/shows$/);
  expect(await server.house.ctx.db('shows').where({ id: 'saggio' })).toEqual([]);

  await goTo(page, edit(demoEvent));
  await see(page.getByText('Ci sono già ordini: non si può più cambiare.')).toBeVisible();
  await setTime(page, 'Inizio', `${nextYear}-11-20`, '21:00');
  const before = await stored(server, admin, demoEvent);
  await page.getByRole('button', { name: 'Salva: si vede subito' }).click();
  const question = page.getByRole('alertdialog', { name: 'Cambia la data o il luogo' });
  await see(question).toContainText('Un ordine è già confermato');
  expect((await stored(server, admin, demoEvent)).form.starts_at).toBe(before.form.starts_at);
  await question.getByRole('button', { name: 'Salva e avvisa 1 acquirente' }).click();
  await savedSays(page);
  expect((await callOk(server, getEvent, { params: { eventId: demoEvent } })).event.starts_at).toBe(
    `${nextYear}-11-20T20:00:00.000Z`,
  );

  // Other rules are saved only after it was read which sold tickets they meet.
  await page.getByLabel('Biglietti nominativi').check();
  await page.getByRole('button', { name: 'Salva: si vede subito' }).click();
  const met = page.getByRole('alertdialog', { name: 'Ci sono biglietti già venduti' });
  await see(met.getByRole('listitem')).toHaveText(
    /^2 biglietti venduti tengono: biglietti senza nome\.$/,
  );
  expect((await stored(server, admin, demoEvent)).form.nominative).toBe(false);
  await met.getByText('Chiedi i nomi per e-mail').click();
  const button = met.getByRole('button', { name: 'Salva le regole nuove' });
  await see(button).toBeDisabled();
  await setTime(page, 'Entro il', `${nextYear}-11-10`, '20:00');
  await button.click();
  await see(page.getByText(/^Nomi chiesti .* ne mancano 2\.$/)).toBeVisible();
}, 90_000);

test('a price is chosen by the words of its product; one that Stripe does not know or has archived is said before anybody saves; while Stripe is silent a code can still be typed, and new places of the chart are told', async (office) => {
  const { server, admin } = office;
  await makePublished(server, admin);
  await server.house.ctx.payments.ensurePrice({
    lookup_key: 'tribuna-nord',
    product: 'Tribuna nord',
    unit_amount: 4_150,
  });
  const archived = await server.house.ctx.payments.ensurePrice({
    lookup_key: 'tribuna-sud',
    product: 'Tribuna sud',
    unit_amount: 3_000,
  });
  await atStripe(server, 'POST', `prices/${archived}`, { active: 'false' });
  const page = await office.open(edit('recital'), { size: phone });
  const platea = page.getByRole('group', { name: 'Platea' });
  await platea.getByText('Dettagli tecnici').click();
  await platea.getByRole('button', { name: 'Scegli… il prezzo: Platea, Intero' }).click();
  const picker = page.getByRole('dialog', { name: 'Prezzo: Platea, Intero' });
  await see(picker.getByRole('button', { name: /^Recital – Platea/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expectGood(page);
  await picker.getByRole('searchbox').fill('tribuna 41,50');
  await see(
    picker.getByRole('list', { name: 'Prezzi in vendita su Stripe' }).getByRole('button'),
  ).toHaveCount(1);
  await picker.getByRole('button', { name: /^Tribuna nord/ }).click();
  await see(picker).toHaveCount(0);
  await see(platea).toContainText('Tribuna nord · 41,50');

  await redraw(server, (drawing) => addRow(drawing));
  await page.getByRole('button', { name: 'Salva: si vede subito' }).click();
  await savedSays(page);
  await see(
    page.getByText(/^La pianta ha \d+ posti nuovi: ora fanno parte dell’evento/),
  ).toBeVisible();
  expect(
    (await stored(server, admin, 'recital')).form.seat_pricing[0]!.ticketTypes[0]!.price_id,
  ).toBe(
    (await server.house.ctx.payments.activePrices()).prices.find(
      (price) => price.lookup_key === 'tribuna-nord',
    )!.id,
  );

  const code = platea.getByLabel('Prezzo su Stripe');
  await code.fill(archived);
  await see(platea).toContainText('Il prezzo è archiviato su Stripe.');
  await code.fill('price_nessuno');
  await see(platea).toContainText('Stripe non conosce questo codice.');
  await page.getByRole('button', { name: 'Salva: si vede subito' }).click();
  await see(page.getByRole('alert')).toContainText('Stripe non lascia vendere questo prezzo.');

  await server.house.standins!.stripe!.close();
  server.clock.advance(60_000);
  await platea.getByRole('button', { name: /^Scegli…/ }).click();
  // A question that no answer is kept for.
  await page.getByRole('dialog').getByRole('searchbox').fill('balconata');
  await see(page.getByRole('dialog')).toContainText(/non risponde/);
  await page.getByRole('button', { name: 'Chiudi la finestra' }).click();
  await code.fill('price_scritto_a_mano');
  await see(code).toHaveValue('price_scritto_a_mano');
}, 90_000);
