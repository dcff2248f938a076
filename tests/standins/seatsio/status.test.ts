/** The status rules of seats.io, asked through its own SDK. */
import { expect, test } from 'vitest';
import { StatusChangeRequest } from 'seatsio';
import {
  eventParams,
  refuses,
  smallDrawing,
  startStandin,
  things,
  uploadDrawing,
} from './start.ts';
import type { ChangeObjectStatusResult } from 'seatsio';
import type { Standin } from './start.ts';

const illegal = { status: 400, code: 'ILLEGAL_STATUS_CHANGE' };

async function statusOf({ client }: Standin, label: string): Promise<string> {
  return (await client.events.retrieveObjectInfo('ev', label)).status;
}

async function tokenOf({ client }: Standin): Promise<string> {
  return (await client.holdTokens.create()).holdToken;
}

test('a booked seat cannot be booked again', async () => {
  await using standin = await startStandin();
  await standin.client.events.book('ev', 'A-1', null, 'order1');
  await refuses(illegal, standin.client.events.book('ev', 'A-1', null, 'order2'));
  expect((await standin.client.events.retrieveObjectInfo('ev', 'A-1')).orderId).toBe('order1');
});

test('a held seat cannot be held by a second token, nor by the same one again', async () => {
  await using standin = await startStandin();
  const [mine, other] = [await tokenOf(standin), await tokenOf(standin)];
  await standin.client.events.hold('ev', 'A-1', mine);
  await refuses(illegal, standin.client.events.hold('ev', 'A-1', other));
  await refuses(illegal, standin.client.events.hold('ev', 'A-1', mine));
  expect((await standin.client.events.retrieveObjectInfo('ev', 'A-1')).holdToken).toBe(mine);
});

test('booking with a token needs the seat to be held by that token', async () => {
  await using standin = await startStandin();
  const [mine, other] = [await tokenOf(standin), await tokenOf(standin)];
  await standin.client.events.hold('ev', 'A-1', mine);
  await refuses(illegal, standin.client.events.book('ev', 'A-1', other));
  await refuses(illegal, standin.client.events.book('ev', 'A-2', mine));
  expect(await statusOf(standin, 'A-1')).toBe('reservedByToken');
  expect(await statusOf(standin, 'A-2')).toBe('free');
  const { objects } = await standin.client.events.book('ev', 'A-1', mine, 'order1');
  expect(objects['A-1']).toMatchObject({
    status: 'booked',
    orderId: 'order1',
    holdToken: undefined,
  });
});

test('the back office may book a held seat without a token', async () => {
  await using standin = await startStandin();
  await standin.client.events.hold('ev', 'A-1', await tokenOf(standin));
  await standin.client.events.book('ev', 'A-1');
  expect(await statusOf(standin, 'A-1')).toBe('booked');
});

test('one booked seat in a call leaves all the others as they were, on every event', async () => {
  await using standin = await startStandin();
  await standin.client.events.create('small', eventParams({ key: 'second' }));
  await standin.client.events.book('second', 'A-2');
  await refuses(illegal, standin.client.events.book(['ev', 'second'], ['A-1', 'A-2', 'A-3']));
  expect(
    Object.values(await standin.client.events.retrieveObjectInfos('ev', ['A-1', 'A-2', 'A-3'])).map(
      ({ status }) => status,
    ),
  ).toEqual(['free', 'free', 'free']);
  expect(
    (await standin.client.eventReports.byStatus('second')).booked!.map(({ label }) => label),
  ).toEqual(['A-2']);
  expect((await standin.client.events.statusChanges('ev').firstPage()).items).toEqual([]);
  await standin.client.events.book(['ev', 'second'], ['A-1', 'A-3']);
  expect(await statusOf(standin, 'A-3')).toBe('booked');
});

