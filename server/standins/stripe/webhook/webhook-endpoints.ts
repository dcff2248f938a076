/** Where events are sent: the endpoints made through the API, and the one that is given at start. */
import { prepared, type Store } from '#server/standins/store.ts';
import {
  ACCOUNT_VERSION,
  CURRENT_VERSION,
  ok,
  seconds,
  type Call,
  type Desk,
  type Reply,
} from '#server/standins/stripe/call.ts';
import { dropDeliveries } from './delivery-queue.ts';
import { refuse } from '#server/standins/stripe/transport/errors.ts';
import { isKnownEvent } from './event-types.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { newId, randomText } from '#server/standins/stripe/ids.ts';
import {
  deleteObject,
  findObject,
  getObject,
  insertObject,
  listObjects,
  paging,
  readPrivate,
  saveObject,
  savePrivate,
  type StoredObject,
} from '#server/standins/stripe/objects.ts';
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
];

const eventTypes = listOf(known(isKnownEvent, 'is not the name of an event'), 300);
const apiVersion = known(isKnownVersion, 'is not an API version');

/** While a secret is being changed the old one still signs, so that a receiver may take the new one at its leisure. */
interface Secrets {
  secret: string;
  old?: { secret: string; until: number };
}

/** POST /v1/webhook_endpoints {url, enabled_events[], api_version?, description?, metadata?}: the only answer that shows `secret`. */
export function createWebhookEndpoint(call: Call): Reply {
  const params = readParams(call.form, {
    url: need(webAddress()),
    enabled_events: need(eventTypes),
    api_version: apiVersion,
    connect: flag(),
    description: clearable(text()),
    metadata: metadata(),
    expand: listOf(text(), 20),
  });
  if (
    listObjects<WebhookEndpoint>(call.store, 'webhook_endpoint', { url: '', page: { limit: 100 } })
      .data.length >= MAX_ENDPOINTS
  ) {
    throw refuse(`You have reached the maximum of ${MAX_ENDPOINTS} test webhook endpoints.`);
  }
  const { endpoint, secret } = insertEndpoint(call, {
    url: params.url,
    enabled_events: params.enabled_events,
    api_version: params.api_version ?? null,
    description: params.description ?? null,
    metadata: patched({}, params.metadata),
  });
  return replyWith(call, { ...endpoint, secret }, params.expand);
}

/** GET /v1/webhook_endpoints/:id */
export function retrieveWebhookEndpoint(call: Call): Reply {
  const { expand } = readParams(call.form, { expand: listOf(text(), 20) });
  return replyWith(
    call,
    getObject<WebhookEndpoint>(call.store, 'webhook_endpoint', call.id),
    expand,
  );
}

/** POST /v1/webhook_endpoints/:id {url?, enabled_events?, disabled?, description?, metadata?} */
export function updateWebhookEndpoint(call: Call): Reply {
  const endpoint = getObject<WebhookEndpoint>(call.store, 'webhook_endpoint', call.id);
  const params = readParams(call.form, {
    url: webAddress(),
    enabled_events: eventTypes,
    disabled: flag(),
    description: clearable(text()),
    metadata: metadata(),
    expand: listOf(text(), 20),
  });
  const after: WebhookEndpoint = {
    ...endpoint,
    url: params.url ?? endpoint.url,
    enabled_events: params.enabled_events ?? endpoint.enabled_events,
    status:
      params.disabled === undefined ? endpoint.status : params.disabled ? 'disabled' : 'enabled',
    description: params.description === undefined ? endpoint.description : params.description,
    metadata: patched(endpoint.metadata, params.metadata),
  };
  saveObject(call.store, after);
  return replyWith(call, after, params.expand);
}

/** GET /v1/webhook_endpoints */
export function listWebhookEndpoints(call: Call): Reply {
  const { expand, ...page } = readParams(call.form, { ...paging, expand: listOf(text(), 20) });
  return replyWith(
    call,
    listObjects<WebhookEndpoint>(call.store, 'webhook_endpoint', {
      url: '/v1/webhook_endpoints',
      page,
    }),
    expand,
  );
}

/** DELETE /v1/webhook_endpoints/:id; what still waited for it is dropped. */
export function deleteWebhookEndpoint(call: Call): Reply {
  const endpoint = getObject<WebhookEndpoint>(call.store, 'webhook_endpoint', call.id);
  dropDeliveries(call.store, endpoint.id);
  deleteObject(call.store, endpoint.id);
  return ok({ id: endpoint.id, object: 'webhook_endpoint', deleted: true });
}

/** The endpoint given at start: made once, moved when its address changes, its secret kept unless one is given. Gives back the secret. */
export function ensureEndpoint(
  desk: Desk,
  given: { url: string; secret?: string | undefined },
): string {
  const { url, secret } = given;
  const known = readSetting(desk.store, ENSURED);
  const endpoint =
    known === undefined
      ? undefined
      : findObject<WebhookEndpoint>(desk.store, 'webhook_endpoint', known);
  if (endpoint) {
    const moved: WebhookEndpoint = {
      ...endpoint,
      url,
      status: 'enabled',
      enabled_events: SHOP_EVENTS,
      api_version: CURRENT_VERSION,
    };
    saveObject(desk.store, moved);
    if (secret !== undefined) savePrivate(desk.store, endpoint.id, { secret } satisfies Secrets);
    return secretsOf(desk, endpoint.id)[0]!;
  }
  const made = insertEndpoint(
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
  prepared(
    desk.store,
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  ).run(ENSURED, made.endpoint.id);
  return made.secret;
}

/**
 * POST /_standin/webhook_endpoints/:id/roll_secret {expires_in_seconds?} → {id, secret}: what Stripe offers in its dashboard only.
 * The old secret signs beside the new one for so long, at most a day.
 */
export function rollSecret(call: Call): Reply {
  const { expires_in_seconds = 0 } = readParams(call.form, {
    expires_in_seconds: integer({ max: 24 * 3600 }),
  });
  const { id } = getObject<WebhookEndpoint>(call.store, 'webhook_endpoint', call.id);
  const secret = `whsec_${randomText(32)}`;
  const old = { secret: secretsOf(call, id)[0]!, until: seconds(call) + expires_in_seconds };
  savePrivate(call.store, id, { secret, old } satisfies Secrets);
  return ok({ id, secret });
}

/** The newest first; two while one is being changed. */
export function secretsOf(desk: Desk, endpointId: string): string[] {
  const { secret, old } = readPrivate<Secrets>(desk.store, endpointId);
  return old && old.until > seconds(desk) ? [secret, old.secret] : [secret];
}

/** Events are written in the endpoint's own version, not in that of whoever reads them. */
export function versionOf(endpoint: WebhookEndpoint): string {
  return endpoint.api_version ?? ACCOUNT_VERSION;
}

function insertEndpoint(
  desk: Desk,
  facts: Pick<
    WebhookEndpoint,
    'url' | 'enabled_events' | 'api_version' | 'description' | 'metadata'
  >,
  secret = `whsec_${randomText(32)}`,
): { endpoint: WebhookEndpoint; secret: string } {
  const endpoint: WebhookEndpoint = {
    id: newId('we'),
    object: 'webhook_endpoint',
    application: null,
    created: seconds(desk),
    livemode: false,
    status: 'enabled',
    ...facts,
  };
  insertObject(desk.store, endpoint, { secret } satisfies Secrets);
  return { endpoint, secret };
}

function readSetting(store: Store, key: string): string | undefined {
  return prepared<[string], { value: string }>(
    store,
    'SELECT value FROM settings WHERE key = ?',
  ).get(key)?.value;
}
