/** The embed contract option by option, as a page without React uses it, against the real stand-in. */
import { expect } from 'vitest';
import { uploadDrawing } from '#tests/standins/seatsio/start.ts';
import { hallOfTwoFloors, zonedHall } from './halls.ts';
import { box, EVENT, type Visitor, testTheatre as test } from './theatre.ts';

const start = { session: 'start' };
const none = { session: 'none' };

/** What is chosen, each with its ticket type or its numbers. */
const typesIn = ({ ask }: Visitor) =>
  ask(
    'chart.listSelectedObjects().then((all) => all.map(({ label, selectedTicketType, selectionPerTicketType }) => [label, selectionPerTicketType ?? selectedTicketType]))',
  );

test('a page that names channels chooses from them at their prices, sees which, and learns of no other', async (theatre) => {
  await theatre.client.events.channels.replace(EVENT, [
    { key: 'soci', name: 'Soci', color: '#000000', index: 1, objects: [box(1), 'Galleria-A-1'] },
    { key: 'stampa', name: 'Stampa', color: '#000000', index: 2, objects: [box(2)] },
  ]);
  const { ask, page, read, choose, chosen, infoOf, show } = await theatre.enter({
    chart: { ...start, channels: ['soci'] },
  });
  const wire = page.waitForResponse((response) => response.url().includes('/rendering-info'));
  await choose(box(1), box(2), box(3));
  expect(await chosen()).toEqual([box(1)]);
  expect((await infoOf(box(1))).status).toBe('reservedByToken');
  const token = await ask('chart.holdToken');
  await ask('chart.changeConfig({ channels: ["soci", "NO_CHANNEL"] })');
  expect(await (await wire).text()).not.toContain('stampa');
  expect(await ask('[chart.holdToken, chart.selectedObjects]')).toEqual([token, [box(1)]]);
  await choose(box(2), box(3));
  expect(await chosen()).toEqual([box(1), box(3)]);
  const seen =
    'Promise.all([1, 2, 3].map((seat) => chart.findObject("Palchi I ordine-4-" + seat).then((object) => [object.isInChannel("soci"), object.isInChannel("stampa"), object.inSelectableChannel])))';
  expect(await ask(seen)).toEqual([
    [true, false, true],
    [false, false, false],
    [false, false, true],
  ]);

  const members = [{ channel: 'soci', price: 9, originalPrice: 15 }];
  await show({
    chart: {
      event: EVENT,
      channels: ['soci', 'NO_CHANNEL'],
      pricing: { prices: [{ category: 'Galleria', price: 15, channels: members }] },
    },
  });
  expect(await read('Galleria-A-1', 'pricing')).toMatchObject([{ price: 9, originalPrice: 15 }]);
  const [usual] = (await read('Galleria-A-2', 'pricing')) as { originalPrice?: number }[];
  expect(usual).toMatchObject({ price: 15 });
  expect(usual!.originalPrice ?? null).toBe(null);
});

test('several events are chosen from together: a seat taken in one is taken, and a hold is for all', async (theatre) => {
  const { events } = theatre.client;
  const again = await theatre.stage();
  await events.book(again, box(1));
  const { ask, choose, chosen, read, told } = await theatre.enter({
    chart: { ...start, event: null, events: [EVENT, again] },
  });
  const statusOf = async (event: string) => (await events.retrieveObjectInfo(event, box(2))).status;
  await choose(box(1), box(2));
  expect(await chosen()).toEqual([box(2)]);
  for (const event of [EVENT, again]) expect(await statusOf(event)).toBe('reservedByToken');
  expect(await read(box(1), 'status', 'dataPerEvent')).toEqual([
    'booked',
    { [EVENT]: { status: 'free' }, [again]: { status: 'booked' } },
  ]);
  await events.book(EVENT, box(1));
  await events.release(again, box(1));
  // Each event's changes come by a stream of their own: the later one may be the first.
  await expect
    .poll(() => read(box(1), 'dataPerEvent'))
    .toEqual([{ [EVENT]: { status: 'booked' }, [again]: { status: 'free' } }]);
  expect(await read(box(1), 'selectable')).toEqual([false]);
  await ask('chart.clearSelection()');
  await told(`ReleaseHoldSucceeded ${box(2)}`);
  expect(await statusOf(again)).toBe('free');
});

