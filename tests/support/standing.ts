/** Standing places in tests: an area has a number of places and no seats, so a purchase is a quantity. */
import { demoEvent, makeOrder, type Booked } from './make.ts';
import type { TestServer } from './server.ts';

/** The demo theatre's standing area has 60 places. */
export const standingArea = 'Loggione';

/** Holds and books places; with a token that is handed in it is that visitor who buys again. */
export async function bookStanding(
  server: TestServer,
  quantity: number,
  hold_token?: string,
): Promise<Booked> {
  return makeOrder(server, {
    selected_objects: [{ object_id: standingArea, ticket_type: 'intero', quantity }],
    ...(hold_token === undefined ? {} : { hold_token }),
  });
}

/** By the seat map's own count. */
export async function bookedStanding(server: TestServer): Promise<number> {
  return (await server.house.ctx.seats.infos(demoEvent, [standingArea])).get(standingArea)!.area!
    .booked;
}
