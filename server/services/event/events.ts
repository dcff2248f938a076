/** Reads events for public pages and the office, and stores new ones with their places. */
import { hasOpenCode } from '#db/seat/contingents.ts';
import { findQueue } from '#db/queue/queues.ts';
import type { Trx } from '#db/engine/dialect.ts';
import {
  countByEvent,
  findEvent,
  insertEvent,
  listEvents,
  pageOfEvents,
} from '#db/event/events.ts';
import { placesLeft } from '#db/seat/places-left.ts';
import type { EventRow, PlaceRow } from '#db/rows.ts';
import { datesFrom } from '#db/event/shows.ts';
import { hallTraits, insertPlaces, type HallTraits } from '#db/seat/seats.ts';
import { listWholeObjects, type WholeObject } from '#db/seat/whole-objects.ts';
import { transact } from '#db/engine/transact.ts';
import { availabilityOf, eveningMs, salesStateOf } from '#server/domain/event/event.ts';
import { demoNote } from '#server/domain/event/demo.ts';
import { gatesIn } from '#server/domain/door/gate.ts';
import { sayClick, sayKept } from '#server/domain/door/kept.ts';
import {
  fullPrice,
  lowestPrice,
  pricingOf,
  sellable,
  type CategoryPricing,
  type Price,
  type PricedCategory,
} from '#server/domain/price/pricing.ts';
import {
  addressNotice,
  noticeKinds,
  noticesAbout,
  type NoticeKind,
} from '#server/domain/seat/notices.ts';
import { pricingAt } from '#server/domain/price/phase.ts';
import { wholeTermsOf } from '#server/domain/event/whole-terms.ts';
import { hasCodeRule } from '#server/domain/price/code.ts';
import { saleConventionsOf, saleRulesOf } from '#server/domain/price/sale-rule.ts';
import { wholeOfferOf } from '#server/domain/seat/whole.ts';
import { saleRights } from '#server/domain/order/right-words.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { keepOutOlder, placesForBook } from './places.ts';
import { rulesOffered } from './offers.ts';
import { joinShow } from './show-rows.ts';
import { nextPrices } from './phases.ts';
import { feePriceOf, pricesOf, surchargesWith } from './prices.ts';
import { memo } from '#server/services/kit/memo.ts';
import { inPatience, pagePatienceMs } from '#server/services/kit/patience.ts';
import { cleanText } from './texts.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';

/** The sale rests while Stripe sells none of its prices, which is no "sold out". */
function salesOf(ctx: Ctx, event: EventRow, pricing?: readonly PricedCategory[]) {
  const state = salesStateOf(event, ctx.now());
  return {
    state: state === 'open' && pricing?.length === 0 ? ('paused' as const) : state,
    opens_at: event.sales_opens_at,
    closes_at: event.sales_closes_at ?? event.starts_at,
    max_seats: event.max_seats,
  };
}

/** @throws Refusal event_not_found */
export async function knownEvent(ctx: Ctx, id: string): Promise<EventRow> {
  const event = await findEvent(ctx.db, id);
  // Rehearsals are visible only at the door and on their own screen in the office.
  if (!event || event.rehearsal === 1) throw new Refusal('event_not_found');
  return event;
}

/** Refuses drafts as if they did not exist. */
export async function publishedEvent(ctx: Ctx, id: string): Promise<EventRow> {
  const event = await knownEvent(ctx, id);
  if (event.status === 'draft') throw new Refusal('event_not_found');
  return event;
}

/** The content of the public event page (RULES W6), without ticket types that have no price. */
export async function eventPage(ctx: Ctx, id: string) {
  return pageOf(ctx, await publishedEvent(ctx, id));
}

/**
 * The same page for the office, even of a draft.
 * @throws Refusal event_not_found, provider_silent
 */
export async function pageForOffice(ctx: Ctx, id: string) {
  return pageOf(ctx, await knownEvent(ctx, id));
}

