/** Links that work once, in SQL; only the hash of a token is stored. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { LinkTokenRow, OneTimeLinkRow } from '#db/rows.ts';

type Kind = OneTimeLinkRow['kind'];

export async function insertLink(trx: Trx, link: OneTimeLinkRow): Promise<void> {
  await trx<OneTimeLinkRow>('one_time_links').insert(link);
}

export async function insertLinkToken(db: Db, token: LinkTokenRow): Promise<void> {
  await db<LinkTokenRow>('link_tokens').insert(token);
}

export async function findLink(db: Db, id: string): Promise<OneTimeLinkRow | undefined> {
  return db<OneTimeLinkRow>('one_time_links').where({ id }).first();
}

/** Returns undefined if the link is unknown, used or expired. */
export async function linkOfToken(
  db: Db,
  { kind, token_hash, now }: { kind: Kind; token_hash: string; now: number },
): Promise<OneTimeLinkRow | undefined> {
  return db<OneTimeLinkRow>('one_time_links')
    .whereIn('id', db<LinkTokenRow>('link_tokens').where({ token_hash }).select('link_id'))
    .where({ kind })
    .where('expires_at', '>', now)
    .first();
}

/** Deletes a link with its tokens. Returns false if another process was faster. */
export async function deleteLink(db: Db, id: string): Promise<boolean> {
  return (await db<OneTimeLinkRow>('one_time_links').where({ id }).delete()) === 1;
}

/** Lists the newest first. */
export async function openInvites(db: Db, now: number): Promise<OneTimeLinkRow[]> {
  return db<OneTimeLinkRow>('one_time_links')
    .where({ kind: 'invite' })
    .whereNotNull('made_by')
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .limit(200);
}

/** Deletes invitations that the program itself made. */
export async function deleteOwnInvites(trx: Trx, made_before: number): Promise<void> {
  await trx<OneTimeLinkRow>('one_time_links')
    .where({ kind: 'invite' })
    .whereNull('made_by')
    .where('created_at', '<', made_before)
    .delete();
}

/** True if a link to the first account is left that was made at this time or later. */
export async function hasOwnInvite(trx: Trx, made_since: number): Promise<boolean> {
  const row = await trx<OneTimeLinkRow>('one_time_links')
    .where({ kind: 'invite' })
    .whereNull('made_by')
    .where('created_at', '>=', made_since)
    .first('id');
  return row !== undefined;
}

export async function deleteLinksOf(db: Db, user_id: string): Promise<void> {
  await db<OneTimeLinkRow>('one_time_links').where({ user_id }).delete();
}

export async function linksOf(db: Db, user_id: string, now: number): Promise<OneTimeLinkRow[]> {
  return db<OneTimeLinkRow>('one_time_links').where({ user_id }).where('expires_at', '>', now);
}

export async function purgeLinks(db: Db, expired_before: number): Promise<void> {
  await db<OneTimeLinkRow>('one_time_links').where('expires_at', '<', expired_before).delete();
}
