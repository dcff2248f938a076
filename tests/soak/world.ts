/** What everybody in a soak shares: the house, what was promised, whose turn it is by chance, and which seats are free. */
import type { Ledger } from './ledger.ts';
import type { SoakHouse } from './house.ts';

export interface World {
  house: SoakHouse;
  ledger: Ledger;
  /** The office's session. */
  admin: { cookie: string };
  /** Where the public calls of the seat map are. */
  room: string;
  /** A whole number from 0 up to `below`. */
  chance: (below: number) => number;
  events: string[];
  /** Two neighbours of an event's stalls that are free and that nobody else takes now; null: the halls are full. */
  takePair: () => Promise<{ event_id: string; seats: string[] } | null>;
}

/** Numbers that look like chance and are the same for the same seed (mulberry32). */
export function chanceOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Seat {
  place: string;
  section: string | null;
  row: string | null;
  seat: string;
  category: string;
  taken: boolean;
}

/** Neighbours by their numbers: pairs from the beginning of each row, so that nobody is left alone. */
async function freePairs({ house }: Pick<World, 'house'>, event_id: string): Promise<string[][]> {
  const seats: Seat[] = await house
    .db('places')
    .where({ event_id, kind: 'seat', accessible: 0, companion: 0, in_hall: 1, category: 'Platea' })
    .select('place', 'section', 'row', 'seat', 'category')
    .select(
      house.db.raw(
        `EXISTS (SELECT 1 FROM order_lines l WHERE l.event_id = places.event_id AND l.place = places.place AND l.released_at IS NULL) AS taken`,
      ),
    );
  const rows = Map.groupBy(seats, ({ section, row }) => `${section} ${row}`);
  return [...rows.values()].flatMap((row) => {
    const inOrder = row.toSorted((a, b) => Number(a.seat) - Number(b.seat));
    const pairs: string[][] = [];
    for (let at = 0; at + 1 < inOrder.length && inOrder.length - at !== 3; at += 2) {
      const pair = inOrder.slice(at, at + 2);
      if (pair.every(({ taken }) => !taken)) pairs.push(pair.map(({ place }) => place));
    }
    return pairs;
  });
}

/** A pair is offered once; what came back to the hall since is found when the list is used up. */
export function pairTaker(
  { house, chance, events }: Pick<World, 'house' | 'chance' | 'events'>,
  openAnother: () => Promise<void>,
): World['takePair'] {
  let list: { event_id: string; seats: string[] }[] = [];
  let filling: Promise<void> | null = null;
  const fill = async () => {
    list = [];
    for (const event_id of events)
      for (const seats of await freePairs({ house }, event_id)) list.push({ event_id, seats });
    if (list.length < 40) await openAnother();
  };
  return async () => {
    if (list.length === 0) {
      filling ??= fill().finally(() => {
        filling = null;
      });
      await filling;
    }
    return list.splice(chance(Math.max(list.length, 1)), 1)[0] ?? null;
  };
}
