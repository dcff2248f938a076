/**
 * What event reports are made of: every object of an event as one lot, or by its places where
 * they are counted.
 */
import { availabilityOf } from '#server/standins/seatsio/status/object-info.ts';
import { NO_CHANNEL, partitionsWithin } from '#server/standins/seatsio/catalog/reach.ts';
import { FREE } from '#server/standins/seatsio/catalog/status-rule.ts';
import { isByPlaces } from '#server/standins/seatsio/catalog/catalog.ts';
import type { Category, LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { PlanObject } from '#server/standins/seatsio/plan/plan.ts';
import type { Dimensions } from './report-grouping.ts';
import type { ObjectState } from '#server/standins/seatsio/catalog/status-rule.ts';

/** Places of one object that are equal. */
export interface Lot {
  object: PlanObject;
  state: ObjectState;
  category: Category | null;
  status: string;
  /** `available`, `not_for_sale`, or the status. */
  reason: string;
  isAvailable: boolean;
  channel: string | undefined;
  quantity: number;
}

/**
 * One lot for each object, in the order of their labels; an area sold by number has the status of
 * its whole.
 */
export function listLots(
  event: LoadedEvent,
  states: Map<string, ObjectState>,
  objects: readonly PlanObject[] = event.plan.objects,
): Lot[] {
  return objects.map((object) => wholeLot(event, object, states.get(object.label) ?? FREE));
}

const sections = new WeakMap<readonly PlanObject[], Map<string, PlanObject[]>>();

/**
 * A large hall is asked for section by section, so its objects are grouped once, in the same
 * order.
 */
export function objectsOfSection(
  { plan: { objects } }: LoadedEvent,
  section: string,
): readonly PlanObject[] {
  let known = sections.get(objects);
  if (!known)
    sections.set(
      objects,
      (known = Map.groupBy(objects, (object) => object.section ?? 'NO_SECTION')),
    );
  return known.get(section) ?? [];
}

/** A table that is sold as one counts as its seats, as for accounts made since July 2022. */
function quantityOf({ objectType, numSeats, capacity }: PlanObject): number {
  if (objectType === 'table') return numSeats ?? 1;
  return objectType === 'generalAdmission' ? capacity : 1;
}

function wholeLot(event: LoadedEvent, object: PlanObject, state: ObjectState): Lot {
  const { status, reason, isAvailable } = availabilityOf(event, object, state);
  return {
    object,
    state,
    category: event.categoryOf(object),
    status,
    reason,
    isAvailable,
    channel: event.channelOf(object.label),
    quantity: quantityOf(object),
  };
}

/**
 * For counting, an area sold by number is split into its places; those not for sale are among the
 * free ones.
 */
export function listPlaces(event: LoadedEvent, states: Map<string, ObjectState>): Lot[] {
  return listLots(event, states).flatMap((lot) =>
    isByPlaces(lot.object) ? splitArea(event, lot) : [lot],
  );
}

function splitArea(event: LoadedEvent, lot: Lot): Lot[] {
  const { object, state } = lot;
  const reserved = new Set(event.areaPlacesOf(object.label).map(({ key }) => key));
  const taken = state.places.map((place): Lot => ({
    ...lot,
    status: place.status,
    reason: place.status,
    isAvailable: false,
    quantity: place.quantity,
    channel:
      place.channel !== undefined && reserved.has(place.channel) ? place.channel : lot.channel,
  }));
  const { count } = availabilityOf(event, object, state);
  let free = count.free + count.notForSale;
  let closed = count.notForSale;
  const open = partitionsWithin(event, object, { state, reach: { ignoreChannels: true } }).flatMap(
    (partition): Lot[] => {
      const quantity = Math.min(free, Math.max(0, partition.free));
      const shut = Math.min(closed, quantity);
      free -= quantity;
      closed -= shut;
      const places = { ...lot, status: 'free', channel: partition.channel ?? lot.channel };
      return [
        { ...places, reason: 'not_for_sale', isAvailable: false, quantity: shut },
        { ...places, reason: 'available', isAvailable: true, quantity: quantity - shut },
      ];
    },
  );
  return [...taken, ...open];
}

/** Of an event's reports; `NO_…` names what a lot does not have. */
export function eventDimensions(event: LoadedEvent): Dimensions<Lot> {
  return {
    byStatus: { of: ({ status }) => status },
    byObjectType: {
      of: ({ object }) => object.objectType,
      always: ['seat', 'generalAdmission', 'table', 'booth'],
    },
    byCategoryKey: {
      of: ({ category }) => (category ? String(category.key) : 'NO_CATEGORY'),
      always: [...event.categories.map(({ key }) => String(key)), 'NO_CATEGORY'],
    },
    byCategoryLabel: {
      of: ({ category }) => category?.label ?? 'NO_CATEGORY',
      always: [...event.categories.map(({ label }) => label), 'NO_CATEGORY'],
    },
    byLabel: { of: ({ object }) => object.label, isUncounted: true },
    byOrderId: { of: ({ state }) => state.order_id ?? 'NO_ORDER_ID', isUncounted: true },
    bySection: { of: ({ object }) => object.section ?? 'NO_SECTION' },
    byZone: {
      of: ({ object }) => object.zone ?? 'NO_ZONE',
      always: [...event.plan.zones.map(({ key }) => key), 'NO_ZONE'],
    },
    byAvailability: { of: ({ isAvailable }) => (isAvailable ? 'available' : 'not_available') },
    byAvailabilityReason: {
      of: ({ reason }) => reason,
      // The last one is obsolete at the vendor's, but still in its answers.
      alwaysCounted: [
        'available',
        'booked',
        'not_for_sale',
        'reservedByToken',
        'disabled_by_social_distancing',
      ],
    },
    byChannel: {
      of: ({ channel }) => channel ?? NO_CHANNEL,
      always: [...event.channels.map(({ key }) => key), NO_CHANNEL],
    },
  };
}

/** Further dimensions that summaries are broken down by. */
export const selectability: Dimensions<Lot> = {
  bySelectability: { of: ({ isAvailable }) => (isAvailable ? 'selectable' : 'not_selectable') },
};
