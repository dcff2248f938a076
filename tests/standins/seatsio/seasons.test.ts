/** Seasons, partial seasons and what their bookings do to each other, through the vendor's SDK. */
import { expect, test } from 'vitest';
import {
  Category,
  CreateSeasonParams,
  ForSaleConfig,
  StatusChangeRequest,
  UpdateSeasonParams,
} from 'seatsio';
import { eventParams, refuses, startStandin, things, updateParams } from './start.ts';
import type { Season } from 'seatsio';
import type { Standin } from './start.ts';

const illegal = { status: 400, code: 'ILLEGAL_STATUS_CHANGE' };
const keys = ({ events }: Season) => events!.map(({ key }) => key);

/** A season of three evenings, the first two of which are also sold as a half. */
async function startSeason(): Promise<Standin> {
  const standin = await startStandin();
  await standin.client.seasons.create(
    'small',
    new CreateSeasonParams().key('year').eventKeys(['one', 'two', 'three']),
  );
  await standin.client.seasons.createPartialSeason('year', 'half', 'Mezza stagione', [
    'one',
    'two',
  ]);
  return standin;
}

async function statuses({ client }: Standin, label: string): Promise<Record<string, string>> {
  const found = await Promise.all(
    ['year', 'half', 'one', 'two', 'three'].map(async (key) => [
      key,
      (await client.events.retrieveObjectInfo(key, label)).status,
    ]),
  );
  return Object.fromEntries(found.filter(([, status]) => status !== 'free')) as Record<
    string,
    string
  >;
}

async function freePlaces({ client }: Standin): Promise<(number | undefined)[]> {
  return Promise.all(
    ['year', 'half', 'one', 'two', 'three'].map(
      async (key) => (await client.events.retrieveObjectInfo(key, 'GA1')).numFree,
    ),
  );
}

function request(event: string, type: string, objects: unknown): StatusChangeRequest {
  return new StatusChangeRequest()
    .withEventKey(event)
    .withType(type as 'RELEASE')
    .withObjects(objects as string[]);
}

test('a season answers with its events in order, its events with their seasons', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  const season = (await client.seasons.retrieve('year')) as Season;
  expect([
    season.isSeason(),
    season.isTopLevelSeason,
    season.isPartialSeason,
    season.isEventInSeason,
  ]).toEqual([true, true, false, false]);
  expect([
    keys(season),
    season.partialSeasonKeys,
    season.chartKey,
    season.forSaleConfig,
    season.forSalePropagated,
  ]).toEqual([['one', 'two', 'three'], ['half'], 'small', null, true]);
  expect([season.topLevelSeasonKey, season.partialSeasonKeysForEvent, season.updatedOn]).toEqual([
    undefined,
    undefined,
    null,
  ]);
  const half = (await client.events.retrieve('half')) as Season;
  expect([
    half.isSeason(),
    half.isTopLevelSeason,
    half.isPartialSeason,
    half.isEventInSeason,
  ]).toEqual([true, false, true, false]);
  expect([keys(half), half.partialSeasonKeys, half.topLevelSeasonKey, half.name]).toEqual([
    ['one', 'two'],
    undefined,
    'year',
    'Mezza stagione',
  ]);
  const one = await client.events.retrieve('one');
  expect([
    one.isSeason(),
    one.isEventInSeason,
    one.topLevelSeasonKey,
    one.partialSeasonKeysForEvent,
  ]).toEqual([false, true, 'year', ['half']]);
  expect((await client.events.retrieve('three')).partialSeasonKeysForEvent).toEqual([]);
  const listed = (await client.events.listFirstPage()).items;
  expect(listed.map((event) => [event.key, event.isSeason()])).toEqual([
    ['half', true],
    ['three', false],
    ['two', false],
    ['one', false],
    ['year', true],
    ['ev', false],
  ]);
});

