/** Acts that mail many people, in SQL: begun by the worker, or taken back before (RULES N4). */
import type { Knex } from 'knex';
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { AnnouncementRow, EventRow } from '#db/rows.ts';
import type { Task } from '#db/tasks.ts';

const rows = (db: Db) => db<AnnouncementRow>('announcements');

export async function insertAnnouncement(trx: Trx, row: AnnouncementRow): Promise<void> {
  await rows(trx).insert(row);
}

export async function findAnnouncement(db: Db, id: string): Promise<AnnouncementRow | undefined> {
  return rows(db).where({ id }).first();
}

/** The announcement whose mails this task stores. */
export async function announcementOfTask(
  db: Db,
  task: Task,
  task_subject: string,
): Promise<AnnouncementRow | undefined> {
  return rows(db).where({ task, task_subject }).first();
}

/** The newest of this act about the event that was neither begun nor taken back. */
export async function openAnnouncement(
  db: Db,
  event_id: string,
  act: AnnouncementRow['act'],
): Promise<AnnouncementRow | undefined> {
  return untouched(rows(db).where({ event_id, act })).orderBy('created_at', 'desc').first();
}

/** One for each event that the act has changed, ordered by event. */
export async function announcementsOfAct(db: Db, act_id: string): Promise<AnnouncementRow[]> {
  return rows(db).where({ act_id }).orderBy('event_id');
}

/** As `announcementsOfAct` for several acts. */
export async function announcementsOfActs(
  db: Db,
  act_ids: readonly string[],
): Promise<AnnouncementRow[]> {
  return rows(db)
    .whereIn('act_id', act_ids as string[])
    .orderBy('event_id');
}

/** Those of an event, or of all dates of a show, made after `since`; the newest first. */
export async function recentAnnouncements(
  db: Db,
  { event_id, show_id }: { event_id?: string; show_id?: string },
  since: number,
): Promise<AnnouncementRow[]> {
  const query = rows(db).where('created_at', '>', since).orderBy('created_at', 'desc');
  if (event_id !== undefined) query.where({ event_id });
  if (show_id !== undefined)
    query.whereIn('event_id', db<EventRow>('events').where({ show_id }).select('id'));
  return query;
}

/** Later ones about the same event that were not taken back. */
export async function laterAnnouncements(
  db: Db,
  { id, event_id, created_at }: AnnouncementRow,
): Promise<AnnouncementRow[]> {
  return rows(db)
    .where({ event_id, withdrawn_at: null })
    .where('created_at', '>=', created_at)
    .whereNot({ id });
}

/** True while an act about this event can be taken back. */
export async function isActWaiting(db: Db, event_id: string, now: number): Promise<boolean> {
  const waiting = untouched(rows(db).where({ event_id })).where('begins_at', '>', now);
  return (await waiting.first('id')) !== undefined;
}

function untouched(query: Knex.QueryBuilder): Knex.QueryBuilder {
  return query.whereNull('begun_at').whereNull('withdrawn_at');
}

/** Returns false if it has begun already or was taken back. */
export async function beginAnnouncement(db: Db, id: string, at: number): Promise<boolean> {
  return (await untouched(rows(db).where({ id })).update({ begun_at: at })) === 1;
}

/** Takes an act back for all its events; returns for how many its mails had not begun. */
export async function withdrawAnnouncements(trx: Trx, act_id: string, at: number): Promise<number> {
  const query = rows(trx).where({ act_id }).where('begins_at', '>', at);
  return untouched(query).update({ withdrawn_at: at });
}
