/**
 * Remembers which connection sent a forwarded address that we do not trust: TRUST_PROXY is
 * missing, or a client pretends to be a proxy.
 */
import { dropSetting, putSetting, readSetting } from '#db/settings.ts';
import type { Ctx } from '#server/services/context.ts';

interface Unbelieved {
  /** The address of the connection. */
  peer: string;
  at: number;
}

const last = new WeakMap<Ctx['memory'], Unbelieved>();
/** A forwarded address is logged if none came for this time. */
const quietMs = 3_600_000;
/** An older one is not shown, because the setting may have been corrected meanwhile. */
const shownMs = 24 * 3_600_000;

export function noteUnbelieved(ctx: Ctx, peer: string): void {
  const now = ctx.now();
  const before = last.get(ctx.memory);
  last.set(ctx.memory, { peer, at: now });
  if (before === undefined || now - before.at > quietMs) noteForAll(ctx, { peer, at: now });
}

const key = 'unbelieved_proxy';

/** Logs and stores it, because a command runs in another process. */
function noteForAll(ctx: Ctx, seen: Unbelieved): void {
  const { peer } = seen;
  ctx.log.warn({ peer }, 'a forwarded address from a proxy that TRUST_PROXY does not name');
  putSetting(ctx.db, key, JSON.stringify(seen)).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'an unbelieved proxy was not noted'),
  );
}

/** Call it at the start, when TRUST_PROXY was read again. */
export async function forgetUnbelieved({ db }: Ctx): Promise<void> {
  await dropSetting(db, key);
}

/** The last one that any process has stored since the last start. */
export async function unbelievedByAny({ db }: Ctx): Promise<Unbelieved | null> {
  return JSON.parse((await readSetting(db, key)) ?? 'null') as Unbelieved | null;
}

/** The last one that this process saw within a day. */
export function unbelievedProxy(ctx: Ctx): Unbelieved | null {
  const found = last.get(ctx.memory);
  return found !== undefined && ctx.now() - found.at < shownMs ? found : null;
}
