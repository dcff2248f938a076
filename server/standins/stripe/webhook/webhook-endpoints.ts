/** The webhook endpoint given at the start, and the secret that signs its events. */
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
/** The events that a shop with hosted checkout needs; changes of the catalogue are left out. */
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

/** While a secret is replaced, the old one also signs, so that the receiver has time. */
interface Secrets {
  secret: string;
  old?: { secret: string; until: number };
}

/**
 * Makes the endpoint, or changes the address of the existing one; its secret stays unless a new
 * one is given. Returns the secret.
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
 * Replaces the secret, as Stripe allows only in its dashboard; the old one also signs for that
 * many seconds.
 * @throws StripeError 404 for an unknown endpoint
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

/** Newest first; two while a secret is being replaced. */
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
