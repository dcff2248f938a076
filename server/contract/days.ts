/**
 * The closing of a day on the wire: all tills against the cash for the bank, the card terminals
 * and what was paid online (RULES K8). Money in cents, days in Rome.
 */
import * as v from 'valibot';
import { dayIn, endpoint, text, timeOut, trimmed, wholeNumber } from './endpoint.ts';
import { pieces } from './shifts.ts';

const most = 100_000_000;
const sum = v.pipe(v.number(), v.integer(), v.minValue(-most), v.maxValue(most));
const moved = { taken_cents: v.number(), given_cents: v.number() };
const terminals = v.record(text(40, 1), sum);

const shiftOfDay = v.object({
  shift_id: v.string(),
  till_id: v.string(),
  till_name: v.string(),
  user_name: v.string(),
  opened_at: timeOut,
  closed_at: timeOut,
  float_cents: v.number(),
  cash_sales_cents: v.number(),
  cash_refunds_cents: v.number(),
  moved_in_cents: v.number(),
  moved_out_cents: v.number(),
  counted_cents: v.number(),
  pos: v.object(moved),
});

/** `outside`: handed over in no till, by method. */
const figures = v.object({
  shifts: v.array(shiftOfDay),
  outside: v.array(v.object({ method: v.string(), ...moved })),
  online: v.object({ payments: v.number(), refunds: v.number(), ...moved }),
});

/**
 * `cash.expected_cents`: what is to be taken to the bank, `found_cents`: by the counts of the
 * shifts. `takings`: what the day took, less what it gave back.
 */
const reckoning = v.object({
  cash: v.object({
    expected_cents: v.number(),
    found_cents: v.number(),
    banked_cents: v.number(),
    left_cents: v.number(),
    difference_cents: v.number(),
  }),
  terminals: v.array(
    v.object({
      shift_id: v.string(),
      expected_cents: v.number(),
      typed_cents: v.number(),
      difference_cents: v.number(),
    }),
  ),
  pos: v.object({
    expected_cents: v.number(),
    typed_cents: v.number(),
    difference_cents: v.number(),
  }),
  takings: v.object({
    cash_cents: v.number(),
    pos_cents: v.number(),
    outside_cents: v.number(),
    online_cents: v.number(),
    total_cents: v.number(),
  }),
});

const counted = {
  nth: v.number(),
  pieces: v.record(v.string(), v.number()),
  left_cents: v.number(),
  terminals: v.record(v.string(), v.number()),
  counted_at: timeOut,
  counted_by: v.string(),
  figures,
  reckoning,
};

/** `corrects`: the number of the sheet in whose place it stands. */
const signed = v.object({
  ...counted,
  corrects: v.nullable(v.number()),
  signed_at: timeOut,
  signed_by: v.string(),
  handed_to: v.string(),
  difference_reason: v.nullable(v.string()),
});

/**
 * `counted`: counted and not signed yet; before that no expected sum is told. `signed`: newest
 * first. `changed`: money came or went after the newest was signed.
 */
const daySheet = v.object({
  day: v.string(),
  shifts: v.array(
    v.object({
      shift_id: v.string(),
      till_name: v.string(),
      user_name: v.string(),
      opened_at: timeOut,
      closed_at: v.nullable(timeOut),
    }),
  ),
  /** What the tills had at the beginning of the day. */
  float_cents: v.number(),
  counted: v.nullable(v.object(counted)),
  signed: v.array(signed),
  changed: v.boolean(),
});

/** `sheet`: the newest signed one. */
export const listDays = endpoint('GET', '/api/admin/days', {
  who: 'close_days',
  summary: 'The last days on which a till was open, newest first, with their closing',
  reply: v.object({
    items: v.array(
      v.object({
        day: v.string(),
        shifts: v.number(),
        open_shifts: v.number(),
        sheet: v.nullable(signed),
      }),
    ),
  }),
});

export const readDaySheet = endpoint('GET', '/api/admin/days/sheet', {
  who: 'close_days',
  summary: 'The closing of a day',
  query: v.object({ day: dayIn }),
  reply: daySheet,
});

/**
 * `pieces`: the coins and notes for the bank. `left_cents`: what stays in the drawers.
 * `terminals`: the total of each shift's card terminal; left out: nothing. `corrects`: the number
 * of the newest signed sheet.
 */
export const countDaySheet = endpoint('PUT', '/api/admin/days/count', {
  who: 'close_days',
  refusals: ['day_ahead', 'day_shift_open', 'day_signed'],
  summary: 'Count the cash of a day and type the totals of the card terminals',
  body: v.object({
    day: dayIn,
    pieces,
    left_cents: v.pipe(sum, v.minValue(0)),
    terminals,
    corrects: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  }),
  reply: daySheet,
});

/** `expected`: the sums that the person saw. */
export const signDaySheet = endpoint('POST', '/api/admin/days/sign', {
  who: 'close_days',
  refusals: ['day_not_counted', 'day_shift_open', 'day_changed', 'day_unexplained'],
  summary: 'Sign the closing of a day',
  body: v.object({
    day: dayIn,
    expected: v.object({ cash_cents: sum, pos_cents: sum }),
    handed_to: trimmed(200, 2),
    difference_reason: v.optional(text(500)),
  }),
  reply: daySheet,
});

const one = {
  day: dayIn,
  nth: wholeNumber(1, 9_999),
};

export const downloadDaySheet = endpoint('GET', '/api/admin/days/chiusura.pdf', {
  who: 'close_days',
  limit: 'document',
  refusals: ['day_sheet_not_found'],
  summary: 'A signed closing of a day on paper',
  query: v.object(one),
  file: 'application/pdf',
});

/** `excel`: as Italian Excel opens it; `plain`: comma, decimal point. */
export const exportDaySheet = endpoint('GET', '/api/admin/days/chiusura.csv', {
  who: 'close_days',
  limit: 'document',
  refusals: ['day_sheet_not_found'],
  summary: 'A signed closing of a day as a file',
  query: v.object({ ...one, format: v.optional(v.picklist(['excel', 'plain'])) }),
  file: 'text/csv',
});
