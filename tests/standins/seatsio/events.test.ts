/** Charts, events, objects, lists and reports of the seats.io stand-in, through the vendor's SDK. */
import { expect, test } from 'vitest';
import {
  Category,
  ForSaleConfig,
  ForSaleConfigParams,
  LocalDate,
  Region,
  SeatsioClient,
  StatusChangesParams,
  TableBookingConfig,
} from 'seatsio';
import {
  basic,
  eventParams,
  refusalOf,
  startStandin,
  things,
  updateParams,
  uploadDrawing,
} from './start.ts';

test('the theatre is there from the first start, published and with its three categories', async () => {
  await using standin = await startStandin({ provisioning: false });
  const { client } = standin;
  expect(
    (await client.charts.listFirstPage()).items.map(({ key, name, status }) => ({
      key,
      name,
      status,
    })),
  ).toContainEqual({
    key: 'teatro-goldoni',
    name: 'Teatro Goldoni',
    status: 'NOT_USED',
  });
  expect(await client.charts.listCategories('teatro-goldoni')).toMatchObject([
    { key: 1, label: 'Platea' },
    { key: 2, label: 'Palchi' },
    { key: 3, label: 'Galleria' },
  ]);
  await client.events.create('teatro-goldoni');
  expect(await client.charts.retrieve('teatro-goldoni')).toMatchObject({
    status: 'PUBLISHED',
    venueType: 'WITH_SECTIONS_AND_FLOORS',
    archived: false,
    tags: [],
  });
  const drawing = (await client.charts.retrievePublishedVersion('teatro-goldoni')) as {
    name: string;
    subChart: { sections: unknown[] };
  };
  expect(drawing.subChart.sections).toHaveLength(4);
  expect(await refusalOf(client.charts.retrieve('nowhere'))).toMatchObject({
    status: 404,
    code: 'CHART_NOT_FOUND',
    message: expect.stringMatching(/^Chart not found: nowhere was not found in workspace /),
  });
});

test('an event answers with all that was said at its making, and changes only what an update names', async () => {
  await using standin = await startStandin();
  const { client, clock } = standin;
  const made = await client.events.create(
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
  await client.events.update('ev 1', updateParams({ name: 'Tosca', isInThePast: true }));
  expect(await client.events.retrieve('ev 1')).toMatchObject({
    name: 'Tosca',
    isInThePast: true,
    objectCategories: { 'A-1': 'two' },
    updatedOn: new Date(clock.now),
  });
  expect((await client.events.retrieveObjectInfo('ev 1', 'A-1')).categoryLabel).toBe('Cat2');
  await client.events.update('ev 1', updateParams({ key: 'renamed' }));
  expect(await refusalOf(client.events.retrieve('ev 1'))).toMatchObject({
    status: 404,
    code: 'EVENT_NOT_FOUND',
  });
  expect(
    await refusalOf(client.events.update('renamed', updateParams({ key: 'ev' }))),
  ).toMatchObject({ status: 400, code: 'EVENT_KEY_ALREADY_EXISTS' });
  await client.events.book('renamed', 'B-1');
  await client.events.delete('renamed');
  expect(await refusalOf(client.events.delete('renamed'))).toMatchObject({
    status: 404,
    code: 'EVENT_NOT_FOUND',
  });
});

test('several events are made together or not at all', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  const made = await client.events.createMultiple(
    'small',
    ['one', 'two'].map((key) => eventParams({ key })),
  );
  expect(made.map(({ key }) => key).slice(0, 2)).toEqual(['one', 'two']);
  expect(
    await refusalOf(
      client.events.createMultiple(
        'small',
        ['three', 'ev'].map((key) => eventParams({ key })),
      ),
    ),
  ).toMatchObject({ code: 'EVENT_KEY_ALREADY_EXISTS' });
  expect(await refusalOf(client.events.retrieve('three'))).toMatchObject({
    code: 'EVENT_NOT_FOUND',
  });
  expect(await refusalOf(client.events.createMultiple('small', []))).toEqual({
    status: 400,
    code: 'GENERAL_ERROR',
    message: '#/events: expected minimum item count: 1, found: 0',
  });
});

