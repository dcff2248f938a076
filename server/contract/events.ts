/**
 * Events on the wire: the home page's list, the event page, and the office's view; the office's
 * form is in event-desk.ts.
 */
import { pricedPer, surchargeKinds, surchargeUnits } from '#server/domain/price/price-bounds.ts';
import * as v from 'valibot';
import { eventKinds } from '#server/domain/event/event-kind.ts';
import { availabilities, eventStatuses, salesStates } from '#server/domain/event/event.ts';
import { noticeKinds } from '#server/domain/seat/notices.ts';
import { endpoint, listAsk, pageOf, text, timeOut } from './endpoint.ts';
import { saleConventions, saleRules } from './sale-rules.ts';

const seatPricing = v.array(
  v.object({
    category: v.string(),
    ticketTypes: v.array(
      v.object({ price_id: v.string(), ticketType: v.string(), label: v.string() }),
    ),
  }),
);

/**
 * unit_amount in cents; ticket types whose price is missing, inactive or not in euro are left
 * out.
 */
const prices = v.array(v.object({ id: v.string(), unit_amount: v.number() }));

const sales = v.object({
  state: v.picklist(salesStates),
  opens_at: v.nullable(timeOut),
  closes_at: timeOut,
  max_seats: v.number(),
});

/**
 * How many places are left; `places_left` is only given when there are few: at most 20 and at
 * most a tenth of the places for sale.
 */
const left = { availability: v.picklist(availabilities), places_left: v.nullable(v.number()) };

/**
 * Sentences for the buyer (server/domain/seat/notices.ts) that apply to this event: `hall` before
 * choosing, `chosen` before paying for a place with that trait, `tag` after its name.
 */
const notices = v.array(
  v.object({
    about: v.picklist([...noticeKinds, 'per_email']),
    hall: v.string(),
    chosen: v.string(),
    tag: v.nullable(v.string()),
  }),
);

/**
 * The objects that are sold whole, those of one kind together: each has `places` places, at least
 * `minimum` of them are paid, and the price is for a place or for the object (RULES S8).
 */
export const wholeObjects = v.array(
  v.object({
    category: v.string(),
    category_key: v.string(),
    places: v.number(),
    minimum: v.number(),
    price_per: v.picklist(pricedPer),
    labels: v.array(v.string()),
  }),
);

/**
 * The event as in RULES W6. `description` and `terms` are sanitised HTML; `terms` null: the
 * site's own terms apply. A picture `/media/{id}` has files of several sizes
 * (server/contract/images.ts).
 */
export const getEvent = endpoint('GET', '/api/event/:eventId/', {
  who: 'public',
  refusals: ['event_not_found'],
  summary: 'What the event page shows',
  reply: v.object({
    event: v.object({
      id: v.string(),
      title: v.string(),
      starts_at: timeOut,
      doors_at: v.nullable(timeOut),
      ends_at: v.nullable(timeOut),
      status: v.picklist(eventStatuses),
      kind: v.picklist(eventKinds),
      nominative: v.boolean(),
      /** Whether who books must tell a telephone number. */
      ask_phone: v.boolean(),
      /** The original start, if the event was moved to another day; else null. */
      postponed_from: v.nullable(timeOut),
      seatsio_event_key: v.string(),
      seatsio_workspace_key: v.string(),
      attributes: v.object({ description: v.string(), seat_pricing: seatPricing }),
    }),
    venue_title: v.string(),
    venue_href: v.nullable(v.string()),
    venue_address: v.nullable(v.string()),
    event_ball_image: v.nullable(v.string()),
    band_ball_image: v.nullable(v.string()),
    banner_image: v.nullable(v.string()),
    terms: v.nullable(v.string()),
    /** What a purchase of this moment may be given back for, and until when. */
    refunds: v.string(),
    /** The same and the other rights of a ticket: another holder, coming back in. */
    rights: v.array(v.string()),
    notices,
    ...left,
    prices,
    /** A presale fee on every ticket that is not free, with a price of its own at Stripe. */
    fee: v.nullable(v.object({ price_id: v.string(), unit_amount: v.number() })),
    /** All that is added to prices on the site now, `fee` among it. */
    surcharges: v.array(
      v.object({
        kind: v.picklist(surchargeKinds),
        /** On each ticket that is not free, or once on an order of which something is paid. */
        per: v.picklist(surchargeUnits),
        /** An amount, or a part of the list price: exactly one of the two. */
        cents: v.nullable(v.number()),
        percent: v.nullable(v.number()),
        /** As `seat_pricing` names them; null: all. */
        categories: v.nullable(v.array(v.string())),
      }),
    ),
    /** The rules that lower prices of a cart on the site now. */
    price_rules: saleRules(),
    /** Sent with a booking, it keeps these rules in force for the time of a hold. */
    offer: v.string(),
    /** Agreements from which the buyer may choose one; its card is shown at the door. */
    conventions: saleConventions(),
    chart: v.object({ script_url: v.string(), region: v.string() }),
    whole_objects: wholeObjects,
    /** "dal 10 dicembre 25,00 €": what list prices become next, for types where they change. */
    next_prices: v.optional(
      v.array(v.object({ category: v.string(), ticketType: v.string(), words: v.string() })),
      [],
    ),
    sales,
    /** Seats that are left, or lower prices of them, are for visitors with a code. */
    takes_code: v.boolean(),
    /** The event has a waiting room, or gets one under load. */
    queue: v.boolean(),
    /** Coming dates of the same show, soonest first. */
    other_dates: v.array(
      v.object({
        id: v.string(),
        starts_at: timeOut,
        postponed_from: v.nullable(timeOut),
        status: v.picklist(eventStatuses),
        /** The lowest price in cents, fee included; null: none is known. */
        from_price: v.nullable(v.number()),
        sales,
        ...left,
      }),
    ),
  }),
});

