/** The event log: what happened in the last thirty days, and handed to every webhook endpoint that asked for it. */
import { prepared } from '#server/standins/store.ts';
import {
  CURRENT_VERSION,
  seconds,
  type Call,
  type Desk,
  type Reply,
} from '#server/standins/stripe/call.ts';
import { addDelivery, pendingOf } from './delivery-queue.ts';
import { missingObject, refuse } from '#server/standins/stripe/transport/errors.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import {
  allObjects,
  createdRange,
  getObject,
  insertObject,
  listObjects,
  paging,
  type StoredObject,
} from '#server/standins/stripe/objects.ts';
import { flag, listOf, readParams, text } from '#server/standins/stripe/transport/rules.ts';
import { hostedName } from '#server/standins/stripe/checkout/session-params.ts';
import { versionOf, type WebhookEndpoint } from './webhook-endpoints.ts';

export interface StripeEvent extends StoredObject {
  object: 'event';
  api_version: string;
  data: { object: object; previous_attributes?: object };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null } | null;
  type: string;
}

const KEPT_FOR = 30 * 24 * 3600;

/** Who caused it; null for what time alone brought about. */
export type Cause = Pick<Call, 'requestId' | 'idempotencyKey'> | null;

/** Stores the event and one delivery per endpoint, in the transaction that caused it. */
export function emit(
  desk: Desk,
  cause: Cause,
  happened: { type: string; object: object; previous?: object },
): void {
  const event: StripeEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: CURRENT_VERSION,
    created: seconds(desk),
    data: {
      object: happened.object,
      ...(happened.previous ? { previous_attributes: happened.previous } : {}),
    },
    livemode: false,
    pending_webhooks: 0,
    request: { id: cause?.requestId ?? null, idempotency_key: cause?.idempotencyKey ?? null },
    type: happened.type,
  };
  insertObject(desk.store, event);
  for (const endpoint of allObjects<WebhookEndpoint>(desk.store, 'webhook_endpoint')) {
    const wanted =
      endpoint.enabled_events.includes('*') || endpoint.enabled_events.includes(event.type);
    if (endpoint.status === 'enabled' && wanted) addDelivery(desk.store, event.id, endpoint.id);
  }
}

/** GET /v1/events/:id, for thirty days. */
export function retrieveEvent(call: Call): Reply {
  const { expand } = readParams(call.form, { expand: listOf(text(), 20) });
  const event = getObject<StripeEvent>(call.store, 'event', call.id);
  if (event.created < oldest(call)) throw missingObject('event', call.id);
  return replyWith(call, withPending(call, event), expand);
}

/** GET /v1/events?type&types[]&created&delivery_success; `delivery_success=false` lists what no endpoint has taken yet. */
export function listEvents(call: Call): Reply {
  const { expand, type, types, created, delivery_success, ...page } = readParams(call.form, {
    ...paging,
    expand: listOf(text(), 20),
    created: createdRange(),
    type: text(),
    types: listOf(text(), 20),
    delivery_success: flag(),
  });
  if (type !== undefined && types !== undefined)
    throw refuse('Only one of type and types may be given.', { param: 'types' });
  const where = [
    ...(type === undefined
      ? []
      : [
          type.endsWith('.*')
            ? { path: 'type', startsWith: type.slice(0, -1) }
            : { path: 'type', is: type },
        ]),
    ...(types === undefined ? [] : [{ path: 'type', in: types }]),
    ...(delivery_success === undefined ? [] : [{ undelivered: !delivery_success }]),
  ];
  const since = { ...created, gte: Math.max(created?.gte ?? 0, oldest(call)) };
  const list = listObjects<StripeEvent>(call.store, 'event', {
    url: '/v1/events',
    page,
    created: since,
    where,
  });
  return replyWith(
    call,
    { ...list, data: list.data.map((event) => withPending(call, event)) },
    expand,
  );
}

/** `pending_webhooks` counts the endpoints that have not answered with a 2xx yet. */
export function withPending(desk: Desk, event: StripeEvent): StripeEvent {
  return { ...event, pending_webhooks: pendingOf(desk.store, event.id) };
}

/** What an endpoint is sent: written in its own API version, not in that of whoever reads it. */
export function renderedFor(
  desk: Desk,
  event: StripeEvent,
  endpoint: WebhookEndpoint,
): StripeEvent {
  const version = versionOf(endpoint);
  const { object } = event.data;
  const inVersion = 'ui_mode' in object ? { ...object, ui_mode: hostedName(version) } : object;
  return {
    ...withPending(desk, event),
    api_version: version,
    data: { ...event.data, object: inVersion },
  };
}

/** Called by the clock; most of the time the oldest one is young enough. */
export function forgetOldEvents(desk: Desk): void {
  const { store } = desk;
  const first = prepared<[], { created: number }>(
    store,
    "SELECT created FROM stripe_objects WHERE kind = 'event' ORDER BY seq LIMIT 1",
  ).get();
  if (!first || first.created >= oldest(desk)) return;
  store
    .transaction(() => {
      prepared(
        store,
        "DELETE FROM stripe_deliveries WHERE event IN (SELECT id FROM stripe_objects WHERE kind = 'event' AND created < ?)",
      ).run(oldest(desk));
      prepared(store, "DELETE FROM stripe_objects WHERE kind = 'event' AND created < ?").run(
        oldest(desk),
      );
    })
    .immediate();
}

function oldest(desk: Desk): number {
  return seconds(desk) - KEPT_FOR;
}

/** What an `*.updated` event tells of the state before. */
export function changesOf(before: object, after: object): object {
  const now = new Map<string, unknown>(Object.entries(after));
  return Object.fromEntries(
    Object.entries(before).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(now.get(key)),
    ),
  );
}