test('lists walk forwards and backwards, newest first', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  await client.events.createMultiple(
    'small',
    ['a', 'b', 'c', 'd'].map((key) => eventParams({ key })),
  );
  const keys = ({ items }: { items: { key: string }[] }) => items.map(({ key }) => key);
  const first = await client.events.listFirstPage(2);
  expect([keys(first), first.previousPageEndsBefore]).toEqual([['d', 'c'], null]);
  const second = await client.events.listPageAfter(first.nextPageStartsAfter!, 2);
  expect(keys(second)).toEqual(['b', 'a']);
  const third = await client.events.listPageAfter(second.nextPageStartsAfter!, 2);
  expect([keys(third), third.nextPageStartsAfter]).toEqual([['ev'], null]);
  const back = await client.events.listPageBefore(third.previousPageEndsBefore!, 2);
  expect([keys(back), typeof back.nextPageStartsAfter, typeof back.previousPageEndsBefore]).toEqual(
    [['b', 'a'], 'string', 'string'],
  );
  const all: string[] = [];
  for await (const event of client.events.listAll({ limit: 2 }))
    all.push((event as { key: string }).key);
  expect(all).toEqual(['d', 'c', 'b', 'a', 'ev']);
});

test('an object tells its place, its names, its neighbours and its flags', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  const infos = await client.events.retrieveObjectInfos('ev', [
    'A-1',
    'Balcony-C-1',
    'Balcony-C-3',
    'T1',
    'GA1',
  ]);
  expect(infos['A-1']).toMatchObject({
    label: 'A-1',
    labels: {
      own: { label: '1', type: 'seat' },
      parent: { label: 'A', type: 'row' },
    },
    ids: { own: '1', parent: 'A' },
    status: 'free',
    objectType: 'seat',
    forSale: true,
    isAvailable: true,
    availabilityReason: 'available',
    categoryKey: '1',
    categoryLabel: 'Cat1',
    rightNeighbour: 'A-2',
    leftNeighbour: undefined,
    isAccessible: false,
    isPlusSize: false,
    seasonStatusOverriddenQuantity: 0,
  });
  expect(infos['A-1']!.distanceToFocalPoint).toBe(Math.sqrt(80 * 80 + 50 * 50));
  expect(infos['Balcony-C-1']).toMatchObject({
    labels: {
      own: { label: '1' },
      parent: { label: 'Fila C' },
      section: 'Balconata',
    },
    ids: { own: '1', parent: 'C', section: 'Balcony' },
    section: 'Balcony',
    entrance: 'North',
    categoryKey: 'two',
    hasRestrictedView: true,
    rightNeighbour: undefined,
  });
  expect(infos['Balcony-C-3']!.leftNeighbour).toBe('Balcony-C-2');
  expect(infos.T1).toMatchObject({
    objectType: 'table',
    numSeats: 2,
    bookAsAWhole: true,
    isAccessible: undefined,
  });
  expect(infos.GA1).toMatchObject({
    objectType: 'generalAdmission',
    capacity: 100,
    numFree: 100,
    numBooked: 0,
    numHeld: 0,
    numNotForSale: 0,
    bookAsAWhole: false,
    areaType: 'generalAdmission',
    isAccessible: undefined,
  });
  expect(await refusalOf(client.events.retrieveObjectInfo('ev', 'Z-1'))).toMatchObject({
    status: 404,
    code: 'OBJECT_NOT_FOUND',
  });
});

test('the way of booking tables decides whether a table or its chairs are sold', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  await client.events.create(
    'small',
    eventParams({
      key: 'chairs',
      tableBookingConfig: { mode: 'CUSTOM', tables: { T1: 'BY_SEAT' } },
    }),
  );
  expect(await client.events.retrieveObjectInfo('chairs', 'T1-2')).toMatchObject({
    labels: {
      own: { label: '2', type: 'seat' },
      parent: { label: 'T1', type: 'table' },
    },
  });
  expect(await refusalOf(client.events.book('chairs', 'T1'))).toMatchObject({
    code: 'OBJECT_NOT_FOUND',
  });
  expect(await refusalOf(client.events.book('ev', 'T1-2'))).toMatchObject({
    code: 'OBJECT_NOT_FOUND',
  });
  await client.events.book('ev', 'T1');
});

test('what was booked before a table was split or joined is remembered as no longer on the chart, with the reason', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  const last = async () => (await client.events.statusChanges('ev').firstPage()).items[0]!;
  await client.events.book('ev', 'T1');
  expect(await last()).toMatchObject({
    objectLabel: 'T1',
    isPresentOnChart: true,
    notPresentOnChartReason: undefined,
  });
  await client.events.update(
    'ev',
    updateParams({ tableBookingConfig: TableBookingConfig.allBySeat() }),
  );
  expect(await last()).toMatchObject({
    objectLabel: 'T1',
    isPresentOnChart: false,
    notPresentOnChartReason: 'SWITCHED_TO_BOOK_BY_SEAT',
  });
  await client.events.book('ev', 'T1-1');
  await client.events.update(
    'ev',
    updateParams({ tableBookingConfig: TableBookingConfig.custom({ T1: 'BY_TABLE' }) }),
  );
  expect(await last()).toMatchObject({
    objectLabel: 'T1-1',
    isPresentOnChart: false,
    notPresentOnChartReason: 'SWITCHED_TO_BOOK_BY_TABLE',
  });
  expect((await client.events.retrieveObjectInfo('ev', 'T1')).status).toBe('booked');
  await client.events.update(
    'ev',
    updateParams({ tableBookingConfig: TableBookingConfig.inherit() }),
  );
  expect((await client.events.retrieve('ev')).tableBookingConfig).toEqual(
    TableBookingConfig.inherit(),
  );
});

