/** The events of the last thirty days; each is queued for the endpoints that want it. */
import {
  seconds,
  VERSION,
  type Call,
  type Desk,
  type OpenDesk,
  type ReadCall,
  type ReadDesk,
} from '#server/standins/stripe/call.ts';
import { newId } from '#server/standins/stripe/ids.ts';
import { answerPage, listFields, listObjects } from '#server/standins/stripe/read-calls.ts';
import { addDelivery, pendingOf } from '#server/standins/stripe/statements/deliveries.ts';
import { deleteEvents, oldestEvent } from '#server/standins/stripe/statements/events.ts';
import {
  allObjects,
  insertObject,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import type { Reply } from '#server/standins/stripe/transport/answers.ts';
import { flag, readParams } from '#server/standins/stripe/transport/rules.ts';
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

const KEPT_FOR = 30 * 24 * 3600;

/** The call that caused an event; null if a task that was due caused it. */
export type Cause = Pick<Call, 'requestId' | 'idempotencyKey'> | null;

/** Stores the event and a delivery for each endpoint that wants it, in the open transaction. */
export async function emit(
  desk: Desk,
  cause: Cause,
  happened: { type: string; object: object; previous?: object },
): Promise<void> {
  const event: StripeEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: VERSION,
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
  for (const endpoint of await allObjects<WebhookEndpoint>(desk.store, 'webhook_endpoint'))
    if (endpoint.enabled_events.includes(event.type))
      await addDelivery(desk.store, event.id, endpoint.id);
}

/**
 * GET /v1/events?created&delivery_success; `delivery_success=false` lists events that some
 * endpoint has not taken yet.
 */
export async function listEvents(call: ReadCall): Promise<Reply> {
  const asked = readParams(call.form, { ...listFields, delivery_success: flag() });
  const { created, delivery_success } = asked;
  const list = await listObjects<StripeEvent>(call.store, 'event', {
    url: '/v1/events',
    asked: { ...asked, created: { gte: Math.max(created?.gte ?? 0, oldest(call)) } },
    conditions: delivery_success === undefined ? [] : [{ undelivered: !delivery_success }],
  });
  const data: StripeEvent[] = [];
  for (const event of list.data) data.push(await withPending(call, event));
  return answerPage(call, 'event', { ...list, data }, asked.expand);
}

/** `pending_webhooks` counts the endpoints at which a delivery is still to be tried. */
export async function withPending(desk: ReadDesk, event: StripeEvent): Promise<StripeEvent> {
  return { ...event, pending_webhooks: await pendingOf(desk.store, event.id) };
}

/** Called by the clock; usually no event is old enough. */
export async function forgetOldEvents(desk: OpenDesk): Promise<void> {
  const first = await oldestEvent(desk.store);
  if (first === undefined || first >= oldest(desk)) return;
  await desk.store.write((writer) => deleteEvents(writer, oldest(desk)));
}

function oldest(desk: ReadDesk): number {
  return seconds(desk) - KEPT_FOR;
}

/** The earlier values of the changed fields, for an `*.updated` event. */
export function changesOf(before: object, after: object): object {
  const now = new Map<string, unknown>(Object.entries(after));
  return Object.fromEntries(
    Object.entries(before).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(now.get(key)),
    ),
  );
}
