/** The lines of an order, and the tickets of a move, with the names of their seats. */
import type { Db } from '#db/engine/dialect.ts';
import { movedTicketsOf } from '#db/order/moves.ts';
import { linesOf } from '#db/order/orders.ts';
import type { MoveRow, OrderRow, PlaceRow } from '#db/rows.ts';
import { placesOf } from '#db/seat/seats.ts';
import { addFees } from '#server/domain/price/fees.ts';
import { loweringOf } from '#server/domain/order/priced-order.ts';
import { remarksOf } from '#server/domain/seat/notices.ts';
import { namedTogether, seatName, type SeatParts } from '#server/domain/seat/seat-name.ts';

/** Returns a function that names a place, or returns the label if the event has no such place. */
export async function seatNamer(
  db: Db,
  event_id: string,
  labels: readonly string[],
): Promise<(place: string) => string> {
  const places = await placesOf(db, event_id, labels);
  const names = new Map(places.map((place) => [place.place, seatName(place)]));
  return (place) => names.get(place) ?? place;
}

/**
 * The lines of an order for its buyer: an object sold whole is one line, with the price of all
 * its places.
 */
export async function linesForBuyer(db: Db, order: OrderRow) {
  const lines = await linesOf(db, order.id);
  const labels = lines.map(({ place }) => place);
  const places = new Map(
    (await placesOf(db, order.event_id, labels)).map((place) => [place.place, place]),
  );
  const placed = lines.flatMap((line) => {
    const place = places.get(line.place);
    return place ? [{ ...line, ...partsOf(place), remarks: remarksOf(place) }] : [];
  });
  return namedTogether(placed).map(({ name, places: [first, ...others] }) => ({
    ...first,
    seat: name,
    ...loweringOf([first, ...others]),
    price_cents: others.reduce((sum, line) => sum + line.price_cents, first.price_cents),
    ...addFees([first, ...others]),
  }));
}

function partsOf({ kind, section, row, seat }: PlaceRow): SeatParts {
  return { kind, section, row, seat };
}

export async function linesInWords(db: Db, { id, event_id }: OrderRow) {
  const lines = await linesOf(db, id);
  const labels = lines.map(({ place }) => place);
  const nameOf = await seatNamer(db, event_id, labels);
  return lines.map((line) => ({ ...line, seat: nameOf(line.place) }));
}

/** `from` and `to`: seat names; `to` is empty while the new seat is not chosen. */
export async function movedInWords(db: Db, { id, event_id }: Pick<MoveRow, 'id' | 'event_id'>) {
  const moved = await movedTicketsOf(db, id);
  const labels = moved.flatMap(({ from_place, to_place }) => [from_place, to_place ?? []].flat());
  const nameOf = await seatNamer(db, event_id, labels);
  return moved.map((one) => ({
    ...one,
    from: nameOf(one.from_place),
    to: one.to_place === null ? '' : nameOf(one.to_place),
  }));
}
