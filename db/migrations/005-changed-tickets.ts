/**
 * Codes that have ended, people counted by hand, and entries against the book: version 1.3.0
 * stores them.
 */
import type { Knex } from 'knex';
import type { Direction } from '#server/domain/door/admission.ts';
import type { EndedWhy } from '#server/domain/door/ended-code.ts';
import type { BuyerSearch } from '#server/domain/door/buyer-search.ts';
import type { Against } from '#server/domain/door/against.ts';
import type { Doubt } from '#server/domain/door/doubt.ts';
import type { HeadReason } from '#server/domain/door/heads.ts';
import { bigInteger, createTable, integer, table, text, truth } from './table.ts';

export const changedTables = {
  // Why a revision of a place no longer opens the door, and whose it was.
  ended_codes: table(
    {
      event_id: text(100).references('events.id'),
      place: text(200),
      revision: integer(),
      why: text<EndedWhy>(20),
      ended_at: bigInteger(),
      // The ticket that had this code.
      ticket_id: text(40),
      // The date for which the ticket was exchanged.
      to_event_id: text(100).orNull(),
    },
    (t) => {
      t.primary(['event_id', 'place', 'revision']);
      t.index(['ticket_id']);
    },
  ),

  // People without a ticket whom a person of the door has counted in or out.
  heads: table(
    {
      // Made by the phone or the office.
      id: text(64).primary(),
      event_id: text(100).references('events.id'),
      phone_id: text(40).orNull().references('phones.id'),
      user_id: text(40).orNull(),
      direction: text<Direction>(5),
      // How many people at once.
      people: integer(),
      reason: text<HeadReason>(20),
      // What the person added to the reason, which may be a name.
      words: text(100).orNull(),
      gate: text(100).orNull(),
      scanned_at: bigInteger(),
      corrected_at: bigInteger(),
      received_at: bigInteger(),
      // Why these people do not count; null: they do.
      doubt: text<Doubt>(20).orNull(),
      // The row that takes this one back, and the row that this one takes back.
      annulled_by: text(64).orNull(),
      annuls: text(64).orNull(),
      feed_seq: bigInteger(),
    },
    (t) => {
      t.index(['event_id', 'feed_seq']);
      t.index(['annuls']);
    },
  ),
};

/** New columns of tables that are there already. */
export const changedColumns = {
  // What the house knew that spoke against this entry, and the order that has the place now.
  admissions: table({
    against: text<Against>(20).orNull().index(),
    against_order_id: text(100).orNull(),
  }),
  events: table({
    // Which phones find a guest by the buyer's name.
    buyer_search: text<BuyerSearch>(20).defaultTo('off'),
    // How many people the hall is licensed for, as its drawing says.
    licensed: integer().orNull(),
  }),
  tickets: table({
    // A short text of the office that the door shows; never about anybody's health.
    door_note: text(80).orNull(),
  }),
  phone_events: table({
    // By how many the scans that this phone had not sent at its last contact may raise the number
    // of guests inside, and how many people it has ever counted in by hand; null: not told.
    unsent_entries: integer().orNull(),
    heads_told: integer().orNull(),
  }),
  print_jobs: table({
    // Only the tickets whose present code has no paper yet.
    only_new: truth().defaultTo(0),
  }),
  phones: table({
    // Whether the person at the door may choose the gate on the phone.
    chooses_gate: truth().defaultTo(1),
  }),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, made] of Object.entries(changedTables)) await createTable(knex, name, made);
  for (const [name, { columns }] of Object.entries(changedColumns))
    await knex.schema.alterTable(name, (t) => {
      for (const [column, kind] of Object.entries(columns)) kind.addTo(t, column);
    });
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(changedTables)) await knex.schema.dropTable(name);
  // SQLite drops no column that an index names.
  await knex.raw('DROP INDEX ??', ['admissions_against_index']);
  // Knex would make the table anew on SQLite.
  for (const [name, { columns }] of Object.entries(changedColumns))
    for (const column of Object.keys(columns))
      await knex.raw('ALTER TABLE ?? DROP COLUMN ??', [name, column]);
}
