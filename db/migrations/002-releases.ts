/** Since when each version has run here: version 1.0.1 stores it, and Salute shows it. */
import type { Knex } from 'knex';
import { bigInteger, createTable, table, text } from './table.ts';

export const releaseTables = {
  releases: table({
    version: text(20).primary(),
    first_started_at: bigInteger(),
  }),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, made] of Object.entries(releaseTables)) await createTable(knex, name, made);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('releases');
}
