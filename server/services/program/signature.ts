/** Signs webhooks: `Botteghino-Signature: t=…,v1=…`, an HMAC-SHA-256 of time, dot and body. */
import { createHmac, randomBytes } from 'node:crypto';
import type { ProgramAddressRow } from '#db/rows.ts';
import { signedWebhookText } from '#server/domain/program/webhook.ts';
import { unseal } from '#server/services/kit/sealing.ts';

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}

/** While a new secret replaces an old one, there are two signatures, one by each. */
export function signatureOf(
  { secret, earlier_secret, earlier_until }: ProgramAddressRow,
  body: string,
  now: number,
): string {
  const seconds = Math.floor(now / 1_000);
  const isOverlap = earlier_secret !== null && earlier_until !== null && now < earlier_until;
  const secrets = isOverlap ? [secret, earlier_secret] : [secret];
  const marks = secrets.map((sealed) => {
    const mac = createHmac('sha256', unseal(sealed)).update(signedWebhookText(seconds, body));
    return `v1=${mac.digest('hex')}`;
  });
  return [`t=${seconds}`, ...marks].join(',');
}
