/**
 * Plans a move before anything is stored: whether the new seats are free and sold to such
 * tickets, whether single seats would remain, and the difference in price.
 */
import { ProviderRefused } from '#server/adapters/provider.ts';
import type { SeatObject } from '#server/adapters/seatsio.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { placesOfObjects } from '#db/seat/object-places.ts';
import { listedPlaces, placesAround } from '#db/seat/seats.ts';
import { blockedStatus } from '#server/domain/seat/block.ts';
import { differenceOf, inTurn, moveObstacle, type MoveObstacle } from '#server/domain/seat/move.ts';
import { priceOf, type CategoryName, type PricedCategory } from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { findOrphans, leavesSingles } from '#server/domain/seat/seating.ts';
import { wholeTermsOf, type WholeTerms } from '#server/domain/event/whole-terms.ts';
import { spreadCents } from '#server/domain/seat/whole.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { pricingNow } from '#server/services/event/prices.ts';
import { seatRowsOf } from '#server/domain/order/seat-rows.ts';
import { moveFactsOf, stepsOf, type MoveWish, type Step } from './steps.ts';

export interface PlannedStep extends Step {
  target: SeatObject;
  /** The new place is one of a standing area. */ standing: boolean;
  /** How many places the new object has that is sold whole; 0: it is not. */ whole_size: number;
  price_id: string;
  /** What such a ticket costs on the new place without any rule. */ list_cents: number;
  difference_cents: number;
}

export interface MovePlan {
  /** Sorted so that each place is empty before a ticket moves there. */
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
  const named = await namedAmong(ctx, event, steps);
  const objects = await objectsAround(ctx, event, steps);
  requireFree(order, steps, { objects, named });
  const pricing = await pricingNow(ctx, event);
  const terms = wholeTermsOf(event);
  const planned = steps.map((step) =>
    priced(order, step, { objects, named, steps, pricing, terms }),
  );
  return {
    steps: planned,
    difference_cents: planned.reduce((sum, { difference_cents }) => sum + difference_cents, 0),
    obstacle,
    orphans: await orphansOf(ctx, ask, { steps, objects, pricing }),
  };
}

type Objects = ReadonlyMap<string, SeatObject>;
/** The new objects that the seat map names, with their size if they are sold whole, else 0. */
type Named = ReadonlyMap<string, number>;

async function namedAmong(ctx: Ctx, event: EventRow, steps: readonly Step[]): Promise<Named> {
  const labels = [...new Set(steps.map(({ to }) => to))];
  const places = await placesOfObjects(ctx.db, event.id, labels);
  return new Map(
    [...Map.groupBy(places, ({ object_label }) => object_label)].map(([label, own]) => [
      label,
      own.filter(({ in_whole }) => in_whole === 1).length,
    ]),
  );
}

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
 * same object only if it is a standing area or sold whole.
 */
function requireFree(
  order: OrderRow,
  steps: readonly Step[],
  { objects, named }: { objects: Objects; named: Named },
): void {
  const leaving = new Set(steps.map(({ from }) => from));
  const seats = steps.filter(({ to }) => named.has(to)).map(({ to }) => objects.get(to));
  const taken = seats.filter(
    (object) =>
      object === undefined ||
      (object.status !== 'free' && !(object.order_id === order.id && leaving.has(object.label))),
  );
  if (taken.length > 0)
    throw new Refusal('seats_not_free', { objects: taken.flatMap((seat) => seat?.label ?? []) });
  const alone = steps.filter(({ line, to }) => line.whole_size === 0 && named.get(to) === 0);
  const single = alone.map(({ to }) => to);
  if (new Set(single).size < single.length)
    throw new Refusal('bad_request', { fields: ['tickets'] });
}

interface PricedBy {
  objects: Objects;
  named: Named;
  steps: readonly Step[];
  pricing: readonly PricedCategory[];
  terms: WholeTerms | null;
}

function priced(
  order: OrderRow,
  step: Step,
  { objects, named, steps, pricing, terms }: PricedBy,
): PlannedStep {
  const target = requireValue(objects.get(step.to), 'seat');
  const cost = costOf(order, step, {
    category: { key: target.category_key, label: target.category },
    ticket_type: step.line.ticket_type,
    steps,
    pricing,
    terms,
  });
  if (cost === null || !target.for_sale)
    throw new Refusal('object_without_price', { objects: [target.label] });
  const standing = !named.has(step.to);
  const whole_size = named.get(step.to) ?? 0;
  const { price_id, list_cents, difference_cents } = cost;
  return { ...step, target, standing, whole_size, price_id, list_cents, difference_cents };
}

interface SoldAs extends Pick<PricedBy, 'steps' | 'pricing' | 'terms'> {
  /** Of the place where the ticket will be. */ category: CategoryName;
  ticket_type: string;
}

interface Cost {
  price_id: string;
  type_label: string;
  list_cents: number;
  difference_cents: number;
}

/** What a ticket costs there with this type (RULES M2); null: no such ticket is sold there. */
export function costOf(
  order: OrderRow,
  step: Step,
  { category, ticket_type, steps, pricing, terms }: SoldAs,
): Cost | null {
  const to = priceOf(pricing, category, ticket_type);
  if (to === null) return null;
  const { category_key, category: label } = step.ticket;
  const from = priceOf(pricing, { key: category_key, label }, step.line.ticket_type);
  const together = steps.filter((other) => other.from === step.from);
  // A price for the whole object is shared by the tickets that move.
  const share = (cents: number, key: string) =>
    step.line.whole_size > 0 && terms?.categories[key]?.price_per === 'object'
      ? requireValue(spreadCents(cents, together.length)[together.indexOf(step)], 'share')
      : cents;
  const list_cents = share(to.unit_amount, category.key);
  const difference_cents = differenceOf({
    price_cents: step.line.price_cents,
    from_list: from && share(from.unit_amount, category_key),
    to_list: list_cents,
    gift: order.paid_by === 'free',
  });
  return { price_id: to.price_id, type_label: to.label, list_cents, difference_cents };
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
