/** Cambio di sala, with everybody who is not an ordinary buyer: who goes in the middle of it, who stands, who has not paid yet, who never pays; and what the office may not do. */
import { expect } from 'vitest';
import { ProviderUnavailable } from '#server/adapters/provider.ts';
import { changeTills, collectReservation } from '#server/contract/counter.ts';
import { rehousingHall, seatByHand } from '#server/contract/rehousings.ts';
import { cancelCheckout } from '#server/contract/order/orders.ts';
import type { Run } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter, till } from '#tests/support/counter.ts';
import { ask, callOk, demoEvent, makeAdmin, makeOrder } from '#tests/support/make.ts';
import { makeSold, soldOf, type Office } from '#tests/support/move.ts';
import { refundByOffice } from '#tests/support/refunds.ts';
import {
  eventRow,
  expectRehoused,
  expectSeatsAt,
  finish,
  hallOf,
  openOne,
  propose,
  seat,
  start,
  tryStart,
  type Plan,
} from '#tests/support/rehousing.ts';
import type { TestServer } from '#tests/support/server.ts';
import { standingArea } from '#tests/support/standing.ts';

const smallHall = 'sala-nera';
/** It has a standing area, too. */
const hallWithStanding = 'sala-delle-feste';
const standing = (quantity: number) => ({
  selected_objects: [{ object_id: standingArea, ticket_type: 'intero', quantity }],
});

const bookedOf = async (server: TestServer, label: string) =>
  (await server.house.ctx.seats.infos((await eventRow(server)).seatsio_event_key, [label])).get(
    label,
  )!.area!.booked;

const callOff = (server: TestServer, office: Office) =>
  ask(server, 'POST', `/api/admin/events/${demoEvent}/rehousing/call-off`, { headers: office });

/** Two neighbours of the new hall whom the proposal gives to nobody. */
async function freePair(server: TestServer, plan: Plan): Promise<string[]> {
  const given = new Set(plan.groups.flatMap(({ lines }) => lines.map((line) => line.to_object)));
  const objects = await server.house.ctx.seats.chartObjects(plan.chart_key);
  const isFree = (label: string | null) => label !== null && !given.has(label);
  const first = objects.findLast(
    ({ label, right, accessible }) => !accessible && isFree(label) && isFree(right),
  )!;
  return [first.label, first.right!];
}

