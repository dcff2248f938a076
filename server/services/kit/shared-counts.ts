/** Limits how often something may be done within a time, counted over all processes. */
import { hash } from 'node:crypto';
import { addGuess, takeGuessBack } from '#db/user/guesses.ts';
import type { Ctx } from '#server/services/context.ts';

/** At most `points` times within `duration` seconds. */
export interface Rate {
  points: number;
  duration: number;
}

/** Counts one more call; returns how many ms to wait, or 0 if the call is allowed. */
export async function countShared(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  what: string,
  { points, duration }: Rate,
): Promise<number> {
  const row = await addGuess(db, keyOf(what), {
    until: now() + duration * 1_000,
    anew: now(),
  });
  return row.tries > points ? Math.max(1, row.until - now()) : 0;
}

/** Takes one count back, for work that turned out not to count. */
export async function takeCountBack({ db }: Pick<Ctx, 'db'>, what: string): Promise<void> {
  await takeGuessBack(db, keyOf(what));
}

function keyOf(what: string): string {
  return hash('sha256', `limit|${what}`, 'base64url');
}
