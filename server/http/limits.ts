/**
 * Rate limits per address and class of call; what is scarce for all is counted by all processes
 * together, and guesses at passwords anyway.
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
 * Points per seconds. A box office shares one address, and fifty phones come back at once:
 * generous, but no flood.
 */
const classes: Record<Limit | 'page' | 'token' | 'hold_token' | 'queue_neighbours', Rate> = {
  // Pages, their files and all that is no endpoint: a carrier's address has many visitors at
  // once.
  page: { points: 3_000, duration: 10 },
  read: { points: 600, duration: 10 },
  // Each page reports its measurements a few times a minute; a carrier's address has hundreds of
  // pages, and a refusal costs no sale.
  measure: { points: 1_200, duration: 60 },
  change: { points: 120, duration: 60 },
  book: { points: 120, duration: 60 },
  // Ten tills behind one address, each with a sale a second and its print.
  sell: { points: 1_500, duration: 60 },
  hold: { points: 300, duration: 60 },
  // Each is a visitor who may hold seats: a school's address has many, but no address has a whole
  // hall's.
  hold_token: { points: 100, duration: 60 },
  // A carrier's address has many waiting visitors, and a robot behind it gets no more than they
  // do.
  queue: { points: 200, duration: 600 },
  // A rented block of addresses has hundreds of networks. This is more than one address can use,
  // and more than a carrier's block has visitors for one evening.
  queue_neighbours: { points: 2_000, duration: 3_600 },
  // Two hundred phones behind one router, each with a guest a second, its questions and its
  // heartbeat; three times that when the line has just come back.
  sync: { points: 9_000, duration: 10 },
  // A file may hold all scans of a phone's evening.
  import: { points: 30, duration: 600 },
  login: { points: 100, duration: 3_600 },
  // Two hundred phones may pair behind one router; 256 bits cannot be guessed.
  pair: { points: 600, duration: 600 },
  drawing: { points: 60, duration: 600 },
  // Each may make us write a mail to an address that was typed.
  find: { points: 20, duration: 3_600 },
  // A PDF costs about fifteen milliseconds of ours, more with every page.
  document: { points: 60, duration: 60 },
  form: { points: 120, duration: 60 },
  // A picture is worth seconds of computing.
  upload: { points: 60, duration: 600 },
  // Counted before the token is known; several programs may stand behind one address.
  program: { points: 3_000, duration: 60 },
  // Per program token: enough to read a large house in minutes, too little to slow a sale down.
  token: { points: 300, duration: 60 },
};

/**
 * These protect one process, so each counts for itself; a count in the database would cost more
 * than the call.
 */
const ofProcess = new Set(['page', 'read', 'measure', 'sync', 'program']);

export interface Limits {
  /** Throws too_many_requests. */
  count: (ctx: Context, limit: Limit | 'page' | 'hold_token') => Promise<void>;
  /** The same for a program, by its token. */
  countProgram: (ctx: Context, token_id: string) => Promise<void>;
}

/**
 * `house`: counts what several processes count together, where there may be several; null: there
 * is this one.
 */
export function makeLimits(house: Pick<Ctx, 'db' | 'now'> | null = null): Limits {
  const counters = new Map(
    Object.entries(classes).map(([name, rate]) => [
      name,
      house === null || ofProcess.has(name)
        ? countHere(name, rate)
        : (key: string) => countShared(house, `${name}|${key}`, rate),
    ]),
  );
  const consume = async (ctx: Context, name: keyof typeof classes, key: string) => {
    const waitMs = await counters.get(name)!(key);
    if (waitMs > 0) refuse(ctx, waitMs);
  };
  return {
    countProgram: (ctx, token_id) => consume(ctx, 'token', token_id),
    async count(ctx, limit) {
      // A loopback address is ourselves or an untrusted proxy, where one bucket would lock out
      // all visitors. Guesses are counted there all the same.
      if (ctx.state['direct'] === true && isLoopback(ctx.ip)) return;
      await consume(ctx, limit, networkOf(ctx.ip));
      if (limit === 'queue') await consume(ctx, 'queue_neighbours', neighboursOf(ctx.ip));
    },
  };
}

/** Counts one more; gives back how many ms to wait, 0: it is allowed. */
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
 * Counts a try before the password is looked at; the returned function forgives it after a right
 * one. `device`: one on which the
 * account was opened before: others' guesses do not make it wait. Throws too_many_requests.
 */
export async function countGuess(
  ctx: Pick<Ctx, 'db' | 'now'>,
  http: Context,
  { account, device }: { account: string; device: string | null },
): Promise<() => Promise<void>> {
  const guesser = { account, from: device ?? networkOf(http.ip), isKnown: device !== null };
  const waitMs = await guesses.countGuess(ctx, guesser);
  if (waitMs > 0) refuse(http, waitMs);
  return () => guesses.forgiveGuess(ctx, guesser);
}

/**
 * Endpoints and the door to the stand-ins count for themselves; health checks are never refused.
 */
export function limitPages(limits: Limits) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const { path } = ctx;
    const countsItself = /^\/(?:api|standins)\//.test(path) && !countedThere.has(path);
    if (!countsItself && path !== '/healthz') await limits.count(ctx, 'page');
    await next();
  };
}

/** Under /api, but not from the contract's list of endpoints. */
const countedThere = new Set([
  '/api/openapi.json',
  '/api/v1/openapi.json',
  '/api/v1/',
  '/api/v1',
  stripeWebhookPath,
]);

function refuse(ctx: Context, waitMs: number): never {
  const seconds = Math.ceil(waitMs / 1000);
  ctx.set('Retry-After', String(seconds));
  throw new Refusal('too_many_requests', { retry_after_seconds: seconds });
}

/** A client with one IPv6 address has a whole /64 of them. */
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

/** What is rented together: a /24, and of IPv6 a /48. */
function neighboursOf(ip: string): string {
  if (ip.includes('.')) return ip.slice(0, ip.lastIndexOf('.'));
  return networkOf(ip).split(':').slice(0, 3).join(':');
}

export function isLoopback(ip: string): boolean {
  return ip === '::1' || ip.startsWith('127.') || ip.startsWith('::ffff:127.');
}
