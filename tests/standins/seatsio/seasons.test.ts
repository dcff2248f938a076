/** Seasons, partial seasons and what their bookings do to each other, through the vendor's SDK. */
import { expect, test } from 'vitest';
import {
  Category,
  CreateSeasonParams,
  ForSaleConfig,
  StatusChangeRequest,
  UpdateSeasonParams,
} from 'seatsio';
import { refuses, startStandin, updateParams, testStandin as it } from './start.ts';
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

function request(event: string, type: string, objects: unknown): StatusChangeRequest {
  return new StatusChangeRequest()
    .withEventKey(event)
    .withType(type as 'RELEASE')
    .withObjects(objects as string[]);
}

it('what is said at the making of a season is kept, and holds for its events', async (standin) => {
  const { events, seasons } = standin.client;
  expect(await seasons.create('small')).toMatchObject({
    events: [],
    partialSeasonKeys: [],
    tableBookingConfig: { mode: 'INHERIT' },
  });
  const params = () => new CreateSeasonParams();
  const season = await seasons.create(
    'small',
    params()
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
    forSalePropagated: false,
    forSaleConfig: { objects: ['A-2'] },
    channels: [{ key: 'c', objects: ['A-3'] }],
  });
  const { key } = season.events![0]!;
  expect((await standin.info('A-1', key)).categoryLabel).toBe('Own');
  const changes = { key: 't', name: 'Nuova', tableBookingConfig: { mode: 'ALL_BY_TABLE' } };
  await seasons.update('s', Object.assign(new UpdateSeasonParams(), changes));
  expect((await seasons.retrieve('t')).name).toBe('Nuova');
  expect(await events.retrieve(key)).toMatchObject({
    tableBookingConfig: { mode: 'ALL_BY_TABLE' },
    objectCategories: { 'A-1': 'own' },
    topLevelSeasonKey: 't',
  });
  await refuses(
    'EVENT_KEY_ALREADY_EXISTS',
    seasons.create('small', params().key('t')),
    seasons.create('small', params().key('u').eventKeys(['v', 'ev'])),
  );
  await refuses('EVENT_NOT_FOUND', events.retrieve('u'));
  await refuses(
    'GENERAL_ERROR',
    seasons.create('small', params().numberOfEvents(1).eventKeys(['x'])),
  );
});

test('events join a season last one first, and partial seasons one by one', async () => {
  await using standin = await startSeason();
  const { events, seasons } = standin.client;
  expect(
    (await seasons.createEvents('year', null, ['four', 'five'])).map(
      ({ key }: { key: string }) => key,
    ),
  ).toEqual(['five', 'four']);
  expect(await seasons.createEvents('year', 2)).toHaveLength(2);
  expect(keys(await seasons.addEventsToPartialSeason('year', 'half', ['four', 'one']))).toEqual([
    'one',
    'two',
    'four',
  ]);
  expect(keys(await seasons.removeEventFromPartialSeason('year', 'half', 'one'))).toEqual([
    'two',
    'four',
  ]);
  expect((await events.retrieve('one')).partialSeasonKeysForEvent).toEqual([]);
  const asked = [
    seasons.addEventsToPartialSeason('year', 'half', ['ev']),
    seasons.addEventsToPartialSeason('year', 'half', []),
    seasons.removeEventFromPartialSeason('year', 'half', 'one'),
    seasons.createEvents('year'),
    seasons.createEvents('half', 1),
    seasons.createPartialSeason('half'),
    seasons.addEventsToPartialSeason('half', 'half', ['one']),
    seasons.createEvents('ev', 1),
  ];
  for (const one of asked) await refuses({ status: 400, code: 'GENERAL_ERROR' }, one);
  await refuses(
    { status: 404, code: 'EVENT_NOT_FOUND' },
    seasons.addEventsToPartialSeason('year', 'half', ['nobody']),
  );
});

test('a season that is deleted takes everything with it, a partial season only itself', async () => {
  await using standin = await startSeason();
  const { events, seasons } = standin.client;
  await events.book('half', 'A-1');
  await events.delete('half');
  expect((await standin.info('A-1', 'one')).status).toBe('free');
  expect(((await seasons.retrieve('year')) as Season).partialSeasonKeys).toEqual([]);
  await events.delete('two');
  expect(keys((await seasons.retrieve('year')) as Season)).toEqual(['one', 'three']);
  await events.delete('year');
  for (const key of ['year', 'one', 'three'])
    await refuses('EVENT_NOT_FOUND', events.retrieve(key));
  await events.retrieve('ev');
});

test('an evening that is over does not keep a seat from the rest of the season', async () => {
  await using standin = await startSeason();
  const { events } = standin.client;
  await events.book('one', 'A-1');
  await events.update('one', updateParams({ isInThePast: true }));
  expect(await statuses(standin, 'A-1')).toEqual({ one: 'booked' });
  await events.book('year', 'A-1', null, 'order2');
  expect((await standin.info('A-1', 'one')).orderId).toBeUndefined();
  expect((await standin.info('A-1', 'two')).orderId).toBe('order2');
});

