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
  testStandin as it,
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

it('a seat is booked once and held once: with a token by that token alone, without one by the back office', async (standin) => {
  const { events } = standin.client;
  const [mine, other] = [await tokenOf(standin), await tokenOf(standin)];
  await events.book('ev', 'B-1', null, 'order1');
  await refuses(illegal, events.book('ev', 'B-1', null, 'order2'));
  expect((await standin.info('B-1')).orderId).toBe('order1');
  await events.hold('ev', ['A-1', 'A-3'], mine);
  for (const token of [other, mine]) await refuses(illegal, events.hold('ev', 'A-1', token));
  await refuses(illegal, events.book('ev', 'A-1', other), events.book('ev', 'A-2', mine));
  expect(await standin.info('A-1')).toMatchObject({ status: 'reservedByToken', holdToken: mine });
  expect((await standin.info('A-2')).status).toBe('free');
  const { objects } = await events.book('ev', 'A-1', mine, 'order1');
  const booked = { status: 'booked', orderId: 'order1', holdToken: undefined };
  expect(objects['A-1']).toMatchObject(booked);
  await events.book('ev', 'A-3');
  expect((await standin.info('A-3')).status).toBe('booked');
  await refuses(
    { status: 400, code: 'HOLD_TOKEN_NOT_FOUND' },
    events.hold('ev', 'A-2', 'nobody'),
    events.changeObjectStatus('ev', 'A-2', 'reservedByToken'),
  );
  await refuses(
    { status: 400, code: 'OBJECT_NOT_FOUND', message: expect.stringContaining('A-99') },
    events.book('ev', ['A-2', 'A-99']),
  );
  expect((await standin.info('A-2')).status).toBe('free');
});

it('one booked seat in a call leaves all the others as they were, on every event', async (standin) => {
  const { events, eventReports } = standin.client;
  await events.create('small', eventParams({ key: 'second' }));
  await events.book('second', 'A-2');
  await refuses(illegal, events.book(['ev', 'second'], ['A-1', 'A-2', 'A-3']));
  expect(
    Object.values(await events.retrieveObjectInfos('ev', ['A-1', 'A-2', 'A-3'])).map(
      ({ status }) => status,
    ),
  ).toEqual(['free', 'free', 'free']);
  expect((await eventReports.byStatus('second')).booked!.map(({ label }) => label)).toEqual([
    'A-2',
  ]);
  expect((await events.statusChanges('ev').firstPage()).items).toEqual([]);
  await events.book(['ev', 'second'], ['A-1', 'A-3']);
  expect(await statusOf(standin, 'A-3')).toBe('booked');
});

it('a batch is one transaction over its requests', async (standin) => {
  const { events } = standin.client;
  await events.create('small', eventParams({ key: 'second' }));
  const book = (...wanted: [event: string, label: string][]) =>
    events.changeObjectStatusInBatch(
      wanted.map(([event, label]) =>
        new StatusChangeRequest()
          .withEventKey(event)
          .withObjects([label])
          .withStatus('booked')
          .withType('CHANGE_STATUS_TO'),
      ),
    );
  await refuses('OBJECT_NOT_FOUND', book(['ev', 'A-1'], ['second', 'Z-9']));
  expect(await statusOf(standin, 'A-1')).toBe('free');
  expect(await book(['ev', 'A-1'], ['second', 'A-2'])).toMatchObject([
    { objects: { 'A-1': { status: 'booked' } } },
    { objects: { 'A-2': { status: 'booked' } } },
  ]);
});

it('an area with free places is shown as held while some of its places are, and stays available', async (standin) => {
  const { events, eventReports } = standin.client;
  const token = await tokenOf(standin);
  const take = (quantity: number) => things({ objectId: 'GA1', quantity });
  const seen = async () => {
    const { GA1: [area] = [] } = await eventReports.byLabel('ev');
    expect(area).toEqual(await standin.info('GA1'));
    return [area!.status, area!.isAvailable, area!.availabilityReason, area!.numFree];
  };
  await events.book('ev', take(5));
  expect(await seen()).toEqual(['free', true, 'available', 95]);
  await events.hold('ev', take(3), token);
  expect(await seen()).toEqual(['reservedByToken', true, 'available', 92]);
  expect((await eventReports.summaryByStatus('ev'))['reservedByToken']!.count).toBe(3);
  await events.book('ev', take(3), token);
  expect(await seen()).toEqual(['free', true, 'available', 92]);
  await events.hold('ev', take(2), token);
  await events.book('ev', take(90));
  expect(await seen()).toEqual(['booked', false, 'booked', 0]);
});

