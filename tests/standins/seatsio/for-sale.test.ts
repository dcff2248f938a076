/** What of an event may be sold, through the vendor's SDK. */
import { expect } from 'vitest';
import { ForSaleConfig, ForSaleConfigParams } from 'seatsio';
import { eventParams, refuses, things, testStandin as test } from './start.ts';
import type { Standin } from './start.ts';

const notForSale = { status: 400, code: 'NOT_FOR_SALE' };

async function closed({ client }: Standin, key = 'ev'): Promise<string[]> {
  return (await client.eventReports.flatList(key))
    .filter(({ forSale }) => !forSale)
    .map(({ label }) => label);
}

async function configOf({ client }: Standin) {
  return (await client.events.retrieve('ev')).forSaleConfig;
}

const row = (label: string) => Array.from({ length: 8 }, (_, index) => `${label}-${index + 1}`);
const balcony = ['Balcony-C-1', 'Balcony-C-2', 'Balcony-C-3'];

test('seats, rows, sections, tables and categories can be closed, and then everything else is open', async (standin) => {
  const { events } = standin.client;
  await events.replaceForSaleConfig('ev', false, ['A', 'B-1', 'Balcony', 'T1']);
  expect(await closed(standin)).toEqual([...row('A'), 'B-1', ...balcony, 'T1']);
  expect(await configOf(standin)).toEqual(
    new ForSaleConfig(false, ['A', 'B-1', 'Balcony', 'T1'], {}, []),
  );
  await events.replaceForSaleConfig('ev', false, null, null, ['Cat2']);
  expect(await closed(standin)).toEqual([...balcony, 'GA1']);
  await events.replaceForSaleConfig('ev', false, null, null, ['1']);
  expect(await closed(standin)).toEqual([...row('A'), ...row('B'), 'T1']);
});

test('seats, rows, sections, tables and categories can be opened, and then everything else is closed', async (standin) => {
  const { events } = standin.client;
  await events.replaceForSaleConfig('ev', true, ['A', 'B-1', 'Balcony'], { GA1: 7 });
  expect(await closed(standin)).toEqual([...row('B').slice(1), 'T1']);
  expect(await standin.info('GA1')).toMatchObject({ forSale: true, numNotForSale: 93, numFree: 7 });
  await refuses(notForSale, events.book('ev', things({ objectId: 'GA1', quantity: 8 })));
  await events.book('ev', things({ objectId: 'GA1', quantity: 7 }));
  await events.markAsForSale('ev', null, null, ['Cat1']);
  expect(await closed(standin)).toEqual([...balcony, 'GA1']);
});

test('everything can be opened and closed', async (standin) => {
  const { events } = standin.client;
  await events.markEverythingAsNotForSale('ev');
  expect(await configOf(standin)).toEqual(new ForSaleConfig(true, [], {}, []));
  expect(await closed(standin)).toHaveLength(21);
  await refuses(notForSale, events.book('ev', 'A-1'));
  await events.markEverythingAsForSale('ev');
  expect([await configOf(standin), await closed(standin)]).toEqual([null, []]);
});

test('an edit touches nothing but what it names, even inside a row, section or category that is listed as a whole', async (standin) => {
  const { events } = standin.client;
  await events.markAsNotForSale('ev', ['A', 'Balcony'], { GA1: 10 });
  const one = await events.editForSaleConfig(
    'ev',
    [{ object: 'A-3' }, { object: 'Balcony-C' }, { object: 'GA1', quantity: 4 }],
    [{ object: 'B-8' }],
  );
  expect(one.forSaleConfig.areaPlaces).toEqual({ GA1: 6 });
  expect(await closed(standin)).toEqual([...row('A').filter((label) => label !== 'A-3'), 'B-8']);
  await events.editForSaleConfig('ev', [{ object: 'A' }]);
  expect(await closed(standin)).toEqual(['B-8']);
  await events.markAsNotForSale('ev', null, null, ['Cat2']);
  await events.editForSaleConfig('ev', [
    { object: 'Balcony-C-2' },
    { object: 'GA1', quantity: 30 },
  ]);
  expect(await closed(standin)).toEqual(['Balcony-C-1', 'Balcony-C-3']);
  expect((await standin.info('GA1')).numNotForSale).toBe(70);
  await events.markAsForSale('ev', ['B']);
  await events.editForSaleConfig('ev', [{ object: 'A-1' }], [{ object: 'B-2' }]);
  expect((await closed(standin)).filter((label) => /^[AB]-/.test(label))).toEqual([
    ...row('A').slice(1),
    'B-2',
  ]);
});

