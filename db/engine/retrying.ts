/** Repeats a transaction that PostgreSQL undid because of a conflict with another one. */
import { setTimeout as pause } from 'node:timers/promises';
import { isSerializationFailure } from './dialect.ts';

const mostTries = 5;
/**
 * The pause doubles with each try and is partly random, so that the same two transactions do not
 * conflict again.
 */
const longestPauseMs = 10;

/**
 * `run` is a whole transaction, or a single statement outside one; if it fails, it has changed
 * nothing.
 */
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
