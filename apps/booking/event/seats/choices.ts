/** The lines of the summary, their sums, and what is sent to book them. */
import type { Asked } from '#server/contract/endpoint.ts';
import type { bookSeats } from '#server/contract/order/orders.ts';
import { addFees, noFees, type Fees } from '#server/domain/price/fees.ts';
import type { LineAsked } from '#server/domain/price/page-cart.ts';
import type { PlaceTrait } from '#server/domain/seat/notices.ts';
import type { PlaceKind } from '#server/domain/seat/seat-name.ts';
import type { WholeOffer } from '#server/domain/seat/whole.ts';

/**
 * One line of the summary. `quantity`: the places that are paid; `cents`: the price of all of
 * them with the fee, null if it is unknown; `whole`: an object that is sold whole, and how many
 * come.
 */
export interface Choice extends Fees {
  object_id: string;
  is_area: boolean;
  name: string;
  traits: readonly PlaceTrait[];
  ticket_type: string | undefined;
  type_label: string | null;
  quantity: number;
  cents: number | null;
  /** The line in the form that price rules use; null if its price is unknown. */
  sold: LineAsked | null;
  /** What it costs without price rules, and why it costs less; null: none lowers it. */
  list_cents: number | null;
  reason: string | null;
  whole: (WholeOffer & { kind: PlaceKind; coming: number }) | null;
}

export function countPlaces(choices: readonly Choice[]): number {
  return choices.reduce((sum, choice) => sum + choice.quantity, 0);
}

/**
 * What Stripe will charge, fees included, also those of the order if any of it is paid; null if a
 * price is missing, because a partial sum would mislead.
 */
export function totalOf(choices: readonly Choice[], per_order = noFees): number | null {
  const sum = choices.reduce<number | null>(
    (sum, { cents }) => (sum === null || cents === null ? null : sum + cents),
    0,
  );
  return sum === null || sum === 0 ? sum : sum + per_order.fee_cents;
}

/** The surcharges in that sum. */
export function feesOf(choices: readonly Choice[], per_order = noFees): Fees {
  const isPaid = choices.some(({ cents }) => cents !== null && cents > 0);
  return addFees(isPaid ? [...choices, per_order] : choices);
}

/** The same without price rules. */
export function listTotalOf(choices: readonly Choice[], per_order = noFees): number | null {
  return totalOf(
    choices.map((choice) => ({ ...choice, cents: choice.list_cents ?? choice.cents })),
    per_order,
  );
}

/**
 * `selected_objects` of a booking: how many places of an area, and how many come to an object
 * sold whole.
 */
export function selectedObjectsOf(
  choices: readonly Choice[],
): Asked<typeof bookSeats>['body']['selected_objects'] {
  return choices.map(({ object_id, ticket_type, quantity, is_area, whole }) => ({
    object_id,
    ...(ticket_type === undefined ? {} : { ticket_type }),
    ...(is_area ? { quantity } : {}),
    ...(whole === null ? {} : { quantity: whole.coming }),
  }));
}
