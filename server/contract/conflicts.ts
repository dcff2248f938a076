/** Conflicts at the door on the wire: one ticket scanned in twice, and a person’s decision about it. */
import * as v from 'valibot';
import { conflictAnswers, means } from '#server/domain/admission.ts';
import { endpoint, listAsk, pageOf, text, timeOut } from './endpoint.ts';

const side = v.object({
  admission_id: v.string(),
  at: timeOut,
  received_at: timeOut,
  gate: v.nullable(v.string()),
  phone_id: v.nullable(v.string()),
  by: v.string(),
  offline: v.boolean(),
  means: v.picklist(means),
  override: v.nullable(v.string()),
});

/** `first` is the admission, `second` the way in that came after it without a way out between; `admission_id` names the second. */
const conflict = v.object({
  admission_id: v.string(),
  event_id: v.string(),
  event_title: v.string(),
  ticket_id: v.nullable(v.string()),
  place: v.string(),
  seat: v.string(),
  category: v.string(),
  type_label: v.nullable(v.string()),
  first: side,
  second: side,
  minutes_apart: v.number(),
  settled: v.nullable(
    v.object({
      at: timeOut,
      by: v.string(),
      as: v.picklist(conflictAnswers),
      note: v.nullable(v.string()),
    }),
  ),
});

export const listConflicts = endpoint('GET', '/api/admin/conflicts', {
  who: 'admit',
  limit: 'read',
  summary: 'Second ways in, the newest first',
  /** `open=1`: only those that nobody has settled. `q`: seat, event, gates and phones of both. */
  query: v.object({
    ...listAsk,
    event_id: v.optional(text(100)),
    open: v.optional(v.literal('1')),
  }),
  /** `open` counts all that are open, shown or not. */
  reply: v.object({ ...pageOf(conflict), open: v.number() }),
});

/** Both scans stay as they are; it may be said anew, the last word holds. @throws conflict_gone when it is none any more */
export const settleConflict = endpoint('POST', '/api/admin/conflicts/:admissionId', {
  who: 'settle_door',
  limit: 'change',
  refusals: ['admission_not_found', 'conflict_gone'],
  summary: 'Say what a second way in was',
  body: v.object({
    as: v.picklist(conflictAnswers),
    note: v.optional(v.nullable(v.pipe(text(200), v.trim()))),
  }),
  reply: conflict,
});
