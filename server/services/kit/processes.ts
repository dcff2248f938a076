/**
 * This process among those of the house: its row says which version runs here, and a floor in the
 * settings keeps out versions that would misread what newer ones have stored.
 */
import { hostname } from 'node:os';
import {
  addProcess,
  beatProcess,
  dropProcess,
  listProcesses,
  noteRelease,
  putFloor,
  readFloor,
  sweepProcesses,
} from '#db/processes.ts';
import type { ProcessRow } from '#db/rows.ts';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { isPostgres } from '#db/engine/dialect.ts';
import { beatWithinMs, isOlder } from '#server/domain/office/version.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';

/** The row of a process that was killed is shown in Salute for this long. */
const shownMs = 10 * beatWithinMs;

interface Own {
  row: ProcessRow;
  overtaken: AbortController;
}
const ownBy = new WeakMap<Ctx['memory'], Own>();

type Starting = Pick<Ctx, 'db' | 'memory' | 'now' | 'newId' | 'version'>;

/**
 * Writes this process's row.
 * @returns the floor if this version is below it and must not start; else null
 */
export async function joinProcesses(ctx: Starting): Promise<string | null> {
  const { db, version } = ctx;
  const now = ctx.now();
  const row = {
    id: ctx.newId(),
    version,
    host: hostname().slice(0, 255),
    pid: process.pid,
    started_at: now,
    last_beat_at: now,
  };
  // The house's lock proves that no other process uses the file: the other rows are of dead ones.
  await sweepProcesses(db, isPostgres(db) ? now - shownMs : Number.MAX_SAFE_INTEGER);
  await addProcess(db, row);
  ownBy.set(ctx.memory, { row, overtaken: new AbortController() });
  const floor = await floorAbove(ctx);
  if (floor !== null) await leaveProcesses(ctx);
  else await noteRelease(db, { version, first_started_at: now });
  return floor;
}

/** Removes the row at a clean stop. */
export async function leaveProcesses({ db, memory }: Pick<Ctx, 'db' | 'memory'>): Promise<void> {
  const own = ownBy.get(memory);
  if (own !== undefined) await dropProcess(db, own.row.id);
}

/** Says that this process runs, and finds out whether it still may. */
export async function beat(ctx: Ctx): Promise<void> {
  const own = ownBy.get(ctx.memory);
  if (own === undefined) return;
  const now = ctx.now();
  await beatProcess(ctx.db, { ...own.row, last_beat_at: now });
  await sweepProcesses(ctx.db, now - shownMs);
  if ((await floorAbove(ctx)) !== null) own.overtaken.abort();
}

/**
 * Aborted when the floor was raised although this process runs, because its beats were late: it
 * answers nothing more and stops.
 */
export function overtaken({ memory }: Pick<Ctx, 'memory'>): AbortSignal {
  return requireValue(ownBy.get(memory), 'row of this process').overtaken.signal;
}

/** The floor if this version is below it; else null. */
export async function floorAbove({
  db,
  version,
}: {
  db: Db;
  version: string;
}): Promise<string | null> {
  const floor = await readFloor(db);
  return floor !== null && isOlder(version, floor) ? floor : null;
}

/**
 * From now on only this version and newer ones may run here: call it in the transaction that
 * first stores what an older version would misread.
 * @throws Refusal older_process_runs
 */
export async function raiseFloor(ctx: Ctx, trx: Trx, wanted: string): Promise<void> {
  // Until its release a program has the version of the release before it.
  const floor = isOlder(ctx.version, wanted) ? ctx.version : wanted;
  const known = await readFloor(trx);
  if (known !== null && !isOlder(known, floor)) return;
  await putFloor(trx, floor, (processes) => {
    const older = processes.filter((one) => isBeating(ctx, one) && isOlder(one.version, floor));
    if (older.length > 0) throw new Refusal('older_process_runs', { floor, processes: older });
  });
}

/** True if another process of this house runs. */
export async function runsBeside(ctx: Ctx): Promise<boolean> {
  const own = ownBy.get(ctx.memory)?.row.id;
  return (await processList(ctx)).some(({ id, beats }) => beats && id !== own);
}

/** The processes of this house, for the office and for `doctor`. */
export async function processList(ctx: Ctx) {
  return (await listProcesses(ctx.db)).map((one) => ({ ...one, beats: isBeating(ctx, one) }));
}

/** The processes that run; work of any other was broken off. */
export async function aliveProcesses(ctx: Ctx, db: Db = ctx.db): Promise<Set<string | null>> {
  const beating = (await listProcesses(db)).filter((one) => isBeating(ctx, one));
  return new Set([ownProcess(ctx), ...beating.map(({ id }) => id)]);
}

/** This process's id; null in a program that is not a server. */
export function ownProcess({ memory }: Pick<Ctx, 'memory'>): string | null {
  return ownBy.get(memory)?.row.id ?? null;
}

function isBeating({ now }: Pick<Ctx, 'now'>, { last_beat_at }: ProcessRow): boolean {
  return now() - last_beat_at <= beatWithinMs;
}
