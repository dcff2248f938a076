/** What a house remembers of its operation: version 1.1.0 stores it. */
import type { Knex } from 'knex';
import type { RequestWork, WorkEnd } from '#server/domain/user/started.ts';
import { bigInteger, createTable, integer, table, text, truth } from './table.ts';

export const operatedTables = {
  // What a person has started and what has no row of its own, such as a long file or an import.
  started_work: table({
    id: text(40).primary(),
    work: text<RequestWork>(20),
    actor: text(100),
    event_id: text(100).orNull(),
    // The event's version of which its buyers are told.
    version: integer().orNull(),
    // The process that does the work; null: the worker of any process does it.
    process_id: text(40).orNull(),
    begun_at: bigInteger().index(),
    moved_at: bigInteger(),
    // How much is done, in bytes.
    done: bigInteger().defaultTo(0),
    stop_asked_at: bigInteger().orNull(),
    ended_at: bigInteger().orNull(),
    outcome: text<WorkEnd>(10).orNull(),
    // Why it failed, in Italian.
    said: text(500).orNull(),
  }),
};

/** New columns of tables that are there already. */
export const operatedColumns = {
  // When a person has stopped the refunds of a cancelled event; null while they go on.
  refund_runs: table({ halted_at: bigInteger().orNull() }),
  // The price at an earlier Stripe account in whose place it was made.
  made_prices: table({ instead_of: text(100).orNull() }),
  // True for a date of the demo, which a first start makes; a house never sells it for real.
  events: table({ demo: truth().defaultTo(0) }),
  places: table({
    // The newest revision that a house lost with what its backup lacks; 0: none.
    skipped_to: integer().defaultTo(0),
    // The revisions that it may have issued then and that are not known again, as `4-11,20-27`.
    lost_revisions: text().orNull(),
  }),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, made] of Object.entries(operatedTables)) await createTable(knex, name, made);
  for (const [name, { columns }] of Object.entries(operatedColumns))
    await knex.schema.alterTable(name, (t) => {
      for (const [column, kind] of Object.entries(columns)) kind.addTo(t, column);
    });
  await markDemo(knex);
}

/** Marks the demo of version 1.0 by its picture, title, chart and map together. */
export async function markDemo(knex: Knex): Promise<void> {
  await knex('events')
    .whereIn('event_ball_image', ['/images/locandiera.svg', '/images/concerto-natale.svg'])
    .whereRaw("replace(lower(title), ' ', '-') IN ('la-locandiera', 'concerto-di-natale')")
    .where({ chart_key: 'teatro-goldoni' })
    .whereLike('venue_href', '%Teatro+Goldoni')
    .update({ demo: 1 });
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(operatedTables)) await knex.schema.dropTable(name);
  // Knex would make the table anew on SQLite.
  for (const [name, { columns }] of Object.entries(operatedColumns))
    for (const column of Object.keys(columns))
      await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [name, column]);
}
