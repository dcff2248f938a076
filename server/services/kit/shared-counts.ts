/** Limits how often something is done within a time, over all processes of a house. */
import { hash } from 'node:crypto';
import { addGuess } from '#db/user/guesses.ts';
import type { Ctx } from '#server/services/context.ts';

/** At most `points` times within `duration` seconds. */
export interface Rate {
  points: number;
  duration: number;
}

/** Counts one more; returns how many ms to wait, or 0 if it is allowed. */
export async function countShared(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  what: string,
  { points, duration }: Rate,
): Promise<number> {
  const row = await addGuess(db, hash('sha256', `limit|${what}`, 'base64url'), {
    until: now() + duration * 1_000,
    anew: now(),
  });
  return row.tries > points ? Math.max(1, row.until - now()) : 0;
}
