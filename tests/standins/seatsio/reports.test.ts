/** Event reports through the SDK: flat, as CSV, in groups, filtered, counted, and counted deeply. */
import { createServer } from 'node:http';
import { expect, test, vi } from 'vitest';
import { sendPieces } from '#server/standins/seatsio/report/report-sending.ts';
import { area, bar, drawHall, drawRow, section, table } from './halls.ts';
import { basic, eventParams, refuses, startStandin, things, uploadDrawing } from './start.ts';
import type { AddressInfo } from 'node:net';
import type { EventObjectInfo } from 'seatsio';
import type { Standin } from './start.ts';

const unpainted = drawRow('B', 40, '..');
Object.assign(unpainted.seats[1]!, { categoryKey: null });
/** Row A of four in one zone's section, row B of two outside, an area of 100, a table of three, a booth. */
const drawing = drawHall([unpainted], {
  zones: [
    { key: 'north', label: 'Nord' },
    { key: 'south', label: 'Sud' },
  ],
  sections: [section('Loggia', 10, [drawRow('A', 40, '....')], { zone: 'north' })],
  tables: [table('T', 300, '...')],
  booths: [bar],
  generalAdmissionAreas: [area('GA', 300, 100)],
});
const ALL = 'B-1 B-2 Bar GA Loggia-A-1 Loggia-A-2 Loggia-A-3 Loggia-A-4 T'.split(' ');

/** An event where something is sold, held, reserved and closed; answers with the hold token. */
async function openSold(standin: Standin): Promise<string> {
  const { events, holdTokens } = standin.client;
  await uploadDrawing(standin, { key: 'hall', drawing });
  const friends = { key: 'friends', name: 'Amici', color: '#123456', index: 1 };
  const channel = { ...friends, objects: ['Loggia-A-4'], areaPlaces: { GA: 10 } };
  await events.create('hall', eventParams({ key: 'sold', channels: [channel] }));
  const { holdToken } = await holdTokens.create();
  const ada = { objectId: 'Loggia-A-1', ticketType: 'intero', extraData: { name: '=1+1' } };
  await events.book('sold', things(ada, 'T'), null, 'order-1');
  await events.book('sold', things({ objectId: 'GA', quantity: 5 }));
  await events.hold('sold', things('Loggia-A-2', { objectId: 'GA', quantity: 3 }), holdToken);
  await events.changeObjectStatus('sold', 'Bar', '=guasto');
  await events.replaceForSaleConfig('sold', false, ['B-2'], { GA: 20 });
  return holdToken;
}

function labelsOf(report: Record<string, EventObjectInfo[] | undefined>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(report).map(([group, infos]) => [group, infos!.map(({ label }) => label)]),
  );
}

test('the flat list holds every object in the order of the labels, as it is now', async () => {
  await using standin = await startStandin();
  const { events, eventReports } = standin.client;
  const holdToken = await openSold(standin);
  const list = await eventReports.flatList('sold');
  expect(list.map(({ label }) => label)).toEqual(ALL);
  const byLabel = await events.retrieveObjectInfos('sold', ALL);
  expect(list).toEqual(ALL.map((label) => byLabel[label]));
  expect(list.find(({ label }) => label === 'GA')).toMatchObject({
    numBooked: 5,
    numHeld: 3,
    numNotForSale: 20,
    numFree: 72,
    holds: { [holdToken]: { NO_TICKET_TYPE: 3 } },
  });
  await refuses({ status: 404, code: 'EVENT_NOT_FOUND' }, eventReports.flatList('nowhere'));
});

test('the CSV has a line for every object and no formulas', async () => {
  await using standin = await startStandin();
  const { eventReports } = standin.client;
  await openSold(standin);
  const [header, ...lines] = (await eventReports.flatListCsv('sold')).trimEnd().split('\n');
  expect(header!.split(',').slice(0, 4)).toEqual([
    'label',
    'displayedLabel',
    'objectType',
    'status',
  ]);
  expect(lines.map((line) => line.split(',')[0])).toEqual(ALL);
  expect(
    lines
      .find((line) => line.startsWith('Bar,'))!
      .split(',')
      .slice(2, 4),
  ).toEqual(['booth', "'=guasto"]);
  const first = lines.find((line) => line.startsWith('Loggia-A-1,'))!;
  expect(first).toContain('booked');
  expect(first).toContain('"{""name"":""=1+1""}"');
  expect(first.split(',')[header!.split(',').indexOf('section')]).toBe('Loggia');
  const answer = await standin.ask('GET /reports/events/sold.csv');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  await refuses({ status: 404, code: 'EVENT_NOT_FOUND' }, eventReports.flatListCsv('nowhere'));
});

