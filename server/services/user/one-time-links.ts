/** Makes links that work once: an invitation, or a link to a new password. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { insertLink, insertLinkToken } from '#db/user/one-time-links.ts';
import type { OneTimeLinkRow } from '#db/rows.ts';
import type { Ctx } from '#server/services/context.ts';
import { hashToken, newToken } from './secrets.ts';

const pages = { invite: 'invito', reset: 'nuova-password' } as const;

type LinkWish = Pick<OneTimeLinkRow, 'kind' | 'made_by'> &
  Partial<Pick<OneTimeLinkRow, 'role' | 'email' | 'user_id'>>;

/** Stores a link; it works only when addressFor() has given it a token. */
export async function storeLink(
  ctx: Ctx,
  trx: Trx,
  { validMs, ...wish }: LinkWish & { validMs: number },
): Promise<OneTimeLinkRow> {
  const link: OneTimeLinkRow = {
    role: null,
    email: null,
    user_id: null,
    ...wish,
    id: ctx.newId(),
    created_at: ctx.now(),
    expires_at: ctx.now() + validMs,
  };
  await insertLink(trx, link);
  return link;
}

/** The link with a new token, shown once. The token follows the #, so no server logs it. */
export async function addressFor(
  ctx: Ctx,
  db: Db,
  { id, kind }: Pick<OneTimeLinkRow, 'id' | 'kind'>,
): Promise<string> {
  const token = newToken();
  await insertLinkToken(db, { token_hash: hashToken(token), link_id: id });
  return `${pageOf(ctx, kind)}#${token}`;
}

/** The same page without a token, for stored copies of a mail. */
export function pageOf(ctx: Ctx, kind: OneTimeLinkRow['kind']): string {
  return `${ctx.publicUrl}/admin/${pages[kind]}`;
}
