/** The address that names a person, in one spelling, and its keyed hash. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Db } from '#db/engine/dialect.ts';
import { claimSetting, readSetting } from '#db/settings.ts';
import { isMailAddress } from '#server/domain/mail/address.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** @throws Refusal bad_request */
export function readAddress(email: string): string {
  const address = email.trim().toLowerCase();
  if (!isMailAddress(address)) throw new Refusal('bad_request', { field: 'email' });
  return address;
}

export const saltKey = 'erasure_salt';

/** Of this house, made once: without it nobody tells whose hash one is. */
export async function erasureSalt(db: Db): Promise<string> {
  const salt = await readSetting(db, saltKey);
  if (salt !== null) return salt;
  await claimSetting(db, saltKey, { from: null, to: randomBytes(32).toString('base64url') });
  return (await readSetting(db, saltKey))!;
}

export function hashOfPerson(salt: string, address: string): string {
  return createHmac('sha256', salt).update(address).digest('base64url');
}
