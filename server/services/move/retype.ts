/** Tickets of an order get another type on their own places, Intero to Ridotto or back (RULES M8). */
import { requireEventRow } from '#db/event/events.ts';
import { requireOrderRow } from '#db/order/orders.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { wholeTermsOf } from '#server/domain/event/whole-terms.ts';
import { typesInCategory, type PricedCategory } from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { moveObstacle, type MoveObstacle } from '#server/domain/seat/move.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { pricingNow } from '#server/services/event/prices.ts';
import type { Ctx } from '#server/services/context.ts';
import { orderAndEvent, requireOrder } from '#server/services/order/find-order.ts';
import type { Giver } from '#server/services/payment/drawer.ts';
import { withLeaseOrRefuse } from '#server/services/payment/order-lease.ts';
import { requireSettled } from './difference.ts';
import { costOf } from './plan.ts';
import { commitTypes } from './retype-commit.ts';
import { endOpenMoves } from './settle.ts';
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

/**
 * Which other types these tickets may have, and what each would cost; stores nothing.
 * @throws Refusal order_not_found, ticket_not_found, bad_request
 */
export async function quoteTypes(ctx: Ctx, order_id: string, ticket_ids: readonly string[]) {
  const { order, event } = await orderAndEvent(ctx, order_id);
  const { steps, obstacle, choices } = await planTypes(ctx, { order, event, ticket_ids });
  return {
    obstacle,
    tickets: steps.map(({ ticket, line }) => ({
      ticket_id: ticket.id,
      seat: seatName(ticket),
      type_label: line.type_label,
      price_cents: line.price_cents,
    })),
    choices: choices
      .filter(({ ticket_type }) => !steps.every(({ line }) => line.ticket_type === ticket_type))
      .map(({ ticket_type, difference_cents, steps: [first] }) => ({
        ticket_type,
        label: first?.type_label ?? ticket_type,
        difference_cents,
      })),
  };
}

async function planTypes(
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

/**
 * Changes the type of tickets, or says that all of them have it already.
 * @throws Refusal order_not_found, ticket_not_found, bad_request, move_refused,
 * object_without_price, and those of requireSettled()
 */
export async function changeTypes(ctx: Ctx, order_id: string, ask: TypeAsk, by: Giver) {
  await requireOrder(ctx, order_id);
  return withLeaseOrRefuse(ctx, order_id, async (leased) => {
    await endOpenMoves(leased, order_id);
    const order = await requireOrderRow(ctx.db, order_id);
    const event = await requireEventRow(ctx.db, order.event_id);
    const { ticket_ids, ticket_type, expected_cents, difference } = ask;
    const { steps, obstacle, choices } = await planTypes(ctx, { order, event, ticket_ids });
    if (steps.every(({ line }) => line.ticket_type === ticket_type))
      return { order_id, refund_id: null, replayed: true };
    if (obstacle !== null) throw new Refusal('move_refused', { reason: obstacle });
    const choice = choices.find((one) => one.ticket_type === ticket_type);
    if (choice === undefined) throw new Refusal('object_without_price', { objects: [ticket_type] });
    const { difference_cents } = choice;
    await requireSettled(ctx, { difference_cents, expected_cents, difference, by });
    const going = choice.steps.filter(({ line }) => line.ticket_type !== ticket_type);
    const refund_id = await commitTypes(ctx, { order, steps: going, difference_cents, ask, by });
    return { order_id, refund_id, replayed: false };
  });
}
