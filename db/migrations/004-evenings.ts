/** Objects sold whole, free evenings and their kept places: version 1.2.0 stores them. */
import type { Knex } from 'knex';
import { bigInteger, integer, table, text, truth } from './table.ts';

/** New columns of tables that are there already. */
export const eveningColumns = {
  // How tables, booths and areas are sold whole, as JSON; null: an event made before 1.2.0, whose
  // objects sold whole have one place each.
  events: table({
    whole_terms: text().orNull(),
    // Whether a free booking is confirmed by a click in its mail.
    free_confirm: truth().defaultTo(0),
    // How many minutes before the start free places are let go whose guests have not come; null:
    // they are kept.
    free_until_minutes: integer().orNull(),
    // Whether free bookings get a mail the day before.
    free_reminder: truth().defaultTo(1),
    // Until when the buyers of tickets that were sold without names are asked for them; null: they
    // are not asked.
    names_due: bigInteger().orNull(),
  }),
  // The secret in the mail that confirms a free booking; null: no click is needed.
  orders: table({ click_key: text(22).orNull() }),
  // By the terms of its sale, how many minutes before the start the place of a free ticket is let
  // go (null: never), and when it was.
  tickets: table({
    let_go_minutes: integer().orNull(),
    let_go_at: bigInteger().orNull().index(),
    // The key of its own link that the buyer gave to a guest; null: none.
    handed_link: text(22).orNull(),
  }),
  // True for one of the places `label#1` … `label#n` of an object that is sold whole.
  places: table({ in_whole: truth().defaultTo(0) }),
  // How many places the object has of which this line is one; 0: it is not sold whole.
  order_lines: table({ whole_size: integer().defaultTo(0) }),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, { columns }] of Object.entries(eveningColumns))
    await knex.schema.alterTable(name, (t) => {
      for (const [column, kind] of Object.entries(columns)) kind.addTo(t, column);
    });
}

export async function down(knex: Knex): Promise<void> {
  // SQLite drops no column that an index names.
  await knex.raw('DROP INDEX ??', ['tickets_let_go_at_index']);
  // Knex would make the table anew on SQLite.
  for (const [name, { columns }] of Object.entries(eveningColumns))
    for (const column of Object.keys(columns))
      await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [name, column]);
}
