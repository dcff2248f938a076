/**
 * Price rules on the wire for the office: those of the house, a show or a date as sentences, what
 * each gave away, and a trial box (RULES P6).
 */
import * as v from 'valibot';
import { longestRuleName, ruleBounds, ruleFaults } from '#server/domain/price/rule-check.ts';
import { saleChannels } from '#server/domain/price/rule.ts';
import { dayIn, endpoint, text, timeIn, timeOut, trimmed } from './endpoint.ts';
import { ticketTypeName } from './event-desk.ts';

const groupings = ['cheapest', 'best'] as const;
const sector = text(100, 1);
const day = v.nullable(dayIn);
const whole = ({ min, max }: { min: number; max: number }) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));
const cents = whole({ min: 0, max: ruleBounds.package_cents.max });

/** Null: all sectors, types or ways of selling. Both days are included. */
// @__NO_SIDE_EFFECTS__
const base = () => ({
  name: trimmed(longestRuleName, 1),
  scope: v.object({
    categories: v.nullable(v.pipe(v.array(sector), v.maxLength(50))),
    ticket_types: v.nullable(v.pipe(v.array(ticketTypeName), v.maxLength(20))),
    channels: v.nullable(v.pipe(v.array(v.picklist(saleChannels)), v.maxLength(2))),
    first_day: day,
    last_day: day,
  }),
  /** Whether another rule that says so may lower the same ticket's price, too. */
  meets: v.boolean(),
});

/** It counts only for buyers with a code; missing: for all. */
// @__NO_SIDE_EFFECTS__
const byCode = () => ({ opened_by_code: v.optional(v.boolean()) });

/** Exactly one of the two is set. */
// @__NO_SIDE_EFFECTS__
const less = () => ({
  percent: v.nullable(whole(ruleBounds.percent)),
  off_cents: v.nullable(cents),
});

/**
 * A package says its types in `parts`, so its scope names none. Each place in the contract has a
 * shape of its own, because the OpenAPI document names it by that place.
 */
// @__NO_SIDE_EFFECTS__
const rule = () =>
  v.variant('kind', [
    v.object({
      ...base(),
      ...byCode(),
      kind: v.literal('every'),
      n: whole(ruleBounds.n),
      k: whole({ min: 1, max: ruleBounds.n.max }),
      price_cents: cents,
      grouped: v.picklist(groupings),
      spread: v.boolean(),
      least_cents: v.nullable(cents),
      most: whole(ruleBounds.most),
    }),
    v.object({
      ...base(),
      ...byCode(),
      kind: v.literal('package'),
      parts: v.pipe(
        v.array(
          v.object({
            ticket_types: v.pipe(v.array(ticketTypeName), v.maxLength(20)),
            count: whole(ruleBounds.count),
          }),
        ),
        v.maxLength(ruleBounds.parts.max),
      ),
      price_cents: cents,
      most: whole(ruleBounds.most),
    }),
    v.object({
      ...base(),
      ...byCode(),
      kind: v.literal('group'),
      from_places: whole(ruleBounds.from_places),
      percent: v.nullable(whole(ruleBounds.percent)),
      price_cents: v.nullable(cents),
      free_every: v.nullable(whole(ruleBounds.free_every)),
    }),
    v.object({ ...base(), kind: v.literal('code'), ...less() }),
    v.object({ ...base(), kind: v.literal('convention'), ...less() }),
  ]);

const typedRule = v.pipe(
  rule(),
  v.check((typed) => ruleFaults(typed).length === 0, 'a rule within its bounds'),
);

const given = v.object({ tickets: v.number(), cents: v.number() });

/** `given`: what its confirmed orders saved, all versions of the rule together. */
const knownRule = v.object({
  rule_id: v.string(),
  of: v.picklist(['house', 'show', 'event']),
  sentence: v.string(),
  /** As a buyer reads it beside a ticket. */
  reason: v.string(),
  time: v.picklist(['now', 'later', 'past']),
  rule: rule(),
  given,
});

const rulesDesk = v.object({
  /** The house's first, then the show's, then the date's, each from the oldest. */
  rules: v.array(knownRule),
  /** Rules that were removed after they had given something. */
  ended: v.array(v.object({ rule_id: v.string(), name: v.string(), given })),
  /** Places that are sold or being bought, which no change touches. */
  sold: v.number(),
  categories: v.array(v.string()),
  ticket_types: v.array(v.object({ ticketType: v.string(), label: v.string() })),
  /** Dates on which a cart can be tried, the soonest first. */
  dates: v.array(v.object({ id: v.string(), title: v.string(), starts_at: timeOut })),
});

