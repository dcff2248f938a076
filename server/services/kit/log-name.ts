/**
 * The name of an id in the log. An order's id opens its page, so the log has a short hash of it,
 * by which the order can be found.
 */
import { hash } from 'node:crypto';

const ourId = /^[\w-]{20,40}$/;

/** A text that is not one of our ids, such as a payment's id at Stripe, does not change. */
export function logName(id: unknown): unknown {
  if (typeof id !== 'string' || !ourId.test(id) || /^[a-z]{2,6}_/.test(id)) return id;
  return hash('sha256', `log|${id}`, 'base64url').slice(0, 10);
}
