/**
 * The house's own look in a real browser: typed, refused with a reason, seen before it is saved,
 * and then everywhere; and the band over a trial.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { expect } from 'vitest';
import { readLook, writeLook } from '#server/contract/look.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { asRole } from '#tests/support/roles.ts';
import { expectGood, phone, see, testOffice as test } from './office.ts';

const save = (page: Page) => page.getByRole('button', { name: 'Salva', exact: true }).click();
const colourOf = (page: Page, name: string) =>
  page.evaluate((property) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = `var(${property})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);

test('a house gives itself a logo, a colour and words, beside a form that fits every width, and its pages have them at the first paint', async (office) => {
  const { server, admin } = office;
  const page = await office.open('/settings/site');
  await page.getByRole('link', { name: 'Aspetto, posta e biglietti' }).click();

  const logo = sharp({ create: { width: 480, height: 120, channels: 4, background: '#7a1030' } });
  const picker = page.locator('input[type=file]');
  const svg = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') };
  await picker.setInputFiles(svg);
  await see(page.getByText('Un SVG non si può usare')).toBeVisible();
  const png = { name: 'logo.png', mimeType: 'image/png', buffer: await logo.png().toBuffer() };
  await picker.setInputFiles(png);
  await see(page.getByAltText('Logo: anteprima')).toBeVisible();

  await page.getByLabel('Sulle pagine chiare', { exact: true }).fill('#ffe45c');
  await see(page.getByText('Sulla pagina chiara non si legge bene')).toBeVisible();
  await see(page.getByLabel('Sulle pagine scure', { exact: true })).toHaveValue('#ffe45c');
  await save(page);
  await see(page.getByRole('alert')).toContainText('correggi i campi segnati in rosso');
  await see(page.getByLabel('Scegli il colore per le pagine chiare')).toBeFocused();
  await page.getByRole('button', { name: /^Usa #/ }).click();
  await see(page.getByText('Sulla pagina chiara non si legge bene')).toBeHidden();
  await page.getByRole('radio', { name: 'Bordeaux' }).check();

  await page.getByLabel('Orari', { exact: true }).fill('Da martedì a sabato, 10:00–13:00');
  await page.getByLabel('Nome del mittente').fill('Teatro Goldoni');
  await page.getByLabel('In fondo ai messaggi').fill('Con il sostegno del Comune.');
  await page.getByLabel('In fondo al biglietto').fill('Grazie!');
  await see(page.getByText('Da: Teatro Goldoni')).toBeVisible();
  const mail = page.frameLocator('iframe[title="Anteprima del messaggio"]');
  await see(mail.getByText('Con il sostegno del Comune.')).toBeVisible();
  const roll = page.locator('figure', { hasText: 'Anteprima della stampa della cassa' });
  await see(roll.getByText('Grazie!')).toBeVisible();
  const paper = page.getByRole('link', { name: 'Scarica il PDF di prova' });
  await see(paper).toHaveAttribute('href', /ticket_foot=Grazie/);
  const [pdf] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Scarica il PDF di prova' }).click(),
  ]);
  expect(pdf.suggestedFilename()).toBe('Biglietto di prova.pdf');
  expect(readPdf(readFileSync(await pdf.path())).pages[0]!.lines).toContain('Grazie!');
  const band = page.getByRole('complementary', { name: 'Ambiente di prova' });
  await page.mouse.wheel(0, 2_000);
  await see(band).toBeInViewport({ ratio: 1 });
  expect((await band.boundingBox())!.height).toBeLessThanOrEqual(28);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectGood(page, [1440, 1024, 768, phone.width]);
  await page.emulateMedia({ colorScheme: 'light' });
  await save(page);
  await see(page.getByText('Salvato: si vede subito.')).toBeVisible();
  await expect.poll(() => colourOf(page, '--primary')).toBe('rgb(140, 29, 64)');

  const bare = { javaScriptEnabled: false, colorScheme: 'dark' } as const;
  const visitor = await office.visit(`/event/${demoEvent}`, bare);
  await see(visitor.locator('img[src$="/320.webp"]').first()).toBeVisible();
  expect(await colourOf(visitor, '--primary')).toBe('rgb(240, 139, 166)');
  const guest = await office.visit(`/event/${demoEvent}`);
  await guest.getByRole('button', { name: 'Info | Contatti | Privacy Policy' }).click();
  await see(guest.getByText('Da martedì a sabato, 10:00–13:00')).toBeVisible();

  // Somebody else was faster: this person is told, and what they typed stays.
  const { mail_address: _, ...now } = await callOk(server, readLook, {}, admin);
  await callOk(server, writeLook, { body: { ...now, hours: 'Chiuso' } }, admin);
  await page.getByLabel('Nome del mittente').fill('Un altro');
  await save(page);
  await see(page.getByRole('alert')).toContainText('qualcun altro ha salvato');
  await see(page.getByLabel('Nome del mittente')).toHaveValue('Un altro');
  expect(server.logged).toEqual([]);
});

test('the band over a trial names what is pretended before the house has answered, moves nothing when it does, and is not there where money is real', async (office) => {
  const { ctx } = office.server.house;
  const page = await office.open('/orders', { as: await asRole(office.server, 'cassa') });
  const band = page.getByRole('complementary', { name: 'Ambiente di prova' });
  await see(band).toContainText('Stripe e seats.io sono simulati');
  const words = await band.textContent();
  const answered = Promise.withResolvers<void>();
  await page.route('**/api/admin/house', async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.reload();
  const title = page.getByRole('heading', { name: 'Ordini' });
  await see(title).toBeVisible();
  expect(await band.textContent()).toBe(words);
  const before = await title.boundingBox();
  const house = page.waitForResponse('**/api/admin/house');
  answered.resolve();
  await house;
  await see(page.getByRole('link', { name: 'Botteghino' })).toBeVisible();
  expect(await title.boundingBox()).toEqual(before);

  for (const [live, standins, words] of [
    [false, { stripe: true, seatsio: false }, 'Stripe è simulato'],
    [false, { stripe: false, seatsio: true }, 'Stripe con chiave di prova, seats.io simulato'],
    [false, { stripe: false, seatsio: false }, 'Stripe ha una chiave di prova'],
    [true, { stripe: false, seatsio: true }, null],
  ] as const) {
    Object.assign(ctx.payments, { live });
    ctx.standins = standins;
    await page.reload();
    await see(title).toBeVisible();
    if (words === null) await see(band).toHaveCount(0);
    else await see(band).toContainText(words);
  }
});
