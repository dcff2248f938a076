/**
 * Checks a booking before anything is stored: the event is on sale, the prices exist, this
 * visitor holds the seats, and the seats obey the seat rules (a browser may have skipped them).
 */
import type { SeatObject } from '#server/adapters/seatsio.ts';
import type { EventRow } from '#db/rows.ts';
import { placesAround } from '#db/seat/seats.ts';
import type { Fees } from '#server/domain/price/fees.ts';
import { salesStateOf, type SalesState } from '#server/domain/event/event.ts';
import { checkoutWords } from '#server/domain/order/checkout-words.ts';
import { requireHeld, requireUnsold, withinReach } from '#server/domain/order/held-seats.ts';
import {
  planOrder,
  type ObjectFacts,
  type PlannedOrder,
  type SelectedObject,
} from '#server/domain/order/order.ts';
import { chosenConventions, codeClaimsOf, underRules } from '#server/domain/order/priced-order.ts';
import { saleRights } from '#server/domain/order/right-words.ts';
import { phaseAt } from '#server/domain/price/phase.ts';
import type { PricedCategory } from '#server/domain/price/pricing.ts';
import type { PriceFacts, SaleChannel } from '#server/domain/price/rule.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { spellCode } from '#server/domain/seat/contingent.ts';
import { areConsecutive, findOrphans, leavesSingles } from '#server/domain/seat/seating.ts';
import { wholeTermsOf, type WholeTerms } from '#server/domain/event/whole-terms.ts';
import { placeInWhole, wholeOffer } from '#server/domain/seat/whole.ts';
import type { Ctx } from '#server/services/context.ts';
import { openCodes, openedFor } from '#server/services/seat-map/contingent-codes.ts';
import type { PriceCode } from '#server/services/event/price-codes.ts';
import { rulesFor } from '#server/services/event/offers.ts';
import { offerAt } from '#server/services/event/prices.ts';
import { seatRowsOf } from '#server/domain/order/seat-rows.ts';
import { areWholeRows, readNamed, readWholeChart } from './chart.ts';

export interface BookingAsk {
  hold_token: string;
  selected_objects: SelectedObject[];
  /** Opens a contingent's seats in addition to the free ones. */
  contingent_code?: string;
  /** What the event's answer told of its price rules. */
  offer?: string | undefined;
  /** Open price rules, or contingents (RULES P7). */
  codes?: readonly string[] | undefined;
  /** Ids of agreements that the buyer has chosen. */
  conventions?: readonly string[] | undefined;
  /** The buyer's mail, for codes that ask for it. */
  address?: string | undefined;
  /** The visitor's cookie from the waiting room. */
  place?: string | undefined;
  /** By what wrong codes are counted: the visitor's network, see customerOf(), or the seller. */
  network?: string;
}
/**
 * `contingent_id`: the contingent to which some of the seats belong; `summary`: the text beside
 * the button of Stripe's page; `chosen`: the selected objects as the seat map has them.
 */
export interface Plan extends PlannedOrder {
  summary: string;
  contingent_id: string | null;
  /** The buyer's mail; null: no code of the order asks for it. */
  code_address: string | null;
  chosen: readonly SeatObject[];
  /** The name of the phase whose prices it has; null: the last prices. */
  sold_in_phase: string | null;
}

/**
 * `states`: the states of the sale in which it is allowed; `most_seats`: the limit of places;
 * `seat_rules`: whether the seat rules apply (RULES S1, K1).
 */
export interface SaleTerms {
  states: readonly SalesState[];
  most_seats: number;
  seat_rules: boolean;
  /** Which contingents' seats may be sold: all, or those that a code opens (RULES S6). */
  contingents: 'all' | 'by_code';
  channel: SaleChannel;
}

function publicTerms({ max_seats }: EventRow): SaleTerms {
  return {
    states: ['open'],
    most_seats: max_seats,
    seat_rules: true,
    contingents: 'by_code',
    channel: 'site',
  };
}

