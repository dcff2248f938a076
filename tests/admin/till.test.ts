/** The rest of the till in a real browser: earlier buyers, tickets again, money back, a whole evening on paper; and each state looked at by two accessibility engines. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { changeTills } from '#server/contract/counter.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { enterOffice, tillIsReady, within } from '#tests/support/browsers/till-page.ts';
import { openDrawer, sellAtCounter, till, type Seller } from '#tests/support/counter.ts';
import { callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { codesIn, startTicketPrinter } from '#tests/support/ticket-printer.ts';

// Two engines look at a dozen states.
vi.setConfig({ testTimeout: 240_000 });

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function cashier(server: TestServer): Promise<Seller> {
  await makeAdmin(server);
  return asRole(server, 'cassa');
}

const tillPath = `/sell/event/${demoEvent}`;
const basket = (page: Page) =>
  page.getByRole('list', { name: 'Posti scelti' }).getByRole('listitem');

async function chooseTwo(page: Page) {
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await see(basket(page)).toHaveCount(2, within);
}

test('an earlier buyer is found by three letters and taken with Enter, and the tickets go to a mail that the cashier never read', async () => {
  await using server = await startServer();
  const seller = await cashier(server);
  await openDrawer(server, seller);
  for (const name of ['Eva Bianchi', 'Ida Bianchini'])
    await sellAtCounter(server, seller, { buyer: { name, email: `${name[0]}@example.it` } });
  const page = await enterOffice(browser, server, { path: tillPath, seller });
  await tillIsReady(page);
  await chooseTwo(page);
  await page.keyboard.press('F6');
  await page.keyboard.type('bia');
  const options = page.getByRole('option');
  await see(options).toHaveCount(2, within);
  await see(options.first()).toContainText('Ida Bianchini');
  await see(options.first()).toContainText('i•••@example.it');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await see(page.getByText('I biglietti vanno anche a e•••@example.it')).toBeVisible(within);
  await see(page.getByLabel('Posti', { exact: true })).toBeFocused();
  await page.keyboard.press('F2');
  await see(page.getByLabel('Ricevuti')).toBeFocused(within);
  await page.keyboard.press('Enter');
  await see(page.getByText(/^Venduto: /)).toBeVisible(within);
  const { db } = server.house.ctx;
  const last = await db('orders').orderBy('created_at', 'desc').first('buyer_name', 'buyer_email');
  expect(last).toEqual({ buyer_name: 'Eva Bianchi', buyer_email: 'e@example.it' });
  expect(server.logged).toEqual([]);
});

const twice = <T>(row: T) => [row, row];

test('new codes are printed at once, and a sale of the own shift is given back out of the drawer', async () => {
  await using server = await startServer();
  const seller = await cashier(server);
  await openDrawer(server, seller);
  await sellAtCounter(server, seller);
  const page = await enterOffice(browser, server, { path: '/sell/sales', seller });
  await page.getByRole('button', { name: 'Ristampa' }).click(within);
  await see(page.getByText('Mandato in stampa.')).toBeVisible(within);
  const { db } = server.house.ctx;
  const printed = () => db('tickets').orderBy('place').select('revision', 'printed_revision');
  await expect.poll(printed).toEqual(twice({ revision: 1, printed_revision: 1 }));
  await page.getByRole('button', { name: 'Emetti di nuovo…' }).click();
  await page.getByLabel('Motivo').fill('Biglietti persi');
  await page.getByRole('button', { name: 'Emetti e stampa' }).click();
  await expect.poll(printed).toEqual(twice({ revision: 2, printed_revision: 2 }));

  await page.getByRole('button', { name: 'Restituisci…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Restituire/ });
  await dialog.getByRole('checkbox').first().uncheck();
  await see(dialog.getByText('Da restituire in contanti 32,00 €')).toBeVisible();
  await dialog.getByLabel('Motivo').fill('Ha sbagliato sera');
  await dialog.getByRole('button', { name: 'Restituisci', exact: true }).click();
  await see(page.getByText('Restituiti 32,00 €')).toBeVisible(within);
  expect(await db('refunds').select('amount_cents', 'method', 'state')).toEqual([
    { amount_cents: 3_200, method: 'cash', state: 'succeeded' },
  ]);
  expect(server.logged).toEqual([]);
});

test('a whole evening is printed on the roll; what a printer without paper left out is a hole, and is printed on its own', async () => {
  await using printer = await startTicketPrinter();
  await using server = await startServer({ worker: true });
  const admin = await makeAdmin(server);
  const { host, port } = printer;
  const tills = [{ id: till, name: 'Cassa 1', layout: '80mm' as const, printer: { host, port } }];
  await callOk(server, changeTills, { body: { version: 0, gifts_per_event: 10, tills } }, admin);
  await openDrawer(server, admin);
  for (const name of ['Ada Neri', 'Eva Bianchi', 'Ugo Verdi'])
    await sellAtCounter(server, admin, { buyer: { name } });
  printer.hasPaper = false;
  const page = await enterOffice(browser, server, { path: `${tillPath}/print`, seller: admin });
  await page.getByLabel('Per cognome').check(within);
  await page.getByRole('button', { name: 'Stampa 6 biglietti' }).click();
  await see(page.getByText('La carta è finita')).toBeVisible(within);
  await page.getByRole('button', { name: 'Pausa' }).click();
  printer.hasPaper = true;
  await page.getByRole('button', { name: 'Salta questo ordine' }).click();
  await see(page.getByText('In pausa.')).toBeVisible(within);
  await see(page.getByRole('listitem').filter({ hasText: 'Eva Bianchi: Saltato.' })).toBeVisible();
  await page.getByRole('button', { name: 'Riprendi' }).click();
  await see(page.getByText('Finito, con dei buchi.')).toBeVisible(within);
  expect(printer.jobs.flatMap(codesIn)).toHaveLength(4);
  await page.getByRole('button', { name: 'Stampa solo questi' }).click();
  await see(page.getByText('Stampati tutti.')).toBeVisible(within);
  expect(new Set(printer.jobs.flatMap(codesIn)).size).toBe(6);
  await page.getByRole('button', { name: 'Fine' }).click();
  await see(page.getByText('6 di 6 biglietti sono già su carta.')).toBeVisible(within);
  expect(server.logged).toEqual([]);
});

test('a whole evening is printed by the browser, a pile at a time, and a person says what did not come out', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  await openDrawer(server, admin);
  for (const name of ['Ada Neri', 'Eva Bianchi'])
    await sellAtCounter(server, admin, { buyer: { name } });
  const page = await enterOffice(browser, server, { path: `${tillPath}/print`, seller: admin });
  await page.getByRole('button', { name: 'Stampa 4 biglietti' }).click(within);
  await page.getByRole('checkbox').first().check(within);
  await page.getByRole('button', { name: 'Gli altri sono usciti: avanti' }).click();
  await see(page.getByText('Non uscito dalla stampante.')).toBeVisible(within);
  const { db } = server.house.ctx;
  expect(await db('tickets').whereNotNull('printed_revision')).toHaveLength(2);
  await page.getByRole('button', { name: 'Stampa solo questi' }).click();
  await page.getByRole('button', { name: 'Sono usciti tutti: avanti' }).click(within);
  await see(page.getByText('Finito.')).toBeVisible(within);
  expect(await db('tickets').whereNotNull('printed_revision')).toHaveLength(4);
  await page.getByRole('button', { name: 'Fine' }).click();
  await see(page.getByText('Con questa scelta non c’è niente da stampare.')).toBeVisible(within);
});

test.each([
  { width: 1440, height: 900, colorScheme: 'light' as const },
  { width: 768, height: 1024, colorScheme: 'dark' as const },
])(
  'every state of the till is clean at $width px, $colorScheme',
  async ({ colorScheme, ...viewport }) => {
    await using server = await startServer();
    const seller = await cashier(server);
    const page = await enterOffice(browser, server, {
      path: '/sell',
      seller,
      viewport,
      colorScheme,
    });
    const look = async (state: string) => {
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([state, sideways, await auditPage(page)]).toEqual([state, Math.min(sideways, 0), []]);
    };
    await page.getByLabel('Fondo cassa').fill('100', within);
    await look('before the shift');
    await page.keyboard.press('Enter');
    await see(page.getByRole('heading', { name: 'Vendi' })).toBeVisible(within);
    await page.keyboard.press('1');
    await tillIsReady(page);
    await look('open');
    await see(page.getByRole('button', { name: 'Sconto' })).toHaveCount(0);
    await chooseTwo(page);
    await look('with seats');
    await page.keyboard.press('F2');
    await page.getByLabel('Ricevuti').fill('100', within);
    await look('paying');
    await page.keyboard.press('Enter');
    await see(page.getByText('Mandato in stampa.')).toBeVisible(within);
    await look('outcome');
    await page.goto(`${server.url}/admin/sell/sales`);
    await page.getByRole('button', { name: 'Restituisci…' }).click(within);
    await look('money back');
    await page.goto(`${server.url}/admin${tillPath}/print`);
    await page.getByLabel('Tutti').check(within);
    await page.getByRole('button', { name: 'Stampa 2 biglietti' }).click();
    await see(page.getByText('Che cosa non è uscito?')).toBeVisible(within);
    await look('a pile');
    await page.goto(`${server.url}/admin/sell/shift`);
    await page.getByRole('button', { name: 'Chiudi il turno' }).click(within);
    await page.getByLabel('100,00 €').fill('1');
    await look('closing');
    await server.house.ctx.db('events').where({ id: demoEvent }).update({ status: 'cancelled' });
    await page.goto(`${server.url}/admin${tillPath}`);
    await see(page.getByText('Questo evento è annullato.')).toBeVisible(within);
    await look('cancelled');
  },
);
