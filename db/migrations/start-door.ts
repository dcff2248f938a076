/** Part of the start schema: phones of the door and the scans that they send. */
import type {
  ConflictAnswer,
  Direction,
  ScanMethod,
  Verdict,
} from '#server/domain/door/admission.ts';
import type { Doubt } from '#server/domain/door/doubt.ts';
import type { CodeCheck } from '#server/domain/door/scan-proof.ts';
import type { PhoneRole } from '#server/domain/door/phone.ts';
import { bigInteger, float, integer, text, truth, table, type Truth } from './table.ts';

export const doorTables = {
  phones: table(
    {
      id: text(40).primary(),
      name: text(60),
      gate: text(60).orNull(),
      pairing_hash: text(64).orNull().unique(),
      pairing_expires_at: bigInteger().orNull(),
      token_hash: text(64).orNull().unique(),
      created_at: bigInteger(),
      paired_at: bigInteger().orNull(),
      last_seen_at: bigInteger().orNull(),
      revoked_at: bigInteger().orNull(),
      told_revoked_at: bigInteger().orNull(),
      queue_length: integer().orNull(),
      clock_offset_ms: bigInteger().orNull(),
      battery: float().orNull(),
      app_version: text(40).orNull(),
      // The browser's name that the phone sent last.
      browser: text(60).orNull(),
      role: text<PhoneRole>(20).defaultTo('steward'),
      // The version of the phone's program, by which the office sees which phones must update.
      wire_version: integer().orNull(),
      // The number of scans that the phone could not send.
      shelf_length: integer().orNull(),
      // The number of the phone's next scan, as last reported; null if never.
      next_seq: integer<number>().orNull(),
      // The token of the earlier handset, and when that handset learned that it was replaced.
      ended_token_hash: text<string>(64).orNull(),
      ended_told_at: bigInteger().orNull(),
      // The handset's id before it was paired as this phone.
      previous_id: text(40).orNull().references('phones.id'),
    },
    (t) => {
      t.index(['ended_token_hash']);
    },
  ),

  // The public keys of supervisors' phones for signing a consent; an ended key still proves
  // earlier signatures.
  phone_keys: table(
    {
      phone_id: text(40).references('phones.id', 'CASCADE'),
      public_key: text(90),
      made_at: bigInteger(),
      ended_at: bigInteger().orNull(),
    },
    (t) => {
      t.primary(['phone_id', 'public_key']);
    },
  ),

  phone_events: table(
    {
      phone_id: text(40).references('phones.id', 'CASCADE'),
      event_id: text(100).references('events.id'),
      ended_at: bigInteger().orNull(),
    },
    (t) => {
      t.primary(['phone_id', 'event_id']);
    },
  ),

  admissions: table(
    {
      id: text(64).primary(),
      event_id: text(100).references('events.id'),
      place: text(200).orNull(),
      revision: integer().orNull(),
      ticket_id: text(40).orNull(),
      phone_id: text(40).orNull().references('phones.id'),
      user_id: text(40).orNull(),
      seq: bigInteger().orNull(),
      direction: text<Direction>(5),
      verdict: text<Verdict>(20),
      counts: truth(),
      override: text(200).orNull(),
      read: text(200).orNull(),
      gate: text(100).orNull(),
      offline: truth(),
      scanned_at: bigInteger(),
      corrected_at: bigInteger(),
      received_at: bigInteger(),
      conflict_with: text(64).orNull(),
      feed_seq: bigInteger().orNull(),
      means: text<ScanMethod>(20).defaultTo('code'),
      // Which code was read, and whether that is proved; `place` is where the scan counts.
      code_place: text(200).orNull(),
      code_revision: integer().orNull(),
      code_check: text<CodeCheck>(20).orNull(),
      // The office handed the scan in with a file.
      from_file: integer<Truth>().defaultTo(0),
      // Why a ticket was found by hand, or a scan was taken back.
      note: text(200).orNull(),
      // The scan that this one takes back, and the scan that takes this one back.
      annuls: text(64).orNull(),
      annulled_by: text(64).orNull(),
      // Why the scan does not count until the office decides; null if it is not in doubt.
      doubt: text<Doubt>(20).orNull(),
      settled_at: bigInteger().orNull(),
      settled_by: text(64).orNull(),
      settled_as: text<ConflictAnswer>(20).orNull(),
      settled_note: text(200).orNull(),
      // A supervisor's consent as it arrived; if it is valid, also the supervisor's phone and the
      // question's id, which is accepted only once.
      approval: text().orNull(),
      approved_by: text(40).orNull().references('phones.id'),
      approval_id: text(40).orNull(),
    },
    (t) => {
      // A scan whose number its phone has used before is stored without the number, because the
      // scan is still a fact.
      t.unique(['phone_id', 'seq']);
      t.index(['event_id', 'feed_seq']);
      t.index(['event_id', 'place']);
      t.index(['received_at']);
      // The pace of a phone, and everything that it read in a span of time.
      t.index(['phone_id', 'corrected_at']);
    },
  ),
};

export const doorIndexes = [
  'CREATE UNIQUE INDEX admissions_approval ON admissions (approval_id) WHERE approval_id IS NOT NULL',
  // The index has only the few scans that take others back.
  'CREATE INDEX admissions_annuls ON admissions (annuls) WHERE annuls IS NOT NULL',
  'CREATE INDEX admissions_ticket ON admissions (ticket_id) WHERE ticket_id IS NOT NULL',
  'CREATE INDEX admissions_conflicts ON admissions (event_id, received_at) WHERE conflict_with IS NOT NULL',
  'CREATE INDEX admissions_doubts ON admissions (event_id, received_at) WHERE doubt IS NOT NULL',
];
