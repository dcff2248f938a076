/** Every field of the answers of the seats.io stand-in against the table of what the vendor's clients are sent; they were read raw, because each client repairs something else. */
import { expect } from 'vitest';
import {
  CHART,
  CHART_OBJECT_INFO,
  EMPTY_GROUPS,
  EVENT,
  EVENT_SUMMARY,
  HOLD_TOKEN,
  LOG_ROW,
  OBJECT_INFO,
  PARTS,
  STATUS_CHANGE,
} from './fields.ts';
import { smallDrawing, START, uploadDrawing, testStandin as test } from './start.ts';
import type { FieldTable } from './fields.ts';
import type { Standin } from './start.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- as it came, and every test looks at another shape
type Raw = any;

/** Asked without any client in between. */
function openDoor({ ask }: Standin) {
  async function read(call: string, asked?: object): Promise<Raw> {
    const { status, text, body } = await ask(call, asked);
    expect([call, status < 300], text).toEqual([call, true]);
    return body ?? undefined;
  }
  return {
    get: (path: string) => read(`GET ${path}`),
    post: (path: string, body: object = {}) => read(`POST ${path}`, body),
  };
}

/** What an answer is like in the words of the table: a field that the table does not name shows up, too. */
function rowsOf(answer: object, column: FieldTable[string]) {
  const names = new Set([...Object.keys(column), ...Object.keys(answer)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const value = (answer as Record<string, unknown>)[name];
      return [name, value === undefined ? '-' : value === null ? '0' : '+'];
    }),
  );
}

function compare(table: FieldTable, answers: Record<string, object>): void {
  expect(Object.keys(answers)).toEqual(Object.keys(table));
  for (const [name, answer] of Object.entries(answers))
    expect([name, rowsOf(answer, table[name]!)]).toEqual([name, table[name]]);
}

const booth = {
  uuid: 'bo',
  label: 'Bar',
  center: { x: 200, y: 20 },
  width: 20,
  height: 10,
  rotationAngle: 0,
  categoryKey: 1,
};
const varies = {
  ...smallDrawing.subChart.generalAdmissionAreas[0],
  uuid: 'va',
  label: 'Box',
  bookAsAWhole: true,
  variableOccupancy: true,
  minOccupancy: 2,
};
const drawing = {
  ...smallDrawing,
  subChart: {
    ...smallDrawing.subChart,
    booths: [booth],
    generalAdmissionAreas: [...smallDrawing.subChart.generalAdmissionAreas, varies],
  },
};

const everything = {
  name: 'Tosca',
  date: '2026-12-01',
  objectCategories: { 'A-1': 'two' },
  categories: [{ key: 'own', label: 'Own', color: '#333333' }],
  channels: [{ key: 'friends', name: 'Amici', color: '#123456', index: 1, objects: ['A-2'] }],
  forSaleConfig: { forSale: false, objects: ['B-1'], areaPlaces: {}, categories: [] },
};

test('an event and a season have the fields of the table, and leave out what is unset', async (standin) => {
  const { get, post } = openDoor(standin);
  await post('/events', { chartKey: 'small', eventKey: 'full', ...everything });
  await post('/events/full', { name: 'Turandot' });
  await post('/seasons', { chartKey: 'small', key: 'all', eventKeys: ['one', 'two'] });
  await post('/seasons/all/partial-seasons', { key: 'half', eventKeys: ['one'] });
  compare(EVENT, {
    bare: await get('/events/ev'),
    full: await get('/events/full'),
    inSeason: await get('/events/one'),
    season: await get('/events/all'),
    partial: await get('/events/half'),
  });
  expect((await get('/events/one')).partialSeasonKeysForEvent).toEqual(['half']);
});

test('an event is told what its season passes on about what is for sale, and nothing when it passes nothing on', async (standin) => {
  const { get, post } = openDoor(standin);
  const { forSaleConfig } = everything;
  await post('/seasons', { chartKey: 'small', key: 'told', eventKeys: ['one'], forSaleConfig });
  await post('/seasons', {
    chartKey: 'small',
    key: 'silent',
    eventKeys: ['two'],
    forSaleConfig,
    forSalePropagated: false,
  });
  expect((await get('/events/one')).season).toEqual({ forSaleConfig });
  expect((await get('/events/two')).season).toEqual({});
});

test('a chart has the fields of the table', async (standin) => {
  const { get, post } = openDoor(standin);
  const zones = { list: [{ key: 'left', label: 'Sinistra' }] };
  await uploadDrawing(standin, { key: 'zoned', drawing: { ...smallDrawing, zones } });
  await post('/events', { chartKey: 'zoned', eventKey: 'there' });
  await post('/charts/zoned', { name: 'Renamed' });
  const made = await post('/charts');
  const { items } = await get('/charts');
  compare(CHART, {
    made,
    listed: items.find(({ key }: { key: string }) => key === made.key),
    drafted: await get('/charts/zoned?expand=events'),
  });
});

