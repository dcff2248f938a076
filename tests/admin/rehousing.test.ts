/**
 * Cambio di sala in a real browser: proposed, changed by hand with mouse and keyboard, carried out
 * to the end, with the page left and found again.
 */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { admitTicket } from '#server/contract/door/admissions.ts';
import { readRehousing, rehousingHall, seatByHand } from '#server/contract/rehousings.ts';
import { callOffMs } from '#server/domain/seat/rehousing.ts';
import { wholeSight } from '#apps/admin/rehousing/hall-painter.ts';
import { floorOf, type NewHall } from '#apps/admin/rehousing/plan.ts';
import { ask, callOk, demoEvent, findSeats } from '#tests/support/make.ts';
import { makeSold, soldOf } from '#tests/support/move.ts';
import { type TestServer } from '#tests/support/server.ts';
import {
  desk,
  expectFit,
  type Office,
  expectGood,
  lookAgain,
  phone,
  see,
  testOffice as test,
} from './office.ts';

const params = { eventId: demoEvent };
const widths = [1024, phone.width];
const path = `/events/${demoEvent}/seats/rehousing`;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const groups = (page: Page) => page.getByRole('region', { name: 'Gruppi' }).getByRole('listitem');

async function sellAFew(server: TestServer) {
  const pair = await makeSold(server, { count: 2 });
  await makeSold(server, { count: 3, nth: 1, email: 'bruno@example.it' });
  await makeSold(server, { count: 1, nth: 2, email: 'carla@example.it' });
  return pair;
}

/** By keyboard: the evening goes to another building, and the office says why. */
async function sayPlace(page: Page): Promise<void> {
  await see(page.getByRole('radio', { name: /No, resta: Teatro Goldoni/ })).not.toBeChecked();
  await button(page, 'Proponi i posti').press('Enter');
  await see(page.getByText('Scegli se il luogo cambia.')).toBeVisible();
  await page.getByRole('radio', { name: /in un altro luogo/ }).press(' ');
  const place = page.getByRole('textbox', { name: 'Luogo', exact: true });
  await see(place).toHaveValue('Teatro Goldoni');
  await place.press('Enter');
  await see(page.getByText('È il luogo di adesso')).toBeVisible();
  await see(page.getByText('Scrivi perché: chi ha il biglietto')).toBeVisible();
  await place.fill('Teatro Verdi');
  await page.getByRole('textbox', { name: /^Indirizzo del luogo/ }).fill('Via Carducci 5, Pisa');
  const why = page.getByRole('textbox', { name: 'Perché' });
  await why.fill('Al Goldoni si è rotto il riscaldamento.');
  await expectFit(page, widths);
  await why.press('Enter');
}

async function propose(page: Page, server: TestServer): Promise<void> {
  await page.getByRole('link', { name: 'Cambio di sala' }).click();
  await page.getByRole('radio', { name: /Opera/ }).check();
  await button(page, 'Avanti').press('Enter');
  await sayPlace(page);
  await see(groups(page)).toHaveCount(3);
  expect(server.logged).toEqual([]);
}

/** Where the map shows a place while the whole floor is seen. */
async function pointOf(page: Page, hall: NewHall, object: string) {
  await page.locator('canvas').scrollIntoViewIfNeeded();
  const box = (await page.locator('canvas').boundingBox())!;
  const place = hall.places.find((one) => one.object === object)!;
  const sight = wholeSight(floorOf(hall, place.floor), box.width, box.height);
  return {
    x: box.x + place.x * sight.scale + sight.x,
    y: box.y + place.y * sight.scale + sight.y,
  };
}

/** Seats of the new hall that nobody has, with nobody beside them. */
async function freeOnes(server: TestServer, admin: { cookie: string }) {
  const hall = await callOk(server, rehousingHall, { params }, admin);
  const { rehousing } = await callOk(server, readRehousing, { params }, admin);
  const groups = rehousing!.groups;
  const taken = new Set(groups.flatMap(({ lines }) => lines.map((line) => line.to_object)));
  const rows = Map.groupBy(hall.places, ({ floor, section, row }) => `${floor} ${section} ${row}`);
  const empty = [...rows.values()].filter(
    (row) => row.length > 5 && row.every(({ object, sold }) => sold && !taken.has(object)),
  );
  return { hall, groups, free: empty.map((row) => row[0]!.object) };
}

