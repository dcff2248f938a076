/**
 * Notices that the computer's clock was set back, corrects the stored times that lie ahead, and
 * reports it in Salute, the office's page on the server's health.
 */
import { correctAhead } from '#db/ahead.ts';
import { sealNext } from '#db/audit/audit-seals.ts';
import { awaitTurn, isUniqueViolation } from '#db/engine/dialect.ts';
import { putSetting, readSetting } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import { clockStepMs } from '#server/domain/time/clock-step.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened } from './happened.ts';

/** The time is stored this often, so that a step while no process runs is missed by no more. */
const storedEveryMs = 15_000;
const seenKey = 'clock_seen';
const setBackKey = 'clock_set_back';
/** Processes of one computer notice the same step, which counts once. */
const sameStepMs = 5_000;

/** `wall`: the latest time by the computer's clock; it was read when `elapsed` was. */
interface Reading {
  wall: number;
  elapsed: number;
  storedAt: number;
}
const latestBy = new WeakMap<Ctx['memory'], Reading>();

/** `at`: when it was noticed, by the corrected clock; `by_ms`: by how much it was set back. */
interface SetBack {
  at: number;
  by_ms: number;
}

/** The schedule calls this every second, and each start before it does anything else. */
export async function watchClock(ctx: Ctx): Promise<void> {
  const [now, elapsed] = [ctx.now(), ctx.elapsed()];
  const latest = latestBy.get(ctx.memory);
  const due = latest
    ? latest.wall + elapsed - latest.elapsed
    : Number((await readSetting(ctx.db, seenKey)) ?? 0);
  const backMs = due - now;
  if (backMs > clockStepMs) await correct(ctx, { at: now, by_ms: Math.round(backMs) });
  // After small steps back the latest time stays, so that many of them count as one.
  const isLatest = backMs <= 0 || backMs > clockStepMs || latest === undefined;
  const storedAt = latest?.storedAt ?? Number.NEGATIVE_INFINITY;
  // A step ahead is stored at once: the process may die before the clock is set right.
  const stores = Math.abs(backMs) > clockStepMs || elapsed - storedAt >= storedEveryMs;
  if (stores) await putSetting(ctx.db, seenKey, String(now));
  latestBy.set(ctx.memory, {
    ...(isLatest ? { wall: now, elapsed } : latest),
    storedAt: stores ? elapsed : storedAt,
  });
}

async function correct(ctx: Ctx, step: SetBack): Promise<void> {
  ctx.log.warn(step, 'the clock was set back');
  await transact(ctx.db, async (trx) => {
    await awaitTurn(trx);
    const known = await lastSetBack(ctx, trx);
    const isKnown =
      known !== null && Math.abs(known.at + known.by_ms - step.at - step.by_ms) < sameStepMs;
    await correctAhead(trx, { now: step.at, backMs: isKnown ? 0 : step.by_ms });
    if (isKnown) return;
    await putSetting(trx, setBackKey, JSON.stringify(step));
    const detail = { by_minutes: Math.round(step.by_ms / 60_000) };
    await happened(ctx, trx, {
      actor: 'system',
      action: 'clock_set_back',
      subject: 'clock',
      detail,
    });
  });
  ctx.fault('clock_corrected');
  // The last seal's time now lies ahead, and only entries after it would be sealed.
  await transact(ctx.db, (trx) => sealNext(trx, { now: step.at, late: false })).catch(
    (error: unknown) => {
      // Another process has made this seal first.
      if (!isUniqueViolation(error)) throw error;
    },
  );
}

/** The last time that the clock of this house was set back; null: never. */
export async function lastSetBack(
  { db }: Pick<Ctx, 'db'>,
  trx: Parameters<typeof readSetting>[0] = db,
): Promise<SetBack | null> {
  return JSON.parse((await readSetting(trx, setBackKey)) ?? 'null') as SetBack | null;
}