it('a row that is not for sale cannot be taken, but what was taken before may go on', async (standin) => {
  const { events } = standin.client;
  const token = await tokenOf(standin);
  await events.hold('ev', 'A-1', token);
  await events.markAsNotForSale('ev', ['A'], { GA1: 95 }, ['Cat2']);
  for (const label of ['A-2', 'Balcony-C-1', 'GA1'])
    await refuses({ status: 400, code: 'NOT_FOR_SALE' }, events.book('ev', label));
  await events.book('ev', 'A-1', token);
});

it('what is free may be released again, for an order too, and that is no change of its status', async (standin) => {
  const { events } = standin.client;
  await events.updateExtraData('ev', 'A-2', { seen: true });
  const { objects } = await events.release('ev', ['A-1', 'A-2'], null, 'order8', true);
  expect(objects).toMatchObject({
    'A-1': { status: 'free', orderId: 'order8', isAvailable: true },
    'A-2': { status: 'free', orderId: 'order8', extraData: { seen: true } },
  });
  expect((await events.statusChanges('ev').firstPage()).items).toEqual([]);
  await events.release('ev', ['A-1', 'A-2']);
  expect(await events.retrieveObjectInfos('ev', ['A-1', 'A-2'])).toMatchObject({
    'A-1': { orderId: undefined },
    'A-2': { orderId: undefined, extraData: undefined },
  });
  await refuses(illegal, events.release('ev', things({ objectId: 'GA1', quantity: 1 })));
});

it('a custom status never expires and may become booked', async (standin) => {
  const { clock } = standin;
  const { events } = standin.client;
  const token = await tokenOf(standin);
  await events.hold('ev', 'A-1', token);
  await events.changeObjectStatus('ev', 'A-1', 'in_pagamento', token, 'order1');
  clock.now += 24 * 3_600_000;
  expect(await standin.info('A-1')).toMatchObject({
    status: 'in_pagamento',
    orderId: 'order1',
    availabilityReason: 'in_pagamento',
  });
  await refuses(illegal, events.hold('ev', 'A-1', await tokenOf(standin)));
  await events.book('ev', 'A-1');
  expect(await statusOf(standin, 'A-1')).toBe('booked');
});

it('the previous statuses that a caller allows or rejects are kept to', async (standin) => {
  const changing = 'POST /events/groups/actions/change-object-status';
  const facts = { events: ['ev'], objects: ['A-1'], status: 'vip' };
  const change = (more: object) => standin.ask(changing, { ...facts, ...more });
  const sentence = 'Cannot change from [free] to [vip]: free is';
  for (const [more, why] of [
    [{ allowedPreviousStatuses: ['booked'] }, 'not in the list of allowed previous statuses'],
    [{ rejectedPreviousStatuses: ['free'] }, 'in the list of rejected previous statuses'],
  ] as const) {
    // Clients compare the whole error, so nothing may stand beside code and message.
    const error = { code: 'ILLEGAL_STATUS_CHANGE', message: `${sentence} ${why}` };
    expect((await change(more)).body).toMatchObject({ errors: [error] });
    expect(Object.keys((await change(more)).body.errors[0]!)).toEqual(['code', 'message']);
  }
  const both = { allowedPreviousStatuses: ['free'], rejectedPreviousStatuses: ['booked'] };
  expect((await change(both)).status).toBe(204);
  expect(await statusOf(standin, 'A-1')).toBe('vip');
});