test('an event can move to a copy of its chart, with everything that was sold', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  await client.events.book('ev', 'A-1', null, 'order1');
  const moved = await client.events.moveEventToChartCopy('ev');
  expect([moved.key, moved.chartKey === 'small']).toEqual(['ev', false]);
  expect((await client.charts.retrieve(moved.chartKey)).name).toBe('Small (copy)');
  expect(await client.events.retrieveObjectInfo('ev', 'A-1')).toMatchObject({
    status: 'booked',
    orderId: 'order1',
  });
});

test('categories of an event and of its objects can be changed and removed, never to one that is not there', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  await client.events.update(
    'ev',
    updateParams({
      categories: [new Category('own', 'Own', '#333333', true)],
      objectCategories: { 'A-1': 'own', 'A-2': 'two' },
    }),
  );
  expect(
    (await client.events.retrieve('ev')).categories!.map(({ key, accessible }) => [
      key,
      accessible,
    ]),
  ).toEqual([
    [1, false],
    ['two', true],
    ['own', true],
  ]);
  for (const more of [{ objectCategories: { 'A-1': 'nowhere' } }, { categories: [] }]) {
    expect(await refusalOf(client.events.update('ev', updateParams(more)))).toMatchObject({
      status: 400,
      code: 'CATEGORY_NOT_FOUND',
    });
  }
  expect(
    await refusalOf(
      client.events.create('small', eventParams({ objectCategories: { 'A-1': 'own' } })),
    ),
  ).toMatchObject({ code: 'CATEGORY_NOT_FOUND' });
  await client.events.update('ev', updateParams({ categories: [], objectCategories: {} }));
  const event = await client.events.retrieve('ev');
  expect([event.categories!.map(({ key }) => key), event.objectCategories]).toEqual([
    [1, 'two'],
    undefined,
  ]);
  expect((await client.events.retrieveObjectInfo('ev', 'A-1')).categoryLabel).toBe('Cat1');
});

test('an event has a day, and may be over', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  const made = await client.events.create(
    'small',
    eventParams({ key: 'gala', date: new LocalDate(2026, 12, 31) }),
  );
  expect([String(made.date), made.isInThePast]).toEqual(['2026-12-31', false]);
  await client.events.update(
    'gala',
    updateParams({ date: new LocalDate(2027, 1, 6), isInThePast: true }),
  );
  const gala = await client.events.retrieve('gala');
  expect([String(gala.date), gala.isInThePast]).toEqual(['2027-01-06', true]);
  expect([
    gala.isSeason(),
    gala.isEventInSeason,
    gala.topLevelSeasonKey,
    gala.partialSeasonKeysForEvent,
    gala.forSalePropagated,
  ]).toEqual([false, false, undefined, undefined, null]);
});

