/** Shifts at the tills on the wire: the drawer of one person, from the opening float to the count. Money in cents, times ISO. */
import * as v from 'valibot';
import { endpoint, pageAsk, pageOf, text, timeOut } from './endpoint.ts';

const cents = v.pipe(v.number(), v.integer(), v.minValue(-10_000_000), v.maxValue(10_000_000));
const reason = v.pipe(text(500), v.trim(), v.minLength(3));
const pieces = v.record(
  v.pipe(v.string(), v.regex(/^\d{1,5}$/)),
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000)),
);

const head = {
  shift_id: v.string(),
  user_name: v.string(),
  till_id: v.string(),
  till_name: v.string(),
  float_cents: v.number(),
  opened_at: timeOut,
  closed_at: v.nullable(timeOut),
  /** Null until it is closed, like all that was counted. */
  counted_cents: v.nullable(v.number()),
  expected_cents: v.nullable(v.number()),
  difference_reason: v.nullable(v.string()),
};
const byMethod = v.array(
  v.object({ method: v.string(), count: v.number(), amount_cents: v.number() }),
);

/** `report` is the X reading of an open shift, and what was read when it closed. */
export const shift = v.object({
  ...head,
  pieces: v.nullable(pieces),
  report: v.object({
    cash_sales_cents: v.number(),
    cash_refunds_cents: v.number(),
    moved_in_cents: v.number(),
    moved_out_cents: v.number(),
    /** What should lie in the drawer. */
    expected_cents: v.number(),
    payments: byMethod,
    refunds: byMethod,
    moves: v.array(v.object({ amount_cents: v.number(), reason: v.string(), at: timeOut })),
    sold: v.array(
      v.object({
        event_id: v.string(),
        event_title: v.string(),
        starts_at: timeOut,
        type_label: v.string(),
        gift: v.boolean(),
        tickets: v.number(),
        amount_cents: v.number(),
      }),
    ),
    gifts: v.array(
      v.object({
        order_id: v.string(),
        number: v.string(),
        event_title: v.string(),
        gift_reason: v.string(),
        tickets: v.number(),
      }),
    ),
  }),
});

/** One open shift per person and per till. */
export const openShift = endpoint('POST', '/api/admin/counter/shifts', {
  who: 'shift',
  limit: 'change',
  refusals: ['till_unknown', 'shift_open', 'till_busy'],
  summary: 'Open a drawer with its float',
  body: v.object({
    till_id: text(40, 1),
    float_cents: v.pipe(cents, v.minValue(0)),
  }),
  reply: shift,
});

/** Newest first; the office sees those of all. */
export const listShifts = endpoint('GET', '/api/admin/counter/shifts', {
  who: 'shift',
  limit: 'read',
  summary: 'Shifts at the tills',
  query: v.object(pageAsk),
  reply: v.object(pageOf(v.object(head))),
});

export const readShift = endpoint('GET', '/api/admin/counter/shifts/:shiftId', {
  who: 'shift',
  limit: 'read',
  refusals: ['shift_not_found'],
  summary: 'A shift with its reading',
  reply: shift,
});

/** Above zero: put in; below: taken out. Of the caller's open shift. */
export const moveCash = endpoint('POST', '/api/admin/counter/shifts/moves', {
  who: 'shift',
  limit: 'change',
  refusals: ['shift_not_open'],
  summary: 'Put money into the drawer or take it out',
  body: v.object({
    amount_cents: v.pipe(
      cents,
      v.check((amount) => amount !== 0),
    ),
    reason,
  }),
  reply: shift,
});

/** Of the caller's open shift; nothing of it changes afterwards. `pieces`: how many of each coin and note, by its cents. */
export const closeShift = endpoint('POST', '/api/admin/counter/shifts/close', {
  who: 'shift',
  limit: 'change',
  refusals: ['shift_not_open', 'shift_changed', 'difference_unexplained'],
  summary: 'Count the drawer and close the shift',
  body: v.object({ pieces, expected_cents: cents, difference_reason: v.optional(text(500)) }),
  reply: shift,
});

export const downloadShift = endpoint('GET', '/api/admin/counter/shifts/:shiftId/turno.pdf', {
  who: 'shift',
  limit: 'document',
  refusals: ['shift_not_found'],
  summary: 'A shift on paper',
  file: 'application/pdf',
});
