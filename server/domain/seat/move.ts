/** The rules of moving tickets to other seats of the same event (RULES M1 to M4). */

/**
 * taking: the new seats are being booked; moved: the tickets are on the new seats, and the old
 * ones are being released; done; given_up: nothing moved.
 */
const moveStates = ['taking', 'moved', 'done', 'given_up'] as const;
export type MoveState = (typeof moveStates)[number];
/**
 * How the difference was settled: there was none, the buyer paid it, the buyer got it back, or
 * the house waived it.
 */
export const differenceEnds = ['none', 'paid', 'refunded', 'waived'] as const;
export type DifferenceEnd = (typeof differenceEnds)[number];

/** The most tickets of one move: a group that books together. */
export const mostMoved = 100;

/** Why a ticket stays where it is. */
export const moveObstacles = [
  'not_confirmed',
  'event_cancelled',
  'event_over',
  'rehearsal',
  'hall_changing',
  'ticket_over',
  'refund_open',
  'used_up',
  'place_of_before',
  'other_kind',
  'too_many',
  'not_single',
] as const;
export type MoveObstacle = (typeof moveObstacles)[number];

export interface MoveFacts {
  confirmed: boolean;
  event_cancelled: boolean;
  event_over: boolean;
  rehearsal: boolean;
  /** All orders are being booked in another hall. */ hall_changing: boolean;
  tickets: readonly {
    valid: boolean;
    /** A refund for it is open or done. */ refund_open: boolean;
    /** Its holder has left and may not come back; a new code would let them in again. */
    used_up: boolean;
    /** Its order already had a ticket on the new place, which has ended. */
    place_of_before: boolean;
    /** An object sold whole moves to another one, a seat to a seat (RULES S8). */
    same_kind: boolean;
    /** The new object has a place for each ticket of the old one, and for no others. */
    has_room: boolean;
  }[];
}

/** Null: the ticket may move (RULES M1). */
export function moveObstacle(facts: MoveFacts): MoveObstacle | null {
  if (facts.event_cancelled) return 'event_cancelled';
  if (!facts.confirmed) return 'not_confirmed';
  if (facts.rehearsal) return 'rehearsal';
  if (facts.event_over) return 'event_over';
  if (facts.hall_changing) return 'hall_changing';
  if (facts.tickets.some(({ valid }) => !valid)) return 'ticket_over';
  if (facts.tickets.some(({ refund_open }) => refund_open)) return 'refund_open';
  if (facts.tickets.some(({ used_up }) => used_up)) return 'used_up';
  if (facts.tickets.some(({ place_of_before }) => place_of_before)) return 'place_of_before';
  if (!facts.tickets.every(({ same_kind }) => same_kind)) return 'other_kind';
  if (!facts.tickets.every(({ has_room }) => has_room)) return 'too_many';
  return null;
}

/**
 * Cents. `from_list`: the present price of such a ticket on its old seat; null: it is not sold
 * there any more.
 */
interface PricedMove {
  price_cents: number;
  from_list: number | null;
  to_list: number;
  gift: boolean;
}

/** What the buyer owes for the new seat (above zero) or gets back (below): RULES M2. */
export function differenceOf({ price_cents, from_list, to_list, gift }: PricedMove): number {
  if (gift) return 0;
  const from = from_list ?? price_cents;
  if (to_list >= from) return Math.max(0, to_list - Math.max(from, price_cents));
  return Math.min(0, to_list - price_cents);
}

/** How the office wants to settle the difference. */
type DifferenceWay = Exclude<DifferenceEnd, 'none'>;

/**
 * Whether this way fits a difference: a debt is paid, an excess is refunded, and the house may
 * waive either.
 */
export function settlesDifference(cents: number, way: DifferenceWay | null): boolean {
  if (cents === 0) return way === null;
  if (way === 'waived') return true;
  return way === (cents > 0 ? 'paid' : 'refunded');
}

interface Step {
  from: string;
  to: string;
}

/**
 * Sorts the steps so that each place is empty before it is taken; null: the steps form a ring, so
 * no guest can move first.
 */
export function inTurn<S extends Step>(steps: readonly S[]): S[] | null {
  const waiting = [...steps];
  const order: S[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex(
      ({ to }, at) => !waiting.some(({ from }, other) => other !== at && from === to),
    );
    if (next === -1) return null;
    order.push(...waiting.splice(next, 1));
  }
  return order;
}

/**
 * Whether one press can undo the move: no money has changed hands, and the old seats were not
 * kept back.
 */
export function mayUndoMove(move: {
  difference_end: DifferenceEnd;
  keep_reason: string | null;
}): boolean {
  const { difference_end, keep_reason } = move;
  return keep_reason === null && (difference_end === 'none' || difference_end === 'waived');
}