test('status changes can be filtered, sorted and paged', async () => {
  await using standin = await startStandin();
  const { client, clock } = standin;
  for (const label of ['A-1', 'B-1', 'A-2']) {
    clock.now += 1000;
    await client.events.book(
      'ev',
      things({ objectId: label, extraData: { of: label } }),
      null,
      'order1',
    );
  }
  const labels = async (params?: object) =>
    (await client.events.statusChanges('ev').firstPage(params)).items.map(
      ({ objectLabel }) => objectLabel,
    );
  expect(await labels()).toEqual(['A-2', 'B-1', 'A-1']);
  expect(await labels(new StatusChangesParams('A-'))).toEqual(['A-2', 'A-1']);
  expect(await labels(new StatusChangesParams('2', 'CONTAINS').sortByObjectLabel())).toEqual([
    'A-2',
  ]);
  expect(await labels(new StatusChangesParams().sortByObjectLabel().sortDescending())).toEqual([
    'B-1',
    'A-2',
    'A-1',
  ]);
  expect(
    await labels(
      Object.assign(new StatusChangesParams().sortByObjectLabel(), { sortDirection: 'DESC' }),
    ),
  ).toEqual(['B-1', 'A-2', 'A-1']);
  expect(await labels(new StatusChangesParams().sortByDate().sortAscending())).toEqual([
    'A-1',
    'B-1',
    'A-2',
  ]);
  expect(await labels(new StatusChangesParams('B', 'BEGINS_WITH'))).toEqual(['B-1']);
  expect(await labels(new StatusChangesParams('nothing'))).toEqual([]);
  const byStatus: string[] = [];
  for await (const { objectLabel } of client.events
    .statusChanges('ev')
    .all({ ...new StatusChangesParams().sortByStatus().serialize(), limit: 2 } as object))
    byStatus.push(objectLabel);
  expect(byStatus).toEqual(['A-2', 'B-1', 'A-1']);
  const sorted = new StatusChangesParams().sortByObjectLabel();
  const first = await client.events.statusChanges('ev').firstPage(sorted, 2);
  const second = await client.events
    .statusChanges('ev')
    .pageAfter(first.nextPageStartsAfter!, sorted, 2);
  expect([...first.items, ...second.items].map(({ objectLabel }) => objectLabel)).toEqual([
    'A-1',
    'A-2',
    'B-1',
  ]);
  expect(first.items[0]).toMatchObject({
    status: 'booked',
    quantity: 1,
    orderId: 'order1',
    extraData: { of: 'A-1' },
    displayedLabel: 'A-1',
    origin: { type: 'API_CALL', ip: '127.0.0.1' },
    isPresentOnChart: true,
  });
});

test('reports group every object, with the empty groups that belong there', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  await client.events.book('ev', ['A-1', 'A-2'], null, 'order1');
  await client.events.markAsNotForSale('ev', ['B-8']);
  const { eventReports } = client;
  const byLabel = await eventReports.byLabel('ev');
  expect(Object.keys(byLabel)).toHaveLength(21);
  expect(byLabel['A-1']).toMatchObject([{ label: 'A-1', status: 'booked', orderId: 'order1' }]);
  const counts = (report: Record<string, unknown[]>) =>
    Object.fromEntries(Object.entries(report).map(([key, members]) => [key, members.length]));
  expect(counts(await eventReports.byStatus('ev'))).toEqual({ booked: 2, free: 19 });
  expect(counts(await eventReports.byObjectType('ev'))).toEqual({
    seat: 19,
    generalAdmission: 1,
    table: 1,
    booth: 0,
  });
  expect(counts(await eventReports.byCategoryKey('ev'))).toEqual({ 1: 17, two: 4, NO_CATEGORY: 0 });
  expect(counts(await eventReports.byCategoryLabel('ev'))).toEqual({
    Cat1: 17,
    Cat2: 4,
    NO_CATEGORY: 0,
  });
  expect(counts(await eventReports.bySection('ev'))).toEqual({ Balcony: 3, NO_SECTION: 18 });
  expect(counts(await eventReports.byOrderId('ev'))).toEqual({ order1: 2, NO_ORDER_ID: 19 });
  expect(counts(await eventReports.byAvailability('ev'))).toEqual({
    available: 18,
    not_available: 3,
  });
  expect(counts(await eventReports.byAvailabilityReason('ev'))).toEqual({
    available: 18,
    booked: 2,
    not_for_sale: 1,
  });
  expect(counts(await eventReports.byOrderId('ev', 'order1'))).toEqual({ order1: 2 });
  expect(counts(await eventReports.byOrderId('ev', 'nobody'))).toEqual({ nobody: 0 });
  const flat = await eventReports.flatList('ev');
  expect(flat.map(({ label }) => label)).toEqual(Object.keys(byLabel).toSorted());
});

