/** The hall on the wire, for the office: who sits where, and two calls to the seat map. */
import * as v from 'valibot';
import { blockColors } from '#server/domain/seat/block.ts';
import { contingentSales } from '#server/domain/seat/contingent.ts';
import { placeKinds } from '#server/domain/seat/place-kinds.ts';
import { seatStates } from '#server/domain/seat/seat-state.ts';
import { endpoint, timeOut } from './endpoint.ts';

const category = v.object({
  key: v.string(),
  label: v.string(),
  color: v.string(),
  accessible: v.boolean(),
});
const areaPlaces = v.record(v.string(), v.number());

/** RULES W10. The seat map's own event, read now through its SDK; `date` is a day, YYYY-MM-DD. */
export const readSeatEvent = endpoint('GET', '/api/admin/seatsio/events/:eventKey', {
  who: 'see_seats',
  refusals: ['seat_event_not_found', 'provider_silent'],
  summary: 'The seat map’s event',
  reply: v.object({
    key: v.string(),
    name: v.nullable(v.string()),
    date: v.nullable(v.string()),
    chart_key: v.string(),
    created_on: v.nullable(timeOut),
    updated_on: v.nullable(timeOut),
    is_in_the_past: v.boolean(),
    is_season: v.boolean(),
    supports_best_available: v.boolean(),
    /** INHERIT, ALL_BY_TABLE, ALL_BY_SEAT, or CUSTOM with BY_TABLE or BY_SEAT per table. */
    table_booking: v.object({ mode: v.string(), tables: v.record(v.string(), v.string()) }),
    /**
     * Null: everything is for sale. Otherwise only the named objects are (or are not) for sale;
     * `area_places` gives the number in standing areas.
     */
    for_sale_config: v.nullable(
      v.object({
        for_sale: v.boolean(),
        objects: v.array(v.string()),
        area_places: areaPlaces,
        categories: v.array(v.string()),
      }),
    ),
    categories: v.array(category),
    channels: v.array(
      v.object({
        key: v.string(),
        name: v.string(),
        color: v.nullable(v.string()),
        objects: v.array(v.string()),
        area_places: areaPlaces,
      }),
    ),
  }),
});

/**
 * The object as the seat map answers, without hold tokens, which are the visitors’ keys. `labels`
 * are the displayed texts.
 */
const seatObject = v.object({
  label: v.string(),
  labels: v.object({
    own: v.string(),
    parent: v.nullable(v.string()),
    section: v.nullable(v.string()),
  }),
  kind: v.picklist(placeKinds),
  status: v.string(),
  for_sale: v.boolean(),
  is_available: v.boolean(),
  category_key: v.nullable(v.string()),
  category_label: v.nullable(v.string()),
  order_id: v.nullable(v.string()),
  ticket_type: v.nullable(v.string()),
  channel: v.nullable(v.string()),
  entrance: v.nullable(v.string()),
  zone: v.nullable(v.string()),
  left_neighbour: v.nullable(v.string()),
  right_neighbour: v.nullable(v.string()),
  accessible: v.boolean(),
  companion: v.boolean(),
  restricted_view: v.boolean(),
  /** Places of a standing area; null for everything else. */
  area: v.nullable(
    v.object({
      capacity: v.number(),
      free: v.number(),
      booked: v.number(),
      held: v.number(),
      not_for_sale: v.number(),
    }),
  ),
});

/**
 * RULES W10. `objIds`: 1 to 100 labels separated by commas, each once, in the order of the reply.
 * A comma inside a label is written `\,` and a backslash `\\`; the whole is URL-encoded as any
 * path segment. Refuses 404 with the unknown labels in `detail.objects`.
 */
export const readSeatObjects = endpoint(
  'GET',
  '/api/admin/seatsio/events/:eventKey/objects/:objIds',
  {
    longestParam: 8_000,
    who: 'see_seats',
    refusals: ['seat_event_not_found', 'seat_object_not_found', 'provider_silent'],
    summary: 'Objects of a seat-map event as they are now',
    reply: v.object({ items: v.array(seatObject) }),
  },
);

