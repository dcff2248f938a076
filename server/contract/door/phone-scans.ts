/**
 * Everything that one phone read in a span of time: how much it is, and taking it back at once
 * (RULES A13).
 */
import * as v from 'valibot';
import { endpoint, timeIn, trimmed } from '#server/contract/endpoint.ts';

/** By the corrected time of the scans; `until` is exclusive. */
const span = { from: timeIn, until: timeIn };
/** `passages`: scans that let guests in or out and still count; `doubts`: undecided ones. */
const figures = { passages: v.number(), doubts: v.number() };

const seen = v.pipe(v.number(), v.integer(), v.minValue(0));

export const countPhoneScans = endpoint('GET', '/api/admin/phones/:phoneId/scans', {
  who: 'settle_door',
  refusals: ['phone_not_found'],
  summary: 'How much of one phone would be taken back',
  query: v.object(span),
  reply: v.object(figures),
});

/**
 * Takes the passages back, each by a scan of the desk, and says of the doubts that they do not
 * count: all of it or nothing.
 * @throws scans_changed when there is not exactly as much as was seen before
 */
export const undoPhoneScans = endpoint('POST', '/api/admin/phones/:phoneId/scans/undo', {
  who: 'settle_door',
  refusals: ['phone_not_found', 'scans_changed', 'too_many_scans', 'undo_not_possible'],
  summary: 'Take back everything that one phone read in a span of time',
  body: v.object({
    ...span,
    passages: seen,
    doubts: seen,
    reason: trimmed(200, 1),
  }),
  reply: v.object(figures),
});
