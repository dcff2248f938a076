/** What the chart asks before a choice, and what it tells of a place: ticket types, numbers of places, the card under the pointer and under the finger. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { box, EVENT, middleOf, phone, tickets, testTheatre as test } from './theatre.ts';

test('ticket types show their remark, the price before, fees, and why one cannot be had; where the page wants the choice confirmed, the first press only marks it', async (theatre) => {
  const { page, chosen, hears, openRow, show } = await theatre.enter({
    chart: { pricing: [{ category: 'Platea', ticketTypes: tickets }] },
  });
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
  expect(await chosen()).toEqual([]);
  await reduced!.click();
  await hears('held Platea-C-5 ridotto');

  await show({ chart: { objectPopover: { confirmTicketTypeSelection: true } } });
  await openRow(/^Platea/, /^Fila C/);
  await page.getByRole('button', { name: /^Fila C, posto 5,/ }).click();
  const confirm = page.getByRole('button', { name: 'Conferma' });
  expect(await confirm.getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('button', { name: /^Intero/ }).click();
  await page.getByRole('button', { name: /^Ridotto/ }).click();
  expect(await page.getByRole('button', { name: /^Intero/ }).getAttribute('aria-pressed')).toBe(
    'false',
  );
  expect(await chosen()).toEqual([]);
  await confirm.click();
  await hears('held Platea-C-5 ridotto');
});

test('a typed number of standing places stops at what the page allows and what is left, and a page that always wants a confirmation gets it also by the mouse', async (theatre) => {
  const { page, hears, infoOf, pressSeat, chosen, show } = await theatre.enter({
    chart: { maxSelectedObjects: 6 },
  });
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
  expect((await infoOf('Loggione')).numHeld).toBe(1);

  await show({ chart: { objectPopover: { confirmSelection: 'always' } } });
  await pressSeat(box(3));
  await page.getByRole('dialog').getByRole('button', { name: 'Annulla' }).click();
  expect(await chosen()).toEqual([]);
});

test('on a phone the first tap brings the seats near and the next one shows a card that chooses, but nothing is asked where the page says never or listens to clicks itself', async (theatre) => {
  const { page, chosen, hears, infoOf, pressSeat, show } = await theatre.enter({ context: phone });
  await page.getByText('Tocca la zona che preferisci per ingrandirla').waitFor();
  const home = page.getByRole('button', { name: 'Mostra tutta la sala' });
  expect(await home.getAttribute('aria-disabled')).toBe('true');
  const { x, y } = await middleOf(page);
  // Left of the aisle, in the stalls.
  await page.touchscreen.tap(x - 40, y - 80);
  expect(await chosen()).toEqual([]);
  expect(await home.getAttribute('aria-disabled')).toBe('false');
  await page.touchscreen.tap(x, y);
  await page
    .getByRole('dialog', { name: /^Platea, fila [A-P], posto \d+$/ })
    .getByRole('button', { name: /Intero/ })
    .click();
  await hears('held Platea-');
  const [label] = await chosen();
  expect((await infoOf(label!)).status).toBe('reservedByToken');

  await show();
  await pressSeat(box(2), 'tap');
  const card = page.getByRole('dialog', { name: /Palco 4, posto 2$/i });
  await card.getByText('40,00 €').waitFor();
  expect(await chosen()).toEqual([]);
  await card.getByRole('button', { name: 'Scegli' }).tap();
  await hears(`held ${box(2)}`);
  for (const settings of [
    { chart: { objectPopover: { confirmSelection: 'never' } } },
    { functions: '{ onObjectClicked: () => {} }' },
  ]) {
    await show(settings);
    await pressSeat(box(2), 'tap');
    await hears(`held ${box(2)}`);
  }
});

test('under the pointer stand section, row and seat, the prices and what is special, of a taken seat only that; the page decides what is shown, and its own words are marked up but never run', async (theatre) => {
  const { page, ask, hears, show } = await theatre.enter();
  const card = page.locator('.bsc-tip');
  const point = async (label: string) => {
    await ask(`chart.zoomToObjects([${JSON.stringify(label)}])`);
    const { x, y } = await middleOf(page);
    await page.mouse.move(x - 300, y - 300);
    await page.mouse.move(x, y);
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

  await show({
    chart: { objectPopover: { showPricing: false, stylizedLabel: false } },
    functions:
      '{ popoverInfo: (object) => "[b]Vicino al [i]palco[/i][/b][br/]<img src=x onerror=alert(1)> [z]" + object.label }',
  });
  await point('Platea-C-5');
  const info = page.locator('.bsc-tip:not([hidden]) .bsc-info');
  await info.waitFor();
  expect(await info.innerHTML()).toBe(
    '<b>Vicino al <i>palco</i></b><br>&lt;img src=x onerror=alert(1)&gt; [z]Platea-C-5',
  );
  expect((await card.innerText()).split('\n')[0]).toBe('Platea, fila C, posto 5');
  expect(await card.innerText()).not.toContain('€');

  // From afar a section says its name and from how much, and the page may add to it.
  await show({
    chart: { event: await theatre.stage('arena'), pricing: [] },
    functions:
      '{ tooltipInfo: (object) => object.objectType + " " + object.label + ", " + object.numberOfSelectableObjects }',
  });
  const map = (await page.locator('.bsc-map').boundingBox())!;
  for (let step = 1; step < 30 && !(await info.isVisible()); step += 1)
    await page.mouse.move(map.x + (map.width * step) / 30, map.y + map.height / 2);
  const [, label, count] = /^section (.+), (\d+)$/.exec(await info.innerText()) ?? [];
  expect(
    await ask<[string, number][]>(
      `chart.zoomToSection(${JSON.stringify(label)}).then((all) => all.map((one) => [one.label, one.numberOfSelectableObjects]))`,
    ),
  ).toEqual([[label, Number(count)]]);
});

/** As the vendor's wrappers for phones give them: the program outside answers later, or never; a colour comes as text. */
const outside = `{
  priceFormatter: (price) => new Promise((resolve) => { (globalThis.prices ??= []).push(() => resolve('EUR ' + price)); }),
  popoverInfo: (object) => new Promise((resolve) => { (globalThis.infos ??= []).push(() => resolve('[b]Da vicino[/b]')); }),
  objectColor: "(object, color) => object.label.endsWith('-1') ? '#123456' : color",
}`;

