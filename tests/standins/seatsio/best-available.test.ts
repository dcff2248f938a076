/** Best available through the SDK: every step of the choice, for whom it is, and what is refused. */
import { expect, test } from 'vitest';
import { drawTeatroDellOpera } from '#server/standins/seatsio/draw/teatro-dell-opera.ts';
import { drawTeatroGoldoni } from '#server/standins/seatsio/draw/teatro-goldoni.ts';
import { best, drawHall, drawRow, openHall } from './halls.ts';
import { eventParams, refusalOf, refuses, startStandin } from './start.ts';
import type { BestAvailableObjects, EventObjectInfo } from 'seatsio';

function detailsOf({ objectDetails }: BestAvailableObjects): Record<string, EventObjectInfo> {
  return objectDetails as Record<string, EventObjectInfo>;
}

test('a party sits side by side, nearest to the stage, in the order of the row', async () => {
  await using standin = await startStandin();
  const { events } = standin.client;
  const event = await openHall(
    standin,
    drawHall([drawRow('A', 40, '........'), drawRow('B', 60, '........')], {
      focalPoint: { x: 76, y: 0 },
    }),
  );
  const chosen = await events.bookBestAvailable(event, best(3), null, 'order-1');
  expect(chosen.objects).toEqual(['A-4', 'A-5', 'A-6']);
  expect(chosen.nextToEachOther).toBe(true);
  expect(
    Object.values(chosen.objectDetails).map(({ label, status, orderId }) => [
      label,
      status,
      orderId,
    ]),
  ).toEqual(['A-4', 'A-5', 'A-6'].map((label) => [label, 'booked', 'order-1']));
  expect((await events.retrieveObjectInfo(event, 'A-5')).status).toBe('booked');
});

test('a group leaves no single seat unless there is no other way or nobody minds', async () => {
  await using standin = await startStandin();
  const { events } = standin.client;
  const drawing = drawHall([drawRow('A', 40, '....')], { focalPoint: { x: 30, y: 0 } });
  expect(
    (await events.bookBestAvailable(await openHall(standin, drawing), best(2))).objects,
  ).toEqual(['A-1', 'A-2']);
  expect(
    (
      await events.bookBestAvailable(
        await openHall(standin, drawing),
        best(2, { tryToPreventOrphanSeats: false }),
      )
    ).objects,
  ).toEqual(['A-2', 'A-3']);
  const three = await events.bookBestAvailable(await openHall(standin, drawing), best(3));
  expect([three.objects.length, three.nextToEachOther]).toEqual([3, true]);
});

test('an aisle, a booked seat and a change of category end a block', async () => {
  await using standin = await startStandin();
  const { events } = standin.client;
  const aisle = await openHall(standin, drawHall([drawRow('A', 40, '..|....')]));
  expect((await events.bookBestAvailable(aisle, best(2))).objects).toEqual(['A-3', 'A-4']);
  const mixed = await openHall(
    standin,
    drawHall([drawRow('A', 40, '...2222')], { focalPoint: { x: 20, y: 0 } }),
  );
  expect(
    (await events.bookBestAvailable(mixed, best(2, { categories: ['1'] }))).objects.length,
  ).toBe(2);
  expect((await events.bookBestAvailable(mixed, best(2, { categories: ['2'] }))).objects).toEqual([
    'A-4',
    'A-5',
  ]);
});

const theatres = { 'teatro-goldoni': drawTeatroGoldoni, 'teatro-dell-opera': drawTeatroDellOpera };

