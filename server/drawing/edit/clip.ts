/** A copy in a clipboard: objects, measured from the drawing's corner, and their categories. */
import {
  KINDS,
  type CategoryData,
  type Doc,
  type Item,
  type Kind,
  type SeatData,
} from '#server/drawing/model/data.ts';
import { isRaw, type Raw } from '#server/drawing/model/open.ts';
import { originOf, seatsOf, type Selection } from '#server/drawing/model/selection.ts';
import { moving } from '#server/drawing/geometry/matrix.ts';
import { ORIGIN, isPoint } from '#server/drawing/geometry/vector.ts';
import { isSameKey } from './categories.ts';
import { leaving } from './inherit.ts';
import { childrenOf, seatsIn, wholeIn, withSeats, type At } from './targets.ts';
import { transformed } from './transformed.ts';

export interface ClipItem {
  kind: Kind;
  data: Item['data'];
  /** Where the original stood. */
  at: At;
  /** The contents of a section, measured from its corner. */
  inside?: ClipItem[];
}
export interface Clip {
  app: 'botteghino';
  version: 1;
  items: ClipItem[];
  categories: CategoryData[];
}

function clipped(doc: Doc, item: Item): ClipItem {
  const { kind, floor, section } = item;
  const frames = { from: originOf(doc, item), to: ORIGIN };
  const { data } = transformed(item, moving(0, 0), frames);
  const inside = childrenOf(doc, item.id).map((child) => ({
    kind: child.kind,
    data: child.data,
    at: { floor, section: item.id },
  }));
  return { kind, data, at: { floor, section }, ...(kind === 'section' ? { inside } : {}) };
}

/** Copied seats of a row become a new row; copied chairs of a table stay at a table. */
export function clipItems(
  doc: Doc,
  selection: Selection,
  { alone }: { alone: boolean },
): ClipItem[] {
  const parts = seatsIn(doc, selection, { whole: false })
    .filter(({ item }) => item.kind === 'row' && !selection.items.has(item.section ?? ''))
    .map(({ item, positions }) =>
      withSeats(
        item,
        item.data.seats.filter((_, position) => positions.has(position)),
      ),
    );
  return [...wholeIn(doc, selection), ...parts].map((item) =>
    clipped(doc, alone ? leaving(doc, item, null) : item),
  );
}

function keysIn(items: readonly ClipItem[]): Set<string> {
  const keys = new Set<string>();
  const see = (value: unknown) => {
    if (typeof value === 'string' || typeof value === 'number') keys.add(String(value));
  };
  for (const { data, inside = [] } of items) {
    see((data as { categoryKey?: unknown }).categoryKey);
    for (const { categoryKey } of (data as { seats?: SeatData[] }).seats ?? []) see(categoryKey);
    for (const key of keysIn(inside)) keys.add(key);
  }
  return keys;
}

export function copyClip(doc: Doc, selection: Selection): Clip | null {
  const items = clipItems(doc, selection, { alone: true });
  if (items.length === 0) return null;
  const keys = keysIn(items);
  const categories = doc.categories.filter(({ key }) =>
    [...keys].some((one) => isSameKey(key, one)),
  );
  return { app: 'botteghino', version: 1, items, categories };
}

const MOST_ITEMS = 20_000;

function isList(value: unknown, isGood: (one: Raw) => boolean): boolean {
  return Array.isArray(value) && value.every((one) => isRaw(one) && isGood(one));
}

function isClipItem(value: Raw): boolean {
  const { kind, data, at, inside } = value;
  if (!KINDS.includes(kind as Kind) || !isRaw(data) || !isRaw(at)) return false;
  const isSeatedKind = kind === 'row' || kind === 'table';
  if (isSeatedKind && !isList(data.seats, isPoint)) return false;
  if (data.points !== undefined && !isList(data.points, isPoint)) return false;
  if (data.center !== undefined && !(isRaw(data.center) && isPoint(data.center))) return false;
  if (kind !== 'section') return inside === undefined;
  const isInner = (one: Raw) => one.kind !== 'section' && isClipItem(one);
  return isRaw(data.subChart) && Array.isArray(data.points) && isList(inside, isInner);
}

/** Checks the clipboard's value, because another tab may have written it. */
export function readClip(value: unknown): Clip | null {
  if (!isRaw(value) || value.app !== 'botteghino' || value.version !== 1) return null;
  const { items, categories } = value;
  const isCategory = ({ key, label, color }: Raw) =>
    (typeof key === 'string' || typeof key === 'number') &&
    typeof label === 'string' &&
    typeof color === 'string';
  const isGood = isList(items, isClipItem) && isList(categories, isCategory);
  return isGood && (items as unknown[]).length <= MOST_ITEMS ? (value as unknown as Clip) : null;
}

export function clipSeats(items: readonly ClipItem[]): SeatData[] {
  return items.flatMap(({ kind, data, inside = [] }) => [
    ...seatsOf({ kind, data } as Item),
    ...clipSeats(inside),
  ]);
}
