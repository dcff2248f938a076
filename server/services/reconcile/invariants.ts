/**
 * Checks the database invariants every hour in one process, or when the office asks; violations
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
/** The most subjects that are stored for the office, together with their total number. */
const sampleSize = 20;

/** Called more often than once an hour; the first process to claim the hour does the work. */
export async function checkInvariantsHourly(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  if (await claimPeriod(ctx.db, 'invariants_checked', { now, notSince: now - everyMs }))
    await checkInvariants(ctx);
}

/**
 * Checks all invariants now and stores the results. Other requests run between two of them,
 * because SQLite blocks this thread.
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

/** Every invariant in words with its last result, for the office; `checked_at` null: never. */
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
