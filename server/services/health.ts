/** Whether this process can do its work now: the database can be written and we are not on the way out. */
import { writeProbe } from '#db/settings.ts';
import type { Ctx } from './context.ts';

const leaving = new WeakSet<Ctx>();

/** First step of a stop: whoever balances the load sends no more work. */
export function leave(ctx: Ctx): void {
  leaving.add(ctx);
}

/** A write that reaches the disk costs something: however many ask, one a second is made. */
const probeMs = 1_000;
const probes = new WeakMap<Ctx, { at: number; answer: Promise<boolean> }>();

export async function canWork(ctx: Ctx): Promise<boolean> {
  if (leaving.has(ctx)) return false;
  const last = probes.get(ctx);
  if (last && last.at > ctx.now() - probeMs) return last.answer;
  const answer = writeProbe(ctx.db, ctx.now()).then(() => true, () => false);
  probes.set(ctx, { at: ctx.now(), answer });
  return answer;
}
