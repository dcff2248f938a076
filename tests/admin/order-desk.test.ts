/** The office corrects an order in a real browser: buyer, notes, names, added seats; what a till sees; and what a paper says after the end. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openDrawer } from '#tests/support/counter.ts';
import { openDesk, phone, within } from '#tests/support/door/desk.ts';
import { demoEvent, makeAdmin, makeOrder } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer } from '#tests/support/server.ts';
import { refundTickets, sellTo } from '#tests/support/till.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const sizes = [
  { width: 1440, height: 900 },
  { width: 1152, height: 800 },
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
  phone,
];

/** A person who wants to look at the screens names a folder for them. */
async function picture(page: Page, name: string) {
  const folder = process.env['PICTURES'];
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

test('the buyer is corrected with a sentence per field, and a new address is offered the tickets', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const order = await sellTo(server, { name: 'Mirandolina Fiorentini', email: 'm@exmaple.it' });
  const page = await openDesk(browser, server, admin, { path: `/orders/${order.order_id}` });
  await page.getByRole('button', { name: 'Correggi…' }).click(within);
  const dialog = page.getByRole('alertdialog', { name: 'Correggi l’acquirente' });
  await see(dialog.getByRole('button', { name: 'Salva' })).toBeDisabled();
  await dialog.getByLabel('E-mail').fill('m@example');
  await dialog.getByLabel('Referente').fill('Nino, 333 4445556');
  await dialog.getByRole('button', { name: 'Salva' }).click();
  await see(dialog.getByText('Scrivi un indirizzo e-mail intero')).toBeVisible(within);
  await picture(page, 'buyer');
  await dialog.getByLabel('E-mail').fill('m@example.it');
  await dialog.getByRole('button', { name: 'Salva' }).click();
  const resend = page.getByRole('alertdialog', { name: 'Rimanda i biglietti' });
  await resend.getByRole('button', { name: 'Manda a m@example.it' }).click(within);
  await see(page.getByText('Nino, 333 4445556').first()).toBeVisible(within);
  await see(
    page.getByText(
      'e-mail «m@exmaple.it» → «m@example.it», referente nessuno → «Nino, 333 4445556»',
    ),
  ).toBeVisible(within);
  await page.context().close();
});

test('a note is written and pinned, stands in the head and in the list, and is deleted after a question', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const order = await makeOrder(server);
  const page = await openDesk(browser, server, admin, { path: `/orders/${order.order_id}` });
  await page.getByLabel('Nuova nota').fill('Arriva con la carrozzina\ningresso laterale', within);
  await page.getByRole('checkbox', { name: 'In evidenza' }).check();
  await page.getByRole('button', { name: 'Scrivi la nota' }).click();
  await see(page.getByText('Arriva con la carrozzina')).toHaveCount(2, within);
  await picture(page, 'note');
  await page.getByRole('link', { name: 'Ordini', exact: true }).first().click();
  await see(page.getByRole('img', { name: /^Nota: Arriva con la carrozzina/ })).toBeVisible(within);
  await picture(page, 'list');
  await page.goBack();
  await page.getByRole('button', { name: 'Cancella…' }).click(within);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancella la nota' }).click();
  await see(page.getByText('Arriva con la carrozzina')).toHaveCount(0, within);
  await page.context().close();
});

test('missing names stand in the head; a pasted list fills them all', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  await setPolicy(server, { nominative: 1 }, demoEvent);
  const order = await sellTo(server);
  const page = await openDesk(browser, server, admin, { path: `/orders/${order.order_id}` });
  await see(page.getByText('Mancano i nomi su 2 biglietti.')).toBeVisible(within);
  await page.getByRole('button', { name: 'Scrivi i nomi…' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Nomi sui biglietti' });
  await dialog.getByLabel('Incolla un elenco').fill('1. Anna\tD’Amico\n2) Bruno');
  await dialog.getByRole('button', { name: 'Metti i nomi nei campi' }).click();
  await see(dialog.getByText('2 nomi letti.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Salva 2 nomi' }).click();
  await see(dialog.getByText('Scrivi nome e cognome, come sul documento.')).toHaveCount(1, within);
  await picture(page, 'names');
  await dialog
    .getByLabel(/, posto /)
    .nth(1)
    .fill('Bruno De Verdi');
  await dialog.getByRole('button', { name: 'Salva 2 nomi' }).click();
  await see(page.getByText('Mancano i nomi')).toHaveCount(0, within);
  await see(page.getByText('Bruno De Verdi')).toBeVisible(within);
  await page.context().close();
});

test('a confirmation asks for name and address and offers the paper at once', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  await openDrawer(server, admin);
  const order = await makeOrder(server);
  const page = await openDesk(browser, server, admin, { path: `/orders/${order.order_id}` });
  await page.getByRole('button', { name: 'Conferma senza pagamento online…' }).click(within);
  const dialog = page.getByRole('alertdialog', { name: 'Conferma senza pagamento online' });
  await dialog.getByLabel('Perché').fill('Pagato alla cassa');
  await dialog.getByLabel('Nome (facoltativo)').fill('Ada Neri');
  await dialog.getByLabel('E-mail (facoltativa)').fill('ada@example.it');
  await dialog.getByRole('button', { name: /^Conferma: / }).click();
  const done = page.getByRole('dialog', { name: 'Ordine confermato' });
  await see(done.getByRole('link', { name: 'Biglietti in PDF' })).toBeVisible(within);
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes');
  });
  await done.getByRole('button', { name: /^Stampa a «/ }).click(within);
  await see(page.locator('body[data-printed="yes"]')).toHaveCount(1, within);
  await picture(page, 'confirmed');
  await done.getByRole('button', { name: 'Chiudi', exact: true }).click();
  await see(page.getByRole('link', { name: 'ada@example.it' })).toBeVisible(within);
  await page.context().close();
});

