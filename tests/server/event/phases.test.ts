/** Phases of prices in the office's table: made at Stripe, kept where last prices change, shared by a show's dates, gone when removed. */
import { expect } from 'vitest';
import { createEvent, readEvent, updateEvent } from '#server/contract/event-desk.ts';
import { readOrder } from '#server/contract/order/orders.ts';
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import {
  readEventPrices,
  readShowPrices,
  saveEventPrices,
  saveShowPrices,
} from '#server/contract/price-matrix.ts';
import { tryRules } from '#server/contract/price-rules.ts';
import { makeDates } from '#server/contract/shows.ts';
import { phaseAt } from '#server/domain/price/phase.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import {
  inDays,
  makeForm,
  makePublished,
  nameSeller,
  type Office,
} from '#tests/support/event-desk.ts';
import { aRefusal, ask, callOk } from '#tests/support/make.ts';
import { makePaid, passTime } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { atStripe } from '#tests/support/stripe-desk.ts';

type Typed = Asked<typeof saveEventPrices>['body']['prices'];
type Phase = NonNullable<Typed['phases']>[number];
type Matrix = ReplyOf<typeof readEventPrices>;

const params = { eventId: 'recital' };
const full = { category: 'Platea', ticketType: 'intero' };
const less = { category: 'Platea', ticketType: 'ridotto' };
const afterBookings = 56 * 60_000;

/** Stalls 20,00 and 12,00. */
function table(phases?: Phase[], cents = 2_000): Typed {
  return {
    types: [
      { ticketType: 'intero', label: 'Intero' },
      { ticketType: 'ridotto', label: 'Ridotto' },
    ],
    sectors: [
      {
        category: 'Platea',
        not_sold: false,
        cells: [
          { ticketType: 'intero', cents },
          { ticketType: 'ridotto', cents: 1_200 },
        ],
      },
      ...['Palchi', 'Galleria'].map((category) => ({ category, not_sold: true, cells: [] })),
    ],
    fee: null,
    ...(phases && { phases }),
  };
}

const early = (server: TestServer): Phase => ({
  name: 'Prima',
  until: { kind: 'day', at: inDays(server, 5) },
  cells: [
    { ...full, cents: 1_500 },
    { ...less, cents: 1_200 },
  ],
});

const read = (server: TestServer, admin: Office) =>
  callOk(server, readEventPrices, { params }, admin);

async function type(server: TestServer, admin: Office, prices: Typed): Promise<Matrix> {
  const { version } = await read(server, admin);
  return callOk(server, saveEventPrices, { params, body: { version, prices } }, admin);
}

const activeAtStripe = async (server: TestServer, id: string) =>
  (await atStripe<{ active: boolean }>(server, 'GET', `prices/${id}`)).active;

test('a phase is made at Stripe only where it differs, sold by name, tried on any day, kept when its last price changes, and archived when it is removed', async (server, admin) => {
  await makePublished(server, admin);
  const made = await type(server, admin, table([early(server)]));
  const [phase] = made.phases;
  expect(made).toMatchObject({
    phase_now: phase!.id,
    phases: [{ name: 'Prima', cells: [{ ...full, cents: 1_500 }] }],
  });
  const { price_id } = phase!.cells[0]!;
  expect(
    await atStripe(server, 'GET', `prices/${price_id}`, { 'expand[]': 'product' }),
  ).toMatchObject({ unit_amount: 1_500, product: { name: 'Recital · Platea, Intero (Prima)' } });
  const trial = async (day: number) => {
    const tickets = [{ category: 'Platea', ticket_type: 'intero', quantity: 1 }];
    const body = { tickets, at: inDays(server, day), channel: 'site' as const };
    return (await callOk(server, tryRules, { params, body }, admin)).total_cents;
  };
  expect([await trial(4), await trial(6)]).toEqual([1_500, 2_000]);
  const paid = await makePaid(server, { event: 'recital', count: 2 });
  const order = await callOk(server, readOrder, { params: { orderId: paid.order_id } }, admin);
  expect([order.sold_in_phase, order.total_cents]).toEqual(['Prima', 3_000]);

  // The table without a word of phases leaves them, and so does the form with another last price.
  const dearer = await type(server, admin, table(undefined, 2_200));
  expect(dearer.phases).toMatchObject([{ id: phase!.id, cells: [{ price_id, sold: 2 }] }]);
  const { form, version } = await callOk(server, readEvent, { params }, admin);
  const other = await server.house.ctx.payments.ensurePrice({
    lookup_key: 'other',
    product: 'Altro',
    unit_amount: 2_500,
  });
  const seat_pricing = form.seat_pricing.map((entry) => ({
    ...entry,
    ticketTypes: entry.ticketTypes.map((one) =>
      one.ticketType === 'intero' ? { ...one, price_id: other } : one,
    ),
  }));
  await callOk(server, updateEvent, { params, body: { ...form, seat_pricing, version } }, admin);
  expect((await read(server, admin)).phases).toMatchObject([{ cells: [{ price_id }] }]);

  // What an order refers to stays at Stripe; a price of a phase that nobody bought goes with it.
  const cheaper = { ...early(server), id: phase!.id, cells: [{ ...full, cents: 1_400 }] };
  const [again] = (await type(server, admin, table([cheaper]))).phases;
  expect(again!.id).toBe(phase!.id);
  const unsold = again!.cells[0]!.price_id;
  expect((await type(server, admin, table([]))).phases).toEqual([]);
  await passTime(server, afterBookings);
  expect([await activeAtStripe(server, price_id), await activeAtStripe(server, unsold)]).toEqual([
    true,
    false,
  ]);
});

