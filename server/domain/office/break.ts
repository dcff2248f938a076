/**
 * The kinds of differences between our books and a provider’s, and the actions that settle each.
 */
import { withOther } from '#server/domain/text/newer-word.ts';

/** What a comparison of one event's hall can find. */
export const hallBreaks = [
  /** Booked at the seat map for an order that does not have the place (any more). */
  'seat_without_order',
  /** Sold here but free at the seat map, so it could be sold twice. */
  'seat_not_booked',
  /** Sold here, and booked by another shop at the seat map. */
  'seat_of_another',
  /** More, or fewer, places of a standing area are booked for an order than it has. */
  'area_places_left',
  'area_places_missing',
  /**
   * A standing area has fewer places booked than sold, and no single order explains the
   * difference.
   */
  'area_differs',
  /** A contingent's channel is missing at the seat map, or keeps other seats there. */
  'channel_differs',
  /** A channel at the seat map that belongs to no contingent, so nobody can buy its seats. */
  'channel_unknown',
] as const;

export const breakKinds = [
  /** Money at Stripe without tickets or a refund here. */
  'paid_not_settled',
  /** A Stripe session with our mark whose order we lack. */
  'session_unknown',
  /** Its order has ended, but the session can still be paid. */
  'session_left_open',
  /** Stripe asks for, or has taken, another sum than the order's. */
  'amount_differs',
  /** A payment or refund at Stripe that is missing in our book or differs there. */
  'money_differs',
  ...hallBreaks,
  /** A payout whose lines do not agree with our book, or do not add up. */
  'payout_differs',
  /** The bank has sent a payout back, and no other one has its money yet. */
  'payout_failed',
  /** A payment at Stripe that no movement of the balance names. */
  'payment_not_paid_out',
  'seat_event_unknown',
  'price_not_sellable',
] as const;
export type BreakKind = (typeof breakKinds)[number];

export function isHallBreak(kind: BreakKind): boolean {
  return hallBreaks.some((known) => known === kind);
}

export const breakActions = [
  'settle_order',
  'end_session',
  'read_payment',
  'release_seat',
  'book_seat',
  'tell_channel',
  'drop_channel',
  'read_payout',
  'take_note',
] as const;
export type BreakAction = (typeof breakActions)[number];

const mends = withOther<Record<BreakKind, readonly BreakAction[]>>(
  {
    paid_not_settled: ['settle_order'],
    session_unknown: [],
    session_left_open: ['end_session'],
    amount_differs: ['settle_order'],
    money_differs: ['read_payment'],
    seat_without_order: ['release_seat'],
    seat_not_booked: ['book_seat'],
    seat_of_another: [],
    area_places_left: ['release_seat'],
    area_places_missing: ['book_seat'],
    area_differs: [],
    channel_differs: ['tell_channel'],
    channel_unknown: ['drop_channel'],
    payout_differs: ['read_payout'],
    payout_failed: ['read_payout'],
    payment_not_paid_out: ['read_payout'],
    seat_event_unknown: [],
    price_not_sellable: [],
  },
  [],
);

/**
 * What the office may do about a difference. It can always take note: the difference then stays,
 * and is not reported again unless it changes.
 */
export function actionsFor(kind: BreakKind): BreakAction[] {
  return [...mends[kind], 'take_note'];
}
