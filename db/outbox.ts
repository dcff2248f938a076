/**
 * Waiting work: rows that are written with the change that makes them necessary, claimed for a
 * lease, and deleted when done.
 */
import type { Knex } from 'knex';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { lowestFirst, type Page } from './engine/page.ts';
import { insertMany } from '#db/engine/statements.ts';
import { wakeWorker } from '#db/engine/wake.ts';
import type { OutboxRow } from './rows.ts';
import { tasks, type Task } from './tasks.ts';

export interface NewTask {
  task: Task;
  subject: string;
  run_at: number;
}

/** The row of a task that did not exist before. */
function newTask(row: NewTask): OutboxRow {
  return {
    ...row,
    id: `${row.task}:${row.subject}`,
    attempts: 0,
    locked_until: null,
    bell: 0,
    last_error: null,
  };
}

/**
 * Adds one row per task and subject. An existing row moves to the earlier of the two times; if it
 * is running now, it will run again. The commit wakes the worker, unless `wakes` is false. It is
 * a single statement, so that a row that is just being finished cannot disappear halfway.
 */
export async function addTasks(
  trx: Trx,
  rows: readonly NewTask[],
  { wakes = true } = {},
): Promise<void> {
  await trx<OutboxRow>('outbox')
    .insert(rows.map(newTask))
    .onConflict('id')
    .merge({
      run_at: trx.raw(
        'CASE WHEN outbox.locked_until IS NOT NULL OR outbox.run_at > excluded.run_at THEN excluded.run_at ELSE outbox.run_at END',
      ),
      bell: trx.raw('outbox.bell + 1'),
    } as object);
  if (wakes) wakeWorker(trx);
}

export async function addTask(
  trx: Trx,
  row: NewTask,
  options?: { wakes?: boolean },
): Promise<void> {
  await addTasks(trx, [row], options);
}

/** Adds tasks whose subjects are new, so that no such task can exist. */
export async function addNewTasks(trx: Trx, rows: readonly NewTask[]): Promise<void> {
  await insertMany(trx, 'outbox', rows.map(newTask));
  wakeWorker(trx);
}

/**
 * Claims the next due row for a lease; returns undefined if nothing is due. The guarded update is
 * the same on both databases. Tasks of other kinds wait for the newer version that knows them.
 */
export async function claimTask(
  db: Db,
  now: number,
  leaseMs: number,
): Promise<OutboxRow | undefined> {
  for (;;) {
    const due = (query: Knex.QueryBuilder) =>
      query
        .whereIn('task', tasks)
        .where('run_at', '<=', now)
        .where((b) => b.whereNull('locked_until').orWhere('locked_until', '<=', now));
    const row: OutboxRow | undefined = await due(db('outbox')).orderBy('run_at').first();
    if (!row) return undefined;
    const claimed = await due(db('outbox').where({ id: row.id, attempts: row.attempts })).update({
      locked_until: now + leaseMs,
      attempts: row.attempts + 1,
    });
    if (claimed === 1) return { ...row, attempts: row.attempts + 1, locked_until: now + leaseMs };
  }
}

/** The row while this worker has it: no other claim has this end and this number of attempts. */
function ofClaim(db: Db, { id, locked_until, attempts }: OutboxRow) {
  return db<OutboxRow>('outbox').where({ id, locked_until, attempts });
}

/**
 * Extends the lease of running work. This and the next two return false, without a change, if the
 * claim had run out and another worker has the row.
 */
export async function renewTask(db: Db, row: OutboxRow, until: number): Promise<boolean> {
  return (await ofClaim(db, row).update({ locked_until: until })) === 1;
}

/** Deletes finished work, unless it was requested again meanwhile. */
export async function finishTask(db: Db, row: OutboxRow): Promise<boolean> {
  const gone = await ofClaim(db, row).where({ bell: row.bell }).delete();
  return gone === 1 || unlock(db, row, { last_error: null, attempts: 0 });
}

