/**
 * Prices on the wire as the office types them: a table of sectors and ticket types, in cents, for
 * an event or for all dates of a show.
 */
import { isAmount, mostPhases } from '#server/domain/price/price-bounds.ts';
import * as v from 'valibot';
import { eventStatuses, formLengths } from '#server/domain/event/event.ts';
import { mostDates } from '#server/domain/event/show.ts';
import { endpoint, text, timeIn, timeOut, trimmed } from './endpoint.ts';
import { priceId, saving, savingShow, ticketTypeName, version } from './event-desk.ts';
import { areOwnPhases, phaseFields, phaseId } from './price-phases.ts';

const line = (max: number) => trimmed(max, 1);

/**
 * `cents`: null where Stripe does not sell the price. `sold`: places that were sold, or are being
 * bought, at this price.
 */
const matrix = {
  version: v.number(),
  types: v.array(v.object({ ticketType: v.string(), label: v.string() })),
  sectors: v.array(
    v.object({
      /** The sector's name in the pricing. */ category: v.string(),
      label: v.string(),
      /** 0 if the hall has no such sector. */ places: v.number(),
      state: v.picklist(['sold', 'not_sold', 'unsaid']),
      cells: v.array(
        v.object({
          ticketType: v.string(),
          price_id: v.string(),
          cents: v.nullable(v.number()),
          sold: v.number(),
        }),
      ),
    }),
  ),
  /** Added to every ticket that is not free. */
  fee: v.nullable(v.object({ price_id: v.string(), cents: v.nullable(v.number()) })),
  /** Earlier list prices, in the order in which they follow each other. */
  phases: v.array(
    v.object({
      id: v.string(),
      ...phaseFields(timeOut),
      /** The cells in which the phase has a price of its own. */
      cells: v.array(
        v.object({
          category: v.string(),
          ticketType: v.string(),
          price_id: v.string(),
          cents: v.nullable(v.number()),
          sold: v.number(),
        }),
      ),
    }),
  ),
};

/**
 * An amount becomes a new price at Stripe, unless the cell's present price has it; `price_id`
 * names an existing price.
 */
const amount = v.pipe(v.number(), v.check(isAmount, 'nothing, or 50 to 1000000 cents'));
const cell = v.union([
  v.object({ ticketType: ticketTypeName, price_id: priceId }),
  v.object({ ticketType: ticketTypeName, cents: amount }),
]);

const sector = v.pipe(
  v.object({
    category: line(100),
    not_sold: v.boolean(),
    cells: v.pipe(
      v.array(cell),
      v.maxLength(20),
      v.check((cells) => areAllOther(cells.map(({ ticketType }) => ticketType))),
    ),
  }),
  v.check(({ not_sold, cells }) => !not_sold || cells.length === 0, 'not sold, or with prices'),
);

const inSector = { category: line(100), ticketType: ticketTypeName };

/** A phase without `id` is new; a cell that is left out has the last price. */
const phase = v.object({
  id: v.optional(phaseId),
  ...phaseFields(timeIn),
  cells: v.pipe(
    v.array(
      v.union([
        v.object({ ...inSector, price_id: priceId }),
        v.object({ ...inSector, cents: amount }),
      ]),
    ),
    v.maxLength(200),
    v.check((cells) => areAllOther(cells.map(cellOf))),
  ),
});

const typed = v.pipe(
  v.object({
    types: v.pipe(
      v.array(v.object({ ticketType: ticketTypeName, label: line(formLengths.ticket_label) })),
      v.maxLength(20),
      v.check((types) => areAllOther(types.map(({ ticketType }) => ticketType))),
      v.check((types) => areAllOther(types.map(({ label }) => label.toLowerCase()))),
    ),
    sectors: v.pipe(
      v.array(sector),
      v.maxLength(50),
      v.check((sectors) => areAllOther(sectors.map(({ category }) => category))),
      v.check((sectors) => sectors.flatMap(({ cells }) => cells).length <= 200),
    ),
    fee: v.nullable(v.union([v.object({ price_id: priceId }), v.object({ cents: amount })])),
    /** Missing: as they were. */
    phases: v.optional(
      v.pipe(
        v.array(phase),
        v.maxLength(mostPhases),
        v.check((phases) => areOwnPhases(phases)),
      ),
    ),
  }),
  v.check(
    ({ types, sectors }) =>
      sectors
        .flatMap(({ cells }) => cells)
        .every(({ ticketType }) => types.some((type) => type.ticketType === ticketType)),
    'a cell of a ticket type that is not there',
  ),
  v.check(({ sectors, phases = [] }) => {
    const sold = sectors.flatMap(({ category, cells }) =>
      cells.map(({ ticketType }) => cellOf({ category, ticketType })),
    );
    return phases.flatMap(({ cells }) => cells).every((one) => sold.includes(cellOf(one)));
  }, 'a phase with a price of a cell that is not sold'),
);
export type MatrixAsk = v.InferOutput<typeof typed>;

function cellOf({ category, ticketType }: { category: string; ticketType: string }): string {
  return JSON.stringify([category, ticketType]);
}

function areAllOther(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

const eventPrices = v.object({
  ...matrix,
  status: v.picklist(eventStatuses),
  show_id: v.nullable(v.string()),
  /** How many dates its show has, including this one. */ show_dates: v.number(),
  /** This date has prices of its own. */ differs: v.boolean(),
  /** The phase whose prices count now; null: the last prices. */
  phase_now: v.nullable(v.string()),
});

export const readEventPrices = endpoint('GET', '/api/admin/events/:eventId/prices', {
  who: 'see_prices',
  refusals: ['event_not_found', 'provider_silent'],
  summary: 'What each sector of an event costs by ticket type',
  reply: eventPrices,
});

/**
 * All prices together. `version` is the event's, else 409 event_changed. A sector without cells
 * that is not `not_sold` stays undecided, and the event cannot be published.
 */
export const saveEventPrices = endpoint('PUT', '/api/admin/events/:eventId/prices', {
  who: 'edit_events',
  limit: 'form',
  refusals: [
    'event_not_found',
    'event_changed',
    'event_cancelled',
    'event_incomplete',
    'event_has_orders',
    'buyers_to_tell',
    'older_process_runs',
    ...saving,
  ],
  summary: 'Save the prices of an event; new ones are made at Stripe',
  body: v.object({ version, prices: typed }),
  reply: eventPrices,
});

const showPrices = v.object({
  ...matrix,
  title: v.string(),
  /** The coming dates; `differs`: the date has prices of its own and keeps them. */
  dates: v.array(
    v.object({
      id: v.string(),
      starts_at: timeOut,
      status: v.picklist(eventStatuses),
      version: v.number(),
      differs: v.boolean(),
    }),
  ),
});

export const readShowPrices = endpoint('GET', '/api/admin/shows/:showId/prices', {
  who: 'see_prices',
  refusals: ['show_not_found', 'provider_silent'],
  summary: 'The prices that the dates of a show take from it',
  reply: showPrices,
});

/** `version` and `dates` as they were read, else 409 show_changed. */
export const saveShowPrices = endpoint('PUT', '/api/admin/shows/:showId/prices', {
  who: 'edit_events',
  limit: 'form',
  refusals: savingShow,
  summary: 'Save the prices of a show and of its dates to come',
  body: v.object({
    version,
    dates: v.pipe(v.array(v.object({ id: text(100, 1), version })), v.maxLength(mostDates)),
    prices: typed,
  }),
  reply: showPrices,
});