test('what is said at the making of a season is kept, and holds for its events', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  const empty = await client.seasons.create('small');
  expect([keys(empty), empty.partialSeasonKeys, empty.tableBookingConfig]).toEqual([
    [],
    [],
    { mode: 'INHERIT' },
  ]);
  const season = await client.seasons.create(
    'small',
    new CreateSeasonParams()
      .key('s')
      .name('Stagione')
      .numberOfEvents(2)
      .objectCategories({ 'A-1': 'own' })
      .categories([new Category('own', 'Own', '#333333', false)])
      .tableBookingConfig({ mode: 'ALL_BY_SEAT' })
      .forSalePropagated(false)
      .forSaleConfig(new ForSaleConfig(false, ['A-2'], { GA1: 5 }, []))
      .channels([{ key: 'c', name: 'C', color: '#00ff00', index: 1, objects: ['A-3'] }]),
  );
  expect(season).toMatchObject({
    key: 's',
    name: 'Stagione',
    objectCategories: { 'A-1': 'own' },
    forSalePropagated: false,
    forSaleConfig: { objects: ['A-2'] },
    channels: [{ key: 'c', objects: ['A-3'] }],
  });
  const [event] = season.events!;
  expect(event).toMatchObject({
    tableBookingConfig: { mode: 'ALL_BY_SEAT' },
    objectCategories: { 'A-1': 'own' },
    topLevelSeasonKey: 's',
  });
  expect((await client.events.retrieveObjectInfo(event!.key, 'A-1')).categoryLabel).toBe('Own');
  await client.seasons.update(
    's',
    Object.assign(new UpdateSeasonParams(), {
      key: 't',
      name: 'Nuova',
      tableBookingConfig: { mode: 'ALL_BY_TABLE' },
      categories: [],
      objectCategories: {},
    }),
  );
  expect(await client.seasons.retrieve('t')).toMatchObject({
    name: 'Nuova',
    tableBookingConfig: { mode: 'ALL_BY_TABLE' },
    objectCategories: undefined,
  });
  expect(await client.events.retrieve(event!.key)).toMatchObject({
    tableBookingConfig: { mode: 'ALL_BY_TABLE' },
    topLevelSeasonKey: 't',
  });
  await refuses(
    'EVENT_KEY_ALREADY_EXISTS',
    client.seasons.create('small', new CreateSeasonParams().key('t')),
  );
  await refuses(
    'EVENT_KEY_ALREADY_EXISTS',
    client.seasons.create('small', new CreateSeasonParams().key('u').eventKeys(['v', 'ev'])),
  );
  await refuses('EVENT_NOT_FOUND', client.events.retrieve('u'));
  await refuses(
    { status: 400, code: 'GENERAL_ERROR' },
    client.seasons.create('small', new CreateSeasonParams().numberOfEvents(1).eventKeys(['x'])),
  );
});

test('events join a season last one first, and partial seasons one by one', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  expect(
    (await client.seasons.createEvents('year', null, ['four', 'five'])).map(
      ({ key }: { key: string }) => key,
    ),
  ).toEqual(['five', 'four']);
  expect(await client.seasons.createEvents('year', 2)).toHaveLength(2);
  expect(
    keys(await client.seasons.addEventsToPartialSeason('year', 'half', ['four', 'one'])),
  ).toEqual(['one', 'two', 'four']);
  expect(keys(await client.seasons.removeEventFromPartialSeason('year', 'half', 'one'))).toEqual([
    'two',
    'four',
  ]);
  expect((await client.events.retrieve('one')).partialSeasonKeysForEvent).toEqual([]);
  const asked = [
    client.seasons.addEventsToPartialSeason('year', 'half', ['ev']),
    client.seasons.addEventsToPartialSeason('year', 'half', []),
    client.seasons.removeEventFromPartialSeason('year', 'half', 'one'),
    client.seasons.createEvents('year'),
    client.seasons.createEvents('half', 1),
    client.seasons.createPartialSeason('half'),
    client.seasons.addEventsToPartialSeason('half', 'half', ['one']),
    client.seasons.createEvents('ev', 1),
  ];
  for (const one of asked) await refuses({ status: 400, code: 'GENERAL_ERROR' }, one);
  await refuses(
    { status: 404, code: 'EVENT_NOT_FOUND' },
    client.seasons.addEventsToPartialSeason('year', 'half', ['nobody']),
  );
});

