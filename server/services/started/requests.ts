/** Long requests, such as files and imports, and backups by hand, which a person has started. */
import { askWorkToStop, findWork, listWork } from '#db/office/started-work.ts';
import type { Wanted } from '#db/office/started.ts';
import type { StartedWorkRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { Refusal } from '#server/domain/refusal.ts';
import {
  momentMs,
  stoppableWorks,
  type RequestWork,
  type StartedState,
} from '#server/domain/user/started.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { backupReport } from '#server/services/backup/keep.ts';
import { happened } from '#server/services/kit/happened.ts';
import { aliveProcesses } from '#server/services/kit/processes.ts';
import { blank, type StartedItem } from './item.ts';
import { newsItem } from './mails.ts';

export async function requestItems(ctx: Ctx, wanted: Wanted): Promise<StartedItem[]> {
  const rows = await listWork(ctx.db, wanted);
  if (rows.length === 0) return [];
  const alive = await aliveProcesses(ctx);
  // A file that is ready in a moment is not worth a number in the navigation.
  const seen = rows.filter(
    ({ begun_at, work }) => isForWorker(work) || ctx.now() - begun_at >= momentMs,
  );
  return Promise.all(
    seen.map((row) => {
      if (row.work === 'event_news') return newsItem(ctx, row);
      return row.work === 'backup' ? backupItem(ctx, row, alive) : requestItem(row, alive);
    }),
  );
}

function isForWorker(work: RequestWork): boolean {
  return work === 'event_news' || work === 'backup';
}

/** A process of an older version makes a backup without noting its end. */
async function backupItem(ctx: Ctx, row: StartedWorkRow, alive: ReadonlySet<string | null>) {
  const item = requestItem(row, alive);
  const isOver = item.state === 'running' && !(await backupReport(ctx)).running;
  return isOver ? { ...item, state: 'done' as const } : item;
}

function requestItem(row: StartedWorkRow, alive: ReadonlySet<string | null>): StartedItem {
  const state = stateOf(row, alive);
  const isStoppable = stoppableWorks.includes(row.work);
  return {
    ...blank,
    id: row.id,
    kind: row.work,
    state,
    event_id: row.event_id,
    actor: row.actor as Actor,
    started_at: row.begun_at,
    moved_at: row.moved_at,
    ended_at: row.ended_at,
    done: row.done,
    // Work that is done in one step has no progress to tell.
    unit: isStoppable ? 'bytes' : null,
    said: row.said,
    stop: isStoppable && state === 'running' && row.stop_asked_at === null ? 'stop' : null,
  };
}

function stateOf({ outcome, process_id }: StartedWorkRow, alive: ReadonlySet<string | null>) {
  if (outcome !== null) return outcome satisfies StartedState;
  // Work that no process has begun waits for the worker.
  return process_id === null || alive.has(process_id) ? 'running' : 'broken';
}

/**
 * Ends a file that is being made; its receiver gets an incomplete one.
 * @throws Refusal work_not_found for work that is none of this person's, work_not_running
 */
export async function stopWork(ctx: Ctx, id: string, actor: Actor): Promise<void> {
  const row = await findWork(ctx.db, id);
  if (row?.actor !== actor || !stoppableWorks.includes(row.work))
    throw new Refusal('work_not_found');
  await transact(ctx.db, async (trx) => {
    if (!(await askWorkToStop(trx, id, ctx.now()))) throw new Refusal('work_not_running');
    await happened(ctx, trx, {
      actor,
      action: 'file_stopped',
      subject: id,
      detail: { work: row.work },
    });
  });
}
