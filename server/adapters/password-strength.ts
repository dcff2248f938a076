/**
 * Says whether a guesser would soon find a password: known passwords, words, keyboard rows, dates
 * and what people make of them (ASVS 6.2.4).
 */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Fewer than 10^8 tries: a score of 0, 1 or 2. */
const enough = 3;

/**
 * Its dictionaries take a moment to unpack and 20 MB to keep: not at every start, but for the
 * first new password.
 */
let estimator: Promise<ZxcvbnFactory> | null = null;

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [core, common] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new core.ZxcvbnFactory({
    dictionary: common.dictionary,
    graphs: common.adjacencyGraphs,
  });
}

/** `known`: what a guesser knows of the person. */
export async function isGuessable(password: string, known: readonly string[]): Promise<boolean> {
  const found = await (estimator ??= loadEstimator());
  return found.check(password, [...known, 'botteghino', 'teatro', 'biglietteria']).score < enough;
}
