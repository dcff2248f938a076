/** The office’s event form on the wire: create, read, save, publish, unpublish, duplicate. */
import {
  mostSurcharges,
  pricedPer,
  surchargeBounds,
  surchargeKinds,
  surchargeUnits,
} from '#server/domain/price/price-bounds.ts';
import * as v from 'valibot';
import { verifyPolicies } from '#server/domain/door/admission.ts';
import { buyerSearches } from '#server/domain/door/buyer-search.ts';
import { eventKinds } from '#server/domain/event/event-kind.ts';
import {
  emptyForm,
  formBounds,
  formLengths,
  missingParts,
  slugForm,
  slugMax,
} from '#server/domain/event/event.ts';
import { regimes } from '#server/domain/papers/regime.ts';
import { metEffects } from '#server/domain/order/met-tickets.ts';
import { exchangeFeeMost } from '#server/domain/order/exchange-terms.ts';
import { soldRights } from '#server/domain/order/terms.ts';
import { refundRequests } from '#server/domain/payment/refund.ts';
import { tableModes, tableWays } from '#server/domain/event/whole-terms.ts';
import { endpoint, text, timeIn, timeOut, trimmed, wholeNumber } from './endpoint.ts';
import { adminEvent } from './events.ts';
import { giftTerms } from './gifts.ts';
import { pricePhases } from './price-phases.ts';

