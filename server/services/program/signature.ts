/** Signs webhooks by the Standard Webhooks specification, so that its libraries verify them. */
import { createHmac, randomBytes } from 'node:crypto';
import type { ProgramAddressRow, ProgramDeliveryRow } from '#db/rows.ts';
import { unseal } from '#server/services/kit/sealing.ts';

const secretStart = 'whsec_';

export function newSecret(): string {
  return `${secretStart}${randomBytes(32).toString('base64')}`;
}

/**
 * The headers of one try: the id is the delivery's, the time in seconds is the try's. While a new
 * secret replaces an old one, there are two signatures, one by each.
 */
export function signedHeaders(
  { secret, earlier_secret, earlier_until }: ProgramAddressRow,
  { id, body }: Pick<ProgramDeliveryRow, 'id' | 'body'>,
  now: number,
): Record<string, string> {
  const seconds = String(Math.floor(now / 1_000));
  const isOverlap = earlier_secret !== null && earlier_until !== null && now < earlier_until;
  const secrets = isOverlap ? [secret, earlier_secret] : [secret];
  const signatures = secrets.map((sealed) => {
    const key = Buffer.from(unseal(sealed).slice(secretStart.length), 'base64');
    const mac = createHmac('sha256', key).update(`${id}.${seconds}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  };
}
