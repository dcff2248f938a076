/** The event form in a real browser: from an empty page to an event on sale, and everything that can go wrong on the way. */
import sharp from 'sharp';
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEvent } from '#server/contract/event-desk.ts';
import { getEvent } from '#server/contract/events.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { lastSundayOf, nextYear, numberOf } from '#tests/support/calendar.ts';
import { desk, openDesk, phone, within } from '#tests/support/door/desk.ts';
import {
  forgetSeller,
  makeDraft,
  makePublished,
  nameSeller,
  save,
} from '#tests/support/event-desk.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { addRow, redraw } from '#tests/support/door/redraw.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { atStripe } from '#tests/support/stripe-desk.ts';
import { sellTo } from '#tests/support/till.ts';

/** The days on which the clocks are set. */
const [spring, autumn] = [lastSundayOf(3), lastSundayOf(10)];

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Long ways through a browser, on a machine that others use too. */
const patience = 90_000;

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
  await see(page.getByText(/^Salvato alle \d\d:\d\d$/)).toBeVisible(within);
}

test(
  'from an empty page to an event on sale: texts, hours of Rome, chart and prices, and the checklist leads to what is missing',
  async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    await forgetSeller(server);
    const price_id = await server.house.ctx.payments.ensurePrice({
      lookup_key: 'turandot-platea',
      product: 'Turandot, platea',
      unit_amount: 3_500,
    });
    const page = await openDesk(browser, server, admin, { path: '/events' });
    await page.getByRole('link', { name: 'Nuovo evento' }).click(within);
    await page.getByLabel('Titolo', { exact: true }).fill('Turandot – Prima');
    await see(page.getByLabel('Indirizzo della pagina')).toHaveValue('turandot-prima');
    const text = page.getByRole('textbox', { name: 'Descrizione' });
    await text.click(within);
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
    await see(page).toHaveURL(/\/events\/turandot-prima\/edit$/, within);

    const list = page.getByRole('region', { name: 'Pubblicazione' });
    await see(list.getByRole('button', { name: 'Pubblica' })).toBeDisabled();
    await list.getByRole('button', { name: 'Il luogo' }).click();
    await see(page.getByLabel('Luogo', { exact: true })).toBeFocused();
    await page.keyboard.type('Teatro Goldoni');
    await page.getByRole('radio', { name: /Teatro Goldoni/ }).check(within);
    const platea = page.getByRole('group', { name: 'Platea' });
    await platea.getByText('Dettagli tecnici').click(within);
    await platea.getByRole('button', { name: /Aggiungi un biglietto/ }).click();
    await page.getByRole('group', { name: 'Platea' }).getByLabel('Prezzo su Stripe').fill(price_id);
    await see(page.getByText('Turandot, platea · 35,00 €')).toBeVisible(within);
    for (const sector of ['Palchi', 'Galleria'])
      await page.getByRole('group', { name: sector }).getByLabel('Non in vendita').check();
    await page.getByRole('button', { name: 'Salva la bozza' }).click();
    await savedSays(page);
    await see(list.getByRole('link', { name: /partita IVA/ })).toBeVisible();
    await nameSeller(server, admin);
    await page.reload();
    await page.getByRole('button', { name: 'Pubblica' }).click(within);
    await see(page.getByText('L’evento è sul sito.')).toBeVisible(within);

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
    await page.context().close();
  },
  patience,
);