/** What the buyer reads: the order asks, and the evening is in the other building. */
async function asBuyer({ server, visit }: Office, order_id: string): Promise<void> {
  const { link_key } = await server.house.ctx
    .db('orders')
    .where({ id: order_id })
    .first('link_key');
  const page = await visit(`/orders/${link_key}#rinvio`);
  const question = page.getByRole('region', { name: 'Spettacolo spostato' });
  await see(question).toContainText('ora è in Teatro Verdi, Via Carducci 5, Pisa');
  await see(question).toContainText('Lavori al Goldoni.');
  await see(button(page, 'Chiedi il rimborso')).toBeVisible();
  await expectFit(page, [1280, phone.width]);
  await page.goto(`${server.url}/event/${demoEvent}`);
  await see(page.getByText('Teatro Verdi').first()).toBeVisible();
  await page.close();
}

test('an evening moves to another hall: a group by mouse, one by keyboard, solved, started, left, found again and done', async (office) => {
  const { server, admin } = office;
  const pair = await sellAFew(server);
  const kept = await findSeats(server, { count: 1, nth: 5 });
  const block = { objects: kept, reason: 'Ospiti', color: 'grey', release_at: null };
  await ask(server, 'POST', `/api/admin/events/${demoEvent}/blocks`, {
    headers: admin,
    body: block,
  });
  const page = await office.open(`/events/${demoEvent}/seats`);
  await propose(page, server);
  await expectFit(page, widths);

  // By keyboard: the search, the arrows, Enter, typed seats.
  const search = page.getByLabel('Cerca per nome o numero d’ordine');
  await search.focus();
  await search.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'Il gruppo scelto' });
  const line = panel.getByRole('textbox');
  await see(line).toBeFocused();
  await line.fill('Platea ZZ99');
  await line.press('Enter');
  await see(page.getByText('ZZ99 non esiste.')).toBeVisible();
  await page.keyboard.press('Escape');
  await see(panel).toHaveCount(0);

  // By mouse: a group, then as many free places of the map.
  await button(page, 'Per posto nuovo').click();
  await groups(page).filter({ hasText: '1 posto' }).getByRole('button').click();
  const { hall, groups: all, free } = await freeOnes(server, admin);
  const pressed = await pointOf(page, hall, free[0]!);
  await page.mouse.click(pressed.x, pressed.y);
  await button(page, 'Metti qui 1 posto').click();
  await see(page.getByText('Posti cambiati e bloccati.')).toBeVisible();
  await button(page, 'Bloccati 1').click();
  await see(groups(page)).toHaveCount(1);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectGood(page, widths);
  await button(page, 'Annulla l’ultima modifica').click();
  await see(page.getByText('Modifica annullata.')).toBeVisible();
  await button(page, 'Tutti 3').click();
  // Carried: the group follows the pointer, and the others stay where they are.
  const single = all.find(({ lines }) => lines.length === 1)!.lines[0]!.to_object!;
  const from = await pointOf(page, hall, single);
  const to = await pointOf(page, hall, free[1]!);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
  await see(page.getByText('Posti cambiati e bloccati.')).toBeVisible();
  expect((await freeOnes(server, admin)).free).not.toContain(free[1]);
  await page.mouse.wheel(0, -300);
  await button(page, 'Tutta').click();
  await button(page, 'Sblocca').click();
  await see(page.getByText('Posti sbloccati.')).toBeVisible();
  await button(page, 'Blocca qui').click();
  await see(button(page, 'Sblocca')).toBeVisible();
  await button(page, 'Risolvi di nuovo il resto').click();
  await see(page.getByText('Il resto è stato risolto.')).toBeVisible();
  await see(button(page, 'Bloccati 1')).toBeVisible();

  await page.getByText('3 e-mail da mandare').click();
  await see(page.getByText('All’ingresso vale solo il biglietto nuovo')).toBeVisible();
  await see(page.locator('pre')).toContainText('Al Goldoni si è rotto il riscaldamento.');
  await button(page, 'Cambia luogo o motivo…').press('Enter');
  await see(page.getByRole('radio', { name: /in un altro luogo/ })).toBeChecked();
  await page.getByRole('textbox', { name: 'Perché' }).fill('Lavori al Goldoni.');
  await page.keyboard.press('Enter');
  await see(page.locator('pre')).toContainText('Motivo: Lavori al Goldoni.');
  await see(page.getByText('1 posto è bloccato')).toBeVisible();
  await button(page, 'Avvia il cambio di sala…').click();
  const dialog = page.getByRole('alertdialog');
  await see(dialog).toContainText('6 biglietti cambiano posto');
  await see(dialog).toContainText('Il luogo diventa Teatro Verdi, Via Carducci 5, Pisa');
  await expectFit(page, widths);
  await dialog.getByRole('button', { name: 'Avvia il cambio' }).click();
  await see(button(page, 'Annulla il cambio…')).toBeVisible();
  const visitor = await office.visit(`/event/${demoEvent}`);
  await see(visitor.getByText('Vendita sospesa')).toBeVisible();
  await see(visitor.getByText('Riprova tra un po')).toBeVisible();
  await visitor.close();
  await server.runDue();
  await lookAgain(page);
  await see(page.getByText('Si può annullare ancora per')).toBeVisible();
  await see(page.getByText('Categorie della nuova sala')).toHaveCount(0);
  await expectFit(page, widths);

  await page.goto('about:blank');
  server.clock.advance(callOffMs + 1_000);
  for (let at = 0; at < 3; at += 1) await server.runDue();
  await page.goto(`${server.url}/admin${path}`);
  await see(page.getByText('Cambio di sala fatto')).toBeVisible();
  await see(page.getByText('Il luogo è cambiato')).toBeVisible();
  await page.getByText('Chi si è spostato').click();
  await see(page.getByText('3 di 3')).toBeVisible();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(phone);
  await expectGood(page, [1280, 1024]);
  await page.setViewportSize(desk);
  await button(page, 'Riprendi la vendita…').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Riprendi la vendita' }).click();
  await see(page.getByText('La vendita è ancora sospesa.')).toHaveCount(0);
  await asBuyer(office, pair.order_id);
  const now = await soldOf(server, pair.order_id);
  expect(now.codes).not.toEqual(pair.codes);
  const { verdict } = await callOk(
    server,
    admitTicket,
    { params: { ticketId: pair.codes[0]! }, body: {} },
    admin,
  );
  // Its seat has the same name in both halls, so the old paper says what is true.
  expect(verdict).toBe('admit');
}, 120_000);

