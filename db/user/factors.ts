/** Second factors in SQL: passkeys, recovery codes, and the challenges that browsers sign. */
import type { Db } from '#db/engine/dialect.ts';
import type { ChallengeRow, PasskeyRow, RecoveryCodeRow } from '#db/rows.ts';
import { countRows } from '#db/engine/statements.ts';

export async function insertPasskey(db: Db, passkey: PasskeyRow): Promise<void> {
  await db<PasskeyRow>('passkeys').insert(passkey);
}

export async function findPasskey(db: Db, id: string): Promise<PasskeyRow | undefined> {
  return db<PasskeyRow>('passkeys').where({ id }).first();
}

export async function passkeysOf(db: Db, user_id: string): Promise<PasskeyRow[]> {
  return db<PasskeyRow>('passkeys').where({ user_id }).orderBy('created_at').limit(50);
}

export async function usersWithPasskeys(db: Db): Promise<Set<string>> {
  return new Set(await db<PasskeyRow>('passkeys').distinct().pluck('user_id'));
}

export async function noteProof(
  db: Db,
  id: string,
  proof: { counter: number; last_used_at: number },
): Promise<void> {
  await db<PasskeyRow>('passkeys').where({ id }).update(proof);
}

/** Returns false if the person has no such passkey. */
export async function namePasskey(
  db: Db,
  { user_id, id, name }: Pick<PasskeyRow, 'user_id' | 'id' | 'name'>,
): Promise<boolean> {
  return (await db<PasskeyRow>('passkeys').where({ user_id, id }).update({ name })) === 1;
}

/** Deletes one passkey of a person, or all without `id`. Returns their number. */
export async function deletePasskeys(
  db: Db,
  which: { user_id: string; id?: string },
): Promise<number> {
  return db<PasskeyRow>('passkeys').where(which).delete();
}

export async function replaceRecoveryCodes(
  db: Db,
  user_id: string,
  hashes: readonly string[],
): Promise<void> {
  await db<RecoveryCodeRow>('recovery_codes').where({ user_id }).delete();
  if (hashes.length > 0)
    await db<RecoveryCodeRow>('recovery_codes').insert(
      hashes.map((code_hash) => ({ code_hash, user_id })),
    );
}

export async function countRecoveryCodes(db: Db, user_id: string): Promise<number> {
  return countRows(db('recovery_codes').where({ user_id }));
}

/** Uses a code up; returns false if it is unknown or was used before. */
export async function takeRecoveryCode(db: Db, code: RecoveryCodeRow): Promise<boolean> {
  return (await db<RecoveryCodeRow>('recovery_codes').where(code).delete()) === 1;
}

export async function insertChallenge(db: Db, challenge: ChallengeRow): Promise<void> {
  await db<ChallengeRow>('challenges').insert(challenge);
}

/** Uses a challenge up; returns false if it is unknown, was answered before, or has expired. */
export async function takeChallenge(
  db: Db,
  { now, ...which }: Omit<ChallengeRow, 'expires_at'> & { now: number },
): Promise<boolean> {
  const taken = await db<ChallengeRow>('challenges')
    .where(which)
    .where('expires_at', '>', now)
    .delete();
  return taken === 1;
}

export async function purgeChallenges(db: Db, expired_before: number): Promise<void> {
  await db<ChallengeRow>('challenges').where('expires_at', '<', expired_before).delete();
}
