/** The webhook endpoint that is given at start, and the secret that its events are signed with. */
import { seconds, type Desk, type ReadDesk } from '#server/standins/stripe/call.ts';
import { newId, randomText } from '#server/standins/stripe/ids.ts';
import {
  findObject,
  getObject,
  insertObject,
  readPrivate,
  saveObject,
  savePrivate,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import { findSetting, saveSetting } from '#server/standins/stripe/statements/settings.ts';

export interface WebhookEndpoint extends StoredObject {
  object: 'webhook_endpoint';
  enabled_events: string[];
  url: string;
}

const ENSURED = 'stripe_ensured_endpoint';
/** What a shop with hosted checkout needs; changes of the catalogue would be noise. */
const SHOP_EVENTS = [
  'checkout.session.completed',
  'checkout.session.expired',
  'payment_intent.created',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.succeeded',
  'charge.failed',
  'charge.updated',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'payout.created',
  'payout.paid',
  'payout.failed',
  'payout.reconciliation_completed',
];

/** While a secret is being changed the old one still signs, so that the receiver has time. */
interface Secrets {
  secret: string;
  old?: { secret: string; until: number };
}

/**
 * Made once, moved when its address changes, its secret kept unless one is given. Gives back the
 * secret.
 */
export async function ensureEndpoint(
  desk: Pick<Desk, 'store' | 'now'>,
  { url, secret }: { url: string; secret?: string },
): Promise<string> {
  const known = await findSetting(desk.store, ENSURED);
  const before =
    known === undefined
      ? undefined
      : await findObject<WebhookEndpoint>(desk.store, 'webhook_endpoint', known);
  const endpoint: WebhookEndpoint = {
    id: before?.id ?? newId('we'),
    object: 'webhook_endpoint',
    created: before?.created ?? seconds(desk),
    enabled_events: SHOP_EVENTS,
    url,
  };
  if (before) {
    await saveObject(desk.store, endpoint);
    if (secret !== undefined)
      await savePrivate(desk.store, endpoint.id, { secret } satisfies Secrets);
    return (await readPrivate<Secrets>(desk.store, endpoint.id)).secret;
  }
  const made: Secrets = { secret: secret ?? newSecret() };
  await insertObject(desk.store, endpoint, made);
  await saveSetting(desk.store, ENSURED, endpoint.id);
  return made.secret;
}

/**
 * What Stripe offers in its dashboard only: a new secret, beside which the old one signs for so
 * many seconds.
 * @throws StripeError 404 for an endpoint that does not exist
 */
export async function rollSecret(
  desk: Desk,
  id: string,
  expires_in_seconds: number,
): Promise<{ id: string; secret: string }> {
  await getObject<WebhookEndpoint>(desk.store, 'webhook_endpoint', id);
  const { secret: before } = await readPrivate<Secrets>(desk.store, id);
  const secret = newSecret();
  const old = { secret: before, until: seconds(desk) + expires_in_seconds };
  await savePrivate(desk.store, id, { secret, old } satisfies Secrets);
  return { id, secret };
}

/** The newest first; two while one is being changed. */
export async function secretsOf(
  desk: Pick<ReadDesk, 'store' | 'now'>,
  id: string,
): Promise<string[]> {
  const { secret, old } = await readPrivate<Secrets>(desk.store, id);
  return old && old.until > seconds(desk) ? [secret, old.secret] : [secret];
}

function newSecret(): string {
  return `whsec_${randomText(32)}`;
}