test('places of an area are closed and opened by number, never more than there are', async (standin) => {
  const { events } = standin.client;
  const edit = async (forSale: number, closing: number) =>
    (
      await events.editForSaleConfig(
        'ev',
        forSale > 0 ? [{ object: 'GA1', quantity: forSale }] : null,
        closing > 0 ? [{ object: 'GA1', quantity: closing }] : null,
      )
    ).forSaleConfig.areaPlaces;
  expect(await edit(0, 5)).toEqual({ GA1: 5 });
  expect(await edit(2, 0)).toEqual({ GA1: 3 });
  expect(await edit(0, 200)).toEqual({ GA1: 100 });
  expect(await standin.info('GA1')).toMatchObject({
    forSale: false,
    isAvailable: false,
    availabilityReason: 'not_for_sale',
    numFree: 0,
  });
  expect(await edit(300, 0)).toEqual({});
  await events.editForSaleConfig('ev', null, [{ object: 'GA1' }]);
  expect(await edit(40, 0)).toEqual({ GA1: 60 });
  expect((await configOf(standin))!.objects).toEqual([]);
});

test('objects that do not exist may be listed', async (standin) => {
  const { forSaleConfig } = await standin.client.events.editForSaleConfig(
    'ev',
    [{ object: 'Nowhere' }],
    [{ object: 'Z-1' }],
  );
  expect([forSaleConfig.objects, await closed(standin)]).toEqual([['Z-1'], []]);
});

test('several events are edited in one call, or none of them', async (standin) => {
  const { events } = standin.client;
  await events.create('small', eventParams({ key: 'second' }));
  const edit = (second: string) =>
    events.editForSaleConfigForEvents({
      ev: new ForSaleConfigParams().withNotForSale([{ object: 'A-1' }]),
      [second]: new ForSaleConfigParams().withNotForSale([
        { object: 'A-2' },
        { object: 'GA1', quantity: 3 },
      ]),
    });
  const answer = await edit('second');
  expect(
    Object.entries(answer).map(([key, { forSaleConfig, rateLimitInfo }]) => [
      key,
      forSaleConfig.objects,
      rateLimitInfo.rateLimitRemainingCalls,
    ]),
  ).toEqual([
    ['ev', ['A-1'], 9],
    ['second', ['A-2'], 9],
  ]);
  expect(answer.ev!.rateLimitInfo.rateLimitResetDate).toBeInstanceOf(Date);
  await refuses({ status: 404, code: 'EVENT_NOT_FOUND' }, edit('nowhere'));
  expect(await closed(standin, 'second')).toEqual(['A-2']);
});

test('an event can be made with a configuration, and says later when it was changed', async (standin) => {
  const { clock } = standin;
  const { events } = standin.client;
  const made = await events.create(
    'small',
    eventParams({
      key: 'second',
      forSaleConfig: new ForSaleConfig(false, ['A-1'], { GA1: 5 }, ['Cat1']),
    }),
  );
  expect([made.forSaleConfig, made.updatedOn]).toEqual([
    new ForSaleConfig(false, ['A-1'], { GA1: 5 }, ['Cat1']),
    null,
  ]);
  clock.now += 5000;
  await events.markEverythingAsForSale('second');
  expect((await events.retrieve('second')).updatedOn).toEqual(new Date(clock.now));
});