export const others: Record<string, Run> = {
  'tickets given back and an order called off after they were booked in the new hall have no seat there, and nobody else is touched':
    async (server) => {
      const office = await makeAdmin(server);
      const three = await makeSold(server, { count: 3 });
      const kept = await makeSold(server, { count: 1, nth: 3, email: 'carla@example.it' });
      // Before the plan; the house does not sell it again.
      await refundByOffice(server, office, kept, { frees_seats: false });
      await server.runDue();
      const unpaid = await makeOrder(server, { event: demoEvent, count: 2, nth: 2 });
      await start(server, office, await propose(server, office, smallHall));
      await server.runDue();
      expect(await openOne(server, office)).toMatchObject({
        state: 'waiting',
        counts: { taken: 5 },
      });
      await refundByOffice(server, office, three, { ticket_ids: [three.tickets[0]!] });
      await callOk(server, cancelCheckout, { params: { orderId: unpaid.order_id } });
      await finish(server);
      const left: string[] = await server.house.ctx
        .db('tickets')
        .where({ order_id: three.order_id, state: 'valid' })
        .pluck('id');
      expect(left.toSorted()).toEqual(three.tickets.slice(1).toSorted());
      const live = await server.house.ctx.db('order_lines').where({ released_at: null });
      expect(live).toHaveLength(2);
      await expectRehoused(server);
    },

  'standing stays standing, is given back in the new hall, and a lost answer of the seat map books nobody twice':
    async (server) => {
      const office = await makeAdmin(server);
      const { ctx } = server.house;
      const crowd = await makeSold(server, standing(3));
      const pair = await makeSold(server, { count: 2, email: 'bruno@example.it' });
      const plan = await propose(server, office, hallWithStanding);
      const area = plan.groups.find(({ order_id }) => order_id === crowd.order_id)!.lines[0]!
        .to_object!;
      const take = ctx.seats.take;
      const lost = new Set<string>();
      ctx.seats.take = async (key, seats, order_id) => {
        await take(key, seats, order_id);
        if (lost.has(order_id)) return;
        lost.add(order_id);
        throw new ProviderUnavailable('seats.io', 'the answer was lost', null);
      };
      await start(server, office, plan);
      for (let at = 0; at < 4; at += 1) {
        await server.runDue();
        server.clock.advance(30_000);
      }
      expect([...lost].toSorted()).toEqual([crowd.order_id, pair.order_id].toSorted());
      await refundByOffice(server, office, crowd, { ticket_ids: [crowd.tickets[0]!] });
      await finish(server);
      expect(await ctx.db('rehousings').pluck('state')).toEqual(['done']);
      expect(await bookedOf(server, area)).toBe(2);
      await expectSeatsAt(server, await soldOf(server, pair.order_id));
      await expectRehoused(server);
    },

  'who has reserved at the counter keeps price and time, a gift stays one, and only what was paid goes back':
    async (server) => {
      const office = await makeAdmin(server);
      const { db } = server.house.ctx;
      const tills = [{ id: till, name: 'Cassa 1', layout: 'a6' as const, printer: null }];
      await callOk(
        server,
        changeTills,
        { body: { version: 0, gifts_per_event: 10, tills } },
        office,
      );
      await openDrawer(server, office);
      const pay_by = new Date(server.clock.now() + 86_400_000).toISOString();
      const reserved = await sellAtCounter(server, office, { reservation: { pay_by } });
      const gift = { gift: { reason: 'Critica' }, nth: 1 };
      const given = await sellAtCounter(server, office, gift);
      await makeSold(server, { count: 2, nth: 2 });
      await start(server, office, await propose(server, office, smallHall, true), true);
      await finish(server);
      const orders: { id: string; total_cents: number; refunded_cents: number; pay_by: number }[] =
        await db('orders');
      const byId = new Map(orders.map((order) => [order.id, order]));
      expect(byId.get(reserved.order_id)).toMatchObject({
        total_cents: 6_400,
        pay_by: Date.parse(pay_by),
      });
      expect(byId.get(given.order_id)).toMatchObject({ total_cents: 0, refunded_cents: 0 });
      expect(orders.filter(({ refunded_cents }) => refunded_cents > 0)).toHaveLength(1);
      await callOk(
        server,
        collectReservation,
        {
          params: { orderId: reserved.order_id },
          body: { payments: [{ method: 'cash', amount_cents: 6_400 }] },
        },
        office,
      );
      for (const { order_id } of [reserved, given])
        await expectSeatsAt(server, await soldOf(server, order_id));
    },

  'of two starts one is refused, an old plan and a wrong number of mails begin nothing, and once the book has moved nothing is called off':
    async (server) => {
      const office = await makeAdmin(server);
      await makeSold(server, { count: 2 });
      const stale = await propose(server, office, smallHall);
      const { version, counts } = await propose(server, office, smallHall);
      const { mails } = counts;
      const wrong = [
        await tryStart(server, office, { version: stale.version, mails }),
        await tryStart(server, office, { version, mails: mails + 1 }),
      ];
      for (const { body } of wrong)
        expect(body).toMatchObject({ status: 409, code: 'rehousing_changed' });
      expect((await openOne(server, office))!.state).toBe('planned');
      const both = await Promise.all(
        [1, 2].map(() => tryStart(server, office, { version, mails })),
      );
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const again = await tryStart(server, office, { version, mails });
      expect(again.body).toMatchObject({ status: 409, code: 'rehousing_running' });
      await finish(server);
      expect((await callOff(server, office)).body).toMatchObject({ code: 'rehousing_not_found' });
      expect(
        await server.house.ctx.db('audit').where({ action: 'rehousing_started' }),
      ).toHaveLength(1);
      await expectRehoused(server);
    },

  'who finds no place in the new hall is listed with the reason, and nobody moves until that is settled':
    async (server) => {
      const office = await makeAdmin(server);
      const crowd = await makeSold(server, standing(2));
      await makeSold(server, { count: 2, email: 'bruno@example.it' });
      const seated = await propose(server, office, smallHall);
      expect(seated.counts).toMatchObject({ tickets: 4, unplaced: 0 });
      const listed = seated.groups.find(({ order_id }) => order_id === crowd.order_id)!;
      // Guests who stood sit in a hall without standing places, and the office is told.
      expect(listed.lines.map(({ warnings }) => warnings)).toEqual([['seated'], ['seated']]);
      const lines = listed.lines.map(({ line_id }) => ({ line_id, object: null }));
      const body = { version: seated.version, locked: false, lines };
      const plan = await callOk(server, seatByHand, { params: hallOf, body }, office);
      expect(plan.counts.unplaced).toBe(2);
      const { version, counts } = plan;
      const refused = await tryStart(server, office, { version, mails: counts.mails });
      expect(refused.body).toMatchObject({ status: 422, code: 'rehousing_unplaced' });
      expect((await eventRow(server)).sale_paused).toBe(0);
      const elsewhere = await propose(server, office, hallWithStanding);
      expect(elsewhere.counts.unplaced).toBe(0);
      await start(server, office, elsewhere);
      await finish(server);
      await expectRehoused(server);
    },

  'of a hall with two floors each place is drawn on its own, with the stage as that floor has it':
    async (server) => {
      const office = await makeAdmin(server);
      await makeSold(server, { count: 2 });
      const { charts } = server.house.ctx;
      const { subChart, ...rest } = (await charts.drawing(smallHall)) as { subChart: object };
      const named = (floorDisplayName: string, floor: string) => ({
        ...(JSON.parse(floor) as object),
        floorName: floorDisplayName.toLowerCase(),
        floorDisplayName,
      });
      const lower = JSON.stringify(subChart);
      const upper = lower.replaceAll(/"label":"(Fronte|Lato)/g, '"label":"Alto $1');
      const subChartFloors = [named('Platea', lower), named('Balconata', upper)];
      const text = JSON.stringify({ ...rest, subChartFloors });
      const { key } = await charts.import(text, { key: undefined, dry: false });
      await propose(server, office, key);
      const hall = await callOk(server, rehousingHall, { params: hallOf }, office);
      expect(hall.floors.map(({ name }) => name)).toEqual(['Balconata', 'Platea']);
      for (const { floor, object } of hall.places)
        expect([floor, object]).toEqual([
          object.startsWith('Alto') ? 'Balconata' : 'Platea',
          object,
        ]);
    },

  'a group that is seated by hand gets just those seats, with the codes of those seats': async (
    server,
  ) => {
    const office = await makeAdmin(server);
    const pair = await makeSold(server, { count: 2 });
    const other = await makeSold(server, { count: 2, nth: 1, email: 'bruno@example.it' });
    const plan = await propose(server, office, smallHall);
    const free = await freePair(server, plan);
    const { lines } = plan.groups.find(({ order_id }) => order_id === pair.order_id)!;
    const chosen = await seat(server, office, {
      version: plan.version,
      lines: lines.map(({ line_id }, at) => ({ line_id, object: free[at]! })),
    });
    expect(chosen.counts.unplaced).toBe(0);
    await start(server, office, chosen);
    await finish(server);
    const now = await soldOf(server, pair.order_id);
    expect(now.seats.toSorted()).toEqual(free.toSorted());
    for (const { order_id } of [pair, other])
      await expectSeatsAt(server, await soldOf(server, order_id));
    await expectRehoused(server);
  },
};
