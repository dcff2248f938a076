/** Tokens of people who draw a chart, in SQL; only the hash is stored. */
import type { Db } from '#db/engine/dialect.ts';
import type { DesignerTokenRow } from '#db/rows.ts';

/** Inserts a token and deletes the session's expired ones. */
export async function insertDesignerToken(
  db: Db,
  token: DesignerTokenRow,
  now: number,
): Promise<void> {
  await db<DesignerTokenRow>('designer_tokens')
    .where({ session_hash: token.session_hash })
    .where('expires_at', '<=', now)
    .delete();
  await db<DesignerTokenRow>('designer_tokens').insert(token);
}

/** Returns undefined if the token is unknown, expired, or for another chart. */
export async function findDesignerToken(
  db: Db,
  { token_hash, chart_key, now }: { token_hash: string; chart_key: string; now: number },
): Promise<DesignerTokenRow | undefined> {
  return db<DesignerTokenRow>('designer_tokens')
    .where({ token_hash, chart_key })
    .where('expires_at', '>', now)
    .first();
}