test('a number of tickets that is reached when the office saves ends the phase at once, and another number begins it again', async (server, admin) => {
  await makePublished(server, admin);
  await makePaid(server, { event: 'recital', count: 2 });
  const save = async (tickets: number, id?: string) => {
    const phase = { ...early(server), until: { kind: 'sold' as const, tickets } };
    return type(server, admin, table([id === undefined ? phase : { ...phase, id }]));
  };
  const now = async () => {
    const row = await server.house.ctx.db('events').where({ id: 'recital' }).first();
    return phaseAt(row, server.clock.now())?.name ?? null;
  };
  const { phases, phase_now } = await save(2);
  expect([phase_now, await now()]).toEqual([null, null]);
  const { id } = phases[0]!;
  expect((await save(3, id)).phase_now).toBe(id);
});

it('two cells of one last price may have phases of their own', async (server, admin) => {
  await nameSeller(server, admin);
  const form = await makeForm(server);
  const [stalls] = form.seat_pricing;
  const [only] = stalls!.ticketTypes;
  const twice = { ...only!, ticketType: 'ridotto', label: 'Ridotto' };
  const seat_pricing = [{ ...stalls!, ticketTypes: [only!, twice] }, ...form.seat_pricing.slice(1)];
  await callOk(server, createEvent, { body: { id: 'recital', ...form, seat_pricing } }, admin);
  const shared = table([
    {
      ...early(server),
      cells: [
        { ...full, cents: 1_500 },
        { ...less, cents: 900 },
      ],
    },
  ]);
  shared.sectors[0]!.cells = ['intero', 'ridotto'].map((ticketType) => ({
    ticketType,
    price_id: only!.price_id,
  }));
  const { phases, sectors } = await type(server, admin, shared);
  expect(phases[0]!.cells.map(({ cents }) => cents)).toEqual([1_500, 900]);
  expect(sectors.flatMap(({ cells }) => cells.map(({ cents }) => cents))).toEqual([2_000, 2_000]);
});

it('dates take the phases of their show; a date with its own keeps them', async (server, admin) => {
  await makePublished(server, admin);
  await type(server, admin, table());
  const show = { showId: 'recital' };
  const starts = [inDays(server, 50), inDays(server, 51)];
  await callOk(server, makeDates, { params: show, body: { like: 'recital', starts } }, admin);
  await type(server, admin, table([{ ...early(server), name: 'Sua' }]));
  const matrix = await callOk(server, readShowPrices, { params: show }, admin);
  const dates = matrix.dates.map(({ id, version }) => ({ id, version }));
  const body = { version: matrix.version, dates, prices: table([early(server)]) };
  await callOk(server, saveShowPrices, { params: show, body }, admin);
  const names = await Promise.all(
    dates.map(async ({ id }) => {
      const { phases } = await callOk(server, readEventPrices, { params: { eventId: id } }, admin);
      return phases.map(({ name, cells }) => [name, cells.map(({ cents }) => cents)]);
    }),
  );
  expect(names).toEqual([[['Sua', [1_500]]], [['Prima', [1_500]]], [['Prima', [1_500]]]]);
});

it('what are no phases is refused and changes nothing', async (server, admin) => {
  await makePublished(server, admin);
  const { version } = await read(server, admin);
  const put = (phases: object[]) =>
    ask(server, 'PUT', '/api/admin/events/recital/prices', {
      body: { version, prices: { ...table(), phases } },
      headers: admin,
    });
  const first = early(server);
  const statuses = [
    [{ ...first, name: '' }],
    [first, { ...first, until: { kind: 'day', at: inDays(server, 6) } }],
    [{ ...first, until: { kind: 'hours_before', hours: 0 } }],
    [{ ...first, until: { kind: 'sold', tickets: 1.5 } }],
    [{ ...first, until: { kind: 'never' } }],
    [{ ...first, cells: [{ category: 'Palchi', ticketType: 'intero', cents: 900 }] }],
    [{ ...first, cells: [{ ...full, cents: 20 }] }],
    Array.from({ length: 6 }, (_, at) => ({ ...first, name: `Fase ${at}` })),
  ].map(async (phases) => (await put(phases)).status);
  expect(await Promise.all(statuses)).toEqual(statuses.map(() => 400));
  const second = { ...first, name: 'Seconda', until: { kind: 'day', at: inDays(server, 4) } };
  expect(await put([first, second])).toMatchObject(
    aRefusal(422, 'price_phases_wrong', { fields: ['price_phases'], phases: [1] }),
  );
  expect((await read(server, admin)).version).toBe(version);
});