test('seats are added at the till; both orders name each other, and the next sale is a sale of its own', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  await openDrawer(server, admin);
  const order = await sellTo(server, { name: 'Mirandolina Fiorentini' });
  const page = await openDesk(browser, server, admin, { path: `/orders/${order.order_id}` });
  await page.getByRole('link', { name: 'Aggiungi posti' }).click(within);
  const banner = page.getByText(/Posti in più per l’ordine/);
  await see(banner).toContainText('Mirandolina Fiorentini', within);
  const line = page.getByRole('textbox', { name: /^Posti/ });
  await see(line).toBeEditable(within);
  await line.fill('2');
  await line.press('Enter');
  await see(page.getByText('2 biglietti', { exact: true })).toBeVisible(within);
  await picture(page, 'till');
  await page.evaluate(() => {
    window.print = () => {};
  });
  await page.keyboard.press('F4');
  await page.getByRole('dialog').getByRole('button', { name: /64,00/ }).click(within);
  const sold = page.getByRole('region', { name: 'Ultima vendita' });
  await see(sold).toContainText('Venduto', within);
  await see(banner).toHaveCount(0, within);
  await sold.getByRole('link').first().click();
  await see(page.getByText('Fa parte dell’ordine')).toBeVisible(within);
  await picture(page, 'part');
  const [first] = await server.house.ctx.db('orders').where({ id: order.order_id });
  await page.getByRole('link', { name: first.number }).first().click();
  await see(page.getByText('Posti aggiunti a questo ordine')).toBeVisible(within);
  await page.context().close();
});

test('a voided order says so in its head, at every width, in both themes, and nothing is wider than the screen', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const order = await sellTo(server, { name: 'Mirandolina Fiorentini' });
  await refundTickets(server, admin, order);
  await server.runDue();
  const page = await openDesk(browser, server, admin, { path: `/orders/${order.order_id}` });
  await see(page.getByText(/^Tutti i biglietti (rimborsati|annullati) il /)).toBeVisible(within);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const size of sizes) {
      await page.setViewportSize(size);
      expect([colorScheme, size.width, await auditPage(page)]).toEqual([
        colorScheme,
        size.width,
        [],
      ]);
      const fits = await page.evaluate(
        () => document.documentElement.scrollWidth <= window.innerWidth,
      );
      expect([size.width, fits]).toEqual([size.width, true]);
      await picture(page, `order-${colorScheme}-${size.width}`);
    }
  }
  await page.context().close();
}, 90_000);

test('a till finds the orders of today’s events, and no way to what is the office’s', async () => {
  await using server = await startServer();
  await makeAdmin(server);
  const order = await sellTo(server, { name: 'Mirandolina Fiorentini' });
  const cassa = await asRole(server, 'cassa');
  const page = await openDesk(browser, server, cassa, { path: '/orders' });
  await see(page.getByText('Mirandolina Fiorentini')).toBeVisible(within);
  await see(page.getByRole('link', { name: /^CSV/ })).toHaveCount(0);
  await page.goto(`${server.url}/admin/orders/${order.order_id}`);
  await see(page.getByRole('button', { name: 'Stampa i biglietti…' })).toBeVisible(within);
  await picture(page, 'cassa');
  for (const name of ['Correggi…', 'Rimborsa…', 'Rimanda i biglietti…', 'Scrivi la nota'])
    expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0]);
  await see(page.getByRole('link', { name: 'Vedi i posti sulla pianta' })).toHaveCount(0);
  await server.house.ctx.db('events').update({ starts_at: 1, ends_at: 2 });
  await page.reload();
  await see(page.getByText('Ordine non trovato.')).toBeVisible(within);
  await page.context().close();
});
