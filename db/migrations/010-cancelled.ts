/** What buyers answer to a cancelled evening, and exchanges that are an answer: version 1.7.0. */
import type { Knex } from 'knex';
import type { Answerer } from '#server/domain/event/postponement.ts';
import type { CancellationAnswer } from '#server/domain/event/cancellation.ts';
import { bigInteger, createTable, table, text } from './table.ts';

export const cancelledTables = {
  cancellation_answers: table(
    {
      run_id: text(40).references('refund_runs.id'),
      order_id: text(40).references('orders.id').index(),
      answer: text<CancellationAnswer>(10),
      answered_by: text<Answerer>(10),
      answered_at: bigInteger(),
    },
    (t) => t.primary(['run_id', 'order_id']),
  ),
};

/** New columns of tables that are there already. */
export const cancelledColumns = {
  refund_runs: table({
    // Until when the buyers may say what they prefer; null: all are refunded at once.
    asks_until: bigInteger().orNull(),
  }),
  exchanges: table({
    // The postponement, or the refunds of a cancelled evening, that it answers; null: none.
    question_id: text(40).orNull(),
  }),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, made] of Object.entries(cancelledTables)) await createTable(knex, name, made);
  for (const [name, { columns }] of Object.entries(cancelledColumns))
    await knex.schema.alterTable(name, (t) => {
      for (const [column, kind] of Object.entries(columns)) kind.addTo(t, column);
    });
}

export async function down(knex: Knex): Promise<void> {
  // Knex would make the table anew on SQLite.
  for (const [name, { columns }] of Object.entries(cancelledColumns))
    for (const column of Object.keys(columns))
      await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [name, column]);
  for (const name of Object.keys(cancelledTables).toReversed()) await knex.schema.dropTable(name);
}
