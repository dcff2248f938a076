/** Cambio di sala, where others are in the way: a second worker, somebody who calls it off, a guest who comes in, people who change places with each other. */
import { expect } from 'vitest';
import { admitTicket } from '#server/contract/door/admissions.ts';
import { isSeatKeyTaken } from '#db/event/events.ts';
import { samePlaceAs } from '#db/joins.ts';
import { callOffRehousing, readRehousing, solveRehousing } from '#server/contract/rehousings.ts';
import { callOffMs } from '#server/domain/seat/rehousing.ts';
import { cancelCheckout } from '#server/contract/order/orders.ts';
import { compareBooks } from '#server/services/reconcile/comparison.ts';
import { settleOrder } from '#server/services/payment/settle.ts';
import { runRehousing } from '#server/services/rehousing/run.ts';
import type { Run } from '#tests/support/both.ts';
import {
  callOk,
  demoEvent,
  makeAdmin,
  makeOrder,
  type Answered,
  aRefusal,
} from '#tests/support/make.ts';
import { makeSold, quoteOf, soldOf, tryMove, type Office, type Sold } from '#tests/support/move.ts';
import { expectSoundBooks, refundByOffice } from '#tests/support/refunds.ts';
import {
  eventRow,
  expectRehoused,
  expectSeatsAt,
  finish,
  hallOf,
  loseOneAnswer,
  newHall,
  openOne,
  propose,
  seat,
  start,
  tryStart,
  twoStanding,
} from '#tests/support/rehousing.ts';
import type { TestServer } from '#tests/support/server.ts';

const params = hallOf;

/** Everybody is booked in the new hall. */
async function begin(server: TestServer, office: Office): Promise<string> {
  const plan = await propose(server, office, newHall);
  await start(server, office, plan);
  await server.runDue();
  return plan.rehousing_id;
}

async function freeSeats(server: TestServer): Promise<string[]> {
  const { seatsio_event_key } = await eventRow(server);
  const all = await server.house.ctx.seats.objects(seatsio_event_key);
  return all.flatMap(({ kind, status, for_sale, label }) =>
    kind === 'seat' && status === 'free' && for_sale ? [label] : [],
  );
}

/** Two get seats, and the difference is let go. */
async function seatBoth(server: TestServer, office: Office, crowd: Sold): Promise<Answered> {
  const seats = (await freeSeats(server)).slice(0, 2);
  const { difference_cents } = await quoteOf(server, office, crowd, seats);
  return tryMove(server, office, crowd, seats, {
    expected_cents: difference_cents,
    rules_reason: 'Prova',
    ...(difference_cents === 0 ? {} : { difference: { way: 'waived', reason: 'Per cortesia' } }),
  });
}

