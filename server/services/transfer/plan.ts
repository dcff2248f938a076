/** What becomes of each order that the office takes to another date: seats, price, money back. */
import { requireEventRow } from '#db/event/events.ts';
import { ticketsOfOrder } from '#db/order/tickets.ts';
import type { EventRow, OrderRow } from '#db/rows.ts';
import { wholeTermsOf } from '#server/domain/event/whole-terms.ts';
import { mostCounterSeats } from '#server/domain/counter/counter.ts';
import { planOrder, type SelectedObject } from '#server/domain/order/order.ts';
import { underRules } from '#server/domain/order/priced-order.ts';
import { underTerms } from '#server/domain/order/terms.ts';
import {
  backOf,
  obstacleOfExchange,
  withinWorth,
  type TransferObstacle,
} from '#server/domain/counter/transfer.ts';
import { phaseAt } from '#server/domain/price/phase.ts';
import { asRefusal, Refusal } from '#server/domain/refusal.ts';
import { placeFacts, saleFactsOf, type Plan } from '#server/services/booking/plan.ts';
import type { Ctx } from '#server/services/context.ts';
import { rulesFor } from '#server/services/event/offers.ts';
import { offerAt } from '#server/services/event/prices.ts';
import { exchangeQuote } from '#server/services/order/exchange-facts.ts';
import { seatOrders, type Seated } from './hall.ts';

/** An order that can go, with all its valid tickets. */
export interface ReadyOrder {
  order: OrderRow;
  ticket_ids: readonly string[];
  worth_cents: number;
  back_cents: number;
  same: number;
  selection: readonly SelectedObject[];
  plan: Plan;
}

interface StayingOrder {
  order: OrderRow;
  obstacle: TransferObstacle;
}

export interface Outlook {
  ready: readonly ReadyOrder[];
  staying: readonly StayingOrder[];
}

interface Wanted {
  from: EventRow;
  to: EventRow;
  orders: readonly OrderRow[];
}

interface Worth {
  order: OrderRow;
  ticket_ids: readonly string[];
  worth_cents: number;
}

/** @throws Refusal provider_silent */
export async function outlookOf(ctx: Ctx, { from, to, orders }: Wanted): Promise<Outlook> {
  const staying: StayingOrder[] = [];
  const ready: ReadyOrder[] = [];
  const able: Worth[] = [];
  for (const order of orders) {
    const worth = await worthOf(ctx, order);
    if (typeof worth === 'string') staying.push({ order, obstacle: worth });
    else able.push(worth);
  }
  if (able.length === 0) return { ready, staying };
  const ids = new Set(able.map(({ order }) => order.id));
  const seated = await seatOrders(ctx, { from, to }, ids);
  const priced = await pricerFor(ctx, to, seated);
  for (const one of able) {
    const seats = seated.of.get(one.order.id) ?? 'answered';
    const planned = typeof seats === 'string' ? seats : priced(one, seats);
    if (typeof planned === 'string') staying.push({ order: one.order, obstacle: planned });
    else ready.push(planned);
  }
  return { ready, staying };
}

/** What all valid tickets of the order give, or why it cannot go with them. */
async function worthOf(ctx: Ctx, order: OrderRow): Promise<Worth | TransferObstacle> {
  const event = underTerms(await requireEventRow(ctx.db, order.event_id), order);
  const tickets = await ticketsOfOrder(ctx.db, order.id);
  const ticket_ids = tickets.flatMap(({ id, state }) => (state === 'valid' ? id : []));
  if (ticket_ids.length === 0) return 'answered';
  const wish = { order, event, now: ctx.now(), by: 'office', ticket_ids } as const;
  const { quote, obstacle, question } = await exchangeQuote(ctx.db, wish);
  if (obstacle !== null) return obstacleOfExchange(obstacle);
  if (question === null) return 'answered';
  return { order, ticket_ids, worth_cents: quote.amount_cents };
}

type Pricer = (
  worth: Worth,
  seats: { selection: readonly SelectedObject[]; same: number },
) => ReadyOrder | TransferObstacle;

/** Prices any number of orders with one reading of what the other date sells. */
async function pricerFor(ctx: Ctx, to: EventRow, { objects }: Seated): Promise<Pricer> {
  const { rules, at } = await rulesFor(ctx, to, undefined);
  const { pricing, per_order } = await offerAt(ctx, to, { at, channel: 'till' });
  const facts = saleFactsOf({ now: at, channel: 'till' }, [], per_order);
  const terms = wholeTermsOf(to);
  const known = new Map(objects.map((object) => [object.label, object]));
  const factsAt = new Map(objects.map((object) => [object.label, placeFacts(object, terms)]));
  const sold_in_phase = phaseAt(to, at)?.name ?? null;
  const price = (selection: readonly SelectedObject[]): Plan => {
    const listed = planOrder(factsAt, { pricing, max_seats: mostCounterSeats }, selection);
    const chosen = selection.flatMap(({ object_id }) => known.get(object_id) ?? []);
    const none = { summary: '', contingent_id: null, code_address: null };
    return { ...none, chosen, sold_in_phase, ...underRules(listed, { rules, facts }) };
  };
  return ({ worth_cents, ...worth }, { selection, same }) => {
    const plan = orRefusal(() => withinWorth(price(selection), worth_cents));
    if (plan instanceof Refusal) return 'no_price';
    const back_cents = backOf(plan, worth_cents);
    return { ...worth, worth_cents, back_cents, same, selection, plan };
  };
}

function orRefusal<T>(run: () => T): T | Refusal {
  try {
    return run();
  } catch (error) {
    return asRefusal(error);
  }
}
