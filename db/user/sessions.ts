/** Sessions in SQL; only the hash of a token is stored. */
import type { Db } from '#db/engine/dialect.ts';
import type { SessionRow, UserRow } from '#db/rows.ts';

export async function insertUserSession(db: Db, session: SessionRow): Promise<void> {
  await db<SessionRow>('sessions').insert(session);
}

interface SessionOfUser extends SessionRow {
  user: UserRow;
}

export async function findSession(db: Db, token_hash: string): Promise<SessionOfUser | undefined> {
  const session = await db<SessionRow>('sessions').where({ token_hash }).first();
  const user = session && (await db<UserRow>('users').where({ id: session.user_id }).first());
  return session && user ? { ...session, user } : undefined;
}

/** Lists the last used session first. */
export async function sessionsOfUser(db: Db, user_id: string): Promise<SessionRow[]> {
  return db<SessionRow>('sessions').where({ user_id }).orderBy('last_seen_at', 'desc').limit(100);
}

export async function noteUserSession(
  db: Db,
  token_hash: string,
  change: Partial<Pick<SessionRow, 'last_seen_at' | 'verified_at' | 'place'>>,
): Promise<void> {
  await db<SessionRow>('sessions').where({ token_hash }).update(change);
}

export async function deleteSession(db: Db, token_hash: string): Promise<void> {
  await db<SessionRow>('sessions').where({ token_hash }).delete();
}

/** Deletes a person's sessions: only `id`, or all except `but`, or all. Returns their number. */
export async function deleteSessionsOf(
  db: Db,
  user_id: string,
  { id, but }: { id?: string; but?: string } = {},
): Promise<number> {
  return db<SessionRow>('sessions')
    .where({ user_id, ...(id === undefined ? {} : { id }) })
    .modify((query) => void (but !== undefined && query.whereNot({ id: but })))
    .delete();
}

export async function purgeSessions(
  db: Db,
  bounds: { created_before: number; seen_before: number },
): Promise<void> {
  await db<SessionRow>('sessions')
    .where('created_at', '<', bounds.created_before)
    .orWhere('last_seen_at', '<', bounds.seen_before)
    .delete();
}
