/** The API key: only the account's own secret test key is accepted. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { StripeError } from './errors.ts';

/**
 * Accepts `Authorization: Bearer <key>` and `Basic <key>:`.
 * @throws StripeError 401 without a key, or with an unknown or a live one
 */
export function checkKey(secretKey: string, request: IncomingMessage): void {
  const shown = shownKey(request);
  if (shown === undefined)
    throw new StripeError(401, {
      type: 'invalid_request_error',
      message: 'You did not provide an API key; send it as Authorization: Bearer sk_test_….',
    });
  if (/^(sk|rk|pk)_live_/.test(shown))
    throw new StripeError(401, {
      type: 'invalid_request_error',
      code: 'api_key_live',
      message:
        'This is a test stand-in; it takes no live keys. Revoke this key if it was sent here by mistake.',
    });
  if (!areEqual(shown, secretKey))
    throw new StripeError(401, {
      type: 'invalid_request_error',
      message: `Invalid API key provided: ${masked(shown)}`,
    });
}

function shownKey(request: IncomingMessage): string | undefined {
  const header = request.headers.authorization ?? '';
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(header)?.[1];
  if (bearer !== undefined) return bearer;
  const basic = /^Basic\s+([A-Za-z0-9+/=]+)\s*$/i.exec(header)?.[1];
  return basic === undefined
    ? undefined
    : Buffer.from(basic, 'base64').toString('utf8').split(':')[0] || undefined;
}

function masked(key: string): string {
  return key.length < 24 ? '****' : `${key.slice(0, 8)}****${key.slice(-4)}`;
}

function areEqual(left: string, right: string): boolean {
  return timingSafeEqual(
    createHash('sha256').update(left).digest(),
    createHash('sha256').update(right).digest(),
  );
}
