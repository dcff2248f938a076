/** Mails to many buyers that a person has started: messages, postponements, news of an event. */
import { findAnnouncement } from '#db/mail/announcements.ts';
import { findTask } from '#db/outbox.ts';
import {
  mailsOfEvent,
  mailsOfMessage,
  startedMessages,
  startedPostponements,
  type MailProgress,
  type Wanted,
} from '#db/office/started.ts';
import type { MessageRow, PostponementRow, StartedWorkRow } from '#db/rows.ts';
import { announcementState } from '#server/domain/mail/announcement.ts';
import type { StartedState } from '#server/domain/user/started.ts';
import type { Ctx } from '#server/services/context.ts';
import { blank, type StartedItem, type Stop } from './item.ts';

export async function messageItems(ctx: Ctx, wanted: Wanted): Promise<StartedItem[]> {
  const rows = await startedMessages(ctx.db, wanted);
  // Without `since` all rows are open: their number matters, and 20,000 mails are not counted.
  const isCounted = wanted.since !== null;
  return Promise.all(rows.map((row) => messageItem(ctx, row, isCounted)));
}

const uncounted: MailProgress = {
  total: 1,
  stored: 0,
  waiting: 0,
  late: 0,
  failed: 0,
  kept: 0,
  moved_at: null,
};

async function messageItem(ctx: Ctx, row: MessageRow, isCounted: boolean): Promise<StartedItem> {
  const mails = isCounted ? await mailsOfMessage(ctx.db, row.id) : uncounted;
  const left = mails.total - mails.stored + mails.waiting;
  const state = stateOf(row, mails, left);
  const isRunning = state === 'running' || state === 'waiting';
  return {
    ...blank,
    id: row.id,
    kind: 'message',
    state,
    title: row.subject,
    event_id: row.event_id,
    actor: row.actor as StartedItem['actor'],
    started_at: row.created_at,
    begins_at: state === 'waiting' ? row.begins_at : null,
    ended_at: isRunning || state === 'stopped' ? null : (row.withdrawn_at ?? mails.moved_at),
    ...progressOf(mails, left, isRunning),
    moved_at: mails.moved_at ?? row.begun_at,
    stop: stopOf(state),
    resume: state === 'stopped',
  };
}

function stateOf(row: MessageRow, mails: MailProgress, left: number): StartedState {
  if (row.withdrawn_at !== null) return 'called_off';
  if (row.stopped_at !== null) return 'stopped';
  if (row.begun_at === null) return 'waiting';
  if (row.finished_at === null || left > 0) return 'running';
  return ended(mails);
}

function stopOf(state: StartedState): Stop | null {
  if (state === 'waiting') return 'withdraw';
  return state === 'running' ? 'stop' : null;
}

function ended({ failed, kept }: MailProgress): StartedState {
  return failed + kept > 0 ? 'partly' : 'done';
}

function progressOf(mails: MailProgress, left: number, isRunning: boolean) {
  const waits = mails.late > 0 && isRunning ? ('mail_waits' as const) : null;
  return {
    unit: 'mails' as const,
    total: mails.total,
    done: mails.total - left,
    failed: mails.failed + mails.kept,
    trouble: mails.kept > 0 ? ('mail_not_set_up' as const) : waits,
  };
}

export async function postponementItems(ctx: Ctx, wanted: Wanted): Promise<StartedItem[]> {
  const rows = await startedPostponements(ctx.db, wanted);
  return Promise.all(rows.map((row) => postponementItem(ctx, row)));
}

async function postponementItem(ctx: Ctx, row: PostponementRow): Promise<StartedItem> {
  const { id, event_id, created_at, actor } = row;
  const group = { event_id, kind: 'event_postponed', key: id } as const;
  const told = await toldItem(ctx, { id, group, task: `tell_postponed:${id}` });
  return {
    ...blank,
    ...told,
    id,
    kind: 'postponement',
    event_id,
    actor: actor as StartedItem['actor'],
    started_at: created_at,
  };
}

/** Buyers are told of a changed day or venue. */
export async function newsItem(ctx: Ctx, row: StartedWorkRow): Promise<StartedItem> {
  const event_id = row.event_id ?? '';
  const group = { event_id, kind: 'event_changed', key: `v${row.version}` } as const;
  const task = `tell_buyers:${event_id}#${row.version}`;
  const told = await toldItem(ctx, { id: row.id, group, task });
  return {
    ...blank,
    ...told,
    id: row.id,
    kind: 'event_news',
    event_id,
    actor: row.actor as StartedItem['actor'],
    started_at: row.begun_at,
  };
}

interface Told {
  /** The id of the act's announcement, too. */ id: string;
  group: Parameters<typeof mailsOfEvent>[1];
  /** The id of the task that stores the mails. */ task: string;
}

async function toldItem(ctx: Ctx, { id, group, task }: Told) {
  const undo = await undoOf(ctx, id);
  if (undo !== null) return undo;
  const mails = await mailsOfEvent(ctx.db, group);
  const isRunning = mails.waiting > 0 || (await findTask(ctx.db, task)) !== undefined;
  return {
    state: isRunning ? ('running' as const) : ended(mails),
    ...progressOf(mails, mails.waiting, isRunning),
    // The task stores all mails together; until then their number is not known.
    total: isRunning && mails.total === 0 ? null : mails.total,
    moved_at: mails.moved_at,
    ended_at: isRunning ? null : mails.moved_at,
  };
}

/**
 * An act that can be taken back, or was, as a part of its item; null: its mails leave, or it was
 * made by an earlier version.
 */
export async function undoOf(ctx: Ctx, announcement_id: string) {
  const row = await findAnnouncement(ctx.db, announcement_id);
  const state = row && announcementState(row, ctx.now());
  if (row === undefined || state === 'going') return null;
  return state === 'waiting'
    ? { state, begins_at: row.begins_at, stop: 'withdraw' as const }
    : { state: 'called_off' as const, ended_at: row.withdrawn_at };
}
