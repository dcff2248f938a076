/** Charts, events, objects, lists and reports of the seats.io stand-in, through the vendor's SDK. */
import { expect } from 'vitest';
import {
  Category,
  ForSaleConfig,
  LocalDate,
  StatusChangesParams,
  TableBookingConfig,
} from 'seatsio';
import { makeCompany } from './company.ts';
import {
  eventParams,
  refuses,
  smallDrawing,
  updateParams,
  uploadDrawing,
  testStandin as test,
} from './start.ts';

test('an event answers with all that was said at its making, and changes only what an update names', async (standin) => {
  const { clock } = standin;
  const { events } = standin.client;
  const made = await events.create(
    'small',
    eventParams({
      key: 'ev 1',
      name: 'Rigoletto',
      objectCategories: { 'A-1': 'two' },
      categories: [new Category('own', 'Own', '#333333', false)],
      forSaleConfig: new ForSaleConfig(false, ['A'], {}, []),
    }),
  );
  expect(made).toMatchObject({
    key: 'ev 1',
    name: 'Rigoletto',
    chartKey: 'small',
    date: null,
    updatedOn: null,
    supportsBestAvailable: true,
    isInThePast: false,
    objectCategories: { 'A-1': 'two' },
    channels: null,
  });
  expect(made.categories!.map(({ key }) => key)).toEqual([1, 'two', 'own']);
  expect(made.forSaleConfig).toMatchObject({ forSale: false, objects: ['A'] });
  expect(made.createdOn).toEqual(new Date(clock.now));
  clock.now += 1000;
  await events.update('ev 1', updateParams({ name: 'Tosca', isInThePast: true }));
  expect(await events.retrieve('ev 1')).toMatchObject({
    name: 'Tosca',
    isInThePast: true,
    objectCategories: { 'A-1': 'two' },
    updatedOn: new Date(clock.now),
  });
  expect((await standin.info('A-1', 'ev 1')).categoryLabel).toBe('Cat2');
  await events.update('ev 1', updateParams({ key: 'renamed' }));
  await refuses({ status: 404, code: 'EVENT_NOT_FOUND' }, events.retrieve('ev 1'));
  await refuses(
    { status: 400, code: 'EVENT_KEY_ALREADY_EXISTS' },
    events.update('renamed', updateParams({ key: 'ev' })),
  );
  await events.book('renamed', 'B-1');
  await events.delete('renamed');
  await refuses({ status: 404, code: 'EVENT_NOT_FOUND' }, events.delete('renamed'));
});

test('several events are made together or not at all', async (standin) => {
  const { events } = standin.client;
  const made = await events.createMultiple(
    'small',
    ['one', 'two'].map((key) => eventParams({ key })),
  );
  expect(made.map(({ key }) => key).slice(0, 2)).toEqual(['one', 'two']);
  await refuses(
    'EVENT_KEY_ALREADY_EXISTS',
    events.createMultiple(
      'small',
      ['three', 'ev'].map((key) => eventParams({ key })),
    ),
  );
  await refuses('EVENT_NOT_FOUND', events.retrieve('three'));
  await refuses(
    { status: 400, message: '#/events: expected minimum item count: 1, found: 0' },
    events.createMultiple('small', []),
  );
});

test('lists walk forwards and backwards, newest first', async (standin) => {
  const { events } = standin.client;
  await events.createMultiple(
    'small',
    ['a', 'b', 'c', 'd'].map((key) => eventParams({ key })),
  );
  const keys = ({ items }: { items: { key: string }[] }) => items.map(({ key }) => key);
  const first = await events.listFirstPage(2);
  expect([keys(first), first.previousPageEndsBefore]).toEqual([['d', 'c'], null]);
  const second = await events.listPageAfter(first.nextPageStartsAfter!, 2);
  expect(keys(second)).toEqual(['b', 'a']);
  const third = await events.listPageAfter(second.nextPageStartsAfter!, 2);
  expect([keys(third), third.nextPageStartsAfter]).toEqual([['ev'], null]);
  const back = await events.listPageBefore(third.previousPageEndsBefore!, 2);
  expect([keys(back), typeof back.nextPageStartsAfter, typeof back.previousPageEndsBefore]).toEqual(
    [['b', 'a'], 'string', 'string'],
  );
  const all: string[] = [];
  for await (const event of events.listAll({ limit: 2 })) all.push((event as { key: string }).key);
  expect(all).toEqual(['d', 'c', 'b', 'a', 'ev']);
});

