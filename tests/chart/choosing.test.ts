/** Choosing places in a real browser, by map and by list, against the real stand-in. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { choiceFaults } from '#server/domain/seat/seating-words.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { buildScripts, EVENT, openTheatre } from './theatre.ts';

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), buildScripts()]);
});
afterAll(() => browser.close());

test('a click on the map chooses a seat and holds it at the server, a second one gives it back', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, hears, heard, pressSeat } = await theatre.enter();
  await hears('rendered');
  await pressSeat('Palchi I ordine-4-2');
  await hears('calls end');
  const held = await theatre.client.events.retrieveObjectInfo(EVENT, 'Palchi I ordine-4-2');
  expect(held.status).toBe('reservedByToken');
  expect(held.holdToken).toBe(await ask('chart.holdToken'));
  expect(held.ticketType).toBe('palco');
  expect(await ask('chart.selectedObjects')).toEqual(['Palchi I ordine-4-2']);
  await pressSeat('Palchi I ordine-4-2');
  await hears('released Palchi I ordine-4-2');
  expect(
    (await theatre.client.events.retrieveObjectInfo(EVENT, 'Palchi I ordine-4-2')).status,
  ).toBe('free');
  expect(await ask('chart.selectedObjects')).toEqual([]);
  const calls = (await heard()).filter((line) => !line.startsWith('status'));
  expect(calls.slice(calls.indexOf('calls begin') - 1, calls.indexOf('calls end') + 1)).toEqual([
    'selected Palchi I ordine-4-2 palco after 0',
    'calls begin',
    'held Palchi I ordine-4-2 palco',
    'calls end',
  ]);
});

test('the list chooses by the same path, and its buttons say what they are', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears } = await theatre.enter();
  await hears('rendered');
  await theatre.client.events.book(EVENT, 'Palchi I ordine-4-1');
  await hears('status Palchi I ordine-4-1 booked');
  // The first stop of Tab opens the list, and the focus goes into it.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Palchi I ordine/ }).click();
  await page.getByRole('button', { name: /^Palco 4/ }).click();
  const seat = page.getByRole('button', {
    name: 'Palco 4, posto 2, Palchi I ordine, 40,00 €, libero',
  });
  expect(await seat.getAttribute('aria-pressed')).toBe('false');
  await seat.focus();
  await page.keyboard.press('Enter');
  await hears('held Palchi I ordine-4-2');
  const chosen = page.getByRole('button', {
    name: 'Palco 4, posto 2, Palchi I ordine, 40,00 €, scelto',
    pressed: true,
  });
  await chosen.waitFor();
  expect(await page.getByRole('button', { name: /^Palco 4, posto 1,/ }).count()).toBe(0);
  await page.keyboard.press('ArrowRight');
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toContain(
    'posto 3',
  );
  expect(
    (await theatre.client.events.retrieveObjectInfo(EVENT, 'Palchi I ordine-4-2')).status,
  ).toBe('reservedByToken');
});

test('another visitor sees the seat taken at once and cannot choose it', async () => {
  await using theatre = await openTheatre(browser);
  const [first, second] = await Promise.all([theatre.enter(), theatre.enter()]);
  await Promise.all([first.hears('rendered'), second.hears('rendered')]);
  await first.pressSeat('Palchi I ordine-4-2');
  await second.hears('status Palchi I ordine-4-2 reservedByToken');
  await second.pressSeat('Palchi I ordine-4-2');
  await second.ask('chart.trySelectObjects(["Palchi I ordine-4-2"])');
  expect(await second.ask('chart.selectedObjects')).toEqual([]);
  expect((await second.heard()).filter((line) => line.startsWith('calls'))).toEqual([]);
  await first.ask('chart.clearSelection()');
  await second.hears('status Palchi I ordine-4-2 free');
  await second.pressSeat('Palchi I ordine-4-2');
  await second.hears('held Palchi I ordine-4-2');
});

test('a seat that was taken a moment ago is given up with a sentence', async () => {
  await using theatre = await openTheatre(browser);
  // This visitor hears nothing of the others.
  const { page, ask, hears, pressSeat } = await theatre.enter({
    prepare: (page) => page.route('**/stream**', (route) => route.abort()),
  });
  await hears('rendered');
  await theatre.client.events.book(EVENT, 'Palchi I ordine-4-2');
  await pressSeat('Palchi I ordine-4-2');
  await hears('not held Palchi I ordine-4-2');
  await page.getByText('Questo posto è stato appena preso. Scegline un altro.').first().waitFor();
  expect(await ask('chart.selectedObjects')).toEqual([]);
  expect(
    await ask('chart.findObject("Palchi I ordine-4-2").then((object) => object.selectable)'),
  ).toBe(false);
});