test(
  'what is wrong is said beside its field and in a summary that has the focus and leads there',
  async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    const page = await openDesk(browser, server, admin, { path: '/events/_new' });
    await page.getByLabel('Titolo', { exact: true }).fill('Notte bianca', within);
    await page.getByLabel('Indirizzo della pagina').fill('Notte Bianca');
    await setTime(page, 'Inizio', spring, '02:30');
    await page.getByLabel('Posti per ordine, al massimo').fill('99');
    await page.getByLabel('Sito o mappa del luogo (facoltativo)').fill('javascript:alert(1)');
    await page.getByRole('button', { name: 'Crea la bozza' }).click();
    const summary = page.getByRole('alert');
    await see(summary).toBeFocused(within);
    await see(summary).toContainText('ci sono 4 campi da correggere');
    await see(summary).toContainText('dalle 2:00 si passa alle 3:00');
    expect(await auditPage(page)).toEqual([]);
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
    await see(summary).toContainText('C’è già un evento con questo indirizzo', within);
    await summary.getByRole('button', { name: 'Indirizzo della pagina' }).click();
    await see(page.getByLabel('Indirizzo della pagina')).toBeFocused();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('notte-bianca');
    await page.getByRole('button', { name: 'Crea la bozza' }).click();
    await see(page).toHaveURL(/notte-bianca\/edit$/, within);
    await see(page.getByLabel('La seconda (ora solare)')).toBeChecked(within);
    const { form } = await stored(server, admin, 'notte-bianca');
    expect([form.starts_at, form.max_seats, form.venue_href]).toEqual([
      `${autumn}T01:30:00.000Z`,
      6,
      'https://teatro.it/',
    ]);
    await page.context().close();
  },
  patience,
);

