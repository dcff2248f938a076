/**
 * Safe mode: the changes that a drawing on sale may not make to taken places. These may be moved,
 * repainted and given neighbours.
 */
import {
  labelOf,
  listPlaces,
  placesOf,
  type IsWhole,
  type Place,
} from '#server/drawing/model/places.ts';
import type { AreaData, Doc, TableData } from '#server/drawing/model/data.ts';
import type { Edit } from '#server/drawing/model/edit.ts';
import { byLabel, matchPlaces } from './match.ts';

/** A taken place, or several taken places of an area. */
export interface Taken {
  readonly label: string;
  readonly places: number;
}

export type Refusal = 'removed' | 'relabelled' | 'retyped' | 'shrunk';

export interface Refused<T extends Taken = Taken> {
  readonly taken: T;
  readonly why: Refusal;
  /** The place in the earlier drawing. */
  readonly before: Place;
  /** The place in the later drawing; null if it is removed. */
  readonly after: Place | null;
}

function isByPlaces({ sold, data }: Place): boolean {
  return sold === 'area' && (data as AreaData).bookAsAWhole !== true;
}

/** How many people an object holds. */
export function peopleAt({ sold, data, capacity }: Place): number {
  return sold === 'table' ? (data as TableData).seats.length : capacity;
}

/** What is taken whole is taken with all its places. */
export function peopleTaken(place: Place, places: number): number {
  return isByPlaces(place) ? places : peopleAt(place);
}

/** Why the bookings of a remaining place would be lost, or null. */
function faultOf(before: Place, after: Place, places: number): Refusal | null {
  if (before.label !== after.label) return 'relabelled';
  if (before.sold !== after.sold || isByPlaces(before) !== isByPlaces(after)) return 'retyped';
  return peopleTaken(before, places) > peopleAt(after) ? 'shrunk' : null;
}

/**
 * Why a place is missing. A table that is sold in another way is not removed, but loses its label
 * or those of its chairs.
 */
function whyGone(before: Place, after: Doc): Refusal {
  const item = after.items.get(before.item);
  if (item?.kind !== 'table' || labelOf(item.data) === '?') return 'removed';
  if (before.sold === 'table') return 'retyped';
  const seats = item.data.seats;
  const { uuid } = before.data;
  return seats.some((seat) =>
    uuid === undefined ? labelOf(seat) === before.own : seat.uuid === uuid,
  )
    ? 'retyped'
    : 'removed';
}

interface Sides {
  before: Doc;
  after: Doc;
  /** Tells how an event sells its tables, if not as they are drawn. */
  isWhole?: IsWhole;
}

/**
 * The taken places that would be removed, renamed, sold in another way or made too small, except
 * places that the earlier drawing lacks too.
 */
export function refusedChanges<T extends Taken>(sides: Sides, taken: readonly T[]): Refused<T>[] {
  if (taken.length === 0) return [];
  const [olds, news] = [
    listPlaces(sides.before, sides.isWhole),
    listPlaces(sides.after, sides.isWhole),
  ];
  return judge({ olds, news, after: sides.after }, taken);
}

function judge<T extends Taken>(
  { olds, news, after }: { olds: Place[]; news: Place[]; after: Doc },
  taken: readonly T[],
): Refused<T>[] {
  const [named, became] = [byLabel(olds), matchPlaces(olds, news)];
  return taken.flatMap((one) => {
    const before = named.get(one.label);
    if (!before) return [];
    const now = became.get(before) ?? null;
    const why = now ? faultOf(before, now, one.places) : whyGone(before, after);
    return why ? [{ taken: one, why, before, after: now }] : [];
  });
}

/** The same for a single edit; it compares only the places that the edit touches. */
export function refusedByEdit<T extends Taken>(
  sides: Sides & { edit: Edit },
  taken: ReadonlyMap<string, T>,
): Refused<T>[] {
  const ids = sides.edit.changes.flatMap((change) => (change.at === 'item' ? [change.id] : []));
  if (ids.length === 0 || taken.size === 0) return [];
  const olds = placesOf(sides.before, ids, sides.isWhole);
  const news = placesOf(sides.after, ids, sides.isWhole);
  const had = olds.flatMap(({ label }) => taken.get(label) ?? []);
  return had.length === 0 ? [] : judge({ olds, news, after: sides.after }, had);
}
