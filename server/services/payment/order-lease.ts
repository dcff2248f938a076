/**
 * The lease of an order. Booking, settling and cancelling hold it while they work, so that calls
 * to vendors for one order never overlap, even from several processes.
 */
import { timeLeft } from '#server/adapters/deadline.ts';
import { giveLease, renewLease, shortenLease, takeLease } from '#db/order/orders.ts';
import type { OrderRow } from '#db/rows.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { keepLease } from '#server/services/kit/lease.ts';

/**
 * A process that died blocks its order for at most this time, which is less than a person waits;
 * a process that works renews its lease.
 */
const leaseMs = 15_000;
/**
 * Pauses between two tries to take a lease: they grow, so that many waiting calls for one order
 * do not keep the database busy.
 */
const lookAgainMs = { least: 25, most: 400 };
/** How long a call waits for the lease when a person waits for the call. */
const waitMs = 20_000;

declare const leased: unique symbol;
/**
 * The context of a process that holds an order's lease. If the lease is lost, a call to a vendor
 * throws try_again before it begins or after its answer. Functions that must not run without a
 * lease take this type.
 */
export type LeasedCtx = Ctx & { readonly [leased]: true };

/** The lease of a new order, stored with it, so that no other process can take it first. */
export function firstLease(ctx: Ctx): { lease: string; lease_until: number } {
  return { lease: ctx.newId(), lease_until: ctx.now() + leaseMs };
}

/** The columns that give a lease back, for the last change of the order. */
export const leaseGiven = { lease: null, lease_until: null } as const;

/** The result of work under a lease. `gaveLease`: the work's last change gave the lease back. */
export interface Done<T> {
  value: T;
  gaveLease: boolean;
}

/** Runs `run` under the lease that was stored with the new order. */
export async function withFirstLease<T>(
  ctx: Ctx,
  { id, lease, lease_until }: OrderRow,
  run: (leased: LeasedCtx) => Promise<Done<T>>,
): Promise<T> {
  return holdLease(ctx, { id, lease: requireValue(lease, 'lease'), until: lease_until ?? 0 }, run);
}

interface LeaseAsk<T> {
  /** How long to wait for the lease. */ waitMs: number;
  /** `order` is read again under the lease, because an earlier reading may be out of date. */
  run: (leased: LeasedCtx, order: OrderRow) => Promise<T>;
}

/** Null: another holder had the order for the whole of `waitMs`. */
export async function withLease<T>(
  ctx: Ctx,
  order_id: string,
  ask: LeaseAsk<T>,
): Promise<{ value: T } | null> {
  const lease = ctx.newId();
  let lookMs = lookAgainMs.least;
  for (let left = Math.min(ask.waitMs, timeLeft()); ;) {
    const now = ctx.now();
    const until = now + leaseMs;
    const order = await takeLease(ctx.db, order_id, { lease, now, until });
    if (order) {
      const run = async (leased: LeasedCtx) => ({
        value: await ask.run(leased, order),
        gaveLease: false,
      });
      return { value: await holdLease(ctx, { id: order_id, lease, until }, run) };
    }
    if (lookMs === lookAgainMs.least) await shortenLease(ctx.db, order_id, until);
    if (left <= 0) return null;
    left -= await ctx.pause(lookMs);
    lookMs = Math.min(2 * lookMs, lookAgainMs.most);
  }
}

/**
 * Waits for the lease as long as a person would wait.
 * @throws Refusal try_again when another process holds the lease all that time
 */
export async function withLeaseOrRefuse<T>(
  ctx: Ctx,
  order_id: string,
  run: (leased: LeasedCtx, order: OrderRow) => Promise<T>,
): Promise<T> {
  const done = await withLease(ctx, order_id, { waitMs, run });
  if (done === null) throw new Refusal('try_again');
  return done.value;
}

interface Held {
  id: string;
  lease: string;
  until: number;
}

async function holdLease<T>(
  ctx: Ctx,
  { id, lease, until }: Held,
  run: (leased: LeasedCtx) => Promise<Done<T>>,
): Promise<T> {
  let gaveLease = false;
  const kept = keepLease(ctx, {
    until,
    leaseMs,
    renew: (next) => renewLease(ctx.db, id, { lease, until: next }),
  });
  const requireLease = () => {
    if (!kept.isHeld()) throw new Refusal('try_again');
  };
  const leased = {
    ...ctx,
    seats: askedWhile(ctx.seats, requireLease),
    payments: askedWhile(ctx.payments, requireLease),
  } as LeasedCtx;
  try {
    const done = await run(leased);
    gaveLease = done.gaveLease;
    return done.value;
  } finally {
    await kept.end();
    if (!gaveLease) await giveBack(ctx, id, lease);
  }
}

/** A failure is only logged: the work is done, and the lease ends by itself. */
async function giveBack(ctx: Ctx, id: string, lease: string): Promise<void> {
  try {
    await giveLease(ctx.db, id, lease);
  } catch (error) {
    ctx.log.warn({ err: error, order_id: id }, 'lease not given back');
  }
}

/** A copy of `port` whose calls run `requireLease` before they begin and after their answer. */
function askedWhile<T extends object>(port: T, requireLease: () => void): T {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        requireLease();
        const answer: unknown = value.apply(target, args);
        return answer instanceof Promise ? answer.finally(requireLease) : answer;
      };
    },
  });
}
