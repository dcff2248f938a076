/** What the first screen of a page offers: the way to the seats, the programme and its search, an event's own colours. */
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { demoEvent } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';
import { startVisit, testVisit as it } from '#tests/support/browsers/start-visit.ts';
import { eventPage, screens, within } from '#tests/support/visit.ts';

/** By this height the first screen has said what, when, from how much, and where to go on. */
const firstScreen = 700;
const widths = [320, 360, 390, 768, 1280, 1920];

/** The selectors whose lower edge lies below the first screen, or that are not there. */
async function tooLow(page: Page, width: number, selectors: readonly string[]): Promise<unknown[]> {
  await page.setViewportSize({ width, height: firstScreen });
  return page.evaluate(
    ([most, names]) =>
      names.flatMap((name) => {
        const at = document.querySelector(name)?.getBoundingClientRect().bottom;
        return at !== undefined && at <= most ? [] : [[innerWidth, name, at]];
      }),
    [firstScreen, selectors] as const,
  );
}

it('title, date, price and the way to the seats are on the first screen of an event at every width; an event without a banner has colours of its own, the way there and a link to hand on', async (at) => {
  const { page } = at;
  const banner = page.locator('.event-header_banner');
  const ground = () => banner.evaluate((part) => getComputedStyle(part).backgroundImage);
  await page.goto(eventPage);
  const own = await ground();
  const way = page.getByRole('link', { name: /^Scegli i posti · da 12,00/ });
  await see(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const width of widths)
    expect(
      await tooLow(page, width, [
        'h1',
        '.event-header_facts time',
        '.event-seats-to-seats_offer a',
      ]),
    ).toEqual([]);
  await page.setViewportSize(screens[0]);
  await see(async () => {
    await way.click();
    await see(page.getByRole('region', { name: 'Pianta dei posti' })).toBeInViewport();
    await see(way).not.toBeInViewport({ timeout: 1_000 });
  }).toPass();
  expect(new URL(page.url()).hash).toBe('');

  await page.goto('/event/concerto-di-natale');
  await see(banner).toBeVisible();
  expect(await ground()).not.toBe(own);
  await see(page.getByRole('link', { name: 'Come arrivare' })).toHaveAttribute(
    'href',
    /maps\/dir\/\?api=1&destination=Teatro%20Goldoni%2C%20Corte/,
  );
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Condividi' }).click(within);
  await see(page.getByRole('button', { name: 'Link copiato' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /\/event\/concerto-di-natale$/,
  );
});

async function addEvenings(server: TestServer, count: number): Promise<void> {
  const { db } = server.house.ctx;
  const row = await db('events').where({ id: demoEvent }).first();
  for (let n = 0; n < count; n += 1)
    await db('events').insert({
      ...row,
      show_id: null,
      id: `sera-${n}`,
      seatsio_event_key: `sera-${n}`,
      code_tag: `S${n}00`,
      title: `Serata numero ${n}`,
      starts_at: row.starts_at + n * 20 * 86_400_000,
      venue_title: n % 2 === 0 ? 'Teatro Verdi' : 'Teatro Goldoni',
    });
}

test('held sideways the first card of the programme begins on the first screen, and no poster is cropped; more than eight evenings are searched by words, month, place and kind, eight are not', async () => {
  await using at = await startVisit({ viewport: { width: 844, height: 390 } });
  const { page, server } = at;
  await addEvenings(server, 6);
  await page.goto('/');
  const cards = page.getByRole('main').getByRole('heading', { level: 3 });
  await see(cards).toHaveCount(8);
  await see(page.getByRole('search')).toHaveCount(0);
  const card = page.getByRole('main').getByRole('link').first();
  expect((await card.boundingBox())!.y).toBeLessThan(250);
  const poster = card.locator('img').first();
  await see(poster).toHaveCSS('object-fit', 'contain');
  const [whole, frame] = [
    await poster.boundingBox(),
    await card.locator('.home-home_picture').boundingBox(),
  ];
  expect(whole!.height).toBeLessThanOrEqual(frame!.height + 1);
  await server.house.ctx.db('events').where({ id: demoEvent }).update({ title: 'La locandiera!' });
  await addEvenings(server, 7).catch(() => {});
  await server.house.ctx.db('events').insert({
    ...(await server.house.ctx.db('events').where({ id: 'sera-0' }).first()),
    id: 'nona',
    seatsio_event_key: 'nona',
    code_tag: 'NONA',
    title: 'Perché la nona?',
    kind: 'opera',
  });
  await page.reload();
  await see(cards).toHaveCount(9);
  const search = page.getByRole('search');
  const parts = ['h3', 'date', 'price', 'go'].map((name) =>
    name === 'h3' ? name : `.home-home_${name}`,
  );
  for (const width of widths) {
    expect(await tooLow(page, width, parts)).toEqual([]);
    // One line, and none of the page scrolls sideways for it.
    expect([
      width,
      (await search.boundingBox())!.height < 80,
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ]).toEqual([width, true, 0]);
  }
  await see(async () => {
    await search.getByLabel('Cerca').fill('perche');
    await see(cards).toHaveText(['Perché la nona?'], { timeout: 1_000 });
  }).toPass();
  await see(search.getByText('1 spettacolo trovato')).toBeVisible();
  await search.getByLabel('Cerca').fill('niente di simile');
  await see(search.getByText('0 spettacoli trovati')).toBeVisible();
  await search.getByRole('button', { name: 'Mostra tutti' }).click();
  await see(cards).toHaveCount(9);
  await search.getByLabel('Genere').selectOption('Opera');
  await see(cards).toHaveText(['Perché la nona?']);
  await search.getByRole('button', { name: 'Mostra tutti' }).click();
  await search.getByLabel('Luogo').selectOption('Teatro Verdi');
  await see(cards).toHaveCount(4);
  await search.getByLabel('Mese').selectOption({ index: 1 });
  expect(await cards.count()).toBeLessThan(4);
  expect(at.troubles).toEqual([]);
});
