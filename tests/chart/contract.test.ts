/** The embed contract option by option, as a page without React uses it, against the real stand-in. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventParams, uploadDrawing } from '#tests/standins/seatsio/start.ts';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openPlainChart } from './plain-chart.ts';
import { buildScripts, EVENT, openTheatre, type Theatre, type Visitor } from './theatre.ts';

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), buildScripts()]);
});
afterAll(() => browser.close());

async function enter(
  theatre: Theatre,
  settings: string,
): Promise<
  Visitor & {
    said: () => Promise<string[]>;
    told: (line: string) => Promise<unknown>;
    statusOf: (label: string) => Promise<string>;
  }
> {
  const visitor = await theatre.enter();
  await visitor.hears('rendered');
  await openPlainChart(visitor, settings);
  return {
    ...visitor,
    said: () => visitor.ask('said'),
    told: (line) =>
      visitor.page.waitForFunction(`said.some((one) => one.startsWith(${JSON.stringify(line)}))`),
    statusOf: async (label) =>
      (await theatre.client.events.retrieveObjectInfo(EVENT, label)).status,
  };
}

const refused = (call: string) => `(${call}).then(() => 'done', (error) => error.constructor.name)`;

test('a page that names channels chooses from them, sees which, and learns of no other', async () => {
  await using theatre = await openTheatre(browser);
  await theatre.client.events.channels.replace(EVENT, [
    { key: 'soci', name: 'Soci', color: '#000000', index: 1, objects: ['Palchi I ordine-4-1'] },
    { key: 'stampa', name: 'Stampa', color: '#000000', index: 2, objects: ['Palchi I ordine-4-2'] },
  ]);
  const { ask, page, statusOf } = await enter(theatre, '{ session: "start", channels: ["soci"] }');
  const wire = page.waitForResponse((response) => response.url().includes('/rendering-info'));
  await ask(
    'chart.trySelectObjects(["Palchi I ordine-4-1", "Palchi I ordine-4-2", "Palchi I ordine-4-3"])',
  );
  expect(await ask('chart.selectedObjects')).toEqual(['Palchi I ordine-4-1']);
  expect(await statusOf('Palchi I ordine-4-1')).toBe('reservedByToken');
  const token = await ask('chart.holdToken');
  await ask('chart.changeConfig({ channels: ["soci", "NO_CHANNEL"] })');
  expect(await (await wire).text()).not.toContain('stampa');
  expect(await ask('[chart.holdToken, chart.selectedObjects]')).toEqual([
    token,
    ['Palchi I ordine-4-1'],
  ]);
  await ask('chart.trySelectObjects(["Palchi I ordine-4-2", "Palchi I ordine-4-3"])');
  expect(await ask('chart.selectedObjects')).toEqual([
    'Palchi I ordine-4-1',
    'Palchi I ordine-4-3',
  ]);
  const seen =
    'Promise.all([1, 2, 3].map((seat) => chart.findObject("Palchi I ordine-4-" + seat).then((object) => [object.isInChannel("soci"), object.isInChannel("stampa"), object.inSelectableChannel])))';
  expect(await ask(seen)).toEqual([
    [true, false, true],
    [false, false, false],
    [false, false, true],
  ]);
});

test('prices may differ by channel', async () => {
  await using theatre = await openTheatre(browser);
  await theatre.client.events.channels.add(EVENT, 'soci', 'Soci', '#000000', 1, ['Galleria-A-1']);
  const { ask } = await enter(
    theatre,
    '{ channels: ["soci", "NO_CHANNEL"], pricing: { prices: [{ category: "Galleria", price: 15, channels: [{ channel: "soci", price: 9, originalPrice: 15 }] }] } }',
  );
  const prices =
    'Promise.all(["Galleria-A-1", "Galleria-A-2"].map((label) => chart.findObject(label).then((object) => [object.pricing.price, object.pricing.originalPrice ?? null])))';
  expect(await ask(prices)).toEqual([
    [9, 15],
    [15, null],
  ]);
});

test('several events are chosen from together: a seat taken in one is taken, and a hold is for all', async () => {
  await using theatre = await openTheatre(browser);
  const { client } = theatre;
  await client.events.create('teatro-goldoni', eventParams({ key: 'replica' }));
  await client.events.book('replica', 'Palchi I ordine-4-1');
  const { ask, told } = await enter(
    theatre,
    '{ session: "start", event: undefined, events: ["serata", "replica"] }',
  );
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1", "Palchi I ordine-4-2"])');
  expect(await ask('chart.selectedObjects')).toEqual(['Palchi I ordine-4-2']);
  for (const event of [EVENT, 'replica'])
    expect((await client.events.retrieveObjectInfo(event, 'Palchi I ordine-4-2')).status).toBe(
      'reservedByToken',
    );
  expect(
    await ask(
      'chart.findObject("Palchi I ordine-4-1").then(({ status, dataPerEvent }) => [status, dataPerEvent])',
    ),
  ).toEqual(['booked', { serata: { status: 'free' }, replica: { status: 'booked' } }]);
  await client.events.book(EVENT, 'Palchi I ordine-4-1');
  await client.events.release('replica', 'Palchi I ordine-4-1');
  // Each event's changes come by a stream of their own: the later one may be the first.
  await expect
    .poll(
      () => ask('chart.findObject("Palchi I ordine-4-1").then(({ dataPerEvent }) => dataPerEvent)'),
      { timeout: 20_000 },
    )
    .toEqual({ serata: { status: 'booked' }, replica: { status: 'free' } });
  expect(
    await ask('chart.findObject("Palchi I ordine-4-1").then(({ selectable }) => selectable)'),
  ).toBe(false);
  await ask('chart.clearSelection()');
  await told('ReleaseHoldSucceeded Palchi I ordine-4-2');
  expect((await client.events.retrieveObjectInfo('replica', 'Palchi I ordine-4-2')).status).toBe(
    'free',
  );
});

test('categories that are withdrawn while the chart stands are given back and closed', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, statusOf } = await enter(theatre, '{ session: "start" }');
  await ask(
    'chart.trySelectObjects(["Palchi I ordine-4-1", { label: "Galleria-A-3", ticketType: "intero" }])',
  );
  await ask('chart.changeConfig({ unavailableCategories: ["Palchi"] })');
  expect(await ask('chart.selectedObjects')).toEqual(['Galleria-A-3']);
  expect(await statusOf('Palchi I ordine-4-1')).toBe('free');
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1"])');
  expect(await ask('chart.selectedObjects')).toEqual(['Galleria-A-3']);
  await ask('chart.changeConfig({ unavailableCategories: null, availableCategories: ["Palchi"] })');
  expect(await ask('chart.selectedObjects')).toEqual([]);
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1"])');
  expect(await ask('chart.selectedObjects')).toEqual(['Palchi I ordine-4-1']);
});

test('filtered categories are told to the page, and seeing everything again ends the filter', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, said } = await enter(theatre, '{}');
  await ask('chart.changeConfig({ filteredCategories: ["Palchi", "Galleria"] })');
  expect(
    await ask(
      'chart.listCategories().then((all) => all.filter(({ isFiltered }) => isFiltered).map(({ label }) => label))',
    ),
  ).toEqual(['Palchi', 'Galleria']);
  await ask('chart.zoomToFilteredCategories()');
  await ask('chart.resetView()');
  expect((await said()).filter((line) => line.startsWith('Filtered'))).toEqual([
    'FilteredCategoriesChanged Palchi+Galleria',
    'FilteredCategoriesChanged',
  ]);
  expect(
    await ask('chart.listCategories().then((all) => all.some(({ isFiltered }) => isFiltered))'),
  ).toBe(false);
});

test('with a number of places to select one click takes them all and lets the earlier ones go', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, told, pressSeat, statusOf } = await enter(
    theatre,
    '{ session: "start", numberOfPlacesToSelect: 2 }',
  );
  await pressSeat('Palchi I ordine-4-1');
  await told('HoldSucceeded Palchi I ordine-4-1+Palchi I ordine-4-2');
  expect(await ask('chart.selectedObjects')).toEqual([
    'Palchi I ordine-4-1',
    'Palchi I ordine-4-2',
  ]);
  await pressSeat('Palchi I ordine-6-3');
  await told('HoldSucceeded Palchi I ordine-6');
  expect(await ask<string[]>('chart.selectedObjects')).toHaveLength(2);
  expect(await statusOf('Palchi I ordine-4-1')).toBe('free');
  await ask('chart.changeConfig({ numberOfPlacesToSelect: null })');
  await pressSeat('Palchi I ordine-4-1');
  await told('HoldSucceeded Palchi I ordine-4-1 palco');
  expect(await ask<string[]>('chart.selectedObjects')).toHaveLength(3);
});

test('a page’s own dialogs are asked instead of ours, with what they need, and must answer within the limits', async () => {
  await using theatre = await openTheatre(browser);
  const settings = (answer: string) => `{
    maxSelectedObjects: 8, prompts: globalThis.prompts = [],
    onTicketTypePrompt: (asked, confirm) => { prompts.push([asked.objectToSelect.label, asked.ticketTypes.map(({ ticketType, formattedPrice }) => ticketType + ' ' + formattedPrice)]); confirm('ridotto'); },
    onPlacesWithTicketTypesPrompt: (asked, confirm) => { prompts.push([asked.objectsToSelect.map(({ label }) => label), asked.selectedPlacesByTicketType, asked.minPlaces, asked.maxPlaces]); confirm(${answer}); },
  }`;
  const visitor = await enter(theatre, settings('{ intero: 2, ridotto: 1 }'));
  const { ask, told, pressSeat, page } = visitor;
  await ask('chart.trySelectObjects(["Platea-C-5"])');
  await pressSeat('Loggione');
  await told('ObjectSelected Loggione ridotto');
  expect(await ask('prompts')).toEqual([
    ['Platea-C-5', ['intero 25,00\u00a0€', 'ridotto 18,00\u00a0€']],
    [['Loggione'], {}, 0, 7],
  ]);
  const chosen =
    'chart.listSelectedObjects().then((all) => all.map(({ label, selectedTicketType, selectionPerTicketType }) => [label, selectionPerTicketType ?? selectedTicketType]))';
  expect(await ask(chosen)).toEqual([
    ['Platea-C-5', 'ridotto'],
    ['Loggione', { intero: 2, ridotto: 1 }],
  ]);
  expect(await page.getByRole('dialog').count()).toBe(0);
  for (const answer of [
    '{ intero: 50 }',
    '{ gratis: 1 }',
    '{ intero: -1 }',
    '["intero", "nobody"]',
  ]) {
    await openPlainChart(visitor, settings(answer));
    await pressSeat('Loggione');
    await page.waitForFunction('prompts.length === 1');
    expect(await ask(chosen)).toEqual([]);
  }
});

test('places of one price are asked for by their number', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, told, pressSeat } = await enter(
    theatre,
    `{
    session: 'start', pricing: [{ category: 'Galleria', price: 15 }],
    onPlacesPrompt: (asked, confirm) => { globalThis.asked = [asked.objectToSelect.label, asked.selectedPlaces, asked.minPlaces]; confirm(3); },
  }`,
  );
  await pressSeat('Loggione');
  await told('HoldSucceeded Loggione');
  expect(await ask('[asked, chart.selectedObjects]')).toEqual([['Loggione', 0, 0], ['Loggione']]);
  expect((await theatre.client.events.retrieveObjectInfo(EVENT, 'Loggione')).numHeld).toBe(3);
});

test('standing places may be chosen without a hold while seats are held', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, statusOf } = await enter(theatre, '{ session: "start", holdOnSelectForGAs: false }');
  await ask(
    'chart.trySelectObjects([{ label: "Loggione", ticketType: "intero", amount: 4 }, "Palchi I ordine-4-1"])',
  );
  expect(
    await ask(
      'chart.listSelectedObjects().then((all) => all.map(({ label, numSelected }) => [label, numSelected ?? 1]))',
    ),
  ).toEqual([
    ['Loggione', 4],
    ['Palchi I ordine-4-1', 1],
  ]);
  expect((await theatre.client.events.retrieveObjectInfo(EVENT, 'Loggione')).numHeld).toBe(0);
  expect(await statusOf('Palchi I ordine-4-1')).toBe('reservedByToken');
});

test('a strict selection takes all or nothing and asks nothing', async () => {
  await using theatre = await openTheatre(browser);
  await theatre.client.events.book(EVENT, 'Palchi I ordine-4-1');
  const { ask, page, said } = await enter(theatre, '{ session: "start" }');
  for (const wish of [
    '["Palchi I ordine-4-2", "Palchi I ordine-4-1"]',
    '["Palchi I ordine-4-2", "Nowhere-1"]',
    '["Palchi I ordine-4-2", "Platea-C-5"]',
    '[{ label: "Platea-C-5", ticketType: "gratis" }]',
  ]) {
    expect(await ask(refused(`chart.doSelectObjects(${wish})`))).toBe('Error');
  }
  expect(await ask('chart.selectedObjects')).toEqual([]);
  expect((await said()).filter((line) => /^(Hold|Object)/.test(line))).toEqual([]);
  await ask(
    'chart.doSelectObjects(["Palchi I ordine-4-2", { label: "Platea-C-5", ticketType: "intero" }])',
  );
  expect((await said()).filter((line) => line.startsWith('HoldSucceeded'))).toEqual([
    'HoldSucceeded Palchi I ordine-4-2+Platea-C-5 palco+intero',
  ]);
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('a selection that misses its ticket type asks for it', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, page, told } = await enter(theatre, '{}');
  await ask(
    'void chart.trySelectObjects(["Platea-C-5", { label: "Platea-C-6", ticketType: "intero" }])',
  );
  await page
    .getByRole('dialog', { name: 'Platea, fila C, posto 5' })
    .getByRole('button', { name: /Ridotto/ })
    .click();
  await told('ObjectSelected Platea-C-6 intero');
  expect(
    await ask(
      'chart.listSelectedObjects().then((all) => all.map(({ selectedTicketType }) => selectedTicketType))',
    ),
  ).toEqual(['ridotto', 'intero']);
});

test('where the chart is only to be looked at, nothing is chosen and no session is begun in spotlight', async () => {
  await using theatre = await openTheatre(browser);
  await theatre.client.events.book(EVENT, 'Palchi I ordine-4-1');
  const visitor = await enter(theatre, '{ mode: "static" }');
  const { ask, pressSeat, said } = visitor;
  await pressSeat('Palchi I ordine-4-2');
  await ask('chart.trySelectObjects(["Palchi I ordine-4-2"])');
  expect(await ask('chart.selectedObjects')).toEqual([]);
  expect((await said()).filter((line) => line.startsWith('Object'))).toEqual([
    'ObjectClicked Palchi I ordine-4-2',
  ]);
  expect(
    await ask('chart.findObject("Palchi I ordine-4-2").then(({ selectable }) => selectable)'),
  ).toBe(false);
  await openPlainChart(
    visitor,
    '{ mode: "spotlight", session: "start", selectedObjects: ["Palchi I ordine-4-1"] }',
  );
  expect(await ask('[chart.holdToken, chart.selectedObjects]')).toEqual([
    '',
    ['Palchi I ordine-4-1'],
  ]);
  await ask('chart.doSelectObjects(["Palchi I ordine-4-2"])');
  await ask('chart.deselectObjects(["Palchi I ordine-4-1"])');
  expect(await ask('chart.selectedObjects')).toEqual(['Palchi I ordine-4-2']);
  expect(await visitor.statusOf('Palchi I ordine-4-2')).toBe('free');
});

test('objects may be made selectable although they are taken, but not although they are not for sale', async () => {
  await using theatre = await openTheatre(browser);
  await theatre.client.events.book(EVENT, ['Palchi I ordine-4-1']);
  await theatre.client.events.markAsNotForSale(EVENT, ['Palchi I ordine-4-2']);
  const { ask } = await enter(
    theatre,
    '{ selectableObjects: ["Palchi I ordine-4-1", "Palchi I ordine-4-2"] }',
  );
  await ask(
    'chart.trySelectObjects(["Palchi I ordine-4-1", "Palchi I ordine-4-2", "Palchi I ordine-4-3"])',
  );
  expect(await ask('chart.selectedObjects')).toEqual([
    'Palchi I ordine-4-1',
    'Palchi I ordine-4-3',
  ]);
});

test('the session is the one that the page asked for', async () => {
  await using theatre = await openTheatre(browser);
  const { holdToken } = await theatre.client.holdTokens.create();
  await theatre.client.events.hold(EVENT, 'Palchi I ordine-4-1', holdToken);
  const visitor = await enter(theatre, '{ session: "none" }');
  const { ask, said, statusOf } = visitor;
  await ask('chart.trySelectObjects(["Palchi I ordine-4-3"])');
  expect(await ask('[chart.holdToken, chart.selectedObjects]')).toEqual([
    '',
    ['Palchi I ordine-4-3'],
  ]);
  expect(await statusOf('Palchi I ordine-4-3')).toBe('free');
  await openPlainChart(visitor, `{ session: 'manual', holdToken: '${holdToken}' }`);
  expect(await ask('[chart.holdToken, chart.selectedObjects]')).toEqual([
    holdToken,
    ['Palchi I ordine-4-1'],
  ]);
  expect(await said()).toContain(`SessionInitialized ${holdToken}`);
  await openPlainChart(visitor, '{ session: "start" }');
  const first = await ask('chart.holdToken');
  expect(await ask('chart.selectedObjects')).toEqual([]);
  await openPlainChart(visitor, '{ session: "continue" }');
  expect(await ask('chart.holdToken')).toBe(first);
  await openPlainChart(visitor, '{ session: "start" }');
  expect([first, holdToken]).not.toContain(await ask('chart.holdToken'));
});

test('drawing anew ends the choice, and a token that nobody has any more blocks nothing', async () => {
  await using theatre = await openTheatre(browser);
  const visitor = await enter(theatre, '{ session: "start" }');
  const { ask, page, statusOf } = visitor;
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1"])');
  const token = await ask('chart.holdToken');
  await ask('chart.rerender()');
  await page.waitForFunction(
    `chart.state === 'RENDERED' && chart.holdToken && chart.holdToken !== ${JSON.stringify(token)}`,
  );
  expect(await ask('chart.selectedObjects')).toEqual([]);
  expect(await statusOf('Palchi I ordine-4-1')).toBe('free');
  await openPlainChart(visitor, '{}');
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1"])');
  await ask('chart.rerender()');
  await page.waitForFunction('chart.state === "RENDERED" && chart.selectedObjects.length === 0');
});

test('a new session gives everything back and begins with another token', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, statusOf, said } = await enter(theatre, '{ session: "start" }');
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1"])');
  const token = await ask('chart.holdToken');
  await ask('chart.startNewSession()');
  expect(await ask('chart.holdToken')).not.toBe(token);
  expect(await ask('chart.selectedObjects')).toEqual([]);
  expect(await statusOf('Palchi I ordine-4-1')).toBe('free');
  expect((await said()).filter((line) => line.startsWith('SessionInitialized'))).toHaveLength(2);
});

test('clearing the selection is rejected while the seats cannot be given back', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, page, statusOf } = await enter(theatre, '{ session: "start" }');
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1", "Palchi I ordine-4-2"])');
  await page.route('**/actions/release', (route) => route.abort(), { times: 1 });
  expect(await ask(refused('chart.clearSelection()'))).toBe('Error');
  expect(await ask('chart.selectedObjects')).toEqual([
    'Palchi I ordine-4-1',
    'Palchi I ordine-4-2',
  ]);
  await ask('chart.clearSelection()');
  expect([await statusOf('Palchi I ordine-4-1'), await statusOf('Palchi I ordine-4-2')]).toEqual([
    'free',
    'free',
  ]);
});