/** Runs the work again later, or at the requested time if it was requested again meanwhile. */
export async function postponeTask(
  db: Db,
  row: OutboxRow,
  { run_at, ...changes }: { run_at: number; last_error: string | null; attempts: number },
): Promise<boolean> {
  const put = await ofClaim(db, row)
    .where({ bell: row.bell })
    .update({ ...changes, run_at, locked_until: null });
  return put === 1 || unlock(db, row, changes);
}

async function unlock(
  db: Db,
  row: OutboxRow,
  changes: { last_error: string | null; attempts: number },
): Promise<boolean> {
  return (await ofClaim(db, row).update({ ...changes, locked_until: null })) === 1;
}

/** When the next row may be claimed; a leased one may at the end of its lease. */
export async function nextRunAt(db: Db): Promise<number | null> {
  const row = await db('outbox')
    .whereIn('task', tasks)
    .min<{ at: number | null }[]>({
      at: db.raw('CASE WHEN locked_until > run_at THEN locked_until ELSE run_at END'),
    })
    .first();
  return row?.at ?? null;
}

/**
 * Frees the claims of a killed process and makes them due; only a single process may call this,
 * when it starts.
 */
export async function dropClaims(db: Db, now: number): Promise<void> {
  await db<OutboxRow>('outbox')
    .whereNotNull('locked_until')
    .update({
      locked_until: null,
      run_at: db.raw('CASE WHEN run_at < ? THEN run_at ELSE ? END', [now, now]),
    });
}

/** Lists tasks, the next one first; `failing` are those that were tried and not done. */
export async function listTasks(
  db: Db,
  { failing }: { failing: boolean },
  page: Page,
): Promise<OutboxRow[]> {
  const query = db<OutboxRow>('outbox').select('outbox.*');
  lowestFirst(query, { at: db.raw('outbox.run_at'), id: 'outbox.id' }, page);
  if (failing) query.whereNotNull('outbox.last_error');
  return query;
}

export async function findTask(db: Db, id: string): Promise<OutboxRow | undefined> {
  return db<OutboxRow>('outbox').where({ id }).first();
}

export async function tasksAbout(db: Db, subjects: readonly string[]): Promise<OutboxRow[]> {
  return db<OutboxRow>('outbox').whereIn('subject', subjects as string[]);
}

function ofNobody(trx: Trx, { id, now }: { id: string; now: number }) {
  return trx<OutboxRow>('outbox')
    .where({ id })
    .where((b) => b.whereNull('locked_until').orWhere('locked_until', '<=', now));
}

/** Makes the task due now. Returns false if it is running or done. */
export async function hurryTask(trx: Trx, task: { id: string; now: number }): Promise<boolean> {
  wakeWorker(trx);
  return (await ofNobody(trx, task).update({ run_at: task.now })) === 1;
}

interface Several {
  task: Task;
  subjects: readonly string[] | Knex.QueryBuilder;
  run_at: number;
}

function severalTasks(trx: Trx, { task, subjects }: Several) {
  return trx<OutboxRow>('outbox')
    .where({ task })
    .whereIn('subject', subjects as string[]);
}

/** Puts off these tasks, except those that are running now. */
export async function putOffTasks(trx: Trx, those: Several): Promise<void> {
  await severalTasks(trx, those).whereNull('locked_until').update({ run_at: those.run_at });
}

/** Makes these tasks due; one that is running now will run again. */
export async function hurryTasks(trx: Trx, those: Several): Promise<void> {
  const bell = trx.raw('bell + 1');
  await severalTasks(trx, those).update({ run_at: those.run_at, bell } as object);
  wakeWorker(trx);
}

/** Deletes the task undone. Returns false if it is running or done. */
export async function dropTask(trx: Trx, task: { id: string; now: number }): Promise<boolean> {
  return (await ofNobody(trx, task).delete()) === 1;
}
