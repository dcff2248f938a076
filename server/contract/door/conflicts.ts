/**
 * Conflicts at the door on the wire: one ticket scanned in twice, and a person’s decision about
 * it.
 */
import * as v from 'valibot';
import { conflictAnswers, means } from '#server/domain/door/admission.ts';
import { endpoint, pageOf, timeOut } from '#server/contract/endpoint.ts';
import { noteIn, scannedTicket, settled, unsettledAsk } from './unsettled.ts';

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

/**
 * `first` is the admission, `second` a later way in with no way out between them; `admission_id`
 * is that of the second.
 */
const conflict = v.object({
  ...scannedTicket,
  first: side,
  second: side,
  minutes_apart: v.number(),
  settled: v.nullable(v.object({ ...settled, as: v.picklist(conflictAnswers) })),
});

export const listConflicts = endpoint('GET', '/api/admin/conflicts', {
  who: 'admit',
  summary: 'Second ways in, the newest first',
  query: unsettledAsk,
  /** `open` is the number of all open conflicts, on this page or not. */
  reply: v.object({ ...pageOf(conflict), open: v.number() }),
});

/**
 * Both scans stay as they are; the decision may be changed, and the last one is valid.
 * @throws conflict_gone when it is not a conflict any more
 */
export const settleConflict = endpoint('POST', '/api/admin/conflicts/:admissionId', {
  who: 'settle_door',
  refusals: ['admission_not_found', 'conflict_gone'],
  summary: 'Say what a second way in was',
  body: v.object({ as: v.picklist(conflictAnswers), note: noteIn }),
  reply: conflict,
});
