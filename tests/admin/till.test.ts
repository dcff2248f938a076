/**
 * The rest of the till in a real browser: a whole shift from the float to the count, earlier
 * buyers, a whole evening on paper.
 */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { changeTills } from '#server/contract/counter.ts';
import { tillIsReady, typeSeats } from '#tests/support/browsers/till-page.ts';
import { openDrawer, sellAtCounter, till } from '#tests/support/counter.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { codesIn, startTicketPrinter } from '#tests/support/ticket-printer.ts';
import { expectGood, goTo, see, startOffice, testOffice as it } from './office.ts';

const tillPath = `/sell/event/${demoEvent}`;
const tablet = { width: 768, height: 1024 };

async function chooseTwo(page: Page) {
  await typeSeats(page, '2');
  await see(page.getByRole('list', { name: 'Posti scelti' }).getByRole('listitem')).toHaveCount(2);
}

const twice = <T>(row: T) => [row, row];

it('a whole shift: the float, a sale whose paper shows only the tickets, a reprint, new codes, money back, the count; the drawer of whoever has gone home is counted in the office', async (office) => {
  const { server } = office;
  const { db } = server.house.ctx;
  const seller = await asRole(server, 'cassa');
  const page = await office.open('/sell', { as: seller, size: tablet, colorScheme: 'dark' });
  const look = () => expectGood(page, [1440]);
  await page.getByLabel('Fondo cassa').fill('100');
  await look();
  await page.keyboard.press('Enter');
  await see(page.getByRole('heading', { name: 'Vendi' })).toBeVisible();
  await look();
  await page.keyboard.press('1');
  await tillIsReady(page);
  await see(page.getByRole('button', { name: 'Sconto' })).toHaveCount(0);
  await chooseTwo(page);
  await look();
  await page.keyboard.press('F2');
  await page.getByLabel('Ricevuti').fill('100');
  await look();
  await page.keyboard.press('Enter');
  await see(page.getByText('Mandato in stampa.')).toBeVisible();
  await look();
  await page.emulateMedia({ media: 'print' });
  await see(page.locator('article')).toHaveCount(2);
  await see(page.locator('article').first()).toBeVisible();
  await see(page.getByLabel('Posti', { exact: true })).toBeHidden();
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });

  await goTo(page, '/sell/sales');
  const printed = () => db('tickets').orderBy('place').select('revision', 'printed_revision');
  await page.getByRole('button', { name: 'Ristampa' }).click();
  await see(page.getByText('Mandato in stampa.')).toBeVisible();
  await expect.poll(printed).toEqual(twice({ revision: 1, printed_revision: 1 }));
  await page.getByRole('button', { name: 'Emetti di nuovo…' }).click();
  const choosing = page.getByRole('dialog', { name: 'Quali biglietti emettere di nuovo?' });
  await choosing.getByRole('checkbox').nth(1).uncheck();
  await look();
  await choosing.getByLabel('Motivo').fill('Biglietto perso');
  await choosing.getByRole('button', { name: 'Emetti 1 biglietto e stampa' }).click();
  await expect.poll(printed).toContainEqual({ revision: 2, printed_revision: 2 });
  expect(await printed()).toContainEqual({ revision: 1, printed_revision: 1 });
  await page.getByRole('button', { name: 'Restituisci…' }).click();
  const giving = page.getByRole('dialog', { name: /^Restituire/ });
  await giving.getByRole('checkbox').first().uncheck();
  await see(giving.getByText('Da restituire 32,00 €')).toBeVisible();
  await look();
  await giving.getByLabel('Motivo').fill('Ha sbagliato sera');
  await giving.getByRole('button', { name: 'Restituisci', exact: true }).click();
  await see(page.getByText('Restituiti 32,00 €')).toBeVisible();
  expect(await db('refunds').select('amount_cents', 'method', 'state')).toEqual([
    { amount_cents: 3_200, method: 'cash', state: 'succeeded' },
  ]);

  await page.getByRole('link', { name: 'Vendi' }).first().click();
  await page.getByRole('link', { name: 'Cassa 1: turno aperto' }).click();
  const close = page.getByRole('button', { name: 'Chiudi il turno' });
  const counting = page.getByRole('dialog');
  await see(page.getByText('Contante atteso')).toHaveCount(0);
  await close.click();
  await page.getByLabel('100,00 €').fill('1');
  await look();
  await counting.getByRole('button', { name: 'Ho contato' }).click();
  await see(counting).toContainText('Differenza-32,00');
  await page.getByLabel('Perché non torna').fill('Prova');
  await counting.getByRole('button', { name: 'Chiudi il turno' }).click();
  await see(page.getByText('Differenza: Prova')).toBeVisible();
  expect((await db('shifts').first('closed_at')).closed_at).not.toBeNull();
  await page.close();

  const { shift_id } = await openDrawer(server, seller);
  const desk = await office.open(`/sell/shifts/${shift_id}`);
  const closeIt = desk.getByRole('button', { name: 'Chiudi il turno' });
  await closeIt.click();
  await desk.getByLabel('100,00 €').fill('1');
  await desk.getByRole('button', { name: 'Ho contato' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Chiudi il turno' }).click();
  await see(desk.getByRole('link', { name: 'Chiusura in PDF' })).toBeVisible();
  await see(closeIt).toHaveCount(0);
  expect(server.logged).toEqual([]);
}, 90_000);

