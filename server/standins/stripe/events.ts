/** The event log: what happened, kept for ever, and handed to every webhook endpoint that asked for it. */
import { CURRENT_VERSION, ok, seconds, type Call, type Desk, type Reply } from './call.ts';
import { refuse } from './errors.ts';
import { newId } from './ids.ts';
import {
  allObjects, createdRange, getObject, insertObject, listObjects, paging, type StoredObject,
} from './objects.ts';
import { flag, listOf, readParams, text } from './rules.ts';
import type { WebhookEndpoint } from './webhook-endpoints.ts';

export interface StripeEvent extends StoredObject {
  object: 'event';
  api_version: string;
  data: { object: object; previous_attributes?: object };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null } | null;
  type: string;
}

/** Who caused it; null for what time alone brought about. */
export type Cause = Pick<Call, 'requestId' | 'idempotencyKey'> | null;

/** Stores the event and one delivery per endpoint, in the transaction that caused it. */
export function emit(desk: Desk, cause: Cause, happened: { type: string; object: object; previous?: object }): void {
  const event: StripeEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: CURRENT_VERSION,
    created: seconds(desk),
    data: { object: happened.object, ...(happened.previous ? { previous_attributes: happened.previous } : {}) },
    livemode: false,
    pending_webhooks: 0,
    request: { id: cause?.requestId ?? null, idempotency_key: cause?.idempotencyKey ?? null },
    type: happened.type,
  };
  insertObject(desk.store, event);
  const deliver = desk.store.prepare('INSERT INTO stripe_deliveries (event, endpoint, attempts, run_at, state) VALUES (?, ?, 0, 0, ?)');
  for (const endpoint of allObjects<WebhookEndpoint>(desk.store, 'webhook_endpoint')) {
    const wanted = endpoint.enabled_events.includes('*') || endpoint.enabled_events.includes(event.type);
    if (endpoint.status === 'enabled' && wanted) deliver.run(event.id, endpoint.id, 'pending');
  }
}

/** GET /v1/events/:id */
export function retrieveEvent(call: Call): Reply {
  readParams(call.form, { expand: listOf(text(), 20) });
  return ok(withPending(call, getObject<StripeEvent>(call.store, 'event', call.id)));
}

/** GET /v1/events?type&types[]&created&delivery_success; `delivery_success=false` lists what no endpoint has taken yet. */
export function listEvents(call: Call): Reply {
  const { type, types, created, delivery_success, ...page } = readParams(call.form, {
    ...paging, expand: listOf(text(), 20), created: createdRange(), type: text(), types: listOf(text(), 20), delivery_success: flag(),
  });
  if (type !== undefined && types !== undefined) throw refuse('Only one of type and types may be given.', { param: 'types' });
  const where = [
    ...(type === undefined ? [] : [type.endsWith('.*') ? { path: 'type', startsWith: type.slice(0, -1) } : { path: 'type', is: type }]),
    ...(types === undefined ? [] : [{ path: 'type', in: types }]),
    ...(delivery_success === undefined ? [] : [{ undelivered: !delivery_success }]),
  ];
  const list = listObjects<StripeEvent>(call.store, 'event', { url: '/v1/events', page, created, where });
  return ok({ ...list, data: list.data.map((event) => withPending(call, event)) });
}

/** `pending_webhooks` counts the endpoints that have not answered with a 2xx yet. */
export function withPending(desk: Desk, event: StripeEvent): StripeEvent {
  const row = desk.store.prepare<[string], { pending: number }>(
    "SELECT count(*) AS pending FROM stripe_deliveries WHERE event = ? AND state = 'pending'",
  ).get(event.id);
  return { ...event, pending_webhooks: row?.pending ?? 0 };
}

/** What an `*.updated` event tells of the state before. */
export function changesOf(before: object, after: object): object {
  const now = new Map<string, unknown>(Object.entries(after));
  return Object.fromEntries(Object.entries(before).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(now.get(key))));
}
