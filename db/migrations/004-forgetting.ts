/** What the house forgets again: people's data two years after an evening, and how often a hold was prolonged. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  // When name, address and words of people were taken out of the row; amounts, states and numbers stay.
  await knex.schema.alterTable('orders', (t) => {
    t.bigInteger('buyer_forgotten_at');
  });
  await knex.schema.alterTable('mails', (t) => {
    t.bigInteger('forgotten_at');
  });
  // In the database, because several processes may be asked in turn.
  await knex.schema.createTable('hold_prolongations', (t) => {
    t.string('hold_token', 200).primary();
    t.integer('times').notNullable();
    t.bigInteger('last_at').notNullable().index();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('hold_prolongations');
  await knex.raw('ALTER TABLE ?? DROP COLUMN ??', ['mails', 'forgotten_at']);
  await knex.raw('ALTER TABLE ?? DROP COLUMN ??', ['orders', 'buyer_forgotten_at']);
}