async function pageOf(ctx: Ctx, event: EventRow) {
  const now = ctx.now();
  const offered = pricingAt(event, now);
  const { prices, fee } = await offerOf(ctx, event, offered);
  const { rules, offer } = await rulesOffered(ctx, event, now);
  const sale = { now, channel: 'site' } as const;
  const surcharges = surchargesWith(event, fee, { at: now, channel: 'site' });
  const pricing = sellable(offered, prices, surcharges);
  const whole_objects = await wholeObjectsOf(ctx, event);
  const left = leftIn(await countLeft(ctx, [event]), event, pricing);
  const rights = saleRights(event, {
    now: ctx.now(),
    fees: surcharges.length > 0,
    service: surcharges.some(({ kind }) => kind === 'service'),
  });
  const isFree = pricing.some(({ ticketTypes }) =>
    ticketTypes.some((type) => fullPrice(type) === 0),
  );
  const free = isFree ? [sayClick(event), sayKept(event, ctx.now())] : [];
  // serve() drops every column that the contract does not name.
  return {
    ...event,
    event: {
      ...event,
      nominative: event.nominative === 1,
      ask_phone: event.ask_phone === 1,
      seatsio_workspace_key: ctx.seats.workspaceKey,
      attributes: { description: descriptionOf(event), seat_pricing: pricing },
    },
    terms: event.terms === null ? null : cleanText(event.terms),
    refunds: rights[0],
    rights: [...rights, ...free.filter((sentence) => sentence !== null)],
    notices: await noticesOf(ctx, event),
    ...left,
    prices,
    surcharges,
    fee: fee && { price_id: fee.id, unit_amount: fee.unit_amount },
    price_rules: saleRulesOf(rules, sale),
    offer,
    conventions: saleConventionsOf(rules, sale),
    chart: ctx.chart,
    whole_objects,
    next_prices: await nextPrices(ctx, event, { at: now, pricing, surcharges, whole_objects }),
    sales: salesOf(ctx, event, pricing),
    takes_code:
      (left.availability !== 'none' && hasCodeRule(rules, sale)) ||
      (await hasOpenCode(ctx.db, event.id)),
    queue: await mayHaveRoom(ctx, event.id),
    other_dates: await otherDates(ctx, event),
  };
}

/** Visitors of the demo read first that nobody plays it. */
function descriptionOf({ demo, description }: EventRow): string {
  return (demo === 1 ? demoNote : '') + cleanText(description);
}

/** True unless the waiting room is off: in any other mode it may open by itself. */
async function mayHaveRoom(ctx: Ctx, id: string): Promise<boolean> {
  return ((await findQueue(ctx.db, id))?.mode ?? 'off') !== 'off';
}

/** Shared for a minute, because a hall seldom changes during its sale. */
const sharedTraits = memo<HallTraits | null>({ freshMs: 60_000 });

async function noticesOf(ctx: Ctx, { id, nominative, max_per_email }: EventRow) {
  const hall = await sharedTraits.get(ctx.db, {
    key: id,
    now: ctx.now,
    ask: () => hallTraits(ctx.db, id),
  });
  const has: Record<NoticeKind, boolean> = {
    nominative: nominative === 1,
    restricted_view: hall?.restricted_view === 1,
    unnumbered: hall?.standing === 1,
    whole: hall?.whole === 1,
    accessible: hall?.accessible === 1,
    companion: hall?.companion === 1,
  };
  return [
    ...noticesAbout(new Set(noticeKinds.filter((kind) => has[kind]))),
    ...(max_per_email === null ? [] : [addressNotice(max_per_email)]),
  ];
}

const sharedWhole = memo<WholeObject[]>({ freshMs: 1_000 });

