/** The list beside the map: the whole choice without a mouse, and only what can be chosen. */
import { see } from '#tests/support/browsers/see.ts';
import { expect } from 'vitest';
import { drawStadium } from '#server/standins/seatsio/draw/stadium.ts';
import { uploadDrawing } from '#tests/standins/seatsio/start.ts';
import { box, EVENT, type Visitor, testTheatre as test } from './theatre.ts';

/** The name of what has the focus, prices with plain spaces. */
const focused = ({ page }: Visitor) =>
  page.evaluate<string>(
    '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).replaceAll("\\u00a0", " ")',
  );

async function press(visitor: Visitor, ...keys: string[]): Promise<void> {
  for (const key of keys) await visitor.page.keyboard.press(key);
}

test('with the keyboard alone a visitor finds a seat, chooses its ticket and is back at the map; arrows, Home, End and first letters lead, and each level is one stop for Tab', async (theatre) => {
  const visitor = await theatre.enter();
  const { page, chosen, hears } = visitor;
  // The first stop of Tab opens the list and the focus goes into it.
  await press(visitor, 'Tab');
  expect(await focused(visitor)).toBe('Scegli da un elenco');
  await press(visitor, 'Enter');
  expect(await focused(visitor)).toMatch(/^Platea/);
  await press(visitor, 'ArrowRight');
  expect(await focused(visitor)).toMatch(/^Fila A/);
  await press(visitor, 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight');
  expect(await focused(visitor)).toBe('Fila C, posto 2, Platea, da 18,00 €, libero');
  await press(visitor, 'Enter');
  await page.getByRole('dialog', { name: 'Platea, fila C, posto 2' }).waitFor();
  expect(await focused(visitor)).toMatch(/^Intero/);
  await press(visitor, 'Tab', 'Enter');
  await hears('held Platea-C-2 ridotto');
  expect(await focused(visitor)).toBe('Fila C, posto 2, Platea, da 18,00 €, scelto');
  expect(await page.locator(':focus').getAttribute('aria-pressed')).toBe('true');
  await page
    .getByRole('status')
    .filter({ hasText: 'Platea, fila C, posto 2: è tuo fino alla scadenza.' })
    .waitFor({ state: 'attached' });
  await press(visitor, 'Enter');
  await hears('released Platea-C-2');
  await press(visitor, 'Escape');
  expect(await focused(visitor)).toBe('Scegli da un elenco');
  expect(await page.getByRole('region', { name: 'Scegli da un elenco' }).isVisible()).toBe(false);
  expect(await chosen()).toEqual([]);

  await visitor.show();
  await page.getByRole('button', { name: 'Scegli da un elenco' }).focus();
  await press(visitor, 'Enter', 'End');
  expect(await focused(visitor)).toMatch(/^Loggione/);
  await press(visitor, 'g');
  expect(await focused(visitor)).toMatch(/^Galleria/);
  await press(visitor, 'Home', 'ArrowRight', 'f');
  // Rows answer to their letter.
  expect(await focused(visitor)).toMatch(/^Fila F/);
  await press(visitor, 'ArrowRight', 'End');
  expect(await focused(visitor)).toMatch(/^Fila F, posto \d+,/);
  await press(visitor, 'Home');
  expect(await focused(visitor)).toMatch(/^Fila F, posto 1,/);
  await press(visitor, '1', '2');
  expect(await focused(visitor)).toMatch(/^Fila F, posto 12,/);
  await press(visitor, 'ArrowUp');
  expect(await focused(visitor)).toMatch(/^Fila F\d/);
  await press(visitor, 'ArrowDown', 'ArrowDown');
  expect(await focused(visitor)).toMatch(/^Fila G/);
  await press(visitor, 'ArrowLeft');
  expect(await focused(visitor)).toMatch(/^Platea/);
  await press(visitor, 'ArrowLeft');
  const stalls = page.getByRole('button', { name: /^Platea/ });
  expect(await stalls.getAttribute('aria-expanded')).toBe('false');
  await stalls.press('Enter');
  expect(await page.locator('.bsc-list [tabindex="0"]').count()).toBe(3);
});

test('what is taken is not listed, or stays in its place as taken; what comes free gets its button where it belongs: in an open row, as a row, as a section; the focus stays', async (theatre) => {
  const visitor = await theatre.enter();
  const { page, heard, hears, openRow } = visitor;
  const { events, eventReports } = theatre.client;
  const { 'Palchi I ordine': places } = (await eventReports.bySection(EVENT)) as unknown as Record<
    string,
    { label: string }[]
  >;
  const all = places!.map(({ label }) => label);
  const isIn = (number: number) => (label: string) =>
    label.startsWith(`Palchi I ordine-${number}-`);
  const [kept, ...rest] = all.filter((label) => !isIn(4)(label) && !isIn(5)(label));
  await events.book(EVENT, [box(3), ...all.filter(isIn(5))]);
  await hears('status Palchi I ordine-5-1 booked');
  await openRow(/^Palchi I ordine/, /^Palco 4/);
  const row = page.getByRole('group', { name: 'Palco 4' });
  expect(await row.getByRole('button').allTextContents()).toEqual(['1', '2', '4']);
  await row.getByRole('button').nth(1).focus();
  // What is taken meanwhile stays in its place, also when another seat comes in.
  await events.book(EVENT, box(1));
  const taken = page.getByRole('button', {
    name: 'Palco 4, posto 1, Palchi I ordine, 40,00 €, occupato',
  });
  await taken.waitFor();
  expect(await taken.getAttribute('aria-disabled')).toBe('true');
  await taken.evaluate((button) => (button as HTMLElement).click());
  expect((await heard()).filter((line) => line.startsWith('selected'))).toEqual([]);
  await page.getByRole('button', { name: /^Palco 4\s*2 posti liberi, 40,00 €/ }).waitFor();
  await events.release(EVENT, box(3));
  await see(row.getByRole('button')).toHaveText(['1', '2', '3', '4']);
  const held = 'Palco 4, posto 2, Palchi I ordine, 40,00 €, libero';
  expect(await focused(visitor)).toBe(held);
  expect(await page.getByRole('button', { name: /^Palco 5/ }).count()).toBe(0);
  await events.release(EVENT, 'Palchi I ordine-5-2');
  await page.getByRole('button', { name: /^Palco 5\s*1 posto libero/ }).waitFor();
  await see(row.getByRole('button')).toHaveText(['1', '2', '3', '4']);
  expect(await focused(visitor)).toBe(held);
  // All gone, the list opened again: one line; the first seat that comes back makes it a section.
  await events.book(EVENT, [kept!, ...rest, box(2), box(3), box(4), 'Palchi I ordine-5-2']);
  await page.getByRole('button', { name: /^Palchi I ordine\s*nessun posto libero/ }).waitFor();
  await press(visitor, 'Escape', 'Enter');
  await page.locator('p').filter({ hasText: 'Palchi I ordineEsaurito' }).waitFor();
  await page.getByRole('button', { name: /^Galleria/ }).focus();
  await events.release(EVENT, kept!);
  await page.getByRole('button', { name: /^Palchi I ordine\s*1 posto libero/ }).waitFor();
  expect(await focused(visitor)).toMatch(/^Galleria/);
});

test('rows without free places, sections without a price and what the filter leaves out are not offered; a wheelchair place is found, and all is read as headings, buttons and groups', async (theatre) => {
  const { page, hears, openRow, show } = await theatre.enter({
    chart: { filteredCategories: ['Platea', 'Palchi'] },
  });
  await theatre.client.events.book(EVENT, [1, 2, 3, 4].map(box));
  await hears(`status ${box(4)} booked`);
  await openRow(/^Palchi I ordine/, /^Palco 3/);
  expect(await page.getByRole('button', { name: /^(Galleria|Palco 4)/ }).count()).toBe(0);
  const spoken = await page.getByRole('region', { name: 'Scegli da un elenco' }).ariaSnapshot();
  expect(spoken).toContain('heading "Scegli da un elenco" [level=2]');
  expect(spoken).toMatch(/button "Palchi I ordine \d+ posti liberi, 40,00 €" \[expanded\]/);
  expect(spoken).toContain('group "Palco 3"');
  expect(spoken).toContain('button "Palco 3, posto 2, Palchi I ordine, 40,00 €, libero"');

  await show({ chart: { availableCategories: ['Platea'] } });
  await page.getByRole('button', { name: /Scegli da un elenco/ }).click();
  const closed = page.locator('p').filter({ hasText: /^Galleria\s*Non in vendita$/ });
  await closed.waitFor();
  // It is not sold out: its seats are free.
  expect(await page.getByText('Esaurito').count()).toBe(0);
  await page.getByRole('checkbox', { name: 'Solo posti per carrozzina' }).check();
  await page.getByRole('button', { name: /^Platea\s*8 posti liberi/ }).click();
  await page.getByRole('button', { name: /^Fila A/ }).click();
  const names = await page
    .getByRole('group', { name: 'Fila A' })
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  expect(names.map((name) => /carrozzina|accompagna/.exec(name!)?.[0])).toEqual([
    'carrozzina',
    'accompagna',
    'accompagna',
    'carrozzina',
  ]);
});

test('of 20,000 seats the list opens at once and never holds more than a few hundred elements; they are chosen and given back as a whole, also against a limit', async (theatre) => {
  const stadium = drawStadium({ seats: 20_000, sections: 40 });
  expect(await uploadDrawing(theatre, { key: 'stadio', drawing: stadium })).toBe(201);
  const event = await theatre.stage('stadio');
  const chart = { event, pricing: [1, 2].map((category) => ({ category, price: 30 })) };
  const { ask, chosen, hears, page, show } = await theatre.enter({ chart });
  const took = await ask<number>(
    `(() => { const from = performance.now(); document.querySelector('.bsc-toggle').click(); return performance.now() - from; })()`,
  );
  expect(took).toBeLessThan(1000);
  await page.getByRole('button', { name: /^Settore 117\s*500 posti liberi, 30,00 €/ }).click();
  await page
    .getByRole('button', { name: /^Fila / })
    .last()
    .click();
  expect(await page.locator('.bsc *').count()).toBeLessThan(900);
  await page
    .getByRole('button', { name: /^Fila .+, Settore 117, .+, 30,00 €, libero$/ })
    .last()
    .click();
  await hears('held Settore 117-');
  await page
    .getByRole('button', { name: /^Settore 117\s*499 posti liberi, 30,00 €, 1 scelto/ })
    .waitFor();

  await show({ chart: { ...chart, session: 'none' } });
  await ask('chart.selectCategories([1, 2])');
  expect(await chosen()).toHaveLength(19_999);
  // Nobody is read so many names.
  expect((await page.locator('.bsc [role=status]').last().textContent())!.length).toBeLessThan(
    1000,
  );
  await ask('chart.deselectCategories([1, 2])');
  expect(await chosen()).toEqual([]);
  await ask('chart.changeConfig({ maxSelectedObjects: 1000 })');
  // Work that grows with the square of the hall took eleven seconds here.
  const time = await ask<number>(
    '(async () => { const began = performance.now(); await chart.selectCategories([1, 2]); return performance.now() - began; })()',
  );
  expect(await chosen()).toHaveLength(1000);
  expect(time).toBeLessThan(4000);
});
