/** Plans another type for tickets on their own places (RULES M8). */
import type { EventRow, OrderRow } from '#db/rows.ts';
import { wholeTermsOf } from '#server/domain/event/whole-terms.ts';
import { typesInCategory, type PricedCategory } from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { moveObstacle, type MoveObstacle } from '#server/domain/seat/move.ts';
import { pricingNow } from '#server/services/event/prices.ts';
import type { Ctx } from '#server/services/context.ts';
import { costOf } from './plan.ts';
import { moveFactsOf, stepsOf, type DifferenceAsk, type Step } from './steps.ts';

export interface TypeAsk {
  ticket_ids: readonly string[];
  ticket_type: string;
  expected_cents: number;
  difference?: DifferenceAsk;
  tell_buyer: boolean;
}

/** A ticket as it will be. */
export interface RetypedStep extends Step {
  ticket_type: string;
  type_label: string;
  price_id: string;
  list_cents: number;
  difference_cents: number;
}

interface TypePlan {
  steps: Step[];
  obstacle: MoveObstacle | null;
  /** One for each type that all of the tickets may have. */
  choices: { ticket_type: string; difference_cents: number; steps: RetypedStep[] }[];
}

export async function planTypes(
  ctx: Ctx,
  { order, event, ticket_ids }: { order: OrderRow; event: EventRow; ticket_ids: readonly string[] },
): Promise<TypePlan> {
  const wishes = ticket_ids.map((ticket_id) => ({ ticket_id }));
  const steps = await stepsOf(ctx.db, order, wishes);
  const obstacle = moveObstacle(await moveFactsOf(ctx.db, { order, event, steps, now: ctx.now() }));
  const pricing = await pricingNow(ctx, event);
  const choices = typesOfAll(pricing, steps).map((ticket_type) => {
    const retyped = steps.map((step) =>
      retype(order, step, { event, steps, pricing, ticket_type }),
    );
    const difference_cents = retyped.reduce((sum, step) => sum + step.difference_cents, 0);
    return { ticket_type, difference_cents, steps: retyped };
  });
  return { steps, obstacle, choices };
}

/** The types that are sold on each of these places. */
function typesOfAll(pricing: readonly PricedCategory[], steps: readonly Step[]): string[] {
  const sold = steps.map(({ ticket: { category_key: key, category: label } }) =>
    typesInCategory(pricing, { key, label }).map(({ ticketType }) => ticketType),
  );
  const [first = [], ...others] = sold;
  return first.filter((type) => others.every((types) => types.includes(type)));
}

interface Typing {
  event: EventRow;
  steps: readonly Step[];
  pricing: readonly PricedCategory[];
  ticket_type: string;
}

function retype(order: OrderRow, step: Step, { event, ...typing }: Typing): RetypedStep {
  const { category_key: key, category: label } = step.ticket;
  const { ticket_type } = typing;
  const terms = wholeTermsOf(event);
  const cost = costOf(order, step, { ...typing, terms, category: { key, label } });
  if (cost === null) throw new Refusal('object_without_price', { objects: [step.to] });
  return { ...step, ...cost, ticket_type };
}
