/** The counter keeps reserved seats until another time, and no longer than the start. */
import { expect } from 'vitest';
import { changeReservation, dropReservation } from '#server/contract/counter.ts';
import { readOrder } from '#server/contract/order/orders.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { aRefusal, ask, callOk } from '#tests/support/make.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';

test('a reservation ends at the new time, earlier or later, and the order’s history says so', async (server, office) => {
  await openDrawer(server, office);
  const hours = (count: number) => new Date(server.clock.now() + count * 3_600_000).toISOString();
  const made = async (nth: number) =>
    (await sellAtCounter(server, office, { reservation: { pay_by: hours(2) }, nth })).order_id;
  const [longer, shorter, dropped] = [await made(0), await made(0), await made(0)];
  const change = (order_id: string, pay_by: string) =>
    ask(server, 'PUT', `/api/admin/counter/reservations/${order_id}`, {
      body: { pay_by },
      headers: office,
    });
  await callOk(server, dropReservation, { params: { orderId: dropped } }, office);
  expect(await change(dropped, hours(3))).toMatchObject(aRefusal(409, 'order_not_reserved'));
  for (const wrong of [hours(-1), hours(24 * 400)])
    expect(await change(longer, wrong)).toMatchObject(aRefusal(422, 'reservation_time_wrong'));
  const later = hours(4);
  const params = { orderId: longer };
  expect(
    await callOk(server, changeReservation, { params, body: { pay_by: later } }, office),
  ).toEqual({ order_id: longer, pay_by: later });
  expect((await change(shorter, hours(1))).status).toBe(200);
  const file = await callOk(server, readOrder, { params }, office);
  expect(file.timeline.map(({ action }) => action)).toContain('reservation_changed');
  const stateOf = async () =>
    server.house.ctx.db('orders').whereIn('id', [longer, shorter]).orderBy('pay_by').pluck('state');
  server.clock.advance(3_600_001);
  await server.runDue();
  expect(await stateOf()).toEqual(['deleted', 'awaiting_payment']);
  server.clock.advance(3 * 3_600_000);
  await server.runDue();
  expect(await stateOf()).toEqual(['deleted', 'deleted']);
  await expectSoundBooks(server);
});
