/** Acts that mail many people and can be taken back for a minute: version 1.7.0 stores them. */
import type { Knex } from 'knex';
import type { AnnouncedAct } from '#server/domain/mail/announcement.ts';
import { bigInteger, createTable, integer, table, text } from './table.ts';

export const undoTables = {
  /** One for each event of an act; its mails wait until `begins_at`. */
  announcements: table(
    {
      id: text(40).primary(),
      // The same for all dates of a show that one act has changed.
      act_id: text(40).index(),
      event_id: text(100).references('events.id'),
      act: text<AnnouncedAct>(20),
      // The task that stores the mails, and what it is about.
      task: text(40),
      task_subject: text(200),
      // Orders whose buyers are written to.
      buyers: integer(),
      // JSON: the columns of the event that it changed, and those of its show, with both values.
      moved: text(),
      actor: text(100),
      created_at: bigInteger(),
      begins_at: bigInteger(),
      begun_at: bigInteger().orNull(),
      withdrawn_at: bigInteger().orNull(),
    },
    (t) => {
      t.unique(['task', 'task_subject']);
      t.index(['event_id', 'created_at']);
    },
  ),
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, made] of Object.entries(undoTables)) await createTable(knex, name, made);
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(undoTables).toReversed()) await knex.schema.dropTable(name);
}
