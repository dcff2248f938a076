/** Takes back an act whose mails have not left yet, and lists such acts (RULES N4). */
import {
  announcementsOfAct,
  announcementsOfActs,
  findAnnouncement,
  recentAnnouncements,
  withdrawAnnouncements,
} from '#db/mail/announcements.ts';
import type { Trx } from '#db/engine/dialect.ts';
import { hasOrdersSince, lockEvent, saveEvent } from '#db/event/events.ts';
import {
  dropPostponement,
  findPostponement,
  reopenPostponements,
} from '#db/event/postponements.ts';
import { lockShow, updateShow } from '#db/event/shows.ts';
import { isAnsweredByExchange } from '#db/order/exchanges.ts';
import { dropTask } from '#db/outbox.ts';
import { dropRun } from '#db/payment/refunds.ts';
import { dropTransfer } from '#db/event/transfers.ts';
import type { AnnouncementRow, EventRow, ShowRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import {
  announcementShownMs,
  announcementState,
  isAsMoved,
  standsOnceMet,
  valuesBefore,
  type Moved,
} from '#server/domain/mail/announcement.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { refuseTakenBack } from '#server/services/kit/taken-back.ts';
import { namesOf } from '#server/services/user/actors.ts';
import type { MovedRows } from './announcements.ts';
import { oweReminders } from './reminders.ts';
import { saveInShow } from './show-rows.ts';

interface About {
  event_id?: string;
  show_id?: string;
}

/**
 * Acts of the last minutes about an event, or about the dates of a show; the newest first.
 * @throws Refusal bad_request unless exactly one of both is given
 */
export async function announcementList(ctx: Ctx, about: About) {
  if ((about.event_id === undefined) === (about.show_id === undefined))
    throw new Refusal('bad_request', { fields: ['event_id', 'show_id'] });
  const recent = await recentAnnouncements(ctx.db, about, ctx.now() - announcementShownMs);
  const acts = [...new Set(recent.map(({ act_id }) => act_id))];
  const nameOf = await namesOf(
    ctx.db,
    recent.map(({ actor }) => actor as Actor),
  );
  const all = Map.groupBy(await announcementsOfActs(ctx.db, acts), ({ act_id }) => act_id);
  const items = acts.map((act_id) => {
    const own = all.get(act_id) ?? [];
    const first = requireValue(own[0], 'announcement');
    return {
      announcement_id: first.id,
      act: first.act,
      state: announcementState(first, ctx.now()),
      events: own.length,
      buyers: own.reduce((sum, { buyers }) => sum + buyers, 0),
      actor: nameOf(first.actor as Actor),
      created_at: first.created_at,
      begins_at: first.begins_at,
    };
  });
  return { at: ctx.now(), items };
}

interface Undo {
  actor: Actor;
  /** Whether the act is the cancelling of an event, which needs another right. */
  cancelling: boolean;
}

/** Refuses as the contract of takeBackAnnouncement says. A repeated call changes nothing. */
export async function takeBack(ctx: Ctx, id: string, { actor, cancelling }: Undo): Promise<void> {
  const asked = await findAnnouncement(ctx.db, id);
  if (!asked || (asked.act === 'event_cancelled') !== cancelling)
    throw new Refusal('message_not_found');
  await transact(ctx.db, (trx) => takeBackAct(ctx, trx, asked, actor)).catch(
    refuseTakenBack('undo_answered'),
  );
}

async function takeBackAct(
  ctx: Ctx,
  trx: Trx,
  { id, act_id }: AnnouncementRow,
  actor: Actor,
): Promise<void> {
  const waiting = await withdrawAnnouncements(trx, act_id, ctx.now());
  const rows = await announcementsOfAct(trx, act_id);
  if (waiting < rows.length) {
    if (waiting === 0 && (await findAnnouncement(trx, id))?.withdrawn_at != null) return;
    throw new Refusal('message_begun');
  }
  await putShowBack(ctx, trx, rows);
  for (const row of rows) {
    if (standsOnceMet[row.act]) await requireUntouched(trx, row);
    await putEventBack(ctx, trx, row);
    await forget(ctx, trx, row);
    await happened(ctx, trx, {
      actor,
      action: 'act_taken_back',
      subject: row.event_id,
      detail: { act: row.act, changed: backwards(movedRows(row).event) },
    });
  }
}

function movedRows({ moved }: AnnouncementRow): MovedRows {
  return JSON.parse(moved) as MovedRows;
}

function backwards(moved: Moved): Moved {
  return Object.fromEntries(
    Object.entries(moved).map(([field, { from, to }]) => [field, { from: to, to: from }]),
  );
}

/** @throws Refusal undo_answered if a buyer has bought, or begun to answer, since the act */
async function requireUntouched(trx: Trx, row: AnnouncementRow): Promise<void> {
  const isMet =
    (await hasOrdersSince(trx, row.event_id, row.created_at)) ||
    (await isAnsweredByExchange(trx, row.task_subject));
  if (isMet) throw new Refusal('undo_answered');
}

/** @throws Refusal undo_overtaken */
async function putShowBack(ctx: Ctx, trx: Trx, rows: readonly AnnouncementRow[]): Promise<void> {
  const changed = rows.map(movedRows).find(({ show }) => show !== undefined)?.show;
  if (changed === undefined) return;
  const show = await lockShow(trx, changed.id);
  if (!show || !isAsMoved(show, changed.moved)) throw new Refusal('undo_overtaken');
  const back = valuesBefore(changed.moved) as Partial<ShowRow>;
  await updateShow(trx, show.id, { ...back, updated_at: ctx.now() });
}

/** @throws Refusal undo_overtaken if one of the columns has changed again */
async function putEventBack(ctx: Ctx, trx: Trx, row: AnnouncementRow): Promise<void> {
  const moved = movedRows(row).event;
  if (Object.keys(moved).length === 0) return;
  const event = requireValue(await lockEvent(trx, row.event_id), 'event');
  const isCancelled = event.status === 'cancelled';
  if (isCancelled !== (row.act === 'event_cancelled') || !isAsMoved(event, moved))
    throw new Refusal('undo_overtaken');
  const back = valuesBefore(moved) as Partial<EventRow>;
  const inShow = await saveInShow(ctx, trx, event, { ...event, ...back });
  if (!(await saveEvent(trx, event, { ...back, ...inShow, updated_at: ctx.now() })))
    throw new Refusal('undo_overtaken');
  await oweReminders(ctx, trx, event.id);
}

/** Removes the question to the buyers, and the work that waits. */
async function forget(ctx: Ctx, trx: Trx, row: AnnouncementRow): Promise<void> {
  const { act, event_id, task, task_subject: subject } = row;
  const now = ctx.now();
  await dropTask(trx, { id: `${task}:${subject}`, now });
  if (act === 'event_cancelled') await dropRun(trx, subject);
  if (act === 'orders_transferred') await dropTransfer(trx, subject);
  if (act !== 'event_postponed') return;
  await dropTask(trx, { id: `close_postponement:${subject}`, now });
  const { created_at } = requireValue(await findPostponement(trx, subject), 'postponement');
  await dropPostponement(trx, subject);
  // It closed the earlier question when it was made.
  const earlier = await reopenPostponements(trx, { event_id, closed_at: created_at });
  for (const { id, answer_by } of earlier)
    await queueTask(ctx, trx, { task: 'close_postponement', subject: id, run_at: answer_by + 1 });
}
