/** The webhooks that other programs can get, and how long a delivery is tried (RULES Q2). */
import { availabilityOf } from '#server/domain/event/event.ts';

export const webhookKinds = [
  'order.confirmed',
  'order.refunded',
  'ticket.issued',
  'ticket.revised',
  'ticket.ended',
  'admission.created',
  'admission.undone',
  'event.changed',
  'sale.closed',
  'seat.low',
] as const;
export type WebhookKind = (typeof webhookKinds)[number];
/** The subject of a delivery; a test message is one, too. */
export type DeliveryKind = WebhookKind | 'ping';

export const deliveryStates = ['waiting', 'done', 'given_up'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
/** Why an address gets no deliveries: it answered 410, or a person switched it off. */
export type OffReason = 'gone' | 'person';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const waits = [
  10_000,
  30_000,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
];
const longestWaitMs = 6 * hourMs;
export const giveUpAfterMs = 72 * hourMs;
/** How long deliveries stay in the list. */
export const keepDeliveriesMs = 30 * 24 * hourMs;
/** How long the earlier secret is valid beside the new one. */
export const secretOverlapMs = 24 * hourMs;

/**
 * When to try again after this number of failures; null: three days are over. `since`: when the
 * delivery was first due.
 */
export function nextTryAt(
  { failures, since }: { failures: number; since: number },
  now: number,
): number | null {
  const at = now + (waits[failures - 1] ?? longestWaitMs);
  return at - since > giveUpAfterMs ? null : at;
}

/** The signed text of a header: the time in seconds, a dot, and the body as it is sent. */
export function signedWebhookText(seconds: number, body: string): string {
  return `${seconds}.${body}`;
}

/**
 * Whether the site shows "last places" for a category; after a message the number must rise a
 * little before the next one is sent.
 */
export function isRunningLow(
  { places, left }: { places: number; left: number },
  wasLow: boolean,
): boolean {
  const counted = wasLow ? left - Math.ceil(places / 20) : left;
  return availabilityOf({ places, left: counted }).availability !== 'many';
}

/**
 * Whether an address may be stored: an absolute web address without a name and password. Its host
 * is checked when it is called.
 */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^/?#@\s]+(?:[/?][^#\s]*)?$/i.test(text);
}