test('the page says what may be chosen: categories withdrawn or filtered, seats that are taken, so many at a time, or nothing', async (theatre) => {
  const { events } = theatre.client;
  const { ask, choose, chosen, read, said, told, infoOf, pressSeat, show } = await theatre.enter({
    chart: start,
  });
  await choose(box(1), { label: 'Galleria-A-3', ticketType: 'intero' });
  await ask('chart.changeConfig({ unavailableCategories: ["Palchi"] })');
  expect(await chosen()).toEqual(['Galleria-A-3']);
  expect((await infoOf(box(1))).status).toBe('free');
  await choose(box(1));
  expect(await chosen()).toEqual(['Galleria-A-3']);
  await ask('chart.changeConfig({ unavailableCategories: null, availableCategories: ["Palchi"] })');
  expect(await chosen()).toEqual([]);
  await choose(box(1));
  expect(await chosen()).toEqual([box(1)]);

  await show({ chart: none });
  const filtered =
    'chart.listCategories().then((all) => all.filter(({ isFiltered }) => isFiltered).map(({ label }) => label))';
  await ask('chart.changeConfig({ filteredCategories: ["Palchi", "Galleria"] })');
  expect(await ask(filtered)).toEqual(['Palchi', 'Galleria']);
  await ask('chart.zoomToFilteredCategories()');
  // Seeing everything again ends the filter.
  await ask('chart.resetView()');
  expect((await said()).filter((line) => line.startsWith('Filtered'))).toEqual([
    'FilteredCategoriesChanged Palchi+Galleria',
    'FilteredCategoriesChanged',
  ]);
  expect(await ask(filtered)).toEqual([]);

  await show({ chart: { ...start, numberOfPlacesToSelect: 2 } });
  await pressSeat(box(1));
  await told(`HoldSucceeded ${box(1)}+${box(2)}`);
  expect(await chosen()).toEqual([box(1), box(2)]);
  await pressSeat('Palchi I ordine-6-3');
  await told('HoldSucceeded Palchi I ordine-6');
  expect(await chosen()).toHaveLength(2);
  expect((await infoOf(box(1))).status).toBe('free');
  await ask('chart.changeConfig({ numberOfPlacesToSelect: null })');
  await pressSeat(box(1));
  await told(`HoldSucceeded ${box(1)} palco`);
  expect(await chosen()).toHaveLength(3);

  const event = await theatre.stage();
  await events.book(event, [box(1)]);
  await events.markAsNotForSale(event, [box(2)]);
  await show({ chart: { event, ...none, selectableObjects: [box(1), box(2)] } });
  await choose(box(1), box(2), box(3));
  expect(await chosen()).toEqual([box(1), box(3)]);

  await show({
    chart: { mode: 'static' },
    functions: '{ onObjectClicked: ({ label }) => said.push("clicked " + label) }',
  });
  await pressSeat(box(2));
  await choose(box(2));
  expect(await chosen()).toEqual([]);
  await told(`clicked ${box(2)}`);
  expect((await said()).filter((line) => line.startsWith('Object'))).toEqual([]);
  expect(await read(box(2), 'selectable')).toEqual([false]);

  const spotlight = { mode: 'spotlight', ...start, selectedObjects: [box(1)] };
  await show({ chart: { event, ...spotlight } });
  expect(await ask('[chart.holdToken, chart.selectedObjects]')).toEqual(['', [box(1)]]);
  await ask(`chart.doSelectObjects([${JSON.stringify(box(4))}])`);
  await ask(`chart.deselectObjects([${JSON.stringify(box(1))}])`);
  expect(await chosen()).toEqual([box(4)]);
  expect((await infoOf(box(4))).status).toBe('free');
});

