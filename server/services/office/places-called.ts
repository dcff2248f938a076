/** The places of coming events that typed words name, read as the till reads them. */
import { hallsAfter } from '#db/office/search.ts';
import { listHall } from '#db/seat/seats.ts';
import { namedSeatOf, type NamedSeat } from '#server/domain/seat/typed-index.ts';
import { readTypedSeats } from '#server/domain/seat/typed-seats.ts';
import { isByNumber } from '#server/domain/seat/whole.ts';
import type { Ctx } from '#server/services/context.ts';
import { memo } from '#server/services/kit/memo.ts';

interface NamedHall {
  seats: readonly NamedSeat[];
  /** The places of each object. */
  places: ReadonlyMap<string, readonly string[]>;
}

const minuteMs = 60_000;
/** The names of a hall change only when its chart is published again. */
const halls = memo<NamedHall>({ freshMs: 5 * minuteMs, most: 20 });

/** The text itself may be a label, too. */
export async function placesCalled(ctx: Ctx, q: string, after: number): Promise<string[]> {
  const found = [q];
  // A name of a buyer has no digit, and then no hall is read.
  if (!/\d/.test(q)) return found;
  for (const { event_id, hall: key } of await hallsAfter(ctx.db, after)) {
    const hall = await halls.get(ctx.db, { key, ask: () => readHall(ctx, event_id) });
    const { objects, unknown, doubtful } = readTypedSeats(q, hall.seats);
    if (unknown.length > 0) continue;
    const among = doubtful.flatMap((name) => name.among.map(({ object }) => object));
    found.push(...[...objects, ...among].flatMap((object) => hall.places.get(object) ?? []));
  }
  return [...new Set(found)];
}

async function readHall(ctx: Ctx, event_id: string): Promise<NamedHall> {
  // The places of an area that is sold by number have no names.
  const places = (await listHall(ctx.db, event_id)).filter((place) => !isByNumber(place));
  const named = places.map(({ object_label: object, kind, section, row, seat, in_whole }) =>
    namedSeatOf({ object, kind, section, row, seat, in_whole: in_whole === 1 }),
  );
  const seats = new Map(named.map((seat) => [seat.object, seat]));
  const byObject = Map.groupBy(places, ({ object_label: object }) => object);
  return {
    seats: [...seats.values()],
    places: new Map([...byObject].map(([object, all]) => [object, all.map(({ place }) => place)])),
  };
}
