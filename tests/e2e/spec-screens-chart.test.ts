/** RULES W4, the seat chart: its language, colours, legend and minimap, and what a place costs. */
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { demoEvent } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { startVisit, untilTakenOver } from '#tests/support/browsers/start-visit.ts';
import { eventPage, screens, within } from '#tests/support/visit.ts';

/** Two ticket types in the stalls, one in the boxes, and two without a price: one beside the boxes' own, one alone in the gallery. */
async function priceAnew(
  server: TestServer,
): Promise<Record<'intero' | 'ridotto' | 'palchi', string>> {
  const price = (lookup_key: string, unit_amount: number) =>
    server.house.ctx.payments.ensurePrice({ lookup_key, product: lookup_key, unit_amount });
  const ids = {
    intero: await price('prova-intero', 3_050),
    ridotto: await price('prova-ridotto', 2_500),
    palchi: await price('prova-palchi', 123_400),
  };
  const seat_pricing = [
    {
      category: 'Palchi',
      ticketTypes: [
        { price_id: ids.palchi, ticketType: 'unico', label: 'Unico' },
        { price_id: 'price_che_non_esiste', ticketType: 'scuole', label: 'Scuole' },
      ],
    },
    {
      category: 'Platea',
      ticketTypes: [
        { price_id: ids.intero, ticketType: 'intero', label: 'Intero' },
        { price_id: ids.ridotto, ticketType: 'ridotto', label: 'Ridotto under 26' },
      ],
    },
    {
      category: 'Galleria',
      ticketTypes: [{ price_id: 'price_nemmeno_questo', ticketType: 'intero', label: 'Intero' }],
    },
  ];
  await setPolicy(server, { seat_pricing: JSON.stringify(seat_pricing) }, demoEvent);
  return ids;
}

async function openChart(page: Page): Promise<void> {
  await page.goto(eventPage);
  await see(page.getByRole('button', { name: 'Scegli da un elenco' })).toBeVisible();
}

test('§2: the chart is in Italian, dark with blue as its primary colour on a page in either theme, with a legend and a minimap', async () => {
  await using at = await startVisit({ colorScheme: 'light', locale: 'de-DE' });
  const { page } = at;
  await openChart(page);
  const chart = page.getByRole('region', { name: 'Pianta dei posti' }).first();
  await see(chart.getByRole('application')).toHaveAccessibleName(
    /^Pianta dei posti\. Frecce per spostarti/,
  );
  const legend = chart.getByRole('list', { name: 'Legenda' });
  await see(legend.getByRole('listitem')).toHaveText([
    /^Platea.*25,00\s€$/,
    /^Palchi.*20,00\s€$/,
    /^Galleria.*12,00\s€$/,
    'Scelto',
    'Occupato',
    'Posto per carrozzina',
    'Posto per chi accompagna',
    'Visibilità limitata',
  ]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const look = await chart.evaluate((section) => {
      const frame = section.querySelector('.bsc')!;
      return {
        ground: getComputedStyle(frame).backgroundColor,
        letters: getComputedStyle(frame).color,
        primary: getComputedStyle(frame).getPropertyValue('--bsc-selected'),
      };
    });
    const [ground, letters] = [look.ground, look.letters].map((color) =>
      color.match(/\d+/g)!.map(Number),
    );
    expect(Math.max(...ground!)).toBeLessThan(60);
    expect(Math.min(...letters!)).toBeGreaterThan(200);
    // A blue: what is chosen wears another colour where a category is blue, too.
    expect(look.primary).toBe('#4f8ef7');
  }

  // The minimap comes with nearness, and stays within the chart.
  const minimap = chart.locator('canvas[title="Mappa d’insieme"]');
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    await legend.scrollIntoViewIfNeeded();
    await see(legend).toBeInViewport();
    await see(async () => {
      await chart.getByRole('button', { name: 'Ingrandisci' }).click();
      await see(minimap).toBeVisible({ timeout: 1_000 });
    }).toPass();
    const [small, whole] = await Promise.all(
      [minimap, chart].map(async (part) => (await part.boundingBox())!),
    );
    expect([
      small!.x >= whole!.x,
      small!.y >= whole!.y,
      small!.x + small!.width <= whole!.x + whole!.width,
      small!.y + small!.height <= whole!.y + whole!.height,
    ]).toEqual([true, true, true, true]);
  }
  expect(at.troubles).toEqual([]);
});

