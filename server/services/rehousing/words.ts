/**
 * A change of hall for the office: who gets which place, what differs, how many mails there will
 * be, and how far the run is.
 */
import { countContingents } from '#db/seat/contingents.ts';
import { liveAreaBlocks } from '#db/seat/blocked-areas.ts';
import { liveBlocks } from '#db/seat/blocks.ts';
import { findRehousing, rehousedLines, type HousedLine } from '#db/seat/rehousings.ts';
import type { RehousedLineRow } from '#db/rows.ts';
import { differenceOf } from '#server/domain/seat/move.ts';
import { priceOf, type PricedCategory } from '#server/domain/price/pricing.ts';
import { categoryEnd, warningsOf, type HallPlace } from '#server/domain/seat/rehousing.ts';
import { orderKept } from '#server/domain/seat/rehousing-order.ts';
import { costOf, partsOf } from '#server/domain/seat/rehousing-cost.ts';
import { readNews } from '#server/domain/seat/rehousing-place.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { SeatObject } from '#server/adapters/seatsio.ts';
import type { WholeTerms } from '#server/domain/event/whole-terms.ts';
import type { Ctx } from '#server/services/context.ts';
import { goingOf } from './place.ts';
import { moneyOfLeftOut } from './left-out.ts';
import { placesIn, groupsOf, sizeOfWhole, type NewHall, type Whole } from './house.ts';

/** How much less the new place costs, as a negative number of cents; 0 if it does not cost less. */
export function lowering(
  line: Pick<HousedLine, 'category' | 'category_key' | 'ticket_type' | 'price_cents' | 'paid_by'>,
  sold_as: string,
  pricing: readonly PricedCategory[],
): number {
  const listed = (key: string, label: string) =>
    priceOf(pricing, { key, label }, line.ticket_type)?.unit_amount ?? null;
  const to = listed(sold_as, sold_as);
  if (to === null) return 0;
  const difference = differenceOf({
    price_cents: line.price_cents,
    from_list: listed(line.category_key, line.category),
    to_list: to,
    gift: line.paid_by === 'free',
  });
  return Math.min(0, difference);
}

/**
 * True if the new hall has the very place of the line in the same category; the ticket then stays
 * valid.
 */
export function staysPut(
  line: Pick<HousedLine, 'object_label' | 'category' | 'whole_size' | 'position'>,
  to: SeatObject | undefined,
  terms: WholeTerms | null,
): boolean {
  if (to?.label !== line.object_label || to.category !== line.category) return false;
  return line.whole_size === 0 || line.position <= sizeOfWhole(to, terms);
}

export async function rehousingInWords(ctx: Ctx, id: string, whole: Whole) {
  const { house, hall, pricing, event } = whole;
  const row = requireValue(await findRehousing(ctx.db, id), 'rehousing');
  const rows = new Map((await rehousedLines(ctx.db, row)).map((line) => [line.line_id, line]));
  const { places, lines } = linesInWords(whole, rows);
  const isOut = new Set(lines.flatMap((one) => (one.to_object === null ? [one.line_id] : [])));
  const out = house.lines.filter(({ id }) => isOut.has(id));
  const marked = out.filter(({ id }) => rows.get(id)?.refund_marked === 1);
  const outMoney = await moneyOfLeftOut(ctx, event, out);
  const back = [...(await moneyOfLeftOut(ctx, event, marked)).values()];
  const families = Map.groupBy(house.lines, ({ order_id }) => order_id);
  const seats = placesIn([...rows.values()]);
  const groups = groupsOf(house, new Map());
  const moving = lines.filter(({ to_object, stays }) => to_object !== null && !stays);
  const asks = goingOf(event, row)?.asks === true;
  // Buyers whose seat stays hear of the new place, too.
  const told = asks ? lines.filter(({ to_object }) => to_object !== null) : moving;
  return {
    ...row,
    rehousing_id: row.id,
    title: event.title,
    refunds: row.refunds === 1,
    news: readNews(row),
    asks,
    sale_paused: event.sale_paused === 1,
    categories: hall.categories.map((one) => ({ ...one, sold_as: hall.as[one.key] ?? null })),
    sold_categories: pricing.map(({ category }) => category),
    cost: costOf(hall.places, groups, { seats }),
    counts: {
      tickets: lines.length,
      moves: moving.length,
      stays: lines.filter(({ stays }) => stays).length,
      unplaced: out.length - marked.length,
      taken: lines.filter(({ taken }) => taken).length,
      mails: countMails(families, told),
      blocked: await keptBack(ctx, event.id),
      lost_with_refunds: lines.filter(({ end }) => end === 'lost').length,
      lost_without: lines.filter(({ end_without }) => end_without === 'lost').length,
      refund_cents: -moving.reduce((sum, { difference_cents }) => sum + difference_cents, 0),
      refunded: marked.length,
      refunded_unpaid: marked.filter(({ ticket_id }) => ticket_id === null).length,
      refunded_cents: back.reduce((sum, { cents }) => sum + cents, 0),
      by_hand_cents: back.reduce((sum, { by_hand_cents }) => sum + by_hand_cents, 0),
    },
    order_kept: orderKept(hall.places, groups, seats),
    groups: [...families].map(([order_id, [first]]) => ({
      order_id,
      number: requireValue(first, 'line').number,
      buyer_name: requireValue(first, 'line').buyer_name,
      back_cents: outMoney.get(order_id)?.cents ?? 0,
      parts: partsOf(places, seatsOfOrder(lines, { order_id, places })),
      lines: lines.filter((line) => line.order_id === order_id),
    })),
  };
}

