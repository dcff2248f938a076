/**
 * The states of an order: allowed transitions, the outcome of a booking, and the overlay that a
 * visitor sees (RULES O1, O10).
 */
import { withOther } from '#server/domain/text/newer-word.ts';
import { addFees, type Fees } from '#server/domain/price/fees.ts';
import { feesOn } from '#server/domain/price/surcharge.ts';
import { priceOf, type CategoryName, type PricedCategory } from '#server/domain/price/pricing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { PlaceKind } from '#server/domain/seat/seat-name.ts';
import {
  placeInWhole,
  placesPaid,
  spreadCents,
  type WholeOffer,
} from '#server/domain/seat/whole.ts';

export const orderStates = ['booking', 'awaiting_payment', 'confirmed', 'deleted'] as const;
export type OrderState = (typeof orderStates)[number];
export const checkoutStatuses = ['open', 'expired', 'complete'] as const;
export type CheckoutStatus = (typeof checkoutStatuses)[number];

/**
 * The allowed transitions. `deleted` may return when a payment comes too late and the seats are
 * still free.
 */
const moves = /* @__PURE__ */ withOther<Record<OrderState, readonly OrderState[]>>(
  {
    booking: ['awaiting_payment', 'confirmed', 'deleted'],
    awaiting_payment: ['confirmed', 'deleted'],
    confirmed: [],
    deleted: ['confirmed'],
  },
  [],
);

export function mayMove(from: OrderState, to: OrderState): boolean {
  return moves[from].includes(to);
}

/** States that are not final. */
export const openStates: readonly OrderState[] = ['booking', 'awaiting_payment'];

/** What the seat map says about a selected object. */
export interface ObjectFacts {
  label: string;
  kind: PlaceKind;
  category: CategoryName;
  /** How it is sold whole; null: it is not. */
  whole: WholeOffer | null;
}
/** `quantity`: places of a standing area, or how many guests come to an object sold whole. */
export interface SelectedObject {
  object_id: string;
  ticket_type?: string;
  quantity?: number;
}

/**
 * One ticket of the order: a seat, a place of an object sold whole, or one place of an area that is
 * chosen when the order is stored.
 */
export interface PlannedLine extends Fees {
  object_label: string;
  /** Of a standing area the object's own label. */ place: string;
  kind: PlaceKind;
  /** How many places the object has that is sold whole; else 0. */ whole_size: number;
  /** How many times the line buys its price at Stripe: a price per object is bought once. */
  buys: number;
  category: string;
  /** How the price list may name the category instead; the order does not keep it. */
  category_key?: string;
  ticket_type: string;
  type_label: string;
  price_id: string;
  /** The price's product at Stripe, which the order does not keep. */ product_id?: string;
  price_cents: number;
  /** What it costs without any rule; null: no rule was asked. */
  list_cents: number | null;
  /** Why it costs less, as JSON; null: it does not. */
  price_reasons: string | null;
}
/** `total_cents` includes fees; `priced_by`: the rules that made the prices, as JSON, or null. */
export interface PlannedOrder extends Fees {
  lines: PlannedLine[];
  total_cents: number;
  priced_by: string | null;
}
/** What an event sells: its prices with their fees, and the most places of an order. */
interface Offer {
  pricing: readonly PricedCategory[];
  max_seats: number;
}

/**
 * Turns a selection into the lines of an order, or refuses: nothing_selected, bad_request (a seat
 * twice, or a quantity on a seat),
 * object_unknown, object_without_price, too_many_seats, party_too_large.
 */
export function planOrder(
  objects: ReadonlyMap<string, ObjectFacts>,
  { pricing, max_seats }: Offer,
  selection: readonly SelectedObject[],
): PlannedOrder {
  if (selection.length === 0) throw new Refusal('nothing_selected');
  const seen = new Set<string>();
  const lines: PlannedLine[] = [];
  // An object sold whole counts as one.
  let seats = 0;
  for (const { object_id, ticket_type, quantity } of selection) {
    const object = objects.get(object_id);
    if (!object) throw new Refusal('object_unknown', { objects: [object_id] });
    const isOne = object.kind !== 'area' || object.whole !== null;
    const isSeat = isOne && object.whole === null;
    if ((isOne && seen.has(object_id)) || (isSeat && (quantity ?? 1) !== 1))
      throw new Refusal('bad_request', { objects: [object_id] });
    seen.add(object_id);
    const price = priceOf(pricing, object.category, ticket_type);
    if (!price) throw new Refusal('object_without_price', { objects: [object_id] });
    seats += object.whole ? 1 : (quantity ?? 1);
    if (seats > max_seats) throw new Refusal('too_many_seats', { max_seats });
    const ticket = {
      object_label: object_id,
      kind: object.kind,
      category: object.category.label,
      category_key: object.category.key,
      ticket_type: price.ticketType,
      type_label: price.label,
      price_id: price.price_id,
      ...(price.product_id === undefined ? {} : { product_id: price.product_id }),
      list_cents: null,
      price_reasons: null,
    };
    lines.push(
      ...placesSold(object, { quantity, unit_amount: price.unit_amount }).map((place) => ({
        ...ticket,
        ...place,
        ...feesOn(price.bears, place.price_cents),
      })),
    );
  }
  const fees = addFees(lines);
  return {
    lines,
    ...fees,
    priced_by: null,
    total_cents: fees.fee_cents + lines.reduce((sum, line) => sum + line.price_cents, 0),
  };
}