test('§2: one ticket type gives a single price, several a list of label and price; ticket types without a price are dropped, and §5: objects without pricing are not selectable', async () => {
  await using at = await startVisit({ viewport: screens[0] });
  const { page, server } = at;
  await priceAnew(server);
  await openChart(page);
  // What stands on the page beside the chart, in the order of the legend.
  const prices = page.getByRole('region', { name: 'Prezzi' });
  await see(prices.getByRole('term')).toHaveText(['Palchi', 'Platea']);
  const legend = page.getByRole('list', { name: 'Legenda' }).getByRole('listitem');
  await see(legend.nth(0)).toHaveText(/^Palchi/);
  await see(legend.nth(1)).toHaveText(/^Platea/);
  await see(prices.getByRole('definition')).toHaveText([
    /^Unico 1\.234,00\s€$/,
    /^Intero 30,50\s€$/,
    /^Ridotto under 26 25,00\s€$/,
  ]);
  // In the chart's own list: several types are asked for, one is taken without a question, and what
  // has no price is not to be had.
  await page.getByRole('button', { name: 'Scegli da un elenco' }).click();
  const list = page.getByRole('region', { name: 'Scegli da un elenco' });
  await see(list.getByText('Galleria')).toBeVisible();
  await see(list.getByRole('button', { name: /Galleria/ })).toHaveCount(0);
  await page
    .getByRole('button', { name: /^Platea/ })
    .first()
    .click();
  await page
    .getByRole('button', { name: /^Fila D/ })
    .first()
    .click();
  await page.getByRole('button', { name: /Fila D, posto 1,.*libero/ }).click();
  const question = page.getByRole('dialog');
  await see(question.getByRole('button', { name: /^Intero.*30,50\s€/ })).toBeVisible();
  await question.getByRole('button', { name: /^Ridotto under 26.*25,00\s€/ }).click();
  const summary = page.getByRole('region', { name: 'I tuoi posti' });
  await see(summary.getByRole('listitem')).toHaveText([
    /^Platea, fila D, posto 1 – Ridotto under 26\s*25,00\s€$/,
  ]);

  await page.getByRole('button', { name: /^Palchi I ordine/ }).click();
  await page.getByRole('button', { name: /^Palco 1 4 posti/ }).click();
  await page.getByRole('button', { name: /^Palco 1, posto 1,.* 1\.234,00\s€, libero/ }).click();
  await see(page.getByRole('dialog')).toHaveCount(0);
  await see(summary.getByText(/1\.259,00\s€/).first()).toBeVisible();
  await see(page.getByText(/Scuole/)).toHaveCount(0);
});

test('§2, §7: with the vendor’s own service its script comes from the CDN of region eu, and is told workspace, event, it, dark, legend, minimap and pricing', async () => {
  // With the vendor's keys the server lets its script in; here only the answer to the page speaks of it.
  await using at = await startVisit({ bypassCSP: true });
  const { page, server } = at;
  await priceAnew(server);
  const body =
    'window.told = []; window.seatsio = { SeatingChart: class { constructor(config) { told.push(config); } render() { return this; } destroy() {} } };';
  await page.route('https://cdn-eu.seatsio.net/chart.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  );
  await page.route(`**/api/event/${demoEvent}/`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      json: {
        ...(await answer.json()),
        chart: { script_url: 'https://cdn-{region}.seatsio.net/chart.js', region: 'eu' },
      },
    });
  });
  await page.goto('/');
  await untilTakenOver(page);
  await page.getByRole('link', { name: /La locandiera/ }).click();
  await see.poll(() => page.evaluate('window.told?.length ?? 0'), within).toBeGreaterThan(0);
  expect(
    await page.evaluate(
      'JSON.parse(JSON.stringify(told.at(-1), (name, value) => (value instanceof Element ? null : value)))',
    ),
  ).toMatchObject({
    workspaceKey: server.house.standins!.seatsio!.workspaceKey,
    event: demoEvent,
    language: 'it',
    colorScheme: 'dark',
    showLegend: true,
    showMinimap: true,
    objectWithoutPricingSelectable: false,
    selectionValidators: [
      { type: 'noOrphanSeats' },
      { type: 'consecutiveSeats' },
      { type: 'minimumSelectedPlaces', minimum: 1 },
    ],
    pricing: [
      { category: 'Palchi', price: 1234 },
      {
        category: 'Platea',
        ticketTypes: [
          { ticketType: 'intero', label: 'Intero', price: 30.5 },
          { ticketType: 'ridotto', label: 'Ridotto under 26', price: 25 },
        ],
      },
    ],
  });
  expect(
    await page.evaluate(
      '[told.at(-1).priceFormatter(25), told.at(-1).priceFormatter(1234.5), told.at(-1).priceFormatter(undefined)]',
    ),
  ).toEqual(['25,00\u00a0€', '1.234,50\u00a0€', 'N/D']);
});
