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
import { otherDatesOf } from '#db/event/shows.ts';
import { hallTraits, insertPlaces, type HallTraits } from '#db/seat/seats.ts';
import { transact } from '#db/engine/transact.ts';
import { availabilityOf, eveningMs, salesStateOf } from '#server/domain/event/event.ts';
import { gatesIn } from '#server/domain/door/gate.ts';
import {
  lowestPrice,
  pricingOf,
  sellable,
  type CategoryPricing,
  type Price,
} from '#server/domain/price/pricing.ts';
import {
  addressNotice,
  noticeKinds,
  noticesAbout,
  type NoticeKind,
} from '#server/domain/seat/notices.ts';
import { refundTerms } from '#server/domain/payment/refund-words.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { placesForBook } from './places.ts';
import { joinShow } from './show-rows.ts';
import { feePriceOf, pricesOf } from './prices.ts';
import { memo } from '#server/services/kit/memo.ts';
import { cleanText } from './texts.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';

function salesOf(ctx: Ctx, event: EventRow) {
  return {
    state: salesStateOf(event, ctx.now()),
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
  const { prices, fee } = await offerOf(ctx, event);
  const pricing = sellable(pricingOf(event), prices, fee);
  // serve() drops every column that the contract does not name.
  return {
    ...event,
    event: {
      ...event,
      nominative: event.nominative === 1,
      seatsio_workspace_key: ctx.seats.workspaceKey,
      attributes: { description: cleanText(event.description), seat_pricing: pricing },
    },
    terms: event.terms === null ? null : cleanText(event.terms),
    refunds: refundTerms({
      request: event.refund_request,
      refund_days: event.refund_days,
      refund_stop_days: event.refund_stop_days,
      keeps_fees: fee !== null && event.refund_keeps_fees === 1,
    }),
    notices: await noticesOf(ctx, event),
    ...(await leftOf(ctx, event, pricing)),
    prices,
    fee: fee && { price_id: fee.id, unit_amount: fee.unit_amount },
    chart: ctx.chart,
    sales: salesOf(ctx, event),
    takes_code: await hasOpenCode(ctx.db, event.id),
    queue: await mayHaveRoom(ctx, event.id),
    other_dates: await otherDates(ctx, event),
  };
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
    accessible: hall?.accessible === 1,
    companion: hall?.companion === 1,
  };
  return [
    ...noticesAbout(new Set(noticeKinds.filter((kind) => has[kind]))),
    ...(max_per_email === null ? [] : [addressNotice(max_per_email)]),
  ];
}

/** Counting a large hall is slow, so an answer may be a second old. */
const sharedPlacesLeft = memo<Awaited<ReturnType<typeof placesLeft>>>({ freshMs: 1_000 });

/**
 * Counts the priced places that are left in our database. Seats that the office took out of sale
 * at the seat map count as free.
 */
async function leftOf(ctx: Ctx, event: EventRow, pricing: readonly CategoryPricing[]) {
  const rows = await sharedPlacesLeft.get(ctx.db, {
    key: event.id,
    now: ctx.now,
    ask: () => placesLeft(ctx.db, [event.id]),
  });
  const sold = rows.filter((row) =>
    pricing.some(({ category }) => category === row.category_key || category === row.category),
  );
  return availabilityOf({
    places: sold.reduce((sum, row) => sum + row.places, 0),
    left: sold.reduce((sum, row) => sum + row.left, 0),
  });
}

/** The other dates' availability may be some seconds old. */
const sharedOtherDates = memo<Awaited<ReturnType<typeof readOtherDates>>>({ freshMs: 5_000 });

/** The page of one date offers at most this many others. */
const mostOffered = 40;

async function otherDates(ctx: Ctx, event: EventRow) {
  return sharedOtherDates.get(ctx.db, {
    key: event.id,
    now: ctx.now,
    ask: () => readOtherDates(ctx, event),
  });
}

async function readOtherDates(ctx: Ctx, event: EventRow) {
  const from = ctx.now() - eveningMs;
  const dates = await otherDatesOf(ctx.db, event, { from, limit: mostOffered });
  return Promise.all(
    dates.map(async (date) => ({
      id: date.id,
      starts_at: date.starts_at,
      status: date.status,
      sales: salesOf(ctx, date),
      ...(await leftOf(ctx, date, pricingOf(date))),
    })),
  );
}

/** If Stripe does not sell the event's fee, no price is shown: every booking would be refused. */
async function offerOf(ctx: Ctx, event: EventRow): Promise<{ prices: Price[]; fee: Price | null }> {
  const prices = await pricesOf(ctx, pricingOf(event));
  try {
    return { prices, fee: await feePriceOf(ctx, event) };
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'checkout_refused')) throw error;
    ctx.log.error({ err: error, event_id: event.id }, 'the fee of an event is not for sale');
    return { prices: [], fee: null };
  }
}

/**
 * The lowest price with the fee; null if no price is known or for sale. While Stripe does not
 * answer, no event counts as sold out.
 */
async function teaserOf(ctx: Ctx, event: EventRow) {
  const offer = await offerOf(ctx, event).catch(() => null);
  const pricing = offer ? sellable(pricingOf(event), offer.prices, offer.fee) : [];
  return {
    from_price: lowestPrice(pricing),
    ...(await leftOf(ctx, event, offer ? pricing : pricingOf(event))),
  };
}

/** The events of the home page: coming ones, soonest first, then past ones, latest first. */
export async function publishedEvents(ctx: Ctx) {
  const events = (await listEvents(ctx.db)).filter((event) => event.status !== 'draft');
  const items = await Promise.all(
    events.map(async (event) => ({
      ...event,
      ...(await teaserOf(ctx, event)),
      sales: salesOf(ctx, event),
    })),
  );
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
  const places = placesForBook(ctx, event.id, await ctx.seats.objects(event.seatsio_event_key));
  await transact(ctx.db, async (trx) => {
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
