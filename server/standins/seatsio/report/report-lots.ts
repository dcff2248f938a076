/** The items of event reports: one lot for each object, or lots of equal places for counting. */
import { availabilityOf } from '#server/standins/seatsio/status/object-info.ts';
import { NO_CHANNEL, partitionsWithin } from '#server/standins/seatsio/catalog/reach.ts';
import { FREE } from '#server/standins/seatsio/catalog/status-rule.ts';
import { isByPlaces } from '#server/standins/seatsio/catalog/catalog.ts';
import type { Category, LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { PlanObject } from '#server/standins/seatsio/plan/plan.ts';
import type { Dimensions } from './report-grouping.ts';
import type { ObjectState } from '#server/standins/seatsio/catalog/status-rule.ts';

/** Equal places of one object. */
export interface Lot {
  object: PlanObject;
  state: ObjectState;
  category: Category | null;
  status: string;
  /** `available`, `not_for_sale`, or the status of a taken place. */
  reason: string;
  isAvailable: boolean;
  channel: string | undefined;
  quantity: number;
}

/** One lot for each object in label order; an area sold by number has its overall status. */
export function listLots(
  event: LoadedEvent,
  states: Map<string, ObjectState>,
  objects: readonly PlanObject[] = event.plan.objects,
): Lot[] {
  return objects.map((object) => wholeLot(event, object, states.get(object.label) ?? FREE));
}

const sections = new WeakMap<readonly PlanObject[], Map<string, PlanObject[]>>();

/** Grouped only once, in label order, because pages ask for a large hall section by section. */
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

/** A table sold whole counts as its seats, as for accounts made since July 2022. */
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

/** Splits areas sold by number into lots of equal places; those not for sale are `free`. */
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

/** The dimensions of an event's reports; `NO_…` is the name of a missing property. */
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
      // The last one is obsolete, but the vendor still returns it.
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

/** A further dimension of summaries. */
export const selectability: Dimensions<Lot> = {
  bySelectability: { of: ({ isAvailable }) => (isAvailable ? 'selectable' : 'not_selectable') },
};