test('a batch is one transaction over its requests', async () => {
  await using standin = await startStandin();
  await standin.client.events.create('small', eventParams({ key: 'second' }));
  const request = (event: string, label: string) =>
    new StatusChangeRequest()
      .withEventKey(event)
      .withObjects([label])
      .withStatus('booked')
      .withType('CHANGE_STATUS_TO');
  await refuses(
    'OBJECT_NOT_FOUND',
    standin.client.events.changeObjectStatusInBatch([
      request('ev', 'A-1'),
      request('second', 'Z-9'),
    ]),
  );
  expect(await statusOf(standin, 'A-1')).toBe('free');
  const results = (await standin.client.events.changeObjectStatusInBatch([
    request('ev', 'A-1'),
    request('second', 'A-2'),
  ])) as ChangeObjectStatusResult[];
  expect(
    results.map(({ objects }) =>
      Object.entries(objects).map(([label, info]) => [label, info.status]),
    ),
  ).toEqual([[['A-1', 'booked']], [['A-2', 'booked']]]);
});

test('an area of 100 places sells 100 and becomes booked when full', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  await refuses(illegal, client.events.book('ev', things({ objectId: 'GA1', quantity: 101 })));
  await client.events.book('ev', things({ objectId: 'GA1', quantity: 99 }));
  expect(await client.events.retrieveObjectInfo('ev', 'GA1')).toMatchObject({
    status: 'free',
    numBooked: 99,
    numFree: 1,
    isAvailable: true,
  });
  const token = await tokenOf(standin);
  await client.events.hold(
    'ev',
    things({ objectId: 'GA1', quantity: 1, ticketType: 'adult' }),
    token,
  );
  expect(await client.events.retrieveObjectInfo('ev', 'GA1')).toMatchObject({
    status: 'reservedByToken',
    numHeld: 1,
    numFree: 0,
    holds: { [token]: { adult: 1 } },
  });
  await refuses(illegal, client.events.book('ev', things({ objectId: 'GA1', quantity: 1 })));
  await refuses(illegal, client.events.book('ev', things({ objectId: 'GA1', quantity: 2 }), token));
  await client.events.book('ev', things({ objectId: 'GA1', quantity: 1 }), token);
  expect(await client.events.retrieveObjectInfo('ev', 'GA1')).toMatchObject({
    status: 'booked',
    numBooked: 100,
    numHeld: 0,
    isAvailable: false,
    holds: undefined,
  });
  await client.events.release('ev', things({ objectId: 'GA1', quantity: 3 }));
  expect(await client.events.retrieveObjectInfo('ev', 'GA1')).toMatchObject({
    status: 'free',
    numBooked: 97,
    numFree: 3,
  });
  await refuses(illegal, client.events.release('ev', things({ objectId: 'GA1', quantity: 98 })));
});

test('unknown seats are named in the refusal', async () => {
  await using standin = await startStandin();
  await refuses(
    { status: 400, code: 'OBJECT_NOT_FOUND', message: expect.stringContaining('A-99') },
    standin.client.events.book('ev', ['A-1', 'A-99']),
  );
  expect(await statusOf(standin, 'A-1')).toBe('free');
});

test('a row that is not for sale cannot be taken, but what was taken before may go on', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  const token = await tokenOf(standin);
  await client.events.hold('ev', 'A-1', token);
  await client.events.markAsNotForSale('ev', ['A'], { GA1: 95 }, ['Cat2']);
  for (const label of ['A-2', 'Balcony-C-1', 'GA1'])
    await refuses({ status: 400, code: 'NOT_FOR_SALE' }, client.events.book('ev', label));
  await client.events.book('ev', 'A-1', token);
  await client.events.book('ev', 'B-1');
  expect(await client.events.retrieveObjectInfo('ev', 'A-2')).toMatchObject({
    forSale: false,
    isAvailable: false,
    availabilityReason: 'not_for_sale',
  });
  await client.events.markEverythingAsForSale('ev');
  await client.events.book('ev', 'A-2');
  await client.events.markAsNotForSale('ev', null, { GA1: 95 });
  await refuses('NOT_FOR_SALE', client.events.book('ev', things({ objectId: 'GA1', quantity: 6 })));
  await client.events.book('ev', things({ objectId: 'GA1', quantity: 5 }));
  expect(await client.events.retrieveObjectInfo('ev', 'GA1')).toMatchObject({
    numBooked: 5,
    numFree: 0,
    numNotForSale: 95,
  });
});