type SoldAs = Pick<PlannedLine, 'place' | 'whole_size' | 'buys' | 'price_cents'>;

/** The places of one object that are sold, each with its part of the price. */
function placesSold(
  { label, whole }: ObjectFacts,
  { quantity, unit_amount }: { quantity: number | undefined; unit_amount: number },
): SoldAs[] {
  if (whole === null) {
    const seat = { place: label, whole_size: 0, buys: 1, price_cents: unit_amount };
    return Array.from({ length: quantity ?? 1 }, () => seat);
  }
  if (quantity !== undefined && quantity > whole.places)
    throw new Refusal('party_too_large', { places: whole.places });
  const paid = placesPaid(whole, quantity);
  const isOnePrice = whole.price_per === 'object';
  const prices = isOnePrice ? spreadCents(unit_amount, paid) : Array(paid).fill(unit_amount);
  return prices.map((price_cents, at) => ({
    place: placeInWhole(label, at + 1),
    whole_size: whole.places,
    buys: isOnePrice && at > 0 ? 0 : 1,
    price_cents,
  }));
}

/** The fields of Stripe's answer about a session on which a decision depends. */
interface SessionFacts {
  status: CheckoutStatus;
  paid: boolean;
  failed: boolean;
  amount_total: number;
  currency: string;
}

type SessionVerdict = 'wait' | 'confirm' | 'release' | 'amount_differs';

/**
 * What a session at Stripe means for its order: only Stripe's `expired` or a failed payment frees
 * seats, only its `paid` confirms.
 */
export function judgeSession(session: SessionFacts, total_cents: number): SessionVerdict {
  if (session.status === 'expired' || session.failed) return 'release';
  if (session.status === 'open' || !session.paid) return 'wait';
  return session.amount_total === total_cents && session.currency === 'eur'
    ? 'confirm'
    : 'amount_differs';
}

/** The five fields of the status call (RULES W6); dates in any form. */
export interface StatusFacts {
  order_confirmed_at: unknown;
  order_deleted_at: unknown;
  checkout_session_status: CheckoutStatus | null;
}
type Overlay = 'confirmed' | 'open' | 'expired' | 'complete' | null;

/** The overlay that the event page shows, in the order of RULES O10; null: none. */
export function overlayOf(status: StatusFacts): Overlay {
  return status.order_confirmed_at ? 'confirmed' : status.checkout_session_status;
}

/** An order number for people: 8 Crockford characters in two groups, `A7K2-9QX4`. */
export function spellOrderNumber(characters: string): string {
  return `${characters.slice(0, 4)}-${characters.slice(4, 8)}`;
}

/** Why an unpaid order ended; its page tells the buyer. */
export const endReasons = [
  'seats_lost',
  'checkout_refused',
  'never_finished',
  'session_expired',
  'reservation_expired',
  'click_expired',
  'payment_failed',
  'cancelled_by_visitor',
  'cancelled_by_office',
  'refunded_by_office',
  'event_cancelled',
  'exchange_changed',
  'no_place_in_hall',
] as const;
export type EndReason = (typeof endReasons)[number];

/**
 * Why an order waits for a person, and what they may decide; every decision is a row in the book.
 */
export const attentionReasons = [
  'amount_differs',
  'provider_refused',
  'refund_failed',
  'refunded_at_stripe',
  'disputed',
  'refund_pending',
  'dispute_lost',
  'too_many_for_address',
] as const;
export type AttentionReason = (typeof attentionReasons)[number];
/**
 * accept: the received money is right. refund: all of it is refunded, and the order ends. retry:
 * ask the provider again now. void, keep: what happens to the tickets. acknowledge: it was
 * settled elsewhere.
 */
export const attentionDecisions = [
  'accept',
  'refund',
  'retry',
  'void',
  'keep',
  'acknowledge',
] as const;
export type AttentionDecision = (typeof attentionDecisions)[number];

const decisions: Record<AttentionReason, readonly AttentionDecision[]> = {
  amount_differs: ['accept', 'refund'],
  provider_refused: ['retry', 'acknowledge'],
  refund_failed: ['acknowledge'],
  refunded_at_stripe: ['void', 'keep'],
  disputed: ['void', 'keep'],
  refund_pending: ['acknowledge'],
  dispute_lost: ['void', 'keep'],
  too_many_for_address: ['acknowledge'],
};

export function decisionsFor(reason: string | null): readonly AttentionDecision[] {
  return attentionReasons.filter((known) => known === reason).flatMap((known) => decisions[known]);
}

/** How an order is paid without Stripe; a `guest` pays nothing, whatever the price list says. */
export const manualMethods = ['cash', 'transfer', 'other', 'guest'] as const;
export type ManualMethod = (typeof manualMethods)[number];

/** Whether the orders of one address have more valid tickets than the event allows (RULES S3). */
export function isOverLimit(
  orders: readonly { tickets: number }[],
  max_per_email: number,
): boolean {
  return orders.reduce((sum, { tickets }) => sum + tickets, 0) > max_per_email;
}