/** The objects that are sold whole, those of one category and size together. */
export async function wholeObjectsOf(ctx: Ctx, event: EventRow) {
  const terms = wholeTermsOf(event);
  if (terms === null) return [];
  const objects = await sharedWhole.get(ctx.memory, {
    key: event.id,
    now: ctx.now,
    ask: () => listWholeObjects(ctx.db, event.id),
  });
  const kindOf = ({ category_key, places }: WholeObject) => JSON.stringify([category_key, places]);
  return [...Map.groupBy(objects, kindOf).values()].map((alike) => {
    const { category, category_key, places } = requireValue(alike[0], 'object');
    return {
      category,
      category_key,
      ...wholeOfferOf(terms, { category_key, places }),
      labels: alike.map(({ object_label }) => object_label),
    };
  });
}

/** Counting large halls is slow, so an answer may be a second old. */
const sharedPlacesLeft = memo<Awaited<ReturnType<typeof placesLeft>>>({ freshMs: 1_000 });

/** Counts the places left in all these events at once. */
async function countLeft(ctx: Ctx, events: readonly EventRow[]) {
  const ids = events.map((event) => event.id);
  return sharedPlacesLeft.get(ctx.db, {
    key: ids.join(' '),
    now: ctx.now,
    ask: () => placesLeft(ctx.db, ids),
  });
}

/**
 * The priced places of one event that are left in our database. Seats that the office took out of
 * sale at the seat map count as free.
 */
function leftIn(
  counted: Awaited<ReturnType<typeof countLeft>>,
  { id }: EventRow,
  pricing: readonly CategoryPricing[],
) {
  const sold = counted.filter(
    (row) =>
      row.event_id === id &&
      pricing.some(({ category }) => category === row.category_key || category === row.category),
  );
  return availabilityOf({
    places: sold.reduce((sum, row) => sum + row.places, 0),
    left: sold.reduce((sum, row) => sum + row.left, 0),
  });
}

/** The other dates may be some seconds old; the dates of a long series are counted less often. */
const sharedDates = memo<Awaited<ReturnType<typeof readDates>>>({ freshMs: 5_000, restFactor: 10 });

/** The page of one date offers at most this many others. */
const mostOffered = 120;

/** The coming dates of a show share one answer, in which each leaves itself out. */
export async function otherDates(ctx: Ctx, event: EventRow) {
  const from = ctx.now() - eveningMs;
  const { id, show_id } = event;
  if (show_id === null) return [];
  const isAmongThem = event.status !== 'draft' && event.starts_at >= from;
  const dates = await sharedDates.get(ctx.db, {
    key: isAmongThem ? show_id : `${show_id} ${id}`,
    now: ctx.now,
    ask: async () => {
      const rows = await datesFrom(ctx.db, show_id, { from, limit: mostOffered + 1 });
      return rows.every((date) => date.id === id) ? [] : readDates(ctx, rows);
    },
  });
  return dates.filter((date) => date.id !== id).slice(0, mostOffered);
}

async function readDates(ctx: Ctx, rows: readonly EventRow[]) {
  const teasers = await teasersOf(ctx, rows);
  return rows.map(({ id, starts_at, postponed_from, status }, at) => ({
    id,
    starts_at,
    postponed_from,
    status,
    ...requireValue(teasers[at], 'teaser'),
  }));
}

/** If Stripe does not sell the event's fee, no price is shown: every booking would be refused. */
async function offerOf(
  ctx: Ctx,
  event: EventRow,
  offered: readonly CategoryPricing[],
): Promise<{ prices: Price[]; fee: Price | null }> {
  const prices = await pricesOf(ctx, offered);
  try {
    return { prices, fee: await feePriceOf(ctx, event) };
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'checkout_refused')) throw error;
    ctx.log.error({ err: error, event_id: event.id }, 'the fee of an event is not for sale');
    return { prices: [], fee: null };
  }
}