test('of several wishes only those that somebody was faster at are given up', async () => {
  await using theatre = await openTheatre(browser);
  const visitor = await theatre.enter({
    prepare: (page) => page.route('**/stream**', (route) => route.abort()),
  });
  await visitor.hears('rendered');
  await openPlainChart(visitor, '{ session: "start" }');
  await theatre.client.events.book(EVENT, 'Palchi I ordine-4-2');
  await visitor.ask(
    'chart.trySelectObjects(["Palchi I ordine-4-1", "Palchi I ordine-4-2", "Palchi I ordine-4-3"])',
  );
  expect(await visitor.ask('chart.selectedObjects')).toEqual([
    'Palchi I ordine-4-1',
    'Palchi I ordine-4-3',
  ]);
  const said = await visitor.ask<string[]>('said');
  expect(said.filter((line) => line.startsWith('Hold')).toSorted()).toEqual(
    [
      'HoldCallsComplete',
      'HoldCallsInProgress',
      'HoldFailed Palchi I ordine-4-2 palco',
      'HoldSucceeded Palchi I ordine-4-1 palco',
      'HoldSucceeded Palchi I ordine-4-3 palco',
    ].filter((line) => line !== 'HoldCallsComplete' || said.includes(line)),
  );
});

test('a form around the chart posts the seats and the token', async () => {
  await using theatre = await openTheatre(browser);
  const { ask } = await enter(
    theatre,
    '{ session: "start", selectedObjectsInputName: "posti", holdTokenInputName: "gettone" }',
  );
  const fields = '[...new FormData(document.querySelector("form"))]';
  expect(await ask(fields)).toEqual([['gettone', await ask('chart.holdToken')]]);
  await ask('chart.trySelectObjects(["Palchi I ordine-4-1", "Palchi I ordine-4-2"])');
  expect(await ask(fields)).toEqual([
    ['posti', 'Palchi I ordine-4-1'],
    ['posti', 'Palchi I ordine-4-2'],
    ['gettone', await ask('chart.holdToken')],
  ]);
});

