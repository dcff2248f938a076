/** Phases of prices, surcharges of two kinds and the count of gifts: version 1.5.0 stores them. */
import type { Knex } from 'knex';
import { integer, table, text } from './table.ts';

/** What a show and its dates share. */
const shared = {
  // Earlier list prices, each until a day, an hour or a number of tickets, as JSON; null: none.
  price_phases: text().orNull(),
  // Surcharges beside the presale fee with a price of its own, as JSON; null: none.
  surcharges: text().orNull(),
  // The VAT in the service commission; null if exempt or excluded.
  service_vat_percent: integer().orNull().defaultTo(22),
  // How free tickets are counted by sector, as JSON; null: each category is one.
  gift_terms: text().orNull(),
};

/** The part of the surcharges that is service commission; the rest is presale fee. */
const part = { service_cents: integer().defaultTo(0) };

/** New columns of tables that are there already. */
export const reckonedColumns = {
  events: table({
    ...shared,
    // When phases ended that last until so many tickets are sold, as JSON; null: none has.
    phase_turns: text().orNull(),
  }),
  shows: table(shared),
  orders: table({
    ...part,
    service_vat_percent: integer().orNull().defaultTo(22),
    // The name of the phase whose prices it was sold at; null: the event had none.
    sold_in_phase: text(100).orNull(),
  }),
  order_lines: table(part),
  refunds: table(part),
  refund_lines: table(part),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, { columns }] of Object.entries(reckonedColumns))
    await knex.schema.alterTable(name, (t) => {
      for (const [column, kind] of Object.entries(columns)) kind.addTo(t, column);
    });
}

export async function down(knex: Knex): Promise<void> {
  // Knex would make the table anew on SQLite.
  for (const [name, { columns }] of Object.entries(reckonedColumns))
    for (const column of Object.keys(columns))
      await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [name, column]);
}
