/** Part of the start schema: phones of the door and the scans that they hand in. */
import type { Knex } from 'knex';

export const doorTables: Record<string, (t: Knex.CreateTableBuilder) => void> = {
  phones(t) {
    t.string('id', 40).primary();
    t.string('name', 60).notNullable();
    t.string('gate', 60);
    t.string('pairing_hash', 64).unique();
    t.bigInteger('pairing_expires_at');
    t.string('token_hash', 64).unique();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('paired_at');
    t.bigInteger('last_seen_at');
    t.bigInteger('revoked_at');
    t.bigInteger('told_revoked_at');
    t.integer('queue_length');
    t.bigInteger('clock_offset_ms');
    t.float('battery');
    t.string('app_version', 40);
    t.string('browser', 60);
    t.string('role', 20).notNullable().defaultTo('steward');
    // What the phone said it speaks, so that the office sees who must update.
    t.integer('wire_version');
    t.integer('shelf_length');
    // The number of its next scan, as it last said.
    t.integer('next_seq');
    t.string('ended_token_hash', 64);
    t.bigInteger('ended_told_at');
    t.string('previous_id', 40).references('phones.id');
    t.index(['ended_token_hash']);
  },

  // The public halves of the keys with which supervisors' phones consent; one that has ended still proves what it signed before.
  phone_keys(t) {
    t.string('phone_id', 40).notNullable().references('phones.id').onDelete('CASCADE');
    t.string('public_key', 90).notNullable();
    t.bigInteger('made_at').notNullable();
    t.bigInteger('ended_at');
    t.primary(['phone_id', 'public_key']);
  },

  phone_events(t) {
    t.string('phone_id', 40).notNullable().references('phones.id').onDelete('CASCADE');
    t.string('event_id', 100).notNullable().references('events.id');
    t.bigInteger('ended_at');
    t.primary(['phone_id', 'event_id']);
  },

  admissions(t) {
    t.string('id', 64).primary();
    t.string('event_id', 100).notNullable().references('events.id');
    t.string('place', 200);
    t.integer('revision');
    t.string('ticket_id', 40);
    t.string('phone_id', 40).references('phones.id');
    t.string('user_id', 40);
    t.bigInteger('seq');
    t.string('direction', 5).notNullable();
    t.string('verdict', 20).notNullable();
    t.smallint('counts').notNullable();
    t.string('override', 200);
    t.string('read', 200);
    t.string('gate', 100);
    t.smallint('offline').notNullable();
    t.bigInteger('scanned_at').notNullable();
    t.bigInteger('corrected_at').notNullable();
    t.bigInteger('received_at').notNullable();
    t.string('conflict_with', 64);
    t.bigInteger('feed_seq');
    t.string('means', 20).notNullable().defaultTo('code');
    // Why a ticket was found by hand, or a scan taken back.
    t.string('note', 200);
    // The scan that this one takes back; on that one, by which.
    t.string('annuls', 64);
    t.string('annulled_by', 64);
    // Why the office is asked whether it counts.
    t.string('doubt', 20);
    t.bigInteger('settled_at');
    t.string('settled_by', 64);
    t.string('settled_as', 20);
    t.string('settled_note', 200);
    // A supervisor's consent as it came; of a valid one whose phone gave it, and the question's id, which counts once.
    t.text('approval');
    t.string('approved_by', 40).references('phones.id');
    t.string('approval_id', 40);
    // A repeated number of one phone is kept without the number: the scan is a fact all the same.
    t.unique(['phone_id', 'seq']);
    t.index(['event_id', 'feed_seq']);
    t.index(['event_id', 'place']);
    t.index(['received_at']);
  },
};

export const doorIndexes = [
  'CREATE UNIQUE INDEX admissions_approval ON admissions (approval_id) WHERE approval_id IS NOT NULL',
  // Few scans take others back; the many that do not are not in it.
  'CREATE INDEX admissions_annuls ON admissions (annuls) WHERE annuls IS NOT NULL',
  // Only the few of the many scans that such a question is about.
  'CREATE INDEX admissions_ticket ON admissions (ticket_id) WHERE ticket_id IS NOT NULL',
  'CREATE INDEX admissions_conflicts ON admissions (event_id, received_at) WHERE conflict_with IS NOT NULL',
  'CREATE INDEX admissions_doubts ON admissions (event_id, received_at) WHERE doubt IS NOT NULL',
];