test('a season that is deleted takes everything with it, a partial season only itself', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.events.book('half', 'A-1');
  await client.events.delete('half');
  expect((await client.events.retrieveObjectInfo('one', 'A-1')).status).toBe('free');
  expect(((await client.seasons.retrieve('year')) as Season).partialSeasonKeys).toEqual([]);
  await client.events.delete('two');
  expect(keys((await client.seasons.retrieve('year')) as Season)).toEqual(['one', 'three']);
  await client.events.delete('year');
  for (const key of ['year', 'one', 'three'])
    await refuses('EVENT_NOT_FOUND', client.events.retrieve(key));
  await client.events.retrieve('ev');
});

test('what a season books is booked in all its events and partial seasons, and cannot be sold there', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.events.book(
    'year',
    things({ objectId: 'A-1', ticketType: 'abbonamento' }),
    null,
    'order1',
  );
  expect(await statuses(standin, 'A-1')).toEqual({
    year: 'booked',
    half: 'booked',
    one: 'booked',
    two: 'booked',
    three: 'booked',
  });
  expect(await client.events.retrieveObjectInfo('two', 'A-1')).toMatchObject({
    orderId: 'order1',
    ticketType: 'abbonamento',
    isAvailable: false,
    availabilityReason: 'booked',
    seasonStatusOverriddenQuantity: 0,
  });
  for (const key of ['half', 'one']) await refuses(illegal, client.events.book(key, 'A-1'));
  await refuses(illegal, client.events.release('one', 'A-1'));
  expect((await client.eventReports.byStatus('three')).booked!.map(({ label }) => label)).toEqual([
    'A-1',
  ]);
  await client.events.changeObjectStatus('year', 'A-1', 'vip');
  expect((await client.events.retrieveObjectInfo('one', 'A-1')).status).toBe('vip');
  await client.events.release('year', 'A-1');
  expect(await statuses(standin, 'A-1')).toEqual({});
  await client.events.book('one', 'A-1');
});

test('what one evening books is gone for the seasons that contain it, and free on the others', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.events.book('one', 'A-1', null, 'order1');
  expect(await statuses(standin, 'A-1')).toEqual({ year: 'booked', half: 'booked', one: 'booked' });
  expect((await client.events.retrieveObjectInfo('year', 'A-1')).orderId).toBeUndefined();
  for (const key of ['year', 'half'])
    await refuses(illegal, client.events.book(key, ['A-1', 'A-2']));
  await client.events.book('three', 'B-1');
  expect(await statuses(standin, 'B-1')).toEqual({ year: 'booked', three: 'booked' });
  await client.events.book('half', 'B-1');
  expect(await statuses(standin, 'B-1')).toEqual({
    year: 'booked',
    half: 'booked',
    one: 'booked',
    two: 'booked',
    three: 'booked',
  });
});

test('partial seasons block each other only on the evenings they share', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.seasons.createPartialSeason('year', 'late', null, ['three']);
  await client.seasons.createPartialSeason('year', 'middle', null, ['two', 'three']);
  await client.events.book('half', 'A-1');
  await client.events.book('late', 'A-1');
  await refuses(illegal, client.events.book('middle', 'A-1'));
  await client.events.release('late', 'A-1');
  await refuses(illegal, client.events.book('middle', 'A-1'));
  await refuses(
    'EVENT_NOT_FOUND',
    client.seasons.addEventsToPartialSeason('year', 'late', ['nobody']),
  );
});