test('a page’s own dialogs are asked instead of ours, with what they need, and must answer within the limits', async (theatre) => {
  const prompts = (answer: string) => `{ onTicketTypePrompt: (asked, confirm) => {
      prompts.push([asked.objectToSelect.label, asked.ticketTypes.map(({ ticketType, formattedPrice }) => ticketType + ' ' + formattedPrice)]);
      confirm('ridotto');
    },
    onPlacesWithTicketTypesPrompt: (asked, confirm) => {
      prompts.push([asked.objectsToSelect.map(({ label }) => label), asked.selectedPlacesByTicketType, asked.minPlaces, asked.maxPlaces]);
      confirm(${answer});
    },
    extraConfig: globalThis.prompts = [] }`;
  const chart = { ...none, maxSelectedObjects: 8 };
  const visitor = await theatre.enter({ chart, functions: prompts('{ intero: 2, ridotto: 1 }') });
  const { ask, choose, chosen, told, infoOf, page, pressSeat, show } = visitor;
  await choose('Platea-C-5');
  await pressSeat('Loggione');
  await told('ObjectSelected Loggione ridotto');
  expect(await ask('prompts')).toEqual([
    ['Platea-C-5', ['intero 25,00\u00a0€', 'ridotto 18,00\u00a0€']],
    [['Loggione'], {}, 0, 7],
  ]);
  expect(await typesIn(visitor)).toEqual([
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
    await show({ chart, functions: prompts(answer) });
    await pressSeat('Loggione');
    await page.waitForFunction('prompts.length === 1');
    expect(await chosen()).toEqual([]);
  }

  // Places of one price are asked for by their number.
  await show({
    chart: { ...start, pricing: [{ category: 'Galleria', price: 15 }] },
    functions:
      '{ onPlacesPrompt: (asked, confirm) => { globalThis.asked = [asked.objectToSelect.label, asked.selectedPlaces, asked.minPlaces]; confirm(3); } }',
  });
  await pressSeat('Loggione');
  await told('HoldSucceeded Loggione');
  expect(await ask('[asked, chart.selectedObjects]')).toEqual([['Loggione', 0, 0], ['Loggione']]);
  expect((await infoOf('Loggione')).numHeld).toBe(3);
});

test('a choice takes what it can and asks for a missing ticket type, a strict one takes all or nothing and asks nothing; standing places may stay without a hold', async (theatre) => {
  await theatre.client.events.book(EVENT, box(1));
  const visitor = await theatre.enter({ chart: start });
  const { ask, choose, chosen, refused, said, told, infoOf, page, show } = visitor;
  const strict = (...wish: (string | object)[]) => `chart.doSelectObjects(${JSON.stringify(wish)})`;
  for (const wish of [
    [box(2), box(1)],
    [box(2), 'Nowhere-1'],
    [box(2), 'Platea-C-5'],
    [{ label: 'Platea-C-5', ticketType: 'gratis' }],
  ])
    expect(await refused(strict(...wish))).toBe('Error');
  expect(await chosen()).toEqual([]);
  expect((await said()).filter((line) => /^(Hold|ObjectSel)/.test(line))).toEqual([]);
  await ask(strict(box(2), { label: 'Platea-C-5', ticketType: 'intero' }));
  expect((await said()).filter((line) => line.startsWith('HoldSucceeded'))).toEqual([
    `HoldSucceeded ${box(2)}+Platea-C-5 palco+intero`,
  ]);
  expect(await page.getByRole('dialog').count()).toBe(0);

  await show({ chart: none });
  await ask(
    'void chart.trySelectObjects(["Platea-C-5", { label: "Platea-C-6", ticketType: "intero" }])',
  );
  await page
    .getByRole('dialog', { name: 'Platea, fila C, posto 5' })
    .getByRole('button', { name: /Ridotto/ })
    .click();
  await told('ObjectSelected Platea-C-6 intero');
  expect(await typesIn(visitor)).toEqual([
    ['Platea-C-5', 'ridotto'],
    ['Platea-C-6', 'intero'],
  ]);

  await show({ chart: { ...start, holdOnSelectForGAs: false } });
  await choose({ label: 'Loggione', ticketType: 'intero', amount: 4 }, box(1));
  expect(await typesIn(visitor)).toEqual([
    ['Loggione', { intero: 4 }],
    [box(1), 'palco'],
  ]);
  expect((await infoOf('Loggione')).numHeld).toBe(0);
  expect((await infoOf(box(1))).status).toBe('reservedByToken');
});

test('the session is the one that the page asked for; a new one, or drawing anew, gives everything back', async (theatre) => {
  const { holdToken } = await theatre.client.holdTokens.create();
  await theatre.client.events.hold(EVENT, box(1), holdToken);
  const { ask, choose, chosen, heard, hears, infoOf, page, said, show } = await theatre.enter({
    chart: none,
  });
  await choose(box(3));
  expect(await ask('[chart.holdToken, chart.selectedObjects]')).toEqual(['', [box(3)]]);
  expect((await infoOf(box(3))).status).toBe('free');
  await show({ chart: { event: EVENT, session: 'manual', holdToken } });
  expect(await ask('[chart.holdToken, chart.selectedObjects]')).toEqual([holdToken, [box(1)]]);
  expect(await said()).toContain(`SessionInitialized ${holdToken}`);
  await show({ chart: { event: EVENT, ...start } });
  const first = await ask<string>('chart.holdToken');
  expect(await chosen()).toEqual([]);
  await show({ chart: { event: EVENT, session: 'continue' } });
  expect(await ask('chart.holdToken')).toBe(first);
  await show({ chart: { event: EVENT, ...start } });
  const second = await ask<string>('chart.holdToken');
  expect([first, holdToken]).not.toContain(second);

  await choose(box(2));
  await ask('chart.startNewSession()');
  const third = await ask<string>('chart.holdToken');
  expect([third === second, await chosen()]).toEqual([false, []]);
  expect((await infoOf(box(2))).status).toBe('free');
  expect((await said()).filter((line) => line.startsWith('SessionInitialized'))).toHaveLength(2);

  await choose(box(2));
  await ask('chart.rerender()');
  // A token that nobody has any more blocks nothing.
  await page.waitForFunction(
    `chart.state === 'RENDERED' && chart.holdToken && chart.holdToken !== ${JSON.stringify(third)}`,
  );
  expect(await chosen()).toEqual([]);
  expect((await infoOf(box(2))).status).toBe('free');
  await show({ chart: none });
  await choose(box(1));
  await ask('chart.rerender()');
  await page.waitForFunction('chart.state === "RENDERED" && chart.selectedObjects.length === 0');

  // In the middle of a hold it says that its calls are over.
  await show();
  await page.route('**/actions/hold', () => {});
  await ask(`void chart.trySelectObjects([${JSON.stringify(box(1))}])`);
  await hears('calls begin');
  await ask('chart.rerender()');
  await hears('calls end');
  expect((await heard()).filter((line) => line.startsWith('calls'))).toEqual([
    'calls begin',
    'calls end',
  ]);
});

test('a form around the chart posts the seats and the token, the chart can fill the screen, and the charts of a page are listed while they stand', async (theatre) => {
  const { ask, choose, page, told, show } = await theatre.enter({
    chart: { ...none, showFullScreenButton: true },
  });
  await page.getByRole('button', { name: 'Schermo intero', exact: true }).click();
  await told('FullScreenOpened');
  await page.getByRole('button', { name: 'Esci dallo schermo intero' }).click();
  await told('FullScreenClosed');
  await ask('document.body.appendChild(document.createElement("form")).append(page)');
  await show({
    chart: { ...start, selectedObjectsInputName: 'posti', holdTokenInputName: 'gettone' },
  });
  const fields = '[...new FormData(document.querySelector("form"))]';
  const token = ['gettone', await ask('chart.holdToken')];
  expect(await ask(fields)).toEqual([token]);
  await choose(box(1), box(2));
  expect(await ask(fields)).toEqual([['posti', box(1)], ['posti', box(2)], token]);
  expect(await ask('[seatsio.charts.length, seatsio.charts[0] === chart]')).toEqual([1, true]);
  await ask('chart.destroy()');
  expect(await ask('seatsio.charts.length')).toBe(0);
});

test('an object knows its place, its price and its seat, and can choose itself', async (theatre) => {
  const { ask, refused, infoOf } = await theatre.enter({ chart: start });
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
    dataPerEvent: { [EVENT]: { status: 'free' } },
  });
  const object = 'chart.findObject("Platea-C-5").then((object) => object';
  expect(await refused(`${object}.select())`)).toBe('Error');
  await ask(`${object}.select("ridotto"))`);
  expect((await infoOf('Platea-C-5')).status).toBe('reservedByToken');
  await ask(`${object}.deselect())`);
  expect((await infoOf('Platea-C-5')).status).toBe('free');
  expect(await refused('chart.findObject("Nowhere-1")')).toBe('Error');
  await ask(
    'Promise.all([chart.pulse(["Platea-C-5", "Nowhere-1"]), chart.unpulse(["Platea-C-5"]), chart.setSpotlightObjects(["Platea-C-5"]), chart.clearSpotlightObjects()])',
  );
});

