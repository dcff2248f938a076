/**
 * Standing places in tests: an area has a number of places without seats, so a purchase has a
 * quantity.
 */
import { demoEvent, makeOrder, type Booked } from './make.ts';
import type { TestServer } from './server.ts';

/** The demo theatre's standing area has 60 places. */
export const standingArea = 'Loggione';

/** Holds and books places; with an existing token the same visitor buys again. */
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

/** The count of the seat map itself. */
export async function bookedStanding(server: TestServer): Promise<number> {
  return (await server.house.ctx.seats.infos(demoEvent, [standingArea])).get(standingArea)!.area!
    .booked;
}
