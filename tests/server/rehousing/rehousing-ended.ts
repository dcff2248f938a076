/** Cambio di sala and those whose tickets end meanwhile: their places stay taken, go back once, and are nobody else's by mistake. */
import { expect } from 'vitest';
import { callOffMs } from '#server/domain/seat/rehousing.ts';
import { runRefund } from '#server/services/payment/refunds.ts';
import { runRehousing } from '#server/services/rehousing/run.ts';
import type { Run } from '#tests/support/both.ts';
import { makeAdmin, makeOrder } from '#tests/support/make.ts';
import { makeSold, soldOf, type Office } from '#tests/support/move.ts';
import { endBehindOurBack, payLate, rowOf } from '#tests/support/order-end.ts';
import { expectSoundBooks, refundByOffice } from '#tests/support/refunds.ts';
import {
  eventRow,
  expectRehoused,
  expectSeatsAt,
  finish,
  loseOneAnswer,
  newHall,
  propose,
  start,
  twoStanding,
} from '#tests/support/rehousing.ts';
import type { TestServer } from '#tests/support/server.ts';

/** The book has moved, and the old hall has not been left. */
async function moveTheBook(server: TestServer): Promise<string> {
  const { ctx } = server.house;
  await server.runDue();
  server.clock.advance(callOffMs + 1_000);
  const { id } = await ctx.db('rehousings').first();
  await runRehousing(ctx, id);
  expect(await ctx.db('rehousings').pluck('state')).toEqual(['moved']);
  return id;
}

async function proposeAndStart(server: TestServer, office: Office, hall: string): Promise<string> {
  const plan = await propose(server, office, hall);
  await start(server, office, plan);
  return plan.groups[0]!.lines[0]!.to_object!;
}

export const ended: Record<string, Run> = {
  'a newcomer is not seated where somebody who has gone may still be booked': async (server) => {
    const office = await makeAdmin(server);
    const { db } = server.house.ctx;
    const gone = await makeSold(server, { count: 2 });
    await makeSold(server, { count: 2, nth: 1, email: 'bruno@example.it' });
    loseOneAnswer(server);
    await proposeAndStart(server, office, newHall);
    await server.runDue();
    await refundByOffice(server, office, gone);
    await server.runDue();
    // Whoever had begun to buy just before the sale stood still.
    await db('events').update({ sale_paused: 0 });
    const late = await makeSold(server, {
      selected_objects: gone.seats.map((object_id) => ({ object_id, ticket_type: 'intero' })),
      email: 'carla@example.it',
    });
    await db('events').update({ sale_paused: 1 });
    server.clock.advance(30_000);
    await finish(server);
    expect(await db('rehousings').select('state', 'fault')).toEqual([
      { state: 'done', fault: null },
    ]);
    await expectSeatsAt(server, await soldOf(server, late.order_id));
    await expectRehoused(server);
  },

  'of standing places that a refund gives back in the very moment in which the old hall is left none stays booked for nobody':
    async (server) => {
      const office = await makeAdmin(server);
      const { ctx } = server.house;
      const { seats, db } = ctx;
      const crowd = await makeSold(server, twoStanding);
      loseOneAnswer(server);
      const area = await proposeAndStart(server, office, 'sala-delle-feste');
      await server.runDue();
      await refundByOffice(server, office, crowd, { ticket_ids: [crowd.tickets[0]!] });
      server.clock.advance(30_000);
      const id = await moveTheBook(server);
      await refundByOffice(server, office, crowd, { ticket_ids: [crowd.tickets[1]!] });
      const last = await db('refunds').orderBy('created_at', 'desc').first();
      const placesOf = seats.placesOf;
      let asked = 0;
      seats.placesOf = async (...about) => {
        seats.placesOf = placesOf;
        asked += 1;
        await runRefund(ctx, last.id);
        return placesOf(...about);
      };
      await runRehousing(ctx, id);
      expect(asked).toBe(1);
      for (let at = 0; at < 3; at += 1) {
        server.clock.advance(30_000);
        await server.runDue();
      }
      const { seatsio_event_key } = await eventRow(server);
      expect((await seats.infos(seatsio_event_key, [area])).get(area)!.area!.booked).toBe(0);
      expect(await db('rehousings').pluck('state')).toEqual(['done']);
      await expectSoundBooks(server);
    },

  'a seat that is kept although its ticket ends while the old hall is left stays booked': async (
    server,
  ) => {
    const office = await makeAdmin(server);
    const sold = await makeSold(server, { count: 2 });
    await proposeAndStart(server, office, newHall);
    const { ctx } = server.house;
    const id = await moveTheBook(server);
    await refundByOffice(server, office, sold, { frees_seats: false });
    await runRefund(ctx, (await ctx.db('refunds').first()).id);
    expect(await ctx.db('tickets').pluck('state')).toEqual(['refunded', 'refunded']);
    await runRehousing(ctx, id);
    await server.runDue();
    const lines = ctx.db('order_lines').where({ order_id: sold.order_id });
    const kept = await lines.orderBy('position').select('object_label', 'released_at');
    expect(kept.map(({ released_at }) => released_at)).toEqual([null, null]);
    const seats = kept.map(({ object_label }) => object_label as string);
    await expectSeatsAt(server, { ...sold, seats });
    await expectSoundBooks(server);
  },

  'money that comes after the order’s end and after another hall goes back: seats of the same names are others':
    async (server) => {
      const office = await makeAdmin(server);
      await makeSold(server, { count: 2, nth: 1 });
      const late = await makeOrder(server);
      await endBehindOurBack(server, late);
      await proposeAndStart(server, office, newHall);
      await finish(server);
      await payLate(server, late);
      expect(await rowOf(server, late)).toMatchObject({
        state: 'deleted',
        needs_attention: null,
        paid_cents: 6400,
        refunded_cents: 6400,
      });
      await expectRehoused(server);
    },
};
