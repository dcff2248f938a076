/** People and the browsers in which they have logged in, in SQL. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { DeviceRow, UserRow } from '#db/rows.ts';

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db<UserRow>('users').where({ email }).first();
}

export async function userNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows: Pick<UserRow, 'id' | 'name'>[] = await db<UserRow>('users')
    .whereIn('id', ids as string[])
    .select('id', 'name');
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** The names of all people who ever had an account, by id, because the audit log names them. */
export async function everyUserName(db: Db): Promise<Map<string, string>> {
  const rows: Pick<UserRow, 'id' | 'name'>[] = await db<UserRow>('users')
    .orderBy(['name', 'id'])
    .select('id', 'name');
  return new Map(rows.map((row) => [row.id, row.name]));
}

export async function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  return db<UserRow>('users').where({ id }).first();
}

/**
 * Locks a person's row until the transaction ends, so that counts of the person's rows stay right.
 */
export async function lockUser(trx: Trx, id: string): Promise<void> {
  await trx<UserRow>('users').where({ id }).forUpdate().first('id');
}

/** People with an account, ordered by name. */
export async function listUsers(db: Db): Promise<UserRow[]> {
  return db<UserRow>('users').whereNull('removed_at').orderBy('name').orderBy('id').limit(500);
}

export async function hasAdmin(db: Db): Promise<boolean> {
  return (await activeAdmins(db).first('id')) !== undefined;
}

/** The admin with the oldest account. */
export async function firstAdmin(db: Db): Promise<UserRow | undefined> {
  return activeAdmins(db).orderBy(['created_at', 'id']).first();
}

function activeAdmins(db: Db) {
  return db<UserRow>('users')
    .where({ role: 'admin' })
    .whereNull('suspended_at')
    .whereNull('removed_at');
}

/**
 * Locks the admins until the transaction ends: if two take each other's role away at the same
 * moment, the second transaction sees the first one's change.
 */
export async function lockAdmins(trx: Trx): Promise<string[]> {
  return activeAdmins(trx).orderBy('id').forUpdate().pluck('id');
}

export async function insertUser(trx: Trx, user: UserRow): Promise<void> {
  await trx<UserRow>('users').insert(user);
}

export async function changeUser(
  db: Db,
  id: string,
  change: Partial<Omit<UserRow, 'id'>>,
): Promise<void> {
  await db<UserRow>('users').where({ id }).update(change);
}

/** People with an authenticator app, with the secret as the database has it. */
export async function usersWithApp(db: Db): Promise<{ id: string; totp_secret: string }[]> {
  return db<UserRow>('users').whereNotNull('totp_secret').select('id', 'totp_secret');
}

/** Returns false if a code of this time step or a later one was accepted before. */
export async function takeTotpStep(db: Db, id: string, step: number): Promise<boolean> {
  const changed = await db<UserRow>('users')
    .where({ id })
    .where((query) => query.whereNull('totp_step').orWhere('totp_step', '<', step))
    .update({ totp_step: step });
  return changed === 1;
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

/** Forgets a person's browsers; the next login in each counts as one from an unknown device. */
export async function forgetDevicesOf(db: Db, user_id: string): Promise<void> {
  await db<DeviceRow>('known_devices').where({ user_id }).delete();
}