test(
  'a picture is cut by keyboard to what the round window shows, and files that are no pictures are turned away',
  async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    await makeDraft(server, admin);
    const page = await openDesk(browser, server, admin, { path: edit('recital') });
    const picture = page.getByRole('group', { name: 'Immagine dell’evento' });
    await picture
      .locator('input[type=file]')
      .setInputFiles(
        { name: 'x.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
        within,
      );
    await see(picture.getByRole('alert')).toContainText('JPEG');
    await picture.locator('input[type=file]').setInputFiles({
      name: 'x.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from('nessuna foto'),
    });
    await see(picture.getByRole('alert')).toContainText('non si apre', within);
    const blue = {
      input: { create: { width: 600, height: 400, channels: 3 as const, background: '#0000ff' } },
      left: 600,
      top: 0,
    };
    const buffer = await sharp({
      create: { width: 1_200, height: 400, channels: 3, background: '#ff0000' },
    })
      .composite([blue])
      .png()
      .toBuffer();
    await picture
      .locator('input[type=file]')
      .setInputFiles({ name: 'due.png', mimeType: 'image/png', buffer });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Ingrandimento').press('End', within);
    await dialog.getByLabel('Da sinistra a destra').press('End');
    expect(await auditPage(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Usa questa immagine' }).click();
    await see(picture.getByRole('img')).toHaveAttribute('src', /^\/media\//, within);
    await page.getByRole('button', { name: 'Salva la bozza' }).click();
    await savedSays(page);
    const { form } = await stored(server, admin, 'recital');
    const file = await fetch(`${server.url}${form.event_ball_image}/320.jpg`, {
      headers: { connection: 'close' },
    });
    const { data, info } = await sharp(Buffer.from(await file.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info.width).toBe(info.height);
    expect([data[0]! < 60, data[2]! > 200]).toEqual([true, true]);
    await page.context().close();
  },
  patience,
);

test(
  'when somebody else saved first, either version can be kept, and nothing is lost unasked',
  async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    const draft = await makeDraft(server, admin);
    const page = await openDesk(browser, server, admin, { path: edit('recital') });
    await page.getByLabel('Luogo', { exact: true }).fill('Teatro mio', within);
    const theirs = await save(server, admin, draft, { venue_title: 'Teatro loro' });
    await page.getByRole('button', { name: 'Salva la bozza' }).click();
    const question = page.getByRole('alertdialog', {
      name: 'Qualcun altro ha salvato nel frattempo',
    });
    await question.getByRole('button', { name: 'Carica la sua versione' }).click(within);
    await see(page.getByLabel('Luogo', { exact: true })).toHaveValue('Teatro loro');
    await page.getByLabel('Luogo', { exact: true }).fill('Teatro mio');
    await save(server, admin, theirs, { venue_title: 'Teatro di nuovo loro' });
    await page.getByRole('button', { name: 'Salva la bozza' }).click();
    expect(await auditPage(page)).toEqual([]);
    await question.getByRole('button', { name: 'Salva la mia' }).click(within);
    await savedSays(page);
    expect((await stored(server, admin, 'recital')).form.venue_title).toBe('Teatro mio');
    await page.context().close();
  },
  patience,
);

test(
  'a new date for an event that is sold is saved only after the number of people to be told was seen',
  async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    await sellTo(server, { name: 'Mirandolina Fiorentini' });
    const page = await openDesk(browser, server, admin, { path: edit(demoEvent) });
    await see(page.getByText('Ci sono già ordini: non si può più cambiare.')).toBeVisible(within);
    await setTime(page, 'Inizio', `${nextYear}-11-20`, '21:00');
    const before = await stored(server, admin, demoEvent);
    await page.getByRole('button', { name: 'Salva: si vede subito' }).click();
    const question = page.getByRole('alertdialog', { name: 'Cambia la data o il luogo' });
    await see(question).toContainText('Un ordine è già confermato', within);
    expect((await stored(server, admin, demoEvent)).form.starts_at).toBe(before.form.starts_at);
    await question.getByRole('button', { name: 'Salva e avvisa 1 acquirente' }).click();
    await savedSays(page);
    expect(
      (await callOk(server, getEvent, { params: { eventId: demoEvent } })).event.starts_at,
    ).toBe(`${nextYear}-11-20T20:00:00.000Z`);
    await page.context().close();
  },
  patience,
);

test(
  'leaving with changes asks first: a link and the back button; staying keeps every word',
  async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    await makeDraft(server, admin);
    const page = await openDesk(browser, server, admin, { path: '/events' });
    await page.getByRole('link', { name: 'Modifica' }).last().click(within);
    const place = page.getByLabel('Luogo', { exact: true });
    await place.fill('Teatro nuovo', within);
    const question = page.getByRole('alertdialog', { name: 'Uscire senza salvare?' });
    const elsewhere = page
      .getByRole('navigation', { name: 'Sezioni' })
      .getByRole('link', { name: 'Ordini' });
    await elsewhere.click();
    await question.getByRole('button', { name: 'Resta qui' }).click(within);
    await see(place).toHaveValue('Teatro nuovo');
    await page.evaluate(() => history.back());
    await question.getByRole('button', { name: 'Resta qui' }).click(within);
    await see(place).toHaveValue('Teatro nuovo');
    await elsewhere.click();
    await question.getByRole('button', { name: 'Esci senza salvare' }).click(within);
    await see(page.getByRole('heading', { name: 'Ordini' })).toBeVisible(within);
    await page.context().close();
  },
  patience,
);

test(
  'an event is copied from the list, and one without orders goes back to a draft',
  async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    await makePublished(server, admin);
    const page = await openDesk(browser, server, admin, { path: '/events' });
    await page.getByRole('button', { name: 'Duplica Recital' }).click(within);
    const dialog = page.getByRole('alertdialog', { name: 'Duplica «Recital»' });
    await see(dialog.getByLabel('Indirizzo della nuova pagina')).toHaveValue('recital-2');
    await dialog.getByRole('button', { name: 'Crea la copia' }).click();
    await see(page).toHaveURL(/recital-2\/edit$/, within);
    expect(await stored(server, admin, 'recital-2')).toMatchObject({
      status: 'draft',
      title: 'Recital',
    });
    await page.goto(`${server.url}/admin${edit('recital')}`);
    await page.getByRole('button', { name: 'Riporta in bozza…' }).click(within);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Riporta in bozza' }).click();
    await see(page.getByRole('heading', { name: 'Pronto da pubblicare' })).toBeVisible(within);
    expect((await stored(server, admin, 'recital')).status).toBe('draft');
    await page.context().close();
  },
  patience,
);

test('a price that Stripe does not know or has archived is said before anybody saves', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const draft = await makeDraft(server, admin);
  await atStripe(server, 'POST', `prices/${draft.form.seat_pricing[0]!.ticketTypes[0]!.price_id}`, {
    active: 'false',
  });
  const page = await openDesk(browser, server, admin, { path: edit('recital') });
  const platea = page.getByRole('group', { name: 'Platea' });
  await see(platea).toContainText('Il prezzo è archiviato su Stripe.', within);
  await platea.getByLabel('Prezzo su Stripe').fill('price_nessuno');
  await see(platea).toContainText('Stripe non conosce questo codice.', within);
  await page.getByRole('button', { name: 'Salva la bozza' }).click();
  await see(page.getByRole('alert')).toContainText(
    'Stripe non lascia vendere questo prezzo.',
    within,
  );
  await page.context().close();
});