test('an evening that is over does not keep a seat from the rest of the season', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.events.book('one', 'A-1');
  await client.events.update('one', updateParams({ isInThePast: true }));
  expect(await statuses(standin, 'A-1')).toEqual({ one: 'booked' });
  await client.events.book('year', 'A-1', null, 'order2');
  expect((await client.events.retrieveObjectInfo('one', 'A-1')).orderId).toBeUndefined();
  expect((await client.events.retrieveObjectInfo('two', 'A-1')).orderId).toBe('order2');
});

test("a season's place can be given back for one evening, sold there, and not taken back while it is sold", async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.events.book('year', ['A-1', 'A-2'], null, 'order1');
  await client.events.overrideSeasonObjectStatus('two', ['A-1']);
  expect(await client.events.retrieveObjectInfo('two', 'A-1')).toMatchObject({
    status: 'free',
    orderId: undefined,
    seasonStatusOverriddenQuantity: 1,
    isAvailable: true,
  });
  expect(await statuses(standin, 'A-1')).toEqual({
    year: 'booked',
    half: 'booked',
    one: 'booked',
    three: 'booked',
  });
  await refuses(illegal, client.events.overrideSeasonObjectStatus('two', ['A-1']));
  await client.events.book('two', 'A-1', null, 'order2');
  expect(await client.events.retrieveObjectInfo('two', 'A-1')).toMatchObject({
    orderId: 'order2',
    seasonStatusOverriddenQuantity: 1,
  });
  await refuses(illegal, client.events.useSeasonObjectStatus('two', ['A-1']));
  await client.events.release('two', 'A-1');
  await client.events.useSeasonObjectStatus('two', ['A-1']);
  expect(await client.events.retrieveObjectInfo('two', 'A-1')).toMatchObject({
    status: 'booked',
    orderId: 'order1',
    seasonStatusOverriddenQuantity: 0,
  });
  await refuses(illegal, client.events.useSeasonObjectStatus('two', ['A-2']));
  for (const key of ['year', 'half', 'ev'])
    await refuses('GENERAL_ERROR', client.events.overrideSeasonObjectStatus(key, ['A-2']));
});

test('an override ends with the booking that it was about', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.events.book('year', 'A-1');
  await client.events.overrideSeasonObjectStatus('two', ['A-1']);
  await client.events.release('year', 'A-1');
  expect(
    (await client.events.retrieveObjectInfo('two', 'A-1')).seasonStatusOverriddenQuantity,
  ).toBe(0);
  await client.events.book('year', 'A-1');
  expect((await client.events.retrieveObjectInfo('two', 'A-1')).status).toBe('booked');
});

test("an evening can do without a season's place before the season has sold it", async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.events.overrideSeasonObjectStatus('two', ['A-1', 'GA1', 'GA1']);
  const [seat] = (
    (await client.eventReports.byLabel('two', 'A-1')) as Record<
      string,
      { status: string; seasonStatusOverriddenQuantity: number }[]
    >
  )['A-1']!;
  expect(seat).toMatchObject({ status: 'free', seasonStatusOverriddenQuantity: 1 });
  await refuses(illegal, client.events.overrideSeasonObjectStatus('two', ['A-1']));
  await client.events.book('year', things('A-1', { objectId: 'GA1', quantity: 3 }), null, 'order1');
  expect(await statuses(standin, 'A-1')).toEqual({
    year: 'booked',
    half: 'booked',
    one: 'booked',
    three: 'booked',
  });
  expect(await client.events.retrieveObjectInfo('two', 'GA1')).toMatchObject({
    numFree: 99,
    seasonStatusOverriddenQuantity: 2,
  });
  await client.events.book('two', 'A-1', null, 'order2');
  await refuses(illegal, client.events.useSeasonObjectStatus('two', ['A-1']));
  await client.events.release('year', 'A-1');
  expect(await client.events.retrieveObjectInfo('two', 'A-1')).toMatchObject({
    orderId: 'order2',
    seasonStatusOverriddenQuantity: 0,
  });
  await client.events.useSeasonObjectStatus('two', ['GA1', 'GA1']);
  expect((await client.events.retrieveObjectInfo('two', 'GA1')).numFree).toBe(97);
});

