/** What a caller may take: objects and places of the channels whose keys it names. */
import { countObject } from './catalog.ts';
import { countPlaces } from './status-rule.ts';
import type { LoadedEvent } from './catalog.ts';
import type { PlanObject } from '#server/standins/seatsio/plan/plan.ts';
import type { ObjectState, Partition } from './status-rule.ts';

export const NO_CHANNEL = 'NO_CHANNEL';

export interface Reach {
  channelKeys?: readonly string[];
  ignoreChannels?: boolean;
}

/** Drops keys that the event does not have, so that invented keys show and cost nothing. */
export function channelsOn(
  event: LoadedEvent,
  keys: readonly string[] | undefined,
): readonly string[] | undefined {
  return keys?.filter(
    (key) => key === NO_CHANNEL || event.channels.some((channel) => channel.key === key),
  );
}

/** An object in a channel needs its channel's key, any other object no key or `NO_CHANNEL`. */
export function opensChannel(
  { channelKeys, ignoreChannels }: Reach,
  channel: string | null,
): boolean {
  if (ignoreChannels) return true;
  return channel === null
    ? !channelKeys || channelKeys.includes(NO_CHANNEL)
    : (channelKeys?.includes(channel) ?? false);
}

/** The channel of the area itself, which has the places that no channel reserves by number. */
function restOf(event: LoadedEvent, object: PlanObject): string | null {
  return event.channelOf(object.label) ?? null;
}

/** Whether the caller may take places of this channel; a deleted channel reserves nothing. */
export function opensPlace(
  event: LoadedEvent,
  object: PlanObject,
  { reach, channel }: { reach: Reach; channel: string | null },
): boolean {
  const known =
    channel !== null && event.areaPlacesOf(object.label).some(({ key }) => key === channel);
  return opensChannel(reach, known ? channel : restOf(event, object));
}

/**
 * The free places of an area by channel. Places that no channel reserves by number come first,
 * with null, even when the whole area is in a channel.
 */
function partitionsOf(event: LoadedEvent, object: PlanObject, state: ObjectState): Partition[] {
  const reserved = event.areaPlacesOf(object.label);
  const keys = new Set(reserved.map(({ key }) => key));
  const rest = object.capacity - reserved.reduce((sum, { count }) => sum + count, 0);
  return [
    {
      channel: null,
      free:
        rest -
        countPlaces(
          state.places,
          (place) => place.channel === undefined || !keys.has(place.channel),
        ),
    },
    ...reserved.map(({ key, count }) => ({
      channel: key,
      free: count - countPlaces(state.places, (place) => place.channel === key),
    })),
  ];
}

/** The places that the caller may take, in the order of its channel keys. */
export function partitionsWithin(
  event: LoadedEvent,
  object: PlanObject,
  { state, reach }: { state: ObjectState; reach: Reach },
): Partition[] {
  const rank = ({ channel }: Partition) => {
    const at = reach.channelKeys?.indexOf(channel ?? restOf(event, object) ?? NO_CHANNEL) ?? -1;
    return at < 0 ? Infinity : at;
  };
  const within = partitionsOf(event, object, state).filter(({ channel }) =>
    opensPlace(event, object, { reach, channel }),
  );
  return reach.channelKeys ? within.sort((a, b) => rank(a) - rank(b) || 0) : within;
}

/** How many places the caller could take now; for an object sold as one, 0 or its capacity. */
export function freeWithin(
  event: LoadedEvent,
  object: PlanObject,
  { state, reach }: { state: ObjectState; reach: Reach },
): number {
  const sellable = event.sellable(object);
  const { free } = countObject(object, state, sellable);
  if (!sellable.byPlaces) return opensChannel(reach, restOf(event, object)) ? free : 0;
  return Math.min(
    free,
    partitionsWithin(event, object, { state, reach }).reduce(
      (sum, partition) => sum + Math.max(0, partition.free),
      0,
    ),
  );
}