test(
  'a price is chosen by the words of its product; while Stripe is silent its code can still be typed, and new places of the chart are told',
  async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    await makePublished(server, admin);
    await server.house.ctx.payments.ensurePrice({
      lookup_key: 'tribuna-nord',
      product: 'Tribuna nord',
      unit_amount: 4_150,
    });
    const page = await openDesk(browser, server, admin, { path: edit('recital'), size: phone });
    const platea = page.getByRole('group', { name: 'Platea' });
    await platea.getByText('Dettagli tecnici').click(within);
    await platea.getByRole('button', { name: 'Scegli… il prezzo: Platea, Intero' }).click();
    const picker = page.getByRole('dialog', { name: 'Prezzo: Platea, Intero' });
    await see(picker.getByRole('button', { name: /^Recital – Platea/ })).toHaveAttribute(
      'aria-pressed',
      'true',
      within,
    );
    expect(await auditPage(page)).toEqual([]);
    await picker.getByRole('searchbox').fill('tribuna 41,50');
    await see(
      picker.getByRole('list', { name: 'Prezzi in vendita su Stripe' }).getByRole('button'),
    ).toHaveCount(1, within);
    await picker.getByRole('button', { name: /^Tribuna nord/ }).click();
    await see(picker).toHaveCount(0);
    await see(platea).toContainText('Tribuna nord · 41,50', within);

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

    await server.house.standins!.stripe!.close();
    server.clock.advance(60_000);
    await platea.getByRole('button', { name: /^Scegli…/ }).click();
    // A question that no answer is kept for.
    await page.getByRole('dialog').getByRole('searchbox').fill('balconata');
    await see(page.getByRole('dialog')).toContainText(/non risponde/, within);
    await page.getByRole('button', { name: 'Chiudi la finestra' }).click();
    await platea.getByLabel('Prezzo su Stripe').fill('price_scritto_a_mano');
    await see(platea.getByLabel('Prezzo su Stripe')).toHaveValue('price_scritto_a_mano');
    await page.context().close();
  },
  patience,
);

const screens = [
  ['the list', '/events'],
  ['an empty form', '/events/_new'],
  ['a filled form', edit(demoEvent)],
] as const;
const sizes = [
  ['1280', desk],
  ['390', phone],
] as const;

test.each(
  screens.flatMap(([name, path]) =>
    sizes.map(([width, size]) => [name, width, path, size] as const),
  ),
)(
  '%s is clean for two accessibility engines and fits at %s px',
  async (_, width, path, size) => {
    await using server = await startServer();
    const page = await openDesk(browser, server, await makeAdmin(server), { path, size });
    await see(page.getByRole('heading', { level: 1 })).toBeVisible(within);
    if (path !== '/events') {
      await see(page.getByRole('textbox', { name: 'Descrizione' })).toBeVisible(within);
      await page.getByRole('button', { name: 'Link' }).first().click();
    }
    expect(await auditPage(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(Number(width));
    await page.context().close();
  },
  patience,
);

test(
  'whoever only counts reads events but is not offered what the office may do',
  async () => {
    await using server = await startServer();
    await makeAdmin(server);
    const viewer = await asRole(server, 'viewer');
    const page = await openDesk(browser, server, viewer, { path: '/events' });
    await see(page.getByRole('link', { name: 'La locandiera' })).toBeVisible(within);
    for (const name of ['Nuovo evento', 'Modifica', 'Ordini', 'Ingressi', 'Posta', 'Salute'])
      await see(page.getByRole('link', { name })).toHaveCount(0);
    await see(page.getByRole('button', { name: /^Duplica/ })).toHaveCount(0);
    await page.goto(`${server.url}/admin${edit(demoEvent)}`);
    await see(page.getByText('Questa pagina non è per il tuo ruolo.')).toBeVisible(within);
    await see(page.getByText('«Amministratore», «Ufficio»')).toBeVisible();
    await page.context().close();
  },
  patience,
);
