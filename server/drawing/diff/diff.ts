/**
 * Compares two drawings of one hall, the published one and its draft, place by place and object
 * by object.
 */
import { flagsOf } from '#server/drawing/model/flags.ts';
import { listPlaces, type Place } from '#server/drawing/model/places.ts';
import type { AreaData, Doc, Item, SeatData } from '#server/drawing/model/data.ts';
import { priorityIn } from '#server/drawing/quality/best.ts';
import { matchPlaces } from './match.ts';
import { isSame } from './aspects.ts';

/**
 * `relabelled`: the label to which bookings refer changed; `renamed`: only the displayed one did;
 * `retyped`: it is sold in another way; `resized`: it holds more or fewer people; `marked`:
 * accessible, restricted view, aisle, entrance, priority and the like.
 */
export type Change =
  | 'added'
  | 'removed'
  | 'relabelled'
  | 'retyped'
  | 'resized'
  | 'repainted'
  | 'moved'
  | 'marked'
  | 'renamed';

/**
 * A place that differs. An added place has no `before`, and a removed one no `after`; a table
 * that is sold in another way has only one of them.
 */
export interface PlaceDifference {
  /** The later place, or the earlier one if it was removed. */
  readonly place: Place;
  readonly before: Place | null;
  readonly after: Place | null;
  /** The most serious change comes first. */
  readonly changes: readonly Change[];
}

/**
 * An object that sells nothing, a section, a category or the like that was added, removed or
 * changed.
 */
export interface ThingDifference {
  readonly what: 'item' | 'category' | 'zone' | 'floor' | 'drawing';
  readonly change: 'added' | 'removed' | 'changed';
  readonly before: Item | null;
  readonly after: Item | null;
  readonly name: string;
  /** The values before and after a change; null if it was added or removed. */
  readonly values: readonly [before: object, after: object] | null;
}

export interface Diff {
  readonly places: readonly PlaceDifference[];
  readonly things: readonly ThingDifference[];
}

/** A smaller move is not visible. */
const STILL = 0.05;
const SOLD_AS = ['bookAsAWhole', 'variableOccupancy'] as const;

function isRetyped(before: Place, after: Place): boolean {
  if (before.sold !== after.sold) return true;
  const [a, b] = [before.data as AreaData, after.data as AreaData];
  return before.sold === 'area' && SOLD_AS.some((key) => (a[key] === true) !== (b[key] === true));
}

function isMarked([old, before]: [Doc, Place], [now, after]: [Doc, Place]): boolean {
  const [a, b] = [before.data as SeatData, after.data as SeatData];
  return (
    flagsOf(a) !== flagsOf(b) ||
    priorityIn(old, before) !== priorityIn(now, after) ||
    (a.entrance ?? '') !== (b.entrance ?? '') ||
    (a.x_gapAfter === true) !== (b.x_gapAfter === true) ||
    (a.x_companionOf ?? '') !== (b.x_companionOf ?? '')
  );
}

function changesOf([old, before]: [Doc, Place], [now, after]: [Doc, Place]): Change[] {
  const changes: Change[] = [];
  const relabelled = before.label !== after.label;
  if (relabelled) changes.push('relabelled');
  if (isRetyped(before, after)) changes.push('retyped');
  if (before.capacity !== after.capacity) changes.push('resized');
  if (before.category !== after.category) changes.push('repainted');
  const far = Math.abs(before.x - after.x) > STILL || Math.abs(before.y - after.y) > STILL;
  if (far || before.floor !== after.floor) changes.push('moved');
  if (isMarked([old, before], [now, after])) changes.push('marked');
  if (!relabelled && before.shown !== after.shown) changes.push('renamed');
  return changes;
}

/**
 * True if the other drawing sells the table in another way; this is reported once and not for
 * each chair.
 */
function isTurned(other: Doc, { item, sold }: Place): boolean {
  const there = other.items.get(item);
  return there?.kind === 'table' && (there.data.bookAsAWhole === true) !== (sold === 'table');
}

function diffPlaces(before: Doc, after: Doc): PlaceDifference[] {
  const [olds, news] = [listPlaces(before), listPlaces(after)];
  const became = matchPlaces(olds, news);
  const known = new Set(became.values());
  const found: PlaceDifference[] = [];
  const alone = (place: Place, [other, change]: [Doc, 'added' | 'removed']) => {
    const sides = change === 'added' ? [null, place] : [place, null];
    const turned = isTurned(other, place);
    if (turned && place.sold === 'seat') return;
    const [old, now] = sides as [Place | null, Place | null];
    found.push({ place, before: old, after: now, changes: [turned ? 'retyped' : change] });
  };
  for (const old of olds) {
    const now = became.get(old);
    if (!now) {
      alone(old, [after, 'removed']);
      continue;
    }
    const changes = changesOf([before, old], [after, now]);
    if (changes.length > 0) found.push({ place: now, before: old, after: now, changes });
  }
  for (const now of news) if (!known.has(now)) alone(now, [before, 'added']);
  return found;
}

