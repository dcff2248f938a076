/**
 * Limits for calls without a key, so that one visitor cannot take a whole hall: tokens and places
 * of an address in a minute, and places of an event that it holds at the same time.
 */
import { isIPv6 } from 'node:net';
import { isByPlaces, type LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import { Cache, type Seatsio, type Writing } from '#server/standins/seatsio/context.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { setNetwork, type TokenRow } from '#server/standins/seatsio/statements/hold-tokens.ts';
import { countHeldBy } from '#server/standins/seatsio/statements/objects.ts';
import type { Call } from '#server/standins/seatsio/router.ts';

const MINUTE = 60_000;
/** The limits are generous, because visitors of one carrier or school share one address. */
const MOST = { tokens: 100, places: 200 } as const;
/** A whole /48 of IPv6 may take so many times as much as one of its 65,536 networks. */
const MOST_NETWORKS = 10;
const MOST_ADDRESSES = 20_000;
/** The places that an address may hold at once, or this share of the event's, whichever is more. */
const MOST_HELD_AT_ONCE = 200;
const SHARE_HELD_AT_ONCE = 0.1;

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
  const network = { key: networkOf(address, 4), most: MOST[what] };
  const block = { key: `${networkOf(address, 3)}::/48`, most: MOST_NETWORKS * MOST[what] };
  const counts = await Array.fromAsync(
    isIPv6(address) ? [network, block] : [network],
    async ({ key, most }) => ({ most, taken: await takenBy(ctx, key, now) }),
  );
  for (const { most, taken } of counts)
    if (taken[what] + count > most)
      throw new ApiError(429, 'RATE_LIMIT_EXCEEDED', {
        message: 'Da questa rete arrivano troppe richieste tutte insieme. Riprova fra un minuto.',
        retryAfterS: Math.ceil((taken.since + MINUTE - now) / 1000),
      });
  for (const { taken } of counts) taken[what] += count;
}

async function takenBy(ctx: Seatsio, key: string, now: number): Promise<Taken> {
  const taken = await byNetwork.get(ctx, key, () => nothingSince(now));
  if (now - taken.since >= MINUTE || now < taken.since) Object.assign(taken, nothingSince(now));
  return taken;
}

function nothingSince(now: number): Taken {
  return { since: now, tokens: 0, places: 0 };
}

/**
 * Refuses a hold, after it was made in this transaction, if the visitor's IPv4 address or IPv6 /48
 * now holds too much of the event. A token counts for the network that held with it first, however
 * it travels later. The seller's own tokens are free.
 * @throws ApiError 429 TOO_MANY_HELD_AT_ONCE, with the event's key in `data`
 */
export async function limitHeldAtOnce(
  ctx: Writing,
  call: Call,
  { event, token }: { event: LoadedEvent; token: TokenRow },
): Promise<void> {
  const address = addressOf(call);
  if (address === null || token.most_held !== null) return;
  const network = token.network ?? networkOf(address, 3);
  if (token.network === null) await setNetwork(ctx.sql, token.token, network);
  const held = (await countHeldBy(ctx.sql, event.row.id, network)) + unpaidOf(call);
  if (held <= MOST_HELD_AT_ONCE || held <= SHARE_HELD_AT_ONCE * placesForSale(event)) return;
  throw new ApiError(429, 'TOO_MANY_HELD_AT_ONCE', {
    message:
      'Da questa rete si stanno già scegliendo moltissimi posti. Riprova fra qualche minuto, o da un’altra connessione.',
    data: { event: event.row.key },
  });
}

/** The places of the event that this network has booked and not paid, as the seller says. */
function unpaidOf({ request }: Call): number {
  return Number(request.headers['x-unpaid-places'] ?? 0) || 0;
}

function placesForSale({ plan, sellable }: LoadedEvent): number {
  let places = 0;
  for (const object of plan.byLabel.values()) {
    const size = isByPlaces(object) ? object.capacity : 1;
    places += Math.max(0, size - sellable(object).notForSale);
  }
  return places;
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

/**
 * An IPv4 address, or so many groups of an IPv6 one: a customer has at least a /64 of four groups,
 * and a /48 of three is rented as a whole.
 */
function networkOf(address: string, groups: 3 | 4): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const first = head.split(':').filter(Boolean);
  const after = tail === undefined ? 0 : tail.split(':').filter(Boolean).length;
  const zeros = Array.from({ length: 8 - first.length - after }, () => '0');
  return [...first, ...zeros].slice(0, groups).join(':');
}