it('a whole evening is printed by the browser, a pile at a time, and a person says what did not come out; an earlier buyer is found by three letters, and the tickets go to a mail that the cashier never read', async (office) => {
  const { server } = office;
  const { db } = server.house.ctx;
  const seller = await asRole(server, 'cassa');
  await openDrawer(server, seller);
  for (const name of ['Eva Bianchi', 'Ida Bianchini'])
    await sellAtCounter(server, seller, { buyer: { name, email: `${name[0]}@example.it` } });
  const page = await office.open(`${tillPath}/print`, { as: seller });
  await page.getByRole('button', { name: 'Stampa 4 biglietti' }).click();
  await page.getByRole('checkbox').first().check();
  await expectGood(page, [768]);
  await page.getByRole('button', { name: 'Gli altri sono usciti: avanti' }).click();
  await see(page.getByText('Non uscito dalla stampante.')).toBeVisible();
  expect(await db('tickets').whereNotNull('printed_revision')).toHaveLength(2);
  await page.getByRole('button', { name: 'Stampa solo questi' }).click();
  await page.getByRole('button', { name: 'Sono usciti tutti: avanti' }).click();
  await see(page.getByText('Finito.')).toBeVisible();
  expect(await db('tickets').whereNotNull('printed_revision')).toHaveLength(4);
  await page.getByRole('button', { name: 'Fine' }).click();
  await see(page.getByText('Con questa scelta non c’è niente da stampare.')).toBeVisible();

  await page.goto(`${server.url}/admin${tillPath}`);
  await tillIsReady(page);
  await chooseTwo(page);
  await page.keyboard.press('F6');
  await see(page.getByLabel('Nome e cognome')).toBeFocused();
  await page.keyboard.type('bia');
  const options = page.getByRole('option');
  await see(options).toHaveCount(2);
  await see(options.first()).toContainText('Ida Bianchini');
  await see(options.first()).toContainText('I•••@example.it');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await see(page.getByText('I biglietti vanno anche a e•••@example.it')).toBeVisible();
  await see(page.getByLabel('Posti', { exact: true })).toBeFocused();
  await page.keyboard.press('F2');
  await see(page.getByLabel('Ricevuti')).toBeFocused();
  await page.keyboard.press('Enter');
  await see(page.getByText(/^Venduto: /)).toBeVisible();
  const last = await db('orders').orderBy('created_at', 'desc').first('buyer_name', 'buyer_email');
  expect(last).toEqual({ buyer_name: 'Eva Bianchi', buyer_email: 'E@example.it' });

  await db('events').where({ id: demoEvent }).update({ status: 'cancelled' });
  await page.reload();
  await see(page.getByText('Questo evento è annullato.')).toBeVisible();
  expect(server.logged).toEqual([]);
}, 90_000);

test('a whole evening is printed on the roll; what a printer without paper left out is a hole, and is printed on its own', async () => {
  await using printer = await startTicketPrinter();
  await using office = await startOffice({ worker: true });
  const { server, admin } = office;
  const { host, port } = printer;
  const tills = [{ id: till, name: 'Cassa 1', layout: '80mm' as const, printer: { host, port } }];
  await callOk(server, changeTills, { body: { version: 0, gifts_per_event: 10, tills } }, admin);
  await openDrawer(server, admin);
  for (const name of ['Ada Neri', 'Eva Bianchi', 'Ugo Verdi'])
    await sellAtCounter(server, admin, { buyer: { name } });
  printer.hasPaper = false;
  const page = await office.open(`${tillPath}/print`);
  await page.getByLabel('Per cognome').check();
  await page.getByRole('button', { name: 'Stampa 6 biglietti' }).click();
  await see(page.getByText('La carta è finita')).toBeVisible();
  await page.getByRole('button', { name: 'Pausa' }).click();
  printer.hasPaper = true;
  await page.getByRole('button', { name: 'Salta questo ordine' }).click();
  await see(page.getByText('In pausa.')).toBeVisible();
  await see(page.getByRole('listitem').filter({ hasText: 'Eva Bianchi: Saltato.' })).toBeVisible();
  await page.getByRole('button', { name: 'Riprendi' }).click();
  await see(page.getByText('Finito, con dei buchi.')).toBeVisible();
  expect(printer.jobs.flatMap(codesIn)).toHaveLength(4);
  await page.getByRole('button', { name: 'Stampa solo questi' }).click();
  await see(page.getByText('Stampati tutti.')).toBeVisible();
  expect(new Set(printer.jobs.flatMap(codesIn)).size).toBe(6);
  await page.getByRole('button', { name: 'Fine' }).click();
  await see(page.getByText('6 di 6 biglietti sono già su carta.')).toBeVisible();
  expect(server.logged).toEqual([]);
});