test('a seat of a channel needs the key of the channel', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  await client.events.channels.add('ev', 'partner', 'Partner', '#ff0000', 1, ['A-1', 'A-2', 'A-3']);
  await refuses(illegal, client.events.book('ev', 'A-1'));
  await refuses(illegal, client.events.book('ev', 'A-1', null, null, null, null, ['NO_CHANNEL']));
  await refuses(
    illegal,
    client.events.book('ev', ['A-1', 'B-1'], null, null, null, null, ['partner']),
  );
  await client.events.book('ev', ['A-1', 'B-1'], null, null, null, null, ['partner', 'NO_CHANNEL']);
  await client.events.book('ev', 'A-2', null, null, null, true);
  expect((await client.events.retrieveObjectInfo('ev', 'A-2')).channel).toBe('partner');
  expect(
    (await client.eventReports.byChannel('ev', 'partner')).partner!.map(({ label }) => label),
  ).toEqual(['A-1', 'A-2', 'A-3']);
});

test('a hold needs a token that exists', async () => {
  await using standin = await startStandin();
  await refuses(
    { status: 400, code: 'HOLD_TOKEN_NOT_FOUND' },
    standin.client.events.hold('ev', 'A-1', 'nobody'),
  );
  await refuses(
    { status: 400, code: 'HOLD_TOKEN_NOT_FOUND' },
    standin.client.events.changeObjectStatus('ev', 'A-1', 'reservedByToken'),
  );
});

test("release works with and without token, never with somebody else's, and with a token only on what it holds", async () => {
  await using standin = await startStandin();
  const { client } = standin;
  const [mine, other] = [await tokenOf(standin), await tokenOf(standin)];
  await client.events.hold('ev', ['A-1', 'A-2'], mine);
  await refuses(illegal, client.events.release('ev', 'A-1', other));
  await client.events.release('ev', 'A-1', mine, 'order7');
  expect(await client.events.retrieveObjectInfo('ev', 'A-1')).toMatchObject({
    status: 'free',
    orderId: 'order7',
    isAvailable: true,
  });
  await client.events.release('ev', 'A-2');
  await refuses(illegal, client.events.release('ev', 'A-2', mine));
});

test('what is free may be released again, for an order too, and that is no change of its status', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  await client.events.updateExtraData('ev', 'A-2', { seen: true });
  const { objects } = await client.events.release('ev', ['A-1', 'A-2'], null, 'order8', true);
  expect(objects).toMatchObject({
    'A-1': { status: 'free', orderId: 'order8', isAvailable: true },
    'A-2': { status: 'free', orderId: 'order8', extraData: { seen: true } },
  });
  expect((await client.events.statusChanges('ev').firstPage()).items).toEqual([]);
  await client.events.release('ev', ['A-1', 'A-2']);
  expect(await client.events.retrieveObjectInfos('ev', ['A-1', 'A-2'])).toMatchObject({
    'A-1': { orderId: undefined },
    'A-2': { orderId: undefined, extraData: undefined },
  });
  await refuses(illegal, client.events.release('ev', things({ objectId: 'GA1', quantity: 1 })));
});

test('a custom status never expires and may become booked', async () => {
  await using standin = await startStandin();
  const { client, clock } = standin;
  const token = await tokenOf(standin);
  await client.events.hold('ev', 'A-1', token);
  await client.events.changeObjectStatus('ev', 'A-1', 'in_pagamento', token, 'order1');
  clock.now += 24 * 3_600_000;
  expect(await client.events.retrieveObjectInfo('ev', 'A-1')).toMatchObject({
    status: 'in_pagamento',
    orderId: 'order1',
    availabilityReason: 'in_pagamento',
  });
  await refuses(illegal, client.events.hold('ev', 'A-1', await tokenOf(standin)));
  await client.events.book('ev', 'A-1');
  expect(await statusOf(standin, 'A-1')).toBe('booked');
});