test('an event whose key ends in .csv has its flat list too', async () => {
  await using standin = await startStandin();
  const { events, eventReports } = standin.client;
  await events.create('small', eventParams({ key: 'list.csv' }));
  expect((await eventReports.flatList('list.csv')).length).toBeGreaterThan(10);
  expect(await eventReports.flatListCsv('list.csv')).toContain('A-1');
});

test('every report groups the objects by its own property, and a filter answers with that one group, be it empty', async () => {
  await using standin = await startStandin();
  await openSold(standin);
  const reports = standin.client.eventReports;
  const rest = (...not: string[]) => ALL.filter((label) => !not.includes(label));
  const loggia = ['Loggia-A-1', 'Loggia-A-2', 'Loggia-A-3', 'Loggia-A-4'];
  const free = ['B-1', 'GA', 'Loggia-A-3', 'Loggia-A-4'];
  const gone = { booked: ['Loggia-A-1', 'T'], reservedByToken: ['Loggia-A-2'], '=guasto': ['Bar'] };
  const expected = {
    byStatus: {
      ...gone,
      reservedByToken: ['GA', 'Loggia-A-2'],
      free: rest('Loggia-A-1', 'Loggia-A-2', 'T', 'Bar', 'GA'),
    },
    byObjectType: {
      seat: ['B-1', 'B-2', ...loggia],
      generalAdmission: ['GA'],
      table: ['T'],
      booth: ['Bar'],
    },
    byCategoryKey: { 1: ['B-1', 'Bar', ...loggia, 'T'], 2: ['GA'], NO_CATEGORY: ['B-2'] },
    byCategoryLabel: {
      Platea: ['B-1', 'Bar', ...loggia, 'T'],
      Galleria: ['GA'],
      NO_CATEGORY: ['B-2'],
    },
    byLabel: Object.fromEntries(ALL.map((label) => [label, [label]])),
    byOrderId: { 'order-1': ['Loggia-A-1', 'T'], NO_ORDER_ID: rest('Loggia-A-1', 'T') },
    bySection: { Loggia: loggia, NO_SECTION: rest(...loggia) },
    byZone: { north: loggia, south: [], NO_ZONE: rest(...loggia) },
    byChannel: { friends: ['Loggia-A-4'], NO_CHANNEL: rest('Loggia-A-4') },
    byAvailability: { available: free, not_available: rest(...free) },
    byAvailabilityReason: { ...gone, available: free, not_for_sale: ['B-2'] },
  } satisfies Record<string, Record<string, string[]>>;
  for (const [name, groups] of Object.entries(expected)) {
    const ask = async (filter?: string) =>
      labelsOf(await reports[name as keyof typeof expected]('sold', filter));
    expect([name, await ask()]).toEqual([name, groups]);
    const nowhere = name === 'byLabel' ? 'summary' : 'nowhere';
    for (const [group, labels] of [...Object.entries(groups).slice(0, 4), [nowhere, []] as const])
      expect([name, await ask(group)]).toEqual([name, { [group]: labels }]);
  }
});

test('a summary counts places and breaks them down by everything else', async () => {
  await using standin = await startStandin();
  await openSold(standin);
  const { eventReports } = standin.client;
  const { booked, free } = await eventReports.summaryByStatus('sold');
  expect({ booked, free }).toEqual({
    booked: {
      count: 9,
      byObjectType: { seat: 1, generalAdmission: 5, table: 3 },
      byCategoryKey: { 1: 4, 2: 5 },
      byCategoryLabel: { Platea: 4, Galleria: 5 },
      bySection: { Loggia: 1, NO_SECTION: 8 },
      byZone: { north: 1, NO_ZONE: 8 },
      byAvailability: { not_available: 9 },
      byAvailabilityReason: { booked: 9 },
      bySelectability: { not_selectable: 9 },
      byChannel: { NO_CHANNEL: 9 },
    },
    free: {
      count: 96,
      byObjectType: { seat: 4, generalAdmission: 92 },
      byCategoryKey: { 1: 3, 2: 92, NO_CATEGORY: 1 },
      byCategoryLabel: { Platea: 3, Galleria: 92, NO_CATEGORY: 1 },
      bySection: { Loggia: 2, NO_SECTION: 94 },
      byZone: { north: 2, NO_ZONE: 94 },
      byAvailability: { available: 75, not_available: 21 },
      byAvailabilityReason: { available: 75, not_for_sale: 21 },
      bySelectability: { selectable: 75, not_selectable: 21 },
      byChannel: { friends: 11, NO_CHANNEL: 85 },
    },
  });
});

