/** Best available through the SDK: every step of the choice, for whom it is, and what is refused. */
import { expect } from 'vitest';
import { drawTeatroDellOpera } from '#server/standins/seatsio/draw/teatro-dell-opera.ts';
import { drawTeatroGoldoni } from '#server/standins/seatsio/draw/teatro-goldoni.ts';
import { area, bar, best, drawHall, drawRow, openHall, section, table } from './halls.ts';
import { eventParams, refuses, testStandin as test } from './start.ts';
import type { BestAvailableObjects, EventObjectInfo } from 'seatsio';

const NOT_FOUND = 'BEST_AVAILABLE_OBJECTS_NOT_FOUND';

function detailsOf({ objectDetails }: BestAvailableObjects): Record<string, EventObjectInfo> {
  return objectDetails as Record<string, EventObjectInfo>;
}

test('a party sits side by side, nearest to the stage, in the order of the row, and leaves no single seat unless nobody minds', async (standin) => {
  const { events } = standin.client;
  const two = drawHall([drawRow('A', 40, '........'), drawRow('B', 60, '........')], {
    focalPoint: { x: 76, y: 0 },
  });
  const event = await openHall(standin, two);
  const chosen = await events.bookBestAvailable(event, best(3), null, 'order-1');
  const labels = ['A-4', 'A-5', 'A-6'];
  expect([chosen.objects, chosen.nextToEachOther]).toEqual([labels, true]);
  for (const label of labels)
    expect(detailsOf(chosen)[label]).toMatchObject({ label, status: 'booked', orderId: 'order-1' });
  expect((await standin.info('A-5', event)).status).toBe('booked');

  const four = drawHall([drawRow('A', 40, '....')], { focalPoint: { x: 30, y: 0 } });
  const choose = async (number: number, more = {}) =>
    (await events.bookBestAvailable(await openHall(standin, four), best(number, more))).objects;
  expect(await choose(2)).toEqual(['A-1', 'A-2']);
  expect(await choose(2, { tryToPreventOrphanSeats: false })).toEqual(['A-2', 'A-3']);
  expect(await choose(3)).toHaveLength(3);
});

const theatres = { 'teatro-goldoni': drawTeatroGoldoni, 'teatro-dell-opera': drawTeatroDellOpera };

