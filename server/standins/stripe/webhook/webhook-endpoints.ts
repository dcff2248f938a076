/** Webhook endpoints: those made through the API, and the one that is given at start. */
import { answerList, answerObject, expand } from '#server/standins/stripe/read-calls.ts';
import { findSetting, saveSetting } from '#server/standins/stripe/statements/settings.ts';
import {
  ACCOUNT_VERSION,
  CURRENT_VERSION,
  ok,
  seconds,
  type Call,
  type Desk,
  type Reply,
  type ReadCall,
  type ReadDesk,
} from '#server/standins/stripe/call.ts';
import { dropDeliveries } from '#server/standins/stripe/statements/deliveries.ts';
import { refuse } from '#server/standins/stripe/transport/errors.ts';
import { isKnownEvent } from './event-types.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { newId, randomText } from '#server/standins/stripe/ids.ts';
import { listObjects } from '#server/standins/stripe/lists.ts';
import {
  deleteObject,
  findObject,
  getObject,
  insertObject,
  readPrivate,
  saveObject,
  savePrivate,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import {
  clearable,
  flag,
  integer,
  known,
  listOf,
  metadata,
  need,
  patched,
  readParams,
  text,
  webAddress,
} from '#server/standins/stripe/transport/rules.ts';
import { isKnownVersion } from '#server/standins/stripe/transport/versions.ts';

export interface WebhookEndpoint extends StoredObject {
  object: 'webhook_endpoint';
  api_version: string | null;
  application: null;
  description: string | null;
  enabled_events: string[];
  livemode: false;
  metadata: Record<string, string>;
  status: 'enabled' | 'disabled';
  url: string;
}

const MAX_ENDPOINTS = 16;
const ENSURED = 'stripe_ensured_endpoint';
/** What a shop that sells through hosted checkout needs to know; catalogue changes would only be noise to it. */
const SHOP_EVENTS = [
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
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
  'payout.updated',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
  'payout.reconciliation_completed',
];

const eventTypes = listOf(known(isKnownEvent, 'is not the name of an event'), 300);
const apiVersion = known(isKnownVersion, 'is not an API version');

/** While a secret is being changed the old one still signs, so that a receiver may take the new one at its leisure. */
interface Secrets {
  secret: string;
  old?: { secret: string; until: number };
}

/** POST /v1/webhook_endpoints {url, enabled_events[], api_version?, description?, metadata?}: the only answer that shows `secret`. */
export async function createWebhookEndpoint(call: Call): Promise<Reply> {
  const params = readParams(call.form, {
    url: need(webAddress()),
    enabled_events: need(eventTypes),
    api_version: apiVersion,
    connect: flag(),
    description: clearable(text()),
    metadata: metadata(),
    expand,
  });
  if (
    (
      await listObjects<WebhookEndpoint>(call.store, 'webhook_endpoint', {
        url: '',
        page: { limit: 100 },
      })
    ).data.length >= MAX_ENDPOINTS
  ) {
    throw refuse(`You have reached the maximum of ${MAX_ENDPOINTS} test webhook endpoints.`);
  }
  const { endpoint, secret } = await insertEndpoint(call, {
    url: params.url,
    enabled_events: params.enabled_events,
    api_version: params.api_version ?? null,
    description: params.description ?? null,
    metadata: patched({}, params.metadata),
  });
  return replyWith(call, { ...endpoint, secret }, params.expand);
}

/** GET /v1/webhook_endpoints/:id */
export function retrieveWebhookEndpoint(call: ReadCall): Promise<Reply> {
  return answerObject(call, 'webhook_endpoint');
}

/** POST /v1/webhook_endpoints/:id {url?, enabled_events?, disabled?, description?, metadata?} */
export async function updateWebhookEndpoint(call: Call): Promise<Reply> {
  const endpoint = await getObject<WebhookEndpoint>(call.store, 'webhook_endpoint', call.id);
  const params = readParams(call.form, {
    url: webAddress(),
    enabled_events: eventTypes,
    disabled: flag(),
    description: clearable(text()),
    metadata: metadata(),
    expand,
  });
  const asked = params.disabled ? 'disabled' : 'enabled';
  const after: WebhookEndpoint = {
    ...endpoint,
    url: params.url ?? endpoint.url,
    enabled_events: params.enabled_events ?? endpoint.enabled_events,
    status: params.disabled === undefined ? endpoint.status : asked,
    description: params.description === undefined ? endpoint.description : params.description,
    metadata: patched(endpoint.metadata, params.metadata),
  };
  await saveObject(call.store, after);
  return replyWith(call, after, params.expand);
}

/** GET /v1/webhook_endpoints */
export function listWebhookEndpoints(call: ReadCall): Promise<Reply> {
  return answerList(call, 'webhook_endpoint', { url: '/v1/webhook_endpoints', filters: {} });
}

/** DELETE /v1/webhook_endpoints/:id; what still waited for it is dropped. */
export async function deleteWebhookEndpoint(call: Call): Promise<Reply> {
  const endpoint = await getObject<WebhookEndpoint>(call.store, 'webhook_endpoint', call.id);
  await dropDeliveries(call.store, endpoint.id);
  await deleteObject(call.store, endpoint.id);
  return ok({ id: endpoint.id, object: 'webhook_endpoint', deleted: true });
}

/** The endpoint given at start: made once, moved when its address changes, its secret kept unless one is given. Gives back the secret. */
export async function ensureEndpoint(
  desk: Pick<Desk, 'store' | 'now'>,
  given: { url: string; secret?: string },
): Promise<string> {
  const { url, secret } = given;
  const known = await findSetting(desk.store, ENSURED);
  const endpoint =
    known === undefined
      ? undefined
      : await findObject<WebhookEndpoint>(desk.store, 'webhook_endpoint', known);
  if (endpoint) {
    const moved: WebhookEndpoint = {
      ...endpoint,
      url,
      status: 'enabled',
      enabled_events: SHOP_EVENTS,
      api_version: CURRENT_VERSION,
    };
    await saveObject(desk.store, moved);
    if (secret !== undefined)
      await savePrivate(desk.store, endpoint.id, { secret } satisfies Secrets);
    return (await secretsOf(desk, endpoint.id))[0]!;
  }
  const made = await insertEndpoint(
    desk,
    {
      url,
      enabled_events: SHOP_EVENTS,
      api_version: CURRENT_VERSION,
      description: 'Made at start',
      metadata: {},
    },
    secret,
  );
  await saveSetting(desk.store, ENSURED, made.endpoint.id);
  return made.secret;
}

/**
 * POST /_standin/webhook_endpoints/:id/roll_secret {expires_in_seconds?} → {id, secret}: what Stripe offers in its dashboard only.
 * The old secret signs beside the new one for so long, at most a day.
 */
export async function rollSecret(call: Call): Promise<Reply> {
  const { expires_in_seconds = 0 } = readParams(call.form, {
    expires_in_seconds: integer({ max: 24 * 3600 }),
  });
  const { id } = await getObject<WebhookEndpoint>(call.store, 'webhook_endpoint', call.id);
  const secret = `whsec_${randomText(32)}`;
  const old = {
    secret: (await secretsOf(call, id))[0]!,
    until: seconds(call) + expires_in_seconds,
  };
  await savePrivate(call.store, id, { secret, old } satisfies Secrets);
  return ok({ id, secret });
}

/** The newest first; two while one is being changed. */
export async function secretsOf(
  desk: Pick<ReadDesk, 'store' | 'now'>,
  endpointId: string,
): Promise<string[]> {
  const { secret, old } = await readPrivate<Secrets>(desk.store, endpointId);
  return old && old.until > seconds(desk) ? [secret, old.secret] : [secret];
}

/** Events are written in the endpoint's own version, not in that of whoever reads them. */
export function versionOf(endpoint: WebhookEndpoint): string {
  return endpoint.api_version ?? ACCOUNT_VERSION;
}

async function insertEndpoint(
  desk: Pick<Desk, 'store' | 'now'>,
  facts: Pick<
    WebhookEndpoint,
    'url' | 'enabled_events' | 'api_version' | 'description' | 'metadata'
  >,
  secret = `whsec_${randomText(32)}`,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const endpoint: WebhookEndpoint = {
    id: newId('we'),
    object: 'webhook_endpoint',
    application: null,
    created: seconds(desk),
    livemode: false,
    status: 'enabled',
    ...facts,
  };
  await insertObject(desk.store, endpoint, { secret } satisfies Secrets);
  return { endpoint, secret };
}