test('every summary has its groups, the empty ones too, and counts every place once', async () => {
  await using standin = await startStandin();
  await openSold(standin);
  const { eventReports } = standin.client;
  for (const [name, counts] of Object.entries({
    ByObjectType: { seat: 6, generalAdmission: 100, table: 3, booth: 1 },
    ByCategoryKey: { 1: 9, 2: 100, NO_CATEGORY: 1 },
    ByCategoryLabel: { Platea: 9, Galleria: 100, NO_CATEGORY: 1 },
    BySection: { Loggia: 4, NO_SECTION: 106 },
    ByZone: { north: 4, south: 0, NO_ZONE: 106 },
    ByAvailability: { available: 75, not_available: 35 },
    ByAvailabilityReason: {
      available: 75,
      booked: 9,
      reservedByToken: 4,
      '=guasto': 1,
      not_for_sale: 21,
      disabled_by_social_distancing: 0,
    },
    ByChannel: { friends: 11, NO_CHANNEL: 99 },
  })) {
    const summary = await eventReports[`summary${name}` as 'summaryByZone']('sold');
    const told = Object.entries(summary as Record<string, { count: number }>);
    const seen = Object.fromEntries(told.map(([group, { count }]) => [group, count]));
    expect([name, seen]).toEqual([name, counts]);
  }
  const { south } = (await eventReports.summaryByZone('sold')) as Record<string, object>;
  expect(south).toEqual({
    count: 0,
    byStatus: {},
    byObjectType: {},
    byCategoryKey: {},
    byCategoryLabel: {},
    bySection: {},
    byAvailability: {},
    byAvailabilityReason: {},
    bySelectability: {},
    byChannel: {},
  });
  const { Platea } = (await eventReports.summaryByCategoryLabel('sold')) as Record<string, object>;
  expect(Object.keys(Platea!)).not.toContain('byCategoryKey');
});

test('a deep summary has a summary where the plain one has a number', async () => {
  await using standin = await startStandin();
  await openSold(standin);
  const { eventReports } = standin.client;
  for (const type of [
    ...'Status ObjectType CategoryKey CategoryLabel Section Zone Availability'.split(' '),
    'AvailabilityReason',
    'Channel',
  ]) {
    const plain = (await standin.ask(`GET /reports/events/sold/by${type}/summary`)).body;
    const answer = await eventReports[`deepSummaryBy${type}` as 'deepSummaryByZone']('sold');
    const flattened = structuredClone(answer) as Record<string, Record<string, unknown>>;
    for (const group of Object.values(flattened)) {
      for (const [dimension, names] of Object.entries(group)) {
        if (dimension === 'count') continue;
        group[dimension] = Object.fromEntries(
          Object.entries(names as Record<string, { count: number }>).map(([name, { count }]) => [
            name,
            count,
          ]),
        );
      }
    }
    expect([type, flattened]).toEqual([type, plain]);
  }
  const { NO_CHANNEL } = (await eventReports.deepSummaryByChannel('sold')) as Record<
    string,
    { bySection: Record<string, { byStatus: object; byObjectType: object }> }
  >;
  expect(NO_CHANNEL!.bySection['Loggia']).toMatchObject({
    byStatus: { booked: 1, reservedByToken: 1, free: 1 },
    byObjectType: { seat: 3 },
  });
  expect(NO_CHANNEL!.bySection['Loggia']).not.toHaveProperty('byChannel');
});