test('overriding and going back can be steps of a batch, for the season that is named', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.events.book('half', 'A-1');
  await refuses(
    'GENERAL_ERROR',
    client.events.overrideSeasonObjectStatus('three', ['A-1'], 'half'),
  );
  const resold = (await client.events.changeObjectStatusInBatch([
    request('one', 'OVERRIDE_SEASON_STATUS', ['A-1']).withSeasonKey('half'),
    request('one', 'CHANGE_STATUS_TO', ['A-1'])
      .withStatus('resale')
      .withResaleListingId('listing1'),
  ])) as { objects: Record<string, { status: string; resaleListingId?: string }> }[];
  expect(resold.map(({ objects }) => objects['A-1']!.status)).toEqual(['free', 'resale']);
  expect(await client.events.retrieveObjectInfo('one', 'A-1')).toMatchObject({
    status: 'resale',
    resaleListingId: 'listing1',
  });
  await refuses(
    illegal,
    client.events.changeObjectStatusInBatch([
      request('one', 'RELEASE', ['A-1']),
      request('one', 'USE_SEASON_STATUS', ['A-2']),
    ]),
  );
  expect((await client.events.retrieveObjectInfo('one', 'A-1')).status).toBe('resale');
  await client.events.changeObjectStatusInBatch([
    request('one', 'RELEASE', ['A-1']),
    request('one', 'USE_SEASON_STATUS', ['A-1']),
  ]);
  expect((await client.events.retrieveObjectInfo('one', 'A-1')).status).toBe('booked');
});

test('an area has as many places for the season as its fullest evening, and for an evening what the seasons leave', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  const places = (quantity: number) => things({ objectId: 'GA1', quantity });
  await client.events.book('one', places(5));
  await client.events.book('three', places(18));
  expect(await freePlaces(standin)).toEqual([82, 95, 95, 100, 82]);
  await client.events.book('year', places(30));
  await client.events.book('half', places(10));
  expect(await freePlaces(standin)).toEqual([52, 55, 55, 60, 52]);
  await refuses(illegal, client.events.book('year', places(53)));
  await refuses(illegal, client.events.book('one', places(56)));
  await client.events.book('one', places(55));
  expect(await client.events.retrieveObjectInfo('one', 'GA1')).toMatchObject({
    status: 'booked',
    numBooked: 100,
    isAvailable: false,
  });
  expect(await client.events.retrieveObjectInfo('year', 'GA1')).toMatchObject({
    status: 'booked',
    numFree: 0,
  });
  await client.events.overrideSeasonObjectStatus('one', ['GA1', 'GA1']);
  expect(await client.events.retrieveObjectInfo('one', 'GA1')).toMatchObject({
    status: 'free',
    numFree: 2,
    seasonStatusOverriddenQuantity: 2,
  });
  await client.events.book('one', places(1));
  await refuses(illegal, client.events.useSeasonObjectStatus('one', ['GA1', 'GA1']));
  await client.events.useSeasonObjectStatus('one', ['GA1']);
  expect(await client.events.retrieveObjectInfo('one', 'GA1')).toMatchObject({
    numFree: 0,
    seasonStatusOverriddenQuantity: 1,
  });
  await refuses(illegal, client.events.release('one', places(62)));
});

