/** The chart under two accessibility engines, in each of its states, dark and light, on a phone and on a desk; and what helps whoever sees or moves differently. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventParams } from '#tests/standins/seatsio/start.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { auditPage } from './audit.ts';
import { buildScripts, openTheatre, pricing, type Theatre, type Visitor } from './theatre.ts';

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), buildScripts()]);
});
afterAll(() => browser.close());

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const desk = { viewport: { width: 1280, height: 800 } };
const looks = [
  { name: 'dark on a desk', colorScheme: 'dark', context: desk },
  { name: 'light on a desk', colorScheme: 'light', context: desk },
  { name: 'dark on a phone', colorScheme: 'dark', context: phone },
  { name: 'light on a phone', colorScheme: 'light', context: phone },
];

/** Brings a rendered chart into a state; the audit follows. */
const states: Record<
  string,
  {
    chart?: Record<string, unknown>;
    reach: (visitor: Visitor, theatre: Theatre) => Promise<unknown>;
  }
> = {
  'the map with a seat chosen and one left alone': {
    chart: { categoryFilter: { enabled: true }, selectionValidators: [{ type: 'noOrphanSeats' }] },
    reach: async ({ ask, hears }) => {
      await ask('chart.trySelectObjects([{ label: "Platea-B-2", ticketType: "intero" }])');
      await hears('invalid noOrphanSeats');
    },
  },
  'the list with a section and a row open': {
    reach: async ({ ask, openRow }) => {
      await ask('chart.trySelectObjects([{ label: "Platea-A-1", ticketType: "intero" }])');
      await openRow(/^Platea/, /^Fila A/);
    },
  },
  'the question for a ticket type': {
    chart: {
      pricing: [
        {
          category: 'Platea',
          ticketTypes: [
            {
              ticketType: 'intero',
              price: 25,
              originalPrice: 30,
              fee: 2,
              label: 'Intero',
              primary: true,
            },
            { ticketType: 'ridotto', price: 18, label: 'Ridotto', description: 'Under 26' },
            {
              ticketType: 'omaggio',
              price: 0,
              label: 'Omaggio',
              unavailable: true,
              unavailableReason: 'soldOut',
            },
          ],
        },
      ],
    },
    reach: async ({ page, openRow }) => {
      await openRow(/^Platea/, /^Fila C/);
      await page.getByRole('button', { name: /^Fila C, posto 5/ }).click();
      await page.getByRole('dialog', { name: 'Platea, fila C, posto 5' }).waitFor();
    },
  },
  'the question for standing places': {
    reach: async ({ page }) => {
      await page.getByRole('button', { name: /Scegli da un elenco/ }).click();
      await page.getByRole('button', { name: /^Loggione/ }).click();
      await page.getByRole('button', { name: 'Un posto in più, Intero' }).click();
    },
  },
  'the search for the best seats': {
    reach: async ({ page }) => {
      await page.getByRole('button', { name: 'Scegli per me' }).click();
      await page.getByRole('dialog', { name: 'Scegliamo noi i posti migliori' }).waitFor();
    },
  },
  'the end of the session': {
    reach: async ({ page, ask, hears }, theatre) => {
      await ask('chart.trySelectObjects(["Palchi I ordine-4-1"])');
      theatre.clock.now += 16 * 60_000;
      await hears('expired');
      await page.getByRole('dialog', { name: /^Tempo scaduto/ }).waitFor();
    },
  },
};

for (const { name, colorScheme, context } of looks) {
  test(
    `two engines find no fault in any state of the chart, ${name}`,
    { timeout: 120_000 },
    async () => {
      for (const [state, { chart, reach }] of Object.entries(states)) {
        await using theatre = await openTheatre(browser);
        const visitor = await theatre.enter({ chart: { colorScheme, pricing, ...chart }, context });
        await visitor.hears('rendered');
        await reach(visitor, theatre);
        expect(await auditPage(visitor.page), state).toEqual([]);
      }
    },
  );
}

test('two engines find no fault where the chart could not be loaded', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter({
    prepare: (page) => page.route('**/rendering-info**', (route) => route.abort()),
  });
  await hears('failed');
  await page.getByRole('button', { name: 'Riprova' }).waitFor();
  expect(await auditPage(page)).toEqual([]);
});