/** The hall of an event without its statuses; it rarely changes, so a page reads it once. */
export const readHall = endpoint('GET', '/api/admin/events/:eventId/hall', {
  who: 'see_seats',
  refusals: ['event_not_found'],
  summary: 'Every place of an event, row by row, and the chart that shows them',
  reply: v.object({
    event: v.object({
      id: v.string(),
      title: v.string(),
      starts_at: timeOut,
      venue_title: v.string(),
      seatsio_event_key: v.string(),
      seatsio_workspace_key: v.string(),
    }),
    chart: v.object({ script_url: v.string(), region: v.string() }),
    /**
     * In the order of a walk through the hall. A standing area is a row of its own; its seats are
     * `Loggione#1` … `Loggione#N`, all with the name of the area.
     */
    rows: v.array(
      v.object({
        kind: v.picklist(placeKinds),
        section: v.nullable(v.string()),
        row: v.nullable(v.string()),
        /** `object`: the seat map's label of the place, or of its standing area. */
        seats: v.array(
          v.object({
            place: v.string(),
            object: v.string(),
            seat: v.string(),
            category: v.string(),
            /** A wheelchair place; `companion`: the place of the person who comes along. */
            accessible: v.boolean(),
            companion: v.boolean(),
            /** One of the places of an object that is sold whole: they are sold together. */
            in_whole: v.boolean(),
          }),
        ),
      }),
    ),
  }),
});

/**
 * Who sits where. Every place that is not in `taken` is free, except those of standing areas that
 * `areas` counts.
 */
export const readSeats = endpoint('GET', '/api/admin/events/:eventId/seats', {
  who: 'see_seats',
  refusals: ['event_not_found'],
  summary: 'The places that are not free, with who has them, and the figures per category',
  reply: v.object({
    server_time: timeOut,
    /** `silent`: the seat map did not answer, so only our own sales are known. */
    map: v.picklist(['answered', 'silent']),
    taken: v.array(
      v.object({
        place: v.string(),
        state: v.picklist(seatStates),
        /**
         * Sold by us but free at the seat map, so a person must look. Never true while the seat
         * map does not answer.
         */
        unguarded: v.boolean(),
        /**
         * The seat map’s own word if it is not ours: `booked`, `not_for_sale`, or a custom
         * status. `closed_in_whole`: its table is sold whole, and no guest comes for this place.
         */
        map_status: v.nullable(v.string()),
        /** Why the house keeps the seat back; null: it is not kept back. */
        block: v.nullable(
          v.object({
            block_id: v.string(),
            reason: v.string(),
            color: v.picklist(blockColors),
            release_at: v.nullable(timeOut),
          }),
        ),
        occupant: v.nullable(
          v.object({
            order_id: v.string(),
            order_number: v.string(),
            buyer_name: v.nullable(v.string()),
            pay_by: v.nullable(timeOut),
            ticket_id: v.nullable(v.string()),
            holder: v.nullable(v.string()),
            type_label: v.string(),
            price_cents: v.number(),
            admitted_at: v.nullable(timeOut),
          }),
        ),
      }),
    ),
    areas: v.array(v.object({ object: v.string(), held: v.number(), blocked: v.number() })),
    /** The contingents that keep seats, without their codes. */
    contingents: v.array(
      v.object({
        contingent_id: v.string(),
        name: v.string(),
        color: v.picklist(blockColors),
        sale: v.picklist(contingentSales),
        objects: v.array(v.string()),
        areas: v.array(v.object({ object: v.string(), places: v.number() })),
      }),
    ),
    /** Amounts in cents, of valid tickets. */
    categories: v.array(
      v.object({
        category: v.string(),
        places: v.number(),
        free: v.number(),
        held: v.number(),
        paying: v.number(),
        sold: v.number(),
        inside: v.number(),
        blocked: v.number(),
        income_cents: v.number(),
      }),
    ),
  }),
});
