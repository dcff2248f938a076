/**
 * Which programs get which kinds of news. Each process remembers this, so that a booking needs no
 * query if no program listens.
 */
import { listAddresses } from '#db/program/addresses.ts';
import type { WebhookKind } from '#server/domain/program/webhook.ts';
import type { Ctx } from '#server/services/context.ts';

interface Listener {
  id: string;
  kinds: readonly WebhookKind[];
  /** Null: all events. */ event_id: string | null;
  /** The program gets no news from before this time. */ since: number;
}

interface Known {
  at: number;
  /** True if an address is registered, even if it is switched off. */ any: boolean;
  listeners: readonly Listener[];
}

const known = new WeakMap<object, Known>();

/** After this time at the latest a change by another process takes effect. */
const freshMs = 2_000;

/** Reads the listeners from the database, at the start and after a change in this process. */
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

/** Reads the listeners again if they may be out of date. False: no address is registered. */
export async function refreshListeners(ctx: Ctx): Promise<boolean> {
  const last = known.get(ctx.memory);
  if (last === undefined || Math.abs(ctx.now() - last.at) >= freshMs) await learnListeners(ctx);
  return known.get(ctx.memory)?.any ?? false;
}

/**
 * The listeners to these kinds of news of an event; `event_id` null: the event is not known yet,
 * so listeners to any event.
 */
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