test('the charts of a page are listed while they stand', async () => {
  await using theatre = await openTheatre(browser);
  const { ask } = await enter(theatre, '{}');
  expect(await ask('[seatsio.charts.length, seatsio.charts[0] === chart]')).toEqual([1, true]);
  await ask('chart.destroy()');
  expect(await ask('seatsio.charts.length')).toBe(0);
});

test('an object knows its place, its price and its seat, and can choose itself', async () => {
  await using theatre = await openTheatre(browser);
  const { ask, statusOf } = await enter(theatre, '{ session: "start" }');
  expect(
    await ask(
      'chart.findObject("Platea-C-5").then(({ select, deselect, pulse, unpulse, isInChannel, ...rest }) => rest)',
    ),
  ).toMatchObject({
    id: 'Platea-C-5',
    objectType: 'Seat',
    labels: { own: '5', parent: 'C', section: 'Platea' },
    parent: { type: 'row' },
    section: 'Platea',
    category: { label: 'Platea', hasSelectableObjects: true },
    status: 'free',
    selected: false,
    selectable: true,
    forSale: true,
    isOrphan: false,
    pricing: {
      ticketTypes: [
        { ticketType: 'intero', price: 25, formattedPrice: '25,00\u00a0€' },
        { ticketType: 'ridotto' },
      ],
    },
    dataPerEvent: { serata: { status: 'free' } },
  });
  expect(
    await ask(refused('chart.findObject("Platea-C-5").then((object) => object.select())')),
  ).toBe('Error');
  await ask('chart.findObject("Platea-C-5").then((object) => object.select("ridotto"))');
  expect(await statusOf('Platea-C-5')).toBe('reservedByToken');
  await ask('chart.findObject("Platea-C-5").then((object) => object.deselect())');
  expect(await statusOf('Platea-C-5')).toBe('free');
  expect(await ask(refused('chart.findObject("Nowhere-1")'))).toBe('Error');
  await ask(
    'Promise.all([chart.pulse(["Platea-C-5", "Nowhere-1"]), chart.unpulse(["Platea-C-5"]), chart.setSpotlightObjects(["Platea-C-5"]), chart.clearSpotlightObjects()])',
  );
});