test('who has no place is marked by keyboard, the office puts time before price, and the run refunds', async (office) => {
  const { server, admin } = office;
  await sellAFew(server);
  const page = await office.open(`/events/${demoEvent}/seats`);
  await propose(page, server);
  const { rehousing } = await callOk(server, readRehousing, { params }, admin);
  const three = rehousing!.groups.find(({ lines }) => lines.length === 3)!;
  const lines = three.lines.map(({ line_id }) => ({ line_id, object: null }));
  const body = { version: rehousing!.version, locked: false, lines };
  await callOk(server, seatByHand, { params, body }, admin);
  await lookAgain(page);
  const left = page.getByRole('region', { name: 'Chi resta senza posto' });
  await see(left).toContainText('3 biglietti');
  await see(button(page, 'Avvia il cambio di sala…')).toBeDisabled();
  await left.getByRole('button', { name: 'Segna per il rimborso', exact: true }).press('Enter');
  await see(page.getByText('Segnati per il rimborso.')).toBeVisible();
  await button(page, 'Prima chi ha comprato prima').press('Enter');
  await see(page.getByText('Il resto è stato risolto.')).toBeVisible();
  await see(left).toContainText('Si rimborsa con il cambio.');
  // The first question tells its cost before anything is proposed anew.
  const categories = page.getByRole('region', { name: /Come si vendono le categorie/ });
  const first = categories.getByRole('combobox').first();
  await first.selectOption({ index: (await first.locator('option').count()) - 1 });
  await see(categories.getByRole('status')).toContainText('Con questa scelta');
  await expectGood(page, widths);
  await button(page, 'Avvia il cambio di sala…').press('Enter');
  const dialog = page.getByRole('alertdialog');
  await see(dialog).toContainText('3 biglietti non hanno posto e finiscono: tornano indietro');
  await dialog.getByRole('button', { name: 'Avvia il cambio' }).press('Enter');
  await see(button(page, 'Annulla il cambio…')).toBeVisible();
  await server.runDue();
  server.clock.advance(callOffMs + 1_000);
  for (let at = 0; at < 3; at += 1) await server.runDue();
  await lookAgain(page);
  await see(page.getByText('Rimborsati perché senza posto')).toBeVisible();
  await page.getByText('Chi è rimasto senza posto').press('Enter');
  await see(page.getByRole('link', { name: three.number }).first()).toBeVisible();
  await expectFit(page, widths);
}, 120_000);
