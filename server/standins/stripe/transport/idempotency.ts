/** Idempotency keys: the first answer under a key is the answer, for a day. */
import { prepared, type Store } from '#server/standins/store.ts';
import type { Reply } from '#server/standins/stripe/call.ts';
import { refuse, StripeError } from './errors.ts';

const KEPT_FOR = 24 * 3600 * 1000;
const MAX_KEY = 255;

export interface Replay extends Reply {
  /** The request that got this answer first. */
  requestId: string;
}

/** Method, path and parameters in one text; equal for equal requests. */
export interface Asked {
  method: string;
  path: string;
  params: string;
}

export function prepareIdempotency(store: Store): void {
  store.exec(`
    CREATE TABLE IF NOT EXISTS stripe_idempotency (
      key TEXT PRIMARY KEY, method TEXT NOT NULL, path TEXT NOT NULL, params TEXT NOT NULL,
      status INTEGER NOT NULL, body TEXT NOT NULL, request_id TEXT NOT NULL, created_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS stripe_idempotency_by_age ON stripe_idempotency (created_at);
  `);
}

export function checkKey(key: string): void {
  if (key.length > MAX_KEY)
    throw refuse(`Idempotency keys can have at most ${MAX_KEY} characters.`);
}

/** The remembered answer; throws 400 idempotency_error when the key belongs to another request. */
export function findReplay(
  store: Store,
  key: string,
  asked: Asked & { now: number },
): Replay | undefined {
  const row = prepared<
    [string, number],
    {
      method: string;
      path: string;
      params: string;
      status: number;
      body: string;
      request_id: string;
    }
  >(
    store,
    'SELECT method, path, params, status, body, request_id FROM stripe_idempotency WHERE key = ? AND created_at > ?',
  ).get(key, asked.now - KEPT_FOR);
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

/** In the transaction of the call itself, so that effect and memory are one. */
export function remember(
  store: Store,
  key: string,
  kept: Asked & { reply: Reply; requestId: string; now: number },
): void {
  prepared(store, 'DELETE FROM stripe_idempotency WHERE created_at <= ?').run(kept.now - KEPT_FOR);
  prepared(
    store,
    'INSERT INTO stripe_idempotency (key, method, path, params, status, body, request_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(
    key,
    kept.method,
    kept.path,
    kept.params,
    kept.reply.status,
    JSON.stringify(kept.reply.body),
    kept.requestId,
    kept.now,
  );
}

/** 409 while the first request under the key is still being worked on; clients repeat it a moment later. */
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
