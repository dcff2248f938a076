/** What the chart asks before a choice, and what it tells of a place: ticket types, numbers of places, the card under the pointer and under the finger. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventParams } from '#tests/standins/seatsio/start.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { buildScripts, EVENT, openTheatre, type Visit } from './theatre.ts';

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), buildScripts()]);
});
afterAll(() => browser.close());

const phone = {
  viewport: { width: 390, height: 760 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};
const tickets = [
  { ticketType: 'intero', price: 25, originalPrice: 30, fee: 2, label: 'Intero' },
  {
    ticketType: 'ridotto',
    price: 18,
    label: 'Ridotto',
    description: 'Under 26, con documento',
    primary: true,
  },
  {
    ticketType: 'omaggio',
    price: 0,
    label: 'Omaggio',
    unavailable: true,
    unavailableReason: 'soldOut',
  },
];

/** Gives the page's chart a function, which cannot travel as data. */
function withFunction(name: string, body: string): Visit['prepare'] {
  return (page) =>
    page.addInitScript(`(() => {
    let kept;
    Object.defineProperty(globalThis, 'ask', { get: () => kept, set: (ask) => { kept = ask; ask.chart[${JSON.stringify(name)}] = ${body}; } });
  })()`);
}

test('ticket types show their remark, the price before, fees, and why one cannot be had', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears, openRow } = await theatre.enter({
    chart: { pricing: [{ category: 'Platea', ticketTypes: tickets }] },
  });
  await hears('rendered');
  await openRow(/^Platea/, /^Fila C/);
  await page.getByRole('button', { name: /^Fila C, posto 5,/ }).click();
  const question = page.getByRole('dialog', { name: 'Platea, fila C, posto 5' });
  const [full, reduced, free] = await question
    .getByRole('group', { name: 'Scegli il tipo di biglietto' })
    .getByRole('button')
    .all();
  expect(await full!.innerText()).toMatch(
    /Intero\s+30,00\s€\s+25,00\s€[\s\S]*\+ 2,00\s€ di commissioni/,
  );
  // Heard, the old price is no second price.
  expect(await full!.ariaSnapshot()).toMatch(/anziché 30,00\s€/);
  expect(await reduced!.innerText()).toMatch(/Under 26, con documento/);
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Ridotto');
  expect(await free!.innerText()).toMatch(/Esaurito/);
  await free!.evaluate((button) => (button as HTMLElement).click());
  expect(await question.isVisible()).toBe(true);
  expect(await ask('chart.selectedObjects')).toEqual([]);
  await reduced!.click();
  await hears('held Platea-C-5 ridotto');
});

test('where the page wants the ticket type confirmed, the first press only marks it', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears, openRow } = await theatre.enter({
    chart: { objectPopover: { confirmTicketTypeSelection: true } },
  });
  await hears('rendered');
  await openRow(/^Platea/, /^Fila C/);
  await page.getByRole('button', { name: /^Fila C, posto 5,/ }).click();
  const confirm = page.getByRole('button', { name: 'Conferma' });
  expect(await confirm.getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('button', { name: /^Intero/ }).click();
  await page.getByRole('button', { name: /^Ridotto/ }).click();
  expect(await page.getByRole('button', { name: /^Intero/ }).getAttribute('aria-pressed')).toBe(
    'false',
  );
  expect(await ask('chart.selectedObjects')).toEqual([]);
  await confirm.click();
  await hears('held Platea-C-5 ridotto');
});

test('a typed number of standing places stops at what the page allows and what is left', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter({ chart: { maxSelectedObjects: 6 } });
  await hears('rendered');
  await page.getByRole('button', { name: /Scegli da un elenco/ }).click();
  await page.getByRole('button', { name: /^Loggione/ }).click();
  const full = page.getByRole('spinbutton', { name: 'Intero' });
  const reduced = page.getByRole('spinbutton', { name: 'Ridotto' });
  await full.fill('4');
  await reduced.fill('40');
  expect(await reduced.inputValue()).toBe('2');
  await page.getByText('Non puoi prenderne altri.').waitFor();
  await page.getByText('Totale 84,00 €').waitFor();
  expect(
    await page
      .getByRole('button', { name: 'Un posto in più, Intero' })
      .getAttribute('aria-disabled'),
  ).toBe('true');
  await full.fill('-3');
  await reduced.press('ArrowDown');
  await page.getByRole('button', { name: 'Conferma' }).click();
  await hears('held Loggione ridotto');
  expect((await theatre.client.events.retrieveObjectInfo(EVENT, 'Loggione')).numHeld).toBe(1);
});

