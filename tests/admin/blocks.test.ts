/**
 * The office works on its seats in a real browser: chooses many, keeps them back, takes it back,
 * and leads to the till.
 */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { listBlocks } from '#server/contract/blocks.ts';
import { callOk, demoEvent, holdObjects, makeHoldToken } from '#tests/support/make.ts';
import { expectGood, goTo, see, testOffice as test } from './office.ts';

const params = { eventId: demoEvent };
const seatsPath = `/events/${demoEvent}/seats`;
const wide = { width: 1440, height: 900 };

const map = (page: Page) => page.locator('.seats-seat-map_chart canvas').first();
const panel = (page: Page) =>
  page.getByRole('complementary', { name: /^(Il posto scelto|I posti scelti)$/ });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

async function type(page: Page, seats: string): Promise<void> {
  await page.getByLabel('Scrivi i posti').fill(seats);
  await page.keyboard.press('Enter');
}

async function keepBack(page: Page, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Motivo').fill(reason);
  await dialog.getByLabel('Viola').check();
  await dialog.getByRole('button', { name: 'Blocca', exact: true }).click();
}

test('typed seats are blocked by the keyboard alone, listed, undone, blocked again and changed; Esc gives the choice up', async (office) => {
  const { server, admin } = office;
  const blocks = async () => (await callOk(server, listBlocks, { params }, admin)).items;
  const page = await office.open(seatsPath, { size: wide, colorScheme: 'dark' });
  await see(map(page)).toBeVisible();
  await type(page, 'platea H5 h6-7');
  await see(panel(page)).toContainText('3 posti scelti');
  await page.keyboard.press('Escape');
  await see(panel(page)).not.toContainText('posti scelti');
  await type(page, 'platea H5 h6-7 z99');
  await see(page.getByText('Z99 non esiste.')).toBeVisible();

  await button(page, 'Blocca 3 posti…').focus();
  await page.keyboard.press('Enter');
  await see(page.getByLabel('Motivo')).toBeFocused();
  await expectGood(page, []);
  await button(page, 'Fino a 2 ore prima').click();
  await keepBack(page, 'Sponsor');
  await see(page.getByText('3 posti bloccati.')).toBeVisible();
  await see(panel(page)).toContainText('Bloccati');
  const [made] = await blocks();
  expect(made).toMatchObject({ reason: 'Sponsor', color: 'violet' });
  expect(made!.release_at).not.toBeNull();
  await button(page, 'Annulla').click();
  await see.poll(blocks).toEqual([]);

  await button(page, 'Blocca 3 posti…').click();
  await keepBack(page, 'Stampa');
  const row = page.getByRole('row').filter({ hasText: 'Stampa' });
  await see(row).toContainText('Senza scadenza');
  await see(panel(page)).toContainText('3 posti scelti');
  await page.emulateMedia({ colorScheme: 'light' });
  await expectGood(page, [1152, 1024, 768]);
  await button(page, 'Togli il blocco Stampa').click();
  await see(page.getByText('3 posti di nuovo in vendita.')).toBeVisible();
  await button(page, 'Annulla').click();
  await see(row).toBeVisible();
  expect(await blocks()).toMatchObject([{ reason: 'Stampa', color: 'violet', release_at: null }]);
  await button(page, 'Modifica il blocco Stampa').click();
  await page.getByRole('dialog').getByLabel('Motivo').fill('Tecnici');
  await button(page, 'Salva').click();
  await see(page.getByRole('row').filter({ hasText: 'Tecnici' })).toBeVisible();
});

test('a rectangle and Shift choose many, a row and a section grow from one seat, and a seat that went meanwhile is named while the others are blocked; places of a standing area are blocked by number, and chosen seats are sold at the till', async (office) => {
  const { server } = office;
  const page = await office.open(seatsPath, { size: wide, colorScheme: 'dark' });
  await see(map(page)).toBeVisible();
  const box = (await map(page).boundingBox())!;
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.7, { steps: 8 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await see(panel(page)).toContainText(/\d{2,} posti scelti/);
  await page.keyboard.press('Escape');

  await type(page, 'platea C1');
  await see(panel(page)).toContainText('Platea, fila C, posto 1');
  await button(page, 'Tutta la fila').click();
  const chosen = Number(/(\d+) posti scelti/.exec((await panel(page).textContent())!)![1]);
  expect(chosen).toBeGreaterThan(5);
  await button(page, /^Blocca \d+ posti…/).click();
  await holdObjects(server, await makeHoldToken(server), [{ object_id: 'Platea-C-3' }]);
  await keepBack(page, 'Distanza');
  const dialog = page.getByRole('dialog');
  await see(dialog).toContainText('1 posto non è libero: Platea, fila C, posto 3.');
  await dialog.getByRole('button', { name: `Blocca gli altri ${chosen - 1}` }).click();
  await see(page.getByText(`${chosen - 1} posti bloccati.`)).toBeVisible();

  // The one in the cart is freed, after a question.
  await page.keyboard.press('Escape');
  await type(page, 'platea C3');
  await button(page, 'Libera dal carrello…').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Libera' }).click();
  await see(page.getByText('1 posto di nuovo in vendita.')).toBeVisible();

  await page.keyboard.press('Escape');
  await goTo(page, `${seatsPath}?seat=Loggione`);
  await button(page, 'Blocca alcuni posti…').click();
  await page.getByLabel('Quanti posti').fill('12');
  await keepBack(page, 'Scuola');
  await see(page.getByText('12 posti bloccati.')).toBeVisible();
  await see(panel(page)).toContainText('Scuola');
  await button(page, 'Togli il blocco Scuola').click();
  await see(page.getByText('12 posti di nuovo in vendita.')).toBeVisible();

  await type(page, 'platea H5 H6');
  await page.getByRole('link', { name: 'Vendi questi posti' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/admin/sell/event/${demoEvent}`);
  await see(page.getByText('2 biglietti')).toBeVisible();
  // Without a shift they can be given or reserved; for money it is opened, and they stay chosen.
  await button(page, 'Apri il turno').click();
  await page.getByLabel('Fondo cassa').fill('50');
  await page.keyboard.press('Enter');
  await see(page.getByText('2 biglietti')).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
});
