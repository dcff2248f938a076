/**
 * Reads what a change of hall needs: the new hall with its categories, and everybody who has a
 * place in the old one.
 */
import { requireEventRow } from '#db/event/events.ts';
import { endedPlacesOf, linesToRehouse, type HousedLine } from '#db/seat/rehousings.ts';
import type { EventRow, RehousedLineRow, RehousingRow } from '#db/rows.ts';
import { categoriesOf } from '#db/seat/seats.ts';
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { SeatObject } from '#server/adapters/seatsio.ts';
import { spotsOf, type Spot } from '#server/domain/seat/hall-geometry.ts';
import type { CategoryPricing, PricedCategory } from '#server/domain/price/pricing.ts';
import type { Group, Guest, HallPlace } from '#server/domain/seat/rehousing.ts';
import { wholeTermsOf, type WholeTerms } from '#server/domain/event/whole-terms.ts';
import { wholeOffer } from '#server/domain/seat/whole.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { pricingNow } from '#server/services/event/prices.ts';
import type { Ctx } from '#server/services/context.ts';
import { chartOf } from '#server/services/event/chart.ts';

/** The name under which `seat_pricing` sells a category of the new hall, by its key. */
export type CategoryMap = Readonly<Record<string, string>>;

export interface NewHall {
  objects: readonly SeatObject[];
  places: readonly HallPlace[];
  /** In the order of the drawing. */ categories: readonly { key: string; label: string }[];
  as: CategoryMap;
  /** How its objects are sold whole; null: the event was made before 1.2.0. */
  terms: WholeTerms | null;
  /** The name of the floor, by the label of a place. */ floors: ReadonlyMap<string, string>;
}

interface OldHouse {
  lines: readonly HousedLine[];
  /**
   * The guests, by the id of their line. All lines of an object that was sold whole have the same
   * guest, with the id of the first of them.
   */
  guests: ReadonlyMap<string, Guest>;
  banned: ReadonlyMap<string, ReadonlySet<string>>;
}

const nowhere: Spot = { x: 0, y: 0, distance: 0, angle: 0, floor: '' };

/** @throws Refusal chart_not_found, provider_silent */
export async function readChart(ctx: Ctx, chart_key: string) {
  if (!/^[\w-]+$/.test(chart_key)) throw new Refusal('chart_not_found');
  const unknown = (error: unknown): never => {
    if (error instanceof ProviderRefused && (error.status === 404 || error.status === 400))
      throw new Refusal('chart_not_found', { fields: ['chart_key'] }, error);
    throw error;
  };
  const objects = await ctx.seats.chartObjects(chart_key).catch(unknown);
  const spots = spotsOf(await ctx.charts.drawing(chart_key).catch(unknown));
  const named = await ctx.charts.categories(chart_key).catch(unknown);
  return { objects, spots, categories: named.map(({ key, label }) => ({ key, label })) };
}

type Chart = Awaited<ReturnType<typeof readChart>>;

/**
 * The usual pairs of new and old categories: those of the same name, and otherwise the n-th of the
 * new hall with the n-th of the old one.
 */
export function usualMap(
  categories: readonly { key: string; label: string }[],
  pricing: readonly PricedCategory[],
  old: readonly Pick<HousedLine, 'category' | 'category_key'>[],
): CategoryMap {
  const labelOf = ({ category }: PricedCategory) =>
    old.find((line) => line.category_key === category)?.category ?? category;
  const names = pricing.map((entry) => ({ entry, label: labelOf(entry).toLowerCase() }));
  const pairs = categories.map(({ key, label }, at) => {
    const same = names.find((name) => name.label === label.toLowerCase());
    const nth = names[Math.min(at, names.length - 1)];
    return [key, (same ?? nth)?.entry.category ?? ''] as const;
  });
  return Object.fromEntries(pairs.filter(([, name]) => name !== ''));
}

/** The rank of each category by its highest price; the dearest has rank 0. */
function ranksOf(pricing: readonly PricedCategory[]): Map<string, number> {
  const dearest = ({ ticketTypes }: PricedCategory) =>
    Math.max(...ticketTypes.map(({ unit_amount }) => unit_amount));
  const prices = [...new Set(pricing.map(dearest))].toSorted((a, b) => b - a);
  return new Map(pricing.map((entry) => [entry.category, prices.indexOf(dearest(entry))]));
}

