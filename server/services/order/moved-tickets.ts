/** The tickets of one move of seats, with the names of the seats that they left and came to. */
import type { Db } from '#db/engine/dialect.ts';
import { movedTicketsOf } from '#db/order/moves.ts';
import type { MovedTicketRow, MoveRow } from '#db/rows.ts';
import { placesOf } from '#db/seat/seats.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';

export async function movedInWords(db: Db, move: Pick<MoveRow, 'id' | 'event_id'>) {
  const moved = await movedTicketsOf(db, move.id);
  const places = await placesOf(
    db,
    move.event_id,
    moved.flatMap(({ from_place, to_place }) => [from_place, to_place ?? []].flat()),
  );
  const names = new Map(places.map((place) => [place.place, seatName(place)]));
  const nameOf = (place: string | null) =>
    (place === null ? null : names.get(place)) ?? place ?? '';
  return moved.map((one: MovedTicketRow) => ({
    ...one,
    from: nameOf(one.from_place),
    to: nameOf(one.to_place),
  }));
}
