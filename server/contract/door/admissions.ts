/**
 * The door on the wire: what a phone downloads, what it sends, and the office's admissions calls.
 */
import * as v from 'valibot';
import {
  directions,
  means,
  ticketStates,
  verdicts,
  type Verdict,
} from '#server/domain/door/admission.ts';
import { againstReasons, settledAnswers } from '#server/domain/door/against.ts';
import { signaturePattern } from '#server/domain/door/approval.ts';
import { endedWhys } from '#server/domain/door/ended-code.ts';
import { doubts } from '#server/domain/door/doubt.ts';
import { codeChecks, macPattern } from '#server/domain/door/scan-proof.ts';
import { admissionForPhone, doorChanges } from './door-list.ts';
import { countUpTo, endpoint, text, timeIn, timeOut, trimmed } from '#server/contract/endpoint.ts';

const direction = v.picklist(directions);
const verdict = v.picklist(verdicts);
const anyVerdict: Verdict = 'verify';

/**
 * The number of the wire that the phone speaks (server/domain/door/wire.ts). The server answers in
 * the present number or in the one before; an older app must update, a newer one waits.
 */
const wire = v.optional(text(20));

/**
 * The whole list as the phone stores it. The answer is application/octet-stream: the four letters
 * BTG2, the length of the block as four bytes, the block (server/domain/door/door-block.ts), and
 * then to the end the head as JSON (door-list.ts `doorHead`). It may be some seconds old; the
 * phone gets the later changes by its cursor.
 */
export const pullList = endpoint('GET', '/api/scanner/events/:eventId/list', {
  who: 'phone',
  limit: 'sync',
  refusals: ['event_not_found', 'resync_required', 'update_required', 'server_outdated'],
  gzipped: 'application/octet-stream',
  summary: 'Everything that the door must know of an event',
  query: v.object({ wire }),
});

/**
 * `since` is the cursor of the last answer. If there are too many changes, or none follow the
 * cursor, the phone must fetch the whole list (`resync_required`).
 */
export const pullChanges = endpoint('GET', '/api/scanner/events/:eventId/changes', {
  who: 'phone',
  limit: 'sync',
  refusals: ['event_not_found', 'resync_required', 'update_required', 'server_outdated'],
  summary: 'What changed at the door since the cursor',
  query: v.object({ wire, since: v.optional(text(100)) }),
  reply: doorChanges,
});

/**
 * `from` and `to` are cursors. A phone whose cursor is `from` applies `page` and then has the
 * cursor `to`; any other phone, or one without a page, fetches the changes. The first message of
 * each event has the current cursor in both fields.
 */
const doorNews = v.object({
  event_id: v.string(),
  from: v.string(),
  to: v.string(),
  page: v.optional(doorChanges),
});
export type DoorNews = v.InferOutput<typeof doorNews>;

/**
 * All the phone's events in one stream of `data: <JSON>` messages; a comment every 15 s. It ends
 * when the phone is revoked or its events or role change; the phone then connects again, or reads
 * why it may not.
 */
export const listenDoor = endpoint('GET', '/api/scanner/live', {
  who: 'phone',
  limit: 'sync',
  refusals: ['update_required', 'server_outdated'],
  query: v.object({ wire }),
  summary: 'Hear at once what happens at the doors of the phone’s events',
  stream: doorNews,
});

/** The verdicts with which a person goes in or out. */
const countingVerdicts: readonly string[] = ['admit', 'moved', 'out', 'verify'];

const revision = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1e6));

/**
 * One scan: stored even when the verdict was no. The phone makes the id; `seq` counts without
 * gaps from 0.
 */
