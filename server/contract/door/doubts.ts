/**
 * Scans in doubt on the wire: scans that a phone was not allowed to make, and the office's
 * decisions.
 */
import * as v from 'valibot';
import { directions, verdicts } from '#server/domain/door/admission.ts';
import { doubtAnswers, doubts } from '#server/domain/door/doubt.ts';
import { endpoint, pageOf, timeOut } from '#server/contract/endpoint.ts';
import { noteIn, scannedTicket, settled, unsettledAsk } from './unsettled.ts';

const doubtful = v.object({
  ...scannedTicket,
  doubt: v.picklist(doubts),
  verdict: v.picklist(verdicts),
  direction: v.picklist(directions),
  /** The time by the phone's clock, as the phone corrected it. */
  at: timeOut,
  received_at: timeOut,
  gate: v.nullable(v.string()),
  by: v.string(),
  note: v.nullable(v.string()),
  /** The scan that this one would take back. */
  annuls: v.nullable(v.object({ at: timeOut, by: v.string() })),
  /**
   * The decision that the scan does not count; null: undecided. A scan that the office lets count
   * is no longer in doubt and not listed.
   */
  settled: v.nullable(v.object(settled)),
});

export const listDoubts = endpoint('GET', '/api/admin/doubts', {
  who: 'admit',
  summary: 'Scans that count nothing until the office says so, the newest first',
  query: unsettledAsk,
  /** `open` is the number of all undecided scans, on this page or not. */
  reply: v.object({ ...pageOf(doubtful), open: v.number() }),
});

/**
 * `counts` is final: from then on the scan is like any other, and may be taken back.
 * @throws doubt_gone when it is not in doubt any more
 */
export const settleDoubt = endpoint('POST', '/api/admin/doubts/:admissionId', {
  who: 'settle_door',
  refusals: ['admission_not_found', 'doubt_gone'],
  summary: 'Say whether a doubtful scan counts',
  body: v.object({ as: v.picklist(doubtAnswers), note: noteIn }),
  reply: v.object({ admission_id: v.string(), counts: v.boolean() }),
});
