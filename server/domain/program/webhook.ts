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
/**
 * Why an address gets no deliveries: it answered 410, accepted nothing for three days, or a person
 * switched it off.
 */
export const offReasons = ['gone', 'silent', 'person'] as const;
export type OffReason = (typeof offReasons)[number];

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

interface Tried {
  failures: number;
  /** When the delivery was first due. */
  since: number;
  /** How long the address asked to wait. */
  restMs: number;
}

/** When to try again after this number of failures; null: three days are over. */
export function nextTryAt({ failures, since, restMs }: Tried, now: number): number | null {
  const at = now + Math.max(waits[failures - 1] ?? longestWaitMs, restMs);
  return at - since > giveUpAfterMs ? null : at;
}

/** Statuses by which an address says that it gets too much (Standard Webhooks). */
const busyStatuses: readonly (number | null)[] = [429, 502, 504];

/**
 * How long an address gets nothing after it has not accepted a delivery, in milliseconds: what its
 * `Retry-After` asks for (seconds or a date), else a minute if it is busy; at most six hours.
 */
export function restMsOf(
  { status, retryAfter }: { status: number | null; retryAfter: string | undefined },
  now: number,
): number {
  const text = retryAfter ?? '';
  const asked = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  if (asked > 0) return Math.min(asked, longestWaitMs);
  return busyStatuses.includes(status) ? minuteMs : 0;
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
 * The form of an address that may be stored: an absolute web address without a name and password.
 * Its host is checked when it is called.
 */
export const webAddress = /^[hH][tT]{2}[pP][sS]?:\/\/[^/?#@\s]+(?:[/?][^#\s]*)?$/;
