/** Legend, category filter, the search for the best seats, and the page's own words. */
import { expect } from 'vitest';
import { type Visitor, testTheatre as test } from './theatre.ts';

const legendOf = async ({ page }: Visitor) =>
  (await page.getByRole('list', { name: 'Legenda' }).getByRole('listitem').allInnerTexts()).map(
    (text) => text.replaceAll(/\s+/g, ' '),
  );

test('the legend names each category with its lowest price and the signs of the map; the page may leave out some, say all in its own words, and wish for letters and corners', async (theatre) => {
  const visitor = await theatre.enter();
  const { page, openRow, show } = visitor;
  const signs = ['Posto per carrozzina', 'Posto per chi accompagna', 'Visibilità limitata'];
  expect(await legendOf(visitor)).toEqual([
    'Platea da 18,00 €',
    'Palchi 40,00 €',
    'Galleria da 12,00 €',
    'Scelto',
    'Occupato',
    ...signs,
  ]);
  await show({
    chart: {
      legend: {
        hidePricing: true,
        hideUnavailableLegendItem: true,
        hideNonSelectableCategories: true,
      },
      unavailableCategories: ['Palchi'],
    },
  });
  expect(await legendOf(visitor)).toEqual(['Platea', 'Galleria', 'Scelto', ...signs]);
  await show({
    chart: {
      legend: { hideCategoryName: true },
      style: { font: 'WorkSans', cornerRadius: 'square', buttonShape: 'square' },
    },
  });
  expect((await legendOf(visitor))[1]).toBe('40,00 €');
  await page.getByRole('button', { name: 'Scegli per me' }).click();
  const [font, corner] = await page.evaluate<[string, string]>(
    `[getComputedStyle(document.querySelector('.bsc')).fontFamily, getComputedStyle(document.querySelector('.bsc-main')).borderRadius]`,
  );
  expect(font).toMatch(/^"?Work Sans/);
  expect(corner).toBe('2px');

  await show({
    chart: { messages: { row: 'Row', seat: 'seat', Platea: 'Stalls', cancel: 'Never mind' } },
  });
  expect((await legendOf(visitor))[0]).toContain('Stalls');
  await openRow(/^Stalls/, /^Row C/);
  await page.getByRole('button', { name: /^Row C, seat 5, Stalls/ }).click();
  await page.getByRole('button', { name: 'Never mind' }).click();
});

test('the category filter dims the others, narrows the list and tells the page; one category at a time and another order are as the page wants', async (theatre) => {
  const { page, ask, show } = await theatre.enter({ chart: { categoryFilter: { enabled: true } } });
  const filter = page.getByRole('group', { name: 'Mostra solo' });
  const names = async () =>
    (await filter.getByRole('button').allInnerTexts()).map((text) => text.split('\n')[0]);
  const press = async (name: RegExp) => {
    await filter.getByRole('button', { name }).click();
    await filter.getByRole('button', { name, pressed: true }).waitFor();
  };
  // Cheapest first.
  expect(await names()).toEqual(['Tutte le categorie', 'Galleria', 'Platea', 'Palchi']);
  await press(/^Palchi/);
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Palchi');
  expect(
    await ask(
      'chart.listCategories().then((all) => all.filter((one) => one.isFiltered).map((one) => one.label))',
    ),
  ).toEqual(['Palchi']);
  await page.getByRole('button', { name: /Scegli da un elenco/ }).click();
  const openers = await page.locator('.bsc-opener').allInnerTexts();
  expect(openers).not.toEqual([]);
  expect(openers.filter((name) => !name.startsWith('Palchi'))).toEqual([]);
  await filter.getByRole('button', { name: 'Tutte le categorie' }).click();
  await page.getByRole('button', { name: /^Platea\s*\d+ posti liberi/ }).waitFor();

  await show({
    chart: { categoryFilter: { enabled: true, multiSelect: false, sortBy: 'priceDescending' } },
  });
  expect(await names()).toEqual(['Tutte le categorie', 'Palchi', 'Platea', 'Galleria']);
  await press(/^Palchi/);
  await press(/^Platea/);
  expect(await filter.getByRole('button', { pressed: true }).count()).toBe(1);
});

test('"Scegli per me" finds and holds seats beside each other for the tickets asked for, or says in words that there are none and lets the visitor ask otherwise', async (theatre) => {
  const { page, ask, chosen, hears, infoOf, show } = await theatre.enter();
  const form = page.getByRole('dialog', { name: 'Scegliamo noi i posti migliori' });
  const find = form.getByRole('button', { name: 'Trova i posti' });
  await page.getByRole('button', { name: 'Scegli per me' }).click();
  await form.getByRole('radio', { name: /^Platea/ }).check();
  await form.getByRole('spinbutton', { name: 'Intero' }).fill('2');
  await form.getByRole('button', { name: 'Un posto in più, Ridotto' }).click();
  await find.click();
  await form.waitFor({ state: 'detached' });
  const found = await ask<[string, string][]>(
    'chart.listSelectedObjects().then((all) => all.map((one) => [one.label, one.selectedTicketType]))',
  );
  expect(found.map(([, type]) => type).sort()).toEqual(['intero', 'intero', 'ridotto']);
  const rows = new Set(found.map(([label]) => label.replace(/-\d+$/, '')));
  expect([...rows]).toEqual([expect.stringMatching(/^Platea-/)]);
  for (const [label] of found) expect((await infoOf(label)).status).toBe('reservedByToken');
  await page
    .getByRole('status')
    .filter({ hasText: /^Abbiamo scelto per te: Platea, fila/ })
    .waitFor({ state: 'attached' });

  const evening = await show({
    chart: { pricing: [{ category: 'Platea', price: 20 }], objectWithoutPricingSelectable: false },
  });
  const [stalls] = Object.values(
    await theatre.client.eventReports.byCategoryLabel(evening, 'Platea'),
  );
  const sold = stalls!.map(({ label }) => label).filter((label) => label !== 'Platea-C-5');
  await theatre.client.events.book(evening, sold);
  await hears(`status ${sold.at(-1)} booked`);
  await page.getByRole('button', { name: 'Scegli per me' }).click();
  await form.getByRole('spinbutton', { name: 'Persone' }).fill('4');
  await find.click();
  await form
    .getByText(
      'Non ci sono 4 posti liberi da prendere insieme in Platea. Prova con meno persone o con un’altra categoria.',
    )
    .waitFor();
  await form.getByRole('spinbutton', { name: 'Persone' }).fill('1');
  await find.click();
  await form.waitFor({ state: 'detached' });
  expect(await chosen()).toEqual(['Platea-C-5']);
});