export const races: Record<string, Run> = {
  'two workers at the last step move the book once': async (server) => {
    const office = await makeAdmin(server);
    const { ctx } = server.house;
    const sold = await makeSold(server, { count: 2 });
    const id = await begin(server, office);
    server.clock.advance(callOffMs + 1_000);
    await Promise.all([runRehousing(ctx, id), runRehousing(ctx, id)]);
    for (let at = 0; at < 3; at += 1) await server.runDue();
    expect(await ctx.db('rehousings').select('state')).toEqual([{ state: 'done' }]);
    await expectSeatsAt(server, await soldOf(server, sold.order_id));
    expect(await ctx.db('audit').where({ action: 'rehousing_done' }).pluck('subject')).toEqual([
      demoEvent,
    ]);
    await expectRehoused(server);
  },

  'called off while the worker reads the new hall for the last time, nobody moves': async (
    server,
  ) => {
    const office = await makeAdmin(server);
    const { ctx } = server.house;
    const sold = await makeSold(server, { count: 2 });
    const id = await begin(server, office);
    server.clock.advance(callOffMs + 1_000);
    const read = ctx.seats.objects;
    ctx.seats.objects = async (key) => {
      const found = await read(key);
      ctx.seats.objects = read;
      await callOk(server, callOffRehousing, { params }, office);
      return found;
    };
    await runRehousing(ctx, id);
    for (let at = 0; at < 3; at += 1) await server.runDue();
    expect((await callOk(server, readRehousing, { params }, office)).rehousing?.state).toBe(
      'planned',
    );
    expect(await soldOf(server, sold.order_id)).toEqual(sold);
    await expectSoundBooks(server);
  },

  'a guest who comes in before the book has moved calls the run off': async (server) => {
    const office = await makeAdmin(server);
    const { ctx } = server.house;
    const sold = await makeSold(server, { count: 2 });
    await begin(server, office);
    const admitted = { params: { ticketId: sold.codes[0]! }, body: {} };
    expect((await callOk(server, admitTicket, admitted, office)).verdict).toBe('admit');
    await finish(server);
    expect(await ctx.db('rehousings').select('state', 'fault')).toEqual([
      { state: 'planned', fault: 'guest_inside' },
    ]);
    expect(await soldOf(server, sold.order_id)).toEqual(sold);
    await expectSoundBooks(server);
  },

  'two orders that change places with each other, and two friends who do, get new codes of each other’s places':
    async (server) => {
      const office = await makeAdmin(server);
      const { ctx } = server.house;
      const pair = await makeSold(server, { count: 2 });
      const other = await makeSold(server, { count: 2, nth: 1, email: 'bruno@example.it' });
      const friends = await makeSold(server, { count: 2, nth: 2, email: 'carla@example.it' });
      const { version, groups } = await propose(server, office, newHall);
      const wishes = new Map([
        [pair.order_id, other.seats],
        [other.order_id, pair.seats],
        [friends.order_id, friends.seats.toReversed()],
      ]);
      const seatOf = new Map<string, string>(
        await ctx
          .db('order_lines')
          .then((rows: { id: string; place: string }[]) =>
            rows.map(({ id, place }): [string, string] => [id, place]),
          ),
      );
      const solds = [pair, other, friends];
      const lines = groups.flatMap(({ order_id, lines: theirs }) =>
        theirs.map(({ line_id }) => {
          const { seats } = solds.find((sold) => sold.order_id === order_id)!;
          return { line_id, object: wishes.get(order_id)![seats.indexOf(seatOf.get(line_id)!)]! };
        }),
      );
      await start(server, office, await seat(server, office, { version, lines }));
      await server.runDue();
      await finish(server);
      for (const sold of solds) {
        const now = await soldOf(server, sold.order_id);
        const rows: { id: string; place: string }[] = await ctx
          .db('tickets')
          .whereIn('id', sold.tickets);
        const places = new Map(rows.map(({ id, place }) => [id, place]));
        expect(sold.tickets.map((id) => places.get(id))).toEqual(wishes.get(sold.order_id));
        for (const code of sold.codes) expect(now.codes).not.toContain(code);
        const [code] = sold.codes;
        const asked = { params: { ticketId: code! }, body: {} };
        expect((await callOk(server, admitTicket, asked, office)).verdict).toBe('moved');
      }
      await expectRehoused(server);
    },

  'who changes places after the plan is planned anew, even in the moment of the start; while the hall changes nobody does':
    async (server) => {
      const office = await makeAdmin(server);
      const { seats, db } = server.house.ctx;
      const [early, late] = [
        await makeSold(server, twoStanding),
        await makeSold(server, { ...twoStanding, email: 'bruno@example.it' }),
      ];
      const plan = await propose(server, office, 'sala-delle-feste');
      expect(plan.counts).toMatchObject({ tickets: 4, unplaced: 0 });
      expect((await seatBoth(server, office, early)).status).toBe(200);
      // Nothing of the plan is for seats.
      expect((await openOne(server, office))!.counts).toMatchObject({ tickets: 4, unplaced: 2 });
      const { version } = plan;
      const solved = await callOk(server, solveRehousing, { params, body: { version } }, office);
      expect(solved.counts.unplaced).toBe(0);

      const read = seats.event;
      seats.event = async (key) => {
        seats.event = read;
        expect((await seatBoth(server, office, late)).status).toBe(200);
        return read(key);
      };
      await start(server, office, solved);
      const refused = await seatBoth(server, office, early);
      expect(refused).toMatchObject(aRefusal(422, 'move_refused', { reason: 'hall_changing' }));
      await finish(server);
      const kinds = await db('order_lines')
        .join('places', samePlaceAs('order_lines'))
        .whereNull('order_lines.released_at')
        .pluck('places.kind');
      expect(kinds).toEqual(['seat', 'seat', 'seat', 'seat']);
      for (const { order_id } of [early, late])
        await expectSeatsAt(server, await soldOf(server, order_id));
      await expectSoundBooks(server);
      const [other] = await freeSeats(server);
      const now = await soldOf(server, early.order_id);
      expect((await quoteOf(server, office, now, [other!])).obstacle).toBe(null);
    },

  'who gives standing places back before the house knows that they are booked in the new hall has none there':
    async (server) => {
      const office = await makeAdmin(server);
      const { seats } = server.house.ctx;
      const crowd = await makeSold(server, twoStanding);
      const plan = await propose(server, office, 'sala-delle-feste');
      const area = plan.groups[0]!.lines[0]!.to_object!;
      loseOneAnswer(server);
      await start(server, office, plan);
      await server.runDue();
      await refundByOffice(server, office, crowd, { ticket_ids: [crowd.tickets[0]!] });
      server.clock.advance(30_000);
      await finish(server);
      const { seatsio_event_key } = await eventRow(server);
      expect((await seats.infos(seatsio_event_key, [area])).get(area)!.area!.booked).toBe(1);
      await expectSoundBooks(server);
    },

  'what had ended in the old hall means nothing in the new one, and nobody else takes its name meanwhile':
    async (server) => {
      const office = await makeAdmin(server);
      const { ctx } = server.house;
      await makeSold(server, { count: 2 });
      const gone = await makeOrder(server, { event: demoEvent, count: 2, nth: 2 });
      await callOk(server, cancelCheckout, { params: { orderId: gone.order_id } });
      const plan = await propose(server, office, 'sala-nera');
      await start(server, office, plan);
      const { seatsio_event_key } = await ctx.db('rehousings').first();
      const ofOthers = (id: string) => isSeatKeyTaken(ctx.db, seatsio_event_key, id);
      expect([await ofOthers('another'), await ofOthers(demoEvent)]).toEqual([true, false]);
      await finish(server);
      // Stripe tells late, or again, that its session is over.
      expect(await settleOrder(ctx, gone.order_id)).toBe(null);
      const row = await ctx.db('orders').where({ id: gone.order_id }).first();
      expect(row).toMatchObject({ state: 'deleted', needs_attention: null });
      await expectRehoused(server);
    },

  'a sale that nobody has opened again is not opened by another run': async (server) => {
    const office = await makeAdmin(server);
    await makeSold(server, { count: 2 });
    const { version, counts } = await propose(server, office, newHall);
    await server.house.ctx.db('events').update({ sale_paused: 1 });
    const { mails } = counts;
    const refused = await tryStart(server, office, { version, mails });
    expect(refused.body).toMatchObject({ status: 409, code: 'rehousing_sale_paused' });
  },

  'a hall that is left while the books are compared is gone at the seat map, and nobody is told':
    async (server) => {
      const office = await makeAdmin(server);
      const { ctx } = server.house;
      await makeSold(server, { count: 2 });
      await begin(server, office);
      const { taken } = ctx.seats;
      ctx.seats.taken = async (key) => {
        if (key !== demoEvent) return taken(key);
        ctx.seats.taken = taken;
        await finish(server);
        return taken(key);
      };
      await compareBooks(ctx, new AbortController().signal);
      expect((await eventRow(server)).seatsio_event_key).not.toBe(demoEvent);
      expect(await ctx.db('breaks').select('kind', 'subject')).toEqual([]);
      // One that is still needed is told of.
      await ctx.seats.dropEvent((await eventRow(server)).seatsio_event_key);
      await compareBooks(ctx, new AbortController().signal);
      expect(await ctx.db('breaks').pluck('kind')).toEqual(['seat_event_unknown']);
    },
};
