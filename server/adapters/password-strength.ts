/** Says whether a guesser would soon find a password: known passwords, words, keyboard rows, dates and what people make of them (ASVS 6.2.4). */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Fewer than 10^8 tries: a score of 0, 1 or 2. */
const enough = 3;

/** Its dictionaries take a moment to unpack: not at every start, but for the first new password. */
let estimator: ZxcvbnFactory | null = null;

/** `known`: what a guesser knows of the person. */
export function isGuessable(password: string, known: readonly string[]): boolean {
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return (
    estimator.check(password, [...known, 'botteghino', 'teatro', 'biglietteria']).score < enough
  );
}
