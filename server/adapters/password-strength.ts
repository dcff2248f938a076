/**
 * Tells whether a guesser would soon find a password: known passwords, words, keyboard rows,
 * dates and variants of them (ASVS 6.2.4).
 */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Lower scores (0, 1 and 2) mean fewer than 10^8 tries. */
const enough = 3;

/**
 * Loaded for the first new password, because its dictionaries take a moment to unpack and 20 MB
 * of memory.
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

/** `known`: words that a guesser knows about the person. */
export async function isGuessable(password: string, known: readonly string[]): Promise<boolean> {
  const found = await (estimator ??= loadEstimator());
  return found.check(password, [...known, 'botteghino', 'teatro', 'biglietteria']).score < enough;
}
