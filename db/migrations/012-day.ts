/** Closings of whole days at the box office: version 1.7.0 stores them. */
import type { Knex } from 'knex';
import { bigInteger, createTable, integer, table, text } from './table.ts';

export const dayTables = {
  /** All tills of one day in Rome: counted first, then signed; a signed one never changes. */
  day_sheets: table(
    {
      id: text(40).primary(),
      // 2026-11-26
      day: text(10),
      // A later sheet of the day corrects the one before it.
      nth: integer(),
      // JSON: how many of each coin and note are ready for the bank, by its cents.
      pieces: text(),
      // What stays in the drawers for the next day.
      left_cents: integer(),
      // JSON: the total of each shift's card terminal, by the shift's id.
      terminals: text(),
      counted_at: bigInteger(),
      counted_by: text(100),
      signed_at: bigInteger().orNull(),
      signed_by: text(100).orNull(),
      // The person who takes the cash to the bank.
      handed_to: text(200).orNull(),
      difference_reason: text(500).orNull(),
      // JSON: the money of the day as it was when it was signed.
      figures: text().orNull(),
    },
    (t) => {
      t.unique(['day', 'nth']);
    },
  ),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, made] of Object.entries(dayTables)) await createTable(knex, name, made);
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(dayTables).toReversed()) await knex.schema.dropTable(name);
}