test('several ticket types are asked for, Escape takes the question back and the focus returns', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears, openRow } = await theatre.enter();
  await hears('rendered');
  await openRow(/^Platea/, /^Fila C/);
  const seat = page.getByRole('button', { name: /^Fila C, posto 5, Platea, da 18,00 €/ });
  await seat.click();
  const question = page.getByRole('dialog', { name: 'Platea, fila C, posto 5' });
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await ask('chart.selectedObjects')).toEqual([]);
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toContain(
    'Fila C, posto 5',
  );
  await seat.click();
  await question.getByRole('button', { name: /Ridotto\s*18,00 €/ }).click();
  await hears('held Platea-C-5 ridotto');
  expect((await theatre.client.events.retrieveObjectInfo(EVENT, 'Platea-C-5')).ticketType).toBe(
    'ridotto',
  );
  expect(
    await ask(
      'chart.listSelectedObjects().then(([object]) => [object.objectType, object.selectedTicketType, object.labels.parent])',
    ),
  ).toEqual(['Seat', 'ridotto', 'C']);
});

test('a double click on a seat opens its question and leaves it open', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears } = await theatre.enter();
  await hears('rendered');
  await ask('chart.zoomToObjects(["Platea-C-5"])');
  const box = (await page.locator('.bsc-map').boundingBox())!;
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
  const question = page.getByRole('dialog', { name: 'Platea, fila C, posto 5' });
  await question.getByRole('button', { name: /Intero/ }).click();
  await hears('held Platea-C-5 intero');
});

test('an area pressed twice in a moment is asked about twice: that is no double tap', async () => {
  await using theatre = await openTheatre(browser);
  const { page, hears, pressSeat } = await theatre.enter();
  await hears('rendered');
  const question = page.getByRole('dialog', { name: /Loggione/ });
  await pressSeat('Loggione');
  await question.waitFor();
  await page.keyboard.press('Escape');
  await pressSeat('Loggione');
  await question.waitFor();
});

test('standing places are chosen by number and ticket type, and can be changed later', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears, pressSeat } = await theatre.enter();
  await hears('rendered');
  const numHeld = async () =>
    (await theatre.client.events.retrieveObjectInfo(EVENT, 'Loggione')).numHeld;
  await pressSeat('Loggione');
  // The sheet opens at one place: whoever taps an area wants to stand there.
  const full = page.getByRole('spinbutton', { name: 'Intero' });
  await full.waitFor();
  expect(await full.inputValue()).toBe('1');
  await page.getByRole('button', { name: 'Un posto in più, Intero' }).click();
  await page.getByRole('button', { name: 'Un posto in più, Ridotto' }).click();
  await page.getByText('Totale 42,00 €').waitFor();
  await page.getByRole('button', { name: 'Conferma' }).click();
  await hears('held Loggione ridotto');
  expect(await numHeld()).toBe(3);
  expect(
    await ask(
      'chart.listSelectedObjects().then(([area]) => [area.objectType, area.numSelected, area.selectionPerTicketType])',
    ),
  ).toEqual(['GeneralAdmissionArea', 3, { intero: 2, ridotto: 1 }]);
  await pressSeat('Loggione');
  await full.waitFor();
  expect(await full.inputValue()).toBe('2');
  await page.getByRole('button', { name: 'Un posto in meno, Intero' }).click();
  await page.getByRole('button', { name: 'Conferma' }).click();
  await hears('released Loggione');
  expect(await numHeld()).toBe(2);
});