test('an evening cannot join a half season in which the same place is sold already', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.events.book('three', things('A-1', { objectId: 'GA1', quantity: 60 }));
  await client.events.book('half', 'A-1');
  await refuses(illegal, client.seasons.addEventsToPartialSeason('year', 'half', ['three']));
  await client.events.release('half', 'A-1');
  await client.events.book('half', things({ objectId: 'GA1', quantity: 41 }));
  await refuses(illegal, client.seasons.addEventsToPartialSeason('year', 'half', ['three']));
  await client.events.release('half', things({ objectId: 'GA1', quantity: 1 }));
  expect(keys(await client.seasons.addEventsToPartialSeason('year', 'half', ['three']))).toEqual([
    'one',
    'two',
    'three',
  ]);
});

test('a hold on the season ends on all evenings, and only its own token books it', async () => {
  await using standin = await startSeason();
  const { client, clock } = standin;
  const { holdToken } = await client.holdTokens.create();
  await client.events.hold('year', ['A-1', 'A-2'], holdToken);
  expect((await client.events.retrieveObjectInfo('one', 'A-1')).status).toBe('reservedByToken');
  await refuses(illegal, client.events.book('one', 'A-1', holdToken));
  await client.events.book('year', 'A-1', holdToken);
  clock.now += 15 * 60_000;
  expect([
    await statuses(standin, 'A-2'),
    (await client.events.retrieveObjectInfo('one', 'A-1')).status,
  ]).toEqual([{}, 'booked']);
});

test('what a partial season does not sell is not sold on its evenings, nor in the seasons that share one, and is sold on the others', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.seasons.createPartialSeason('year', 'late', null, ['two', 'three']);
  await client.seasons.createPartialSeason('year', 'last', null, ['three']);
  await client.events.markAsNotForSale('half', ['A-1'], { GA1: 30 });
  const all = ['half', 'one', 'two', 'year', 'late', 'three', 'last'];
  const closed = async (label: string) => {
    const found = await Promise.all(
      all.map(async (key) => [key, (await client.events.retrieveObjectInfo(key, label)).forSale]),
    );
    return found.filter(([, forSale]) => !forSale).map(([key]) => key);
  };
  expect(await closed('A-1')).toEqual(['half', 'one', 'two', 'year', 'late']);
  expect((await client.events.retrieveObjectInfo('two', 'GA1')).numNotForSale).toBe(30);
  expect((await client.events.retrieveObjectInfo('three', 'GA1')).numNotForSale).toBe(0);
  await refuses('NOT_FOR_SALE', client.events.book('one', 'A-1'));
  await client.events.book('three', 'A-1');
  await client.seasons.removeEventFromPartialSeason('year', 'half', 'one');
  expect(await closed('A-1')).toEqual(['half', 'two', 'year', 'late']);
  await client.seasons.update('year', new UpdateSeasonParams().withForSalePropagated(false));
  expect(await closed('A-1')).toEqual(['half']);
});

test('what the season does not sell its evenings do not sell, unless it keeps that to itself', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.events.markAsNotForSale('year', ['A'], { GA1: 40 });
  await client.events.markAsNotForSale('three', ['B-1']);
  const forSale = async (key: string, label: string) =>
    (await client.events.retrieveObjectInfo(key, label)).forSale;
  expect([
    await forSale('one', 'A-1'),
    await forSale('half', 'A-1'),
    await forSale('year', 'B-1'),
    await forSale('half', 'B-1'),
  ]).toEqual([false, false, false, true]);
  expect((await client.events.retrieveObjectInfo('one', 'GA1')).numNotForSale).toBe(40);
  await refuses('NOT_FOR_SALE', client.events.book('one', 'A-1'));
  await client.seasons.update('year', new UpdateSeasonParams().withForSalePropagated(false));
  expect((await client.seasons.retrieve('year')).forSalePropagated).toBe(false);
  expect([
    await forSale('one', 'A-1'),
    await forSale('half', 'A-1'),
    await forSale('year', 'B-1'),
    await forSale('year', 'A-1'),
  ]).toEqual([true, true, true, false]);
  await client.events.book('one', 'A-1');
});

