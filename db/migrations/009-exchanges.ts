/** Exchanges for another date, and refunds in several parts: version 1.7.0 stores them. */
import type { Knex } from 'knex';
import type { ExchangeEnd, ExchangeState } from '#server/domain/order/exchange.ts';
import { bigInteger, createTable, integer, table, text, truth } from './table.ts';

export const exchangeTables = {
  /** Tickets of an order that a new order of another date replaces. */
  exchanges: table(
    {
      id: text(40).primary(),
      from_order_id: text(40).references('orders.id'),
      to_order_id: text(40).references('orders.id').unique(),
      state: text<ExchangeState>(10),
      // What the old tickets give, at most what the new order costs.
      credit_cents: integer(),
      // What the old tickets give beyond that: it goes back as it came.
      back_cents: integer(),
      // What the house takes for it, as service commission of the new order.
      fee_cents: integer(),
      // Why it ended without an exchange; null: it has not.
      ended_why: text<ExchangeEnd>(20).orNull(),
      reason: text(500).orNull(),
      actor: text(100),
      created_at: bigInteger(),
      settled_at: bigInteger().orNull(),
      // The refunds that it made of the old order.
      refund_id: text(40).orNull(),
      back_refund_id: text(40).orNull(),
    },
    (t) => {
      t.index(['from_order_id']);
      t.index(['state']);
    },
  ),
  exchange_tickets: table(
    {
      exchange_id: text(40).references('exchanges.id'),
      ticket_id: text(40).references('tickets.id').index(),
      // The code that it had: with another one it has changed, and the exchange ends.
      place: text(200),
      revision: integer(),
    },
    (t) => t.primary(['exchange_id', 'ticket_id']),
  ),
};

/** Whether a buyer may change the date, and what it costs; an order keeps it (RULES O20). */
const terms = {
  exchange: truth().defaultTo(0),
  // Until how many hours before the start of the evening that is given back.
  exchange_until_hours: integer().defaultTo(24),
  // What the house takes for each ticket, as service commission of the new order.
  exchange_fee_cents: integer().defaultTo(0),
};

/** New columns of tables that are there already. */
export const exchangeColumns = {
  events: table(terms),
  shows: table(terms),
  orders: table({
    ...terms,
    // What tickets of another date give towards its total; null: it replaces none.
    exchange_credit_cents: integer().orNull(),
  }),
  refunds: table({
    // The refund whose tickets it pays back in another way, beyond that one's sum; null: none.
    rest_of: text(40).orNull(),
  }),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, made] of Object.entries(exchangeTables)) await createTable(knex, name, made);
  for (const [name, { columns }] of Object.entries(exchangeColumns))
    await knex.schema.alterTable(name, (t) => {
      for (const [column, kind] of Object.entries(columns)) kind.addTo(t, column);
    });
}

export async function down(knex: Knex): Promise<void> {
  // Knex would make the table anew on SQLite.
  for (const [name, { columns }] of Object.entries(exchangeColumns))
    for (const column of Object.keys(columns))
      await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [name, column]);
  for (const name of Object.keys(exchangeTables).toReversed()) await knex.schema.dropTable(name);
}
