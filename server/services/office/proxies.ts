/**
 * Remembers who sent forwarded addresses that are not believed: TRUST_PROXY is missing, or a
 * client pretends to be a proxy.
 */
import { dropSetting, putSetting, readSetting } from '#db/settings.ts';
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
  if (before === undefined || now - before.at > quietMs) noteForAll(ctx, { peer, at: now });
}

const key = 'unbelieved_proxy';

/** Once an hour: the command line asks another process than the one that saw it. */
function noteForAll(ctx: Ctx, seen: Unbelieved): void {
  const { peer } = seen;
  ctx.log.warn({ peer }, 'a forwarded address from a proxy that TRUST_PROXY does not name');
  putSetting(ctx.db, key, JSON.stringify(seen)).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'an unbelieved proxy was not noted'),
  );
}

/** A start has read TRUST_PROXY anew. */
export async function forgetUnbelieved({ db }: Ctx): Promise<void> {
  await dropSetting(db, key);
}

/** What any process of the house has seen since the last start. */
export async function unbelievedByAny({ db }: Ctx): Promise<Unbelieved | null> {
  return JSON.parse((await readSetting(db, key)) ?? 'null') as Unbelieved | null;
}

/** The newest of the last day; null: none. */
export function unbelievedProxy(ctx: Ctx): Unbelieved | null {
  const found = last.get(ctx.memory);
  return found !== undefined && ctx.now() - found.at < shownMs ? found : null;
}