function pricedOnSite(
  ctx: Ctx,
  event: EventRow,
  { offered, prices, fee }: Awaited<ReturnType<typeof offerOf>> & { offered: CategoryPricing[] },
): PricedCategory[] {
  const surcharges = surchargesWith(event, fee, { at: ctx.now(), channel: 'site' });
  return sellable(offered, prices, surcharges);
}

/**
 * Of each event the lowest price with the fee (null if no price is known or for sale), the state
 * of its sale and what is left. While Stripe has not answered, no event counts as sold out.
 */
async function teasersOf(ctx: Ctx, events: readonly EventRow[]) {
  const counted = await countLeft(ctx, events);
  return Promise.all(
    events.map(async (event) => {
      const offered = pricingAt(event, ctx.now());
      const asked = offerOf(ctx, event, offered).catch(() => null);
      const offer = await inPatience(asked, null, pagePatienceMs);
      const pricing = offer ? pricedOnSite(ctx, event, { offered, ...offer }) : [];
      return {
        from_price: lowestPrice(pricing),
        sales: salesOf(ctx, event, offer ? pricing : undefined),
        ...leftIn(counted, event, offer ? pricing : offered),
      };
    }),
  );
}

/** The events of the home page: coming ones, soonest first, then past ones, latest first. */
export async function publishedEvents(ctx: Ctx) {
  const events = (await listEvents(ctx.db)).filter((event) => event.status !== 'draft');
  const teasers = await teasersOf(ctx, events);
  const items = events.map((event, at) => ({ ...event, ...requireValue(teasers[at], 'teaser') }));
  return { items: comingFirst(items, ctx.now()) };
}

function comingFirst<T extends { starts_at: number }>(items: readonly T[], now: number): T[] {
  const over = (item: T) => item.starts_at + eveningMs < now;
  return [...items.filter((item) => !over(item)), ...items.filter(over).toReversed()];
}

export async function forOffice(ctx: Ctx, events: readonly EventRow[]) {
  const ids = events.map((event) => event.id);
  const counts = await countByEvent(ctx.db, ids);
  return events.map((event) => {
    const { event_id: _, inside, ...others } = requireValue(counts.get(event.id), 'count');
    return {
      ...event,
      attributes: { description: cleanText(event.description), seat_pricing: pricingOf(event) },
      gates: gatesIn(pricingOf(event)),
      demo: event.demo === 1,
      sales: salesOf(ctx, event),
      counts: { ...others, inside: Math.max(0, inside) },
    };
  });
}

export async function oneForOffice(ctx: Ctx, event: EventRow) {
  const [shown] = await forOffice(ctx, [event]);
  return requireValue(shown, 'event');
}

export async function eventsForOffice(ctx: Ctx, ask: ListAsk) {
  const { rows, next_cursor } = await listPage(
    ask,
    (page) => pageOfEvents(ctx.db, ctx.now() - eveningMs, page),
    {
      timeOf: (event) => event.listed_at,
      textsOf: (event) => [event.title, event.venue_title, event.id],
    },
  );
  return { items: await forOffice(ctx, rows), next_cursor };
}

/**
 * Stores an event with all places of its chart, sold or not: tickets are issued on places, and
 * the door must know every place.
 */
export async function addEvent(ctx: Ctx, event: Omit<EventRow, 'feed_seq'>): Promise<void> {
  const places = placesForBook(ctx, event, await ctx.seats.objects(event.seatsio_event_key));
  await transact(ctx.db, async (trx) => {
    await keepOutOlder(ctx, trx, places);
    const show = await joinShow(ctx, trx, event, event.show_id ?? undefined);
    await insertWithPlaces(trx, { ...event, ...show }, places);
  });
}

export async function insertWithPlaces(
  trx: Trx,
  event: Omit<EventRow, 'feed_seq'>,
  places: readonly Omit<PlaceRow, 'feed_seq'>[],
): Promise<void> {
  await insertEvent(trx, { ...event, feed_seq: places.length + 1 });
  await insertPlaces(trx, places);
}
