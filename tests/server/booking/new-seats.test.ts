/** A chart that is published anew while its event is being sold: what has come to it is sold like the rest. */
import { expect } from 'vitest';
import { getOrder } from '#server/contract/order/orders.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import {
  callOk,
  demoEvent,
  makeAdmin,
  makeOrder,
  makePairedPhone,
  payOrder,
} from '#tests/support/make.ts';
import { pullDoor } from '#tests/support/door/door-phone.ts';
import { addRow, redraw } from '#tests/support/door/redraw.ts';
import { bookStanding, standingArea } from '#tests/support/standing.ts';

const newSeats = ['Platea-Z-1', 'Platea-Z-2'];

test('seats that were added to the chart after the event was made are held, booked, paid and told to the door', async (server) => {
  const admin = await makeAdmin(server);
  const phone = await makePairedPhone(server, admin);
  const before = await pullDoor(server, demoEvent, phone.headers);
  await redraw(server, (drawing) => addRow(drawing));
  const order = await makeOrder(server, { seats: newSeats });
  expect((await payOrder(server, order.checkout_url)).status).toBe(200);
  server.clock.advance(3_000);
  const { state, tickets } = await callOk(server, getOrder, {
    params: { orderId: order.order_id },
  });
  expect([state, tickets.map((ticket) => ticket.seat)]).toEqual([
    'confirmed',
    ['Platea, fila Z, posto 1', 'Platea, fila Z, posto 2'],
  ]);
  const news = await pullDoor(server, demoEvent, phone.headers, before.cursor);
  expect(news.places.map((place) => place.place).toSorted()).toEqual(newSeats);
  const audit = await server.house.ctx
    .db('audit')
    .where({ action: 'places_added', subject: demoEvent });
  expect(audit.map((row) => JSON.parse(row.detail))).toEqual([{ objects: newSeats, places: 2 }]);
});

test('visitors who come at once to a row that is new: each seat is sold once, and nobody meets an error', async (server) => {
  await redraw(server, (drawing) => addRow(drawing));
  const row = new Map(
    (await server.house.ctx.seats.objects(demoEvent))
      .filter((seat) => seat.label.startsWith('Platea-Z-'))
      .map((seat) => [seat.label, seat]),
  );
  const pairs: string[][] = [];
  for (const first of [...row.values()].filter(({ left }) => left === null)) {
    // Two seats stay free at the end: nobody is left alone.
    for (
      let seat: typeof first | undefined = first;
      seat?.right;
      seat = row.get(row.get(seat.right)!.right ?? '')
    )
      pairs.push([seat.label, seat.right]);
    pairs.pop();
  }
  expect(pairs.length).toBeGreaterThan(3);
  const orders = await Promise.all(pairs.map((pair) => makeOrder(server, { seats: pair })));
  expect(new Set(orders.map((order) => order.order_id)).size).toBe(pairs.length);
  expect(server.logged).toEqual([]);
});

it('a standing area that was made larger sells its new places, too', async (server) => {
  await redraw(server, ({ subChart }) => {
    subChart.generalAdmissionAreas.find((area) => area.label === standingArea)!.capacity = 64;
  });
  const orders = [];
  for (let sold = 0; sold < 60; sold += 10) orders.push(await bookStanding(server, 10));
  await bookStanding(server, 4);
  const places: string[] = await server.house.ctx
    .db('order_lines')
    .whereNull('released_at')
    .pluck('place');
  expect([places.length, new Set(places).size]).toEqual([64, 64]);
  await expect(bookStanding(server, 1)).rejects.toThrow('hold refused');
  expect(server.logged).toEqual([]);
});

test('a new seat whose name is too long for the book is refused in words, and the office’s log says which', async (server) => {
  const row = 'Z'.repeat(120);
  await redraw(server, (drawing) => addRow(drawing, row));
  await expect(
    makeOrder(server, { seats: [`Platea-${row}-1`, `Platea-${row}-2`] }),
  ).rejects.toThrow(/422 .*object_unknown.*Uno dei posti scelti non esiste/);
  expect(server.logged.join()).toContain(`Platea-${row}-1`);
  expect(await server.house.ctx.db('orders')).toEqual([]);
});
