/**
 * Summaries on the wire: by day for the accountant, and of an event by ordine di posti; none of
 * them is a fiscal paper (RULES L7).
 */
import * as v from 'valibot';
import { entryKinds, moneyWays, type MoneyWay } from '#server/domain/papers/summary.ts';
import { regimes } from '#server/domain/papers/regime.ts';
import { dayIn, endpoint, text, timeOut } from './endpoint.ts';

/** Days in Rome, both included, of one event or of all. */
const span = { from: dayIn, to: dayIn, event_id: v.optional(text(100, 1)) };
const format = { format: v.optional(v.picklist(['excel', 'plain'])) };
const rate = v.nullable(v.number());
const byWay = v.object(
  Object.fromEntries(moneyWays.map((way) => [way, v.number()])) as Record<
    MoneyWay,
    v.NumberSchema<undefined>
  >,
);
const event = v.object({
  id: v.string(),
  title: v.string(),
  starts_at: timeOut,
  vat_percent: rate,
  fee_vat_percent: rate,
  service_vat_percent: rate,
});
/** Taxable part and tax of income less refunds: tickets, presale fee, service commission. */
const taxed = {
  tickets_cents: v.number(),
  tickets_net_cents: v.number(),
  tickets_vat_cents: v.number(),
  fees_cents: v.number(),
  fees_net_cents: v.number(),
  fees_vat_cents: v.number(),
  service_cents: v.number(),
  service_net_cents: v.number(),
  service_vat_cents: v.number(),
};
const sums = {
  taken: byWay,
  given: byWay,
  gross_cents: v.number(),
  refunded_cents: v.number(),
  net_cents: v.number(),
  ...taxed,
};
const rates = v.array(
  v.object({
    percent: rate,
    gross_cents: v.number(),
    net_cents: v.number(),
    vat_cents: v.number(),
  }),
);

/**
 * `rows`: by day, event and rates of the sale; `events`: the same by event. `rates`: VAT by rate,
 * `percent` null: exempt or excluded.
 */
export const readSummary = endpoint('GET', '/api/admin/summaries/accountant', {
  who: 'see_money',
  refusals: ['summary_span', 'event_not_found'],
  summary: 'Takings, refunds and VAT by event and day',
  query: v.object(span),
  reply: v.object({
    from: v.string(),
    to: v.string(),
    rows: v.array(v.object({ day: v.string(), event, ...sums })),
    events: v.array(v.object({ event, ...sums })),
    rates,
    total: v.object(sums),
  }),
});

export const downloadSummary = endpoint('GET', '/api/admin/summaries/accountant.pdf', {
  who: 'see_money',
  work: 'summary_file',
  limit: 'document',
  refusals: ['summary_span', 'event_not_found'],
  file: 'application/pdf',
  summary: 'The summary for the accountant on paper',
  query: v.object(span),
});

export const exportSummary = endpoint('GET', '/api/admin/summaries/accountant.csv', {
  who: 'see_money',
  work: 'summary_file',
  limit: 'document',
  refusals: ['summary_span', 'event_not_found'],
  file: 'text/csv',
  summary: 'The summary for the accountant as a file',
  query: v.object({ ...span, ...format }),
});

/** Days in Rome, both included. */
const days = { from: dayIn, to: dayIn };
const conventionSums = {
  tickets: v.number(),
  /** Without price rules, with the fee that was paid. */ list_cents: v.number(),
  off_cents: v.number(),
  /** What other rules, or a price by hand, took off. */ other_off_cents: v.number(),
  paid_cents: v.number(),
  given_cents: v.number(),
};

/**
 * Tickets sold under agreements in these days, and what was given back in them, by agreement and
 * event. A ticket that two agreements made cheaper stands under both.
 */
export const readConventions = endpoint('GET', '/api/admin/summaries/conventions', {
  who: 'see_money',
  refusals: ['summary_span'],
  summary: 'Tickets sold under agreements, by agreement and event',
  query: v.object(days),
  reply: v.object({
    conventions: v.array(
      v.object({
        name: v.string(),
        events: v.array(
          v.object({
            event_id: v.string(),
            event_title: v.string(),
            starts_at: timeOut,
            ...conventionSums,
          }),
        ),
        total: v.object(conventionSums),
      }),
    ),
  }),
});

export const exportConventions = endpoint('GET', '/api/admin/summaries/conventions.csv', {
  who: 'see_money',
  work: 'conventions_file',
  limit: 'document',
  refusals: ['summary_span'],
  file: 'text/csv',
  summary: 'Tickets sold under agreements as a file',
  query: v.object({ ...days, ...format }),
});

const line = v.object({
  kind: v.picklist(entryKinds),
  type_label: v.string(),
  category: v.string(),
  price_cents: v.number(),
  /** All surcharges of one ticket, and the commission in them. */ fee_cents: v.number(),
  service_of_one: v.number(),
  tickets: v.number(),
  ...taxed,
});
const total = v.object({ tickets: v.number(), ...taxed });

/**
 * `categories`: each ordine di posti with its places and sales; `annulled`: tickets that have
 * ended.
 */
export const readEvening = endpoint('GET', '/api/admin/events/:eventId/summary', {
  who: 'see_money',
  refusals: ['event_not_found'],
  summary: 'The tickets of an evening by ordine di posti, kind and price, with VAT',
  reply: v.object({
    event: v.object({ ...event.entries, venue_title: v.string(), regime: v.picklist(regimes) }),
    made_at: timeOut,
    categories: v.array(
      v.object({ category: v.string(), places: v.number(), lines: v.array(line) }),
    ),
    places: v.number(),
    total,
    annulled: v.array(line),
    annulled_total: total,
    rates,
    seals: v.object({ tickets: v.number(), sealed: v.number() }),
  }),
});

export const downloadEvening = endpoint('GET', '/api/admin/events/:eventId/serata.pdf', {
  who: 'see_money',
  work: 'evening_file',
  limit: 'document',
  refusals: ['event_not_found'],
  file: 'application/pdf',
  summary: 'The summary of an evening on paper',
});

export const exportEvening = endpoint('GET', '/api/admin/events/:eventId/serata.csv', {
  who: 'see_money',
  work: 'evening_file',
  limit: 'document',
  refusals: ['event_not_found'],
  file: 'text/csv',
  summary: 'The summary of an evening as a file',
  query: v.object(format),
});
