/** Notices a person of the house who searches for buyers or exports them unusually often. */
import { hash } from 'node:crypto';
import { listAudit } from '#db/audit/audit.ts';
import { addGuess } from '#db/user/guesses.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { namesOf } from './actors.ts';

const dayMs = 24 * 3_600_000;
/** A busy evening stays below these, by a factor of two. */
const usualADay = { search: 200, export: 20 } as const;
const mostTold = 20;

/**
 * Counts one more search or export, and reports the first above a day's usual number to the office.
 */
export async function countReading(
  ctx: Ctx,
  user_id: string,
  what: keyof typeof usualADay,
): Promise<void> {
  const key = hash('sha256', `reading|${what}|${user_id}`, 'base64url');
  const now = ctx.now();
  const { tries } = await addGuess(ctx.db, key, { until: now + dayMs, anew: now });
  if (tries !== usualADay[what] + 1) return;
  const about = { subject: user_id, detail: { what, count: tries } };
  await happened(ctx, ctx.db, { actor: `user:${user_id}`, action: 'unusual_reading', ...about });
}

/** The names of the people who were reported within the last day. */
export async function unusualReaders(ctx: Ctx): Promise<string[]> {
  const filter = { action: 'unusual_reading', from: ctx.now() - dayMs };
  const notes = await listAudit(ctx.db, filter, { limit: mostTold, after: null });
  const actors = [...new Set(notes.map(({ actor }) => actor))];
  const nameOf = await namesOf(ctx.db, actors);
  return actors.map((actor) => nameOf(actor));
}
