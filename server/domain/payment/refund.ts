/** Refunds: their states, what hinders them, and what a quote needs to know (RULES R1, R2, R4). */
import type { Fees } from '#server/domain/price/fees.ts';
import type { Ruled } from './ruled-refund.ts';

/**
 * `asked`: the buyer's request waits for the office. `requested`: we are to refund, and Stripe
 * has not answered yet. The others are Stripe's own words.
 */
export const refundStates = [
  'asked',
  'refused',
  'requested',
  'pending',
  'requires_action',
  'succeeded',
  'failed',
  'canceled',
] as const;
export type RefundState = (typeof refundStates)[number];
/**
 * Who made the refund. `stripe`: someone made it in Stripe's dashboard, and we took it over.
 * `deposit`: a reservation with a part payment ended unpaid.
 */
export const refundOrigins = [
  'office',
  'buyer',
  'event_cancelled',
  'postponed',
  'late_payment',
  'stripe',
  'exchange',
  'deposit',
  'rehoused',
] as const;
export type RefundOrigin = (typeof refundOrigins)[number];
/**
 * `manual`: cash or bank transfer, handed back by a person. `exchange`: no money, but what tickets
 * of another date give towards an order (RULES M6). `gift`: no money either, but what the buyer of
 * a cancelled evening left to the house (RULES E5). `kept`: nor here, but the part payment of a
 * reservation stays with the house (RULES K5).
 */
export const paymentKinds = ['stripe', 'manual', 'free', 'exchange', 'gift', 'kept'] as const;
export type PaymentKind = (typeof paymentKinds)[number];
/**
 * What the buyer may do on the order page: get a refund immediately, ask the office, or nothing.
 */
export const refundRequests = ['automatic', 'office', 'never'] as const;
export type RefundRequest = (typeof refundRequests)[number];

/** Refunds whose money is or may be on its way back: they reduce what can still be refunded. */
export const countedRefunds: readonly RefundState[] = [
  'requested',
  'pending',
  'requires_action',
  'succeeded',
];
/** Refused by Stripe or by the bank, or cancelled: the house has the money. */
export const failedRefunds: readonly RefundState[] = ['failed', 'canceled'];

export function hasFailed(state: RefundState): boolean {
  return failedRefunds.includes(state);
}

/**
 * The states in which a seat may be sold again: a pending refund can still fail, and then the
 * buyer may want the seat back.
 */
export const freeingStates: readonly RefundState[] = ['succeeded'];

/** Why something is not refunded; the sentences are in apps/shared/refund-words.ts. */
export const obstacles = [
  'not_confirmed',
  'never',
  'event_past',
  'too_late',
  'too_close',
  'disputed',
  'already_asked',
  'ticket_gone',
  'ticket_used',
  'nothing_paid',
  'nothing_left',
  'nothing_chosen',
  'too_much',
] as const;
export type Obstacle = (typeof obstacles)[number];

/**
 * `refund`: the state of the refund that already includes this line. `used`: a guest came in with
 * its ticket.
 */
export interface RefundLineFacts extends Fees {
  line_id: string;
  price_cents: number;
  ticket_live: boolean;
  used: boolean;
  refund: RefundState | null;
}

export interface RefundFacts {
  now: number;
  confirmed: boolean;
  /** `cancelled`: the buyer is not limited, and `keeps_fees` is the cancellation's choice. */
  event: {
    cancelled: boolean;
    starts_at: number;
    request: RefundRequest;
    keeps_fees: boolean;
    asked_until: number;
    stops_at: number;
  };
  paid_cents: number;
  /** The sum of all refunds in a state of `countedRefunds`. */
  counted_cents: number;
  /** The parts of `counted_cents` that pay back surcharges, and the commission among them. */
  counted_fee_cents: number;
  counted_service_cents: number;
  /** The bank has taken the money back, or is about to; Stripe refunds nothing meanwhile. */
  disputed: boolean;
  lines: readonly RefundLineFacts[];
  /** The rules that made the order's prices (RULES R7); missing: none did. */
  ruled?: Ruled;
}

export interface RefundAsk {
  by: 'buyer' | 'office' | 'event_cancelled';
  /** 'all': everything that may be refunded now. */
  line_ids: readonly string[] | 'all';
  /**
   * Whether fees are refunded; missing: the order's terms decide. Only the office and a
   * cancellation may set it.
   */
  with_fees?: boolean;
  /** False: tickets end and no money moves ("annulla biglietto"). */
  with_money?: boolean;
  /** Any amount that the office chooses, without lines. */
  amount_cents?: number;
}

type Standing = Pick<RefundFacts, 'now' | 'confirmed' | 'event'>;

/** The obstacle that all lines have in common. */
export function closedTo(
  { now, confirmed, event }: Standing,
  by: RefundAsk['by'],
): Obstacle | null {
  if (!confirmed) return 'not_confirmed';
  if (by !== 'buyer' || event.cancelled) return null;
  if (event.request === 'never') return 'never';
  if (now >= event.starts_at) return 'event_past';
  if (now > event.stops_at) return 'too_close';
  return now > event.asked_until ? 'too_late' : null;
}

/** The last moment at which the buyer may ask; null if no request is possible or needed. */
export function refundUntil(facts: Standing): number | null {
  const { cancelled, asked_until, stops_at } = facts.event;
  return closedTo(facts, 'buyer') === null && !cancelled ? Math.min(asked_until, stops_at) : null;
}

/** The order of a refund's states, because Stripe's webhooks arrive in any order. */
const rank: Record<RefundState, number> = {
  asked: 0,
  refused: 4,
  requested: 1,
  pending: 2,
  requires_action: 2,
  succeeded: 3,
  canceled: 4,
  failed: 4,
};

/**
 * Whether Stripe's news may change a state: never from succeeded back to pending; a succeeded
 * refund may still fail at the bank, and then stays failed.
 */
export function mayBecome(from: RefundState, to: RefundState): boolean {
  return from !== to && from !== 'asked' && rank[from] < 4 && rank[to] >= rank[from];
}

/** The states from which Stripe's `to` is accepted. */
export function statesBefore(to: RefundState): RefundState[] {
  return refundStates.filter((from) => mayBecome(from, to));
}

/** Disputes in which the bank has taken the money back, or is about to. */
const blockingDisputes: readonly string[] = [
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
  'appeal_lost',
];
const closedDisputes: readonly string[] = [
  'won',
  'lost',
  'warning_closed',
  'prevented',
  'appeal_won',
  'appeal_lost',
];

export function blocksRefunds(dispute_status: string): boolean {
  return blockingDisputes.includes(dispute_status);
}

export function isDisputeClosed(dispute_status: string): boolean {
  return closedDisputes.includes(dispute_status);
}
