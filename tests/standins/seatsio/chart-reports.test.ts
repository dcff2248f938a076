/** Chart reports through the SDK: groups, counts, tables as drawn or not, the draft beside the published drawing. */
import { TableBookingConfig, Versions } from 'seatsio';
import { expect, test } from 'vitest';
import { area, drawHall, drawRow, section, table } from './halls.ts';
import { eventParams, refuses, startStandin, uploadDrawing } from './start.ts';
import type { ChartObjectInfo } from 'seatsio';
import type { Standin } from './start.ts';

const row = drawRow('A', 40, 'w.');
Object.assign(row.seats[1]!, { categoryKey: null });
/** Two seats in a zone's section, two tables of which one is drawn whole, an area of 40. */
const drawing = drawHall([], {
  zones: [{ key: 'north', label: 'Nord' }],
  sections: [section('Loggia', 10, [row], { zone: 'north', entrance: 'Porta 1' })],
  tables: [table('T1', 300, '..', { bookAsAWhole: false }), table('T2', 300, '..')],
  generalAdmissionAreas: [area('GA', 300, 40)],
});

async function open(): Promise<Standin> {
  const standin = await startStandin();
  await uploadDrawing(standin, { key: 'hall', drawing });
  return standin;
}

function labelsOf(report: Record<string, ChartObjectInfo[] | undefined>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(report).map(([group, infos]) => [group, infos!.map(({ label }) => label)]),
  );
}

test('an object of a chart is told with all that is drawn', async () => {
  await using standin = await open();
  const report = await standin.client.chartReports.byLabel('hall');
  expect(report['Loggia-A-1']![0]).toMatchObject({
    label: 'Loggia-A-1',
    labels: {
      own: { label: '1', type: 'seat' },
      parent: { label: 'A', type: 'row' },
      section: 'Loggia',
    },
    ids: { own: '1', parent: 'A', section: 'Loggia' },
    categoryKey: '1',
    categoryLabel: 'Platea',
    objectType: 'seat',
    section: 'Loggia',
    entrance: 'Porta 1',
    zone: 'north',
    rightNeighbour: 'Loggia-A-2',
    distanceToFocalPoint: expect.any(Number),
    isAccessible: true,
    isCompanionSeat: false,
    hasRestrictedView: false,
    bookAsAWhole: undefined,
    areaType: undefined,
  });
  expect(report['GA']![0]).toMatchObject({
    objectType: 'generalAdmission',
    capacity: 40,
    bookAsAWhole: false,
    areaType: 'generalAdmission',
    isAccessible: undefined,
  });
  expect(report['T1']![0]).toMatchObject({ objectType: 'table', numSeats: 2, bookAsAWhole: false });
  expect(report['T2']![0]).toMatchObject({ objectType: 'table', numSeats: 2, bookAsAWhole: true });
});

test('a table tells how it was drawn to be sold, also where an event sells it otherwise', async () => {
  await using standin = await open();
  const { client } = standin;
  await client.events.create(
    'hall',
    eventParams({ key: 'whole', tableBookingConfig: TableBookingConfig.allByTable() }),
  );
  // The SDK of 90.5 does not pass it on.
  for (const path of [
    '/reports/charts/hall/byLabel?bookWholeTables=true',
    '/reports/events/whole/byLabel',
  ]) {
    const { data } = (await client.client.get(path)) as {
      data: Record<string, [{ tableType?: string; bookAsAWhole?: boolean }]>;
    };
    expect([
      data['T1']![0].tableType,
      data['T1']![0].bookAsAWhole,
      data['T2']![0].tableType,
      data['GA']![0].tableType,
      data['Loggia-A-1']![0].tableType,
    ]).toEqual(['bookBySeat', false, 'bookByTable', undefined, undefined]);
  }
});

test('tables are listed as drawn, whole, by seat, or both', async () => {
  await using standin = await open();
  const { chartReports } = standin.client;
  const tables = async (way?: string) =>
    Object.keys(await chartReports.byLabel('hall', way))
      .filter((label) => label.startsWith('T'))
      .toSorted();
  expect(await tables()).toEqual(['T1', 'T1-1', 'T1-2', 'T2', 'T2-1', 'T2-2']);
  expect(await tables('chart')).toEqual(['T1-1', 'T1-2', 'T2']);
  expect(await tables('true')).toEqual(['T1', 'T2']);
  expect(await tables('false')).toEqual(['T1-1', 'T1-2', 'T2-1', 'T2-2']);
  await refuses({ status: 400 }, chartReports.byLabel('hall', 'maybe'));
});

