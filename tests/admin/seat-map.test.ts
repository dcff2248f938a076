/** The office's live chart in a real browser: who sits where, by map, search, list and on paper; nothing can be changed there. */
import type { Browser, Page } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { admitTicket } from '#server/contract/door/admissions.ts';
import { orderStatus } from '#server/contract/order/orders.ts';
import { readSeats } from '#server/contract/seats.ts';
import { auditPage } from '#tests/chart/audit.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import {
  ask,
  callOk,
  demoEvent,
  makeAdmin,
  makeHoldToken,
  makeOrder,
  holdObjects,
  sessionIn,
} from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const within = { timeout: 20_000 };
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface Sold {
  order_id: string;
  number: string;
  seats: string[];
}

/** Two seats of the stalls, paid by that person. */
async function sellTo(server: TestServer, admin: { cookie: string }, name: string): Promise<Sold> {
  const order = await makeOrder(server);
  const session = sessionIn(order.checkout_url);
  await ask(server, 'POST', `/standins/stripe/v1/payment_pages/${session}/confirm`, {
    body: {
      payment_method: 'pm_card_visa',
      expected_amount: 6400,
      email: 'a@example.it',
      custom_fields: { nome: name },
    },
  });
  server.clock.advance(3_000);
  await callOk(server, orderStatus, { params: { orderId: order.order_id } });
  const { taken } = await callOk(server, readSeats, { params: { eventId: demoEvent } }, admin);
  const mine = taken.filter((seat) => seat.occupant?.order_id === order.order_id);
  return {
    order_id: order.order_id,
    number: mine[0]!.occupant!.order_number,
    seats: mine.map((seat) => seat.place),
  };
}

async function enter(
  server: TestServer,
  person: { cookie: string },
  options: { path?: string; size?: { width: number; height: number } } = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: options.size ?? { width: 1280, height: 900 },
    locale: 'it-IT',
  });
  const [name = '', value = ''] = person.cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  const page = await context.newPage();
  await page.goto(`${server.url}/admin${options.path ?? `/events/${demoEvent}/seats`}`);
  return page;
}

const map = (page: Page) => page.locator('.seats-seat-map_chart canvas').first();
const panel = (page: Page) => page.getByRole('complementary', { name: 'Il posto scelto' });

/** How many points of the map have exactly this colour of the office. */
function countColor(page: Page, token: string): Promise<number> {
  return page.evaluate((name) => {
    const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const wanted = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    const canvas = document.querySelector<HTMLCanvasElement>('.seats-seat-map_chart canvas')!;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    let points = 0;
    for (let at = 0; at < data.length; at += 4)
      if (wanted.every((part, index) => data[at + index] === part)) points += 1;
    return points;
  }, token);
}

/** Row and number as they are said, out of `Platea-C-1`. */
function spoken(place: string): string {
  const [section, row, seat] = place.split('-');
  return `${section}, fila ${row}, posto ${seat}`;
}

test('a search finds the person, the panel tells the order, and a click on the map tells the seat', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { number, order_id, seats } = await sellTo(server, admin, 'Mirandolina Fiorentini');
  const page = await enter(server, admin);
  await see(map(page)).toBeVisible(within);
  await page.keyboard.press('/');
  await page.keyboard.type('fiorentini');
  await see(page.getByText('2 posti trovati')).toBeVisible(within);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await see(panel(page)).toContainText(spoken(seats[0]!));
  await see(panel(page)).toContainText('Mirandolina Fiorentini');
  await see(panel(page)).toContainText('Venduto');
  await see(panel(page)).toContainText('32,00');
  await see(panel(page).getByRole('link', { name: number })).toHaveAttribute(
    'href',
    `/admin/orders/${order_id}`,
  );

  // The seat that was looked for lies in the middle of the map now.
  await panel(page).getByRole('button', { name: 'Chiudi il posto' }).click();
  await see(panel(page)).not.toContainText('Mirandolina');
  const box = (await map(page).boundingBox())!;
  await see
    .poll(async () => {
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      return panel(page).textContent();
    }, within)
    .toContain(spoken(seats[0]!));
  expect(new URL(page.url()).searchParams.get('seat')).toBe(seats[0]);
  await page.getByRole('searchbox').fill('nessuno così');
  await see(page.getByText('Nessun posto trovato.')).toBeVisible();
  await page.context().close();
});

