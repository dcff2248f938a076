/** Money that goes back by hand, in a real browser; and what the till gives without a shift. */
import { expect } from 'vitest';
import { moveCash } from '#server/contract/shifts.ts';
import { tillIsReady, typeSeats } from '#tests/support/browsers/till-page.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { expectGood, see, testOffice as it } from './office.ts';

const phone = { width: 390, height: 844 };
const mixed = [
  { method: 'cash' as const, amount_cents: 2_000 },
  { method: 'pos' as const, amount_cents: 4_400 },
];

it('a refund proposes the parts in which it was paid, says what is missing, and asks why a drawer gives more than it has', async (office) => {
  const { server } = office;
  await openDrawer(server, office.admin);
  const { order_id } = await sellAtCounter(server, office.admin, { payments: mixed });
  const out = { amount_cents: -10_000, reason: 'In banca' };
  await callOk(server, moveCash, { body: out }, office.admin);
  const page = await office.open(`/orders/${order_id}`, { size: phone });
  await page.getByRole('button', { name: 'Rimborsa…' }).click();
  const dialog = page.getByRole('alertdialog');
  const parts = dialog.getByRole('group', { name: 'Come tornano 64,00 €' });
  const amount = (name: string) => parts.getByRole('textbox', { name });
  await see(amount('Contanti')).toHaveValue('20,00');
  await see(amount('POS')).toHaveValue('44,00');
  await dialog.getByLabel('Perché').fill('Ha sbagliato sera');
  const pay = dialog.getByRole('button', { name: /^Rimborsa 64,00/ });
  await see(pay).toBeEnabled();
  await amount('Contanti').fill('16');
  await see(parts.getByText('Manca 4,00 €')).toBeVisible();
  await see(pay).toBeDisabled();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await see(amount('Bonifico')).toBeFocused();
  await page.keyboard.type('4');
  await see(parts.getByText('Manca')).toHaveCount(0);
  await see(pay).toBeEnabled();
  await amount('Contanti').fill('24');
  await amount('POS').fill('36');
  await see(parts.getByText(/ci sono 20,00/)).toBeVisible();
  await see(pay).toBeDisabled();
  await expectGood(page, [1280]);
  await parts.getByLabel('Perché lo stesso').fill('Dalla busta del fondo');
  await pay.click();
  await see(page.getByText('Rimborsato').first()).toBeVisible();
  const stored = await server.house.ctx.db('refund_parts').orderBy('nth');
  expect(stored.map(({ method, amount_cents }) => [method, amount_cents])).toEqual([
    ['cash', 2_400],
    ['pos', 3_600],
    ['transfer', 400],
  ]);
  expect(server.logged).toEqual([]);
}, 90_000);

it('money that should not lie in the drawer is taken out only by the office, and said twice', async (office) => {
  const { server } = office;
  await openDrawer(server, office.admin);
  const page = await office.open('/sell/shift', { size: phone });
  await page.getByRole('button', { name: 'Versa o preleva' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Importo').fill('120');
  await dialog.getByLabel('Motivo').fill('In banca');
  const note = dialog.getByRole('button', { name: 'Registra' });
  await see(note).toBeDisabled();
  await dialog.getByLabel('Preleva lo stesso').check();
  await expectGood(page, [1280]);
  await note.click();
  await see(dialog).toHaveCount(0);
  expect(await server.house.ctx.db('shift_moves').pluck('amount_cents')).toEqual([-12_000]);
}, 90_000);

it('without a shift the till gives and reserves, and says that money needs one', async (office) => {
  const { server } = office;
  const seller = await asRole(server, 'cassa');
  // The only till is taken.
  await openDrawer(server, office.admin);
  const page = await office.open('/sell', { as: seller, size: phone });
  await see(
    page.getByRole('heading', { name: 'Senza turno: omaggi e prenotazioni' }),
  ).toBeVisible();
  await expectGood(page, [1280]);
  await page.goto(page.url().replace(/\/sell.*/, `/sell/event/${demoEvent}`));
  await tillIsReady(page);
  await see(page.getByRole('button', { name: 'Contanti' })).toHaveCount(0);
  await see(page.getByRole('button', { name: 'Apri il turno' })).toBeVisible();
  await typeSeats(page, '2');
  const chosen = page.getByRole('list', { name: 'Posti scelti' });
  await see(chosen.getByRole('listitem')).toHaveCount(2);
  await page.keyboard.press('F7');
  await page.getByLabel('Motivo').fill('Stampa');
  await expectGood(page, [1280]);
  await page.keyboard.press('Enter');
  await see(page.getByText(/^Venduto/)).toBeVisible();
  await expectGood(page, [1280]);
  expect(await server.house.ctx.db('orders').pluck('shift_id')).toEqual([null]);
}, 90_000);