// RULES S4
test('in our theatres the middle of a row comes before what lies further out in the rows in front of it', async () => {
  await using standin = await startStandin();
  const { events } = standin.client;
  for (const [hall, draw] of Object.entries(theatres)) {
    await events.create(hall, eventParams({ key: hall }));
    const platea = draw().subChart.sections.find(({ label }) => label === 'Platea')!;
    const lengths = new Map(platea.subChart.rows.map(({ label, seats }) => [label, seats.length]));
    const pairs: { row: string; away: number; label: string }[] = [];
    while (pairs.length < 40) {
      const { objects } = await events.bookBestAvailable(hall, best(2, { sections: ['Platea'] }));
      const [row, seat] = objects[0]!.split('-').slice(1) as [string, string];
      const away = Math.abs(Number(seat) - lengths.get(row)! / 2);
      pairs.push({ row, away, label: objects.join(' ') });
    }
    expect([hall, pairs[0]!.row]).toEqual([hall, 'E']);
    for (const [at, later] of pairs.entries()) {
      const early = pairs
        .slice(0, at)
        .find(({ row, away }) => row < later.row && later.row <= 'E' && away >= later.away + 2);
      expect([hall, later.label, early?.label]).toEqual([hall, later.label, undefined]);
    }
  }
});

// RULES S4
test('a place with a restricted view is given only when there is no other', async () => {
  await using standin = await startStandin();
  const { events } = standin.client;
  const hall = 'teatro-goldoni';
  await events.create(hall, eventParams({ key: 'boxes' }));
  const given: string[] = [];
  for (let pair = 0; pair < 27; pair += 1) {
    const wish = best(2, { sections: ['Palchi I ordine'] });
    given.push((await events.bookBestAvailable('boxes', wish)).objects[0]!);
  }
  const beside = given.map((label) => /-(1|2|16|17)-\d$/.test(label));
  expect([beside.indexOf(true), beside.length]).toEqual([26, 27]);
});

test('categories are named by key or by label in whatever case', async () => {
  await using standin = await startStandin();
  const { events } = standin.client;
  const event = await openHall(
    standin,
    drawHall([drawRow('A', 40, '....'), drawRow('B', 60, '2222')]),
  );
  expect(
    (
      await events.changeBestAvailableObjectStatus(
        event,
        best(1, { categories: ['galleria'] }),
        'kept',
      )
    ).objects[0],
  ).toMatch(/^B-/);
  expect(
    (await events.changeBestAvailableObjectStatus(event, best(1, { categories: ['2'] }), 'kept'))
      .objects[0],
  ).toMatch(/^B-/);
  expect(
    await refusalOf(events.bookBestAvailable(event, best(1, { categories: ['Loggione'] }))),
  ).toEqual({
    status: 400,
    code: 'BEST_AVAILABLE_OBJECTS_NOT_FOUND',
    message: 'Best available objects not found',
  });
});

test('what is not for sale, taken, or of another channel is not chosen', async () => {
  await using standin = await startStandin();
  const { events } = standin.client;
  const event = await openHall(standin, drawHall([drawRow('A', 40, '........')]), {
    channels: [{ key: 'friends', name: 'Amici', color: '#123456', index: 1, objects: ['A-5'] }],
  });
  await events.book(event, ['A-4']);
  await events.replaceForSaleConfig(event, false, ['A-3', 'A-6']);
  expect(
    (
      await events.changeBestAvailableObjectStatus(
        event,
        best(1, { tryToPreventOrphanSeats: false }),
        'kept',
      )
    ).objects,
  ).toEqual(['A-2']);
  expect(
    (
      await events.changeBestAvailableObjectStatus(event, best(1), 'kept', null, null, null, null, [
        'friends',
      ])
    ).objects,
  ).toEqual(['A-5']);
  await refuses(
    'BEST_AVAILABLE_OBJECTS_NOT_FOUND',
    events.changeBestAvailableObjectStatus(event, best(1), 'kept', null, null, null, null, [
      'friends',
    ]),
  );
  const other = await openHall(standin, drawHall([drawRow('A', 40, '.')]), {
    channels: [{ key: 'friends', name: 'Amici', color: '#123456', index: 1, objects: ['A-1'] }],
  });
  await refuses('BEST_AVAILABLE_OBJECTS_NOT_FOUND', events.bookBestAvailable(other, best(1)));
  expect((await events.bookBestAvailable(other, best(1), null, null, null, true)).objects).toEqual([
    'A-1',
  ]);
});

