/** Scans in doubt on the wire: what a phone was not allowed to do, and the office's word on it. */
import * as v from 'valibot';
import { directions, verdicts } from '#server/domain/admission.ts';
import { doubtAnswers, doubts } from '#server/domain/doubt.ts';
import { countUpTo, endpoint, text, timeOut } from './endpoint.ts';

const doubtful = v.object({
  admission_id: v.string(),
  event_id: v.string(),
  event_title: v.string(),
  ticket_id: v.nullable(v.string()),
  place: v.string(),
  seat: v.string(),
  category: v.string(),
  type_label: v.nullable(v.string()),
  doubt: v.picklist(doubts),
  verdict: v.picklist(verdicts),
  direction: v.picklist(directions),
  /** By the phone's clock, as the phone corrected it. */
  at: timeOut,
  received_at: timeOut,
  gate: v.nullable(v.string()),
  by: v.string(),
  note: v.nullable(v.string()),
  /** The scan that it would take back. */
  annuls: v.nullable(v.object({ at: timeOut, by: v.string() })),
  /** Said not to count; null: nobody has said anything. One that counts is in doubt no more, and not here. */
  settled: v.nullable(v.object({ at: timeOut, by: v.string(), note: v.nullable(v.string()) })),
});

export const listDoubts = endpoint('GET', '/api/admin/doubts', {
  who: 'admit',
  limit: 'read',
  summary: 'Scans that count nothing until the office says so, the newest first',
  /** `open=1`: only those about which nobody has said anything. */
  query: v.object({
    event_id: v.optional(text(100)),
    open: v.optional(v.literal('1')),
    limit: countUpTo(200),
  }),
  /** The newest; `open` counts all that are open, shown or not. */
  reply: v.object({ items: v.array(doubtful), open: v.number() }),
});

/** `counts` is the last word: from then on it is a scan like any other, and may be taken back like one. @throws doubt_gone when it is not in doubt any more */
export const settleDoubt = endpoint('POST', '/api/admin/doubts/:admissionId', {
  who: 'settle_door',
  limit: 'change',
  refusals: ['admission_not_found', 'doubt_gone'],
  summary: 'Say whether a doubtful scan counts',
  body: v.object({
    as: v.picklist(doubtAnswers),
    note: v.optional(v.nullable(v.pipe(text(200), v.trim()))),
  }),
  reply: v.object({ admission_id: v.string(), counts: v.boolean() }),
});
