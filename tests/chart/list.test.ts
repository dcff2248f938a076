/** The list beside the map: the whole choice without a mouse, and only what can be chosen. */
import type { Browser } from 'playwright';
import { expect as see } from 'playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventParams, uploadDrawing } from '#tests/standins/seatsio/start.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { buildScripts, EVENT, openTheatre, type Visitor } from './theatre.ts';

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), buildScripts()]);
});
afterAll(() => browser.close());

/** The name of what has the focus, prices with plain spaces. */
const focused = ({ page }: Visitor) =>
  page.evaluate<string>(
    '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).replaceAll("\\u00a0", " ")',
  );

async function press(visitor: Visitor, ...keys: string[]): Promise<void> {
  for (const key of keys) await visitor.page.keyboard.press(key);
}

test('with the keyboard alone a visitor finds a seat, chooses its ticket and is back at the map', async () => {
  await using theatre = await openTheatre(browser);
  const visitor = await theatre.enter();
  const { page, ask, hears } = visitor;
  await hears('rendered');
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
  await page
    .getByRole('status')
    .filter({ hasText: 'Platea, fila C, posto 2: è tuo fino alla scadenza.' })
    .waitFor({ state: 'attached' });
  await press(visitor, 'Enter');
  await hears('released Platea-C-2');
  await press(visitor, 'Escape');
  expect(await focused(visitor)).toBe('Scegli da un elenco');
  expect(await page.getByRole('region', { name: 'Scegli da un elenco' }).isVisible()).toBe(false);
  expect(await ask('chart.selectedObjects')).toEqual([]);
});

test('arrows, Home, End and first letters lead through sections, rows and seats; each level is one stop for Tab', async () => {
  await using theatre = await openTheatre(browser);
  const visitor = await theatre.enter();
  await visitor.hears('rendered');
  await press(visitor, 'Tab', 'Enter', 'End');
  expect(await focused(visitor)).toMatch(/^Loggione/);
  await press(visitor, 'g');
  expect(await focused(visitor)).toMatch(/^Galleria/);
  await press(visitor, 'Home', 'ArrowRight', 'f');
  // Rows answer to their letter.
  expect(await focused(visitor)).toMatch(/^Fila F/);
  await press(visitor, 'ArrowRight', 'End');
  const last = await focused(visitor);
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
  expect(
    await visitor.page.getByRole('button', { name: /^Platea/ }).getAttribute('aria-expanded'),
  ).toBe('false');
  await visitor.page.getByRole('button', { name: /^Platea/ }).press('Enter');
  expect(
    await visitor.page.evaluate('document.querySelectorAll(".bsc-list [tabindex=\'0\']").length'),
  ).toBe(3);
  expect(last).toMatch(/^Fila F, posto \d+,/);
});

test('what cannot be chosen is not listed, and what is taken while one looks stays in its place as taken', async () => {
  await using theatre = await openTheatre(browser);
  const visitor = await theatre.enter();
  const { page, hears, openRow } = visitor;
  await hears('rendered');
  await theatre.client.events.book(EVENT, 'Palchi I ordine-4-1');
  await hears('status Palchi I ordine-4-1 booked');
  await openRow(/^Palchi I ordine/, /^Palco 4/);
  const row = page.getByRole('group', { name: 'Palco 4' });
  expect(await row.getByRole('button').allTextContents()).toEqual(['2', '3', '4']);
  await theatre.client.events.book(EVENT, 'Palchi I ordine-4-3');
  const taken = page.getByRole('button', {
    name: 'Palco 4, posto 3, Palchi I ordine, 40,00 €, occupato',
  });
  await taken.waitFor();
  expect(await taken.getAttribute('aria-disabled')).toBe('true');
  await taken.evaluate((button) => (button as HTMLElement).click());
  expect((await visitor.heard()).filter((line) => line.startsWith('selected'))).toEqual([]);
  await page.getByRole('button', { name: /^Palco 4\s*2 posti liberi, 40,00 €/ }).waitFor();
});

