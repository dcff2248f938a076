/** Legend, category filter, the search for the best seats, and the page's own words. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { buildScripts, EVENT, openTheatre, type Visitor } from './theatre.ts';

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), buildScripts()]);
});
afterAll(() => browser.close());

const legendOf = async ({ page }: Visitor) =>
  (await page.getByRole('list', { name: 'Legenda' }).getByRole('listitem').allInnerTexts()).map(
    (text) => text.replaceAll(/\s+/g, ' '),
  );

test('the legend names each category with its lowest price and the signs of the map', async () => {
  await using theatre = await openTheatre(browser);
  const visitor = await theatre.enter();
  await visitor.hears('rendered');
  expect(await legendOf(visitor)).toEqual([
    'Platea da 18,00 €',
    'Palchi 40,00 €',
    'Galleria da 12,00 €',
    'Scelto',
    'Occupato',
    'Posto per carrozzina',
    'Posto accompagnatore',
    'Visibilità limitata',
  ]);
});

test('the page may leave out prices, names, the sign for taken seats and what cannot be chosen', async () => {
  await using theatre = await openTheatre(browser);
  const bare = await theatre.enter({
    chart: {
      legend: {
        hidePricing: true,
        hideUnavailableLegendItem: true,
        hideNonSelectableCategories: true,
      },
      unavailableCategories: ['Palchi'],
    },
  });
  await bare.hears('rendered');
  expect(await legendOf(bare)).toEqual([
    'Platea',
    'Galleria',
    'Scelto',
    'Posto per carrozzina',
    'Posto accompagnatore',
    'Visibilità limitata',
  ]);
  const nameless = await theatre.enter({ chart: { legend: { hideCategoryName: true } } });
  await nameless.hears('rendered');
  expect((await legendOf(nameless))[1]).toBe('40,00 €');
});

test('the category filter dims the others, narrows the list and tells the page', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears } = await theatre.enter({
    chart: { categoryFilter: { enabled: true } },
  });
  await hears('rendered');
  const filter = page.getByRole('group', { name: 'Mostra solo' });
  // Cheapest first.
  expect(
    (await filter.getByRole('button').allInnerTexts()).map((text) => text.split('\n')[0]),
  ).toEqual(['Tutte le categorie', 'Galleria', 'Platea', 'Palchi']);
  await filter.getByRole('button', { name: /^Palchi/ }).click();
  await filter.getByRole('button', { name: /^Palchi/, pressed: true }).waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Palchi');
  expect(
    await ask(
      'chart.listCategories().then((all) => all.filter((one) => one.isFiltered).map((one) => one.label))',
    ),
  ).toEqual(['Palchi']);
  await page.getByRole('button', { name: /Scegli da un elenco/ }).click();
  expect(
    await page.getByRole('button', { name: /^Galleria, | posti liberi/ }).count(),
  ).toBeGreaterThan(0);
  expect(await page.locator('.bsc-opener').allInnerTexts()).toSatisfy((names: string[]) =>
    names.every((name) => name.startsWith('Palchi')),
  );
  await filter.getByRole('button', { name: 'Tutte le categorie' }).click();
  await page.getByRole('button', { name: /^Platea\s*\d+ posti liberi/ }).waitFor();
});

test('a filter for one category at a time is sorted as the page wants', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter({
    chart: { categoryFilter: { enabled: true, multiSelect: false, sortBy: 'priceDescending' } },
  });
  await hears('rendered');
  const filter = page.getByRole('group', { name: 'Mostra solo' });
  expect(
    (await filter.getByRole('button').allInnerTexts()).map((text) => text.split('\n')[0]),
  ).toEqual(['Tutte le categorie', 'Palchi', 'Platea', 'Galleria']);
  await filter.getByRole('button', { name: /^Palchi/ }).click();
  await filter.getByRole('button', { name: /^Palchi/, pressed: true }).waitFor();
  await filter.getByRole('button', { name: /^Platea/ }).click();
  await filter.getByRole('button', { name: /^Platea/, pressed: true }).waitFor();
  expect(await filter.getByRole('button', { pressed: true }).count()).toBe(1);
});

test('"Scegli per me" finds and holds seats beside each other for the tickets asked for', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears } = await theatre.enter();
  await hears('rendered');
  await page.getByRole('button', { name: 'Scegli per me' }).click();
  const form = page.getByRole('dialog', { name: 'Scegliamo noi i posti migliori' });
  await form.getByRole('radio', { name: /^Platea/ }).check();
  await form.getByRole('spinbutton', { name: 'Intero' }).fill('2');
  await form.getByRole('button', { name: 'Un posto in più, Ridotto' }).click();
  await form.getByRole('button', { name: 'Trova i posti' }).click();
  await form.waitFor({ state: 'detached' });
  const chosen = await ask<[string, string][]>(
    'chart.listSelectedObjects().then((all) => all.map((one) => [one.label, one.selectedTicketType]))',
  );
  expect(chosen.map(([, type]) => type).sort()).toEqual(['intero', 'intero', 'ridotto']);
  const rows = new Set(chosen.map(([label]) => label.replace(/-\d+$/, '')));
  expect([...rows]).toEqual([expect.stringMatching(/^Platea-/)]);
  for (const [label] of chosen)
    expect((await theatre.client.events.retrieveObjectInfo(EVENT, label)).status).toBe(
      'reservedByToken',
    );
  await page
    .getByRole('status')
    .filter({ hasText: /^Abbiamo scelto per te: Platea, fila/ })
    .waitFor({ state: 'attached' });
});

test('"Scegli per me" says in words when there are no such seats, and lets the visitor ask otherwise', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears } = await theatre.enter({
    chart: { pricing: [{ category: 'Platea', price: 20 }], objectWithoutPricingSelectable: false },
  });
  await hears('rendered');
  const [stalls] = Object.values(
    await theatre.client.eventReports.byCategoryLabel(EVENT, 'Platea'),
  );
  const sold = stalls!.map(({ label }) => label).filter((label) => label !== 'Platea-C-5');
  await theatre.client.events.book(EVENT, sold);
  await hears(`status ${sold.at(-1)} booked`);
  await page.getByRole('button', { name: 'Scegli per me' }).click();
  const form = page.getByRole('dialog', { name: 'Scegliamo noi i posti migliori' });
  await form.getByRole('spinbutton', { name: 'Persone' }).fill('4');
  await form.getByRole('button', { name: 'Trova i posti' }).click();
  await form
    .getByText(
      'Non ci sono 4 posti liberi da prendere insieme in Platea. Prova con meno persone o con un’altra categoria.',
    )
    .waitFor();
  await form.getByRole('spinbutton', { name: 'Persone' }).fill('1');
  await form.getByRole('button', { name: 'Trova i posti' }).click();
  await form.waitFor({ state: 'detached' });
  expect(await ask('chart.selectedObjects')).toEqual(['Platea-C-5']);
});

test('a page’s own messages replace built-in words and the drawing’s texts', async () => {
  await using theatre = await openTheatre(browser);
  const visitor = await theatre.enter({
    chart: { messages: { row: 'Row', seat: 'seat', Platea: 'Stalls', cancel: 'Never mind' } },
  });
  const { page, hears, openRow } = visitor;
  await hears('rendered');
  expect((await legendOf(visitor))[0]).toContain('Stalls');
  await openRow(/^Stalls/, /^Row C/);
  await page.getByRole('button', { name: /^Row C, seat 5, Stalls/ }).click();
  await page.getByRole('button', { name: 'Never mind' }).click();
});

test('the page’s wishes for letters and corners reach every part', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter({
    chart: { style: { font: 'WorkSans', cornerRadius: 'square', buttonShape: 'square' } },
  });
  await hears('rendered');
  await page.getByRole('button', { name: 'Scegli per me' }).click();
  const [font, corner] = await page.evaluate<[string, string]>(
    `[getComputedStyle(document.querySelector('.bsc')).fontFamily, getComputedStyle(document.querySelector('.bsc-main')).borderRadius]`,
  );
  expect(font).toMatch(/^"?Work Sans/);
  expect(corner).toBe('2px');
});
