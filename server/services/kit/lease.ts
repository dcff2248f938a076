/** Keeps a database lease alive while its holder works, and tells when it is lost. */
import type { Ctx } from '#server/services/context.ts';

interface Lease {
  /** True until its end: no other process can have taken it. */
  isHeld: () => boolean;
  /** Its end, as it was last written. */
  until: () => number;
  /** It is renewed no more; resolves when no renewal is under way. */
  end: () => Promise<void>;
}

/**
 * `until`: as it was taken. `renew` writes a later end, and answers false when another process
 * has it.
 */
interface LeaseTerms {
  until: number;
  leaseMs: number;
  renew: (until: number) => Promise<boolean>;
}

/**
 * Renews it three times in its duration. A renewal that fails is tried again at the next; by its
 * own clock the holder knows when it was too late.
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
