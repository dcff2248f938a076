/** Seats that change guests, and tickets that change their type: version 1.7.0 stores them. */
import type { Knex } from 'knex';
import { table, text } from './table.ts';

/** New columns of tables that are there already. */
export const swapColumns = {
  moves: table({
    // The other move of a swap, in which the other ticket takes this one's seat; null: no swap.
    partner_id: text(40).orNull(),
  }),
  order_lines: table({
    // The ticket type under which the seat map has the place booked; null: the line's own.
    booked_type: text(100).orNull(),
  }),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, { columns }] of Object.entries(swapColumns))
    await knex.schema.alterTable(name, (t) => {
      for (const [column, kind] of Object.entries(columns)) kind.addTo(t, column);
    });
}

export async function down(knex: Knex): Promise<void> {
  // Knex would make the table anew on SQLite.
  for (const [name, { columns }] of Object.entries(swapColumns))
    for (const column of Object.keys(columns))
      await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [name, column]);
}