const seat = (label: string, x: number, categoryKey: number) => ({
  uuid: `${label}-${x}`,
  label,
  x,
  y: 30,
  categoryKey,
});
const zoned = {
  name: 'Zoned',
  version: 1,
  venueType: 'WITH_ZONES',
  categories: {
    list: [
      { key: 1, label: 'Rossa', color: '#a00000', accessible: false },
      { key: 2, label: 'Blu', color: '#0000a0', accessible: false },
    ],
    maxCategoryKey: 2,
  },
  zones: {
    list: [
      { key: 'ovest', label: 'Ovest', focalPoint: { x: 100, y: 0 } },
      { key: 'est', label: 'Est', focalPoint: { x: 400, y: 0 } },
    ],
  },
  subChart: {
    width: 600,
    height: 300,
    focalPoint: { x: 300, y: 0 },
    rows: [],
    tables: [],
    booths: [],
    shapes: [],
    texts: [],
    generalAdmissionAreas: [
      {
        uuid: 'prato',
        label: 'Prato',
        capacity: 50,
        categoryKey: 2,
        type: 'circle',
        center: { x: 300, y: 250 },
        radius1: 60,
        radius2: 30,
        rotationAngle: 0,
      },
    ],
    sections: ['ovest', 'est'].map((zone, at) => ({
      uuid: zone,
      label: zone.toUpperCase(),
      points: [
        { x: 20 + at * 300, y: 20 },
        { x: 220 + at * 300, y: 20 },
        { x: 220 + at * 300, y: 120 },
        { x: 20 + at * 300, y: 120 },
      ],
      topLeft: { x: 20 + at * 300, y: 20 },
      categoryKey: 1,
      zone,
      subChart: {
        width: 200,
        height: 100,
        rows: [
          {
            uuid: `${zone}-r`,
            label: 'A',
            seats: [1, 2, 3, 4].map((n) => seat(String(n), n * 30, at === 0 ? 1 : 2)),
          },
        ],
      },
    })),
  },
};