export const scan = v.pipe(
  v.object({
    admission_id: text(64, 16),
    seq: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1e12)),
    event_id: text(100, 1),
    /** Where the scan counts: a place and the revision of its ticket. */
    place: v.nullable(text(200)),
    revision: v.nullable(revision),
    /** The text that was read when no ticket was found. */
    read: v.nullable(text(200)),
    direction,
    gate: v.nullable(text(100)),
    /** A word of a later release is stored as `verify`. */
    verdict: v.fallback(verdict, anyVerdict),
    counts: v.boolean(),
    override: v.nullable(text(200)),
    /** The time by the phone's clock, and as the phone corrected it by its measured offset. */
    scanned_at: timeIn,
    corrected_at: timeIn,
    offline: v.boolean(),
    /** How the ticket was named; missing: by its code. */
    means: v.optional(v.picklist(means)),
    /**
     * Which code was read, with the proof of it (RULES A12): the guest's own, perhaps from before a
     * move (M4), or for `group` that of the leader. Null: none was read.
     */
    code_read: v.optional(
      v.nullable(
        v.object({
          place: text(200),
          revision,
          mac: v.pipe(v.string(), v.regex(macPattern)),
        }),
      ),
    ),
    /** Why a ticket was let in without its code, or a scan taken back. */
    note: v.optional(v.nullable(text(200))),
    /** The scan that this one takes back; then the verdict is `undone`. */
    annuls: v.optional(v.nullable(text(64, 16))),
    /**
     * A supervisor's consent to this scan, where the phone needs one (RULES A10); it is stored
     * with the scan and checked again.
     */
    approval: v.optional(
      v.nullable(
        v.object({
          question: text(1_000, 1),
          supervisor_id: text(64, 1),
          signature: v.pipe(v.string(), v.regex(signaturePattern)),
        }),
      ),
    ),
  }),
  v.check(
    ({ verdict, annuls, place }) =>
      (verdict === 'undone') === (annuls != null) && (annuls == null || place !== null),
    'what is taken back has a name and a place',
  ),
  v.check(
    ({ place, revision }) => (place === null) === (revision === null),
    'place and revision go together',
  ),
  v.check(
    ({ verdict, counts, place }) =>
      counts
        ? place !== null && countingVerdicts.includes(verdict)
        : verdict !== 'admit' && verdict !== 'out',
    'what counts fits the verdict',
  ),
);
export type Scan = v.InferOutput<typeof scan>;
export type ScanSent = v.InferInput<typeof scan>;

/**
 * An item leaves the phone's queue only once the answer has its id; an `unreadable` one is shown
 * to a person.
 */
const scanResult = v.object({
  admission_id: v.nullable(v.string()),
  index: v.number(),
  result: v.picklist(['stored', 'conflict', 'unreadable']),
  verdict: v.nullable(verdict),
  conflict_with: v.nullable(v.string()),
  /** What the house knew against this entry, if anything; the office decides what comes of it. */
  against: v.optional(v.nullable(v.picklist(againstReasons))),
});

/**
 * Up to 500 items, each read by itself; the same batch twice is one set of admissions. A revoked
 * phone may send its queue; scans that it was not allowed to make are stored in doubt (RULES A9).
 * `sent_at`: the ISO time by the phone's own clock, which may have been set since the phone last
 * told how wrong it is; ignored if it cannot be read, because the scans count all the same.
 */
export const sendAdmissions = endpoint('POST', '/api/scanner/admissions', {
  who: 'phone',
  evenRevoked: true,
  limit: 'sync',
  refusals: ['server_outdated'],
  summary: 'Hand in scans made at the door',
  query: v.object({ wire }),
  body: v.object({
    items: v.pipe(v.array(v.unknown()), v.maxLength(500)),
    sent_at: v.optional(v.unknown()),
  }),
  reply: v.object({ results: v.array(scanResult), server_time: timeOut }),
});

/** A scan as the office reads it. */
const admissionRow = v.object({
  admission_id: v.string(),
  event_id: v.string(),
  event_title: v.string(),
  event_starts_at: timeOut,
  ticket_id: v.nullable(v.string()),
  seat: v.nullable(v.string()),
  category: v.nullable(v.string()),
  type_label: v.nullable(v.string()),
  order_id: v.nullable(v.string()),
  order_number: v.nullable(v.string()),
  direction,
  verdict,
  counts: v.boolean(),
  override: v.nullable(v.string()),
  read: v.nullable(v.string()),
  scanned_at: timeOut,
  corrected_at: timeOut,
  received_at: timeOut,
  offline: v.boolean(),
  gate: v.nullable(v.string()),
  /** Null: at the desk. */
  phone_id: v.nullable(v.string()),
  by: v.string(),
  conflict_with: v.nullable(v.string()),
  /** What the house knew against this entry; null: nothing. */
  against: v.nullable(v.picklist(againstReasons)),
  means: v.picklist(means),
  /** What the proof of the code is worth; null: there is no good one. */
  code_check: v.nullable(v.picklist(codeChecks)),
  /** The office handed it in with a phone's exported file. */
  from_file: v.boolean(),
  note: v.nullable(v.string()),
  /**
   * The supervisor's phone that consented. `approval_failed`: the scan came with an invalid
   * consent.
   */
  approved_by: v.nullable(v.string()),
  approval_failed: v.boolean(),
  /** The scan that this one takes back, or that takes this one back. */
  annuls: v.nullable(v.string()),
  annulled_by: v.nullable(v.string()),
  /** Why the scan does not count until the office says so. */
  doubt: v.nullable(v.picklist(doubts)),
  settled_at: v.nullable(timeOut),
  settled_by: v.nullable(v.string()),
  settled_as: v.nullable(v.picklist(settledAnswers)),
  settled_note: v.nullable(v.string()),
});

