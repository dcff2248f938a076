/** Refunds of cancelled events and changes of hall, which a person has started. */
import {
  countRehoused,
  lastRefundOfRun,
  startedRefundRuns,
  startedRehousings,
  type Wanted,
} from '#db/office/started.ts';
import type { RefundRunRow, RehousingRow } from '#db/rows.ts';
import { providerHealth } from '#server/adapters/provider-health.ts';
import type { RehousingState } from '#server/domain/seat/rehousing.ts';
import type { StartedState } from '#server/domain/user/started.ts';
import type { Ctx } from '#server/services/context.ts';
import { refundRun } from '#server/services/refund/cancelled-event.ts';
import { blank, type StartedItem } from './item.ts';
import { undoOf } from './mails.ts';

export async function refundItems(ctx: Ctx, wanted: Wanted): Promise<StartedItem[]> {
  const rows = await startedRefundRuns(ctx.db, wanted);
  return Promise.all(rows.map((row) => refundItem(ctx, row)));
}

async function refundItem(ctx: Ctx, row: RefundRunRow): Promise<StartedItem> {
  const run = await refundRun(ctx, row.id);
  const isRunning = run.finished_at === null || run.unsent > 0;
  const ends: StartedState = run.failed + run.to_hand_back > 0 ? 'partly' : 'done';
  const state = isRunning ? (row.halted_at === null ? 'running' : 'stopped') : ends;
  const moved_at = (await lastRefundOfRun(ctx.db, row.id)) ?? row.created_at;
  return {
    ...blank,
    id: row.id,
    kind: 'refunds',
    state,
    event_id: row.event_id,
    actor: row.actor as StartedItem['actor'],
    started_at: row.created_at,
    moved_at,
    ended_at: isRunning ? null : Math.max(moved_at, run.finished_at ?? 0),
    unit: 'refunds',
    // Money that is on its way at Stripe is no work of ours any more.
    done: run.refunds - run.unsent,
    total: Math.max(run.refunds, run.orders),
    failed: run.failed,
    trouble: state === 'running' && isSilent(ctx.payments) ? 'provider_silent' : null,
    stop: state === 'running' ? 'stop' : null,
    resume: state === 'stopped',
    ...(await undoOf(ctx, row.id)),
  };
}

function isSilent(provider: object): boolean {
  return (providerHealth(provider)?.error ?? null) !== null;
}

export async function rehousingItems(ctx: Ctx, wanted: Wanted): Promise<StartedItem[]> {
  const rows = await startedRehousings(ctx.db, wanted);
  return Promise.all(rows.map((row) => rehousingItem(ctx, row)));
}

/** A run that was called off is a plan again, with or without the reason. */
const rehousingStates: Record<RehousingState, StartedState> = {
  planned: 'called_off',
  taking: 'running',
  waiting: 'waiting',
  moved: 'running',
  giving_back: 'running',
  done: 'done',
  dropped: 'called_off',
};

async function rehousingItem(ctx: Ctx, row: RehousingRow): Promise<StartedItem> {
  const { total, taken } = await countRehoused(ctx.db, row.id);
  const state = rehousingStates[row.state] ?? 'running';
  const isRunning = state === 'running' || state === 'waiting';
  return {
    ...blank,
    id: row.id,
    kind: 'rehousing',
    state,
    event_id: row.event_id,
    actor: row.actor as StartedItem['actor'],
    started_at: row.started_at ?? row.created_at,
    begins_at: row.state === 'waiting' ? row.commit_at : null,
    ended_at: row.done_at,
    unit: 'tickets',
    done: row.state === 'moved' || row.state === 'done' ? total : taken,
    total,
    trouble: isRunning && isSilent(ctx.seats) ? 'provider_silent' : null,
    stop: row.state === 'taking' || row.state === 'waiting' ? 'call_off' : null,
  };
}
