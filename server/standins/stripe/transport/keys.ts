/** API keys: the secret key may do everything, a restricted key only read, a publishable key what a page needs; live keys are refused. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { StripeError } from './errors.ts';

export interface Keys {
  secret: string;
  /** Reads everything, writes nothing. */
  restricted: string;
  publishable: string;
  account: string;
}

type Holder = 'secret' | 'restricted' | 'page';

/**
 * Takes `Authorization: Bearer <key>` and `Basic <key>:`.
 * Throws 401 without a key or with an unknown, live or publishable one, 403 when the key may not do that, or speaks for another account.
 */
export function checkHolder(keys: Keys, request: IncomingMessage, door: 'key' | 'page'): Holder {
  const account = request.headers['stripe-account'] ?? request.headers['stripe-context'];
  if (account !== undefined && account !== keys.account) {
    throw new StripeError(403, {
      type: 'invalid_request_error',
      code: 'account_invalid',
      message:
        'The key does not have access to the account named in the Stripe-Account header, or that account does not exist.',
    });
  }
  const holder = holderOf(keys, shownKey(request));
  if (holder === undefined || holder === 'page') {
    if (door === 'page') return 'page';
    throw holder === undefined
      ? new StripeError(401, {
          type: 'invalid_request_error',
          message: 'You did not provide an API key; send it as Authorization: Bearer sk_test_….',
        })
      : new StripeError(401, {
          type: 'invalid_request_error',
          code: 'secret_key_required',
          message: 'This call cannot be made with a publishable key; use a secret key.',
        });
  }
  if (holder === 'restricted' && !['GET', 'HEAD'].includes(request.method ?? '')) {
    throw new StripeError(403, {
      type: 'invalid_request_error',
      message: `The restricted key ${masked(keys.restricted)} may only read; it does not have the permission that this call needs.`,
    });
  }
  return holder;
}

function holderOf(keys: Keys, shown: string | undefined): Holder | undefined {
  if (shown === undefined) return undefined;
  if (/^(sk|rk|pk)_live_/.test(shown)) {
    throw new StripeError(401, {
      type: 'invalid_request_error',
      code: 'api_key_live',
      message:
        'This is a test stand-in; it takes no live keys. Revoke this key if it was sent here by mistake.',
    });
  }
  if (equalTexts(shown, keys.secret)) return 'secret';
  if (equalTexts(shown, keys.restricted)) return 'restricted';
  if (equalTexts(shown, keys.publishable)) return 'page';
  throw new StripeError(401, {
    type: 'invalid_request_error',
    message: `Invalid API key provided: ${masked(shown)}`,
  });
}

function shownKey(request: IncomingMessage): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
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

function equalTexts(left: string, right: string): boolean {
  return timingSafeEqual(
    createHash('sha256').update(left).digest(),
    createHash('sha256').update(right).digest(),
  );
}
