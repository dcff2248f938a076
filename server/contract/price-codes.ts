/**
 * Codes of price rules on the wire: what opens a rule for a buyer, its limits and uses, and codes
 * for many people at once (RULES P7).
 */
import * as v from 'valibot';
import { codeLimitBounds, longestHolder, mostCodesAtOnce } from '#server/domain/price/code.ts';
import { typedCode } from './typed-code.ts';
import { endpoint, listAsk, pageOf, timeOut, trimmed } from './endpoint.ts';

const limit = v.nullable(
  v.pipe(v.number(), v.integer(), v.minValue(codeLimitBounds.min), v.maxValue(codeLimitBounds.max)),
);

/** Null: no limit. A day is one of Rome; the address is the buyer's mail. */
const limits = {
  most_orders: limit,
  most_tickets: limit,
  most_orders_a_day: limit,
  most_orders_an_address: limit,
};

const holder = trimmed(longestHolder, 1);

const code = v.object({
  code_id: v.string(),
  spelling: v.string(),
  /** Whom a personal code is for. */
  holder: v.nullable(v.string()),
  most_orders: v.nullable(v.number()),
  most_tickets: v.nullable(v.number()),
  most_orders_a_day: v.nullable(v.number()),
  most_orders_an_address: v.nullable(v.number()),
  /** Uses that hold: those of orders that are paid, or may still be. */
  orders_used: v.number(),
  tickets_used: v.number(),
  created_at: timeOut,
  /** The name of the person who made it. */
  actor: v.string(),
  /** Null: it opens its rule. */
  ended_at: v.nullable(timeOut),
});

const ofRule = '/api/admin/price-rules/:ruleId/codes';
const one = '/api/admin/price-codes/:codeId';
const wrongRule = ['rule_not_found', 'rule_takes_no_code'] as const;

/** The newest first; `q` looks in spellings and holders. */
export const listRuleCodes = endpoint('GET', ofRule, {
  who: 'edit_events',
  refusals: ['rule_not_found'],
  summary: 'The codes of a price rule with their uses',
  query: v.object(listAsk),
  reply: v.object(pageOf(code)),
});

/** 5 to 30 letters and digits; case, spaces and hyphens do not count. */
export const addRuleCode = endpoint('POST', ofRule, {
  who: 'edit_events',
  limit: 'form',
  refusals: [...wrongRule, 'code_spelling_wrong', 'code_in_use'],
  summary: 'Give a price rule a code with this spelling',
  body: v.object({ spelling: typedCode, holder: v.nullable(holder), ...limits }),
  reply: v.object({ code_id: v.string(), spelling: v.string() }),
});

/** Exactly one of `holders` (a code for each) and `count`. */
export const makeRuleCodes = endpoint('POST', `${ofRule}/personal`, {
  who: 'edit_events',
  limit: 'form',
  refusals: [...wrongRule, 'codes_too_many'],
  summary: 'Make many codes of a price rule, whose spellings nobody can guess',
  body: v.object({
    holders: v.nullable(v.pipe(v.array(holder), v.minLength(1), v.maxLength(mostCodesAtOnce))),
    count: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostCodesAtOnce))),
    ...limits,
  }),
  reply: v.object({ made: v.number() }),
});

/** All codes of a rule, with the address that carries each to a date's page. */
export const exportRuleCodes = endpoint('GET', `${ofRule}.csv`, {
  who: 'edit_events',
  work: 'codes_file',
  limit: 'document',
  file: 'text/csv',
  refusals: ['rule_not_found'],
  summary: 'The codes of a price rule as a file',
});

/** Uses that are more than a new limit stay. */
export const changeRuleCode = endpoint('PUT', one, {
  who: 'edit_events',
  limit: 'form',
  refusals: ['code_not_found'],
  summary: 'Change the holder and the limits of a code',
  body: v.object({ holder: v.nullable(holder), ...limits }),
});

/** Orders that used it keep their price. */
export const endRuleCode = endpoint('DELETE', one, {
  who: 'edit_events',
  refusals: ['code_not_found'],
  summary: 'End a code of a price rule; its spelling is never used again',
});