test('places that can be chosen are reported by category, zone and channel; sections that are not for sale at all can be hidden, and a page is told which floor is seen', async (theatre) => {
  const { events } = theatre.client;
  await uploadDrawing(theatre, { key: 'zone', drawing: zonedHall });
  const zoned = await theatre.stage('zone');
  await events.book(zoned, 'OVEST-A-1');
  await events.channels.replace(zoned, [
    { key: 'soci', name: 'Soci', color: '#000000', index: 1, objects: ['EST-A-1'] },
    { key: 'altri', name: 'Altri', color: '#000000', index: 2, objects: ['EST-A-2', 'EST-A-3'] },
  ]);
  const { ask, heard, read, refused, show } = await theatre.enter({
    chart: { event: zoned, pricing: null, channels: ['soci', 'NO_CHANNEL'] },
  });
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

  const event = await theatre.stage('zone');
  await events.markAsNotForSale(event, ['EST']);
  await show({ chart: { event, pricing: null, hideSectionsNotForSale: true } });
  const count = 'chart.getReportBySelectability().then(({ selectable }) => selectable.count)';
  expect(await ask(count)).toBe(54);
  await events.markEverythingAsForSale(event);
  await expect.poll(() => ask(count)).toBe(58);

  await uploadDrawing(theatre, { key: 'piani', drawing: hallOfTwoFloors });
  const floors = async () => (await heard()).filter((line) => line.startsWith('floor'));
  await show({
    chart: { event: await theatre.stage('piani'), pricing: null, activeFloor: 'primo' },
  });
  expect(await floors()).toEqual(['floor primo Blu']);
  await ask('chart.goToFloor("terra")');
  expect(await floors()).toEqual(['floor primo Blu', 'floor terra Rossa']);
  expect(await refused('chart.goToFloor("9")')).toBe('Error');
  expect(await read('Sprimo-A-1', 'floor')).toEqual(['primo']);
});

