/** Changes of hall that move the evening to another place: version 1.8.0 stores them. */
import type { Knex } from 'knex';
import { table, text } from './table.ts';

/** New columns of tables that are there already. */
export const placeColumns = {
  rehousings: table({
    // JSON: what the buyers are told, and the new place; null: nothing beside their seats.
    news: text().orNull(),
  }),
  moves: table({
    // The change of hall of which it is a part; null: the office or the buyer moved the order.
    of_rehousing: text(40).orNull(),
  }),
  postponements: table({
    // The change of hall that moved the evening to another place; null: its day has moved.
    of_rehousing: text(40).orNull(),
    // Name and address of the place before; null: its day has moved.
    from_venue: text(600).orNull(),
  }),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, { columns }] of Object.entries(placeColumns))
    await knex.schema.alterTable(name, (t) => {
      for (const [column, kind] of Object.entries(columns)) kind.addTo(t, column);
    });
}

export async function down(knex: Knex): Promise<void> {
  // Knex would make the table anew on SQLite.
  for (const [name, { columns }] of Object.entries(placeColumns))
    for (const column of Object.keys(columns))
      await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [name, column]);
}