test('an object of an event has the fields of the table, whatever became of it', async (standin) => {
  const { get, post } = openDoor(standin);
  await uploadDrawing(standin, { key: 'odd', drawing });
  const { channels } = everything;
  await post('/events', { chartKey: 'odd', eventKey: 'odd', channels });
  const change = (objects: object[], more: object) =>
    post('/events/groups/actions/change-object-status', {
      events: ['odd'],
      objects,
      ignoreChannels: true,
      ...more,
    });
  const { holdToken } = await post('/hold-tokens');
  const sold = { objectId: 'A-2', ticketType: 'adult', extraData: { name: 'Ada' } };
  await change([sold], { status: 'booked', orderId: 'order' });
  const { GA1: area } = await get('/events/odd/objects?label=GA1');
  await change([{ objectId: 'A-3' }, { objectId: 'GA1', quantity: 2 }], {
    status: 'reservedByToken',
    holdToken,
  });
  await change([{ objectId: 'A-4' }], { status: 'resale', resaleListingId: 'listing' });
  const labels = ['A-1', 'A-2', 'A-3', 'A-4', 'Balcony-C-1', 'T1', 'Bar', 'GA1', 'Box'];
  const infos = await get(
    `/events/odd/objects?${labels.map((label) => `label=${label}`).join('&')}`,
  );
  compare(OBJECT_INFO, {
    free: infos['A-1'],
    sold: infos['A-2'],
    held: infos['A-3'],
    offered: infos['A-4'],
    inSection: infos['Balcony-C-1'],
    table: infos['T1'],
    booth: infos['Bar'],
    area,
    heldArea: infos['GA1'],
    varies: infos['Box'],
  });
  const report = await get('/reports/events/odd/byLabel');
  for (const label of labels) expect(report[label]).toEqual([infos[label]]);
  expect(infos['Balcony-C-1'].labels).toEqual({
    own: { label: '1', type: 'seat' },
    parent: { label: 'Fila C', type: 'row' },
    section: 'Balconata',
    entrance: { label: 'North' },
  });
});

test('an overridden object says by which season it would be taken', async (standin) => {
  const { get, post } = openDoor(standin);
  await post('/seasons', { chartKey: 'small', key: 'all', eventKeys: ['one'] });
  const quantities = async () =>
    (await get('/events/one/objects?label=A-1'))['A-1'].seasonStatusOverriddenQuantities;
  expect(await quantities()).toEqual({});
  await post('/events/one/actions/override-season-status', { objects: ['A-1'] });
  expect(await quantities()).toEqual({ all: 1 });
  await post('/events/all', { eventKey: 'renamed' });
  expect(await quantities()).toEqual({ renamed: 1 });
});

test('an object of a chart has the fields of the table', async (standin) => {
  const { get } = openDoor(standin);
  await uploadDrawing(standin, { key: 'odd', drawing });
  const report = await get('/reports/charts/odd/byLabel?bookWholeTables=chart');
  compare(CHART_OBJECT_INFO, {
    seat: report['A-1'][0],
    inSection: report['Balcony-C-1'][0],
    table: report['T1'][0],
    booth: report['Bar'][0],
    area: report['GA1'][0],
  });
});

test('hold tokens, status changes and the rows of the log have the fields of the table', async (standin) => {
  const { get, post } = openDoor(standin);
  const token = await post('/hold-tokens');
  compare(HOLD_TOKEN, { token });
  const change = (object: object, more: object) =>
    post('/events/groups/actions/change-object-status', {
      events: ['ev'],
      objects: [object],
      ...more,
    });
  const { holdToken } = token;
  await change({ objectId: 'T1' }, { status: 'broken' });
  await post('/events/ev', { tableBookingConfig: { mode: 'ALL_BY_SEAT' } });
  await change({ objectId: 'A-1' }, { status: 'reservedByToken', holdToken });
  await change({ objectId: 'A-2', extraData: { name: 'Ada' } }, { status: 'booked', orderId: 'o' });
  await change({ objectId: 'A-3' }, { status: 'broken' });
  const [plain, sold, held, gone] = (await get('/events/ev/status-changes')).items;
  compare(STATUS_CHANGE, { plain, sold, held, gone });

  const chart = await post('/charts');
  await post(`/charts/${chart.key}`, { name: 'A chart' });
  const rows = (await get('/event-log')).items.slice(-2);
  expect(rows.map(({ type }: { type: string }) => type)).toEqual([
    'chart.created',
    'chart.published',
  ]);
  expect(rows[0].data).toEqual({ key: chart.key, workspaceKey: standin.workspaceKey });
  compare(LOG_ROW, { row: rows[0] });
});

test('summaries have the fields of the table, and name no group that the table does not', async (standin) => {
  const { get, post } = openDoor(standin);
  const { key } = await post('/charts');
  await post('/events', { chartKey: key, eventKey: 'empty' });
  const groups: Record<string, object> = {};
  for (const type of Object.keys(EVENT_SUMMARY)) {
    const [first] = Object.values(await get(`/reports/events/ev/${type}/summary`));
    groups[type] = first as object;
    const names = Object.keys(await get(`/reports/events/empty/${type}/summary`));
    expect([type, names.toSorted()]).toEqual([type, EMPTY_GROUPS[type]!.toSorted()]);
  }
  compare(EVENT_SUMMARY, groups);
});