test('what comes free while one looks gets its button where it belongs: in an open row, as a row, as a section; the focus stays', async () => {
  await using theatre = await openTheatre(browser);
  const visitor = await theatre.enter();
  const { page, hears, openRow } = visitor;
  const { events } = theatre.client;
  await hears('rendered');
  const { 'Palchi I ordine': places } = (await theatre.client.eventReports.bySection(
    EVENT,
  )) as unknown as Record<string, { label: string }[]>;
  const all = places!.map(({ label }) => label);
  const [kept, ...rest] = all.filter(
    (label) => !label.startsWith('Palchi I ordine-4-') && !label.startsWith('Palchi I ordine-5-'),
  );
  await events.book(EVENT, [
    'Palchi I ordine-4-3',
    ...all.filter((label) => label.startsWith('Palchi I ordine-5-')),
  ]);
  await hears('status Palchi I ordine-5-1 booked');
  await openRow(/^Palchi I ordine/, /^Palco 4/);
  const box = page.getByRole('group', { name: 'Palco 4' });
  expect(await box.getByRole('button').allTextContents()).toEqual(['1', '2', '4']);
  await box.getByRole('button').nth(1).focus();
  // What is taken meanwhile stays in its place, also when another seat comes in.
  await events.book(EVENT, 'Palchi I ordine-4-1');
  await hears('status Palchi I ordine-4-1 booked');
  await events.release(EVENT, 'Palchi I ordine-4-3');
  await see(box.getByRole('button')).toHaveText(['1', '2', '3', '4']);
  expect(await focused(visitor)).toBe('Palco 4, posto 2, Palchi I ordine, 40,00 €, libero');
  expect(await box.getByRole('button').first().getAttribute('aria-disabled')).toBe('true');
  expect(await page.getByRole('button', { name: /^Palco 5/ }).count()).toBe(0);
  await events.release(EVENT, 'Palchi I ordine-5-2');
  await page.getByRole('button', { name: /^Palco 5\s*1 posto libero/ }).waitFor();
  await see(box.getByRole('button')).toHaveText(['1', '2', '3', '4']);
  expect(await focused(visitor)).toBe('Palco 4, posto 2, Palchi I ordine, 40,00 €, libero');
  // All gone, the list opened again: one line; the first seat that comes back makes it a section.
  await events.book(EVENT, [
    kept!,
    ...rest,
    'Palchi I ordine-4-2',
    'Palchi I ordine-4-3',
    'Palchi I ordine-4-4',
    'Palchi I ordine-5-2',
  ]);
  await page.getByRole('button', { name: /^Palchi I ordine\s*nessun posto libero/ }).waitFor();
  await press(visitor, 'Escape', 'Enter');
  await page.locator('p').filter({ hasText: 'Palchi I ordineEsaurito' }).waitFor();
  await page.getByRole('button', { name: /^Galleria/ }).focus();
  await events.release(EVENT, kept!);
  await page.getByRole('button', { name: /^Palchi I ordine\s*1 posto libero/ }).waitFor();
  expect(await focused(visitor)).toMatch(/^Galleria/);
});

test('a section whose seats are free but have no price is not called sold out', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter({ chart: { availableCategories: ['Platea'] } });
  await hears('rendered');
  await page.getByRole('button', { name: /Scegli da un elenco/ }).click();
  await page
    .locator('p')
    .filter({ hasText: /^Galleria\s*Non in vendita$/ })
    .waitFor();
  expect(await page.getByText('Esaurito').count()).toBe(0);
});

test('a section without free places says so, and one that the filter leaves out as well', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter({
    chart: { filteredCategories: ['Platea', 'Palchi'] },
  });
  await hears('rendered');
  await theatre.client.events.book(
    EVENT,
    [1, 2, 3, 4].map((seat) => `Palchi I ordine-4-${seat}`),
  );
  await hears('status Palchi I ordine-4-4 booked');
  await page.getByRole('button', { name: /Scegli da un elenco/ }).click();
  expect(await page.getByRole('button', { name: /^Galleria/ }).count()).toBe(0);
  await page.getByRole('button', { name: /^Palchi I ordine/ }).click();
  expect(await page.getByRole('button', { name: /^Palco 4/ }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Palco 3/ }).count()).toBe(1);
});

