/** A phone that was taken from an event still hands in what it read there; and what is asked for while doors are open is found without reading every scan. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('phone_events', (t) => {
    t.bigInteger('ended_at');
  });
  // Readings that the server could not read: they lie on the phone until somebody looks.
  await knex.schema.alterTable('phones', (t) => {
    t.integer('shelf_length');
  });
  // Only the few of the many scans that such a question is about.
  await knex.raw(
    'CREATE INDEX admissions_ticket ON admissions (ticket_id) WHERE ticket_id IS NOT NULL',
  );
  await knex.raw(
    'CREATE INDEX admissions_conflicts ON admissions (event_id, received_at) WHERE conflict_with IS NOT NULL',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX admissions_conflicts');
  await knex.raw('DROP INDEX admissions_ticket');
  await knex.raw('ALTER TABLE ?? DROP COLUMN ??', ['phones', 'shelf_length']);
  await knex.raw('ALTER TABLE ?? DROP COLUMN ??', ['phone_events', 'ended_at']);
}
