/**
 * Orders that the office takes to another date together, and refunds of Stripe that several orders
 * share: version 1.8.0 stores them.
 */
import type { Knex } from 'knex';
import type { TransferObstacle, TransferState } from '#server/domain/counter/transfer.ts';
import { bigInteger, createTable, integer, table, text } from './table.ts';

export const transferTables = {
  /** Orders of a moved or cancelled evening that go to another date together. */
  transfers: table(
    {
      id: text(40).primary(),
      event_id: text(100).references('events.id'),
      to_event_id: text(100),
      // The postponement, or the refunds of the cancelled evening, that it answers.
      question_id: text(40),
      actor: text(100),
      created_at: bigInteger(),
      finished_at: bigInteger().orNull(),
    },
    (t) => t.index(['event_id', 'created_at']),
  ),
  transfer_orders: table(
    {
      transfer_id: text(40).references('transfers.id'),
      order_id: text(40).references('orders.id').index(),
      state: text<TransferState>(10),
      // Why the order stays where it is; null: it does not.
      obstacle: text<TransferObstacle>(20).orNull(),
      // The sale of the last try; null: none was made.
      sale_key: text(40).orNull(),
      tries: integer().defaultTo(0),
      to_order_id: text(40).orNull(),
    },
    (t) => t.primary(['transfer_id', 'order_id']),
  ),
};

/** New columns of tables that are there already. */
export const transferColumns = {
  refunds: table({
    // The refund at Stripe whose first part another row has; null: the row is no further part.
    part_of_stripe: text(100).orNull(),
  }),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, made] of Object.entries(transferTables)) await createTable(knex, name, made);
  await knex.schema.alterTable('refunds', (t) => {
    for (const [column, kind] of Object.entries(transferColumns.refunds.columns))
      kind.addTo(t, column);
    t.index(['part_of_stripe']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('refunds', (t) => t.dropIndex(['part_of_stripe']));
  // Knex would make the table anew on SQLite.
  await knex.raw('ALTER TABLE ?? DROP COLUMN ??', ['refunds', 'part_of_stripe']);
  for (const name of Object.keys(transferTables).toReversed()) await knex.schema.dropTable(name);
}