test('whoever needs a wheelchair place lists only those and their companions’', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter();
  await hears('rendered');
  await page.getByRole('button', { name: /Scegli da un elenco/ }).click();
  await page.getByRole('checkbox', { name: 'Solo posti per carrozzina' }).check();
  await page.getByRole('button', { name: /^Platea\s*8 posti liberi/ }).click();
  await page.getByRole('button', { name: /^Fila A/ }).click();
  const names = await page
    .getByRole('group', { name: 'Fila A' })
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  expect(names.map((name) => /carrozzina|accompagnatore/.exec(name!)?.[0])).toEqual([
    'carrozzina',
    'accompagnatore',
    'accompagnatore',
    'carrozzina',
  ]);
});

test('the list is read as headings with expandable buttons and named groups of seats', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears, openRow } = await theatre.enter();
  await hears('rendered');
  await openRow(/^Palchi I ordine/, /^Palco 4/);
  const spoken = await page.getByRole('region', { name: 'Scegli da un elenco' }).ariaSnapshot();
  expect(spoken).toContain('heading "Scegli da un elenco" [level=2]');
  expect(spoken).toMatch(/button "Palchi I ordine \d+ posti liberi, 40,00 €" \[expanded\]/);
  expect(spoken).toContain('group "Palco 4"');
  expect(spoken).toContain('button "Palco 4, posto 2, Palchi I ordine, 40,00 €, libero"');
});

/** 40 sections of 20 rows of 25: 20,000 seats without a seat outside a section. */
function arena(): object {
  const section = (at: number) => ({
    uuid: `s${at}`,
    label: `${at + 1}`,
    displayLabel: `Settore ${at + 1}`,
    categoryKey: 1,
    topLeft: { x: (at % 8) * 600, y: Math.floor(at / 8) * 500 },
    points: [
      [0, 0],
      [580, 0],
      [580, 480],
      [0, 480],
    ].map(([x, y]) => ({ x: (at % 8) * 600 + x!, y: Math.floor(at / 8) * 500 + y! })),
    subChart: {
      width: 580,
      height: 480,
      rows: Array.from({ length: 20 }, (_, row) => ({
        uuid: `s${at}r${row}`,
        label: String.fromCharCode(65 + row),
        seats: Array.from({ length: 25 }, (__, seat) => ({
          uuid: `s${at}r${row}p${seat}`,
          label: String(seat + 1),
          x: 20 + seat * 22,
          y: 20 + row * 22,
          categoryKey: 1,
        })),
      })),
    },
  });
  return {
    name: 'Arena',
    version: 1,
    venueType: 'WITH_SECTIONS_AND_FLOORS',
    categories: {
      list: [{ key: 1, label: 'Tribuna', color: '#4f8ef7', accessible: false }],
      maxCategoryKey: 1,
    },
    subChart: {
      width: 4800,
      height: 2500,
      focalPoint: null,
      rows: [],
      tables: [],
      booths: [],
      generalAdmissionAreas: [],
      shapes: [],
      texts: [],
      sections: Array.from({ length: 40 }, (_, at) => section(at)),
    },
  };
}

test('with 20,000 seats the list opens at once and never holds more than a few hundred elements', async () => {
  await using theatre = await openTheatre(browser);
  expect(await uploadDrawing(theatre, { key: 'quaranta-settori', drawing: arena() })).toBeLessThan(
    300,
  );
  await theatre.client.events.create('quaranta-settori', eventParams({ key: 'partita' }));
  const visitor = await theatre.enter({
    chart: { event: 'partita', pricing: [{ category: 'Tribuna', price: 30 }] },
  });
  const { page, hears } = visitor;
  await hears('rendered');
  const took = await page.evaluate<number>(
    `(() => { const from = performance.now(); document.querySelector('.bsc-toggle').click(); return performance.now() - from; })()`,
  );
  expect(took).toBeLessThan(1000);
  await page.getByRole('button', { name: /^Settore 17\s*500 posti liberi, 30,00 €/ }).click();
  await page.getByRole('button', { name: /^Fila T/ }).click();
  expect(await page.evaluate('document.querySelectorAll(".bsc *").length')).toBeLessThan(900);
  await page
    .getByRole('button', { name: 'Fila T, posto 25, Settore 17, Tribuna, 30,00 €, libero' })
    .click();
  await hears('held 17-T-25');
  await page
    .getByRole('button', { name: /^Settore 17\s*499 posti liberi, 30,00 €, 1 scelto/ })
    .waitFor();
});