test('what the page only promises is written in euro or not at all until it comes, then on legend, list, card, question and total; a function that comes as text works where the page lets it', async (theatre) => {
  const warned: string[] = [];
  const prepare = async (page: Page) =>
    void page.on('console', (line) => line.type() === 'warning' && warned.push(line.text()));
  const { page, ask, openRow } = await theatre.enter({ functions: outside, prepare });
  const answer = (what: string) => ask(`${what}.splice(0).forEach((tell) => tell())`);
  const isClean = () => ask(`!document.documentElement.outerHTML.includes('[object')`);
  const legend = page.locator('.bsc-legend');
  expect(await legend.innerText()).toContain('da 18,00\u00a0€');
  await openRow(/^Platea/, /^Fila A/);
  const seat = page.getByRole('button', { name: /posto 2,/ });
  expect(await seat.getAttribute('aria-label')).toContain('da 18,00\u00a0€');
  await seat.focus();
  await answer('prices');
  await expect.poll(() => legend.innerText()).toContain('da EUR 18');
  await expect.poll(() => seat.getAttribute('aria-label')).toContain('da EUR 18');
  await expect
    .poll(() => page.getByRole('button', { name: /^Platea/ }).innerText())
    .toContain('EUR 18');
  expect(await seat.evaluate((button) => button === document.activeElement)).toBe(true);

  // In a question that is open: the page's words, and a total that was never asked before.
  await page.getByRole('button', { name: /^Loggione/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Totale EUR 15').waitFor();
  await dialog.getByRole('button', { name: 'Un posto in più, Intero' }).click();
  await dialog.getByText('Totale 30,00').waitFor();
  expect(await dialog.locator('.bsc-info').isVisible()).toBe(false);
  await answer('prices');
  await dialog.getByText('Totale EUR 30').waitFor();
  await answer('infos');
  await dialog.getByText('Da vicino').waitFor();
  expect(await isClean()).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  // The card under the pointer grows when its words come.
  await ask('chart.zoomToObjects(["Platea-C-5"])');
  const { x, y } = await middleOf(page);
  await page.mouse.move(x, y);
  const card = page.locator('.bsc-tip');
  await card.getByText('EUR 25').waitFor();
  expect(await card.innerText()).not.toContain('Da vicino');
  // The card grows upwards, not over the seat.
  const lowest = () => card.evaluate((tip) => Math.round(tip.getBoundingClientRect().bottom));
  const before = await lowest();
  await answer('infos');
  await card.getByText('Da vicino').waitFor();
  await expect.poll(lowest).toBe(before);
  expect(await isClean()).toBe(true);

  // A page whose policy lets no text become a function has the usual colours and one warning.
  expect(warned).toEqual([]);
  await ask(
    `document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'Content-Security-Policy', content: "script-src 'self' 'unsafe-inline'" }))`,
  );
  // Later, because the policy does not apply to what a test runs itself.
  await ask('setTimeout(() => show(chart.config)); undefined');
  await expect.poll(() => warned.length).toBe(1);
  await expect.poll(() => ask('chart.state')).toBe('RENDERED');
  await ask('chart.changeConfig({ maxSelectedObjects: 5 })');
  expect(warned).toEqual([expect.stringMatching(/objectColor.*EvalError/)]);
});
