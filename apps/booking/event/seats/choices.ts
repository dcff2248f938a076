/** Turns the chart's selected objects into the lines of the summary and into the booking. */
import type { Asked } from '#server/contract/endpoint.ts';
import type { bookSeats } from '#server/contract/order/orders.ts';
import { fullPrice, priceOf, type PricedCategory } from '#server/domain/price/pricing.ts';
import { traitsOf, type PlaceTrait } from '#server/domain/seat/notices.ts';
import { seatName, type PlaceKind } from '#server/domain/seat/seat-name.ts';

/** The used part of seats.io's objects. */
export interface ChosenObject {
  label: string;
  labels: { own: string; parent?: string; section?: string };
  objectType: string;
  category?: { key: string | number; label: string };
  selectedTicketType?: string;
  numSelected?: number;
  selectionPerTicketType?: Record<string, number>;
  restrictedView?: boolean;
  accessible?: boolean;
  companionSeat?: boolean;
}

/** One line of the summary. `unit_cents` includes the fee; null if the price is unknown. */
export interface Choice {
  object_id: string;
  is_area: boolean;
  name: string;
  traits: readonly PlaceTrait[];
  ticket_type: string | undefined;
  type_label: string | null;
  quantity: number;
  unit_cents: number | null;
  unit_fee_cents: number;
}

const kinds: Record<string, PlaceKind> = {
  Seat: 'seat',
  Table: 'table',
  Booth: 'booth',
  GeneralAdmissionArea: 'area',
};

/** Other kinds of objects, such as a whole section, are not places and are left out. */
export function choicesOf(
  objects: readonly ChosenObject[],
  pricing: readonly PricedCategory[],
): Choice[] {
  return objects.flatMap((object) => {
    const kind = kinds[object.objectType];
    if (kind === undefined) return [];
    const { own, parent, section } = object.labels;
    const name = seatName({ kind, section: section ?? null, row: parent ?? null, seat: own });
    const traits = traitsOf({
      kind,
      restricted_view: object.restrictedView === true,
      accessible: object.accessible === true,
      companion: object.companionSeat === true,
    });
    return quantitiesOf(object, kind).map(({ ticket_type, quantity }) => {
      const price =
        object.category === undefined
          ? null
          : priceOf(
              pricing,
              { key: String(object.category.key), label: object.category.label },
              ticket_type,
            );
      return {
        object_id: object.label,
        is_area: kind === 'area',
        name,
        traits,
        ticket_type,
        type_label: price?.label ?? null,
        quantity,
        unit_cents: price && fullPrice(price),
        unit_fee_cents: price?.fee_cents ?? 0,
      };
    });
  });
}

/** An area with a single price has its count under a key that is not a ticket type. */
function quantitiesOf(
  object: ChosenObject,
  kind: PlaceKind,
): { ticket_type: string | undefined; quantity: number }[] {
  if (kind !== 'area')
    return [{ ticket_type: object.selectedTicketType || undefined, quantity: 1 }];
  const typed = Object.entries(object.selectionPerTicketType ?? {})
    .filter(
      ([ticketType, quantity]) =>
        ticketType !== '' && ticketType !== 'NO_TICKET_TYPE' && quantity > 0,
    )
    .map(([ticket_type, quantity]) => ({ ticket_type, quantity }));
  if (typed.length > 0) return typed;
  const quantity = object.numSelected ?? 0;
  return quantity > 0 ? [{ ticket_type: undefined, quantity }] : [];
}

export function countPlaces(choices: readonly Choice[]): number {
  return choices.reduce((sum, choice) => sum + choice.quantity, 0);
}

/**
 * What Stripe will charge, fees included; null if a price is missing, because a partial sum would
 * mislead.
 */
export function totalOf(choices: readonly Choice[]): number | null {
  return choices.reduce<number | null>(
    (sum, choice) =>
      sum === null || choice.unit_cents === null ? null : sum + choice.unit_cents * choice.quantity,
    0,
  );
}

/** `selected_objects` of a booking; a seat has no quantity. */
export function selectedObjectsOf(
  choices: readonly Choice[],
): Asked<typeof bookSeats>['body']['selected_objects'] {
  return choices.map(({ object_id, ticket_type, quantity, is_area }) => ({
    object_id,
    ...(ticket_type === undefined ? {} : { ticket_type }),
    ...(is_area ? { quantity } : {}),
  }));
}
