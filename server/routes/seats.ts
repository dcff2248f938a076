/** The hall and the seat map for the office: endpoint to use case, one line each. */
import { readHall, readSeatEvent, readSeatObjects, readSeats } from '#server/contract/seats.ts';
import { serve, type House } from '#server/http/serve.ts';
import { hallOf, seatsOf } from '#server/services/event/occupancy.ts';
import { seatEvent, seatObjects } from '#server/services/event/seat-map.ts';

export function seatRoutes(house: House): void {
  serve(house, readSeatEvent, ({ params }) => seatEvent(house.ctx, params.eventKey));
  serve(house, readSeatObjects, ({ params }) =>
    seatObjects(house.ctx, params.eventKey, params.objIds),
  );
  serve(house, readHall, ({ params }) => hallOf(house.ctx, params.eventId));
  serve(house, readSeats, ({ params }) => seatsOf(house.ctx, params.eventId));
}
