/** Runs a transaction again that PostgreSQL undid because it conflicted with another one. */
import { setTimeout as pause } from 'node:timers/promises';
import { isSerializationFailure } from './dialect.ts';

const mostTries = 5;
/**
 * Doubles with each try; a random part of it is waited, so that the same two do not conflict
 * again.
 */
const longestPauseMs = 10;

/** `run` is a whole transaction or a single statement of its own, of which nothing was kept. */
export async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isSerializationFailure(error) || attempt === mostTries) throw error;
      await pause(Math.random() * longestPauseMs * 2 ** attempt);
    }
  }
}
