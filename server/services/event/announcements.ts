/**
 * An act about an event that mails many people: its mails leave a minute later, so that the office
 * can take the act back (RULES N4).
 */
import {
  announcementOfTask,
  beginAnnouncement,
  findAnnouncement,
  insertAnnouncement,
  laterAnnouncements,
} from '#db/mail/announcements.ts';
import { latestPostponement } from '#db/event/postponements.ts';
import { openRehousing } from '#db/seat/rehousings.ts';
import type { Trx } from '#db/engine/dialect.ts';
import type { AnnouncementRow } from '#db/rows.ts';
import type { Task } from '#db/tasks.ts';
import {
  announcementState,
  type AnnouncedAct,
  type Moved,
} from '#server/domain/mail/announcement.ts';
import { undoMs } from '#server/domain/mail/message.ts';
import { readNews } from '#server/domain/seat/rehousing-place.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';

/** What an act has changed, as the row keeps it. */
export interface MovedRows {
  event: Moved;
  show?: { id: string; moved: Moved };
}

export interface Announcing {
  id: string;
  /** The same for all events of one act; left out: the act is about this event alone. */
  act_id?: string;
  event_id: string;
  act: AnnouncedAct;
  /** The task that stores the mails, and what it is about. */
  task: Task;
  subject: string;
  buyers: number;
  moved: MovedRows;
  actor: Actor;
}

/** Queues the task for a minute later; call it in the transaction of the act. */
export async function announce(ctx: Ctx, trx: Trx, announcing: Announcing): Promise<void> {
  const { id, act_id = id, task, subject, moved, ...row } = announcing;
  // An earlier version would send the mails of an act that was taken back.
  await raiseFloor(ctx, trx, '1.7.0');
  const begins_at = ctx.now() + undoMs;
  await insertAnnouncement(trx, {
    ...row,
    id,
    act_id,
    task,
    task_subject: subject,
    moved: JSON.stringify(moved),
    created_at: ctx.now(),
    begins_at,
    begun_at: null,
    withdrawn_at: null,
  });
  await queueTask(ctx, trx, { task, subject, run_at: begins_at });
}

/**
 * Whether a task may do its work: null if its act was taken back, or the time at which to ask
 * again. While a later act about the event can be taken back, or a change of hall called off, the
 * earlier one waits for it, because it is not known yet which of them stands. An act without a row
 * may go at once: it was made by an earlier version, or by a change of hall.
 */
export async function turnOf(
  ctx: Ctx,
  task: Task,
  subject: string,
): Promise<'now' | number | null> {
  const row = await announcementOfTask(ctx.db, task, subject);
  if (row === undefined || row.begun_at !== null) return 'now';
  if (row.withdrawn_at !== null) return null;
  if (row.begins_at > ctx.now()) return row.begins_at;
  const waiting = (await laterAnnouncements(ctx.db, row)).filter(isWaiting(ctx));
  if (waiting.length > 0) return Math.max(...waiting.map(({ begins_at }) => begins_at));
  if (await isGoingElsewhere(ctx, row)) return ctx.now() + lookAgainMs;
  return (await beginAnnouncement(ctx.db, row.id, ctx.now())) ? 'now' : ctx.now();
}

/** The pause before a run is looked at again. */
const lookAgainMs = 1_000;

/** True while a change of hall may still be called off whose mail would tell this act, too. */
async function isGoingElsewhere(ctx: Ctx, { act, event_id }: AnnouncementRow): Promise<boolean> {
  if (act === 'event_cancelled') return false;
  const run = await openRehousing(ctx.db, event_id);
  const mayEnd = run?.state === 'taking' || run?.state === 'waiting';
  return mayEnd && readNews(run)?.place != null;
}

/** The announcement with this id, while it can be taken back. */
export async function waitingAnnouncement(
  ctx: Ctx,
  id: string,
): Promise<AnnouncementRow | undefined> {
  const row = await findAnnouncement(ctx.db, id);
  return row && isWaiting(ctx)(row) ? row : undefined;
}

function isWaiting(ctx: Ctx): (row: AnnouncementRow) => boolean {
  return (row) => announcementState(row, ctx.now()) === 'waiting';
}

/**
 * True if a later change of date or place tells the buyers everything that this one would, be it a
 * change of hall.
 */
export async function isToldLater(ctx: Ctx, task: Task, subject: string): Promise<boolean> {
  const row = await announcementOfTask(ctx.db, task, subject);
  if (row === undefined) return false;
  const question = await latestPostponement(ctx.db, row.event_id);
  const isInQuestion = question?.from_venue != null && question.created_at > row.created_at;
  if (isInQuestion) return true;
  const later = await laterAnnouncements(ctx.db, row);
  return later.some((other) => other.task === task && other.created_at > row.created_at);
}