const house = '/api/admin/price-rules/';
const ofShow = '/api/admin/shows/:showId/price-rules';
const ofEvent = '/api/admin/events/:eventId/price-rules';
const saved = v.object({ rule_id: v.string() });
const wrong = ['rule_names_unknown', 'rules_too_many', 'older_process_runs'] as const;

export const listHouseRules = endpoint('GET', house, {
  who: 'see_prices',
  summary: 'The price rules of the whole house',
  reply: rulesDesk,
});

export const listShowRules = endpoint('GET', ofShow, {
  who: 'see_prices',
  refusals: ['show_not_found'],
  summary: 'The price rules of a show, with those of the house',
  reply: rulesDesk,
});

export const listEventRules = endpoint('GET', ofEvent, {
  who: 'see_prices',
  refusals: ['event_not_found'],
  summary: 'The price rules that count for a date, with those of its show and the house',
  reply: rulesDesk,
});

export const addHouseRule = endpoint('POST', house, {
  who: 'edit_events',
  limit: 'form',
  refusals: wrong,
  summary: 'Add a price rule for all dates of the house',
  body: typedRule,
  reply: saved,
});

export const addShowRule = endpoint('POST', ofShow, {
  who: 'edit_events',
  limit: 'form',
  refusals: ['show_not_found', ...wrong],
  summary: 'Add a price rule for all dates of a show',
  body: typedRule,
  reply: saved,
});

export const addEventRule = endpoint('POST', ofEvent, {
  who: 'edit_events',
  limit: 'form',
  refusals: ['event_not_found', ...wrong],
  summary: 'Add a price rule for one date',
  body: typedRule,
  reply: saved,
});

/** A new version replaces the old one; orders keep the rules that they were sold by. */
export const changeRule = endpoint('PUT', '/api/admin/price-rules/:ruleId', {
  who: 'edit_events',
  limit: 'form',
  refusals: ['rule_not_found', ...wrong],
  summary: 'Replace a price rule by a new version of it',
  body: typedRule,
  reply: saved,
});

export const endRule = endpoint('DELETE', '/api/admin/price-rules/:ruleId', {
  who: 'edit_events',
  refusals: ['rule_not_found'],
  summary: 'End a price rule; what was sold by it keeps its price',
});

/** The most tickets in a cart that is tried, as in the largest one that can be sold. */
export const mostTried = 100;

const triedTickets = v.pipe(
  v.array(
    v.object({
      category: sector,
      ticket_type: ticketTypeName,
      quantity: whole({ min: 1, max: mostTried }),
    }),
  ),
  v.minLength(1),
  v.maxLength(20),
  v.check((lines) => lines.reduce((sum, { quantity }) => sum + quantity, 0) <= mostTried),
);

/** Reckons a cart at any moment: list prices of its phase, rules of now; sells nothing. */
export const tryRules = endpoint('POST', '/api/admin/events/:eventId/price-rules/trial', {
  who: 'see_prices',
  refusals: ['event_not_found', 'rules_too_many', 'rule_names_unknown', 'provider_silent'],
  summary: 'What a cart costs under the rules of a date, and why',
  body: v.object({
    tickets: triedTickets,
    at: timeIn,
    channel: v.picklist(saleChannels),
    /** Rules that the buyer has opened by a code or chosen as a convention. */
    opened: v.optional(v.pipe(v.array(text(60, 1)), v.maxLength(20))),
  }),
  reply: v.object({
    list_cents: v.number(),
    /** Surcharges, within the total, and the commission among them. */
    fee_cents: v.number(),
    service_cents: v.number(),
    total_cents: v.number(),
    /** Tickets at one price for one reason are together. */
    lines: v.array(
      v.object({
        category: v.string(),
        label: v.string(),
        quantity: v.number(),
        /** Of each ticket, without its fee. */
        list_cents: v.number(),
        price_cents: v.number(),
        reasons: v.array(
          v.object({ rule_id: v.string(), words: v.string(), off_cents: v.number() }),
        ),
      }),
    ),
    /** The total with each way to group the tickets of a rule of kind `every`. */
    groupings: v.array(
      v.object({
        rule_id: v.string(),
        name: v.string(),
        grouped: v.picklist(groupings),
        cheapest_cents: v.number(),
        best_cents: v.number(),
      }),
    ),
  }),
});