export const listRecentAdmissions = endpoint('GET', '/api/admin/admissions/recent', {
  who: 'admit',
  summary:
    'The last scans of all phones, newest first; those of rehearsals only where they are asked for',
  query: v.object({
    event_id: v.optional(text(100)),
    rehearsal: v.optional(v.literal('1')),
    limit: countUpTo(200),
  }),
  reply: v.object({ items: v.array(admissionRow) }),
});

/**
 * `excel`: as Italian Excel opens it; `plain`: comma, ISO times. Newest arrivals first, without
 * those of rehearsals.
 */
export const exportAdmissions = endpoint('GET', '/api/admin/admissions/export.csv', {
  who: 'export_orders',
  work: 'scans_file',
  limit: 'document',
  file: 'text/csv',
  summary: 'Scans as a file, refused ones too',
  query: v.object({
    format: v.optional(v.picklist(['excel', 'plain'])),
    event_id: v.optional(text(100)),
  }),
});

/**
 * ticketId may be the id or the scanned code. `first` is the way in that counts: this very scan,
 * or an earlier one.
 */
export const admitTicket = endpoint('POST', '/api/admin/admissions/:ticketId', {
  who: 'admit',
  refusals: ['ticket_not_found', 'ticket_lost'],
  summary: 'Admit one ticket at the desk',
  body: v.object({ direction: v.optional(direction), override: v.optional(text(200, 1)) }),
  reply: v.object({
    admission_id: v.string(),
    verdict,
    counts: v.boolean(),
    ticket_id: v.string(),
    seat: v.string(),
    at: timeOut,
    first: v.nullable(admissionForPhone(timeOut)),
  }),
});

export const readAdmission = endpoint('GET', '/api/admin/admissions/:ticketId', {
  who: 'admit',
  refusals: ['ticket_not_found', 'ticket_lost'],
  summary: 'A ticket, the verdict if it were scanned now, and its history',
  reply: v.object({
    ticket_id: v.string(),
    event_id: v.string(),
    event_title: v.string(),
    event_starts_at: timeOut,
    seat: v.string(),
    category: v.string(),
    type_label: v.string(),
    state: v.picklist(ticketStates),
    holder: v.nullable(v.string()),
    verdict,
    /** How the code that was read ended; null: it has not, or no reason is known. */
    ended: v.nullable(
      v.object({
        why: v.nullable(v.picklist(endedWhys)),
        at: timeOut,
        note: v.nullable(v.string()),
      }),
    ),
    history: v.array(admissionRow),
  }),
});

/**
 * Takes back a scan that let this ticket in or out: nothing is deleted, and the phones get the
 * change.
 */
export const undoAdmission = endpoint('POST', '/api/admin/admissions/:ticketId/undo', {
  who: 'admit',
  refusals: ['ticket_not_found', 'ticket_lost', 'admission_not_found', 'undo_not_possible'],
  summary: 'Take back a scan of a ticket',
  body: v.object({
    admission_id: text(64, 1),
    reason: trimmed(200, 1),
  }),
  /** `verdict`: the answer to a scan of the ticket now. */
  reply: v.object({
    admission_id: v.string(),
    annuls: v.string(),
    ticket_id: v.string(),
    seat: v.string(),
    at: timeOut,
    verdict,
  }),
});

/**
 * The office sends a file that an offline phone has exported, even one that was revoked long ago.
 * The same file twice is one set of admissions; `items` are read one by one, as from the phone
 * itself.
 */
export const importAdmissions = endpoint('POST', '/api/admin/admissions/import', {
  who: 'import_scans',
  work: 'scans_import',
  limit: 'import',
  refusals: ['phone_not_found', 'server_outdated'],
  summary: 'Hand in the scans of a phone from its exported file',
  body: v.object({
    phone_id: text(64, 1),
    wire: v.pipe(v.number(), v.integer(), v.minValue(1)),
    items: v.pipe(v.array(v.unknown()), v.maxLength(20_000)),
    /** People without a ticket (RULES A15), as they were to be sent. */
    heads: v.optional(v.pipe(v.array(v.unknown()), v.maxLength(5_000)), []),
  }),
  /** `known`: the number of items that had arrived before. */
  reply: v.object({
    phone_name: v.string(),
    results: v.array(scanResult),
    stored: v.number(),
    known: v.number(),
    unreadable: v.number(),
    /** How many counts of people without a ticket are stored now, and could not be read. */
    heads: v.number(),
    unreadable_heads: v.number(),
  }),
});
