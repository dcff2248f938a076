/**
 * Shared helpers of the actions in a history: choosing an object, and recording what the person
 * was told.
 */
import type { Ctx } from '#server/services/context.ts';
import type { Op } from './history.ts';
import { operationNow } from './scheduler.ts';
import type { World } from './world.ts';

export type Act = (world: World, ctx: Ctx, op: Op) => Promise<unknown>;

/** The `n`-th object, the newest first, because most actions concern recent objects. */
export function one<T>(list: readonly T[], n: number): T | undefined {
  return list.length === 0 ? undefined : list.toReversed()[n % list.length];
}

/**
 * Records an answer that reached the visitor; if it carries a checkout address, the session can
 * be paid from now on.
 */
export function hearOf(world: World, order: string, url: string | null): void {
  if (operationNow()?.machine.dead) return;
  if (!world.orders.includes(order)) world.orders.push(order);
  const session = world.stripe.sessions.find(
    (known) => url !== null && url === `https://checkout.example/${known.id}`,
  );
  if (session) session.seen = true;
  world.tell(`the visitor hears of ${order}${session ? ` and ${session.id}` : ''}`);
}