/**
 * How the new hall's objects are sold whole: its tables as they are drawn, and each category as the
 * old category whose prices it gets. `old`: the categories of the old hall.
 */
function termsThere(
  terms: WholeTerms | null,
  as: CategoryMap,
  old: readonly Pick<HousedLine, 'category' | 'category_key'>[],
): WholeTerms | null {
  if (terms === null) return null;
  const categories = Object.entries(as).flatMap(([key, name]) => {
    const before = old.find((one) => one.category_key === name || one.category === name);
    const category = before && terms.categories[before.category_key];
    return category ? [[key, category] as const] : [];
  });
  return { tables: { mode: 'INHERIT' }, categories: Object.fromEntries(categories) };
}

/** The terms that the event will have in the new hall, before it has moved. */
export async function termsOfRun(
  ctx: Ctx,
  event: EventRow,
  { categories }: Pick<RehousingRow, 'categories'>,
): Promise<WholeTerms | null> {
  const old = await categoriesOf(ctx.db, event.id);
  return termsThere(wholeTermsOf(event), JSON.parse(categories) as CategoryMap, old);
}

/** How many places an object of the hall has that is sold whole; 0: it is not. */
export function sizeOfWhole(object: SeatObject, terms: WholeTerms | null): number {
  return wholeOffer(object, terms)?.places ?? 0;
}

export function newHallOf(
  chart: Chart,
  { as, terms }: Pick<NewHall, 'as' | 'terms'>,
  pricing: readonly PricedCategory[],
): NewHall {
  const ranks = ranksOf(pricing);
  const places = chart.objects.map((object): HallPlace => {
    const whole = sizeOfWhole(object, terms);
    const { floor: _, ...spot } = chart.spots.get(object.label) ?? nowhere;
    return {
      ...spot,
      label: object.label,
      kind: object.kind,
      rank: ranks.get(as[object.category_key] ?? '') ?? null,
      left: object.left,
      right: object.right,
      accessible: object.accessible,
      companion: object.companion,
      at_table: object.at_table !== null,
      places: whole > 0 ? 1 : object.places,
      whole,
      open: object.for_sale,
    };
  });
  const floors = new Map([...chart.spots].map(([label, { floor }]) => [label, floor]));
  return { objects: chart.objects, places, categories: chart.categories, as, terms, floors };
}

/** Reads everybody who has a place now. A category that is no longer sold ranks last. */
export async function readHouse(
  ctx: Ctx,
  event: EventRow,
  pricing: readonly PricedCategory[],
): Promise<OldHouse> {
  const lines = await linesToRehouse(ctx.db, event.id);
  const key = event.chart_key ?? (await chartOf(ctx, event.seatsio_event_key));
  const spots =
    key === null
      ? new Map<string, Spot>()
      : spotsOf(await ctx.charts.drawing(key).catch(() => null));
  const ranks = ranksOf(pricing);
  const last = ranks.size;
  const guestOf = ([line, ...others]: readonly HousedLine[]): Guest[] => {
    if (line === undefined) return [];
    const { distance, angle } = spots.get(line.object_label) ?? nowhere;
    const rank = ranks.get(line.category_key) ?? ranks.get(line.category) ?? last;
    return [
      {
        id: line.id,
        from: line.object_label,
        kind: line.kind,
        rank,
        distance,
        angle,
        accessible: line.accessible === 1,
        companion: line.companion === 1,
        party: line.whole_size > 0 ? 1 + others.length : 0,
      },
    ];
  };
  const parties = Map.groupBy(lines, ({ id, order_id, object_label, whole_size }) =>
    whole_size > 0 ? `${order_id}\n${object_label}` : id,
  );
  const guests = [...parties.values()].flatMap((party) =>
    guestOf(party).flatMap((guest) => party.map(({ id }) => [id, guest] as const)),
  );
  const banned = Map.groupBy(await endedPlacesOf(ctx.db, event.id), ({ order_id }) => order_id);
  return {
    lines,
    guests: new Map(guests),
    banned: new Map([...banned].map(([id, rows]) => [id, new Set(rows.map(({ place }) => place))])),
  };
}

