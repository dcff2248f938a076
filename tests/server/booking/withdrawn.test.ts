/** The office takes an event back, cancels it or gives it another hall while a visitor is booking: he is before it and has his order, or he is refused and nothing is left of it. */
import { countRows } from '#db/engine/statements.ts';
import { expect } from 'vitest';
import {
  duplicateEvent,
  publishEvent,
  unpublishEvent,
  updateEvent,
} from '#server/contract/event-desk.ts';
import { cancelEvent, previewCancellation } from '#server/contract/order/refunds.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import {
  inDays,
  makeForm,
  makePublished,
  type Desk,
  type Form,
  type Office,
} from '#tests/support/event-desk.ts';
import {
  holdSeats,
  tryBook,
  ask,
  callOk,
  makeAdmin,
  until,
  type Answered,
  type Chosen,
} from '#tests/support/make.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const seats = [
  { object_id: 'Platea-D-1', ticket_type: 'intero' },
  { object_id: 'Platea-D-2', ticket_type: 'intero' },
];
const standing = [{ object_id: 'Loggione', ticket_type: 'intero', quantity: 2 }];

/** Chosen and held; the call is the caller's. */
async function readyToBook(
  server: TestServer,
  event: string,
  selected_objects: Chosen[] = seats,
): Promise<() => Promise<Answered>> {
  const held = await holdSeats(server, { event, selected_objects });
  return () => tryBook(server, held, event);
}

/** The booking has read its event and asks the seat map, which answers when it is let go. */
function holdMap({ house: { ctx } }: TestServer) {
  const { seats: map } = ctx;
  let asked = false;
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  ctx.seats = {
    ...map,
    async around(...args) {
      const answer = await map.around(...args);
      asked = true;
      await gone;
      return answer;
    },
  };
  return { begun: () => until(async () => asked), letGo };
}

/** The Goldoni once more under another key: a second hall with the very same labels is the dangerous one. */
async function copyChart(server: TestServer): Promise<string> {
  const { url, secretKey } = server.house.standins!.seatsio!;
  const answer = await fetch(`${url}/charts/teatro-goldoni/version/published/actions/copy`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}` },
  });
  return ((await answer.json()) as { key: string }).key;
}

async function changeHall(
  server: TestServer,
  admin: Office,
  { id, version, form }: Desk,
): Promise<unknown> {
  return callOk(
    server,
    updateEvent,
    { params: { eventId: id }, body: { ...form, version, chart_key: await copyChart(server) } },
    admin,
  );
}

async function takeBack(
  server: TestServer,
  admin: Office,
  { id, version }: Desk,
): Promise<unknown> {
  return callOk(server, unpublishEvent, { params: { eventId: id }, body: { version } }, admin);
}

async function cancel(
  server: TestServer,
  admin: Office,
  { id }: Pick<Desk, 'id'>,
): Promise<unknown> {
  const { sum_cents, orders } = await callOk(
    server,
    previewCancellation,
    { params: { eventId: id } },
    admin,
  );
  return callOk(
    server,
    cancelEvent,
    {
      params: { eventId: id },
      body: { expected_cents: sum_cents, expected_orders: orders, reason: 'Il teatro è allagato' },
    },
    admin,
  );
}

const offices: Record<
  string,
  {
    act: (server: TestServer, admin: Office, event: Desk) => Promise<unknown>;
    refused: [status: number, code: string];
    objects?: Chosen[];
  }
> = {
  'taken back': { act: takeBack, refused: [404, 'event_not_found'] },
  'taken back from under standing places': {
    act: takeBack,
    refused: [404, 'event_not_found'],
    objects: standing,
  },
  'given another hall': { act: changeHall, refused: [409, 'hold_expired'] },
  'given another hall from under standing places': {
    act: changeHall,
    refused: [409, 'hold_expired'],
    objects: standing,
  },
  cancelled: { act: cancel, refused: [410, 'event_cancelled'] },
};

/** Stalls and the standing area's category for one price. */
async function sellingAll(server: TestServer): Promise<Pick<Form, 'seat_pricing'>> {
  const {
    seat_pricing: [stalls],
  } = await makeForm(server);
  return { seat_pricing: ['Platea', 'Galleria'].map((category) => ({ ...stalls!, category })) };
}

test('while somebody is booking the event is taken back, given another hall or cancelled: he is refused, and nothing is left of his booking', async (server) => {
  const admin = await makeAdmin(server);
  const { db } = server.house.ctx;
  const selling = await sellingAll(server);
  for (const [nth, [what, { act, refused, objects }]] of Object.entries(offices).entries()) {
    const event = await makePublished(server, admin, { ...selling, id: `recital-${nth}` });
    const book = await readyToBook(server, event.id, objects);
    const map = holdMap(server);
    const booking = book();
    await map.begun();
    await act(server, admin, event);
    map.letGo();
    const { status, body } = await booking;
    expect([what, status, (body as { code: string }).code]).toEqual([what, ...refused]);
    expect([
      await db('orders'),
      await db('order_lines'),
      await db('outbox').where({ task: 'settle_order' }),
    ]).toEqual([[], [], []]);
  }
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
});

test('of a booking and a taking back at the very same moment exactly one happens, again and again', async (server) => {
  const admin = await makeAdmin(server);
  const first = await makePublished(server, admin, await sellingAll(server));
  const { ctx } = server.house;
  for (let round = 0; round < 6; round += 1) {
    const copy = await callOk(
      server,
      duplicateEvent,
      {
        params: { eventId: first.id },
        body: { id: `recital-${round}`, starts_at: inDays(server, 41 + round) },
      },
      admin,
    );
    const event = await callOk(
      server,
      publishEvent,
      { params: { eventId: copy.id }, body: { version: copy.version } },
      admin,
    );
    const isStanding = round >= 3;
    const book = await readyToBook(server, event.id, isStanding ? standing : seats);
    const map = holdMap(server);
    map.letGo();
    const booking = book();
    // The office comes at once, when the seat map has answered, or when the order is stored.
    if (round % 3 === 1) await map.begun();
    if (round % 3 === 2)
      await until(
        async () => (await countRows(ctx.db('orders').where({ event_id: event.id }))) > 0,
      );
    const office =
      round % 2 === 0
        ? ask(server, 'POST', unpublishEvent.path.replace(':eventId', event.id), {
            body: { version: event.version },
            headers: admin,
          })
        : ask(server, 'PUT', updateEvent.path.replace(':eventId', event.id), {
            body: { ...event.form, version: event.version, chart_key: await copyChart(server) },
            headers: admin,
          });
    const [visitor, desk] = await Promise.all([booking, office]);
    const code = (answer: Answered) => (answer.body as { code?: string }).code ?? 'done';
    expect([
      ['done', 'event_has_orders'],
      ['event_not_found', 'done'],
      ['hold_expired', 'done'],
    ]).toContainEqual([code(visitor), code(desk)]);
    const orders = await ctx.db('orders').where({ event_id: event.id });
    expect(orders.map((order) => order.state)).toEqual(
      code(visitor) === 'done' ? ['awaiting_payment'] : [],
    );
    if (code(visitor) !== 'done' || isStanding) continue;
    // His seats are booked where his event is.
    const { seatsio_event_key } = await ctx.db('events').where({ id: event.id }).first();
    const [{ object_id }] = seats as [Chosen];
    const found = await ctx.seats.read(seatsio_event_key, [object_id]);
    expect(found.get(object_id)).toMatchObject({ order_id: orders[0].id });
  }
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
});
