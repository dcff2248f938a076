/** Who gets a place first in a new hall, and who is refunded instead: version 1.8.0 stores it. */
import type { Knex } from 'knex';
import type { PlacedFirst } from '#server/domain/seat/rehousing-priority.ts';
import { table, text, truth } from './table.ts';

/** New columns of tables that are there already. */
export const leftOutColumns = {
  rehousings: table({ placed_first: text<PlacedFirst>(10).defaultTo('dearer') }),
  // True: there is no place for the ticket, and the run refunds it.
  rehoused_lines: table({ refund_marked: truth().defaultTo(0) }),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, { columns }] of Object.entries(leftOutColumns))
    await knex.schema.alterTable(name, (t) => {
      for (const [column, kind] of Object.entries(columns)) kind.addTo(t, column);
    });
}

export async function down(knex: Knex): Promise<void> {
  // Knex would make the table anew on SQLite.
  for (const [name, { columns }] of Object.entries(leftOutColumns))
    for (const column of Object.keys(columns))
      await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [name, column]);
}
