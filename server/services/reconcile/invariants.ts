/**
 * Checks the database invariants every hour, in one process, or when the office asks; violations
 * are logged and shown.
 */
import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { listInvariantRows, putInvariantRows } from '#db/reconcile/invariant-rows.ts';
import { invariants, type Violation } from '#db/reconcile/invariants.ts';
import type { InvariantRow } from '#db/rows.ts';
import { claimPeriod } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import type { Ctx } from '#server/services/context.ts';

const everyMs = 3_600_000;
/** Subjects that are kept for the office; how many there are in all is kept, too. */
const sampleSize = 20;

/** For the schedule, which asks more often than it is due: the first of all processes does it. */
export async function checkInvariantsHourly(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  if (await claimPeriod(ctx.db, 'invariants_checked', { now, notSince: now - everyMs }))
    await checkInvariants(ctx);
}

/**
 * Runs all of them now and stores what they found. Between two of them others have their turn:
 * SQLite answers on the thread that serves.
 */
export async function checkInvariants(ctx: Ctx): Promise<InvariantRow[]> {
  const before = new Map((await listInvariantRows(ctx.db)).map((row) => [row.name, row]));
  const rows: InvariantRow[] = [];
  for (const { name, find } of invariants) {
    const now = ctx.now();
    const found = await find(ctx.db, now);
    if (found.length > 0)
      ctx.log.error(
        { invariant: name, violations: found.length, sample: sampleOf(found) },
        'invariant broken',
      );
    rows.push({
      name,
      checked_at: now,
      violations: found.length,
      sample: JSON.stringify(sampleOf(found)),
      broken_since: found.length === 0 ? null : (before.get(name)?.broken_since ?? now),
    });
    await yieldToLoop();
  }
  await transact(ctx.db, (trx) => putInvariantRows(trx, rows));
  return rows;
}

function sampleOf(found: readonly Violation[]): string[] {
  return found.slice(0, sampleSize).map((violation) => violation.subject);
}

/**
 * For the office: every invariant in words with what its last run found; `checked_at` null: not
 * run yet.
 */
export async function invariantReport(ctx: Ctx) {
  const rows = new Map((await listInvariantRows(ctx.db)).map((row) => [row.name, row]));
  const items = invariants.map(({ name, words, about, always }) => {
    const row = rows.get(name);
    return {
      name,
      words,
      about,
      always,
      violations: row?.violations ?? 0,
      sample: row ? readSample(row) : [],
      checked_at: row?.checked_at ?? null,
      broken_since: row?.broken_since ?? null,
    };
  });
  return { items, broken: items.filter((item) => item.violations > 0).length };
}

function readSample(row: InvariantRow): string[] {
  return JSON.parse(row.sample) as string[];
}