test('wheelchair places and companion seats are for those who ask', async () => {
  await using standin = await startStandin();
  const { events } = standin.client;
  const drawing = drawHall([drawRow('A', 40, 'wc'), drawRow('B', 60, '...wc...')], {
    focalPoint: { x: 10, y: 0 },
  });
  const event = await openHall(standin, drawing);
  expect((await events.bookBestAvailable(event, best(2, { accessibleSeats: 1 }))).objects).toEqual([
    'A-1',
    'A-2',
  ]);
  expect((await events.bookBestAvailable(event, best(3, { accessibleSeats: 1 }))).objects).toEqual([
    'B-3',
    'B-4',
    'B-5',
  ]);
  await refuses(
    'BEST_AVAILABLE_OBJECTS_NOT_FOUND',
    events.bookBestAvailable(event, best(1, { accessibleSeats: 1 })),
  );
  const plain = await openHall(standin, drawing);
  expect((await events.bookBestAvailable(plain, best(3))).objects).toEqual(['B-1', 'B-2', 'B-3']);
  expect((await events.bookBestAvailable(plain, best(3))).objects).toEqual(['B-6', 'B-7', 'B-8']);
  await refuses('BEST_AVAILABLE_OBJECTS_NOT_FOUND', events.bookBestAvailable(plain, best(1)));
});

test('who cannot sit side by side sits near, with nobody alone, and in one section before several', async () => {
  await using standin = await startStandin();
  const { events } = standin.client;
  const event = await openHall(standin, drawHall([drawRow('A', 40, '.|..|..|.')]));
  const four = await events.bookBestAvailable(event, best(4));
  expect([four.objects, four.nextToEachOther]).toEqual([['A-2', 'A-3', 'A-4', 'A-5'], false]);
  expect((await events.bookBestAvailable(event, best(2))).nextToEachOther).toBe(false);

  const section = (label: string, left: number, pictures: string[]) => ({
    uuid: label,
    label,
    points: [],
    topLeft: { x: left, y: 0 },
    subChart: {
      rows: pictures.map((picture, index) => drawRow(String(index + 1), 40 + index * 20, picture)),
    },
  });
  const wings = await openHall(
    standin,
    drawHall([], { sections: [section('Near', 0, ['..']), section('Far', 400, ['..', '..'])] }),
  );
  expect((await events.bookBestAvailable(wings, best(4))).objects).toEqual([
    'Far-1-1',
    'Far-1-2',
    'Far-2-1',
    'Far-2-2',
  ]);
  const all = await openHall(
    standin,
    drawHall([], { sections: [section('Near', 0, ['..']), section('Far', 400, ['..', '..'])] }),
  );
  expect((await events.bookBestAvailable(all, best(6))).objects.length).toBe(6);
  const some = await openHall(
    standin,
    drawHall([], { sections: [section('Near', 0, ['..']), section('Far', 400, ['..', '..'])] }),
  );
  expect((await events.bookBestAvailable(some, best(2, { sections: ['Far'] }))).objects).toEqual([
    'Far-1-1',
    'Far-1-2',
  ]);
});

test('a zone has its own focal point', async () => {
  await using standin = await startStandin();
  const { events } = standin.client;
  const section = {
    uuid: 's',
    label: 'S',
    points: [],
    topLeft: { x: 0, y: 0 },
    zone: 'gate',
    subChart: { rows: [drawRow('A', 40, '......')] },
  };
  const drawing = drawHall([drawRow('B', 20, '...')], {
    focalPoint: { x: 0, y: 0 },
    sections: [section],
    zones: [{ key: 'gate', label: 'Varco', focalPoint: { x: 200, y: 40 } }],
  });
  const event = await openHall(standin, drawing);
  expect((await events.bookBestAvailable(event, best(2, { zone: 'gate' }))).objects).toEqual([
    'S-A-5',
    'S-A-6',
  ]);
  expect((await events.bookBestAvailable(event, best(1))).objects).toEqual(['B-1']);
  await refuses(
    'BEST_AVAILABLE_OBJECTS_NOT_FOUND',
    events.bookBestAvailable(event, best(1, { zone: 'nowhere' })),
  );
});