/** Plans the order for a selection, or refuses it; stores nothing. */
export async function planBooking(
  ctx: Ctx,
  event: EventRow,
  { terms = publicTerms(event), ...ask }: BookingAsk & { terms?: SaleTerms },
): Promise<Plan> {
  const state = salesStateOf(event, ctx.now());
  if (!terms.states.includes(state))
    throw new Refusal(state === 'cancelled' ? 'event_cancelled' : 'sale_closed', { state });
  const labels = [...new Set(ask.selected_objects.map((object) => object.object_id))];
  if (labels.length > terms.most_seats)
    throw new Refusal('too_many_seats', { max_seats: terms.most_seats });
  const first = labels.map((label) => placeInWhole(label, 1));
  const { known, mates } = await placesAround(ctx.db, event.id, [...labels, ...first]);
  const { rules, at } = await rulesFor(ctx, event, ask.offer);
  const { channel, contingents } = terms;
  const { pricing, per_order } = await offerAt(ctx, event, { at, channel });
  const codes = await openCodes(ctx, event, {
    codes: spelledOnce(ask.codes ?? []),
    by: ask.network,
    rules,
    channel,
    at,
  });
  const others = codes.contingents;
  const opened = await openedFor(ctx, event, { ...ask, known, others, contingents });
  requireUnsold(known);
  const reached = (found: readonly SeatObject[]) =>
    mapOf(found.map((object) => withinReach(object, opened.channels)));
  const objects = reached(await readNamed(ctx, event, { labels, known, mates }));
  const chosen = labels.flatMap((label) => objects.get(label) ?? []);
  const listed = planOrder(
    new Map(chosen.map((object) => [object.label, placeFacts(object, wholeTermsOf(event))])),
    { pricing, max_seats: terms.most_seats },
    ask.selected_objects,
  );
  const sale = { now: at, channel };
  const conventions = chosenConventions(rules, sale, ask.conventions ?? []);
  const opened_rules = [...codes.prices.map(({ rule }) => rule.id), ...conventions];
  const facts = saleFactsOf(sale, opened_rules, per_order);
  const plan = underRules(listed, {
    rules,
    facts,
    codes: codes.prices.map(({ code, rule }) => ({ code_id: code.id, rule_id: rule.id })),
  });
  requireHeld(chosen, ask, plan);
  const readAll = async () => new Map([...reached(await readWholeChart(ctx, event)), ...objects]);
  if (terms.seat_rules) await requireSeatRules({ objects, readAll, pricing, ask });
  const refunds = refundWordsOf(event, ctx.now(), plan);
  return {
    summary: checkoutWords(event, { objects, selected: ask.selected_objects, plan, refunds }),
    contingent_id: opened.contingent_id,
    code_address: addressForCodes(plan, { codes: codes.prices, address: ask.address }),
    chosen,
    sold_in_phase: phaseAt(event, at)?.name ?? null,
    ...plan,
  };
}

export function saleFactsOf(
  sale: Omit<PriceFacts, 'opened'>,
  opened: readonly string[],
  per_order: Fees,
): PriceFacts {
  return { ...sale, opened, ...(per_order.fee_cents > 0 && { per_order }) };
}

/** What the buyer may give back, and what of it is kept. */
function refundWordsOf(
  event: EventRow,
  now: number,
  { fee_cents, service_cents }: PlannedOrder,
): string {
  return saleRights(event, { now, fees: fee_cents > 0, service: service_cents > 0 })[0];
}

/** A code that was typed twice counts once; one that cannot be a code stays, to be refused. */
function spelledOnce(codes: readonly string[]): string[] {
  return [...new Set(codes.map((code) => spellCode(code) ?? code))];
}

/**
 * The address by which uses of the order's codes are counted.
 * @throws Refusal code_needs_address
 */
function addressForCodes(
  plan: PlannedOrder,
  { codes, address }: { codes: readonly PriceCode[]; address: string | undefined },
): string | null {
  const used = new Set(codeClaimsOf(plan).map(({ code_id }) => code_id));
  const asks = codes.some(({ code }) => used.has(code.id) && code.most_orders_an_address !== null);
  if (!asks) return null;
  if (address === undefined) throw new Refusal('code_needs_address', { fields: ['address'] });
  return address;
}

function mapOf(objects: readonly SeatObject[]): Map<string, SeatObject> {
  return new Map(objects.map((object) => [object.label, object]));
}

export function placeFacts(object: SeatObject, terms: WholeTerms | null): ObjectFacts {
  return {
    label: object.label,
    kind: object.kind,
    category: { key: object.category_key, label: object.category },
    whole: wholeOffer(object, terms),
  };
}

interface RulesAsk {
  objects: ReadonlyMap<string, SeatObject>;
  /** The whole chart, with `objects` as they are now. */
  readAll: () => Promise<ReadonlyMap<string, SeatObject>>;
  pricing: readonly PricedCategory[];
  ask: BookingAsk;
}

/**
 * Checks that the seats are side by side and leave no single seat, as the event page does. Only
 * rows that are incomplete or would keep a single seat need the whole chart, so that seats must be
 * known to be held before this is called.
 */
async function requireSeatRules({ objects, readAll, pricing, ask }: RulesAsk): Promise<void> {
  const mine = new Set(ask.selected_objects.map((object) => object.object_id));
  const about = { pricing, mine, hold_token: ask.hold_token };
  const near = areWholeRows(objects) ? objects : await readAll();
  const rows = seatRowsOf(near, about, 'mine');
  if (!areConsecutive(rows)) throw new Refusal('seats_not_consecutive');
  if (!leavesSingles(rows)) return;
  const orphans = findOrphans(seatRowsOf(await readAll(), about, 'all'));
  if (orphans.length > 0) throw new Refusal('orphan_seats', { objects: orphans });
}
