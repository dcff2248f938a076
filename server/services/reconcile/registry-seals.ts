/**
 * Seals the entries of the Registro in batches (chained hashes show later changes), and reports
 * up to where it is intact (RULES I4).
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { countUnsealed, findSeal, lastSeal, sealAt, sealNext } from '#db/audit/audit-seals.ts';
import { isUniqueViolation } from '#db/engine/dialect.ts';
import { listInvariantRows } from '#db/reconcile/invariant-rows.ts';
import { registryIsWhole } from '#db/reconcile/invariants.ts';
import { claimPeriod } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import type { Ctx } from '#server/services/context.ts';

/** With the schedule's own pause, an entry is sealed within a minute. */
const everyMs = 30_000;

/** How often entries are looked for that are far older than those sealed before. */
const lateEveryMs = 3_600_000;

/** The schedule calls this more often than needed; only one process seals. */
export async function sealRegistry(ctx: Ctx, stopping: AbortSignal): Promise<void> {
  const now = ctx.now();
  if (!(await claimPeriod(ctx.db, 'audit_sealed', { now, notSince: now - everyMs }))) return;
  while (!stopping.aborted && (await sealBatch(ctx, false)) > 0) await yieldToLoop();
  if (!(await claimPeriod(ctx.db, 'audit_sealed_late', { now, notSince: now - lateEveryMs })))
    return;
  while (!stopping.aborted && (await sealBatch(ctx, true)) > 0) await yieldToLoop();
}

/** Returns how many entries were sealed. */
async function sealBatch(ctx: Ctx, late: boolean): Promise<number> {
  const now = ctx.now();
  const entries = await transact(ctx.db, (trx) => sealNext(trx, { now, late })).catch(
    (error: unknown) => {
      // Another process has made this seal first.
      if (isUniqueViolation(error)) return 0;
      throw error;
    },
  );
  ctx.fault('registry_sealed');
  return entries;
}

/**
 * For Salute (the server's health) and the Registro: up to when the entries are intact, how many
 * wait for a seal, and which seals are broken.
 */
export async function registryState(ctx: Ctx) {
  const found = (await listInvariantRows(ctx.db)).find(({ name }) => name === registryIsWhole.name);
  const broken = found === undefined ? [] : (JSON.parse(found.sample) as string[]).map(readBroken);
  const checked_at = found?.checked_at ?? null;
  const first = broken[0];
  const whole =
    first === undefined
      ? await sealAt(ctx.db, checked_at ?? 0)
      : await findSeal(ctx.db, first.n - 1);
  const last = await lastSeal(ctx.db);
  return {
    checked_at,
    whole_until: whole?.sealed_at ?? null,
    seals: last?.n ?? 0,
    last_hash: last?.hash ?? null,
    broken: await Promise.all(
      broken.map(async ({ n, fault }) => ({
        n,
        fault,
        sealed_at: (await findSeal(ctx.db, n))?.sealed_at ?? null,
      })),
    ),
    ...(await countUnsealed(ctx.db)),
  };
}

function readBroken(subject: string) {
  const [n, fault = ''] = subject.split(' ');
  return { n: Number(n), fault };
}