it('extra data goes with the next change unless it is kept, and can be written for one object or many, also where nothing is booked', async (standin) => {
  const { events } = standin.client;
  const extra = async (label: string) => (await standin.info(label)).extraData;
  await events.book(
    'ev',
    things(
      { objectId: 'A-1', extraData: { name: 'Rossi' }, ticketType: 'adult' },
      { objectId: 'A-2', extraData: { name: 'Bianchi' } },
    ),
  );
  await events.changeObjectStatus('ev', 'A-1', 'entered', null, null, true);
  await events.changeObjectStatus('ev', 'A-2', 'entered');
  expect([await extra('A-1'), await extra('A-2')]).toEqual([{ name: 'Rossi' }, undefined]);
  await events.updateExtraData('ev', 'B-1', { name: 'Verdi' });
  await events.updateExtraDatas('ev', { 'A-2': { seat: 'new' }, GA1: { list: [1, 2] } });
  expect([await extra('A-2'), await extra('GA1')]).toEqual([{ seat: 'new' }, { list: [1, 2] }]);
  expect(await standin.info('B-1')).toMatchObject({ status: 'free', extraData: { name: 'Verdi' } });
  await refuses(
    { status: 404, code: 'OBJECT_NOT_FOUND' },
    events.updateExtraDatas('ev', { 'A-3': { name: 'Bianchi' }, 'Z-1': {} }),
  );
  expect(await extra('A-3')).toBeUndefined();
  await events.book('ev', 'B-1', null, null, true);
  expect(await extra('B-1')).toEqual({ name: 'Verdi' });
});

it('of many bookings of one seat at the same time exactly one succeeds, and of the last places so many as there are, each on both events', async (standin) => {
  const { events } = standin.client;
  const atOnce = async (count: number, book: (n: number) => Promise<unknown>) => {
    const results = await Promise.allSettled(Array.from({ length: count }, (_, n) => book(n)));
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? (result.reason as { errors: { code: string }[] }).errors : [],
    );
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['ILLEGAL_STATUS_CHANGE']));
    return count - refused.length;
  };
  expect(await atOnce(60, (order) => events.book('ev', 'A-1', null, `order${order}`))).toBe(1);
  expect((await events.statusChangesForObject('ev', 'A-1').firstPage()).items).toHaveLength(1);
  await events.create('small', eventParams({ key: 'second' }));
  await events.book('second', things({ objectId: 'GA1', quantity: 80 }));
  const both = ['ev', 'second'];
  const place = things({ objectId: 'GA1', quantity: 1 });
  expect(await atOnce(40, () => events.book(both, place))).toBe(20);
  const booked = both.map(async (key) => (await standin.info('GA1', key)).numBooked);
  expect(await Promise.all(booked)).toEqual([20, 100]);
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
  const { events } = standin.client;
  expect(await standin.info('Varies', 'box')).toMatchObject({
    areaType: 'variableOccupancy',
    bookAsAWhole: true,
    variableOccupancy: true,
    minOccupancy: 2,
    maxOccupancy: 4,
    capacity: 4,
    numFree: 4,
  });
  expect(await standin.info('Fixed', 'box')).toMatchObject({
    areaType: 'fixedOccupancy',
    variableOccupancy: false,
    minOccupancy: 1,
    maxOccupancy: undefined,
  });
  for (const quantity of [1, 5]) {
    await refuses(
      { status: 400, code: 'GENERAL_ERROR' },
      events.book('box', things({ objectId: 'Varies', quantity })),
    );
  }
  await events.book('box', things({ objectId: 'Varies', quantity: 3 }));
  expect(await standin.info('Varies', 'box')).toMatchObject({
    status: 'booked',
    isAvailable: false,
    numFree: 0,
  });
  await refuses(illegal, events.book('box', things({ objectId: 'Varies', quantity: 2 })));
  const [change] = (await events.statusChangesForObject('box', 'Varies').firstPage()).items;
  expect(change).toMatchObject({ status: 'booked', quantity: 3 });
  await events.release('box', 'Varies');
  await events.book('box', ['Fixed']);
  await refuses(illegal, events.book('box', things({ objectId: 'Fixed', quantity: 3 })));
});

