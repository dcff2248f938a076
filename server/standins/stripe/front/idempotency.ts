/** Idempotency keys: the first answer under a key is repeated for a day. */
import type { Reader, Writer } from '#server/standins/kit/store.ts';
import {
  findAnswer,
  forgetAnswers,
  insertAnswer,
} from '#server/standins/stripe/statements/idempotency.ts';
import type { Reply } from '#server/standins/stripe/transport/answers.ts';
import { refuse, StripeError } from '#server/standins/stripe/transport/errors.ts';

const KEPT_FOR = 24 * 3600 * 1000;
const MAX_KEY = 255;

export interface Replay extends Reply {
  /** The request that got this answer first. */
  requestId: string;
}

/** What must be equal when a key is used again; `params` is one canonical text. */
interface Asked {
  method: string;
  path: string;
  params: string;
}

export function checkLength(key: string): void {
  if (key.length > MAX_KEY)
    throw refuse(`Idempotency keys can have at most ${MAX_KEY} characters.`);
}

/**
 * The stored answer.
 * @throws StripeError 400 idempotency_error if the key was used by another request
 */
export async function findReplay(
  reader: Reader,
  key: string,
  asked: Asked & { now: number },
): Promise<Replay | undefined> {
  const row = await findAnswer(reader, key, asked.now - KEPT_FOR);
  if (!row) return undefined;
  if (row.method !== asked.method || row.path !== asked.path) {
    throw mismatch(
      `Keys for idempotent requests can only be used for the endpoint they were first used for ('${row.path}', not '${asked.path}'). Use another key for a different request.`,
    );
  }
  if (row.params !== asked.params) {
    throw mismatch(
      `Keys for idempotent requests can only be used with the parameters they were first used with. Use another key for a different request.`,
    );
  }
  return { status: row.status, body: JSON.parse(row.body), requestId: row.request_id };
}

/** Must be called in the call's transaction, so that effects and answer are stored together. */
export async function remember(
  writer: Writer,
  key: string,
  kept: Asked & { reply: Reply; requestId: string; now: number },
): Promise<void> {
  const { method, path, params, reply, requestId, now } = kept;
  await forgetAnswers(writer, now - KEPT_FOR);
  await insertAnswer(writer, key, {
    method,
    path,
    params,
    status: reply.status,
    body: JSON.stringify(reply.body),
    request_id: requestId,
    created_at: now,
  });
}

/** 409 while the first request under the key is still running; clients soon try again. */
export function inFlight(key: string): StripeError {
  return new StripeError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `Another request with the idempotency key '${key}' is still being worked on.`,
  });
}

function mismatch(message: string): StripeError {
  return new StripeError(400, { type: 'idempotency_error', message });
}