const SOLD = new Set(['row', 'table', 'booth', 'area']);

function itemName({ data }: Item): string {
  const { displayLabel, label, text } = data;
  const name = [displayLabel, label, text].find((one) => typeof one === 'string' && one !== '');
  return typeof name === 'string' ? name : '';
}

/**
 * The data of an object without what its places report; for example the curve of a row or the
 * size of a table remains.
 */
function looksOf({ kind, data }: Item): unknown {
  if (!SOLD.has(kind)) return data;
  const { seats: _, x_priority: __, ...looks } = data;
  return looks;
}

/** The data for the report, in which the section and the floor count as part of the position. */
function valuesOf({ section, floor, data }: Item): object {
  return { ...data, topLeft: [data.topLeft, section, floor] };
}

function isUnchanged(old: Item, now: Item): boolean {
  const isThere = old.section === now.section && old.floor === now.floor;
  return old.data === now.data || (isThere && isSame(looksOf(old), looksOf(now)));
}

/** Rows and other objects in `told` are left out, because their places are reported already. */
function diffItems(before: Doc, after: Doc, told: ReadonlySet<string>): ThingDifference[] {
  const found: ThingDifference[] = [];
  const isSilent = ({ id, kind }: Item) => SOLD.has(kind) && told.has(id);
  for (const [id, old] of before.items) {
    const now = after.items.get(id) ?? null;
    if (isSilent(old) || (now && isUnchanged(old, now))) continue;
    const change = now ? 'changed' : 'removed';
    const name = itemName(now ?? old);
    const values = now ? ([valuesOf(old), valuesOf(now)] as const) : null;
    found.push({ what: 'item', change, before: old, after: now, name, values });
  }
  for (const [id, now] of after.items)
    if (!before.items.has(id) && !isSilent(now))
      found.push({
        what: 'item',
        change: 'added',
        before: null,
        after: now,
        name: itemName(now),
        values: null,
      });
  return found;
}

interface Listed {
  key: string;
  name: string;
  value: object;
}

/** Compares categories, zones or floors. */
function diffLists(
  what: ThingDifference['what'],
  before: readonly Listed[],
  after: readonly Listed[],
): ThingDifference[] {
  const news = new Map(after.map((one) => [one.key, one]));
  const olds = new Set(before.map(({ key }) => key));
  const told = (
    change: ThingDifference['change'],
    name: string,
    values: ThingDifference['values'] = null,
  ): ThingDifference => ({ what, change, before: null, after: null, name, values });
  return [
    ...before.flatMap((old) => {
      const now = news.get(old.key);
      if (!now) return [told('removed', old.name)];
      return isSame(old.value, now.value)
        ? []
        : [told('changed', now.name, [old.value, now.value])];
    }),
    ...after.filter(({ key }) => !olds.has(key)).map(({ name }) => told('added', name)),
  ];
}

function listed(doc: Doc): Record<'category' | 'zone' | 'floor', Listed[]> {
  return {
    category: doc.categories.map((value) => ({ key: String(value.key), name: value.label, value })),
    zone: doc.zones.map((value) => ({ key: value.key, name: value.label, value })),
    floor: doc.floors.map(({ data }, index) => ({
      key: String(index),
      name: data.floorDisplayName ?? data.floorName ?? '',
      value: data,
    })),
  };
}

/** The keys of the drawing's root that a person sets. */
const WHOLE = ['name', 'venueType', 'x_cmPerUnit', 'x_licensedCapacity'];

export function diffDrawings(before: Doc, after: Doc): Diff {
  const [olds, news] = [listed(before), listed(after)];
  const whole = ({ root }: Doc) =>
    Object.fromEntries(WHOLE.map((key) => [key, root[key] ?? null] as const));
  const drawing = (doc: Doc) => [{ key: '', name: doc.root.name ?? '', value: whole(doc) }];
  const places = diffPlaces(before, after);
  const told = new Set(places.map(({ place }) => place.item));
  for (const { before: old } of places) if (old) told.add(old.item);
  return {
    places,
    things: [
      ...diffItems(before, after, told),
      ...(['category', 'zone', 'floor'] as const).flatMap((what) =>
        diffLists(what, olds[what], news[what]),
      ),
      ...diffLists('drawing', drawing(before), drawing(after)),
    ],
  };
}
