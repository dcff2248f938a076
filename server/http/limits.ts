/**
 * Rate limits per address and class of call. Scarce resources and password guesses are counted
 * over all processes.
 */
import type { Context, Next } from 'koa';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Limit } from '#server/contract/endpoint.ts';
import { stripeWebhookPath } from '#server/contract/webhooks.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { countShared, type Rate } from '#server/services/kit/shared-counts.ts';
import * as guesses from '#server/services/user/guesses.ts';

/**
 * `points` calls per `duration` seconds. The limits are generous, because a box office shares one
 * address and fifty phones reconnect together.
 */
const classes: Record<Limit | 'page' | 'token' | 'hold_token' | 'queue_neighbours', Rate> = {
  // Pages, their files, and all that is no endpoint; a carrier's address has many visitors.
  page: { points: 3_000, duration: 10 },
  read: { points: 600, duration: 10 },
  // Each page reports its measurements a few times a minute, and a carrier's address has hundreds
  // of pages. A refused report costs no sale.
  measure: { points: 1_200, duration: 60 },
  change: { points: 120, duration: 60 },
  book: { points: 120, duration: 60 },
  // Ten tills behind one address, each with a sale and its print every second.
  sell: { points: 1_500, duration: 60 },
  hold: { points: 300, duration: 60 },
  // Each hold token is a visitor who may hold seats: a school's address has many, but no address
  // needs a whole hall.
  hold_token: { points: 100, duration: 60 },
  // A carrier's address has many waiting visitors; a robot there gets no more places than they.
  queue: { points: 200, duration: 600 },
  // A rented block of addresses has hundreds of networks. The limit is higher than that of one
  // address, and higher than the visitors of one event in a carrier's block.
  queue_neighbours: { points: 2_000, duration: 3_600 },
  // Two hundred phones behind one router, each with a guest, its polls and its heartbeat every
  // second; three times that after an outage.
  sync: { points: 9_000, duration: 10 },
  // An uploaded file may hold all scans that a phone made of an event.
  import: { points: 30, duration: 600 },
  login: { points: 100, duration: 3_600 },
  // Two hundred phones may pair behind one router. So many tries are safe, because a token of 256
  // bits cannot be guessed.
  pair: { points: 600, duration: 600 },
  drawing: { points: 60, duration: 600 },
  // Each call may send a mail to an address that a visitor typed.
  find: { points: 20, duration: 3_600 },
  // A PDF costs about fifteen milliseconds, and more with every page.
  document: { points: 60, duration: 60 },
  form: { points: 120, duration: 60 },
  // A picture costs seconds of computing.
  upload: { points: 60, duration: 600 },
  // Counted before the token is checked; several programs may share an address.
  program: { points: 3_000, duration: 60 },
  // Counted per token: enough to read a large house in minutes, too little to slow down a sale.
  token: { points: 300, duration: 60 },
};

/**
 * Each process counts these for itself: they protect the process, and a shared count would cost
 * more than the call.
 */
const ofProcess = new Set(['page', 'read', 'measure', 'sync', 'program']);

export interface Limits {
  /** @throws Refusal too_many_requests */
  count: (ctx: Context, limit: Limit | 'page' | 'hold_token') => Promise<void>;
  /** Counts a program's call by its token. @throws Refusal too_many_requests */
  countProgram: (token_id: string) => Promise<void>;
}

/** `house`: its database holds the shared counts; null if this is the only process. */
export function makeLimits(house: Pick<Ctx, 'db' | 'now'> | null = null): Limits {
  const counters = new Map(
    Object.entries(classes).map(([name, rate]) => [
      name,
      house === null || ofProcess.has(name)
        ? countHere(name, rate)
        : (key: string) => countShared(house, `${name}|${key}`, rate),
    ]),
  );
  const consume = async (name: keyof typeof classes, key: string) => {
    const waitMs = await counters.get(name)!(key);
    if (waitMs > 0) refuse(waitMs);
  };
  return {
    countProgram: (token_id) => consume('token', token_id),
    async count(ctx, limit) {
      // A loopback address is this computer or a proxy that is not trusted; one count would then
      // lock out all visitors. countGuess() counts guesses there too.
      if (ctx.state['direct'] === true && isLoopback(ctx.ip)) return;
      await consume(limit, networkOf(ctx.ip));
      if (limit === 'queue') await consume('queue_neighbours', neighboursOf(ctx.ip));
    },
  };
}

/** Counts one call; returns the ms that the caller must wait, 0 if the call is allowed. */
type Count = (key: string) => Promise<number>;

function countHere(keyPrefix: string, rate: Rate): Count {
  const limiter = new RateLimiterMemory({ keyPrefix, ...rate });
  return (key) =>
    limiter.consume(key).then(
      () => 0,
      (error: unknown) => {
        if (error instanceof RateLimiterRes) return Math.max(1, error.msBeforeNext);
        throw error;
      },
    );
}

/**
 * Counts a try before the password is checked; after a right password, call the returned function
 * to take the try back. `device`: a device on which the account was opened before; the tries of
 * other devices do not make it wait.
 * @throws Refusal too_many_requests
 */
export async function countGuess(
  ctx: Pick<Ctx, 'db' | 'now'>,
  http: Context,
  { account, device }: { account: string; device: string | null },
): Promise<() => Promise<void>> {
  const guesser = { account, from: device ?? networkOf(http.ip), isKnown: device !== null };
  const waitMs = await guesses.countGuess(ctx, guesser);
  if (waitMs > 0) refuse(waitMs);
  return () => guesses.forgiveGuess(ctx, guesser);
}

/**
 * Limits everything except endpoints and stand-ins, which count for themselves, and health
 * checks, which are never refused.
 */
export function limitPages(limits: Limits) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const { path } = ctx;
    const countsItself = /^\/(?:api|standins)\//.test(path) && !countedThere.has(path);
    if (!countsItself && path !== '/healthz') await limits.count(ctx, 'page');
    await next();
  };
}

/** Paths under /api that are not endpoints of the contract. */
const countedThere = new Set([
  '/api/openapi.json',
  '/api/v1/openapi.json',
  '/api/v1/',
  '/api/v1',
  stripeWebhookPath,
]);

function refuse(waitMs: number): never {
  throw new Refusal('too_many_requests', { retry_after_seconds: Math.ceil(waitMs / 1000) });
}

/** The address, or the first half of an IPv6 address, because one client has a whole /64. */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const behind = tail === undefined ? [] : tail.split(':').filter((group) => group !== '');
  return [
    ...groups,
    ...Array.from({ length: Math.max(0, 8 - groups.length - behind.length) }, () => '0'),
    ...behind,
  ]
    .slice(0, 4)
    .join(':');
}

/** The block that a customer rents as a whole: a /24, or a /48 of IPv6. */
function neighboursOf(ip: string): string {
  if (ip.includes('.')) return ip.slice(0, ip.lastIndexOf('.'));
  return networkOf(ip).split(':').slice(0, 3).join(':');
}

/** What one customer has to itself: an IPv4 address, or a /48 of IPv6. */
export function customerOf(ip: string): string {
  return ip.includes('.') ? ip : neighboursOf(ip);
}

export function isLoopback(ip: string): boolean {
  return ip === '::1' || ip.startsWith('127.') || ip.startsWith('::ffff:127.');
}