test('the map wears the office’s colours and follows what happens while it is open', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const page = await enter(server, admin);
  await see(map(page)).toBeVisible(within);
  await see.poll(() => countColor(page, '--seat-free'), within).toBeGreaterThan(1_000);
  expect(await countColor(page, '--seat-held')).toBe(0);
  await holdObjects(server, await makeHoldToken(server), [
    { object_id: 'Platea-H-5' },
    { object_id: 'Platea-H-6' },
  ]);
  const legend = page.getByRole('list', { name: /^Legenda/ });
  await see(legend.getByRole('button', { name: 'Nel carrello 2' })).toBeVisible(within);
  await see.poll(() => countColor(page, '--seat-held'), within).toBeGreaterThan(20);

  const { seats } = await sellTo(server, admin, 'Eva Neri');
  await see(legend.getByRole('button', { name: 'Venduti 2' })).toBeVisible(within);
  await see.poll(() => countColor(page, '--seat-sold'), within).toBeGreaterThan(20);
  const { taken } = await callOk(server, readSeats, { params: { eventId: demoEvent } }, admin);
  const { ticket_id } = taken.find((seat) => seat.place === seats[0])!.occupant!;
  await callOk(
    server,
    admitTicket,
    { params: { ticketId: ticket_id! }, body: { direction: 'in' } },
    admin,
  );
  await see(legend.getByRole('button', { name: 'Entrati 1' })).toBeVisible(within);
  await see(legend.getByRole('button', { name: 'Venduti 2' })).toBeVisible();
  await see.poll(() => countColor(page, '--seat-inside'), within).toBeGreaterThan(10);
  const row = page.getByRole('row', { name: /^Platea/ });
  await see(row).toContainText('64,00');
  await page.context().close();
});

for (const [where, size] of [
  ['at a desk', { width: 1280, height: 900 }],
  ['on a phone', { width: 390, height: 844 }],
] as const) {
  test(`everything stands in a list too, by keyboard alone, and both accessibility engines find nothing (${where})`, async () => {
    await using server = await startServer();
    const admin = await makeAdmin(server);
    const { seats } = await sellTo(server, admin, 'Ortensia Bianchi');
    const page = await enter(server, admin, { size });
    await see(map(page)).toBeVisible(within);
    await page.locator('summary', { hasText: /^\s*Platea/ }).focus();
    await page.keyboard.press('Enter');
    const line = page.getByRole('row').filter({ hasText: spoken(seats[0]!) });
    await see(line).toContainText('Ortensia Bianchi');
    await see(line).toContainText('Venduto');
    await see(page.getByRole('row').filter({ hasText: 'Libero' })).toHaveCount(0);
    await page.keyboard.press('Tab');
    await see(page.getByRole('button', { name: spoken(seats[0]!) })).toBeFocused();
    await page.keyboard.press('Enter');
    await see(
      (size.width < 900 ? page.getByRole('dialog') : panel(page)).getByText('Ortensia Bianchi'),
    ).toBeVisible();
    expect(await auditPage(page)).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true);
    await page.context().close();
  });
}

test('on paper stands every row with its names, and nothing of the screen', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { seats, number } = await sellTo(server, admin, 'Nicolò D’Amico');
  const page = await enter(server, admin);
  await see(map(page)).toBeVisible(within);
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  const paper = page.locator('.seats-print_paper');
  await see(paper).toContainText(`${seats[0]!.split('-')[2]} Nicolò D’Amico ${number}`);
  await see(paper.getByRole('heading', { name: 'Galleria' })).toBeVisible();
  await see(paper.getByRole('heading', { name: /^Loggione: 0 presi su 60/ })).toBeVisible();
  await see(page.locator('.seats-seat-map_chart')).toBeHidden();
  await see(page.getByRole('navigation')).toBeHidden();
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await see(paper).toHaveCount(0);
  await page.context().close();
});

test('when the seat map is silent the screen says so and shows what was sold', async () => {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  await sellTo(server, admin, 'Giulia Ferrari');
  await server.house.standins!.seatsio!.close();
  server.clock.advance(60_000);
  const page = await enter(server, admin);
  await see(page.getByText('La pianta dei posti non risponde')).toBeVisible(within);
  await see(page.getByText('La pianta dei posti non si è caricata.')).toBeVisible(within);
  await see(
    page.getByRole('list', { name: /^Legenda/ }).getByRole('button', { name: 'Venduti 2' }),
  ).toBeVisible();
  await page.context().close();
});

test('the door is told that this is not for it', async () => {
  await using server = await startServer();
  await makeAdmin(server);
  const page = await enter(server, await asRole(server, 'door'));
  await see(page.getByText('Questa pagina non è per il tuo ruolo.')).toBeVisible(within);
  await see(page.getByRole('link', { name: 'Piante' })).toHaveCount(0);
  await page.context().close();
});
