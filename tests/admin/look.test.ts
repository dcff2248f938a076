/** The house's own look in a real browser: typed, refused with a reason, seen before it is saved, and then everywhere; and the band over a trial. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLook, writeLook } from '#server/contract/look.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { desk, openDesk, phone, within } from '#tests/support/door/desk.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer } from '#tests/support/server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const save = (page: Page) => page.getByRole('button', { name: 'Salva', exact: true }).click();
const colourOf = (page: Page, name: string) =>
  page.evaluate((property) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = `var(${property})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);

test('a house gives itself a logo, a colour and words, and its pages have them at the first paint', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const page = await openDesk(browser, server, admin, { path: '/settings/site' });
  await page.getByRole('link', { name: 'Aspetto, posta e biglietti' }).click();

  const logo = sharp({ create: { width: 480, height: 120, channels: 4, background: '#7a1030' } });
  const picker = page.locator('input[type=file]');
  const svg = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') };
  await picker.setInputFiles(svg);
  await see(page.getByText('Un SVG non si può usare')).toBeVisible(within);
  const png = { name: 'logo.png', mimeType: 'image/png', buffer: await logo.png().toBuffer() };
  await picker.setInputFiles(png);
  await see(page.getByAltText('Logo: anteprima')).toBeVisible(within);

  await page.getByLabel('Sulle pagine chiare', { exact: true }).fill('#ffe45c');
  await see(page.getByText('Sulla pagina chiara non si legge bene')).toBeVisible(within);
  await see(page.getByLabel('Sulle pagine scure', { exact: true })).toHaveValue('#ffe45c');
  await save(page);
  await see(page.getByRole('alert')).toContainText('correggi i campi segnati in rosso', within);
  await see(page.getByLabel('Scegli il colore per le pagine chiare')).toBeFocused(within);
  await page.getByRole('button', { name: /^Usa #/ }).click();
  await see(page.getByText('Sulla pagina chiara non si legge bene')).toBeHidden(within);
  await page.getByRole('radio', { name: 'Bordeaux' }).check();

  await page.getByLabel('Orari', { exact: true }).fill('Da martedì a sabato, 10:00–13:00');
  await page.getByLabel('Nome del mittente').fill('Teatro Goldoni');
  await page.getByLabel('In fondo ai messaggi').fill('Con il sostegno del Comune.');
  await page.getByLabel('In fondo al biglietto').fill('Grazie!');
  await see(page.getByText('Da: Teatro Goldoni')).toBeVisible(within);
  const mail = page.frameLocator('iframe[title="Anteprima del messaggio"]');
  await see(mail.getByText('Con il sostegno del Comune.')).toBeVisible(within);
  const roll = page.locator('figure', { hasText: 'Anteprima della stampa della cassa' });
  await see(roll.getByText('Grazie!')).toBeVisible(within);
  const paper = page.getByRole('link', { name: 'Scarica il PDF di prova' });
  await see(paper).toHaveAttribute('href', /ticket_foot=Grazie/, within);
  const [pdf] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Scarica il PDF di prova' }).click(),
  ]);
  expect(pdf.suggestedFilename()).toBe('Biglietto di prova.pdf');
  expect(readPdf(readFileSync(await pdf.path())).pages[0]!.lines).toContain('Grazie!');
  await save(page);
  await see(page.getByText('Salvato: si vede subito.')).toBeVisible(within);
  await expect.poll(() => colourOf(page, '--primary')).toBe('rgb(140, 29, 64)');

  const visitor = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await visitor.emulateMedia({ colorScheme: 'dark' });
  await visitor.goto(`${server.url}/event/${demoEvent}`);
  await see(visitor.locator('img[src$="/320.webp"]').first()).toBeVisible(within);
  expect(await colourOf(visitor, '--primary')).toBe('rgb(240, 139, 166)');
  await visitor.context().close();
  const guest = await (await browser.newContext()).newPage();
  await guest.goto(`${server.url}/event/${demoEvent}`);
  await guest.getByRole('button', { name: 'Info | Contatti | Privacy Policy' }).click();
  await see(guest.getByText('Da martedì a sabato, 10:00–13:00')).toBeVisible(within);
  await guest.context().close();

  // Somebody else was faster: this person is told, and what they typed stays.
  const { mail_address: _, ...now } = await callOk(server, readLook, {}, admin);
  await callOk(server, writeLook, { body: { ...now, hours: 'Chiuso' } }, admin);
  await page.getByLabel('Nome del mittente').fill('Un altro');
  await save(page);
  await see(page.getByRole('alert')).toContainText('qualcun altro ha salvato', within);
  await see(page.getByLabel('Nome del mittente')).toHaveValue('Un altro');
  await page.context().close();
  expect(server.logged).toEqual([]);
});

test('the form and the band are usable at every width, and clean for both engines in both themes', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [1024, 'dark'],
    [768, 'light'],
    [phone.width, 'dark'],
  ] as const) {
    const size = { width, height: 900 };
    const page = await openDesk(browser, server, admin, { path: '/settings/site/look', size });
    await page.emulateMedia({ colorScheme });
    await see(page.getByText('Riepilogo d’ordine').or(page.getByText('PROV A000'))).toBeVisible(
      within,
    );
    const room = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect([width, room[0]]).toEqual([width, room[1]]);
    const band = page.getByRole('complementary', { name: 'Ambiente di prova' });
    await page.mouse.wheel(0, 2_000);
    await see(band).toBeInViewport({ ratio: 1, ...within });
    await see(band).toContainText('Stripe e seats.io sono simulati');
    const { height } = (await band.boundingBox())!;
    expect(height).toBeLessThanOrEqual(28);
    if (width !== 1024) expect([width, await auditPage(page)]).toEqual([width, []]);
    await page.context().close();
  }
});

test('the band names what is pretended, and is not there where money is real', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { ctx } = server.house;
  for (const [live, standins, words] of [
    [false, { stripe: true, seatsio: false }, 'Stripe è simulato'],
    [false, { stripe: false, seatsio: true }, 'Stripe con chiave di prova, seats.io simulato'],
    [false, { stripe: false, seatsio: false }, 'Stripe ha una chiave di prova'],
    [true, { stripe: false, seatsio: true }, null],
  ] as const) {
    Object.assign(ctx.payments, { live });
    ctx.standins = standins;
    const page = await openDesk(browser, server, await asRole(server, 'door'), {
      path: '/door/scans',
      size: desk,
    });
    await see(page.getByRole('link', { name: 'Presenze', exact: true })).toBeVisible(within);
    const band = page.getByRole('complementary', { name: 'Ambiente di prova' });
    if (words === null) await see(band).toHaveCount(0);
    else await see(band).toContainText(words, within);
    await page.context().close();
  }
  expect(admin.cookie).not.toBe('');
});