test('a narrow page, as at 200 % zoom of a phone, scrolls nothing sideways and keeps every button large enough for a finger', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears, openRow } = await theatre.enter({
    context: { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true },
  });
  await hears('rendered');
  await openRow(/^Platea/, /^Fila C/);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  const small = `[...document.querySelectorAll('.bsc button')].filter((one) => one.offsetParent)
    .map((one) => [one.getAttribute('aria-label') || one.textContent, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 44 || box.height < 44 || box.left < 0 || box.right > innerWidth).map(([name, box]) => name + ' ' + Math.round(box.width) + ' × ' + Math.round(box.height))`;
  expect(await page.evaluate(small)).toEqual([]);
  await page.getByRole('button', { name: 'Torna alla pianta' }).click();
  expect(await page.evaluate(small)).toEqual([]);
});

test('with forced colours a chosen place stands out by the system’s own highlight', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears, openRow } = await theatre.enter({
    context: { forcedColors: 'active' },
  });
  await hears('rendered');
  await ask('chart.trySelectObjects([{ label: "Platea-C-5", ticketType: "intero" }])');
  await openRow(/^Platea/, /^Fila C/);
  const [chosen, other] = await page.evaluate<[string, string]>(
    `['5', '6'].map((seat) => getComputedStyle([...document.querySelectorAll('.bsc-seat')].find((one) => one.getAttribute('aria-label').startsWith('Fila C, posto ' + seat + ','))).backgroundColor)`,
  );
  expect(chosen).not.toBe(other);
});

test('who wants less motion sees nothing turn or slide, who wants more contrast sees no grey text', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears, openRow } = await theatre.enter({ context: { contrast: 'more' } });
  await hears('rendered');
  await openRow(/^Platea/, /^Fila C/);
  const looks = await page.evaluate<{ slides: string; note: string; text: string }>(`(() => {
    const opener = document.querySelector('.bsc-opener');
    return { slides: getComputedStyle(opener.querySelector('svg')).transitionDuration, note: getComputedStyle(opener.querySelector('small')).color, text: getComputedStyle(opener).color };
  })()`);
  expect(looks).toEqual({ slides: '0s', note: looks.text, text: looks.text });
});

test('on a phone a legend of many categories leaves the map its room and is scrolled by keys', async () => {
  await using theatre = await openTheatre(browser);
  await theatre.client.events.create('teatro-dell-opera', eventParams({ key: 'aida' }));
  const prices = (
    (await theatre.client.charts.listCategories('teatro-dell-opera')) as { label: string }[]
  ).map(({ label }) => ({ category: label, price: 100 }));
  expect(prices.length).toBeGreaterThan(4);
  const { page, hears } = await theatre.enter({
    chart: { event: 'aida', pricing: prices },
    context: phone,
  });
  await hears('rendered');
  const legend = page.getByRole('list', { name: 'Legenda' });
  await legend.focus();
  await page.keyboard.press('End');
  await page.waitForFunction('document.querySelector(".bsc-legend").scrollTop > 0');
  expect((await legend.boundingBox())!.height).toBeLessThan(140);
  expect((await page.locator('.bsc-map').boundingBox())!.height).toBeGreaterThan(350);
  expect(await auditPage(page)).toEqual([]);
});

test('a legend that outgrows its room, whatever the font, is a stop of the keyboard for as long as it does', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter({ context: phone });
  await hears('rendered');
  const legend = page.getByRole('list', { name: 'Legenda' });
  const spread = (spacing: string) =>
    legend.evaluate((list, letterSpacing) => {
      list.style.letterSpacing = letterSpacing;
    }, spacing);
  const stops = page.locator('.bsc-legend[tabindex="0"]');
  await spread('0');
  await stops.waitFor({ state: 'detached' });
  // Twice as wide, then so wide that the box is full before its text grows once more, with words longer than a line.
  for (const spacing of ['12px', '60px']) {
    await spread(spacing);
    await stops.waitFor();
    expect(await legend.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    expect(await auditPage(page)).toEqual([]);
  }
  // The only stop of the chart's bar comes right before the map's own.
  await page.locator('.bsc-map').focus();
  await page.keyboard.press('Shift+Tab');
  expect(await legend.evaluate((list) => list === document.activeElement)).toBe(true);
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction('document.querySelector(".bsc-legend").scrollTop > 0');
  await spread('0');
  await stops.waitFor({ state: 'detached' });
});
