/** An object of an event as the API describes it. */
import { countObject, isByPlaces, statusOf } from '#server/standins/seatsio/catalog/catalog.ts';
import { FREE, HELD } from '#server/standins/seatsio/catalog/status-rule.ts';
import type { LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { PlanObject } from '#server/standins/seatsio/plan/plan.ts';
import type { ObjectState } from '#server/standins/seatsio/catalog/status-rule.ts';

export const FLAG_NAMES = [
  'isAccessible',
  'isCompanionSeat',
  'hasRestrictedView',
  'hasLiftUpArmrests',
  'isHearingImpaired',
  'isSemiAmbulatorySeat',
  'hasSignLanguageInterpretation',
  'isPlusSize',
] as const;

function reasonOf(status: string, forSale: boolean): string {
  if (status !== 'free') return status;
  return forSale ? 'available' : 'not_for_sale';
}

/**
 * An area has one status and reason for all of it; `count` counts its places by state. As at the
 * vendor, an area that is not full is shown as held while some of its places are, although the
 * rest of them is available.
 */
export function availabilityOf(event: LoadedEvent, object: PlanObject, state: ObjectState) {
  const sellable = event.sellable(object);
  const forSale = sellable.notForSale < Math.max(1, object.capacity);
  const status = statusOf(object, state);
  const count = countObject(object, state, sellable);
  return {
    status: sellable.byPlaces && status === 'free' && count.held > 0 ? HELD : status,
    forSale,
    count,
    isAvailable: status === 'free' && forSale && (!sellable.byPlaces || count.free > 0),
    reason: reasonOf(status, forSale),
  };
}

/** EventObjectInfo: missing fields are left out, except the flags of a seat. */
export function describeObject(event: LoadedEvent, object: PlanObject, state: ObjectState = FREE) {
  const { status, forSale, isAvailable, reason, count } = availabilityOf(event, object, state);
  const category = event.categoryOf(object);
  return {
    label: object.label,
    labels: object.labels,
    ids: object.ids,
    displayedLabel: object.displayedLabel,
    status,
    objectType: object.objectType,
    forSale,
    isAvailable,
    availabilityReason: reason,
    categoryKey: category ? String(category.key) : undefined,
    categoryLabel: category?.label,
    ticketType: state.ticket_type ?? undefined,
    orderId: state.order_id ?? undefined,
    holdToken: state.hold_token ?? undefined,
    extraData: state.extra_data === null ? undefined : (JSON.parse(state.extra_data) as object),
    channel: event.channelOf(object.label),
    entrance: object.entrance,
    section: object.section,
    zone: object.zone,
    floor: object.floor,
    leftNeighbour: object.left,
    rightNeighbour: object.right,
    parentDisplayedObjectType: object.parentDisplayedObjectType,
    distanceToFocalPoint: object.distance,
    ...describeOverrides(event, object, state),
    // A sold seat is not on resale, although its listing is kept.
    resaleListingId:
      state.held_from !== null && state.status !== HELD
        ? undefined
        : (state.resale_listing_id ?? undefined),
    ...(object.objectType === 'seat'
      ? Object.fromEntries(FLAG_NAMES.map((name, bit) => [name, (object.flags & (2 ** bit)) !== 0]))
      : {}),
    ...(object.objectType === 'generalAdmission' ? describeArea(object, state, count) : {}),
    ...(object.objectType === 'table' ? describeTable(object) : {}),
  };
}

/** The number of overridden places, in total and by the key of the season. */
function describeOverrides(event: LoadedEvent, object: PlanObject, { overridden }: ObjectState) {
  const rows = [...(overridden ?? [])];
  const together = rows.reduce((sum, [, quantity]) => sum + quantity, 0);
  return {
    seasonStatusOverriddenQuantity: Math.min(together, object.capacity),
    seasonStatusOverriddenQuantities: Object.fromEntries(
      rows.map(([season, quantity]) => [String(event.seasonKeys.get(season)), quantity]),
    ),
  };
}

export type ObjectInfo = ReturnType<typeof describeObject>;

function describeArea(
  object: PlanObject,
  state: ObjectState,
  count: ReturnType<typeof countObject>,
) {
  const held = state.places.filter(({ status }) => status === HELD);
  const tokens = [...new Set(held.map(({ hold_token }) => hold_token ?? ''))];
  const holds = tokens.map(
    (token) =>
      [
        token,
        Object.fromEntries(
          held
            .filter(({ hold_token }) => hold_token === token)
            .map((place) => [place.ticket_type ?? 'NO_TICKET_TYPE', place.quantity]),
        ),
      ] as const,
  );
  return {
    capacity: object.capacity,
    numBooked: count.booked,
    numFree: count.free,
    numHeld: count.held,
    numNotForSale: count.notForSale,
    bookAsAWhole: object.bookAsAWhole,
    variableOccupancy: object.variableOccupancy,
    minOccupancy: object.minOccupancy,
    maxOccupancy: object.variableOccupancy ? object.capacity : undefined,
    holds: holds.length > 0 ? Object.fromEntries(holds) : undefined,
    areaType: areaTypeOf(object),
  };
}

/**
 * As drawn, whatever the event decides. [DOC] Tables can also be sold by number, but the
 * documentation does not say how that is drawn.
 */
export function describeTable({ numSeats, drawnAsAWhole }: PlanObject) {
  return {
    numSeats,
    bookAsAWhole: drawnAsAWhole,
    tableType: drawnAsAWhole ? 'bookByTable' : 'bookBySeat',
  };
}

export function areaTypeOf(object: PlanObject) {
  if (isByPlaces(object)) return 'generalAdmission';
  return object.variableOccupancy ? 'variableOccupancy' : 'fixedOccupancy';
}
