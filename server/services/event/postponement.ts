/**
 * Moves a sold date to another day: all its times move too, and its buyers are asked whether they
 * come (RULES E3).
 */
import { countEntries } from '#db/door/admissions.ts';
import { findEvent, countOrders } from '#db/event/events.ts';
import {
  closePostponementsOf,
  findPostponement,
  insertPostponement,
  latestPostponement,
} from '#db/event/postponements.ts';
import { countDateAnswers } from '#db/event/date-answers.ts';
import type { EventRow, PostponementRow } from '#db/rows.ts';
import { postponementFaults, type PostponementAnswer } from '#server/domain/event/postponement.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { movedBetween } from '#server/domain/mail/announcement.ts';
import { timesAt } from '#server/domain/event/series.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { happened } from '#server/services/kit/happened.ts';
import { announce, turnOf } from './announcements.ts';
import { change, editable } from './desk.ts';
import { knownEvent } from './events.ts';
import { changesBetween } from './form.ts';
import { writeToHolders } from './news.ts';

interface Move {
  version: number;
  starts_at: number;
  answer_by: number;
  if_silent: PostponementAnswer;
  reason: string | null;
  tell_buyers: number;
}

/** Refuses as the contract of postponeEvent says. */
export async function postponeEvent(ctx: Ctx, id: string, move: Move, actor: Actor) {
  const before = await editable(ctx, id, move.version);
  if (before.status === 'draft') throw new Refusal('postponement_not_possible');
  const fields = postponementFaults(before, { ...move, now: ctx.now() });
  if (fields.length > 0) throw new Refusal('event_times_wrong', { fields });
  const row: PostponementRow = {
    id: ctx.newId(),
    event_id: id,
    from_starts_at: before.starts_at,
    to_starts_at: move.starts_at,
    from_venue: null,
    of_rehousing: null,
    answer_by: move.answer_by,
    if_silent: move.if_silent,
    reason: move.reason || null,
    actor,
    created_at: ctx.now(),
    closed_at: null,
  };
  const changes: Partial<EventRow> = {
    ...timesAt(before, move.starts_at),
    postponed_from: before.starts_at,
  };
  const moved = { event: movedBetween(before, changes) };
  await change(ctx, before, async (trx) => {
    if ((await countEntries(trx, id)) > 0) throw new Refusal('postponement_not_possible');
    const { buyers } = await countOrders(trx, id);
    if (buyers !== move.tell_buyers) throw new Refusal('buyers_to_tell', { buyers });
    await closePostponementsOf(trx, id, row.created_at);
    await insertPostponement(trx, row);
    const told = { id: row.id, event_id: id, task: 'tell_postponed', subject: row.id } as const;
    if (buyers > 0)
      await announce(ctx, trx, { ...told, act: 'event_postponed', buyers, moved, actor });
    await queueTask(ctx, trx, {
      task: 'close_postponement',
      subject: row.id,
      run_at: row.answer_by + 1,
    });
    await happened(ctx, trx, {
      actor,
      action: 'event_postponed',
      subject: id,
      detail: {
        postponement_id: row.id,
        changed: changesBetween(before, changes),
        answer_by: row.answer_by,
        if_silent: row.if_silent,
        reason: row.reason,
        told: buyers,
      },
    });
    return changes;
  });
  return { postponement: await told(ctx, row) };
}

async function told(ctx: Ctx, row: PostponementRow) {
  const counts = await countDateAnswers(ctx.db, { kind: 'postponed', ...row });
  const { keep: kept, refund: refunded, exchange: exchanged, silent } = counts;
  return { ...row, postponement_id: row.id, kept, refunded, exchanged, silent };
}

/** @throws Refusal event_not_found */
export async function postponementForOffice(ctx: Ctx, event_id: string) {
  await knownEvent(ctx, event_id);
  const row = await latestPostponement(ctx.db, event_id);
  return { postponement: row ? await told(ctx, row) : null };
}

/**
 * Writes to the buyers; idempotent by order and move. Sends nothing if the date has moved again
 * or was cancelled.
 */
export async function tellPostponed(ctx: Ctx, postponement_id: string): Promise<number | null> {
  const turn = await turnOf(ctx, 'tell_postponed', postponement_id);
  if (turn !== 'now') return turn;
  const row = await findPostponement(ctx.db, postponement_id);
  if (!row || row.closed_at !== null) return null;
  if ((await findEvent(ctx.db, row.event_id))?.status !== 'published') return null;
  const act = 'event_postponed';
  return writeToHolders(ctx, row.event_id, { act, kind: act, key: row.id });
}
