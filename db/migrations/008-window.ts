/** The parts in which money goes back by hand, and who sold: version 1.6.0 stores them. */
import type { Knex } from 'knex';
import type { CounterMethod } from '#server/domain/counter/counter.ts';
import { createTable, integer, table, text } from './table.ts';

export const windowTables = {
  /** How a refund by hand is paid, where that is in several parts; together they are its sum. */
  refund_parts: table(
    {
      refund_id: text(40).references('refunds.id'),
      nth: integer(),
      method: text<CounterMethod>(10),
      amount_cents: integer(),
      // The drawer that pays it; null: none does.
      shift_id: text(40).orNull().references('shifts.id').index(),
    },
    (t) => t.primary(['refund_id', 'nth']),
  ),
};

/** New columns of tables that are there already. */
export const windowColumns = {
  orders: table({
    // The person who sold or gave it at the counter, perhaps without a shift; null: see the shift.
    sold_by: text(40).orNull(),
  }),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, made] of Object.entries(windowTables)) await createTable(knex, name, made);
  for (const [name, { columns }] of Object.entries(windowColumns))
    await knex.schema.alterTable(name, (t) => {
      for (const [column, kind] of Object.entries(columns)) kind.addTo(t, column);
    });
}

export async function down(knex: Knex): Promise<void> {
  // Knex would make the table anew on SQLite.
  for (const [name, { columns }] of Object.entries(windowColumns))
    for (const column of Object.keys(columns))
      await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [name, column]);
  for (const name of Object.keys(windowTables).toReversed()) await knex.schema.dropTable(name);
}
