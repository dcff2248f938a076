/**
 * Counts of events that a job stores for reports: which are outdated, and how they are read and
 * written.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { countDoor, type DoorCount } from '#server/domain/report/door-count.ts';
import { countHall, type HallCount } from '#server/domain/report/hall-count.ts';
import { countMoney, type MoneyCount } from '#server/domain/report/money-count.ts';
import { countSales, daysOf, type SalesCount } from '#server/domain/report/sales-count.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { EventRow, KeptFiguresRow } from '#db/rows.ts';
import { doorRows } from './door.ts';
import { hallPlaces } from './hall.ts';
import { moneyRows } from './money.ts';
import { salesRows } from './sales.ts';

/** All stored counts of one event. */
export interface EventCount {
  sales: SalesCount;
  hall: HallCount;
  door: DoorCount;
  money: MoneyCount;
}
type CountedPart = keyof EventCount;

type Counted = Pick<EventRow, 'id' | 'starts_at' | 'feed_seq' | 'version'>;

type CountedOf = Pick<EventRow, 'id' | 'starts_at'>;
const counters: {
  [P in CountedPart]: (db: Db, event: CountedOf) => Promise<EventCount[P]>;
} = {
  sales: async (db, { id }) => countSales(await salesRows(db, id)),
  hall: async (db, { id }) => countHall(await hallPlaces(db, id)),
  door: async (db, { id, starts_at }) => countDoor({ starts_at, ...(await doorRows(db, id)) }),
  money: async (db, { id }) => countMoney(await moneyRows(db, id)),
};

const countedParts = Object.keys(counters) as CountedPart[];

/** Makes one part of the count from the event's rows. */
export async function countPart<P extends CountedPart>(
  db: Db,
  part: P,
  event: CountedOf,
): Promise<EventCount[P]> {
  return counters[part](db, event);
}

export async function countEvent(db: Db, event: CountedOf): Promise<EventCount> {
  return {
    sales: await counters.sales(db, event),
    hall: await counters.hall(db, event),
    door: await counters.door(db, event),
    money: await counters.money(db, event),
  };
}

/** An event whose count is outdated, and the changes that the next count includes. */
export interface OldCount extends Counted {
  /** When it was last counted, or null. */
  counted_at: number | null;
  changes: string[];
}

/**
 * Lists the latest events first. The changes are read before the count, so that a change made
 * meanwhile makes it outdated again.
 */
export async function oldCounts(db: Db, ids?: readonly string[]): Promise<OldCount[]> {
  const changes: { id: string; event_id: string }[] = await db('figure_changes').limit(5_000);
  const byEvent = Map.groupBy(changes, ({ event_id }) => event_id);
  const query = db('events')
    .leftJoin('kept_figures', 'kept_figures.event_id', 'events.id')
    .where({ rehearsal: 0 })
    .whereNot({ status: 'draft' })
    .where((b) => {
      b.whereNull('kept_figures.event_id')
        .orWhereRaw('kept_figures.feed_seq <> events.feed_seq')
        .orWhereRaw('kept_figures.version <> events.version')
        .orWhereIn('events.id', [...byEvent.keys()]);
    })
    .orderBy('events.starts_at', 'desc')
    .select('events.id', 'events.starts_at', 'events.feed_seq', 'events.version')
    .select('kept_figures.counted_at');
  if (ids !== undefined) query.whereIn('events.id', ids as string[]);
  const old: Omit<OldCount, 'changes'>[] = await query;
  return old.map((event) => ({
    ...event,
    changes: (byEvent.get(event.id) ?? []).map(({ id }) => id),
  }));
}

export async function keepCount(
  trx: Trx,
  { id, feed_seq, version, changes }: OldCount,
  { count, counted_at }: { count: EventCount; counted_at: number },
): Promise<void> {
  const { sales, money } = count;
  const days = daysOf([
    sales.orders,
    sales.payments,
    sales.refunds,
    money.payments,
    money.refunds,
    money.disputes,
  ]);
  const row: KeptFiguresRow = {
    event_id: id,
    feed_seq,
    version,
    counted_at,
    first_day: days?.first ?? null,
    last_day: days?.last ?? null,
    sales: JSON.stringify(sales),
    hall: JSON.stringify(count.hall),
    door: JSON.stringify(count.door),
    money: JSON.stringify(money),
  };
  await trx<KeptFiguresRow>('kept_figures').insert(row).onConflict('event_id').merge();
  await trx('figure_changes').whereIn('id', changes).delete();
}

interface Kept<P extends CountedPart> {
  event_id: string;
  counted_at: number;
  count: EventCount[P];
}

export async function readKept<P extends CountedPart>(
  db: Db,
  part: P,
  ids: readonly string[],
): Promise<Kept<P>[]> {
  const rows: { event_id: string; counted_at: number; json: string }[] = await db('kept_figures')
    .whereIn('event_id', ids as string[])
    .select('event_id', 'counted_at', `${part} as json`);
  return rows.map(({ json, ...row }) => ({ ...row, count: JSON.parse(json) as EventCount[P] }));
}

/** How many of the newest counts are checked; an old event without changes was checked before. */
const mostChecked = 300;

/** Events whose stored count differs from their rows although nothing has changed since. */
export async function findWrongCounts(db: Db): Promise<{ subject: string }[]> {
  const kept: KeptFiguresRow[] = await db<KeptFiguresRow>('kept_figures')
    .orderBy('counted_at', 'desc')
    .limit(mostChecked);
  const wrong: { subject: string }[] = [];
  for (const row of kept) {
    // Knex reads the event, because the invariants may run in a transaction that Knex has begun.
    const event = await db<EventRow>('events').where({ id: row.event_id }).first();
    const count = await countEvent(db, requireValue(event, 'event'));
    if (isSame(row, count)) continue;
    // The count may be outdated, or may have been renewed meanwhile.
    const [old, now] = [
      await oldCounts(db, [row.event_id]),
      await db<KeptFiguresRow>('kept_figures').where({ event_id: row.event_id }).first(),
    ];
    if (old.length === 0 && now?.counted_at === row.counted_at)
      wrong.push({ subject: row.event_id });
  }
  return wrong;
}

function isSame(kept: KeptFiguresRow, count: EventCount): boolean {
  return countedParts.every((part) => kept[part] === JSON.stringify(count[part]));
}
