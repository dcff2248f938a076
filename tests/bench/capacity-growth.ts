/** How cost grows with a house: how long one request takes with more orders in its books or in a larger hall (medians of requests that come one after the other), and what it takes of a core to tell more viewers of a live map. */
import { addressOf } from '#server/contract/endpoint.ts';
import { listOrders, readOrder } from '#server/contract/order/orders.ts';
import { importDrawing } from '#server/services/chart/charts.ts';
import { addEvent } from '#server/services/event/events.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, demoEvent, makeAdmin, makeOrder } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { fillTheatre } from './admin-data.ts';
import { benchEvent } from './booking-hall.ts';
import type { Growth } from './capacity-page.ts';
import { drawHall, seatLabel } from './drawn-hall.ts';
import {
  changeSeats,
  costOf,
  endViewers,
  gatherViewers,
  startLiveHall,
  stopLiveHall,
} from './live-hall.ts';
import { quantile } from './quantile.ts';
import { scaled } from './scale.ts';

const rounds = scaled(30, 2);
const seatsOfEvening = scaled(400, 50);

async function medianMs(one: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = -3; round < rounds; round += 1) {
    const began = performance.now();
    await one(round + 3);
    if (round >= 0) times.push(performance.now() - began);
  }
  return quantile(times, 0.5);
}

async function read(server: TestServer, path: string, headers: Record<string, string> = {}) {
  const { status } = await ask(server, 'GET', path, { headers });
  if (status !== 200) throw new Error(`${path}: ${status}`);
}

/** An evening on sale in a hall of so many seats; `buyPair(n)`: a visitor holds and books its n-th pair of neighbours. */
async function openHall(server: TestServer, seats: number) {
  const { ctx, standins } = server.house;
  const { workspaceKey } = standins!.seatsio!;
  const id = `sala-${seats}`;
  await importDrawing(ctx, drawHall(seats), { key: id, source: null, actor: 'bench' });
  const price_id = await ctx.payments.ensurePrice({
    lookup_key: 'capacity',
    product: 'La prova',
    unit_amount: 3_200,
  });
  await ctx.seats.ensureEvent(id, { chartKey: id, name: 'La prova' });
  await addEvent(ctx, { ...benchEvent(['Platea'], price_id), id, seatsio_event_key: id });
  return {
    map: `/standins/seatsio/system/public/${workspaceKey}/rendering-info?event_key=${id}`,
    async buyPair(n: number) {
      // One address gets a hundred hold tokens a minute.
      server.clock.advance(1_000);
      return makeOrder(server, { event: id, seats: [seatLabel(2 * n), seatLabel(2 * n + 1)] });
    },
  };
}

const median = 'median, ms';
const booked = 'one visitor: hold token, two seats held, booked; both stand-ins in the loop';

/** `sizes`: orders, ascending. */
export async function growOrders(sizes: readonly number[]): Promise<Growth[]> {
  await using server = await startServer();
  const admin = await makeAdmin(server);
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const hall = await openHall(server, scaled(10_000, 400));
  const growths = [
    { what: booked, of: 'orders', unit: median, points: [] },
    { what: 'the first page of the orders in the office', of: 'orders', unit: median, points: [] },
    { what: 'one order in the office', of: 'orders', unit: median, points: [] },
  ] satisfies Growth[] as Growth[];
  const firstPage = addressOf(listOrders, {}, { limit: 50 });
  const oneOrder = addressOf(readOrder, { orderId: 'order-0-7' });
  let [from, pair] = [0, 0];
  for (const size of sizes) {
    const events = Math.ceil(size / seatsOfEvening);
    await fillTheatre(
      server.house.ctx.db,
      { events, seats: seatsOfEvening, from },
      { event_id: demoEvent, order_id, now: server.clock.now() },
    );
    from = events;
    const times = [
      await medianMs(() => hall.buyPair(pair++)),
      await medianMs(() => read(server, firstPage, admin)),
      await medianMs(() => read(server, oneOrder, admin)),
    ];
    for (const [at, ms] of times.entries()) growths[at]!.points.push({ size, cost: ms });
  }
  return growths;
}

/** `sizes`: seats, each a multiple of a hundred and enough for all pairs. */
export async function growSeats(sizes: readonly number[]): Promise<Growth[]> {
  await using server = await startServer();
  const booking: Growth = { what: booked, of: 'seats', unit: median, points: [] };
  const map: Growth = {
    what: 'the hall with all its states, as a map fetches it first',
    of: 'seats',
    unit: median,
    points: [],
  };
  for (const size of sizes) {
    const hall = await openHall(server, size);
    booking.points.push({ size, cost: await medianMs((round) => hall.buyPair(round)) });
    map.points.push({ size, cost: await medianMs(() => read(server, hall.map)) });
  }
  return [booking, map];
}

const pace = { perSecond: 100, seconds: scaled(8) };

/** `sizes`: simultaneous viewers of one hall; the cost includes the changes themselves. */
export async function growViewers(folder: string, sizes: readonly number[]): Promise<Growth> {
  const growth: Growth = {
    what: `a live map: all viewers told of ${pace.perSecond} changes a second`,
    of: 'viewers',
    unit: '% of a core',
    points: [],
  };
  const hall = await startLiveHall(folder, pace.perSecond * pace.seconds);
  try {
    for (const size of sizes) {
      const event = `sala-${size}`;
      const crowd = await gatherViewers(hall.port, await hall.openEvent(event), size);
      const cost = await costOf(hall.server, () => changeSeats(hall, event, pace));
      growth.points.push({ size, cost });
      await endViewers(crowd);
    }
  } finally {
    await stopLiveHall(hall);
  }
  return growth;
}