test('a seat left alone is marked and told, and the page hears when the choice is right again', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears, heard } = await theatre.enter({
    chart: {
      selectionValidators: [
        { type: 'noOrphanSeats' },
        { type: 'consecutiveSeats' },
        { type: 'minimumSelectedPlaces', minimum: 1 },
      ],
    },
  });
  await hears('rendered');
  await ask('chart.trySelectObjects([{ label: "Platea-B-2", ticketType: "intero" }])');
  await hears('invalid noOrphanSeats');
  expect(await ask('chart.findObject("Platea-B-1").then((object) => object.isOrphan)')).toBe(true);
  await page.getByText(choiceFaults.noOrphanSeats).first().waitFor();
  await ask('chart.trySelectObjects([{ label: "Platea-B-1", ticketType: "intero" }])');
  await hears('valid');
  expect(await ask('chart.findObject("Platea-B-1").then((object) => object.isOrphan)')).toBe(false);
  await ask('chart.trySelectObjects([{ label: "Platea-D-4", ticketType: "intero" }])');
  expect((await heard()).filter((line) => /^(in)?valid/.test(line)).at(-1)).toBe(
    'invalid consecutiveSeats',
  );
});

test('no more places are chosen than the page allows', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears, pressSeat } = await theatre.enter({ chart: { maxSelectedObjects: 1 } });
  await hears('rendered');
  await pressSeat('Palchi I ordine-4-2');
  await hears('held Palchi I ordine-4-2');
  await pressSeat('Palchi I ordine-4-3');
  await page.getByText('Puoi scegliere un solo posto.').first().waitFor();
  expect(await ask('chart.selectedObjects')).toEqual(['Palchi I ordine-4-2']);
});

test('places without a price are closed when the page says so', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, hears } = await theatre.enter({
    chart: {
      pricing: [{ category: 'Galleria', price: 15 }],
      objectWithoutPricingSelectable: false,
    },
  });
  await hears('rendered');
  await ask('chart.trySelectObjects(["Platea-C-5", "Galleria-A-3"])');
  expect(await ask('chart.selectedObjects')).toEqual(['Galleria-A-3']);
});

test('on a phone the first tap brings the seats near and the next one chooses', async () => {
  await using theatre = await openTheatre(browser);
  const { page, ask, hears } = await theatre.enter({
    context: {
      viewport: { width: 390, height: 760 },
      hasTouch: true,
      isMobile: true,
      deviceScaleFactor: 2,
    },
  });
  await hears('rendered');
  await page.getByText('Tocca la zona che preferisci per ingrandirla').waitFor();
  const home = page.getByRole('button', { name: 'Mostra tutta la sala' });
  expect(await home.getAttribute('aria-disabled')).toBe('true');
  const box = (await page.locator('.bsc-map').boundingBox())!;
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  // Left of the aisle, in the stalls.
  await page.touchscreen.tap(middle.x - 40, middle.y - 80);
  expect(await ask('chart.selectedObjects')).toEqual([]);
  expect(await home.getAttribute('aria-disabled')).toBe('false');
  await page.touchscreen.tap(middle.x, middle.y);
  await page
    .getByRole('dialog', { name: /^Platea, fila [A-P], posto \d+$/ })
    .getByRole('button', { name: /Intero/ })
    .click();
  await hears('held Platea-');
  const [label] = await ask<string[]>('chart.selectedObjects');
  expect((await theatre.client.events.retrieveObjectInfo(EVENT, label!)).status).toBe(
    'reservedByToken',
  );
});
