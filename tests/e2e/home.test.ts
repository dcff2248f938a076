/** The home page: what a visitor learns of each event before opening it, and past ones folded away. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { nextYear, weekdayOf } from '#tests/support/calendar.ts';
import { demoEvent, makeOrder } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { screens, visit } from '#tests/support/visit.ts';

const within = { timeout: 20_000 };
const hour = 3_600_000;
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** More evenings of the same house. */
async function addEvent(server: TestServer, id: string, changes: object): Promise<void> {
  const { db } = server.house.ctx;
  const row = await db('events').where({ id: demoEvent }).first();
  await db('events').insert({
    ...row,
    id,
    show_id: null,
    seatsio_event_key: id,
    code_tag: id.slice(0, 4).toUpperCase(),
    ...changes,
  });
}

/** All places but so many are in somebody's order. */
async function keepPlaces(server: TestServer, keep: number): Promise<void> {
  const { db } = server.house.ctx;
  const { order_id } = await makeOrder(server);
  const lines = await db('order_lines').where({ order_id });
  const taken = lines.map(({ place }: { place: string }) => place);
  const others: string[] = await db('places')
    .where({ event_id: demoEvent })
    .whereNotIn('place', taken)
    .orderBy('place')
    .pluck('place');
  await db.batchInsert(
    'order_lines',
    others
      .slice(keep)
      .map((place, index) => ({ ...lines[0], id: `line-${index}`, place, position: index + 3 })),
    30,
  );
  server.clock.advance(2_000);
}

for (const viewport of screens) {
  test(`each card says what, when, where, from how much, and what stands in the way of buying (${viewport.width} px)`, async () => {
    await using server = await startServer();
    const may = (day: string) => `${nextYear}-05-${day}`;
    const start = Date.parse(`${may('08')}T19:00:00.000Z`);
    await setPolicy(server, { starts_at: start }, demoEvent);
    await keepPlaces(server, 7);
    await addEvent(server, 'presto', {
      title: 'Così fan tutte, ossia La scuola degli amanti: opera buffa in due atti',
      starts_at: start + 24 * hour,
      sales_opens_at: Date.parse(`${nextYear}-02-25T09:00:00.000Z`),
      venue_title: 'Auditorium Parco della Musica Ennio Morricone – Sala Santa Cecilia',
      event_ball_image: null,
    });
    await addEvent(server, 'annullata', {
      title: 'Aspettando Godot',
      starts_at: start + 48 * hour,
      status: 'cancelled',
      cancelled_at: server.clock.now(),
    });
    await addEvent(server, 'bozza', { title: 'Non ancora deciso', status: 'draft' });
    await addEvent(server, 'passata', {
      title: 'Sei personaggi in cerca d’autore',
      starts_at: server.clock.now() - 240 * hour,
    });
    await using visitor = await visit(browser, server.url, { viewport });
    const { page } = visitor;
    await page.goto('/');
    const cards = page.getByRole('main').getByRole('list').first().getByRole('listitem');
    // In the order of the evenings: the concert of the demonstration is this winter.
    await see(cards.getByRole('heading', { level: 3 })).toHaveText([
      'Concerto di Natale',
      'La locandiera',
      /^Così fan tutte/,
      'Aspettando Godot',
    ]);
    const card = (name: RegExp) =>
      page.getByRole('link').filter({ has: page.getByRole('heading', { name }) });
    for (const words of [
      `${weekdayOf(may('08')).slice(0, 3)} 8 mag · 21:00`,
      'Teatro Goldoni',
      /da 12,00\s€/,
      'Ultimi 7 posti',
      'Scegli i posti',
    ])
      await see(card(/La locandiera/)).toContainText(words);
    for (const words of [
      `${weekdayOf(may('09')).slice(0, 3)} 9 mag · 21:00`,
      'Sala Santa Cecilia',
      /da 12,00\s€/,
      'Vendita dal 25 febbraio alle 10:00',
    ])
      await see(card(/Così fan tutte/)).toContainText(words);
    // Only a sale that will open has something to be told of.
    await see(cards.getByRole('link', { name: /^Avvisami/ })).toHaveAccessibleName(
      /^Avvisami quando apre la vendita di Così fan tutte/,
    );
    await see(card(/Aspettando Godot/)).toContainText('Evento annullato');
    await see(card(/Aspettando Godot/)).not.toContainText('€');
    await see(card(/Concerto di Natale/)).not.toContainText('Ultimi');
    await see(page.getByText('Non ancora deciso')).toHaveCount(0);
    // Long names and badges stay inside their card, whatever the number of columns.
    const stickOut = await cards.evaluateAll((items) =>
      items.flatMap((item) => {
        const frame = item.querySelector('.home-home_text')!.getBoundingClientRect();
        return [...item.querySelectorAll('.home-home_text *')]
          .filter(
            (part) =>
              part.getBoundingClientRect().right > frame.right - 16 ||
              part.getBoundingClientRect().left < frame.left + 16,
          )
          .map((part) => part.className);
      }),
    );
    expect(stickOut).toEqual([]);

    const past = page.getByRole('link', { name: /Sei personaggi/ });
    await see(past).toBeHidden();
    await page.getByText('1 spettacolo passato').click();
    await see(past).toBeVisible();
    await see(past).toContainText('Vendita chiusa');
    // Whoever comes too late hears when it was, and where to go on.
    await past.click();
    const notice = page.getByRole('main').locator('.event-sale-notice_notice');
    await see(notice.getByRole('heading')).toHaveText('Spettacolo concluso', within);
    await see(notice).toContainText(
      /Si è svolto \S+ \d+ \S+ \d{4}, ore \d\d:\d\d\. Per questo spettacolo non si vendono più biglietti online\./,
    );
    await notice.getByRole('link', { name: 'Guarda gli spettacoli in programma' }).click();
    await see(page.getByRole('heading', { name: 'In programma' })).toBeVisible(within);
    await card(/La locandiera/).click();
    await see(page.getByRole('heading', { level: 1, name: 'La locandiera' })).toBeVisible(within);
    await see(page.getByText('Ultimi 7 posti')).toBeVisible();
    expect(visitor.troubles).toEqual([]);
  });

  test(`a house without events says so (${viewport.width} px)`, async () => {
    await using server = await startServer();
    await server.house.ctx.db('events').update({ status: 'draft' });
    await using visitor = await visit(browser, server.url, { viewport });
    await visitor.page.goto('/');
    await see(visitor.page.getByText('Nessuno spettacolo in programma, per ora.')).toBeInViewport();
    await see(visitor.page.getByRole('main').getByRole('link')).toHaveCount(0);
  });
}