test('the previous statuses that a caller allows or rejects are kept to', async () => {
  await using standin = await startStandin();
  const change = (allowed: string[] | null, rejected: string[] | null) =>
    standin.client.events.changeObjectStatus(
      'ev',
      'A-1',
      'vip',
      null,
      null,
      null,
      null,
      null,
      allowed,
      rejected,
    );
  await refuses(illegal, change(['booked'], null));
  // Clients compare the whole error, so nothing may stand beside code and message.
  const sentence = (why: string) => ({
    errors: [
      {
        code: 'ILLEGAL_STATUS_CHANGE',
        message: `Cannot change from [free] to [vip]: free is ${why}`,
      },
    ],
  });
  await expect(change(['booked'], null)).rejects.toMatchObject(
    sentence('not in the list of allowed previous statuses'),
  );
  await expect(change(null, ['free'])).rejects.toMatchObject(
    sentence('in the list of rejected previous statuses'),
  );
  const error = (await change(null, ['free']).catch((reason: unknown) => reason)) as {
    errors: object[];
  };
  expect(Object.keys(error.errors[0]!)).toEqual(['code', 'message']);
  await change(['free'], ['booked']);
  expect(await statusOf(standin, 'A-1')).toBe('vip');
});

test('extra data goes with the next change unless it is kept', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  await client.events.book(
    'ev',
    things(
      { objectId: 'A-1', extraData: { name: 'Rossi' }, ticketType: 'adult' },
      { objectId: 'A-2', extraData: { name: 'Bianchi' } },
    ),
  );
  await client.events.changeObjectStatus('ev', 'A-1', 'entered', null, null, true);
  await client.events.changeObjectStatus('ev', 'A-2', 'entered');
  expect((await client.events.retrieveObjectInfo('ev', 'A-1')).extraData).toEqual({
    name: 'Rossi',
  });
  expect((await client.events.retrieveObjectInfo('ev', 'A-2')).extraData).toBeUndefined();
  await client.events.updateExtraDatas('ev', { 'A-2': { seat: 'new' } });
  expect((await client.events.retrieveObjectInfo('ev', 'A-2')).extraData).toEqual({ seat: 'new' });
});

test('of 200 bookings of one seat at the same time exactly one succeeds and 199 are refused cleanly', async () => {
  await using standin = await startStandin();
  const results = await Promise.allSettled(
    Array.from({ length: 200 }, (_, order) =>
      standin.client.events.book('ev', 'A-1', null, `order${order}`),
    ),
  );
  const refused = results
    .filter((result) => result.status === 'rejected')
    .map(({ reason }) => (reason as { errors: { code: string }[] }).errors[0]!.code);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(refused).toEqual(Array.from({ length: 199 }, () => 'ILLEGAL_STATUS_CHANGE'));
  expect(
    (await standin.client.events.statusChangesForObject('ev', 'A-1').firstPage()).items,
  ).toHaveLength(1);
});

/** The small chart with a box for two to four and one for exactly three. */
async function startWithBoxes(): Promise<Standin> {
  const standin = await startStandin();
  const [area] = smallDrawing.subChart.generalAdmissionAreas;
  const box = (label: string, capacity: number, more: object) => ({
    ...area,
    uuid: label,
    label,
    capacity,
    bookAsAWhole: true,
    ...more,
  });
  await uploadDrawing(standin, {
    key: 'boxes',
    drawing: {
      ...smallDrawing,
      subChart: {
        ...smallDrawing.subChart,
        generalAdmissionAreas: [
          box('Varies', 4, { variableOccupancy: true, minOccupancy: 2 }),
          box('Fixed', 3, {}),
        ],
      },
    },
  });
  await standin.client.events.create('boxes', eventParams({ key: 'box' }));
  return standin;
}

test('a box for a party of changing size is taken whole, by a party that fits', async () => {
  await using standin = await startWithBoxes();
  const { client } = standin;
  expect(await client.events.retrieveObjectInfo('box', 'Varies')).toMatchObject({
    areaType: 'variableOccupancy',
    bookAsAWhole: true,
    variableOccupancy: true,
    minOccupancy: 2,
    maxOccupancy: 4,
    capacity: 4,
    numFree: 4,
  });
  expect(await client.events.retrieveObjectInfo('box', 'Fixed')).toMatchObject({
    areaType: 'fixedOccupancy',
    variableOccupancy: false,
    minOccupancy: 1,
    maxOccupancy: undefined,
  });
  for (const quantity of [1, 5]) {
    await refuses(
      { status: 400, code: 'GENERAL_ERROR' },
      client.events.book('box', things({ objectId: 'Varies', quantity })),
    );
  }
  await client.events.book('box', things({ objectId: 'Varies', quantity: 3 }));
  expect(await client.events.retrieveObjectInfo('box', 'Varies')).toMatchObject({
    status: 'booked',
    isAvailable: false,
    numFree: 0,
  });
  await refuses(illegal, client.events.book('box', things({ objectId: 'Varies', quantity: 2 })));
  const [change] = (await client.events.statusChangesForObject('box', 'Varies').firstPage()).items;
  expect(change).toMatchObject({ status: 'booked', quantity: 3 });
  await client.events.release('box', 'Varies');
  await client.events.book('box', ['Fixed']);
  await refuses(illegal, client.events.book('box', things({ objectId: 'Fixed', quantity: 3 })));
});