test('places that can be chosen are reported by category, by zone and by channel', async () => {
  await using theatre = await openTheatre(browser);
  const { client } = theatre;
  await uploadDrawing(theatre, { key: 'zoned', drawing: zoned });
  await client.events.create('zoned', eventParams({ key: 'zone' }));
  await client.events.book('zone', 'OVEST-A-1');
  await client.events.channels.replace('zone', [
    { key: 'soci', name: 'Soci', color: '#000000', index: 1, objects: ['EST-A-1'] },
    { key: 'altri', name: 'Altri', color: '#000000', index: 2, objects: ['EST-A-2', 'EST-A-3'] },
  ]);
  const { ask } = await enter(
    theatre,
    '{ event: "zone", pricing: undefined, channels: ["soci", "NO_CHANNEL"] }',
  );
  expect(await ask('chart.getReportBySelectability()')).toEqual({
    selectable: {
      count: 55,
      byCategoryLabel: { Rossa: 3, Blu: 52, NO_CATEGORY: 0 },
      byCategoryKey: { 1: 3, 2: 52, NO_CATEGORY: 0 },
    },
    not_selectable: {
      count: 3,
      byCategoryLabel: { Rossa: 1, Blu: 2, NO_CATEGORY: 0 },
      byCategoryKey: { 1: 1, 2: 2, NO_CATEGORY: 0 },
    },
  });
  expect(
    await ask(
      'chart.getReportBySelectabilityGroupedBy("zone").then(({ ovest, est }) => [ovest.selectable.count, ovest.not_selectable.byCategoryLabel, est.selectable.byChannel, est.not_selectable.byChannel])',
    ),
  ).toEqual([
    3,
    { Rossa: 1, Blu: 0, NO_CATEGORY: 0 },
    { NO_CHANNEL: 1, soci: 1 },
    { NO_CHANNEL: 0, soci: 0, LOCKED_CHANNEL: 2 },
  ]);
  expect(await ask('chart.listZones()')).toEqual([
    { key: 'ovest', label: 'Ovest' },
    { key: 'est', label: 'Est' },
  ]);
  expect(
    await ask(
      'chart.zoomToSection("EST").then((sections) => sections.map(({ label, numberOfSelectableObjects, selectableCategories, zone }) => [label, numberOfSelectableObjects, selectableCategories, zone]))',
    ),
  ).toEqual([['EST', 2, ['2'], 'est']]);
});

