/** Limits guesses at a password or a code (ASVS 6.3.1). */
import { hash } from 'node:crypto';
import { transact } from '#db/engine/transact.ts';
import {
  addGuess,
  addGuessOutsideWait,
  extendGuess,
  findGuess,
  forgetGuesses,
  purgeGuesses,
} from '#db/user/guesses.ts';
import type { Ctx } from '#server/services/context.ts';

const minuteMs = 60_000;
/**
 * After this many wrong tries for an account from one address or known device, the caller waits
 * for the rest of the quarter of an hour.
 */
const fromOne = { most: 5, windowMs: 15 * minuteMs };
/** Wrong tries for an account from anywhere: after the free ones, each doubles the wait. */
const anywhere = { free: 10, firstWaitMs: minuteMs, longestWaitMs: 60 * minuteMs };
const rememberedMs = 24 * 60 * minuteMs;

/**
 * `from`: an address, or a device on which the account was opened before (`isKnown`). A known
 * device does not wait because others guessed.
 */
interface Guesser {
  account: string;
  from: string;
  isKnown: boolean;
}

/** A hash, so that the database does not show whose account was tried. */
function keyOf(...parts: string[]): string {
  return hash('sha256', parts.join('|'), 'base64url');
}

/** Counts a try before the password is checked. Returns how many ms the caller must wait. */
export async function countGuess(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  { account, from, isKnown }: Guesser,
): Promise<number> {
  const everywhere = keyOf(account);
  const waitsFor = async () => ((await findGuess(db, everywhere))?.until ?? 0) - now();
  // A refused try must not use up the tries of its own address.
  const waitMs = isKnown ? 0 : await waitsFor();
  if (waitMs > 0) return waitMs;
  const here = await addGuess(db, keyOf(from, account), {
    until: now() + fromOne.windowMs,
    anew: now(),
  });
  if (here.tries > fromOne.most) return here.until - now();
  if (isKnown || (await takeTryAnywhere(db, everywhere, now()))) return 0;
  return Math.max(1, await waitsFor());
}

/** False: the account waits, because a try in parallel took the last free one. */
async function takeTryAnywhere(db: Ctx['db'], key: string, now: number): Promise<boolean> {
  return transact(db, async (trx) => {
    const tries = await addGuessOutsideWait(trx, key, { now, anew: now - rememberedMs });
    if (tries === null) return false;
    const wait = anywhere.firstWaitMs * 2 ** (tries - anywhere.free);
    const waitMs = tries < anywhere.free ? 0 : Math.min(wait, anywhere.longestWaitMs);
    await extendGuess(trx, key, now + waitMs);
    return true;
  });
}

/** Deletes the counts after a right password or code. */
export async function forgiveGuess(
  { db }: Pick<Ctx, 'db'>,
  { account, from }: Guesser,
): Promise<void> {
  await forgetGuesses(db, [keyOf(from, account), keyOf(account)]);
}

export async function forgetOldGuesses({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await purgeGuesses(db, now() - rememberedMs);
}
