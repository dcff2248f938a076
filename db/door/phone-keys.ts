/** The public keys of supervisors' phones in SQL, each with the time in which it is valid. */
import type { Db, Trx } from '#db/engine/dialect.ts';
import type { PhoneKeyRow, PhoneRow } from '#db/rows.ts';

/** The phone's valid key, or null. */
export async function keyOfPhone(db: Db, phone_id: string): Promise<string | null> {
  const row = await db<PhoneKeyRow>('phone_keys')
    .where({ phone_id })
    .whereNull('ended_at')
    .first('public_key');
  return row?.public_key ?? null;
}

/** Makes this key the phone's only valid one from now on. */
export async function putKey(
  trx: Trx,
  { phone_id, public_key, now }: { phone_id: string; public_key: string; now: number },
): Promise<void> {
  await endKeys(trx, phone_id, now);
  await trx<PhoneKeyRow>('phone_keys')
    .insert({ phone_id, public_key, made_at: now, ended_at: null })
    .onConflict(['phone_id', 'public_key'])
    .merge(['ended_at']);
}

/** Ends the phone's keys; signatures made until now stay valid. */
export async function endKeys(trx: Trx, phone_id: string, now: number): Promise<void> {
  await trx<PhoneKeyRow>('phone_keys')
    .where({ phone_id })
    .whereNull('ended_at')
    .update({ ended_at: now });
}

/** All keys of these phones, ended ones included. */
export async function allKeys(db: Db, phone_ids: readonly string[]): Promise<PhoneKeyRow[]> {
  return db<PhoneKeyRow>('phone_keys').whereIn('phone_id', phone_ids as string[]);
}

interface SupervisorKey {
  phone_id: string;
  name: PhoneRow['name'];
  public_key: string;
  event_id: string;
}

/**
 * The supervisors who may consent to a question of this phone, one row for each event that they
 * share.
 */
export async function supervisorsFor(db: Db, phone_id: string): Promise<SupervisorKey[]> {
  return db('phone_events as own')
    .join('phone_events as theirs', 'theirs.event_id', 'own.event_id')
    .join('phones', 'phones.id', 'theirs.phone_id')
    .join('phone_keys', 'phone_keys.phone_id', 'phones.id')
    .where({ 'own.phone_id': phone_id, 'phones.role': 'supervisor' })
    .whereNull('own.ended_at')
    .whereNull('theirs.ended_at')
    .whereNull('phones.revoked_at')
    .whereNull('phone_keys.ended_at')
    .select('phones.id as phone_id', 'phones.name', 'phone_keys.public_key', 'own.event_id')
    .orderBy(['phones.name', 'phones.id', 'own.event_id']);
}

/** Counts the phones that can consent. */
export async function countSupervisors(db: Db): Promise<number> {
  const [row] = await db('phones')
    .join('phone_keys', 'phone_keys.phone_id', 'phones.id')
    .where({ 'phones.role': 'supervisor' })
    .whereNull('phones.revoked_at')
    .whereNull('phone_keys.ended_at')
    .count({ n: '*' });
  return Number(row?.['n'] ?? 0);
}

/** The questions among these whose consent already let a scan through. */
export async function usedApprovals(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const used: string[] = await db('admissions')
    .whereIn('approval_id', ids as string[])
    .pluck('approval_id');
  return new Set(used);
}
