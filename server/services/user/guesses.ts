/** How often a password or a code may be guessed at (ASVS 6.3.1). */
import { hash } from 'node:crypto';
import { addGuess, extendGuess, findGuess, forgetGuesses, purgeGuesses } from '#db/user/guesses.ts';
import type { Ctx } from '#server/services/context.ts';

const minuteMs = 60_000;
/**
 * Wrong ones for one account from one address or one known device, then silence until the quarter
 * of an hour is over.
 */
const fromOne = { most: 5, windowMs: 15 * minuteMs };
/**
 * Wrong ones for one account from anywhere: after the free ones each makes the next wait twice as
 * long.
 */
const anywhere = { free: 10, firstWaitMs: minuteMs, longestWaitMs: 60 * minuteMs };
const rememberedMs = 24 * 60 * minuteMs;

/**
 * `from`: an address, or a device on which the account was opened before (`isKnown`): others'
 * guesses do not make that one wait.
 */
interface Guesser {
  account: string;
  from: string;
  isKnown: boolean;
}

/** Hashed, so that the database does not tell whose account was tried. */
function keyOf(...parts: string[]): string {
  return hash('sha256', parts.join('|'), 'base64url');
}

/**
 * Counts a try before the password is looked at; gives back how long it has to wait, 0: not at
 * all.
 */
export async function countGuess(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  { account, from, isKnown }: Guesser,
): Promise<number> {
  const everywhere = keyOf(account);
  if (!isKnown) {
    const waitMs = ((await findGuess(db, everywhere))?.until ?? 0) - now();
    if (waitMs > 0) return waitMs;
  }
  const here = await addGuess(db, keyOf(from, account), {
    until: now() + fromOne.windowMs,
    anew: now(),
  });
  if (here.tries > fromOne.most) return here.until - now();
  if (!isKnown) await countAnywhere(db, everywhere, now());
  return 0;
}

async function countAnywhere(db: Ctx['db'], key: string, now: number): Promise<void> {
  const { tries } = await addGuess(db, key, { until: now, anew: now - rememberedMs });
  const wait = anywhere.firstWaitMs * 2 ** (tries - anywhere.free);
  const waitMs = tries < anywhere.free ? 0 : Math.min(wait, anywhere.longestWaitMs);
  await extendGuess(db, key, now + waitMs);
}

/** It was right. */
export async function forgiveGuess(
  { db }: Pick<Ctx, 'db'>,
  { account, from }: Guesser,
): Promise<void> {
  await forgetGuesses(db, [keyOf(from, account), keyOf(account)]);
}

export async function forgetOldGuesses({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await purgeGuesses(db, now() - rememberedMs);
}
