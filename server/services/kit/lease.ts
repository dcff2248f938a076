/** Renews a lease in the database while its holder works, and says when it is lost. */
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
 * Renews the lease three times within its duration. If a renewal fails, the next one follows at
 * its usual time; by its own clock the holder sees when the lease has ended.
 */
export function keepLease(ctx: Ctx, { until, leaseMs, renew }: LeaseTerms): Lease {
  let held = until;
  let isLost = false;
  let renewal: Promise<void> | null = null;
  const renewOnce = async () => {
    const next = ctx.now() + leaseMs;
    try {
      if (await renew(next)) held = next;
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
    isHeld: () => !isLost && ctx.now() < held,
    until: () => held,
    async end() {
      clearInterval(timer);
      await renewal;
    },
  };
}
