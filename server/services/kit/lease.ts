/**
 * Renews a lease in the database while its holder works, says when it is lost, and ends leases of
 * a clock that was set back since.
 */
import { claimsBeyond, endClaim, type Claimed } from '#db/ahead.ts';
import type { Ctx } from '#server/services/context.ts';

interface Lease {
  /** True until the lease ends; until then no other process can take it. */
  isHeld: () => boolean;
  /** The end of the lease as it was last written. */
  until: () => number;
  /** Stops the renewals; resolves when none is running. */
  end: () => Promise<void>;
}

/**
 * `until`: the end of the lease when it was taken. `renew` writes a later end; it returns false
 * if another process has the lease.
 */
interface LeaseTerms {
  until: number;
  leaseMs: number;
  renew: (until: number) => Promise<boolean>;
}

/**
 * Renews the lease three times within its duration. If a renewal fails, the next one follows at its
 * usual time; the holder sees when the lease has ended, also by the monotonic clock.
 */
export function keepLease(ctx: Ctx, { until, leaseMs, renew }: LeaseTerms): Lease {
  let held = until;
  // A wall clock that is set back would make the lease seem longer than it is for others.
  let heldUntil = ctx.elapsed() + Math.min(leaseMs, until - ctx.now());
  let isLost = false;
  let renewal: Promise<void> | null = null;
  const renewOnce = async () => {
    const [next, nextUntil] = [ctx.now() + leaseMs, ctx.elapsed() + leaseMs];
    try {
      if (await renew(next)) [held, heldUntil] = [next, nextUntil];
      else isLost = true;
    } catch (error) {
      ctx.log.warn({ err: error }, 'lease not renewed');
    }
    renewal = null;
  };
  const timer = setInterval(() => {
    if (!isLost) renewal ??= renewOnce();
  }, leaseMs / 3);
  timer.unref();
  return {
    // The wall clock alone shows a time in which the computer slept, or a step ahead.
    isHeld: () => !isLost && ctx.elapsed() < heldUntil && ctx.now() < held,
    until: () => held,
    async end() {
      clearInterval(timer);
      await renewal;
    },
  };
}

/** Since when a claim's end has been the same, by the monotonic clock. */
const aheadBy = new WeakMap<Ctx['memory'], Map<string, number>>();

/**
 * Ends claims that end later than any lease can and have not changed for the length of a lease: a
 * living holder would have renewed them or given them back.
 */
export async function endClaimsAhead(
  ctx: Ctx,
  leases: Readonly<Record<Claimed, number>>,
): Promise<void> {
  const before = aheadBy.get(ctx.memory) ?? new Map<string, number>();
  const still = new Map<string, number>();
  const elapsed = ctx.elapsed();
  for (const [table, leaseMs] of Object.entries(leases) as [Claimed, number][])
    for (const claim of await claimsBeyond(ctx.db, table, ctx.now() + leaseMs)) {
      const key = `${table} ${claim.id} ${claim.locked_until}`;
      const since = before.get(key) ?? elapsed;
      if (elapsed - since >= leaseMs) await endClaim(ctx.db, table, claim);
      else still.set(key, since);
    }
  aheadBy.set(ctx.memory, still);
}