test('a season shows what its events have booked, and alone only what is its own', async () => {
  await using standin = await startStandin();
  const { events, seasons, eventReports } = standin.client;
  const season = await seasons.create('small');
  const [event] = await seasons.createEvents(season.key, 1);
  await events.book(season.key, ['A-1', 'A-2']);
  await events.book(event!.key, ['A-3']);
  const alone = eventReports.withSeasonBookingsNotPropagated();
  expect(labelsOf(await eventReports.byStatus(season.key, 'booked'))).toEqual({
    booked: ['A-1', 'A-2', 'A-3'],
  });
  expect(labelsOf(await alone.byStatus(season.key, 'booked'))).toEqual({ booked: ['A-1', 'A-2'] });
  expect(labelsOf(await alone.byStatus(event!.key, 'booked'))).toEqual({ booked: ['A-3'] });
  expect([
    (await eventReports.summaryByStatus(event!.key)).booked.count,
    (await alone.summaryByStatus(event!.key)).booked.count,
  ]).toEqual([3, 1]);
  expect(
    (await alone.flatListCsv(event!.key)).split('\n').filter((line) => line.includes('booked'))
      .length,
  ).toBe(1);
  const path = '/reports/events/ev?seasonBookingsPropagated=perhaps';
  expect((await standin.ask(`GET ${path}`)).status).toBe(400);
});

test('a report that does not exist is not found, whatever it is called', async () => {
  await using standin = await startStandin();
  for (const path of [
    ...'byNothing toString __proto__ byNothing/summary byLabel/summary/deep'.split(' '),
    ...'byOrderId/summary/deep byNothing/x byStatus/a/b'.split(' '),
  ]) {
    const { status, body } = await standin.ask(`GET /reports/events/ev/${path}`);
    expect([path, status, body]).toMatchObject([
      path,
      404,
      { status: 404, errors: [{ code: expect.stringMatching(/NOT_FOUND$/) }] },
    ]);
  }
});

test('names that would be special elsewhere are names like any other', async () => {
  await using standin = await startStandin();
  await standin.client.events.changeObjectStatus('ev', 'A-1', '__proto__');
  const ask = async (path: string) => (await standin.ask(`GET /reports/events/ev/${path}`)).text;
  expect(await ask('byStatus')).toContain('"__proto__":[{"label":"A-1"');
  expect(await ask('byStatus/constructor')).toBe('{"constructor":[]}');
  expect(await ask('byStatus/summary')).toContain('"__proto__":{"count":1');
});

/** An event of five thousand seats, `big`. */
async function openBig(standin: Standin): Promise<void> {
  const rows = Array.from({ length: 100 }, (_, row) => ({
    uuid: String(row),
    label: String(row),
    seats: Array.from({ length: 50 }, (_, index) => ({
      uuid: `${row}-${index}`,
      label: String(index + 1),
      x: index * 20,
      y: row * 20,
      categoryKey: 1,
    })),
  }));
  await uploadDrawing(standin, {
    key: 'big',
    drawing: { ...drawing, subChart: { width: 1, height: 1, focalPoint: null, rows } },
  });
  await standin.client.events.create('big', eventParams({ key: 'big' }));
}

test('a large report arrives whole, and who hangs up in the middle of it harms nobody', async () => {
  await using standin = await startStandin();
  await openBig(standin);
  const { eventReports } = standin.client;
  const list = await eventReports.flatList('big');
  expect([list.length, new Set(list.map(({ label }) => label)).size]).toEqual([5_000, 5_000]);
  expect(Object.keys(await eventReports.byLabel('big')).length).toBe(5_000);
  expect((await eventReports.byObjectType('big')).seat!.length).toBe(5_000);
  expect((await eventReports.flatListCsv('big')).trimEnd().split('\n').length).toBe(5_001);
  using complaints = vi.spyOn(console, 'error');
  const hangUp = new AbortController();
  const answer = await fetch(`${standin.url}/reports/events/big`, {
    headers: { authorization: basic(standin.secretKey) },
    signal: hangUp.signal,
  });
  await answer.body!.getReader().read();
  hangUp.abort();
  expect((await eventReports.byLabel('big', '7-7'))['7-7']!.length).toBe(1);
  await standin.close();
  expect(complaints).not.toHaveBeenCalled();
});

test('between two pieces of a report others have their turn', async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const seen: number[] = [];
  function* pieces() {
    for (let piece = 0; piece < 20; piece += 1) {
      seen.push(turns);
      yield `${piece} `;
    }
  }
  const server = createServer((_, response) => void sendPieces(response, 'text/plain', pieces()));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect((await answer.text()).split(' ').length).toBe(21);
  expect(new Set(seen).size).toBe(20);
  clearImmediate(timer);
  server.close();
});