const slug = v.pipe(text(slugMax, 1), v.regex(slugForm));
const line = (max: number) => v.pipe(text(max), v.trim());
const whole = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const mostVersions = 2_000_000_000;
export const version = whole(1, mostVersions);
const httpAddress = v.pipe(
  text(formLengths.venue_href, 1),
  v.regex(/^\s*[hH][tT]{2}[pP][sS]?:\/\/[^\s/?#@]+([/?#]\S*)?\s*$/),
  v.trim(),
);
/**
 * `/media/{id}` as the upload answered, a built-in picture, or an address that the event had
 * before.
 */
const picture = v.pipe(
  text(500, 1),
  v.regex(/^(\/media\/[\w-]{8,40}|\/images\/[\w-]+\.(svg|avif|webp|jpg|png)|https:\/\/\S+)$/),
);
export const priceId = v.pipe(text(formLengths.price_id, 1), v.regex(/^[\w-]+$/));
export const ticketTypeName = trimmed(60, 1);
const mostHtml = 40_000;

/**
 * A category is the seat map's key or label (chartCategories in charts.ts lists them);
 * `ticketType` is the name in orders, `label` the one that people read. A category without ticket
 * types is not for sale.
 */
const seatPricing = v.pipe(
  v.array(
    v.object({
      category: trimmed(100, 1),
      ticketTypes: v.pipe(
        v.array(
          v.object({
            price_id: priceId,
            ticketType: ticketTypeName,
            label: trimmed(formLengths.ticket_label, 1),
          }),
        ),
        v.maxLength(20),
        v.check(
          (types) => new Set(types.map((type) => type.ticketType)).size === types.length,
          'each ticket type once',
        ),
      ),
      /**
       * Varco: the entrance that guests of this category must use; missing or null: any gate. It
       * is printed on the ticket and decides the door's ALTRO VARCO.
       */
      gate: v.optional(v.nullable(trimmed(formLengths.gate, 1))),
    }),
  ),
  v.maxLength(50),
  v.check(
    (entries) => entries.reduce((sum, entry) => sum + entry.ticketTypes.length, 0) <= 200,
    'at most 200 ticket types',
  ),
  v.check(
    (entries) => new Set(entries.map((entry) => entry.category)).size === entries.length,
    'each category once',
  ),
);

const inWhole = whole(1, 500);
/**
 * How objects are sold whole. `tables` is the seat map's own `tableBookingConfig`; `categories`, by
 * category key: `places` of a booth, the `minimum` of places that are paid (missing: all), and
 * whether the price is for a place (missing) or for the object. 409 whole_objects_fixed where
 * something of an object that would change is held, kept or sold.
 */
const wholeTerms = v.object({
  tables: v.object({
    mode: v.picklist(tableModes),
    tables: v.optional(v.pipe(v.record(text(200, 1), v.picklist(tableWays)), v.maxEntries(2_000))),
  }),
  categories: v.pipe(
    v.record(
      text(100, 1),
      v.object({
        places: v.optional(inWhole),
        minimum: v.optional(inWhole),
        price_per: v.optional(v.picklist(pricedPer)),
      }),
    ),
    v.maxEntries(50),
  ),
});

/**
 * Surcharges of one kind each: an amount in cents, or a part of the list price of each ticket.
 * `categories` as `seat_pricing` names them, null: all.
 */
const surcharge = v.pipe(
  v.object({
    kind: v.picklist(surchargeKinds),
    per: v.picklist(surchargeUnits),
    cents: v.nullable(whole(...surchargeBounds.cents)),
    percent: v.nullable(whole(...surchargeBounds.percent)),
    categories: v.nullable(v.pipe(v.array(trimmed(100, 1)), v.minLength(1), v.maxLength(50))),
    not_at_till: v.boolean(),
    not_on_day: v.boolean(),
  }),
  v.check(({ cents, percent }) => (cents === null) !== (percent === null), 'an amount or a part'),
  v.check(
    ({ per, percent, categories }) => per === 'ticket' || (percent === null && categories === null),
    'an order bears an amount',
  ),
);
const surcharges = v.nullable(
  v.pipe(v.array(surcharge), v.minLength(1), v.maxLength(mostSurcharges)),
);

/** What is sold, at which prices, and how much of it. */
const saleFields = {
  seat_pricing: seatPricing,
  /** Null: an event of before 1.2.0, which stays so; missing or null in a call: as it was. */
  whole_terms: v.optional(v.nullable(wholeTerms), null),
  /** The price that is added to each ticket that is not free. */
  fee_price_id: v.nullable(priceId),
  /** What is added beside it; null or missing: nothing. */
  surcharges: v.optional(surcharges, null),
  /** How the takings are certified; missing in an older form: unsaid. */
  regime: v.optional(v.picklist(regimes), emptyForm.regime),
  /**
   * VAT of prices and presale fee, in percent; null: exempt or excluded. Missing in an older
   * form: 10 and 22.
   */
  vat_percent: v.optional(v.nullable(whole(...formBounds.vat_percent)), emptyForm.vat_percent),
  fee_vat_percent: v.optional(
    v.nullable(whole(...formBounds.fee_vat_percent)),
    emptyForm.fee_vat_percent,
  ),
  /** VAT of the service commission, in percent; missing in an older form: 22. */
  service_vat_percent: v.optional(
    v.nullable(whole(...formBounds.service_vat_percent)),
    emptyForm.service_vat_percent,
  ),
  /** How free tickets are counted by sector. */
  gift_terms: v.optional(giftTerms, null),
  max_seats: whole(...formBounds.max_seats),
  /** The most tickets of one mail address, checked once an order is paid; null: no limit. */
  max_per_email: v.optional(v.nullable(whole(...formBounds.max_per_email)), null),
};

/** Whether, and until how many hours before, a buyer may change the date; what it costs. */
const dateFields = {
  exchange: v.optional(v.boolean(), emptyForm.exchange),
  exchange_until_hours: v.optional(
    whole(...formBounds.exchange_until_hours),
    emptyForm.exchange_until_hours,
  ),
  exchange_fee_cents: v.optional(whole(0, exchangeFeeMost), emptyForm.exchange_fee_cents),
};

/**
 * The form is the same in both directions except for times: ISO text is parsed on arrival and
 * written in answers. Prices are at Stripe and named by their ids.
 */
function formWith<T extends typeof timeIn | typeof timeOut>(time: T) {
  return {
    /** May be empty in a draft, as may be venue_title. */
    title: line(formLengths.title),
    /** Missing in an older form: other. */ kind: v.optional(v.picklist(eventKinds), 'other'),
    description: text(mostHtml),
    /** HTML; null: the site's own. */ terms: v.nullable(text(mostHtml)),
    starts_at: time,
    doors_at: v.nullable(time),
    ends_at: v.nullable(time),
    /** The door admits from this time on; null: at any time. */ admits_from: v.nullable(time),
    /** From this time on the door says INGRESSO CHIUSO; null or missing: never. */
    admits_until: v.optional(v.nullable(time), null),
    /** Null: the sale runs from the publication until the start. */ sales_opens_at:
      v.nullable(time),
    sales_closes_at: v.nullable(time),
    venue_title: line(formLengths.venue_title),
    venue_href: v.nullable(httpAddress),
    venue_address: v.nullable(line(formLengths.venue_address)),
    event_ball_image: v.nullable(picture),
    band_ball_image: v.nullable(picture),
    banner_image: v.nullable(picture),
    /** One of the account's charts; null: not chosen, or (in an old event) unknown. */
    chart_key: v.nullable(v.pipe(text(100, 1), v.regex(/^[\w-]+$/))),
    ...saleFields,
    /** Earlier list prices; missing in an older form: none. */
    price_phases: v.optional(pricePhases(time, priceId), null),
    pay_minutes: whole(...formBounds.pay_minutes),
    /** Whether online buyers must tell their telephone number. */
    ask_phone: v.optional(v.boolean(), false),
    nominative: v.boolean(),
    holder_change: v.boolean(),
    holder_changes_max: whole(...formBounds.holder_changes_max),
    holder_change_until_hours: whole(...formBounds.holder_change_until_hours),
    /** The last day for a refund: days after the purchase, and days before the event. */
    refund_days: whole(...formBounds.refund_days),
    refund_stop_days: whole(...formBounds.refund_stop_days),
    refund_keeps_fees: v.boolean(),
    cancel_keeps_fees: v.boolean(),
    refund_request: v.picklist(refundRequests),
    ...dateFields,
    reentry: v.boolean(),
    verify_policy: v.picklist(verifyPolicies),
    /** Whether a code from before a move to another seat lets its guest in. */
    moved_policy: v.optional(v.picklist(verifyPolicies), emptyForm.moved_policy),
    /** Whether a booking that costs nothing is confirmed by a click in its mail. */
    free_confirm: v.optional(v.boolean(), false),
    /**
     * How many minutes before the start the place of a free booking is let go whose guest has not
     * come; null: it is kept.
     */
    free_until_minutes: v.optional(v.nullable(whole(...formBounds.free_until_minutes)), null),
    /** Whether free bookings get a mail the day before. */
    free_reminder: v.optional(v.boolean(), true),
    buyer_search: v.optional(v.picklist(buyerSearches), emptyForm.buyer_search),
  };
}

export const formIn = v.object(formWith(timeIn));
export const formOut = v.object(formWith(timeOut));
/** The whole form as the server has it: times in milliseconds. */
export type EventForm = v.InferOutput<typeof formIn>;

/**
 * `missing`: what this draft lacks before its sale. `orders`: all orders of any state; if there
 * is one, the chart is fixed and the event cannot be unpublished. `buyers`: confirmed orders with
 * valid tickets, which get a mail when date or place change.
 */
const desk = v.object({
  ...adminEvent.entries,
  form: formOut,
  version: v.number(),
  updated_at: timeOut,
  missing: v.array(v.picklist(missingParts)),
  /**
   * Sectors of the hall without a price that are not marked «non in vendita»: they prevent
   * publishing.
   */
  unsaid: v.array(v.string()),
  orders: v.number(),
  buyers: v.number(),
  /** How many addresses get a mail when the sale opens. */
  reminders: v.number(),
  /**
   * Until when buyers of before are asked for names, and how many are missing; null: they are not.
   */
  names: v.nullable(v.object({ due: timeOut, missing: v.number() })),
  /** How many places this call has added from a newly published chart. */
  new_places: v.number(),
});

/** The version that the caller has read, in a query. */
export const versionAsked = v.object({
  version: wholeNumber(1, mostVersions),
});

/**
 * The refusals of saving, with the wrong fields in `detail.fields`; prices are in `detail.prices:
 * [{price_id, why}]`, categories in `detail.categories`.
 */
export const saving = [
  'event_times_wrong',
  'price_not_sellable',
  'price_phases_wrong',
  'category_unknown',
  'chart_not_found',
  'image_unknown',
  'text_too_long',
  'object_unknown',
  'seat_event_taken',
  'provider_silent',
] as const;

const rights = v.pick(formIn, soldRights);
export type RightsForm = v.InferOutput<typeof rights>;

/** `sentence`: "128 biglietti venduti tengono: …"; `unnamed`: tickets sold without a name. */
export const metTickets = {
  met: v.array(
    v.object({
      effect: v.picklist(metEffects),
      tickets: v.number(),
      words: v.string(),
      sentence: v.string(),
    }),
  ),
  unnamed: v.number(),
};
/** Asks the buyers of tickets without names for them, until then; missing: they stay without. */
export const askNamesBy = v.optional(timeIn);

/** The refusals of saving a show and its dates. */
export const savingShow = [
  'show_not_found',
  'show_changed',
  'buyers_to_tell',
  'older_process_runs',
  'event_incomplete',
  'event_changed',
  'event_cancelled',
  'event_has_orders',
  ...saving,
] as const;

/** The rules alone, as the form has them. */
export const previewEvent = endpoint('POST', '/api/admin/events/:eventId/preview', {
  who: 'edit_events',
  refusals: ['event_not_found'],
  summary: 'Which sold tickets these rules would meet; nothing is stored',
  body: rights,
  reply: v.object(metTickets),
});

export const readEvent = endpoint('GET', '/api/admin/events/:eventId', {
  who: 'see_events',
  refusals: ['event_not_found'],
  summary: 'One event for the office, with its form and what it lacks',
  reply: desk,
});

/**
 * Makes a draft. `id` is its permanent address: 409 slug_taken. `seatsio_event_key`: an existing
 * event at the seat map; missing: one is made on the chart. `show_id`: the draft becomes a date
 * of that show; missing: the first date of a new show.
 */
export const createEvent = endpoint('POST', '/api/admin/events/', {
  who: 'edit_events',
  limit: 'form',
  refusals: [
    'slug_taken',
    'seat_event_not_found',
    'show_not_found',
    'too_many_dates',
    'older_process_runs',
    ...saving,
  ],
  summary: 'Make a draft',
  body: v.object({
    id: slug,
    show_id: v.optional(slug),
    seatsio_event_key: v.optional(v.pipe(text(100, 1), v.regex(/^[\w-]+$/))),
    ...formIn.entries,
  }),
  reply: desk,
});

/**
 * The whole form. `version` is the one that was read; 409 event_changed if there is a newer one.
 * A published event must stay complete: 422 event_incomplete with `detail.missing`. A new date or
 * place while there are buyers: 409 buyers_to_tell with `detail.buyers`, unless `tell_buyers` is
 * that number; then each buyer gets a mail. Another chart when there is an order: 409
 * event_has_orders.
 */
export const updateEvent = endpoint('PUT', '/api/admin/events/:eventId', {
  who: 'edit_events',
  limit: 'form',
  refusals: [
    'event_not_found',
    'event_changed',
    'event_incomplete',
    'event_has_orders',
    'whole_objects_fixed',
    'event_cancelled',
    'buyers_to_tell',
    'older_process_runs',
    ...saving,
  ],
  summary: 'Save the whole form of an event',
  body: v.object({
    version,
    tell_buyers: v.optional(whole(0, 1_000_000)),
    ask_names_by: askNamesBy,
    ...formIn.entries,
  }),
  reply: desk,
});

const versioned = v.object({ version });

/** 422 event_incomplete with `detail.missing`. */
export const publishEvent = endpoint('POST', '/api/admin/events/:eventId/publish', {
  who: 'edit_events',
  refusals: [
    'event_not_found',
    'event_changed',
    'event_incomplete',
    'event_cancelled',
    'demo_not_sold',
    'price_not_sellable',
    'category_unknown',
    'event_times_wrong',
    'text_too_long',
    'object_unknown',
    'provider_silent',
  ],
  summary: 'Put a draft on sale',
  body: versioned,
  reply: desk,
});

/** Makes the event a draft again, only while it has no orders, else 409 event_has_orders. */
export const unpublishEvent = endpoint('POST', '/api/admin/events/:eventId/unpublish', {
  who: 'edit_events',
  refusals: ['event_not_found', 'event_changed', 'event_has_orders', 'event_cancelled'],
  summary: 'Take an event without orders off the site',
  body: versioned,
  reply: desk,
});

/**
 * Deletes a draft permanently, and its event at the seat map a minute later. 409 event_not_draft
 * when it is or once was on sale, event_has_orders when there are orders.
 */
export const deleteEvent = endpoint('DELETE', '/api/admin/events/:eventId', {
  who: 'edit_events',
  refusals: ['event_not_found', 'event_changed', 'event_not_draft', 'event_has_orders'],
  summary: 'Delete a draft that was never on sale',
  query: versionAsked,
});

/**
 * Makes a draft with the same texts, prices, pictures and rules, but with its own address and its
 * own event at the seat map. `as`: another date of the same show, or (missing) a new show.
 * Without `starts_at` the draft has its original's day and cannot be published before its day is
 * changed (RULES E2).
 */
export const duplicateEvent = endpoint('POST', '/api/admin/events/:eventId/duplicate', {
  who: 'edit_events',
  refusals: [
    'event_not_found',
    'slug_taken',
    'too_many_dates',
    'older_process_runs',
    'chart_not_found',
    'seat_event_not_found',
    'seat_event_taken',
    'object_unknown',
    'image_unknown',
    'text_too_long',
    'event_times_wrong',
    'provider_silent',
  ],
  summary: 'Copy an event into a new draft',
  body: v.object({
    id: slug,
    as: v.optional(v.picklist(['date', 'show']), 'show'),
    starts_at: v.optional(timeIn),
  }),
  reply: desk,
});