it('an area that is named several times gives as many places, a seat only itself', async (standin) => {
  const { events } = standin.client;
  await events.book('ev', ['GA1', 'GA1', 'GA1']);
  expect((await standin.info('GA1')).numBooked).toBe(3);
  await refuses(illegal, events.book('ev', ['B-1', 'A-1', 'A-1']));
  await refuses('GENERAL_ERROR', events.book('ev', things({ objectId: 'A-1', quantity: 2 })));
  expect([await statusOf(standin, 'B-1'), await statusOf(standin, 'A-1')]).toEqual([
    'free',
    'free',
  ]);
});

it('the objects are answered to who asks for them, and only to him', async (standin) => {
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

it('a batch takes its steps in order, so that a booked seat can be held again in one go', async (standin) => {
  const { events } = standin.client;
  await events.book('ev', 'A-1', null, 'order1');
  const token = await tokenOf(standin);
  const step = () =>
    new StatusChangeRequest()
      .withEventKey('ev')
      .withObjects(things({ objectId: 'A-1', ticketType: 'adult' }));
  const results = (await events.changeObjectStatusInBatch([
    step().withType('RELEASE'),
    step()
      .withType('CHANGE_STATUS_TO')
      .withStatus('reservedByToken')
      .withHoldToken(token)
      .withOrderId('order2'),
  ])) as ChangeObjectStatusResult[];
  expect(results.map(({ objects }) => objects['A-1']!.status)).toEqual(['free', 'reservedByToken']);
  expect(await standin.info('A-1')).toMatchObject({
    holdToken: token,
    orderId: 'order2',
    ticketType: 'adult',
  });
});

it('a seat can be offered for resale, and is then neither held for long nor booked twice', async (standin) => {
  const { clock } = standin;
  const { events } = standin.client;
  await events.book('ev', ['A-1', 'A-2'], null, 'order1');
  const { objects } = await events.putUpForResale('ev', ['A-1', 'A-2'], 'listing1');
  expect(objects['A-1']).toMatchObject({
    status: 'resale',
    resaleListingId: 'listing1',
    isAvailable: false,
    availabilityReason: 'resale',
  });
  const token = await tokenOf(standin);
  await events.hold('ev', 'A-1', token);
  await events.book('ev', 'A-1', token, 'order2');
  expect(await standin.info('A-1')).toMatchObject({
    status: 'booked',
    orderId: 'order2',
    resaleListingId: undefined,
  });
  await events.book('ev', 'A-2', null, 'order3');
  await refuses(illegal, events.putUpForResale('ev', ['B-1', 'B-1']));
  clock.now += 60 * 60_000;
  expect((await standin.info('A-1')).orderId).toBe('order2');
});

it('a resale offer that a visitor lets go of or a buyer gives back is an offer again', async (standin) => {
  const { clock } = standin;
  const { events } = standin.client;
  await events.putUpForResale('ev', ['A-1', 'A-2', 'A-3'], 'listing1');
  const token = await tokenOf(standin);
  await events.hold('ev', ['A-1', 'A-2', 'A-3', 'B-1'], token);
  const { objects } = await events.release('ev', ['A-1', 'B-1'], token);
  expect([objects['A-1']!.status, objects['B-1']!.status]).toEqual(['resale', 'free']);
  await events.book('ev', 'A-3', token);
  clock.now += 15 * 60_000;
  const offer = { status: 'resale', resaleListingId: 'listing1', holdToken: undefined };
  expect(await events.retrieveObjectInfos('ev', ['A-1', 'A-2', 'A-3'])).toMatchObject({
    'A-1': offer,
    'A-2': offer,
    'A-3': { status: 'booked', resaleListingId: undefined },
  });
  await events.changeObjectStatus('ev', 'A-3', 'at the door');
  expect((await standin.info('A-3')).resaleListingId).toBeUndefined();
  await events.release('ev', ['A-2', 'A-3']);
  expect(await events.retrieveObjectInfos('ev', ['A-2', 'A-3'])).toMatchObject({
    'A-2': { status: 'free', resaleListingId: undefined },
    'A-3': offer,
  });
  await events.release('ev', 'A-3');
  expect(await standin.info('A-3')).toMatchObject({ status: 'free', resaleListingId: undefined });
});