/** Each line with its new place, and the new hall by name. */
function linesInWords(whole: Whole, rows: ReadonlyMap<string, RehousedLineRow>) {
  const { house, hall } = whole;
  const objects = new Map(hall.objects.map((object) => [object.label, object]));
  const places = new Map(hall.places.map((place) => [place.label, place]));
  const about = { whole, objects, places };
  const lines = house.lines.map((line) => lineInWords(line, rows.get(line.id), about));
  return { objects, places, lines };
}

/** How many orders hear of these lines by mail. */
function countMails(
  families: ReadonlyMap<string, readonly HousedLine[]>,
  told: readonly { order_id: string }[],
): number {
  const written = new Set(told.map(({ order_id }) => order_id));
  return [...families].filter(
    ([order_id, [line]]) =>
      written.has(order_id) && line?.state === 'confirmed' && line.buyer_email !== null,
  ).length;
}

/** What a proposal with these categories costs, before it is one. */
export function categoriesInWords(whole: Whole, solved: readonly RehousedLineRow[]) {
  const { hall } = whole;
  const rows = new Map(solved.map((line) => [line.line_id, line]));
  const { objects, lines } = linesInWords(whole, rows);
  const isLower = ({ end }: (typeof lines)[number]) =>
    end === 'paid_back' || end === 'lost' || end === 'same_price';
  const backOf = (some: typeof lines) =>
    -some.reduce((sum, { stays, difference_cents }) => sum + (stays ? 0 : difference_cents), 0);
  const keyOf = ({ to_object }: (typeof lines)[number]) =>
    objects.get(to_object ?? '')?.category_key ?? null;
  return {
    lower: lines.filter(isLower).length,
    better: lines.filter(({ end }) => end === 'better').length,
    unplaced: lines.filter(({ to_object }) => to_object === null).length,
    refund_cents: backOf(lines),
    categories: hall.categories.map(({ key }) => {
      const own = lines.filter((line) => keyOf(line) === key);
      return { key, tickets: own.length, refund_cents: backOf(own) };
    }),
  };
}

interface About {
  whole: Whole;
  objects: ReadonlyMap<string, NewHall['objects'][number]>;
  places: ReadonlyMap<string, HallPlace>;
}

/** The order's new seats; tables, booths and standing places have no neighbours. */
function seatsOfOrder(
  lines: readonly { order_id: string; to_object: string | null }[],
  { order_id, places }: { order_id: string } & Pick<About, 'places'>,
): Set<string> {
  const own = lines.filter((line) => line.order_id === order_id);
  const labels = own.flatMap(({ to_object }) => to_object ?? []);
  return new Set(labels.filter((label) => places.get(label)?.kind === 'seat'));
}

function lineInWords(
  line: HousedLine,
  row: RehousedLineRow | undefined,
  { whole, objects, places }: About,
) {
  const object = objects.get(row?.to_object ?? '');
  const guest = requireValue(whole.house.guests.get(line.id), 'guest');
  const place = places.get(row?.to_object ?? '');
  const ranks = { from: guest.rank, to: place?.rank ?? null };
  const sold_as = object ? (whole.hall.as[object.category_key] ?? '') : '';
  const difference_cents = object ? lowering(line, sold_as, whole.pricing) : 0;
  // An unpaid order has nothing to refund.
  const goes_back = line.state === 'confirmed' && line.ticket_id !== null;
  return {
    line_id: line.id,
    party: guest.id,
    order_id: line.order_id,
    from: seatName(line),
    from_category: line.category,
    to: object ? seatName(object) : null,
    to_object: object?.label ?? null,
    to_category: object?.category ?? null,
    reason: object ? null : (row?.reason ?? 'hall_full'),
    locked: row?.locked === 1,
    taken: row?.taken === 1,
    marked: row?.refund_marked === 1,
    warnings: warningsOf(guest, place),
    stays: staysPut(line, object, whole.hall.terms),
    difference_cents,
    end: place ? categoryEnd(ranks, { difference_cents, goes_back }) : null,
    end_without: place ? categoryEnd(ranks, { difference_cents, goes_back: false }) : null,
    farther_metres: place ? Math.max(0, Math.round(place.distance - guest.distance)) : 0,
  };
}

/** How many blocks and contingents end with the old hall. */
async function keptBack(ctx: Ctx, event_id: string): Promise<number> {
  const areas = await liveAreaBlocks(ctx.db, event_id);
  return (
    (await liveBlocks(ctx.db, event_id)).length +
    areas.length +
    (await countContingents(ctx.db, event_id))
  );
}

/** Every place of the new hall, for the map. */
export function hallInWords({ hall }: Whole) {
  const names = new Map(hall.objects.map((object) => [object.label, object]));
  const floorOf = ({ label }: HallPlace) => hall.floors.get(label) ?? '';
  return {
    floors: [...Map.groupBy(hall.places, floorOf)].map(([name, [first]]) => ({
      name,
      stage: stageBefore(requireValue(first, 'place')),
    })),
    places: hall.places.map(({ label, kind, rank, x, y, accessible, places }) => ({
      object: label,
      floor: hall.floors.get(label) ?? '',
      name: seatName(names.get(label)!),
      section: names.get(label)!.section,
      row: names.get(label)!.row,
      seat: names.get(label)!.seat,
      category: names.get(label)!.category,
      kind,
      x,
      y,
      places,
      accessible,
      sold: rank !== null,
    })),
  };
}

/** The position of the stage, from a place's own position, distance and angle. */
function stageBefore(place: HallPlace): { x: number; y: number } {
  const angle = (place.angle * Math.PI) / 180;
  return {
    x: place.x - Math.sin(angle) * place.distance,
    y: place.y - Math.cos(angle) * place.distance,
  };
}
