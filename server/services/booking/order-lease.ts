/** One at a time per order: booking, settling and cancelling take turns, in one process or in several, so that outside calls for an order never overlap. */
import { giveLease, renewLease, takeLease } from '#db/orders.ts';
import type { OrderRow } from '#db/rows.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { keepLease } from '#server/services/kit/lease.ts';

/** A process that died blocks its order so long at the most; whoever is at work renews it. */
const leaseMs = 90_000;
const lookAgainMs = 25;
/** For a person who waits for the answer. */
const patienceMs = 20_000;

/** For an order that is stored now: its first turn is taken with the row, so nobody comes between. */
export function firstTurn(ctx: Ctx): { lease: string; lease_until: number } {
  return { lease: ctx.newId(), lease_until: ctx.now() + leaseMs };
}

/** What ends a turn, for who writes it with his last change of the order. */
export const turnOver = { lease: null, lease_until: null } as const;

export interface FirstTurn {
  over: boolean;
}

/** The turn that an order was stored with. `run` may end it with its own last change, and says so by a true `over`. */
export async function inFirstTurn<T>(
  ctx: Ctx,
  order: OrderRow,
  run: (ctx: Ctx, turn: FirstTurn) => Promise<T>,
): Promise<T> {
  return holdTurn(ctx, { id: order.id, lease: order.lease!, until: order.lease_until! }, run);
}

export interface Turn<T> {
  /** How long to wait for it. */ patienceMs: number;
  run: (ctx: Ctx) => Promise<T>;
}

/**
 * Null: somebody else had the order for the whole of `patienceMs`. What was read before the turn is stale: read the order again inside, and use the `ctx` that is handed in.
 * Its outside calls refuse (try_again) once the turn is lost, before they begin and with their answer: so who was away too long changes nothing any more.
 */
export async function inTurn<T>(
  ctx: Ctx,
  order_id: string,
  turn: Turn<T>,
): Promise<{ value: T } | null> {
  const lease = ctx.newId();
  for (let left = turn.patienceMs; ;) {
    const now = ctx.now();
    if (await takeLease(ctx.db, order_id, { lease, now, until: now + leaseMs }))
      return {
        value: await holdTurn(ctx, { id: order_id, lease, until: now + leaseMs }, turn.run),
      };
    if (left <= 0) return null;
    left -= await ctx.pause(lookAgainMs);
  }
}

/** For somebody who waits: refuses try_again when the order is busy for long. */
export async function inTurnOrRefuse<T>(
  ctx: Ctx,
  order_id: string,
  run: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const turn = await inTurn(ctx, order_id, { patienceMs, run });
  if (turn === null) throw new Refusal('try_again');
  return turn.value;
}

interface Held {
  id: string;
  lease: string;
  until: number;
}

async function holdTurn<T>(
  ctx: Ctx,
  { id, lease, until }: Held,
  run: (ctx: Ctx, turn: FirstTurn) => Promise<T>,
): Promise<T> {
  const turn: FirstTurn = { over: false };
  const kept = keepLease(ctx, {
    until,
    leaseMs,
    renew: (next) => renewLease(ctx.db, id, { lease, until: next }),
  });
  const requireTurn = () => {
    if (!turn.over && !kept.isHeld()) throw new Refusal('try_again', { order_id: id });
  };
  try {
    return await run(
      {
        ...ctx,
        seats: askedWhile(ctx.seats, requireTurn),
        payments: askedWhile(ctx.payments, requireTurn),
      },
      turn,
    );
  } finally {
    await kept.end();
    if (!turn.over) await giveLease(ctx.db, id, lease);
  }
}

/** The same port, for as long as `requireTurn` does not throw. */
function askedWhile<T extends object>(port: T, requireTurn: () => void): T {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        requireTurn();
        const answer: unknown = value.apply(target, args);
        return answer instanceof Promise ? answer.finally(requireTurn) : answer;
      };
    },
  });
}