/**
 * Names seats, tables, booths and areas of the seat map as their tickets will. Unknown labels are
 * left out.
 */
export const namePlaces = endpoint('POST', '/api/event/:eventId/places', {
  who: 'public',
  limit: 'read',
  refusals: ['event_not_found'],
  summary: 'What objects of the seat map are called',
  body: v.object({ objects: v.pipe(v.array(text(200, 1)), v.maxLength(100)) }),
  reply: v.object({ items: v.array(v.object({ object_id: v.string(), name: v.string() })) }),
});

/** Our own call: the events of the home page, soonest first, past ones last. */
export const listPublished = endpoint('GET', '/api/events/', {
  who: 'public',
  summary: 'The published events',
  reply: v.object({
    items: v.array(
      v.object({
        id: v.string(),
        /** The same for all dates of one show. */
        show_id: v.nullable(v.string()),
        title: v.string(),
        kind: v.picklist(eventKinds),
        starts_at: timeOut,
        doors_at: v.nullable(timeOut),
        postponed_from: v.nullable(timeOut),
        status: v.picklist(eventStatuses),
        venue_title: v.string(),
        venue_address: v.nullable(v.string()),
        event_ball_image: v.nullable(v.string()),
        from_price: v.nullable(v.number()),
        sales,
        ...left,
      }),
    ),
  }),
});

/** An event in the office's list; the form comes inside it. */
export const adminEvent = v.object({
  id: v.string(),
  show_id: v.nullable(v.string()),
  postponed_from: v.nullable(timeOut),
  title: v.string(),
  starts_at: timeOut,
  doors_at: v.nullable(timeOut),
  status: v.picklist(eventStatuses),
  seatsio_event_key: v.string(),
  venue_title: v.string(),
  venue_href: v.nullable(v.string()),
  event_ball_image: v.nullable(v.string()),
  band_ball_image: v.nullable(v.string()),
  attributes: v.object({ description: v.string(), seat_pricing: seatPricing }),
  /** The gates that its tickets name. */
  gates: v.array(v.string()),
  /** The event belongs to the demo of a first start. */
  demo: v.boolean(),
  sales,
  counts: v.object({
    places: v.number(),
    free: v.number(),
    sold: v.number(),
    inside: v.number(),
  }),
});

export const listEvents = endpoint('GET', '/api/admin/events/', {
  who: 'see_events',
  summary:
    'All events with what was sold and who is inside, the next one first, then the latest that is over',
  /** `q`: title, place, address of the page. */
  query: v.object(listAsk),
  reply: v.object(pageOf(adminEvent)),
});
