/**
 * Limits how many hold tokens and places one address may take in a minute with calls without a
 * key, so that one visitor cannot take a whole hall.
 */
import { isIPv6 } from 'node:net';
import { Cache, type Seatsio } from '#server/standins/seatsio/context.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import type { Call } from '#server/standins/seatsio/router.ts';

const MINUTE = 60_000;
/** The limits are generous, because visitors of one carrier or school share one address. */
const MOST = { tokens: 100, places: 200 } as const;
const MOST_ADDRESSES = 20_000;

interface Taken {
  since: number;
  tokens: number;
  places: number;
}

const byNetwork = new Cache<Taken>(MOST_ADDRESSES);

/**
 * Counts tokens and places before they are taken.
 * @throws ApiError 429 RATE_LIMIT_EXCEEDED, without counting anything
 */
export async function countVisitor(
  ctx: Seatsio,
  call: Call,
  { what, count }: { what: keyof typeof MOST; count: number },
): Promise<void> {
  const address = addressOf(call);
  if (address === null) return;
  const now = ctx.now();
  const taken = await byNetwork.get(ctx, networkOf(address), () => nothingSince(now));
  if (now - taken.since >= MINUTE || now < taken.since) Object.assign(taken, nothingSince(now));
  if (taken[what] + count > MOST[what])
    throw new ApiError(429, 'RATE_LIMIT_EXCEEDED', {
      message: `From one address at most ${MOST[what]} ${what} may be taken in a minute`,
      retryAfterS: Math.ceil((taken.since + MINUTE - now) / 1000),
    });
  taken[what] += count;
}

function nothingSince(now: number): Taken {
  return { since: now, tokens: 0, places: 0 };
}

/**
 * A proxy on this computer names the visitor's address in a header; null: a program on this
 * computer calls for itself.
 */
function addressOf({ ip, request }: Call): string | null {
  const peer = ip.replace(/^::ffff:/, '');
  if (peer !== '::1' && !peer.startsWith('127.')) return peer;
  const [said] = [request.headers['x-forwarded-for']].flat();
  return said?.split(',').at(-1)?.trim() || null;
}

/** One IPv6 customer has a whole /64 of addresses. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = head.split(':').filter(Boolean);
  const after = tail === undefined ? 0 : tail.split(':').filter(Boolean).length;
  const zeros = Array.from({ length: 8 - groups.length - after }, () => '0');
  return [...groups, ...zeros].slice(0, 4).join(':');
}