test('without seats whole tables and booths are chosen, then places of one area', async () => {
  await using standin = await startStandin();
  const { events } = standin.client;
  const table = (label: string, x: number) => ({
    uuid: label,
    label,
    type: 'round',
    center: { x, y: 40 },
    radius: 20,
    bookAsAWhole: true,
    categoryKey: 1,
    seats: drawRow('', 40, '..').seats,
  });
  const area = (label: string, x: number, capacity: number) => ({
    uuid: label,
    label,
    capacity,
    categoryKey: 2,
    type: 'circle',
    center: { x, y: 100 },
    radius1: 30,
    radius2: 30,
    rotationAngle: 0,
  });
  const event = await openHall(
    standin,
    drawHall([], {
      tables: [table('T1', 200), table('T2', 80)],
      booths: [{ uuid: 'b', label: 'Bar', center: { x: 70, y: 60 }, categoryKey: 1 }],
      generalAdmissionAreas: [area('Small', 70, 5), area('Big', 300, 50)],
    }),
  );
  const two = await events.bookBestAvailable(event, best(2));
  expect([two.objects.toSorted(), two.nextToEachOther]).toEqual([['Bar', 'T2'], undefined]);
  const token = await standin.client.holdTokens.create();
  const places = await events.holdBestAvailable(
    event,
    best(6, { ticketTypes: ['intero', 'intero', 'ridotto', 'ridotto', 'ridotto', 'intero'] }),
    token.holdToken,
  );
  expect([places.objects, places.nextToEachOther]).toEqual([['Big'], undefined]);
  expect(detailsOf(places)['Big']).toMatchObject({
    numHeld: 6,
    holds: { [token.holdToken]: { intero: 3, ridotto: 3 } },
  });
  await refuses(
    'BEST_AVAILABLE_OBJECTS_NOT_FOUND',
    events.bookBestAvailable(event, best(45, { categories: ['2'] })),
  );
  expect(
    detailsOf(await events.bookBestAvailable(event, best(44, { categories: ['2'] })))['Big'],
  ).toMatchObject({ numBooked: 44, numHeld: 6, status: expect.any(String) });
});

test('a visitor who asks for people gets one table that seats them all', async () => {
  await using standin = await startStandin();
  const table = (label: string, x: number, chairs: string) => ({
    uuid: label,
    label,
    type: 'round',
    center: { x, y: 40 },
    radius: 20,
    bookAsAWhole: true,
    categoryKey: 1,
    seats: drawRow('', 40, chairs).seats,
  });
  const event = await openHall(
    standin,
    drawHall([], {
      tables: [table('T1', 70, '........'), table('T2', 200, '....'), table('T3', 90, '....')],
      booths: [{ uuid: 'b', label: 'Bar', center: { x: 70, y: 60 }, categoryKey: 1 }],
    }),
  );
  const ask = async (number: number, people: boolean) => {
    const { status, body } = await standin.visit(
      'POST',
      `/events/${event}/actions/find-best-available`,
      { number, people },
    );
    return status === 200 ? body.chosen.map(({ objectId }) => objectId) : body.errors[0]!.code;
  };
  expect(await ask(3, true)).toEqual(['T3']);
  expect(await ask(5, true)).toEqual(['T1']);
  expect(await ask(9, true)).toBe('BEST_AVAILABLE_OBJECTS_NOT_FOUND');
  expect(await ask(2, false)).toEqual(['T1', 'T3']);
});

