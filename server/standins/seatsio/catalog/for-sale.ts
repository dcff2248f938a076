/** Which objects of an event may be sold, by its for-sale configuration and its channels. */
import type { PlanObject } from '#server/standins/seatsio/plan/plan.ts';

/**
 * `forSale` true: only the listed objects may be sold; false: all others. The list may name
 * seats, rows, tables, sections and areas.
 */
export interface ForSaleConfig {
  forSale: boolean;
  objects: string[];
  areaPlaces: Record<string, number>;
  categories: string[];
}

export interface Channel {
  id: string;
  key: string;
  name: string;
  color?: string;
  index?: number;
  objects: string[];
  areaPlaces: Record<string, number>;
}

/** How many of an object's places may not be sold; `category` is its category's key and label. */
export type NotForSale = (object: PlanObject, category: string[]) => number;

/** Prepared once per call, because a configuration may list a thousand seats. */
export function readForSale(config: ForSaleConfig | null): NotForSale {
  if (!config) return () => 0;
  const objects = new Set(config.objects);
  const categories = new Set(config.categories);
  return (object, category) => {
    const listed =
      [object.label, object.parentLabel, object.section].some(
        (name) => name !== undefined && objects.has(name),
      ) || category.some((name) => categories.has(name));
    const some = Object.hasOwn(config.areaPlaces, object.label)
      ? Math.min(object.capacity, config.areaPlaces[object.label] ?? 0)
      : 0;
    const places = listed ? object.capacity : some;
    return config.forSale ? object.capacity - places : places;
  };
}

/** The key of each object's channel, by label. */
export function readChannels(channels: Channel[]): Map<string, string> {
  return new Map(
    channels.flatMap((channel) => channel.objects.map((label) => [label, channel.key] as const)),
  );
}

/** How many places each channel reserves of an area, by the area's label. */
export function readAreaPlaces(channels: Channel[]): Map<string, { key: string; count: number }[]> {
  const byLabel = new Map<string, { key: string; count: number }[]>();
  for (const { key, areaPlaces } of channels) {
    for (const [label, count] of Object.entries(areaPlaces))
      if (count > 0) byLabel.set(label, [...(byLabel.get(label) ?? []), { key, count }]);
  }
  return byLabel;
}
