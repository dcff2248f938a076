/** People, their sessions and invitations in SQL: of a token only the hash is kept. */
import type { Db, Trx } from './dialect.ts';
import type { DeviceRow, InviteRow, SessionRow, UserRow } from './rows.ts';

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db<UserRow>('users').where({ email }).first();
}

/** Names by id. */
export async function userNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows: Pick<UserRow, 'id' | 'name'>[] = await db<UserRow>('users')
    .whereIn('id', ids as string[])
    .select('id', 'name');
  return new Map(rows.map((row) => [row.id, row.name]));
}

export async function hasAdmin(db: Db): Promise<boolean> {
  return (await db<UserRow>('users').where({ role: 'admin' }).first('id')) !== undefined;
}

export async function insertUser(trx: Trx, user: UserRow): Promise<void> {
  await trx<UserRow>('users').insert(user);
}

export async function insertSession(db: Db, session: SessionRow): Promise<void> {
  await db<SessionRow>('sessions').insert(session);
}

export async function deleteSession(db: Db, token_hash: string): Promise<void> {
  await db<SessionRow>('sessions').where({ token_hash }).delete();
}

export async function touchSession(
  db: Db,
  token_hash: string,
  last_seen_at: number,
): Promise<void> {
  await db<SessionRow>('sessions').where({ token_hash }).update({ last_seen_at });
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

export async function insertDevice(db: Db, device: DeviceRow): Promise<void> {
  await db<DeviceRow>('known_devices').insert(device);
}

export async function isDeviceOf(
  db: Db,
  { email, token_hash, since }: { email: string; token_hash: string; since: number },
): Promise<boolean> {
  const device = await db<DeviceRow>('known_devices')
    .where({ token_hash })
    .where('created_at', '>', since)
    .first();
  const owner = device && (await db<UserRow>('users').where({ id: device.user_id }).first());
  return owner?.email === email;
}

export async function purgeDevices(db: Db, created_before: number): Promise<void> {
  await db<DeviceRow>('known_devices').where('created_at', '<', created_before).delete();
}

interface SessionOfUser extends SessionRow {
  user: UserRow;
}

export async function findSession(db: Db, token_hash: string): Promise<SessionOfUser | undefined> {
  const session = await db<SessionRow>('sessions').where({ token_hash }).first();
  const user = session && (await db<UserRow>('users').where({ id: session.user_id }).first());
  return session && user ? { ...session, user } : undefined;
}

/** Only the newest invitation for a role is worth anything. */
export async function replaceInvite(trx: Trx, invite: InviteRow): Promise<void> {
  await trx<InviteRow>('invites').where({ role: invite.role }).delete();
  await trx<InviteRow>('invites').insert(invite);
}

/** Undefined: unknown, used or expired. The row goes with its use. */
export async function takeInvite(
  trx: Trx,
  token_hash: string,
  now: number,
): Promise<InviteRow | undefined> {
  const invite = await trx<InviteRow>('invites')
    .where({ token_hash })
    .where('expires_at', '>', now)
    .first();
  if (!invite) return undefined;
  return (await trx<InviteRow>('invites').where({ token_hash }).delete()) === 1
    ? invite
    : undefined;
}
