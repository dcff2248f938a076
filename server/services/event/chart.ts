/**
 * An event's hall at the seat map: makes the seats.io event or takes over an existing one, and
 * checks categories and prices.
 */
import type { SeatObject } from '#server/adapters/seatsio.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import { isSeatKeyTaken } from '#db/event/events.ts';
import type { EventRow } from '#db/rows.ts';
import { everyPricing, type PricePhase } from '#server/domain/price/phase.ts';
import { faultOf, type CategoryPricing } from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import type { TableBooking } from '#server/domain/event/whole-terms.ts';
import { pricesForOffice } from './prices.ts';

/** The event at the seat map. Without a chart `objects` is null, and the key is only reserved. */
export interface Hall {
  seatsio_event_key: string;
  chart_key: string | null;
  objects: SeatObject[] | null;
  /** Which of its tables are sold whole. */
  tables: TableBooking;
}

/**
 * Takes over an event that exists at the seat map.
 * @throws Refusal seat_event_not_found, seat_event_taken, provider_silent
 */
export async function adoptHall(
  ctx: Ctx,
  seatsio_event_key: string,
  max_seats: number,
): Promise<Hall> {
  if (await isSeatKeyTaken(ctx.db, seatsio_event_key, '')) throw new Refusal('seat_event_taken');
  const found = await seatEventOf(ctx, seatsio_event_key);
  if (found === null) throw new Refusal('seat_event_not_found');
  await ctx.seats.limitHolds(seatsio_event_key, max_seats);
  const tables = found.table_booking as TableBooking;
  return hallAt(ctx, { seatsio_event_key, chart_key: found.chart_key, tables });
}

async function hallAt(ctx: Ctx, hall: Omit<Hall, 'objects'>): Promise<Hall> {
  return { ...hall, objects: await ctx.seats.objects(hall.seatsio_event_key) };
}

interface HallAsk {
  id: string;
  title: string;
  chart_key: string | null;
  max_seats: number;
  /** Missing: as they are drawn. */ tables?: TableBooking | undefined;
}

/**
 * Makes a new event on the chart, or finds the one that an interrupted call has made.
 * @throws Refusal chart_not_found, provider_silent
 */
export async function makeHall(
  ctx: Ctx,
  { id, title, chart_key, max_seats, tables = { mode: 'INHERIT' } }: HallAsk,
): Promise<Hall> {
  const seatsio_event_key = await freeSeatKey(ctx, id, chart_key);
  if (chart_key === null) return { seatsio_event_key, chart_key, objects: null, tables };
  await ctx.seats
    .ensureEvent(seatsio_event_key, { chartKey: chart_key, name: title || id, tables })
    .catch((error: unknown) => {
      // The key is free and well-formed, so the refusal was about the chart.
      if (error instanceof ProviderRefused && (error.status === 404 || error.status === 400))
        throw new Refusal('chart_not_found', { fields: ['chart_key'] }, error);
      throw error;
    });
  await ctx.seats.limitHolds(seatsio_event_key, max_seats);
  return hallAt(ctx, { seatsio_event_key, chart_key, tables });
}

const mostTries = 50;

/**
 * A key for the seat map: the event's id, with a number if another event has this key or the seat
 * map has it on another chart.
 */
export async function freeSeatKey(ctx: Ctx, id: string, chart_key: string | null): Promise<string> {
  for (let n = 1; n <= mostTries; n += 1) {
    const key = n === 1 ? id : `${id}-${n}`;
    if (await isSeatKeyTaken(ctx.db, key, id)) continue;
    const known = chart_key === null ? null : await chartOf(ctx, key);
    if (known === null || known === chart_key) return key;
  }
  throw new Refusal('seat_event_taken');
}

/** The chart of an event at the seat map; null: there is no such event. */
export async function chartOf(ctx: Ctx, key: string): Promise<string | null> {
  return (await seatEventOf(ctx, key))?.chart_key ?? null;
}

async function seatEventOf(ctx: Ctx, key: string) {
  try {
    return await ctx.seats.event(key);
  } catch (error) {
    if (error instanceof ProviderRefused && error.status === 404) return null;
    throw error;
  }
}

interface Priced {
  seat_pricing: readonly CategoryPricing[];
  price_phases: readonly PricePhase[] | null;
  fee_price_id: string | null;
}

/** The price ids that `before` has and `after` lacks. */
export function pricesGone(before: Priced, after: Priced): string[] {
  const kept = pricesIn(after);
  return pricesIn(before).filter((id) => !kept.includes(id));
}

export function pricesIn({ fee_price_id, ...priced }: Priced): string[] {
  const ids = everyPricing(priced).flatMap(({ ticketTypes }) =>
    ticketTypes.map((type) => type.price_id),
  );
  return [...new Set(fee_price_id === null ? ids : [...ids, fee_price_id])];
}

/**
 * Reads each price at Stripe and refuses unless it can be sold: active, in euros, with an amount,
 * not recurring, its product active.
 * @throws Refusal price_not_sellable naming them, provider_silent
 */
export async function requireSellable(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { items, unknown } = await pricesForOffice(ctx, ids);
  const prices = [
    ...unknown.map((price_id) => ({ price_id, why: 'unknown' as const })),
    ...items
      .map((price) => ({ price_id: price.id, why: faultOf(price) }))
      .filter(({ why }) => why !== null),
  ];
  if (prices.length > 0) throw new Refusal('price_not_sellable', { prices });
}

/** @throws Refusal category_unknown naming them, object_unknown */
export function requireCategories(
  pricing: readonly CategoryPricing[],
  known: readonly Pick<SeatObject, 'category' | 'category_key'>[],
): void {
  const names = new Set(known.flatMap(({ category, category_key }) => [category, category_key]));
  const categories = pricing
    .map((entry) => entry.category)
    .filter((category) => !names.has(category));
  if (categories.length > 0)
    throw new Refusal('category_unknown', { fields: ['seat_pricing'], categories });
}

/** Whether the form names another chart; asks the seat map if the event's row names none. */
export async function isOtherChart(
  ctx: Ctx,
  event: EventRow,
  { chart_key, places }: { chart_key: string | null; places: number },
): Promise<boolean> {
  if (chart_key === null || chart_key === event.chart_key)
    return chart_key !== null && places === 0;
  return (
    places === 0 ||
    event.chart_key !== null ||
    (await chartOf(ctx, event.seatsio_event_key)) !== chart_key
  );
}