test('an area that is named several times gives as many places, a seat only itself', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  await client.events.book('ev', ['GA1', 'GA1', 'GA1']);
  expect((await client.events.retrieveObjectInfo('ev', 'GA1')).numBooked).toBe(3);
  await refuses(illegal, client.events.book('ev', ['B-1', 'A-1', 'A-1']));
  await refuses(
    'GENERAL_ERROR',
    client.events.book('ev', things({ objectId: 'A-1', quantity: 2 })),
  );
  expect([await statusOf(standin, 'B-1'), await statusOf(standin, 'A-1')]).toEqual([
    'free',
    'free',
  ]);
});

test('the objects are answered to who asks for them, and only to him', async () => {
  await using standin = await startStandin();
  const changing = 'POST /events/groups/actions/change-object-status';
  const change = { events: ['ev'], objects: ['A-1'], status: 'booked' };
  const quiet = await standin.ask(changing, change);
  expect([quiet.status, quiet.text]).toEqual([204, '']);
  const told = await standin.ask('POST /events/actions/change-object-status?expand=objects', {
    statusChanges: [{ event: 'ev', objects: ['A-1'], type: 'RELEASE' }],
  });
  expect(told).toMatchObject({
    status: 200,
    body: { results: [{ objects: { 'A-1': { status: 'free' } } }] },
  });
  const message = '#: required key [status] not found';
  expect(await standin.ask(changing, { ...change, status: undefined })).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'GENERAL_ERROR', message }] },
  });
  expect((await standin.ask(changing, { ...change, events: [] })).status).toBe(400);
});

test('a batch takes its steps in order, so that a booked seat can be held again in one go', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  await client.events.book('ev', 'A-1', null, 'order1');
  const token = await tokenOf(standin);
  const step = () =>
    new StatusChangeRequest()
      .withEventKey('ev')
      .withObjects(things({ objectId: 'A-1', ticketType: 'adult' }));
  const results = (await client.events.changeObjectStatusInBatch([
    step().withType('RELEASE'),
    step()
      .withType('CHANGE_STATUS_TO')
      .withStatus('reservedByToken')
      .withHoldToken(token)
      .withOrderId('order2'),
  ])) as ChangeObjectStatusResult[];
  expect(results.map(({ objects }) => objects['A-1']!.status)).toEqual(['free', 'reservedByToken']);
  expect(await client.events.retrieveObjectInfo('ev', 'A-1')).toMatchObject({
    holdToken: token,
    orderId: 'order2',
    ticketType: 'adult',
  });
  const limited = [
    step().withType('CHANGE_STATUS_TO').withStatus('vip').withAllowedPreviousStatuses(['free']),
    step()
      .withType('CHANGE_STATUS_TO')
      .withStatus('vip')
      .withRejectedPreviousStatuses(['reservedByToken']),
  ];
  for (const one of limited) await refuses(illegal, client.events.changeObjectStatusInBatch([one]));
});

