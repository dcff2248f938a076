/** The answers stored under idempotency keys. */
import type { Reader, Writer } from '#server/standins/kit/store.ts';

interface RememberedAnswer {
  method: string;
  path: string;
  params: string;
  status: number;
  body: string;
  request_id: string;
}

export function findAnswer(
  reader: Reader,
  key: string,
  since: number,
): Promise<RememberedAnswer | undefined> {
  return reader.get<RememberedAnswer>(
    'SELECT method, path, params, status, body, request_id FROM stripe_idempotency WHERE key = ? AND created_at > ?',
    key,
    since,
  );
}

export async function insertAnswer(
  writer: Writer,
  key: string,
  kept: RememberedAnswer & { created_at: number },
): Promise<void> {
  await writer.run(
    'INSERT INTO stripe_idempotency (key, method, path, params, status, body, request_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    key,
    kept.method,
    kept.path,
    kept.params,
    kept.status,
    kept.body,
    kept.request_id,
    kept.created_at,
  );
}

export async function forgetAnswers(writer: Writer, until: number): Promise<void> {
  await writer.run('DELETE FROM stripe_idempotency WHERE created_at <= ?', until);
}
