/** Measures how long bookings take: each process stores its own once per window (RULES F3). */
import { loadsSince, putLoad } from '#db/queue/queues.ts';
import type { Db } from '#db/engine/dialect.ts';
import {
  countLatency,
  measuredPace,
  noLatencies,
  p95Of,
  sumLatencies,
  type Latencies,
} from '#server/domain/queue/pace.ts';
import type { Ctx } from '#server/services/context.ts';

interface Load {
  process: string;
  counts: Latencies;
  told_at: number;
}
const loads = new WeakMap<object, Load>();

function loadOf(ctx: Ctx): Load {
  const known = loads.get(ctx.memory);
  if (known) return known;
  const made = { process: ctx.newId(), counts: noLatencies, told_at: ctx.now() };
  loads.set(ctx.memory, made);
  return made;
}

/** Measures a booking, even a refused one. */
export async function timed<T>(ctx: Ctx, book: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await book();
  } finally {
    const load = loadOf(ctx);
    load.counts = countLatency(load.counts, performance.now() - began);
  }
}

export async function tellLoad(ctx: Ctx): Promise<void> {
  const load = loadOf(ctx);
  const now = ctx.now();
  if (now - load.told_at < measuredPace.windowMs) return;
  const { process, counts } = load;
  load.told_at = now;
  load.counts = noLatencies;
  await putLoad(ctx.db, { process, at: now, counts: JSON.stringify(counts) });
}

/**
 * The 95th percentile of booking times in ms, over the last windows of all processes; null if
 * there were too few bookings.
 */
export async function p95Now(db: Db, now: number): Promise<number | null> {
  const rows = await loadsSince(db, now - 2 * measuredPace.windowMs);
  return p95Of(sumLatencies(rows.map(({ counts }) => JSON.parse(counts) as Latencies)));
}
