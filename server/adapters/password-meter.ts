/** The worker thread that tells how many tries a guesser would need for a password. */
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import type { MeterAsk } from './password-strength.ts';

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

parentPort?.on('message', ({ password, known, answer }: MeterAsk) => {
  answer.postMessage(estimator.check(password, [...known]).score);
  answer.close();
});
