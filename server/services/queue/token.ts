/**
 * The cookie of a visitor in a waiting room: a secret id with our signature, so that a forged one
 * is refused without a query.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { settingOnce } from '#db/settings.ts';
import type { Ctx } from '#server/services/context.ts';
import { memo } from '#server/services/kit/memo.ts';
import { newToken } from '#server/services/user/secrets.ts';

const keys = memo<string>({ freshMs: Number.POSITIVE_INFINITY });

/** The signing key, made once and stored, so that every process accepts every cookie. */
function keyOf(ctx: Ctx): Promise<string> {
  return keys.get(ctx.memory, { ask: () => settingOnce(ctx.db, 'queue_key', newToken) });
}

/** The hash of the id; only the hash is stored and published. */
export function hashOfPlace(id: string): string {
  return hash('sha256', id, 'base64url');
}

export async function signPlace(ctx: Ctx, event_id: string, id: string): Promise<string> {
  return `${id}.${signatureOf(await keyOf(ctx), event_id, id)}`;
}

/** The id in a cookie; null if we have not signed it or it is for another event. */
export async function placeIn(
  ctx: Ctx,
  event_id: string,
  cookie: string | undefined,
): Promise<string | null> {
  const [, id, shown] = /^([\w-]{20,50})\.([\w-]{43})$/.exec(cookie ?? '') ?? [];
  if (id === undefined || shown === undefined) return null;
  const right = signatureOf(await keyOf(ctx), event_id, id);
  return timingSafeEqual(Buffer.from(shown), Buffer.from(right)) ? hashOfPlace(id) : null;
}

function signatureOf(key: string, event_id: string, id: string): string {
  return createHmac('sha256', key).update(`place ${event_id} ${id}`).digest('base64url');
}