// RULES S4
test('in our theatres the middle of a row comes before what lies further out in the rows in front of it', async (standin) => {
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
test('a place with a restricted view is given only when there is no other', async (standin) => {
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

test('categories are named by key or by label in whatever case', async (standin) => {
  const { events } = standin.client;
  const drawing = drawHall([drawRow('A', 40, '....'), drawRow('B', 60, '2222')]);
  const event = await openHall(standin, drawing);
  for (const category of ['galleria', '2']) {
    const wish = best(1, { categories: [category] });
    const { objects } = await events.changeBestAvailableObjectStatus(event, wish, 'kept');
    expect(objects[0]).toMatch(/^B-/);
  }
  await refuses(
    { status: 400, code: NOT_FOUND, message: 'Best available objects not found' },
    events.bookBestAvailable(event, best(1, { categories: ['Loggione'] })),
  );
});

test('what is not for sale, taken, or of another channel is not chosen', async (standin) => {
  const { events } = standin.client;
  const friends = (...objects: string[]) => ({
    channels: [{ key: 'friends', name: 'Amici', color: '#123456', index: 1, objects }],
  });
  const row = drawHall([drawRow('A', 40, '........')]);
  const event = await openHall(standin, row, friends('A-5'));
  await events.book(event, ['A-4']);
  await events.replaceForSaleConfig(event, false, ['A-3', 'A-6']);
  const wish = best(1, { tryToPreventOrphanSeats: false });
  const { objects } = await events.changeBestAvailableObjectStatus(event, wish, 'kept');
  expect(objects).toEqual(['A-2']);
  const asFriend = () =>
    events.bookBestAvailable(event, best(1), null, null, null, null, ['friends']);
  expect((await asFriend()).objects).toEqual(['A-5']);
  await refuses(NOT_FOUND, asFriend());
  const one = await openHall(standin, drawHall([drawRow('A', 40, '.')]), friends('A-1'));
  await refuses(NOT_FOUND, events.bookBestAvailable(one, best(1)));
  const ignoring = await events.bookBestAvailable(one, best(1), null, null, null, true);
  expect(ignoring.objects).toEqual(['A-1']);
});

test('wheelchair places and companion seats are for those who ask', async (standin) => {
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
  await refuses(NOT_FOUND, events.bookBestAvailable(event, best(1, { accessibleSeats: 1 })));
  const plain = await openHall(standin, drawing);
  expect((await events.bookBestAvailable(plain, best(3))).objects).toEqual(['B-1', 'B-2', 'B-3']);
  expect((await events.bookBestAvailable(plain, best(3))).objects).toEqual(['B-6', 'B-7', 'B-8']);
  await refuses(NOT_FOUND, events.bookBestAvailable(plain, best(1)));
});

test('who cannot sit side by side sits near, with nobody alone, and in one section before several', async (standin) => {
  const { events } = standin.client;
  const event = await openHall(standin, drawHall([drawRow('A', 40, '.|..|..|.')]));
  const four = await events.bookBestAvailable(event, best(4));
  expect([four.objects, four.nextToEachOther]).toEqual([['A-2', 'A-3', 'A-4', 'A-5'], false]);
  expect((await events.bookBestAvailable(event, best(2))).nextToEachOther).toBe(false);

  const rows = [drawRow('1', 40, '..'), drawRow('2', 60, '..')];
  const sections = [section('Near', 0, rows.slice(0, 1)), section('Far', 400, rows)];
  const choose = async (number: number, more = {}) => {
    const wings = await openHall(standin, drawHall([], { sections }));
    return (await events.bookBestAvailable(wings, best(number, more))).objects;
  };
  expect(await choose(4)).toEqual(['Far-1-1', 'Far-1-2', 'Far-2-1', 'Far-2-2']);
  expect(await choose(6)).toHaveLength(6);
  expect(await choose(2, { sections: ['Far'] })).toEqual(['Far-1-1', 'Far-1-2']);
});

test('a zone has its own focal point', async (standin) => {
  const { events } = standin.client;
  const drawing = drawHall([drawRow('B', 20, '...')], {
    focalPoint: { x: 0, y: 0 },
    sections: [section('S', 0, [drawRow('A', 40, '......')], { zone: 'gate' })],
    zones: [{ key: 'gate', label: 'Varco', focalPoint: { x: 200, y: 40 } }],
  });
  const event = await openHall(standin, drawing);
  expect((await events.bookBestAvailable(event, best(2, { zone: 'gate' }))).objects).toEqual([
    'S-A-5',
    'S-A-6',
  ]);
  expect((await events.bookBestAvailable(event, best(1))).objects).toEqual(['B-1']);
  await refuses(NOT_FOUND, events.bookBestAvailable(event, best(1, { zone: 'nowhere' })));
});

test('without seats whole tables and booths are chosen, then places of one area', async (standin) => {
  const { events } = standin.client;
  const event = await openHall(
    standin,
    drawHall([], {
      tables: [table('T1', 200, '..'), table('T2', 80, '..')],
      booths: [bar],
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
  await refuses(NOT_FOUND, events.bookBestAvailable(event, best(45, { categories: ['2'] })));
  expect(
    detailsOf(await events.bookBestAvailable(event, best(44, { categories: ['2'] })))['Big'],
  ).toMatchObject({ numBooked: 44, numHeld: 6, status: expect.any(String) });
});

test('a visitor who asks for people gets one table that seats them all', async (standin) => {
  const event = await openHall(
    standin,
    drawHall([], {
      tables: [table('T1', 70, '........'), table('T2', 200, '....'), table('T3', 90, '....')],
      booths: [bar],
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
  expect(await ask(9, true)).toBe(NOT_FOUND);
  expect(await ask(2, false)).toEqual(['T1', 'T3']);
});

test('ticket types and extra data go to the seats one by one', async (standin) => {
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

test('extra data of a free seat is kept only when asked', async (standin) => {
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
  expect((await standin.info('A-1', event)).extraData).toEqual({ note: 'x' });
  await events.changeBestAvailableObjectStatus(event, best(1), 'kept');
  expect((await standin.info('A-2', event)).extraData).toBeUndefined();
});

test('an event key that needs encoding arrives, though the SDK encodes it twice here', async (standin) => {
  const { events } = standin.client;
  for (const key of ['Prima & seconda', 'cento%', 'a%20b']) {
    const made = await events.create('small', eventParams({ key }));
    expect((await events.bookBestAvailable(made.key, best(1))).objects).toHaveLength(1);
  }
});

test('nonsense is refused with a sentence, never with a 500', async (standin) => {
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