test('the for-sale configuration is edited seat by seat or replaced, ten times a minute', async () => {
  await using standin = await startStandin();
  const { client, clock } = standin;
  const first = await client.events.editForSaleConfig('ev', null, [
    { object: 'A-1' },
    { object: 'GA1', quantity: 5 },
  ]);
  expect(first.forSaleConfig).toMatchObject({
    forSale: false,
    objects: ['A-1'],
    areaPlaces: { GA1: 5 },
  });
  expect(first.rateLimitInfo.rateLimitRemainingCalls).toBe(9);
  const second = await client.events.editForSaleConfig(
    'ev',
    [{ object: 'A-1' }, { object: 'GA1', quantity: 2 }],
    [{ object: 'B' }],
  );
  expect(second.forSaleConfig).toMatchObject({ objects: ['B'], areaPlaces: { GA1: 3 } });
  const many = await client.events.editForSaleConfigForEvents({
    ev: new ForSaleConfigParams().withForSale([{ object: 'B' }]),
  });
  expect(many.ev!.forSaleConfig.objects).toEqual([]);
  clock.now += 20_000;
  const left: unknown[] = [];
  for (const { data } of [
    await client.events.markAsForSale('ev', ['A-1']),
    await client.events.markAsNotForSale('ev', ['A-1']),
    await client.events.markEverythingAsNotForSale('ev'),
  ]) {
    left.push(data);
  }
  const rateLimitResetDate = first.rateLimitInfo.rateLimitResetDate.toISOString();
  expect(left).toEqual(
    [6, 5, 4].map((rateLimitRemainingCalls) => ({ rateLimitRemainingCalls, rateLimitResetDate })),
  );
  expect((await client.events.markEverythingAsForSale('ev')).status).toBe(204);
  for (let call = 0; call < 4; call += 1)
    await client.events.editForSaleConfig('ev', null, [{ object: 'A-1' }]);
  expect(
    await refusalOf(client.events.editForSaleConfig('ev', null, [{ object: 'A-1' }])),
  ).toMatchObject({ status: 429 });
  expect(await refusalOf(client.events.markAsForSale('ev', ['A-1']))).toMatchObject({
    status: 429,
  });
  await client.events.markEverythingAsForSale('ev');
  const answer = await fetch(`${standin.url}/events/ev/actions/mark-everything-as-not-for-sale`, {
    method: 'POST',
    headers: { Authorization: basic(standin.secretKey) },
  });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '40']);
  clock.now += 40_000;
  await client.events.editForSaleConfig('ev', null, [{ object: 'A-1' }]);
});

test('channels can be added, changed, filled, emptied and replaced', async () => {
  await using standin = await startStandin();
  const { channels } = standin.client.events;
  await channels.addMultiple('ev', [
    { key: 'one', name: 'One', color: '#111111', objects: ['A-1', 'A-2'] },
    { key: 'two', name: 'Two', color: '#222222', objects: ['A-2'] },
  ]);
  const read = async () =>
    Object.fromEntries(
      (await standin.client.events.retrieve('ev')).channels!.map(({ key, objects }) => [
        key,
        objects,
      ]),
    );
  expect(await read()).toEqual({ one: ['A-1'], two: ['A-2'] });
  await channels.addObjects('ev', 'two', ['A-1', 'A-3']);
  await channels.removeObjects('ev', 'two', ['A-2']);
  expect(await read()).toEqual({ one: [], two: ['A-1', 'A-3'] });
  await channels.update('ev', 'one', 'First', undefined, ['A-3']);
  expect(await read()).toEqual({ one: ['A-3'], two: ['A-1'] });
  await channels.remove('ev', 'one');
  expect(await refusalOf(channels.remove('ev', 'one'))).toMatchObject({
    status: 404,
    code: 'CHANNEL_NOT_FOUND',
  });
  await channels.replace('ev', [{ key: 'new', name: 'New', color: '#333333', objects: [] }]);
  expect(await read()).toEqual({ new: [] });
});

test('workspaces do not see each other, though event keys may be the same', async () => {
  await using standin = await startStandin();
  const made = (await (
    await fetch(`${standin.url}/system/private/create-test-company`, {
      method: 'POST',
      headers: { Authorization: basic('only-for-tests') },
    })
  ).json()) as { workspace: { secretKey: string; key: string }; admin: { secretKey: string } };
  const other = new SeatsioClient(new Region(standin.url), made.workspace.secretKey);
  expect((await other.charts.listFirstPage()).items).toEqual([]);
  expect(
    await uploadDrawing(
      { url: standin.url, secretKey: made.workspace.secretKey },
      {
        key: 'small',
        drawing: (await standin.client.charts.retrievePublishedVersion('small')) as object,
      },
    ),
  ).toBe(204);
  await other.events.create('small', eventParams({ key: 'ev' }));
  await other.events.book('ev', 'A-1');
  expect((await standin.client.events.retrieveObjectInfo('ev', 'A-1')).status).toBe('free');
  const { holdToken } = await other.holdTokens.create();
  expect(await refusalOf(standin.client.events.hold('ev', 'A-1', holdToken))).toMatchObject({
    code: 'HOLD_TOKEN_NOT_FOUND',
  });
  const admin = new SeatsioClient(
    new Region(standin.url),
    made.admin.secretKey,
    made.workspace.key,
  );
  expect((await admin.events.retrieveObjectInfo('ev', 'A-1')).status).toBe('booked');
});