test('an object tells its place, its names, its neighbours and its flags', async (standin) => {
  const { events } = standin.client;
  const labels = ['A-1', 'Balcony-C-1', 'Balcony-C-3', 'T1', 'GA1'];
  const infos = await events.retrieveObjectInfos('ev', labels);
  expect(infos['A-1']).toMatchObject({
    labels: { own: { label: '1', type: 'seat' }, parent: { label: 'A', type: 'row' } },
    ids: { own: '1', parent: 'A' },
    status: 'free',
    objectType: 'seat',
    isAvailable: true,
    availabilityReason: 'available',
    categoryKey: '1',
    categoryLabel: 'Cat1',
    rightNeighbour: 'A-2',
    leftNeighbour: undefined,
    isAccessible: false,
  });
  expect(infos['A-1']!.distanceToFocalPoint).toBe(Math.sqrt(80 * 80 + 50 * 50));
  expect(infos['Balcony-C-1']).toMatchObject({
    ids: { own: '1', parent: 'C', section: 'Balcony' },
    section: 'Balcony',
    entrance: 'North',
    categoryKey: 'two',
    hasRestrictedView: true,
    rightNeighbour: undefined,
  });
  expect(infos['Balcony-C-3']!.leftNeighbour).toBe('Balcony-C-2');
  expect(infos.T1).toMatchObject({ objectType: 'table', numSeats: 2, bookAsAWhole: true });
  expect(infos.GA1).toMatchObject({
    objectType: 'generalAdmission',
    capacity: 100,
    numFree: 100,
    numNotForSale: 0,
    areaType: 'generalAdmission',
    isAccessible: undefined,
  });
  await refuses({ status: 404, code: 'OBJECT_NOT_FOUND' }, standin.info('Z-1'));
});

test('the way of booking tables decides whether a table or its chairs are sold', async (standin) => {
  const { events } = standin.client;
  await events.create(
    'small',
    eventParams({
      key: 'chairs',
      tableBookingConfig: { mode: 'CUSTOM', tables: { T1: 'BY_SEAT' } },
    }),
  );
  expect(await standin.info('T1-2', 'chairs')).toMatchObject({
    labels: {
      own: { label: '2', type: 'seat' },
      parent: { label: 'T1', type: 'table' },
    },
  });
  await refuses('OBJECT_NOT_FOUND', events.book('chairs', 'T1'));
  await refuses('OBJECT_NOT_FOUND', events.book('ev', 'T1-2'));
  await events.book('ev', 'T1');
});

test('what was booked before a table was split or joined is remembered as no longer on the chart, with the reason', async (standin) => {
  const { events } = standin.client;
  const last = async () => {
    const [change] = (await events.statusChanges('ev').firstPage()).items;
    return [change!.objectLabel, change!.isPresentOnChart, change!.notPresentOnChartReason];
  };
  const sell = (tableBookingConfig: TableBookingConfig) =>
    events.update('ev', updateParams({ tableBookingConfig }));
  await events.book('ev', 'T1');
  expect(await last()).toEqual(['T1', true, undefined]);
  await sell(TableBookingConfig.allBySeat());
  expect(await last()).toEqual(['T1', false, 'SWITCHED_TO_BOOK_BY_SEAT']);
  await events.book('ev', 'T1-1');
  await sell(TableBookingConfig.custom({ T1: 'BY_TABLE' }));
  expect(await last()).toEqual(['T1-1', false, 'SWITCHED_TO_BOOK_BY_TABLE']);
  expect((await standin.info('T1')).status).toBe('booked');
});

test('an event can move to a copy of its chart, with everything that was sold', async (standin) => {
  const { events, charts } = standin.client;
  await events.book('ev', 'A-1', null, 'order1');
  const moved = await events.moveEventToChartCopy('ev');
  expect([moved.key, moved.chartKey === 'small']).toEqual(['ev', false]);
  expect((await charts.retrieve(moved.chartKey)).name).toBe('Small (copy)');
  expect(await standin.info('A-1')).toMatchObject({ status: 'booked', orderId: 'order1' });
});

test('categories of an event and of its objects can be changed and removed, never to one that is not there', async (standin) => {
  const { events } = standin.client;
  await events.update(
    'ev',
    updateParams({
      categories: [new Category('own', 'Own', '#333333', true)],
      objectCategories: { 'A-1': 'own', 'A-2': 'two' },
    }),
  );
  expect(
    (await events.retrieve('ev')).categories!.map(({ key, accessible }) => [key, accessible]),
  ).toEqual([
    [1, false],
    ['two', true],
    ['own', true],
  ]);
  for (const more of [{ objectCategories: { 'A-1': 'nowhere' } }, { categories: [] }]) {
    await refuses(
      { status: 400, code: 'CATEGORY_NOT_FOUND' },
      events.update('ev', updateParams(more)),
    );
  }
  await refuses(
    'CATEGORY_NOT_FOUND',
    events.create('small', eventParams({ objectCategories: { 'A-1': 'own' } })),
  );
  await events.update('ev', updateParams({ categories: [], objectCategories: {} }));
  const event = await events.retrieve('ev');
  expect([event.categories!.map(({ key }) => key), event.objectCategories]).toEqual([
    [1, 'two'],
    undefined,
  ]);
  expect((await standin.info('A-1')).categoryLabel).toBe('Cat1');
});

test('an event has a day, and may be over', async (standin) => {
  const { events } = standin.client;
  const made = await events.create(
    'small',
    eventParams({ key: 'gala', date: new LocalDate(2026, 12, 31) }),
  );
  expect([String(made.date), made.isInThePast]).toEqual(['2026-12-31', false]);
  await events.update('gala', updateParams({ date: new LocalDate(2027, 1, 6), isInThePast: true }));
  const gala = await events.retrieve('gala');
  expect([String(gala.date), gala.isInThePast]).toEqual(['2027-01-06', true]);
});