test('a page is told which floor its visitor sees, and may show another', async () => {
  await using theatre = await openTheatre(browser);
  const floor = (floorName: string, categoryKey: number) => ({
    ...zoned.subChart,
    floorName,
    floorDisplayName: `Piano ${floorName}`,
    sections: [],
    generalAdmissionAreas: [],
    rows: [
      {
        uuid: floorName,
        label: `F${floorName}`,
        seats: [1, 2, 3].map((n) => seat(String(n), n * 30, categoryKey)),
      },
    ],
  });
  const { subChart: _, ...drawing } = zoned;
  await uploadDrawing(theatre, {
    key: 'floors',
    drawing: { ...drawing, subChartFloors: [floor('1', 1), floor('2', 2)] },
  });
  await theatre.client.events.create('floors', eventParams({ key: 'alto' }));
  const visitor = await enter(
    theatre,
    '{ event: "alto", pricing: undefined, activeFloor: "2", onFloorChanged: (floor) => said.push("floor " + floor?.name + " " + floor?.categories.map(({ label }) => label)) }',
  );
  const { ask, said } = visitor;
  const floors = async () => (await said()).filter((line) => line.startsWith('floor'));
  expect(await floors()).toEqual(['floor 2 Blu']);
  await ask('chart.goToFloor("1")');
  expect(await floors()).toEqual(['floor 2 Blu', 'floor 1 Rossa']);
  expect(await ask(refused('chart.goToFloor("9")'))).toBe('Error');
  expect(await ask('chart.findObject("F2-1").then((object) => object.floor)')).toBe('2');
});