test('overriding and going back can be steps of a batch, for the season that is named', async () => {
  await using standin = await startSeason();
  const { events } = standin.client;
  await events.book('half', 'A-1');
  await refuses('GENERAL_ERROR', events.overrideSeasonObjectStatus('three', ['A-1'], 'half'));
  const resold = (await events.changeObjectStatusInBatch([
    request('one', 'OVERRIDE_SEASON_STATUS', ['A-1']).withSeasonKey('half'),
    request('one', 'CHANGE_STATUS_TO', ['A-1'])
      .withStatus('resale')
      .withResaleListingId('listing1'),
  ])) as { objects: Record<string, { status: string; resaleListingId?: string }> }[];
  expect(resold.map(({ objects }) => objects['A-1']!.status)).toEqual(['free', 'resale']);
  expect(await standin.info('A-1', 'one')).toMatchObject({
    status: 'resale',
    resaleListingId: 'listing1',
  });
  await refuses(
    illegal,
    events.changeObjectStatusInBatch([
      request('one', 'RELEASE', ['A-1']),
      request('one', 'USE_SEASON_STATUS', ['A-2']),
    ]),
  );
  expect((await standin.info('A-1', 'one')).status).toBe('resale');
  await events.changeObjectStatusInBatch([
    request('one', 'RELEASE', ['A-1']),
    request('one', 'USE_SEASON_STATUS', ['A-1']),
  ]);
  expect((await standin.info('A-1', 'one')).status).toBe('booked');
});

test('a hold on the season ends on all evenings, and only its own token books it', async () => {
  await using standin = await startSeason();
  const { clock } = standin;
  const { events, holdTokens } = standin.client;
  const { holdToken } = await holdTokens.create();
  await events.hold('year', ['A-1', 'A-2'], holdToken);
  expect((await standin.info('A-1', 'one')).status).toBe('reservedByToken');
  await refuses(illegal, events.book('one', 'A-1', holdToken));
  await events.book('year', 'A-1', holdToken);
  clock.now += 15 * 60_000;
  expect([await statuses(standin, 'A-2'), (await standin.info('A-1', 'one')).status]).toEqual([
    {},
    'booked',
  ]);
});

test('what a partial season does not sell is not sold on its evenings, nor in the seasons that share one, and is sold on the others', async () => {
  await using standin = await startSeason();
  const { events, seasons } = standin.client;
  await seasons.createPartialSeason('year', 'late', null, ['two', 'three']);
  await seasons.createPartialSeason('year', 'last', null, ['three']);
  await events.markAsNotForSale('half', ['A-1'], { GA1: 30 });
  const all = ['half', 'one', 'two', 'year', 'late', 'three', 'last'];
  const closed = async (label: string) => {
    const found = await Promise.all(
      all.map(async (key) => [key, (await standin.info(label, key)).forSale]),
    );
    return found.filter(([, forSale]) => !forSale).map(([key]) => key);
  };
  expect(await closed('A-1')).toEqual(['half', 'one', 'two', 'year', 'late']);
  expect((await standin.info('GA1', 'two')).numNotForSale).toBe(30);
  expect((await standin.info('GA1', 'three')).numNotForSale).toBe(0);
  await refuses('NOT_FOR_SALE', events.book('one', 'A-1'));
  await events.book('three', 'A-1');
  await seasons.removeEventFromPartialSeason('year', 'half', 'one');
  expect(await closed('A-1')).toEqual(['half', 'two', 'year', 'late']);
  await seasons.update('year', new UpdateSeasonParams().withForSalePropagated(false));
  expect(await closed('A-1')).toEqual(['half']);
});

test('what the season does not sell its evenings do not sell, unless it keeps that to itself', async () => {
  await using standin = await startSeason();
  const { events, seasons } = standin.client;
  await events.markAsNotForSale('year', ['A'], { GA1: 40 });
  const evening = async () => (await standin.info('A-1', 'one')).forSale;
  expect([await evening(), (await standin.info('GA1', 'one')).numNotForSale]).toEqual([false, 40]);
  await refuses('NOT_FOR_SALE', events.book('one', 'A-1'));
  await seasons.update('year', new UpdateSeasonParams().withForSalePropagated(false));
  expect([await evening(), (await standin.info('A-1', 'year')).forSale]).toEqual([true, false]);
  await events.book('one', 'A-1');
});

test('open charts of the season hear of an evening, those of all evenings of the season', async () => {
  await using standin = await startSeason();
  const { events } = standin.client;
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
  await events.book('two', 'A-1');
  const second = await sequences();
  expect(changed(start, second)).toEqual(['year', 'half', 'two']);
  await events.book('year', 'A-2');
  const third = await sequences();
  expect(changed(second, third)).toEqual(['year', 'half', 'one', 'two', 'three']);
  await events.overrideSeasonObjectStatus('three', ['A-2']);
  expect(changed(third, await sequences())).toContain('three');
});