test('ticket types and extra data go to the seats one by one', async () => {
  await using standin = await startStandin();
  const { events, holdTokens } = standin.client;
  const event = await openHall(
    standin,
    drawHall([drawRow('A', 40, '......')], { focalPoint: { x: 0, y: 0 } }),
  );
  const { holdToken } = await holdTokens.create();
  const chosen = await events.holdBestAvailable(
    event,
    best(2, { ticketTypes: ['intero', 'ridotto'], extraData: [{ name: 'Ada' }, { name: 'Bice' }] }),
    holdToken,
  );
  expect(
    chosen.objects.map((label) => {
      const { status, holdToken: held, ticketType, extraData } = detailsOf(chosen)[label]!;
      return [label, status, held, ticketType, extraData];
    }),
  ).toEqual([
    ['A-1', 'reservedByToken', holdToken, 'intero', { name: 'Ada' }],
    ['A-2', 'reservedByToken', holdToken, 'ridotto', { name: 'Bice' }],
  ]);
  await refuses({ status: 400 }, events.holdBestAvailable(event, best(1), 'no-such-token'));
});

test('extra data of a free seat is kept only when asked', async () => {
  await using standin = await startStandin();
  const { events } = standin.client;
  const event = await openHall(
    standin,
    drawHall([drawRow('A', 40, '..')], { focalPoint: { x: 0, y: 0 } }),
  );
  await events.updateExtraDatas(event, { 'A-1': { note: 'x' }, 'A-2': { note: 'y' } });
  await events.changeBestAvailableObjectStatus(
    event,
    best(1, { tryToPreventOrphanSeats: false }),
    'kept',
    null,
    null,
    true,
  );
  expect((await events.retrieveObjectInfo(event, 'A-1')).extraData).toEqual({ note: 'x' });
  await events.changeBestAvailableObjectStatus(event, best(1), 'kept');
  expect((await events.retrieveObjectInfo(event, 'A-2')).extraData).toBeUndefined();
});

test('an event key that needs encoding arrives, though the SDK encodes it twice here', async () => {
  await using standin = await startStandin();
  const { events } = standin.client;
  for (const key of ['Prima & seconda', 'cento%', 'a%20b']) {
    const made = await events.create('small', eventParams({ key }));
    expect((await events.bookBestAvailable(made.key, best(1))).objects).toHaveLength(1);
  }
});

test('parallel parties never get the same seat, and the last seat goes to one of them', async () => {
  await using standin = await startStandin();
  const event = await openHall(standin, drawHall([drawRow('A', 40, '..........')]));
  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, () => standin.client.events.bookBestAvailable(event, best(1))),
  );
  const labels = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? answer.value.objects : [],
  );
  expect([labels.length, new Set(labels).size]).toEqual([10, 10]);
});

test('nonsense is refused with a sentence, never with a 500', async () => {
  await using standin = await startStandin();
  const ask = async (body: unknown) =>
    (await standin.ask('POST /events/ev/actions/change-object-status', body)).status;
  const bestAvailable = { number: 1 };
  const nonsense = [
    null,
    [],
    {},
    { status: 'booked' },
    { bestAvailable },
    { status: 'booked', bestAvailable: {} },
    { status: 'free', bestAvailable },
    { status: 'reservedByToken', bestAvailable },
    ...[0, -1, 1.5, 1e300, '2', null].map((number) => ({
      status: 'booked',
      bestAvailable: { number },
    })),
    { status: 'booked', bestAvailable: { number: 1, accessibleSeats: 2 } },
    { status: 'booked', bestAvailable: { number: 1, ticketTypes: ['a', 'b'] } },
    { status: 'booked', bestAvailable: { number: 1, extraData: ['text'] } },
    { status: 'booked', bestAvailable: { number: 1, categories: 'one' } },
  ];
  for (const body of nonsense) expect([body, await ask(body)]).toEqual([body, 400]);
  expect(await ask({ status: 'booked', bestAvailable: { number: 10_000 } })).toBe(400);
});
