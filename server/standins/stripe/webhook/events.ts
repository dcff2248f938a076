/** The event log of the last thirty days; every event is queued for the webhook endpoints that asked for it. */
import { expand } from '#server/standins/stripe/read-calls.ts';
import { deleteEvents, oldestEvent } from '#server/standins/stripe/statements/events.ts';
import {
  CURRENT_VERSION,
  seconds,
  type Call,
  type Desk,
  type OpenDesk,
  type Reply,
  type ReadCall,
  type ReadDesk,
} from '#server/standins/stripe/call.ts';
import { addDelivery, pendingOf } from '#server/standins/stripe/statements/deliveries.ts';
import { missingObject, refuse } from '#server/standins/stripe/transport/errors.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { createdRange, listObjects, paging } from '#server/standins/stripe/lists.ts';
import {
  allObjects,
  getObject,
  insertObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
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
export async function emit(
  desk: Desk,
  cause: Cause,
  happened: { type: string; object: object; previous?: object },
): Promise<void> {
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
  await insertObject(desk.store, event);
  for (const endpoint of await allObjects<WebhookEndpoint>(desk.store, 'webhook_endpoint')) {
    const wanted =
      endpoint.enabled_events.includes('*') || endpoint.enabled_events.includes(event.type);
    if (endpoint.status === 'enabled' && wanted)
      await addDelivery(desk.store, event.id, endpoint.id);
  }
}

/** GET /v1/events/:id, for thirty days. */
export async function retrieveEvent(call: ReadCall): Promise<Reply> {
  const { expand: paths } = readParams(call.form, { expand });
  const event = await getObject<StripeEvent>(call.store, 'event', call.id);
  if (event.created < oldest(call)) throw missingObject('event', call.id);
  return replyWith(call, await withPending(call, event), paths);
}

/** GET /v1/events?type&types[]&created&delivery_success; `delivery_success=false` lists what no endpoint has taken yet. */
export async function listEvents(call: ReadCall): Promise<Reply> {
  const {
    expand: paths,
    type,
    types,
    created,
    delivery_success,
    ...page
  } = readParams(call.form, {
    ...paging,
    expand,
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
  const list = await listObjects<StripeEvent>(call.store, 'event', {
    url: '/v1/events',
    page,
    created: since,
    where,
  });
  const data: StripeEvent[] = [];
  for (const event of list.data) data.push(await withPending(call, event));
  return replyWith(call, { ...list, data }, paths);
}

/** `pending_webhooks` counts the endpoints that have not answered with a 2xx yet. */
async function withPending(desk: ReadDesk, event: StripeEvent): Promise<StripeEvent> {
  return { ...event, pending_webhooks: await pendingOf(desk.store, event.id) };
}

/** What an endpoint is sent: written in its own API version, not in that of whoever reads it. */
export async function renderedFor(
  desk: ReadDesk,
  event: StripeEvent,
  endpoint: WebhookEndpoint,
): Promise<StripeEvent> {
  const version = versionOf(endpoint);
  const { object } = event.data;
  const inVersion = 'ui_mode' in object ? { ...object, ui_mode: hostedName(version) } : object;
  return {
    ...(await withPending(desk, event)),
    api_version: version,
    data: { ...event.data, object: inVersion },
  };
}

/** Called by the clock; most of the time the oldest one is young enough. */
export async function forgetOldEvents(desk: OpenDesk): Promise<void> {
  const first = await oldestEvent(desk.store);
  if (first === undefined || first >= oldest(desk)) return;
  await desk.store.write((writer) => deleteEvents(writer, oldest(desk)));
}

function oldest(desk: ReadDesk): number {
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