test('the office chooses whatever is there and learns what its order has become; its chart and the designer are true classes with the same life', async (theatre) => {
  await theatre.client.events.book(EVENT, [box(1), box(2)]);
  const { ask, choose, chosen, infoOf, page, show } = await theatre.enter({
    kind: 'EventManager',
    chart: { mode: 'select', selectedObjects: [box(1)], ...none },
  });
  await choose(box(2), box(3));
  expect(await chosen()).toEqual([box(1), box(2), box(3)]);
  expect((await infoOf(box(3))).status).toBe('free');
  const order = [box(1), { label: box(2), ticketType: 'palco' }];
  await show({
    kind: 'EventManager',
    chart: { event: EVENT, mode: 'editOrder', order, ...none },
  });
  await ask(`chart.deselectObjects([${JSON.stringify(box(1))}])`);
  await choose(box(3));
  expect(await ask('chart.listOrderChanges()')).toEqual([
    { type: 'PLACE_REMOVED', object: box(1) },
    { type: 'PLACE_ADDED', object: box(3), ticketType: 'palco' },
  ]);
  await show({ kind: 'EventManager', chart: { mode: 'manageObjectStatuses' } });
  await choose(box(4));
  expect(await chosen()).toEqual([]);
  await ask('chart.destroy()');
  await ask(
    'globalThis.designer = new seatsio.SeatingChartDesigner({ container: page, secretKey: "none" }).render(), 0',
  );
  await page.getByText('La pianta dei posti non si è caricata. Controlla la connessione').waitFor();
  await ask('designer.destroy()');
  expect(
    await ask('[chart.state, designer.state, document.querySelectorAll(".bsc").length]'),
  ).toEqual(['DESTROYED', 'DESTROYED', 0]);
});
