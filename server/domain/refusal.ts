/**
 * Refusal: the error that carries a code; its HTTP status and Italian sentence are in
 * refusal-words.ts.
 */
import type { refusals } from './refusal-words.ts';

export type RefusalCode = keyof typeof refusals;

/**
 * Thrown where a rule says no. `detail` holds facts for the caller (which seats, which field),
 * never sentences; `cause` is for our own log.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly detail: unknown;

  constructor(code: RefusalCode, detail?: unknown, cause?: unknown) {
    super(code, { cause });
    this.name = 'Refusal';
    this.code = code;
    this.detail = detail;
  }
}

/** For `.catch()`: a refusal becomes the value, any other error is thrown again. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