test('every chart report groups by its own property, empty groups included', async () => {
  await using standin = await open();
  const { charts, chartReports } = standin.client;
  const nothing = (await charts.create()).key;
  const loggia = ['Loggia-A-1', 'Loggia-A-2'];
  const priced = ['Loggia-A-1', 'T1', 'T2'];
  const objects = { seat: [], generalAdmission: [], table: [], booth: [] };
  for (const [name, groups, empty] of [
    [
      'byObjectType',
      { ...objects, seat: loggia, generalAdmission: ['GA'], table: ['T1', 'T2'] },
      objects,
    ],
    ['byCategoryKey', { 1: priced, 2: ['GA'], NO_CATEGORY: ['Loggia-A-2'] }, { NO_CATEGORY: [] }],
    [
      'byCategoryLabel',
      { Platea: priced, Galleria: ['GA'], NO_CATEGORY: ['Loggia-A-2'] },
      { NO_CATEGORY: [] },
    ],
    ['bySection', { Loggia: loggia, NO_SECTION: ['GA', 'T1', 'T2'] }, { NO_SECTION: [] }],
    ['byZone', { north: loggia, NO_ZONE: ['GA', 'T1', 'T2'] }, { NO_ZONE: [] }],
  ] as const) {
    expect([name, labelsOf(await chartReports[name]('hall', 'true'))]).toEqual([name, groups]);
    expect([name, labelsOf(await chartReports[name](nothing))]).toEqual([name, empty]);
  }
});

test('chart summaries count places', async () => {
  await using standin = await open();
  const { chartReports } = standin.client;
  const none = { count: 0, bySection: {}, byCategoryKey: {}, byCategoryLabel: {}, byZone: {} };
  expect(await chartReports.summaryByObjectType('hall', 'chart')).toEqual({
    seat: {
      count: 4,
      bySection: { Loggia: 2, NO_SECTION: 2 },
      byCategoryKey: { 1: 3, NO_CATEGORY: 1 },
      byCategoryLabel: { Platea: 3, NO_CATEGORY: 1 },
      byZone: { north: 2, NO_ZONE: 2 },
    },
    generalAdmission: {
      count: 40,
      bySection: { NO_SECTION: 40 },
      byCategoryKey: { 2: 40 },
      byCategoryLabel: { Galleria: 40 },
      byZone: { NO_ZONE: 40 },
    },
    table: {
      count: 1,
      bySection: { NO_SECTION: 1 },
      byCategoryKey: { 1: 1 },
      byCategoryLabel: { Platea: 1 },
      byZone: { NO_ZONE: 1 },
    },
    booth: none,
  });
  for (const [name, counts] of Object.entries({
    ByCategoryKey: { 1: 5, 2: 40, NO_CATEGORY: 1 },
    ByCategoryLabel: { Platea: 5, Galleria: 40, NO_CATEGORY: 1 },
    BySection: { Loggia: 2, NO_SECTION: 44 },
    ByZone: { north: 2, NO_ZONE: 44 },
  })) {
    const summary = await chartReports[`summary${name}` as 'summaryByZone']('hall', 'false');
    const told = Object.entries(summary as Record<string, { count: number }>);
    const seen = Object.fromEntries(told.map(([group, { count }]) => [group, count]));
    expect([name, seen]).toEqual([name, counts]);
  }
});

test('the draft has its own report, and without a draft there is none', async () => {
  await using standin = await open();
  const { charts, chartReports, events } = standin.client;
  await refuses({ status: 404 }, chartReports.byLabel('hall', undefined, Versions.draftVersion));
  await events.create('hall');
  await charts.addCategory('hall', { key: 9, label: 'Nuova', color: '#123456', accessible: false });
  expect(
    Object.keys(await chartReports.byCategoryLabel('hall', undefined, Versions.draftVersion)),
  ).toContain('Nuova');
  expect(
    Object.keys(await chartReports.byCategoryLabel('hall', undefined, Versions.publishedVersion)),
  ).not.toContain('Nuova');
  expect(
    await chartReports.summaryByCategoryKey('hall', undefined, Versions.draftVersion),
  ).toMatchObject({ 9: { count: 0 } });
  await refuses({ status: 400 }, chartReports.byLabel('hall', undefined, 'newest'));
});

test('unknown charts and reports are not found', async () => {
  await using standin = await open();
  await refuses(
    { status: 404, code: 'CHART_NOT_FOUND' },
    standin.client.chartReports.byLabel('nowhere'),
  );
  for (const path of 'byStatus byNothing constructor byLabel/summary byNothing/summary'.split(
    ' ',
  )) {
    const { status } = await standin.ask(`GET /reports/charts/hall/${path}`);
    expect([path, status]).toEqual([path, 404]);
  }
});
