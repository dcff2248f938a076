/**
 * An object's state as a browser may see it: without token, order, extra data, or channels that
 * the browser did not name.
 */
import { countObject, statusOf } from '#server/standins/seatsio/catalog/catalog.ts';
import { freeWithin } from '#server/standins/seatsio/catalog/reach.ts';
import type { LoadedEvent } from '#server/standins/seatsio/catalog/catalog.ts';
import type { PlanObject } from '#server/standins/seatsio/plan/plan.ts';
import type { ObjectState } from '#server/standins/seatsio/catalog/status-rule.ts';
import type { WireState, WireStatus, WireStatusGroup } from '#server/standins/seatsio/wire.ts';

/**
 * The keys of the channels that a browser named; undefined when it named none, and then it may
 * choose only what is in no channel.
 */
export type Channels = readonly string[] | undefined;

/** Places of an area that this browser may not buy count as booked. */
function wireState(
  event: LoadedEvent,
  object: PlanObject,
  { state, channels }: { state: ObjectState; channels: Channels },
): WireState {
  const sellable = event.sellable(object);
  const forSale = sellable.notForSale < Math.max(1, object.capacity);
  const channel = event.channelOf(object.label);
  const named = channel !== undefined && channels?.includes(channel);
  const count = countObject(object, state, sellable);
  // These places belong to channels that the browser did not name.
  const kept =
    event.areaPlacesOf(object.label).length > 0
      ? count.free - freeWithin(event, object, { state, reach: { channelKeys: channels } })
      : 0;
  const booked = count.booked + (forSale ? count.notForSale : 0) + kept;
  return {
    status: statusOf(object, state),
    ...(forSale ? {} : { forSale: false }),
    ...(channel !== undefined && (named ? { channel } : { locked: true })),
    ...(sellable.byPlaces && booked > 0 ? { numBooked: booked } : {}),
    ...(sellable.byPlaces && count.held > 0 ? { numHeld: count.held } : {}),
  };
}

export function wireStatus(
  event: LoadedEvent,
  object: PlanObject,
  seen: { state: ObjectState; channels: Channels },
): WireStatus {
  return { label: object.label, ...wireState(event, object, seen) };
}

/**
 * Lists objects of the same state together, because a sold-out hall has twenty thousand objects; an
 * object that is only free is left out.
 */
export function groupStatuses(
  event: LoadedEvent,
  channels: Channels,
  stateOf: (label: string) => ObjectState,
): WireStatusGroup[] {
  const groups = new Map<string, WireStatusGroup>();
  for (const object of event.plan.objects) {
    const state = wireState(event, object, { state: stateOf(object.label), channels });
    const key = JSON.stringify(state);
    if (key === '{"status":"free"}') continue;
    const group = groups.get(key);
    if (group) group.labels.push(object.label);
    else groups.set(key, { ...state, labels: [object.label] });
  }
  return [...groups.values()];
}