test('open charts of the season hear of an evening, those of all evenings of the season', async () => {
  await using standin = await startSeason();
  const sequences = async () =>
    Object.fromEntries(
      await Promise.all(
        ['year', 'half', 'one', 'two', 'three'].map(async (key) => [
          key,
          (await standin.visit('GET', `/rendering-info?event_key=${key}`)).body.sequence,
        ]),
      ),
    ) as Record<string, number>;
  const changed = (before: Record<string, number>, after: Record<string, number>) =>
    Object.keys(after).filter((key) => after[key] !== before[key]);
  const start = await sequences();
  await standin.client.events.book('two', 'A-1');
  const second = await sequences();
  expect(changed(start, second)).toEqual(['year', 'half', 'two']);
  await standin.client.events.book('year', 'A-2');
  const third = await sequences();
  expect(changed(second, third)).toEqual(['year', 'half', 'one', 'two', 'three']);
  await standin.client.events.overrideSeasonObjectStatus('three', ['A-2']);
  expect(changed(third, await sequences())).toContain('three');
});

test('an evening that was over cannot be to come again when its season sold the same seat meanwhile', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.events.book('one', ['A-1', 'A-2']);
  await client.events.update('one', updateParams({ isInThePast: true }));
  await client.events.book('year', 'A-1');
  await client.events.book('half', 'A-2');
  const comeBack = () => client.events.update('one', updateParams({ isInThePast: false }));
  await refuses(illegal, comeBack());
  await client.events.release('year', 'A-1');
  await refuses(illegal, comeBack());
  await client.events.overrideSeasonObjectStatus('one', ['A-2']);
  await comeBack();
  expect(await statuses(standin, 'A-2')).toEqual({
    year: 'booked',
    half: 'booked',
    one: 'booked',
    two: 'booked',
  });
});

test('how tables are sold is said by the whole season, or a table and its chairs would both be sold', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.events.book('year', 'T1');
  for (const key of ['one', 'half'])
    await refuses(
      'GENERAL_ERROR',
      client.events.update(key, updateParams({ tableBookingConfig: { mode: 'ALL_BY_SEAT' } })),
    );
  await refuses('OBJECT_NOT_FOUND', client.events.book('one', 'T1-1'));
  await client.events.release('year', 'T1');
  await client.events.update('year', updateParams({ tableBookingConfig: { mode: 'ALL_BY_SEAT' } }));
  await client.events.book('one', 'T1-1');
  await refuses(illegal, client.events.book('year', 'T1-1'));
});

test('a report may leave out what the season took', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.events.book('year', 'A-1');
  await client.events.book('one', 'A-2');
  const booked = async (key: string, alone: boolean) => {
    const reports = alone
      ? client.eventReports.withSeasonBookingsNotPropagated()
      : client.eventReports;
    return (
      (await reports.byStatus(key, 'booked')) as Record<string, { label: string }[]>
    ).booked!.map(({ label }) => label);
  };
  expect([
    await booked('one', false),
    await booked('one', true),
    await booked('year', false),
    await booked('year', true),
  ]).toEqual([['A-1', 'A-2'], ['A-2'], ['A-1', 'A-2'], ['A-1']]);
});

test('a season moves to a chart of its own with all its evenings', async () => {
  await using standin = await startSeason();
  const { client } = standin;
  await client.events.book('year', 'A-1');
  const moved = (await client.events.moveEventToChartCopy('year')) as Season;
  expect(moved.chartKey).not.toBe('small');
  expect(moved.events!.map(({ chartKey }) => chartKey)).toEqual([
    moved.chartKey,
    moved.chartKey,
    moved.chartKey,
  ]);
  expect((await client.events.retrieveObjectInfo('one', 'A-1')).status).toBe('booked');
  await refuses('GENERAL_ERROR', client.events.moveEventToChartCopy('one'));
  await client.events.create('small', eventParams({ key: 'other' }));
});
