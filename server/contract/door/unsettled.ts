/**
 * The parts that conflicts and scans in doubt share on the wire: the scanned ticket, and the
 * office's decision.
 */
import * as v from 'valibot';
import { listAsk, text, timeOut } from '#server/contract/endpoint.ts';

export const scannedTicket = {
  admission_id: v.string(),
  event_id: v.string(),
  event_title: v.string(),
  event_starts_at: timeOut,
  ticket_id: v.nullable(v.string()),
  place: v.string(),
  seat: v.string(),
  category: v.string(),
  type_label: v.nullable(v.string()),
};

/** The office's decision. */
export const settled = { at: timeOut, by: v.string(), note: v.nullable(v.string()) };

/** A note on the office's decision. */
export const noteIn = v.optional(v.nullable(v.pipe(text(200), v.trim())));

/**
 * `open=1`: only the undecided ones. `q`: seat, event, and the gates and phones of both scans.
 */
export const unsettledAsk = v.object({
  ...listAsk,
  event_id: v.optional(text(100)),
  open: v.optional(v.literal('1')),
});
