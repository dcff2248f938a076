/** The chart under two accessibility engines, in each of its states, dark and light, on a phone and on a desk; and what helps whoever sees or moves differently. */
import { expect, test } from 'vitest';
import { auditPage } from './audit.ts';
import { box, openTheatre, phone, tickets, type Theatre, type Visitor } from './theatre.ts';

const small = { ...phone, viewport: { width: 360, height: 740 } };
const looks = {
  'on a phone': { context: small, asked: ['axe', 'ibm'] },
  'on a desk': { context: { viewport: { width: 1280, height: 800 } }, asked: ['axe'] },
} as const;

/** Brings a chart into a state; the audit follows. */
const states: Record<
  string,
  {
    chart?: Record<string, unknown>;
    reach: (visitor: Visitor, theatre: Theatre) => Promise<unknown>;
  }
> = {
  'the map with a seat chosen and one left alone': {
    chart: { categoryFilter: { enabled: true }, selectionValidators: [{ type: 'noOrphanSeats' }] },
    reach: async ({ choose, hears }) => {
      await choose({ label: 'Platea-B-2', ticketType: 'intero' });
      await hears('invalid noOrphanSeats');
    },
  },
  'the list with a section and a row open': {
    reach: async ({ choose, openRow }) => {
      await choose({ label: 'Platea-A-1', ticketType: 'intero' });
      await openRow(/^Platea/, /^Fila A/);
    },
  },
  'the question for a ticket type': {
    chart: { pricing: [{ category: 'Platea', ticketTypes: tickets }] },
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
    reach: async ({ page, choose, hears }, theatre) => {
      await choose(box(1));
      theatre.clock.now += 16 * 60_000;
      await hears('expired');
      await page.getByRole('dialog', { name: /^Tempo scaduto/ }).waitFor();
    },
  },
  'what could not be loaded': {
    chart: { event: 'nowhere' },
    reach: async ({ page }) => {
      await page
        .getByText('La pianta dei posti non si è caricata. Controlla la connessione e riprova.')
        .waitFor();
      await page.getByRole('button', { name: 'Riprova' }).waitFor();
    },
  },
};

for (const [name, { context, asked }] of Object.entries(looks))
  test(`no fault is found in any state of the chart, dark or light, ${name}`, async () => {
    await using theatre = await openTheatre();
    const visitor = await theatre.enter({ context });
    for (const [state, { chart, reach }] of Object.entries(states)) {
      await visitor.show({ chart });
      await reach(visitor, theatre);
      expect(await auditPage(visitor.page, ':root', asked), state).toEqual([]);
      // A chart that was not loaded takes no other settings.
      if (state === 'what could not be loaded') continue;
      await visitor.ask('chart.changeConfig({ colorScheme: "light" })');
      expect(await auditPage(visitor.page, ':root', ['contrast']), `${state}, light`).toEqual([]);
    }
  });

test('on a phone nothing scrolls sideways and every button is large enough for a finger, as at 200 % zoom; a legend of many categories leaves the map its room', async () => {
  await using theatre = await openTheatre();
  const { page, openRow, show } = await theatre.enter({
    context: { ...small, viewport: { width: 320, height: 568 } },
  });
  await openRow(/^Platea/, /^Fila C/);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  const tooSmall = `[...document.querySelectorAll('.bsc button')].filter((one) => one.offsetParent)
    .map((one) => [one.getAttribute('aria-label') || one.textContent, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 44 || box.height < 44 || box.left < 0 || box.right > innerWidth).map(([name, box]) => name + ' ' + Math.round(box.width) + ' × ' + Math.round(box.height))`;
  expect(await page.evaluate(tooSmall)).toEqual([]);
  await page.getByRole('button', { name: 'Torna alla pianta' }).click();
  expect(await page.evaluate(tooSmall)).toEqual([]);

  await page.setViewportSize(small.viewport);
  const categories = await theatre.client.charts.listCategories('teatro-dell-opera');
  const pricing = (categories as { label: string }[]).map(({ label }) => ({
    category: label,
    price: 100,
  }));
  expect(pricing.length).toBeGreaterThan(4);
  await show({ chart: { event: await theatre.stage('teatro-dell-opera'), pricing } });
  const legend = page.getByRole('list', { name: 'Legenda' });
  await legend.focus();
  await page.keyboard.press('End');
  await page.waitForFunction('document.querySelector(".bsc-legend").scrollTop > 0');
  expect((await legend.boundingBox())!.height).toBeLessThan(140);
  expect((await page.locator('.bsc-map').boundingBox())!.height).toBeGreaterThan(350);
  expect(await auditPage(page, ':root', ['axe'])).toEqual([]);

  // A legend that outgrows its room, whatever the font, is a stop of the keyboard for as long as it does.
  await show();
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
  }
  expect(await auditPage(page)).toEqual([]);
  // The only stop of the chart's bar comes right before the map's own.
  await page.locator('.bsc-map').focus();
  await page.keyboard.press('Shift+Tab');
  expect(await legend.evaluate((list) => list === document.activeElement)).toBe(true);
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction('document.querySelector(".bsc-legend").scrollTop > 0');
  await spread('0');
  await stops.waitFor({ state: 'detached' });
});

test('with forced colours a chosen place stands out by the system’s own highlight; who wants less motion sees nothing turn or slide, who wants more contrast sees no grey text', async () => {
  await using theatre = await openTheatre();
  const { page, choose, openRow } = await theatre.enter({ context: { forcedColors: 'active' } });
  await choose({ label: 'Platea-C-5', ticketType: 'intero' });
  await openRow(/^Platea/, /^Fila C/);
  const [chosen, other] = await page.evaluate<[string, string]>(
    `['5', '6'].map((seat) => getComputedStyle([...document.querySelectorAll('.bsc-seat')].find((one) => one.getAttribute('aria-label').startsWith('Fila C, posto ' + seat + ','))).backgroundColor)`,
  );
  expect(chosen).not.toBe(other);
  await page.emulateMedia({ forcedColors: 'none', contrast: 'more' });
  const opener = `document.querySelector('.bsc-opener')`;
  const white = 'rgb(242, 244, 248)';
  await expect
    .poll(() =>
      page.evaluate(
        `[${opener}, ${opener}.querySelector('small')].map((part) => getComputedStyle(part).color)`,
      ),
    )
    .toEqual([white, white]);
  expect(
    await page.evaluate(`getComputedStyle(${opener}.querySelector('svg')).transitionDuration`),
  ).toBe('0s');
});
