/**
 * The office's live chart in a real browser: who sits where, by map, search, list and on paper;
 * nothing can be changed there.
 */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { admitTicket } from '#server/contract/door/admissions.ts';
import { readSeats } from '#server/contract/seats.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { callOk, demoEvent, holdObjects, makeHoldToken } from '#tests/support/make.ts';
import {
  desk,
  expectGood,
  lookAgain,
  phone,
  see,
  type Office,
  testOffice as test,
} from './office.ts';

/** Two seats of the stalls, paid by that person. */
async function sellTo({ server, admin }: Office, name: string) {
  const { order_id } = await makePaidOrder(server, { name });
  const { taken } = await callOk(server, readSeats, { params: { eventId: demoEvent } }, admin);
  const mine = taken.filter(({ occupant }) => occupant?.order_id === order_id);
  const { order_number, ticket_id } = mine[0]!.occupant!;
  return { order_id, number: order_number, ticket_id, seats: mine.map(({ place }) => place) };
}

const map = (page: Page) => page.locator('.seats-seat-map_chart canvas').first();
const panel = (page: Page) => page.getByRole('complementary', { name: 'Il posto scelto' });

/** How many points of the map have exactly this colour of the office. */
function countColor(page: Page, token: string): Promise<number> {
  return page.evaluate((name) => {
    const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const wanted = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    const canvas = document.querySelector<HTMLCanvasElement>('.seats-seat-map_chart canvas');
    if (!canvas) return 0;
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

test('a search finds the person and leaves the other seats bright, panel, map and list tell the seat, and on paper stands every row with its names', async (office) => {
  const { number, order_id, seats } = await sellTo(office, 'Nicolò D’Amico');
  const seat = spoken(seats[0]!);
  const page = await office.open(`/events/${demoEvent}/seats`);
  await see.poll(() => countColor(page, '--seat-free')).toBeGreaterThan(500);
  await page.keyboard.press('/');
  await page.keyboard.type('d amico');
  await see(page.getByText('2 posti trovati')).toBeVisible();
  await see.poll(() => countColor(page, '--seat-free')).toBeGreaterThan(500);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  for (const text of [seat, 'Nicolò D’Amico', 'Venduto', '32,00'])
    await see(panel(page)).toContainText(text);
  await see(panel(page).getByRole('link', { name: number })).toHaveAttribute(
    'href',
    `/admin/orders/${order_id}`,
  );

  // The seat that was looked for lies in the middle of the map now.
  await panel(page).getByRole('button', { name: 'Chiudi il posto' }).click();
  await see(panel(page)).not.toContainText('Nicolò');
  const box = (await map(page).boundingBox())!;
  await see
    .poll(async () => {
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      return panel(page).textContent();
    })
    .toContain(seat);
  expect(new URL(page.url()).searchParams.get('seat')).toBe(seats[0]);
  await page.getByRole('searchbox').fill('nessuno così');
  await see(page.getByText('Nessun posto trovato.')).toBeVisible();

  await page.getByRole('searchbox').fill('');
  await panel(page).getByRole('button', { name: 'Chiudi il posto' }).click();
  await page.setViewportSize(phone);
  await page.locator('summary', { hasText: /^\s*Platea/ }).focus();
  await page.keyboard.press('Enter');
  const line = page.getByRole('row').filter({ hasText: seat });
  await see(line).toContainText('Nicolò D’Amico');
  await see(line).toContainText('Venduto');
  await see(page.getByRole('row').filter({ hasText: 'Libero' })).toHaveCount(0);
  await page.keyboard.press('Tab');
  await see(page.getByRole('button', { name: seat })).toBeFocused();
  await page.keyboard.press('Enter');
  await see(page.getByRole('dialog').getByText('Nicolò D’Amico')).toBeVisible();
  await expectGood(page);
  await page.setViewportSize(desk);
  await see(panel(page).getByText('Nicolò D’Amico')).toBeVisible();
  await expectGood(page);

  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  const paper = page.locator('.kit-page-paper_paper');
  await see(paper).toContainText(`${seats[0]!.split('-')[2]} Nicolò D’Amico ${number}`);
  await see(paper.getByRole('heading', { name: 'Galleria' })).toBeVisible();
  await see(paper.getByRole('heading', { name: /^Loggione: 0 presi su 60/ })).toBeVisible();
  await see(page.locator('.seats-seat-map_chart')).toBeHidden();
  await see(page.getByRole('navigation')).toBeHidden();
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await see(paper).toHaveCount(0);
});

test('the map wears the office’s colours and follows what happens while it is open; when the seat map is silent the screen says so and shows what was sold', async (office) => {
  const { server, admin } = office;
  const page = await office.open(`/events/${demoEvent}/seats`);
  await see(map(page)).toBeVisible();
  await see.poll(() => countColor(page, '--seat-free')).toBeGreaterThan(1_000);
  expect(await countColor(page, '--seat-held')).toBe(0);
  await holdObjects(server, await makeHoldToken(server), [
    { object_id: 'Platea-H-5' },
    { object_id: 'Platea-H-6' },
  ]);
  const legend = (name: string) =>
    page.getByRole('list', { name: /^Legenda/ }).getByRole('button', { name });
  await see(legend('Nel carrello 2')).toBeVisible();
  await see.poll(() => countColor(page, '--seat-held')).toBeGreaterThan(20);

  const { ticket_id } = await sellTo(office, 'Eva Neri');
  await lookAgain(page);
  await see(legend('Venduti 2')).toBeVisible();
  await see.poll(() => countColor(page, '--seat-sold')).toBeGreaterThan(20);
  const params = { ticketId: ticket_id! };
  await callOk(server, admitTicket, { params, body: { direction: 'in' } }, admin);
  await lookAgain(page);
  await see(legend('Entrati 1')).toBeVisible();
  await see(legend('Venduti 2')).toBeVisible();
  await see.poll(() => countColor(page, '--seat-inside')).toBeGreaterThan(10);
  await see(page.getByRole('row', { name: /^Platea/ })).toContainText('64,00');

  await server.house.standins!.seatsio!.close();
  server.clock.advance(60_000);
  await page.reload();
  await see(page.getByText('La pianta dei posti non risponde')).toBeVisible();
  await see(page.getByText('La pianta dei posti non si è caricata.')).toBeVisible();
  await see(legend('Venduti 2')).toBeVisible();
});
