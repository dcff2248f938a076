/** Whether online buyers are asked for a telephone number: version 1.7.0 stores it. */
import type { Knex } from 'knex';
import { table, truth } from './table.ts';

const asked = { ask_phone: truth().defaultTo(0) };

/** New columns of tables that are there already. */
export const askColumns = { events: table(asked), shows: table(asked) };

export async function up(knex: Knex): Promise<void> {
  for (const [name, { columns }] of Object.entries(askColumns))
    await knex.schema.alterTable(name, (t) => {
      for (const [column, kind] of Object.entries(columns)) kind.addTo(t, column);
    });
}

export async function down(knex: Knex): Promise<void> {
  // Knex would make the table anew on SQLite.
  for (const [name, { columns }] of Object.entries(askColumns))
    for (const column of Object.keys(columns))
      await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [name, column]);
}
