/** Whether this process can do its work now: the database can be written and we are not on the way out. */
import { writeProbe } from '#db/settings.ts';
import type { Ctx } from './context.ts';

const leaving = new WeakSet<Ctx>();

/** First step of a stop: whoever balances the load sends no more work. */
export function leave(ctx: Ctx): void {
  leaving.add(ctx);
}

export async function canWork(ctx: Ctx): Promise<boolean> {
  if (leaving.has(ctx)) return false;
  return writeProbe(ctx.db, ctx.now()).then(() => true, () => false);
}