test('a tap shows the card of a seat first and chooses it with the button', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears, pressSeat } = await theatre.enter({ context: phone });
  await hears('rendered');
  await pressSeat('Palchi I ordine-4-2', 'tap');
  const card = page.getByRole('dialog', { name: /Palco 4, posto 2$/i });
  await card.getByText('40,00 €').waitFor();
  expect(await ask('chart.selectedObjects')).toEqual([]);
  await card.getByRole('button', { name: 'Scegli' }).tap();
  await hears('held Palchi I ordine-4-2');
});

test('a page that never wants a confirmation gets the seat with the tap', async () => {
  await using theatre = await openTheatre(browser);
  const { hears, pressSeat } = await theatre.enter({
    context: phone,
    chart: { objectPopover: { confirmSelection: 'never' } },
  });
  await hears('rendered');
  await pressSeat('Palchi I ordine-4-2', 'tap');
  await hears('held Palchi I ordine-4-2');
});

test('a page that listens to clicks itself is asked nothing by a tap, and one that always confirms also by the mouse', async () => {
  await using theatre = await openTheatre(browser);
  const listening = await theatre.enter({
    context: phone,
    prepare: withFunction('onObjectClicked', '() => {}'),
  });
  await listening.hears('rendered');
  await listening.pressSeat('Palchi I ordine-4-2', 'tap');
  await listening.hears('held Palchi I ordine-4-2');
  const asked = await theatre.enter({ chart: { objectPopover: { confirmSelection: 'always' } } });
  await asked.hears('rendered');
  await asked.pressSeat('Palchi I ordine-4-3');
  await asked.page.getByRole('dialog').getByRole('button', { name: 'Annulla' }).click();
  expect(await asked.ask('chart.selectedObjects')).toEqual([]);
});

test('under the pointer stand section, row and seat, the prices and what is special; of a taken seat only that', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears } = await theatre.enter();
  await hears('rendered');
  const card = page.locator('.bsc-tip');
  const point = async (label: string) => {
    await ask(`chart.zoomToObjects([${JSON.stringify(label)}])`);
    const box = (await page.locator('.bsc-map').boundingBox())!;
    await page.mouse.move(box.x + 3, box.y + 3);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  };
  await point('Platea-A-1');
  await card.getByText('Ridotto').waitFor();
  expect((await card.innerText()).replaceAll(/\s+/g, ' ')).toBe(
    'Settore Platea Fila A Posto 1 Intero 25,00 € Ridotto 18,00 € Posto per carrozzina Ingresso platea',
  );
  await theatre.client.events.book(EVENT, 'Platea-A-1');
  await hears('status Platea-A-1 booked');
  await point('Platea-A-1');
  await card.getByText('Non disponibile: occupato').waitFor();
  expect(await card.innerText()).not.toContain('€');
});

test('the page decides what the card shows, and its own words are marked up but never run', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears } = await theatre.enter({
    chart: { objectPopover: { showPricing: false, stylizedLabel: false } },
    prepare: withFunction(
      'popoverInfo',
      '(object) => "[b]Vicino al [i]palco[/i][/b][br/]<img src=x onerror=alert(1)> [z]" + object.label',
    ),
  });
  await hears('rendered');
  await ask('chart.zoomToObjects(["Platea-C-5"])');
  const box = (await page.locator('.bsc-map').boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const info = page.locator('.bsc-tip .bsc-info');
  await info.waitFor();
  expect(await info.innerHTML()).toBe(
    '<b>Vicino al <i>palco</i></b><br>&lt;img src=x onerror=alert(1)&gt; [z]Platea-C-5',
  );
  expect((await page.locator('.bsc-tip').innerText()).split('\n')[0]).toBe(
    'Platea, fila C, posto 5',
  );
  expect(await page.locator('.bsc-tip').innerText()).not.toContain('€');
});

test('from afar a section says its name and from how much, and the page may add to it', async () => {
  await using theatre = await openTheatre(browser);
  await theatre.client.events.create('arena', eventParams({ key: 'partita' }));
  const { page, ask, hears } = await theatre.enter({
    chart: { event: 'partita', pricing: [] },
    prepare: withFunction(
      'tooltipInfo',
      '(object) => object.objectType + " " + object.label + ", " + object.numberOfSelectableObjects',
    ),
  });
  await hears('rendered');
  const box = (await page.locator('.bsc-map').boundingBox())!;
  const info = page.locator('.bsc-tip:not([hidden]) .bsc-info');
  for (let step = 1; step < 30 && !(await info.isVisible()); step += 1)
    await page.mouse.move(box.x + (box.width * step) / 30, box.y + box.height / 2);
  const [, label, count] = /^section (.+), (\d+)$/.exec(await info.innerText()) ?? [];
  expect(
    await ask<[string, number][]>(
      `chart.zoomToSection(${JSON.stringify(label)}).then((all) => all.map((one) => [one.label, one.numberOfSelectableObjects]))`,
    ),
  ).toEqual([[label, Number(count)]]);
});
