/**
 * Names an id in the log: an order's id opens its page, so the log has a short hash of it
 * instead, by which the order can be found again.
 */
import { hash } from 'node:crypto';

const ourId = /^[\w-]{20,40}$/;

/** Texts that are not ids of ours, such as a payment's id at Stripe, stay as they are. */
export function logName(id: unknown): unknown {
  if (typeof id !== 'string' || !ourId.test(id) || /^[a-z]{2,6}_/.test(id)) return id;
  return hash('sha256', `log|${id}`, 'base64url').slice(0, 10);
}
