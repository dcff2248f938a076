/**
 * Differences on the wire: the list of those between our books and a provider's, the actions that
 * settle them, and the comparison that finds them.
 */
import * as v from 'valibot';
import { breakActions, breakKinds } from '#server/domain/office/break.ts';
import { endpoint, listAsk, pageOf, text, timeOut, yesNo } from './endpoint.ts';

/**
 * `subject`: a Stripe session, payment or price, the seat map's event, or a place (`place` is the
 * place's label alone). `detail`: the facts of both sides, which depend on `kind`. `settlement`:
 * an action, or 'gone' when the difference ended by itself. `actions`: what may be done now;
 * empty for a settled difference.
 */
const foundBreak = v.object({
  break_id: v.string(),
  kind: v.picklist(breakKinds),
  subject: v.string(),
  place: v.string(),
  event_id: v.nullable(v.string()),
  event_title: v.nullable(v.string()),
  event_starts_at: v.nullable(timeOut),
  order_id: v.nullable(v.string()),
  order_number: v.nullable(v.string()),
  detail: v.record(v.string(), v.unknown()),
  found_at: timeOut,
  seen_at: timeOut,
  settled_at: v.nullable(timeOut),
  settled_by: v.nullable(v.string()),
  settlement: v.nullable(v.string()),
  note: v.nullable(v.string()),
  actions: v.array(v.picklist(breakActions)),
});

/** `open=false` lists the settled differences. */
export const listBreaks = endpoint('GET', '/api/admin/breaks/', {
  who: 'settle_differences',
  summary: 'Differences between the providers and us, newest first',
  /** `q`: event, order number, subject. */
  query: v.object({ ...listAsk, open: yesNo }),
  reply: v.object(pageOf(foundBreak)),
});

/**
 * 204 if the difference is gone or was noted. 409 break_settled: it was settled before; 409
 * break_persists: it still exists.
 */
export const settleBreak = endpoint('POST', '/api/admin/breaks/:breakId/settle', {
  who: 'settle_differences',
  refusals: [
    'break_not_found',
    'break_settled',
    'break_persists',
    'action_not_possible',
    'refund_changed',
  ],
  summary: 'Mend a difference, or take note of it',
  body: v.object({ action: v.picklist(breakActions), note: v.optional(text(500)) }),
});

/**
 * `compared_until`: the books of both sides have been compared up to then; null before the first
 * night.
 */
const comparison = v.object({
  running: v.boolean(),
  started_at: v.nullable(timeOut),
  finished_at: v.nullable(timeOut),
  compared_until: v.nullable(timeOut),
  found: v.number(),
});

export const readComparison = endpoint('GET', '/api/admin/comparison', {
  who: 'settle_differences',
  summary: 'The last comparison of the books, or the one that runs',
  reply: comparison,
});

/** The worker compares within seconds; another call while it runs changes nothing. */
export const startComparison = endpoint('POST', '/api/admin/comparison', {
  who: 'settle_differences',
  summary: 'Compare all sessions, seats and prices with the providers now',
  reply: comparison,
});
