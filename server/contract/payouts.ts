/**
 * Payouts on the wire: what Stripe has paid out to the bank, line by line, and what is still on
 * its way.
 */
import * as v from 'valibot';
import {
  lineStandings,
  movementKinds,
  payoutStates,
  sumKinds,
} from '#server/domain/payment/payout.ts';
import { endpoint, pageAsk, pageOf, timeOut, yesNo } from './endpoint.ts';

const { limit, cursor } = pageAsk;
const onePage = { limit: v.optional(limit), cursor };

/**
 * `read`: the lines are known. `sum_cents`: the sum of the lines. `automatic` false: the payout
 * was requested by hand at Stripe, which then lists no lines.
 */
const payout = v.object({
  payout_id: v.string(),
  amount_cents: v.number(),
  state: v.picklist(payoutStates),
  automatic: v.boolean(),
  failure: v.nullable(v.string()),
  bank_reference: v.nullable(v.string()),
  created_at: timeOut,
  arrives_at: timeOut,
  read: v.boolean(),
  sum_cents: v.nullable(v.number()),
  lines: v.number(),
  differences: v.number(),
});

/**
 * `days`: how much money becomes available on each day in Rome. If a sum is below zero, Stripe
 * keeps it back from the next payouts.
 */
const onTheWay = v.object({
  net_cents: v.number(),
  lines: v.number(),
  days: v.array(v.object({ day: v.string(), net_cents: v.number(), lines: v.number() })),
});

/** `read_until`: all movements at Stripe up to this time are known; null: none was read yet. */
export const listPayouts = endpoint('GET', '/api/admin/payouts/', {
  who: 'see_money',
  summary: 'Payouts to the bank, newest first, and what is still on its way',
  query: v.object(onePage),
  reply: v.object({
    ...pageOf(payout),
    read_until: v.nullable(timeOut),
    on_the_way: onTheWay,
  }),
});

const sum = {
  lines: v.number(),
  gross_cents: v.number(),
  fee_cents: v.number(),
  net_cents: v.number(),
};

/** `break_id`: its open difference in «Da sistemare»; null: none. */
export const readPayout = endpoint('GET', '/api/admin/payouts/:payoutId', {
  who: 'see_money',
  summary: 'One payout with its sums',
  refusals: ['payout_not_found'],
  reply: v.object({
    ...payout.entries,
    sums: v.array(v.object({ kind: v.picklist(sumKinds), ...sum })),
    break_id: v.nullable(v.string()),
  }),
});

/**
 * `our_cents`: the amount in our book, never below zero; null: our book has none. `our_fee_cents`
 * is for payments only.
 */
const line = v.object({
  line_id: v.string(),
  kind: v.picklist(movementKinds),
  standing: v.picklist(lineStandings),
  source_id: v.nullable(v.string()),
  description: v.nullable(v.string()),
  gross_cents: v.number(),
  fee_cents: v.number(),
  net_cents: v.number(),
  our_cents: v.nullable(v.number()),
  our_fee_cents: v.nullable(v.number()),
  created_at: timeOut,
  order_id: v.nullable(v.string()),
  order_number: v.nullable(v.string()),
  buyer_name: v.nullable(v.string()),
  event_title: v.nullable(v.string()),
  event_starts_at: v.nullable(timeOut),
});

/** `differing=true`: only the lines that do not agree, all on one page. */
export const listPayoutLines = endpoint('GET', '/api/admin/payouts/:payoutId/lines', {
  who: 'see_money',
  summary: 'The lines of a payout, newest first, beside what our book has of each',
  refusals: ['payout_not_found'],
  query: v.object({ ...onePage, differing: yesNo }),
  reply: v.object(pageOf(line)),
});

/** `excel`: as Italian Excel opens it; `plain`: comma, decimal point, ISO times. */
export const exportPayout = endpoint('GET', '/api/admin/payouts/:payoutId/lines.csv', {
  who: 'see_money',
  work: 'payout_file',
  limit: 'document',
  file: 'text/csv',
  summary: 'The lines of a payout as a file',
  refusals: ['payout_not_found'],
  query: v.object({ format: v.optional(v.picklist(['excel', 'plain'])) }),
});

/** 204 immediately; the worker reads within seconds. */
export const askPayouts = endpoint('POST', '/api/admin/payouts/read', {
  who: 'see_money',
  summary: 'Read payouts and movements from Stripe now',
});