/**
 * The house without the lines that are marked for a refund. Their orders get none of those places,
 * because an order has one ticket for a place.
 */
export function withoutMarked(house: OldHouse, rows: readonly RehousedLineRow[]): OldHouse {
  const marked = new Set(
    rows.flatMap(({ line_id, refund_marked }) => (refund_marked === 1 ? [line_id] : [])),
  );
  const banned = new Map(house.banned);
  for (const { id, order_id, place } of house.lines)
    if (marked.has(id)) banned.set(order_id, new Set([...(banned.get(order_id) ?? []), place]));
  return { ...house, lines: house.lines.filter(({ id }) => !marked.has(id)), banned };
}

/** The guests of these lines, each once. */
export function guestsOf(
  { guests }: Pick<OldHouse, 'guests'>,
  lines: readonly Pick<HousedLine, 'id'>[],
): Guest[] {
  return [...new Set(lines.map(({ id }) => requireValue(guests.get(id), 'guest')))];
}

/**
 * The groups to seat together: orders that belong together. The lines in `fixed` (places by line
 * id) form groups of their own.
 */
export function groupsOf(house: OldHouse, fixed: ReadonlyMap<string, string>): Group[] {
  const families = Map.groupBy(house.lines, ({ order_id, part_of }) => part_of ?? order_id);
  return [...families].flatMap(([id, lines]) => {
    const banned = new Set(
      lines.flatMap(({ order_id }) => [...(house.banned.get(order_id) ?? [])]),
    );
    const groupOf = (name: string, guests: readonly Guest[], isFixed: boolean): Group => ({
      id: name,
      guests,
      since: Math.min(...lines.map(({ created_at }) => created_at)),
      fixed: isFixed ? guests.map(({ id: own }) => requireValue(fixed.get(own), 'seat')) : null,
      banned,
    });
    const all = guestsOf(house, lines);
    const [chosen, others] = [
      all.filter((guest) => fixed.has(guest.id)),
      all.filter((guest) => !fixed.has(guest.id)),
    ];
    return [
      ...(chosen.length > 0 ? [groupOf(`${id} fixed`, chosen, true)] : []),
      ...(others.length > 0 ? [groupOf(id, others, false)] : []),
    ];
  });
}

/**
 * True if at least six in ten guests find their seat's label at the same distance from the stage:
 * then the hall was only drawn again.
 */
export function isSameHall(hall: NewHall, house: OldHouse): boolean {
  const spots = new Map(hall.places.map((place) => [place.label, place]));
  const known = [...house.guests.values()].filter(({ from, distance }) => {
    const spot = spots.get(from);
    return spot !== undefined && Math.abs(spot.distance - distance) < 0.5;
  });
  return known.length * 10 >= house.guests.size * 6;
}

/** The same prices, with the names of categories in the new hall. */
export function pricingThere(
  hall: Pick<NewHall, 'categories' | 'as'>,
  pricing: readonly CategoryPricing[],
): CategoryPricing[] {
  return hall.categories.flatMap(({ key, label }) => {
    const entry = pricing.find(({ category }) => category === hall.as[key]);
    return entry ? [{ ...entry, category: label }] : [];
  });
}

export interface Whole {
  event: EventRow;
  pricing: PricedCategory[];
  house: OldHouse;
  hall: NewHall;
}

/** Reads the old house and the new hall for the plan. */
export async function readWhole(
  ctx: Ctx,
  { event_id, chart_key, categories }: Pick<RehousingRow, 'event_id' | 'chart_key' | 'categories'>,
): Promise<Whole> {
  const event = await requireEventRow(ctx.db, event_id);
  const pricing = await pricingNow(ctx, event);
  const house = await readHouse(ctx, event, pricing);
  const chart = await readChart(ctx, chart_key);
  const terms = await termsOfRun(ctx, event, { categories });
  const hall = newHallOf(chart, { as: JSON.parse(categories) as CategoryMap, terms }, pricing);
  return { event, pricing, house, hall };
}

/** The label of the new place by line id; leaves out lines without one. */
export function placesIn(rows: readonly RehousedLineRow[]): Map<string, string> {
  return new Map(
    rows.flatMap(({ line_id, to_object }) =>
      to_object === null ? [] : [[line_id, to_object] as const],
    ),
  );
}
