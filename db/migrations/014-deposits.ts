/** Part payments of reservations: what becomes of them if the rest is not paid. */
import type { Knex } from 'knex';
import type { DepositEnd } from '#server/domain/order/payment.ts';
import { table, text } from './table.ts';

/** New columns of tables that are there already. */
export const depositColumns = {
  orders: table({
    // The house's rule when the first part was paid; null: no part was paid before the rest.
    deposit_end: text<DepositEnd>(10).orNull(),
  }),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, { columns }] of Object.entries(depositColumns))
    await knex.schema.alterTable(name, (t) => {
      for (const [column, kind] of Object.entries(columns)) kind.addTo(t, column);
    });
}

export async function down(knex: Knex): Promise<void> {
  // Knex would make the table anew on SQLite.
  for (const [name, { columns }] of Object.entries(depositColumns))
    for (const column of Object.keys(columns))
      await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [name, column]);
}