test('the chart can fill the screen, and the page hears of it', async () => {
  await using theatre = await openTheatre(browser);
  const { page, told } = await enter(theatre, '{ showFullScreenButton: true }');
  await page.getByRole('button', { name: 'Schermo intero', exact: true }).click();
  await told('FullScreenOpened');
  await page.getByRole('button', { name: 'Esci dallo schermo intero' }).click();
  await told('FullScreenClosed');
});

test('sections that are not for sale at all can be hidden', async () => {
  await using theatre = await openTheatre(browser);
  const { client } = theatre;
  await uploadDrawing(theatre, { key: 'zoned', drawing: zoned });
  await client.events.create('zoned', eventParams({ key: 'zone' }));
  await client.events.markAsNotForSale('zone', ['EST']);
  const { ask } = await enter(
    theatre,
    '{ event: "zone", pricing: undefined, hideSectionsNotForSale: true }',
  );
  expect(
    await ask('chart.getReportBySelectability().then(({ selectable }) => selectable.count)'),
  ).toBe(54);
  await client.events.markEverythingAsForSale('zone');
  await expect
    .poll(() => ask('chart.getReportBySelectability().then(({ selectable }) => selectable.count)'))
    .toBe(58);
});

test('the office chooses whatever is there, and learns what its order has become', async () => {
  await using theatre = await openTheatre(browser);
  await theatre.client.events.book(EVENT, ['Palchi I ordine-4-1', 'Palchi I ordine-4-2']);
  const visitor = await theatre.enter();
  await visitor.hears('rendered');
  const { ask, statusOf } = {
    ...visitor,
    statusOf: async (label: string) =>
      (await theatre.client.events.retrieveObjectInfo(EVENT, label)).status,
  };
  await openPlainChart(
    visitor,
    '{ mode: "select", selectedObjects: ["Palchi I ordine-4-1"] }',
    'EventManager',
  );
  await ask('chart.trySelectObjects(["Palchi I ordine-4-2", "Palchi I ordine-4-3"])');
  expect(await ask('chart.selectedObjects')).toEqual([
    'Palchi I ordine-4-1',
    'Palchi I ordine-4-2',
    'Palchi I ordine-4-3',
  ]);
  expect(await statusOf('Palchi I ordine-4-3')).toBe('free');
  await openPlainChart(
    visitor,
    '{ mode: "editOrder", order: ["Palchi I ordine-4-1", { label: "Palchi I ordine-4-2", ticketType: "palco" }] }',
    'EventManager',
  );
  await ask('chart.deselectObjects(["Palchi I ordine-4-1"])');
  await ask('chart.trySelectObjects(["Palchi I ordine-4-3"])');
  expect(await ask('chart.listOrderChanges()')).toEqual([
    { type: 'PLACE_REMOVED', object: 'Palchi I ordine-4-1' },
    { type: 'PLACE_ADDED', object: 'Palchi I ordine-4-3', ticketType: 'palco' },
  ]);
  await openPlainChart(visitor, '{ mode: "manageObjectStatuses" }', 'EventManager');
  await ask('chart.trySelectObjects(["Palchi I ordine-4-4"])');
  expect(await ask('chart.selectedObjects')).toEqual([]);
});
