/**
 * Which programs want to be told of what: each process remembers it, so that a booking asks the
 * database nothing where none listens.
 */
import { listAddresses } from '#db/program/addresses.ts';
import type { WebhookKind } from '#server/domain/program/webhook.ts';
import type { Ctx } from '#server/services/context.ts';

interface Listener {
  id: string;
  kinds: readonly WebhookKind[];
  /** Null: of all. */ event_id: string | null;
  /** Nothing of before is told. */ since: number;
}

interface Known {
  at: number;
  /** There is an address at all, switched on or not. */ any: boolean;
  listeners: readonly Listener[];
}

const known = new WeakMap<object, Known>();

/** What another process has changed is known here so long afterwards, at the most. */
const freshMs = 2_000;

/** Read anew; after a change here, and at the start. */
export async function learnListeners(ctx: Ctx): Promise<void> {
  const at = ctx.now();
  const addresses = await listAddresses(ctx.db);
  const listeners = addresses
    .filter(({ off_at }) => off_at === null)
    .map(({ id, kinds, event_id, created_at }) => ({
      id,
      kinds: JSON.parse(kinds) as WebhookKind[],
      event_id,
      since: created_at,
    }));
  known.set(ctx.memory, { at, any: addresses.length > 0, listeners });
}

/** The same where it may be old. False: there is no address. */
export async function refreshListeners(ctx: Ctx): Promise<boolean> {
  const last = known.get(ctx.memory);
  if (last === undefined || Math.abs(ctx.now() - last.at) >= freshMs) await learnListeners(ctx);
  return known.get(ctx.memory)?.any ?? false;
}

/** `event_id` null: it is not known yet, and listeners to any event are meant. */
export function listenersTo(
  { memory }: Pick<Ctx, 'memory'>,
  kinds: readonly WebhookKind[],
  event_id: string | null,
): Listener[] {
  const { listeners = [] } = known.get(memory) ?? {};
  return listeners.filter(
    (one) =>
      kinds.some((kind) => one.kinds.includes(kind)) &&
      (event_id === null || one.event_id === null || one.event_id === event_id),
  );
}
