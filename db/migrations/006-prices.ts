/** Price rules, and what made the price of each line: version 1.4.0 stores them. */
import type { Knex } from 'knex';
import { bigInteger, createTable, integer, table, text } from './table.ts';

export const priceTables = {
  // A rule is never changed: a new version replaces it, so that orders name what they were sold by.
  price_rules: table(
    {
      id: text(40).primary(),
      // The date or the show that it is for; both null: the whole house.
      event_id: text(100).orNull().references('events.id'),
      show_id: text(100).orNull().references('shows.id'),
      // The rule as JSON, without its id.
      content: text(),
      created_at: bigInteger(),
      created_by: text(40).orNull(),
      // When it stopped counting; null: it counts.
      ended_at: bigInteger().orNull(),
    },
    (t) => {
      t.index(['event_id']);
      t.index(['show_id']);
    },
  ),
  // What a buyer types or opens by a link: it opens one rule. No spelling is ever given out twice.
  price_codes: table(
    {
      id: text(40).primary(),
      // The newest version of its rule.
      rule_id: text(40).references('price_rules.id'),
      spelling: text(30).unique(),
      // Whom a personal code is for; null: anyone.
      holder: text(200).orNull(),
      // Limits; null: none. Days are Rome's.
      most_orders: integer().orNull(),
      most_tickets: integer().orNull(),
      most_orders_a_day: integer().orNull(),
      most_orders_an_address: integer().orNull(),
      // Of uses that hold now; a claim raises both in one statement.
      orders_used: integer(),
      tickets_used: integer(),
      created_at: bigInteger(),
      created_by: text(40).orNull(),
      ended_at: bigInteger().orNull(),
    },
    (t) => t.index(['rule_id']),
  ),
  // A use of a code by an order, claimed when the order is stored.
  code_uses: table(
    {
      id: text(40).primary(),
      code_id: text(40).references('price_codes.id'),
      order_id: text(40).references('orders.id'),
      tickets: integer(),
      // Asked only for a code that has a limit for each address.
      address: text(320).orNull(),
      used_at: bigInteger(),
      // When the use came back; null: it holds.
      given_back_at: bigInteger().orNull(),
    },
    (t) => {
      t.index(['code_id']);
      t.index(['order_id']);
    },
  ),
};

/** New columns of tables that are there already. */
export const priceColumns = {
  order_lines: table({
    // What the ticket cost without any rule; null: no rule was asked.
    list_cents: integer().orNull(),
    // Why it costs less, as JSON; null: it does not.
    price_reasons: text().orNull(),
    // Full, reduced or free, as it was sold; null: it was sold before 1.4.0.
    entry_kind: text(20).orNull(),
  }),
  orders: table({
    // The rules by content, and the facts, with which the order was priced, as JSON.
    priced_by: text().orNull(),
  }),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, made] of Object.entries(priceTables)) await createTable(knex, name, made);
  for (const [name, { columns }] of Object.entries(priceColumns))
    await knex.schema.alterTable(name, (t) => {
      for (const [column, kind] of Object.entries(columns)) kind.addTo(t, column);
    });
}

export async function down(knex: Knex): Promise<void> {
  // Knex would make the table anew on SQLite.
  for (const [name, { columns }] of Object.entries(priceColumns))
    for (const column of Object.keys(columns))
      await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [name, column]);
  for (const name of Object.keys(priceTables).toReversed()) await knex.schema.dropTable(name);
}
