/** At the end of a soak: whatever somebody was told is so, the seat map agrees with the books, and every rule of the books holds. */
import { invariants } from '#db/reconcile/invariants.ts';
import type { World } from './world.ts';
import { readMap, type Picture } from './watchers.ts';

/** Broken rules, in words. `always`: only those that hold at any instant. */
export async function findBroken(
  { house }: Pick<World, 'house'>,
  { always = false } = {},
): Promise<string[]> {
  const broken: string[] = [];
  for (const rule of invariants) {
    if (always && !rule.always) continue;
    for (const { subject } of await rule.find(house.db, house.now()))
      broken.push(`${rule.name}: ${subject}`);
  }
  return broken;
}

export async function findBrokenPromises(world: World): Promise<string[]> {
  return [
    ...(await findLostOrders(world)),
    ...(await findLost(world, 'admissions', world.ledger.scans)),
    ...(await findLost(world, 'refunds', world.ledger.refunds)),
    ...(await findLost(world, 'moves', world.ledger.moves)),
  ];
}

async function findLost(
  { house }: World,
  table: string,
  promised: ReadonlySet<string>,
): Promise<string[]> {
  const there = new Set<string>(await house.db(table).pluck('id'));
  return [...promised]
    .filter((id) => !there.has(id))
    .map((id) => `acknowledged and lost: ${table} ${id}`);
}

interface StoredOrder {
  id: string;
  link_key: string;
  state: string;
  paid_cents: number;
  refunded_cents: number;
}

async function findLostOrders({ house, ledger }: World): Promise<string[]> {
  const rows: StoredOrder[] = await house
    .db('orders')
    .select('id', 'link_key', 'state', 'paid_cents', 'refunded_cents');
  // Visitors know an order by its link, the office by its id.
  const stored = new Map(rows.flatMap((row) => [row.id, row.link_key].map((key) => [key, row])));
  const ends = {
    booked: ({ state }) => state === 'deleted',
    cancelled: ({ state }) => state === 'deleted',
    sold: ({ state }) => state === 'confirmed',
    // Too late to get its seats, it got its money back.
    paid: ({ state, paid_cents, refunded_cents }) =>
      state === 'confirmed' || (paid_cents > 0 && paid_cents === refunded_cents),
  } satisfies Record<string, (order: StoredOrder) => boolean>;
  return [...ledger.orders].flatMap(([id, { said }]) => {
    const order = stored.get(id);
    if (order === undefined) return [`acknowledged and lost: order ${id}, ${said}`];
    return ends[said](order) ? [] : [`order ${id} was ${said}, and is ${JSON.stringify(order)}`];
  });
}

/** The map shows as booked what orders have, and nothing else. */
export async function findUnlikeMap(world: World): Promise<string[]> {
  const wrong: string[] = [];
  for (const event_id of world.events) {
    const { picture } = await readMap(world, event_id);
    const places: string[] = await world.house
      .db('order_lines')
      .where({ event_id })
      .whereNull('released_at')
      .pluck('object_label');
    const booked = [...picture].filter(([, status]) => status === 'booked').map(([label]) => label);
    const [mine, theirs] = [new Set(places), new Set(booked)];
    for (const place of new Set([...mine, ...theirs]))
      if (!theirs.has(place)) wrong.push(`${event_id} ${place}: sold, and not on the map`);
      else if (!mine.has(place)) wrong.push(`${event_id} ${place}: on the map only`);
  }
  return wrong;
}

/** What a live map showed at the end beside what is true. */
export async function findUnlikePicture(
  world: World,
  event_id: string,
  shown: Picture,
): Promise<string[]> {
  const { picture } = await readMap(world, event_id);
  const labels = new Set([...picture.keys(), ...shown.keys()]);
  return [...labels]
    .filter((label) => picture.get(label) !== shown.get(label))
    .map(
      (label) =>
        `live map of ${event_id}: ${label} is ${picture.get(label) ?? 'free'}, shown as ${shown.get(label) ?? 'free'}`,
    );
}