test('a seat can be offered for resale, and is then neither held for long nor booked twice', async () => {
  await using standin = await startStandin();
  const { client, clock } = standin;
  await client.events.book('ev', ['A-1', 'A-2'], null, 'order1');
  const { objects } = await client.events.putUpForResale('ev', ['A-1', 'A-2'], 'listing1');
  expect(objects['A-1']).toMatchObject({
    status: 'resale',
    resaleListingId: 'listing1',
    isAvailable: false,
    availabilityReason: 'resale',
  });
  const token = await tokenOf(standin);
  await client.events.hold('ev', 'A-1', token);
  await client.events.book('ev', 'A-1', token, 'order2');
  expect(await client.events.retrieveObjectInfo('ev', 'A-1')).toMatchObject({
    status: 'booked',
    orderId: 'order2',
    resaleListingId: undefined,
  });
  await client.events.book('ev', 'A-2', null, 'order3');
  await refuses(illegal, client.events.putUpForResale('ev', ['B-1', 'B-1']));
  clock.now += 60 * 60_000;
  expect((await client.events.retrieveObjectInfo('ev', 'A-1')).orderId).toBe('order2');
});

test('a resale offer that a visitor lets go of or a buyer gives back is an offer again', async () => {
  await using standin = await startStandin();
  const { client, clock } = standin;
  await client.events.putUpForResale('ev', ['A-1', 'A-2', 'A-3'], 'listing1');
  const token = await tokenOf(standin);
  await client.events.hold('ev', ['A-1', 'A-2', 'A-3', 'B-1'], token);
  const { objects } = await client.events.release('ev', ['A-1', 'B-1'], token);
  expect([objects['A-1']!.status, objects['B-1']!.status]).toEqual(['resale', 'free']);
  await client.events.book('ev', 'A-3', token);
  clock.now += 15 * 60_000;
  const offer = { status: 'resale', resaleListingId: 'listing1', holdToken: undefined };
  expect(await client.events.retrieveObjectInfos('ev', ['A-1', 'A-2', 'A-3'])).toMatchObject({
    'A-1': offer,
    'A-2': offer,
    'A-3': { status: 'booked', resaleListingId: undefined },
  });
  await client.events.changeObjectStatus('ev', 'A-3', 'at the door');
  expect((await client.events.retrieveObjectInfo('ev', 'A-3')).resaleListingId).toBeUndefined();
  await client.events.release('ev', ['A-2', 'A-3']);
  expect(await client.events.retrieveObjectInfos('ev', ['A-2', 'A-3'])).toMatchObject({
    'A-2': { status: 'free', resaleListingId: undefined },
    'A-3': offer,
  });
  await client.events.release('ev', 'A-3');
  expect(await client.events.retrieveObjectInfo('ev', 'A-3')).toMatchObject({
    status: 'free',
    resaleListingId: undefined,
  });
});

test('of 60 bookings of the last 20 places at the same time exactly 20 succeed, each on both events', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  await client.events.create('small', eventParams({ key: 'second' }));
  await client.events.book('second', things({ objectId: 'GA1', quantity: 80 }));
  const results = await Promise.allSettled(
    Array.from({ length: 60 }, () =>
      client.events.book(['ev', 'second'], things({ objectId: 'GA1', quantity: 1 })),
    ),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  expect(
    await Promise.all(
      ['ev', 'second'].map(
        async (key) => (await client.events.retrieveObjectInfo(key, 'GA1')).numBooked,
      ),
    ),
  ).toEqual([20, 100]);
});

test('extra data can be written for one object or many, also where nothing is booked', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  await client.events.updateExtraData('ev', 'A-1', { name: 'Verdi' });
  await client.events.updateExtraDatas('ev', { 'A-2': { name: 'Rossi' }, GA1: { list: [1, 2] } });
  const infos = await client.events.retrieveObjectInfos('ev', ['A-1', 'A-2', 'GA1']);
  expect(Object.values(infos).map(({ status, extraData }) => [status, extraData])).toEqual([
    ['free', { name: 'Verdi' }],
    ['free', { name: 'Rossi' }],
    ['free', { list: [1, 2] }],
  ]);
  await refuses(
    { status: 404, code: 'OBJECT_NOT_FOUND' },
    client.events.updateExtraDatas('ev', { 'A-3': { name: 'Bianchi' }, 'Z-1': {} }),
  );
  expect((await client.events.retrieveObjectInfo('ev', 'A-3')).extraData).toBeUndefined();
  await client.events.book('ev', 'A-1', null, null, true);
  expect((await client.events.retrieveObjectInfo('ev', 'A-1')).extraData).toEqual({
    name: 'Verdi',
  });
});
