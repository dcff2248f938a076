/** What the deeds of a history share: choosing among what there is, and what reaches the person who asked. */
import type { Ctx } from '#server/services/context.ts';
import type { Op } from './history.ts';
import { operationNow } from './scheduler.ts';
import type { World } from './world.ts';

export type Act = (world: World, ctx: Ctx, op: Op) => Promise<unknown>;

/** The `n`-th of what there is, the newest first: most of what people do is about what has just been. */
export function one<T>(list: readonly T[], n: number): T | undefined {
  return list.length === 0 ? undefined : list.toReversed()[n % list.length];
}

/** An answer that reached the visitor; with the address of a session anybody may pay it from now on. */
export function hearOf(world: World, order: string, url: string | null): void {
  if (operationNow()?.machine.dead) return;
  if (!world.orders.includes(order)) world.orders.push(order);
  const session = world.stripe.sessions.find(
    (known) => url !== null && url === `https://checkout.example/${known.id}`,
  );
  if (session) session.seen = true;
  world.tell(`the visitor hears of ${order}${session ? ` and ${session.id}` : ''}`);
}
