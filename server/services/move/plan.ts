/**
 * Plans a move before anything is stored: whether the new seats are free and sold to such
 * tickets, whether single seats would remain, and the difference in price.
 */
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { SeatObject } from '#server/adapters/seatsio.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { listedPlaces, placesAround } from '#db/seat/seats.ts';
import { blockedStatus } from '#server/domain/seat/block.ts';
import { differenceOf, inTurn, moveObstacle, type MoveObstacle } from '#server/domain/seat/move.ts';
import { priceOf, type PricedCategory } from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { findOrphans, leavesSingles } from '#server/domain/seat/seating.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { pricingNow } from '#server/services/event/prices.ts';
import { seatRowsOf } from '#server/services/seat-map/seat-rows.ts';
import { moveFactsOf, stepsOf, type MoveWish, type Step } from './steps.ts';

export interface PlannedStep extends Step {
  target: SeatObject;
  price_id: string;
  difference_cents: number;
}

export interface MovePlan {
  /** In an order in which each place is empty before a ticket moves there. */
  steps: PlannedStep[];
  difference_cents: number;
  obstacle: MoveObstacle | null;
  /** The single seats that the move would leave. */ orphans: string[];
}

interface PlanAsk {
  order: OrderRow;
  event: EventRow;
  wishes: readonly MoveWish[];
  /** True: the old seats are blocked, not put on sale again. */ keeps_back: boolean;
}

/**
 * @throws Refusal ticket_not_found, bad_request, object_unknown, seats_not_free,
 * object_without_price, provider_silent
 */
export async function planMove(ctx: Ctx, ask: PlanAsk): Promise<MovePlan> {
  const { order, event, wishes } = ask;
  const steps = inTurn(await stepsOf(ctx.db, order, wishes));
  const isMoving = steps?.every(({ line, to }) => line.object_label !== to) === true;
  if (!isMoving) throw new Refusal('bad_request', { fields: ['tickets'] });
  const obstacle = moveObstacle(await moveFactsOf(ctx.db, { order, event, steps, now: ctx.now() }));
  const objects = await objectsAround(ctx, event, steps);
  requireFree(order, steps, objects);
  const pricing = await pricingNow(ctx, event);
  const planned = steps.map((step) => priced(order, step, { objects, pricing }));
  return {
    steps: planned,
    difference_cents: planned.reduce((sum, { difference_cents }) => sum + difference_cents, 0),
    obstacle,
    orphans: await orphansOf(ctx, ask, { steps, objects, pricing }),
  };
}

type Objects = ReadonlyMap<string, SeatObject>;

/** Reads the new places and their rows at the seat map; refuses one that our database lacks. */
async function objectsAround(ctx: Ctx, event: EventRow, steps: readonly Step[]): Promise<Objects> {
  const labels = [...new Set(steps.map(({ to }) => to))];
  const known = new Set(
    (await listedPlaces(ctx.db, event.id, labels)).map((place) => place.replace(/#\d+$/, '')),
  );
  const unknown = labels.filter((label) => !known.has(label));
  if (unknown.length > 0) throw new Refusal('object_unknown', { objects: unknown });
  const { mates } = await placesAround(ctx.db, event.id, labels);
  const found = await ctx.seats
    .around(event.seatsio_event_key, labels, mates)
    .catch((error: unknown) => {
      if (error instanceof ProviderRefused)
        throw new Refusal('object_unknown', { objects: labels });
      throw error;
    });
  return new Map(found.map((object) => [object.label, object]));
}

/**
 * Refuses unless each new seat is free or left by one of these tickets; two tickets may name the
 * same object only if it is a standing area.
 */
function requireFree(order: OrderRow, steps: readonly Step[], objects: Objects): void {
  const leaving = new Set(steps.map(({ from }) => from));
  const seats = steps.map(({ to }) => objects.get(to)).filter((object) => object?.kind !== 'area');
  const taken = seats.filter(
    (object) =>
      object === undefined ||
      (object.status !== 'free' && !(object.order_id === order.id && leaving.has(object.label))),
  );
  if (taken.length > 0)
    throw new Refusal('seats_not_free', { objects: taken.flatMap((seat) => seat?.label ?? []) });
  if (new Set(seats).size < seats.length) throw new Refusal('bad_request', { fields: ['tickets'] });
}

function priced(
  order: OrderRow,
  step: Step,
  { objects, pricing }: { objects: Objects; pricing: readonly PricedCategory[] },
): PlannedStep {
  const target = requireValue(objects.get(step.to), 'seat');
  const { ticket_type, price_cents } = step.line;
  const listed = (key: string, label: string) => priceOf(pricing, { key, label }, ticket_type);
  const to = listed(target.category_key, target.category);
  if (to === null || !target.for_sale)
    throw new Refusal('object_without_price', { objects: [target.label] });
  const from = listed(step.ticket.category_key, step.ticket.category);
  const difference_cents = differenceOf({
    price_cents,
    from_list: from?.unit_amount ?? null,
    to_list: to.unit_amount,
    gift: order.paid_by === 'free',
  });
  return { ...step, target, price_id: to.price_id, difference_cents };
}

/** The single seats that would remain, with the old seats either free or blocked. */
async function orphansOf(
  ctx: Ctx,
  { event, keeps_back }: PlanAsk,
  about: { steps: readonly Step[]; objects: Objects; pricing: readonly PricedCategory[] },
): Promise<string[]> {
  const { steps, objects, pricing } = about;
  const mine = new Set(steps.map(({ to }) => to));
  const left = new Set(steps.map(({ from }) => from));
  const afterwards = (known: Iterable<SeatObject>): Objects =>
    new Map(
      [...known].map((object) => [
        object.label,
        left.has(object.label)
          ? { ...object, status: keeps_back ? blockedStatus : 'free' }
          : object,
      ]),
    );
  const rules = { pricing, mine, hold_token: '' };
  if (!leavesSingles(seatRowsOf(afterwards(objects.values()), rules, 'mine'))) return [];
  const all = await ctx.seats.objects(event.seatsio_event_key);
  return findOrphans(seatRowsOf(afterwards(all), rules, 'all'));
}

/** The new place's name for people. */
export function targetName({ target }: Pick<PlannedStep, 'target'>): string {
  return seatName(target);
}
