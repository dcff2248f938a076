/** A phone of the door that gets a new code is another handset from then on: the one before is still known, so that it can be told to wipe itself. */
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('phones', (t) => {
    t.string('ended_token_hash', 64);
    t.bigInteger('ended_told_at');
    t.index(['ended_token_hash']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('phones', (t) => {
    t.dropIndex(['ended_token_hash']);
  });
  for (const column of ['ended_told_at', 'ended_token_hash'])
    await knex.raw('ALTER TABLE ?? DROP COLUMN ??', ['phones', column]);
}
