/** Remembers who sent forwarded addresses that are not believed: TRUST_PROXY is missing, or somebody pretends to be a proxy. */
import type { Ctx } from '#server/services/context.ts';

interface Unbelieved {
  /** The connection's own address. */
  peer: string;
  at: number;
}

const last = new WeakMap<Ctx['memory'], Unbelieved>();
/** The log says it once in so long. */
const quietMs = 3_600_000;
/** A setting that was mended is not complained about any more. */
const shownMs = 24 * 3_600_000;

export function noteUnbelieved(ctx: Ctx, peer: string): void {
  const now = ctx.now();
  const before = last.get(ctx.memory);
  last.set(ctx.memory, { peer, at: now });
  if (before === undefined || now - before.at > quietMs)
    ctx.log.warn({ peer }, 'a forwarded address from a proxy that TRUST_PROXY does not name');
}

/** The newest of the last day; null: none. */
export function unbelievedProxy(ctx: Ctx): Unbelieved | null {
  const found = last.get(ctx.memory);
  return found !== undefined && ctx.now() - found.at < shownMs ? found : null;
}
