/**
 * A person is identified by a mail address in one spelling, and in lists of erasures by the
 * address's keyed hash.
 */
import { createHmac } from 'node:crypto';
import type { Db } from '#db/engine/dialect.ts';
import { settingOnce } from '#db/settings.ts';
import { addressKey, isMailAddress } from '#server/domain/text/mail-address.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { newToken } from '#server/services/user/secrets.ts';

/** @throws Refusal bad_request */
export function readAddress(email: string): string {
  const address = addressKey(email);
  if (!isMailAddress(address)) throw new Refusal('bad_request', { field: 'email' });
  return address;
}

export const saltKey = 'erasure_salt';

/** The salt of this house, made once; without it an address's hash cannot be computed. */
export function erasureSalt(db: Db): Promise<string> {
  return settingOnce(db, saltKey, newToken);
}

export function hashOfPerson(salt: string, address: string): string {
  return createHmac('sha256', salt).update(address).digest('base64url');
}
