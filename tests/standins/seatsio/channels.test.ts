/** Channels: seats and places of areas kept for who knows a key, through the vendor's SDK. */
import { expect, test } from 'vitest';
import { eventParams, refuses, startStandin, things, testStandin as it } from './start.ts';
import type { Channel } from 'seatsio';
import type { Standin } from './start.ts';

const illegal = { status: 400, code: 'ILLEGAL_STATUS_CHANGE' };
const places = (quantity: number) => things({ objectId: 'GA1', quantity });

async function channelsOf({ client }: Standin): Promise<Channel[]> {
  return (await client.events.retrieve('ev')).channels ?? [];
}

function book(
  { client }: Standin,
  objects: ReturnType<typeof things>,
  channelKeys: string[] | null,
  ignoreChannels: boolean | null = null,
) {
  return client.events.book('ev', objects, null, null, null, ignoreChannels, channelKeys);
}

/** Of the area's 100 places 30 are the sponsor's, 20 the press's. */
async function startWithPlaces(): Promise<Standin> {
  const standin = await startStandin();
  const { channels } = standin.client.events;
  await channels.add('ev', 'sponsor', 'Sponsor', '#111111', 1, ['A-1'], { GA1: 30 });
  await channels.add('ev', 'press', 'Stampa', '#222222', 2, [], { GA1: 20 });
  return standin;
}

it('a channel keeps everything it was made with, under an id of its own', async (standin) => {
  const { channels } = standin.client.events;
  await channels.add('ev', 'one', 'One', '#111111', 3, ['A-1', 'A-2'], { GA1: 5 });
  await channels.add(
    'ev',
    'two',
    'Two',
    '#222222',
    undefined as unknown as number,
    undefined as unknown as string[],
  );
  const [one, two] = await channelsOf(standin);
  expect(one).toMatchObject({
    key: 'one',
    name: 'One',
    color: '#111111',
    index: 3,
    objects: ['A-1', 'A-2'],
    areaPlaces: { GA1: 5 },
  });
  expect(two).toMatchObject({ key: 'two', index: undefined, objects: [], areaPlaces: {} });
  expect(one!.id).not.toBe(two!.id);
  expect(one!.areaPartitionLabel('GA1')).toBe(`GA1##${one!.id}`);
  await refuses(
    { status: 400, code: 'CHANNEL_KEY_ALREADY_EXISTS' },
    channels.add('ev', 'one', 'Again', '#333333', 1, []),
  );
  expect(await channelsOf(standin)).toHaveLength(2);
});

it('an event can be made with channels, an area is given and taken by number', async (standin) => {
  const { client } = standin;
  await client.events.create(
    'small',
    eventParams({
      key: 'second',
      channels: [
        {
          key: 'c',
          name: 'C',
          color: '#00ff00',
          index: 1,
          objects: ['A-1'],
          areaPlaces: { GA1: 5 },
        },
      ],
    }),
  );
  const { channels } = client.events;
  const read = async () =>
    (await client.events.retrieve('second')).channels!.map(({ objects, areaPlaces }) => ({
      objects,
      areaPlaces,
    }));
  await channels.addObjects('second', 'c', ['A-2'], { GA1: 3 });
  expect(await read()).toEqual([{ objects: ['A-1', 'A-2'], areaPlaces: { GA1: 8 } }]);
  await channels.removeObjects('second', 'c', ['A-1'], { GA1: 6 });
  expect(await read()).toEqual([{ objects: ['A-2'], areaPlaces: { GA1: 2 } }]);
  await channels.removeObjects('second', 'c', [], { GA1: 6 });
  expect(await read()).toEqual([{ objects: ['A-2'], areaPlaces: {} }]);
  await channels.update('second', 'c', 'New', '#ff0000', ['B-1'], { GA1: 9 });
  expect((await client.events.retrieve('second')).channels).toMatchObject([
    { name: 'New', color: '#ff0000', objects: ['B-1'], areaPlaces: { GA1: 9 } },
  ]);
  await channels.update('second', 'c', 'Newer', undefined, undefined as unknown as string[]);
  expect((await client.events.retrieve('second')).channels).toMatchObject([
    { name: 'Newer', color: '#ff0000', objects: ['B-1'], areaPlaces: { GA1: 9 } },
  ]);
  for (const call of [
    channels.update('second', 'd', 'D', '#000000', []),
    channels.addObjects('second', 'd', ['A-1']),
    channels.removeObjects('second', 'd', ['A-1']),
  ]) {
    await refuses({ status: 404, code: 'CHANNEL_NOT_FOUND' }, call);
  }
});

test("a held place of a channel stays the channel's when it is booked or its time is over", async () => {
  await using standin = await startWithPlaces();
  const { clock } = standin;
  const { events, holdTokens } = standin.client;
  const { holdToken } = await holdTokens.create();
  await events.hold('ev', places(30), holdToken, null, null, null, ['sponsor']);
  await refuses(illegal, book(standin, places(1), ['sponsor']));
  await events.book('ev', places(12), holdToken, null, null, null, ['sponsor']);
  clock.now += 15 * 60_000;
  expect(await standin.info('GA1')).toMatchObject({ numBooked: 12, numHeld: 0, numFree: 88 });
  await refuses(illegal, book(standin, places(19), ['sponsor']));
  await book(standin, places(18), ['sponsor']);
  await book(standin, places(50), null);
});

test('a visitor sees and gets only the places that no channel has', async () => {
  await using standin = await startWithPlaces();
  const {
    body: { statuses },
  } = await standin.visit('GET', '/rendering-info?event_key=ev');
  expect(statuses.find(({ labels }) => labels.includes('GA1'))).toMatchObject({
    status: 'free',
    numBooked: 50,
  });
  const token = await standin.visit('POST', '/hold-tokens', {});
  const hold = (quantity: number) =>
    standin.visit('POST', '/events/ev/actions/hold', {
      holdToken: token.body.holdToken,
      objects: [{ objectId: 'GA1', quantity }],
    });
  expect((await hold(51)).status).toBe(400);
  expect((await hold(50)).status).toBe(200);
});

test('a seat that its owner offers for resale is for everybody, also out of a channel', async () => {
  await using standin = await startWithPlaces();
  const { events } = standin.client;
  await book(standin, things('A-1'), ['sponsor']);
  await events.changeObjectStatus(
    'ev',
    'A-1',
    'resale',
    null,
    null,
    null,
    null,
    ['sponsor'],
    null,
    null,
    'listing7',
  );
  expect(await standin.info('A-1')).toMatchObject({
    status: 'resale',
    resaleListingId: 'listing7',
    channel: 'sponsor',
  });
  await book(standin, things('A-1'), null);
  expect(await standin.info('A-1')).toMatchObject({ status: 'booked', resaleListingId: undefined });
});

test('a channel that is gone leaves its objects to everybody', async () => {
  await using standin = await startWithPlaces();
  const { events } = standin.client;
  await book(standin, places(30), ['sponsor']);
  await events.channels.remove('ev', 'sponsor');
  await book(standin, things('A-1'), null);
  await refuses(illegal, book(standin, places(51), null));
  await book(standin, places(50), null);
  await events.release('ev', places(60));
  await events.channels.replace('ev', []);
  expect(await channelsOf(standin)).toEqual([]);
  await book(standin, places(80), null);
});
