/** Plans a swap of two seats before anything is stored (RULES M9). */
import type { EventRow, OrderRow } from '#db/rows.ts';
import { wholeTermsOf } from '#server/domain/event/whole-terms.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { moveObstacle, type MoveObstacle } from '#server/domain/seat/move.ts';
import { isStanding } from '#server/domain/seat/whole.ts';
import { pricingNow } from '#server/services/event/prices.ts';
import type { Ctx } from '#server/services/context.ts';
import { costOf } from './plan.ts';
import { moveFactsOf, stepsOf, type Step } from './steps.ts';

/** `object`, `with_object`: where the two tickets sit now. */
export interface SwapAsk {
  ticket_id: string;
  object: string;
  with_ticket_id: string;
  with_object: string;
  /** Why nobody pays or gets the difference in price. */ reason?: string;
  tell_buyer: boolean;
}

/** One of the two tickets, on its way to the other's seat. */
export interface SwapSide {
  order: OrderRow;
  step: Step;
  difference_cents: number;
}

export interface SwapPlan {
  sides: readonly [SwapSide, SwapSide];
  obstacle: MoveObstacle | null;
  /** To one of the orders the other seat is worth more or less. */ isUneven: boolean;
}

interface Named {
  order: OrderRow;
  ticket_id: string;
}

export async function planSwap(
  ctx: Ctx,
  event: EventRow,
  [one, other]: readonly [Named, Named],
): Promise<SwapPlan> {
  const a = await stepOf(ctx, one);
  const b = await stepOf(ctx, other);
  const there = { ...a, to: b.line.object_label };
  const back = { ...b, to: a.line.object_label };
  const sides = [
    await priced(ctx, event, { order: one.order, step: there, other: b }),
    await priced(ctx, event, { order: other.order, step: back, other: a }),
  ] as const;
  const isUneven = sides.some(
    ({ order }) =>
      sides
        .filter((own) => own.order.id === order.id)
        .reduce((sum, { difference_cents }) => sum + difference_cents, 0) !== 0,
  );
  return { sides, obstacle: await swapObstacle(ctx, event, sides), isUneven };
}

async function stepOf(ctx: Ctx, { order, ticket_id }: Named): Promise<Step> {
  const steps = await stepsOf(ctx.db, order, [{ ticket_id }]);
  return requireValue(
    steps.find(({ ticket }) => ticket.id === ticket_id),
    'step',
  );
}

async function priced(
  ctx: Ctx,
  event: EventRow,
  { order, step, other }: { order: OrderRow; step: Step; other: Step },
): Promise<SwapSide> {
  const { category_key: key, category: label } = other.ticket;
  const cost = costOf(order, step, {
    category: { key, label },
    ticket_type: step.line.ticket_type,
    steps: [step],
    pricing: await pricingNow(ctx, event),
    terms: wholeTermsOf(event),
  });
  if (cost === null) throw new Refusal('object_without_price', { objects: [step.to] });
  return { order, step, difference_cents: cost.difference_cents };
}

/** What forbids it: the rules of a move for each, and only single seats have a place to change. */
export async function swapObstacle(
  ctx: Pick<Ctx, 'db' | 'now'>,
  event: EventRow,
  sides: readonly SwapSide[],
): Promise<MoveObstacle | null> {
  for (const { order, step } of sides) {
    const facts = await moveFactsOf(ctx.db, { order, event, steps: [step], now: ctx.now() });
    const obstacle = moveObstacle(facts);
    if (obstacle !== null) return obstacle;
  }
  const isSingle = sides.every(({ step: { line } }) => line.whole_size === 0 && !isStanding(line));
  return isSingle ? null : 'not_single';
}
