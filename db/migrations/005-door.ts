/** The door's second part: who a phone is for, scans that take others back, conflicts that a person has settled, rehearsals. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('phones', (t) => {
    t.string('role', 20).notNullable().defaultTo('steward');
    // What the phone said it speaks, so that the office sees who must update.
    t.integer('wire_version');
  });
  await knex.schema.alterTable('admissions', (t) => {
    t.string('means', 20).notNullable().defaultTo('code');
    // Why a ticket was found by hand, or a scan taken back.
    t.string('note', 200);
    // The scan that this one takes back; on that one, by which.
    t.string('annuls', 64);
    t.string('annulled_by', 64);
    t.bigInteger('settled_at');
    t.string('settled_by', 64);
    t.string('settled_as', 20);
    t.string('settled_note', 200);
  });
  // Few scans take others back; the many that do not are not in it.
  await knex.raw('CREATE INDEX admissions_annuls ON admissions (annuls) WHERE annuls IS NOT NULL');
  await knex.schema.alterTable('events', (t) => {
    t.bigInteger('admits_until');
    t.integer('rehearsal').notNullable().defaultTo(0);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX admissions_annuls');
  for (const [table, columns] of Object.entries({
    events: ['rehearsal', 'admits_until'],
    admissions: [
      'settled_note',
      'settled_as',
      'settled_by',
      'settled_at',
      'annulled_by',
      'annuls',
      'note',
      'means',
    ],
    phones: ['wire_version', 'role'],
  })) {
    for (const column of columns) await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [table, column]);
  }
}
