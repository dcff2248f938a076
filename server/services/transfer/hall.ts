/** Seats orders of one evening on another date, as near and as alike as its free places allow. */
import type { EventRow } from '#db/rows.ts';
import type { HousedLine } from '#db/seat/rehousings.ts';
import type { SeatObject } from '#server/adapters/seatsio.ts';
import { wholeTermsOf } from '#server/domain/event/whole-terms.ts';
import type { SelectedObject } from '#server/domain/order/order.ts';
import { obstacleOfSeating, type TransferObstacle } from '#server/domain/counter/transfer.ts';
import type { PricedCategory } from '#server/domain/price/pricing.ts';
import { spotsOf } from '#server/domain/seat/hall-geometry.ts';
import type { HallPlace, Seating } from '#server/domain/seat/rehousing.ts';
import type { Ctx } from '#server/services/context.ts';
import { chartOf } from '#server/services/event/chart.ts';
import { pricingNow } from '#server/services/event/prices.ts';
import {
  groupsOf,
  isSameHall,
  newHallOf,
  readHouse,
  type NewHall,
} from '#server/services/rehousing/house.ts';
import { solveAside } from '#server/services/rehousing/solve.ts';

interface Dates {
  from: EventRow;
  to: EventRow;
}

/** `same`: how many of its tickets have the seat that they had. */
export interface SeatedOrder {
  selection: readonly SelectedObject[];
  same: number;
}

export interface Seated {
  objects: readonly SeatObject[];
  of: ReadonlyMap<string, SeatedOrder | TransferObstacle>;
}

/** Solves for these orders together; an order goes with all its tickets or not at all. */
export async function seatOrders(
  ctx: Ctx,
  { from, to }: Dates,
  order_ids: ReadonlySet<string>,
): Promise<Seated> {
  const house = await readHouse(ctx, from, await pricingNow(ctx, from));
  const lines = house.lines.flatMap((line) =>
    order_ids.has(line.order_id) && line.ticket_id !== null ? { ...line, part_of: null } : [],
  );
  const hall = await readFreeHall(ctx, to);
  const groups = groupsOf({ ...house, lines, banned: new Map() }, new Map());
  const stay = isSameHall(hall, house);
  const seating = await solveAside({ hall: hall.places, groups, stay });
  const seatOf = (line: HousedLine) => seating.seats.get(house.guests.get(line.id)?.id ?? '');
  const own = Map.groupBy(lines, ({ order_id }) => order_id);
  const of = [...order_ids].map((id) => [id, seatedIn(seating, id, own.get(id), seatOf)] as const);
  return { objects: hall.objects, of: new Map(of) };
}

function seatedIn(
  { unplaced }: Seating,
  order_id: string,
  lines: readonly HousedLine[] | undefined,
  seatOf: (line: HousedLine) => string | undefined,
): SeatedOrder | TransferObstacle {
  if (lines === undefined) return 'answered';
  if (lines.some((line) => seatOf(line) === undefined)) {
    const reason = unplaced.find(({ group_id }) => group_id === order_id)?.reason;
    return obstacleOfSeating(reason ?? 'hall_full');
  }
  const places = lines.map((line) => ({ line, label: seatOf(line) ?? '' }));
  const same = places.filter(({ line, label }) => line.object_label === label).length;
  return { selection: selectionOf(places), same };
}

/** An object sold whole and the places of an area of one type are one entry each. */
function selectionOf(places: readonly { line: HousedLine; label: string }[]): SelectedObject[] {
  const entries = Map.groupBy(places, ({ line, label }) =>
    line.whole_size > 0 ? label : `${label}\n${line.ticket_type}`,
  );
  return [...entries.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { line, label } = first;
    const many = line.whole_size > 0 || line.kind === 'area';
    const quantity = many ? { quantity: 1 + others.length } : {};
    return { object_id: label, ticket_type: line.ticket_type, ...quantity };
  });
}

/** The hall of the other date with what is free in it now; contingents and blocks are not. */
async function readFreeHall(ctx: Ctx, to: EventRow): Promise<NewHall> {
  const key = to.seatsio_event_key;
  const chart = to.chart_key ?? (await chartOf(ctx, key));
  const drawing = chart === null ? null : await ctx.charts.drawing(chart).catch(() => null);
  const objects = await ctx.seats.objects(key);
  const pricing = await pricingNow(ctx, to);
  const of = { as: namesOfPricing(objects, pricing), terms: wholeTermsOf(to) };
  const hall = newHallOf({ objects, spots: spotsOf(drawing), categories: [] }, of, pricing);
  const areas = await freeInAreas(ctx, key, objects);
  const facts = new Map(objects.map((object) => [object.label, object]));
  const places = hall.places.map((place) => freePlace(place, facts.get(place.label), areas));
  return { ...hall, places };
}

function freePlace(
  place: HallPlace,
  object: SeatObject | undefined,
  areas: ReadonlyMap<string, number>,
): HallPlace {
  const left = place.whole === 0 ? areas.get(place.label) : undefined;
  const isFree = left === undefined ? object?.status === 'free' : left > 0;
  const open = place.open && isFree && object?.channel === null;
  return { ...place, open, places: left ?? place.places };
}

async function freeInAreas(
  ctx: Ctx,
  key: string,
  objects: readonly SeatObject[],
): Promise<Map<string, number>> {
  if (!objects.some(({ kind }) => kind === 'area')) return new Map();
  const taken = await ctx.seats.taken(key);
  return new Map(taken.flatMap(({ label, area }) => (area ? [[label, area.free]] : [])));
}

/** The name under which each category is priced, by its key. */
function namesOfPricing(
  objects: readonly SeatObject[],
  pricing: readonly PricedCategory[],
): Record<string, string> {
  const names = new Set(pricing.map(({ category }) => category));
  const pairs = objects.flatMap(({ category_key: key, category }) => {
    const name = [key, category].find((one) => names.has(one));
    return name === undefined ? [] : [[key, name] as const];
  });
  return Object.fromEntries(pairs);
}
