/** Tickets given for nothing, on the wire: how they are counted, and how many there are (RULES L10). */
import * as v from 'valibot';
import { endpoint, text, trimmed } from './endpoint.ts';

const categories = v.pipe(v.array(text(100, 1)), v.minLength(1), v.maxLength(50));

/** Null: each category of the chart is a sector, and every free ticket counts. */
export const giftTerms = v.nullable(
  v.object({
    sectors: v.pipe(
      v.array(v.object({ name: trimmed(80, 1), categories })),
      v.maxLength(20),
      v.check(
        (sectors) => areDifferent(sectors.flatMap((sector) => sector.categories)),
        'each category in one sector',
      ),
      v.check((sectors) => areDifferent(sectors.map(({ name }) => name)), 'each name once'),
    ),
    /** Ticket types whose free tickets do not count. */
    not_counted: v.pipe(v.array(text(60, 1)), v.maxLength(200)),
  }),
);

function areDifferent(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

/** Only sectors in which tickets are sold for money. */
export const readGifts = endpoint('GET', '/api/admin/events/:eventId/gifts', {
  who: 'see_events',
  refusals: ['event_not_found'],
  summary: 'Free tickets of an event by sector, and how many bear no VAT',
  reply: v.object({
    /** Null: exempt or excluded, so that no gift costs VAT. */
    vat_percent: v.nullable(v.number()),
    /** Ticket types whose free tickets do not count. */
    not_counted: v.array(v.string()),
    sectors: v.array(
      v.object({
        name: v.string(),
        categories: v.array(v.string()),
        places: v.number(),
        /** How many gifts bear no VAT. */
        allowed: v.number(),
        given: v.number(),
        /** The highest list price, without the presale fee; null: not known now. */
        highest_cents: v.nullable(v.number()),
      }),
    ),
  }),
});