test('the parts of an answer have the fields of the table, whatever holds them', async (standin) => {
  const { get, post } = openDoor(standin);
  const zones = { list: [{ key: 'left', label: 'Sinistra' }] };
  const { subChart, ...plain } = drawing;
  const floors = [
    { ...subChart, floorName: '1', floorDisplayName: 'Piano 1' },
    { width: 10, height: 10 },
  ];
  await uploadDrawing(standin, {
    key: 'parts',
    drawing: { ...plain, zones, subChartFloors: floors },
  });
  const event = await post('/events', {
    chartKey: 'parts',
    eventKey: 'parts',
    ...everything,
    tableBookingConfig: { mode: 'CUSTOM', tables: { T1: 'BY_SEAT' } },
  });
  const infos = await get('/events/parts/objects?label=A-2&label=Balcony-C-1');
  const edited = await post('/events/parts/actions/edit-for-sale-config', {});
  const body = { status: 'booked', bestAvailable: { number: 1 } };
  const bestAvailable = await post('/events/ev/actions/change-object-status', body);
  const changed = await post('/events/groups/actions/change-object-status?expand=objects', {
    events: ['ev'],
    objects: [{ objectId: 'A-1' }],
    status: 'broken',
  });
  const chart = await get('/charts/parts?expand=zones&expand=validation');
  const charts = await get('/charts?expand=zones&expand=validation');
  const found: Record<string, object> = {
    channel: event.channels[0],
    category: event.categories[0],
    forSaleConfig: event.forSaleConfig,
    tableBookingConfig: (await get('/events/ev')).tableBookingConfig,
    customTableBookingConfig: event.tableBookingConfig,
    labels: infos['A-2'].labels,
    labelsInSection: infos['Balcony-C-1'].labels,
    ownLabel: infos['A-2'].labels.own,
    ids: infos['A-2'].ids,
    idsInSection: infos['Balcony-C-1'].ids,
    floor: infos['A-2'].floor,
    origin: (await get('/events/ev/status-changes')).items[0].origin,
    validation: charts.items[0].validation,
    zone: chart.zones[0],
    bestAvailable,
    editedForSale: edited,
    rateLimitInfo: edited.rateLimitInfo,
    changed,
    chartSummary: (await get('/reports/charts/small/byObjectType/summary')).seat,
    lastPage: await get('/events'),
    firstPage: await get('/events?limit=1'),
  };
  for (const [part, names] of Object.entries(PARTS))
    expect([part, Object.keys(found[part] ?? {}).toSorted()]).toEqual([
      part,
      names.split(' ').toSorted(),
    ]);
});

test('nothing that is read carries an explicit null', async (standin) => {
  const { get, post } = openDoor(standin);
  const anonymous = { key: 'plain', name: 'Senza colore' };
  await post('/events', {
    chartKey: 'small',
    eventKey: 'full',
    ...everything,
    channels: [anonymous],
  });
  await post('/seasons', { chartKey: 'small', key: 'all', eventKeys: ['one', 'two'] });
  await post('/seasons/all/partial-seasons', { key: 'half' });
  await post('/events/groups/actions/change-object-status', {
    events: ['ev'],
    objects: [{ objectId: 'A-1' }, { objectId: 'GA1', quantity: 3 }],
    status: 'booked',
  });
  const { holdToken } = await post('/hold-tokens');
  standin.clock.now = START + 60 * 60_000;
  const answers: Record<string, Raw> = {};
  for (const path of [
    '/events',
    '/events?limit=1',
    ...['ev', 'full', 'all', 'half', 'one'].map((key) => `/events/${key}`),
    '/events/ev/objects?label=A-1&label=GA1&label=T1',
    '/events/ev/status-changes',
    '/events/ev/objects/A-1/status-changes',
    '/charts',
    '/charts?expand=events&expand=validation&expand=venueType&expand=zones',
    '/charts/archive',
    '/charts/tags',
    '/charts/small',
    '/charts/small?expand=events',
    '/charts/small/categories',
    `/hold-tokens/${holdToken}`,
    '/event-log',
    '/reports/events/ev',
    '/reports/events/one/byLabel',
    '/reports/events/ev/byStatus/summary/deep',
    '/reports/charts/small/byLabel',
    '/reports/charts/small/byZone/summary',
  ])
    answers[path] = await get(path);
  answers['edit'] = await post('/events/ev/actions/edit-for-sale-config', {});
  answers['best'] = await post('/events/ev/actions/change-object-status', {
    status: 'booked',
    bestAvailable: { number: 2 },
  });
  const nulls: string[] = [];
  const seen = (value: unknown, at: string): void => {
    if (value === null) nulls.push(at);
    else if (typeof value === 'object')
      for (const [key, inner] of Object.entries(value as object)) seen(inner, `${at}/${key}`);
  };
  seen(answers, '');
  expect(nulls).toEqual([]);
});