test('status changes can be filtered, sorted and paged', async (standin) => {
  const { client, clock } = standin;
  for (const label of ['A-1', 'B-1', 'A-2']) {
    clock.now += 1000;
    await client.events.book('ev', label, null, 'order1');
  }
  const changes = client.events.statusChanges('ev');
  const by = () => new StatusChangesParams();
  for (const [params, labels] of [
    [by(), ['A-2', 'B-1', 'A-1']],
    [new StatusChangesParams('A-'), ['A-2', 'A-1']],
    [new StatusChangesParams('2', 'CONTAINS').sortByObjectLabel(), ['A-2']],
    [by().sortByObjectLabel().sortDescending(), ['B-1', 'A-2', 'A-1']],
    [by().sortByDate().sortAscending(), ['A-1', 'B-1', 'A-2']],
    [by().sortByStatus(), ['A-2', 'B-1', 'A-1']],
    [new StatusChangesParams('nothing'), []],
  ] as const)
    expect((await changes.firstPage(params)).items.map((one) => one.objectLabel)).toEqual(labels);
  const sorted = by().sortByObjectLabel();
  const first = await changes.firstPage(sorted, 2);
  const second = await changes.pageAfter(first.nextPageStartsAfter!, sorted, 2);
  const paged = [...first.items, ...second.items].map(({ objectLabel }) => objectLabel);
  expect(paged).toEqual(['A-1', 'A-2', 'B-1']);
  expect(first.items[0]).toMatchObject({
    status: 'booked',
    orderId: 'order1',
    origin: { type: 'API_CALL', ip: '127.0.0.1' },
    isPresentOnChart: true,
  });
});

test('the for-sale configuration is edited or replaced ten times a minute', async (standin) => {
  const { clock } = standin;
  const { events } = standin.client;
  const close = () => events.editForSaleConfig('ev', null, [{ object: 'A-1' }]);
  const first = (await close()).rateLimitInfo;
  expect(first.rateLimitRemainingCalls).toBe(9);
  for (let call = 0; call < 2; call += 1) await close();
  clock.now += 20_000;
  const left: unknown[] = [];
  for (const { data } of [
    await events.markAsForSale('ev', ['A-1']),
    await events.markAsNotForSale('ev', ['A-1']),
    await events.markEverythingAsNotForSale('ev'),
  ])
    left.push(data);
  const rateLimitResetDate = first.rateLimitResetDate.toISOString();
  expect(left).toEqual(
    [6, 5, 4].map((rateLimitRemainingCalls) => ({ rateLimitRemainingCalls, rateLimitResetDate })),
  );
  expect((await events.markEverythingAsForSale('ev')).status).toBe(204);
  for (let call = 0; call < 4; call += 1) await close();
  await refuses({ status: 429 }, close(), events.markAsForSale('ev', ['A-1']));
  await events.markEverythingAsForSale('ev');
  const { status, headers } = await standin.ask(
    'POST /events/ev/actions/mark-everything-as-not-for-sale',
  );
  expect([status, headers.get('retry-after')]).toEqual([429, '40']);
  clock.now += 40_000;
  await close();
});

test('of channels added together the first gets what both name, and they can be replaced', async (standin) => {
  const { channels } = standin.client.events;
  const channel = { name: 'One', color: '#111111' };
  await channels.addMultiple('ev', [
    { ...channel, key: 'one', objects: ['A-1', 'A-2'] },
    { ...channel, key: 'two', objects: ['A-2'] },
  ]);
  const read = async () =>
    (await standin.client.events.retrieve('ev')).channels!.map(({ key, objects }) => [
      key,
      objects,
    ]);
  expect(await read()).toEqual([
    ['one', ['A-1']],
    ['two', ['A-2']],
  ]);
  await channels.replace('ev', [{ ...channel, key: 'new', objects: [] }]);
  expect(await read()).toEqual([['new', []]]);
});

test('workspaces do not see each other, though event keys may be the same', async (standin) => {
  const { client, url } = standin;
  const company = await makeCompany(standin);
  const { key, secretKey } = company.workspace;
  const other = company.as(secretKey);
  expect((await other.charts.listFirstPage()).items).toEqual([]);
  expect(await uploadDrawing({ url, secretKey }, { key: 'small', drawing: smallDrawing })).toBe(
    201,
  );
  await other.events.create('small', eventParams({ key: 'ev' }));
  await other.events.book('ev', 'A-1');
  const { holdToken } = await other.holdTokens.create();
  await refuses('HOLD_TOKEN_NOT_FOUND', client.events.hold('ev', 'A-1', holdToken));
  const statusIn = async ({ events }: typeof client) =>
    (await events.retrieveObjectInfo('ev', 'A-1')).status;
  expect(await statusIn(client)).toBe('free');
  expect(await statusIn(company.as(company.admin.secretKey, key))).toBe('booked');
});
