/**
 * Extends the selection to similar objects: the same row, section, category or kind, the whole
 * floor, or everything else.
 */
import type { Doc, Item, Key } from '#server/drawing/model/data.ts';
import { seatsOf, selectItems, type Selection } from '#server/drawing/model/selection.ts';
import type { StudioState } from '#apps/chart/designer/state/studio.ts';

export type Likeness = 'row' | 'section' | 'category' | 'kind';

/** What can be selected on the floor, or in the section being edited. */
function openItems({ doc, floor, section }: StudioState): Item[] {
  return [...doc.items.values()].filter((item) => {
    if (item.data.x_hidden || item.data.x_locked || item.floor !== floor) return false;
    const around = item.section === null ? undefined : doc.items.get(item.section);
    if (around?.data.x_hidden || around?.data.x_locked) return false;
    return section === null || item.section === section;
  });
}

/** Leaves out objects whose section is selected, because they belong to it. */
function onTop(items: readonly Item[]): Selection {
  const ids = new Set(items.map(({ id }) => id));
  return selectItems(items.flatMap(({ id, section }) => (ids.has(section ?? '') ? [] : [id])));
}

export function selectAll(state: StudioState): Selection {
  return onTop(openItems(state));
}

export function invertSelected(state: StudioState): Selection {
  const { items, seats } = state.selection;
  const carries = new Set(
    [...items, ...seats.keys()].flatMap((id) => state.doc.items.get(id)?.section ?? []),
  );
  const rest = openItems(state).filter(
    ({ id, section }) =>
      !items.has(id) && !items.has(section ?? '') && !carries.has(id) && !seats.has(id),
  );
  const others = [...seats].map(([id, positions]): [string, Set<number>] => [
    id,
    new Set([...seatsOf(state.doc.items.get(id)).keys()].filter((at) => !positions.has(at))),
  ]);
  return { items: onTop(rest).items, seats: new Map(others.filter(([, { size }]) => size > 0)) };
}

function keyText(key: Key | null | undefined): string {
  return key === null || key === undefined ? '' : String(key);
}

function ownKey(doc: Doc, item: Item): string {
  const own = keyText((item.data as { categoryKey?: Key | null }).categoryKey);
  const around = item.section === null ? undefined : doc.items.get(item.section);
  return own || (around?.kind === 'section' ? keyText(around.data.categoryKey) : '');
}

function keyOfSeat(doc: Doc, item: Item, position: number): string {
  return keyText(seatsOf(item)[position]?.categoryKey) || ownKey(doc, item);
}

function keysIn(doc: Doc, { items, seats }: Selection): Set<string> {
  const keys = new Set<string>();
  const add = (item: Item, positions: Iterable<number>) => {
    let count = 0;
    for (const position of positions) {
      keys.add(keyOfSeat(doc, item, position));
      count += 1;
    }
    if (count === 0) keys.add(ownKey(doc, item));
  };
  for (const id of items) {
    const item = doc.items.get(id);
    if (item) add(item, seatsOf(item).keys());
  }
  for (const [id, positions] of seats) {
    const item = doc.items.get(id);
    if (item) add(item, positions);
  }
  return keys;
}

const bookable = new Set<Item['kind']>(['table', 'booth', 'area']);

/**
 * Every seat of these categories, with complete rows as one object, and objects that are booked
 * as a whole.
 */
function withKeys(doc: Doc, among: readonly Item[], keys: ReadonlySet<string>): Selection {
  const items = new Set<string>();
  const seats = new Map<string, ReadonlySet<number>>();
  for (const item of among) {
    const all = seatsOf(item);
    const same = new Set<number>();
    for (let at = 0; at < all.length; at++) if (keys.has(keyOfSeat(doc, item, at))) same.add(at);
    const isAll =
      all.length > 0
        ? same.size === all.length
        : bookable.has(item.kind) && keys.has(ownKey(doc, item));
    if (isAll) items.add(item.id);
    else if (same.size > 0) seats.set(item.id, same);
  }
  return { items, seats };
}

export function selectSame(state: StudioState, likeness: Likeness): Selection {
  const { doc, selection } = state;
  const ids = [...selection.items, ...selection.seats.keys()];
  const chosen = ids.flatMap((id) => doc.items.get(id) ?? []);
  if (likeness === 'row') return selectItems(ids);
  const among = openItems({ ...state, section: null });
  if (likeness === 'category') return withKeys(doc, among, keysIn(doc, selection));
  if (likeness === 'kind') {
    const kinds = new Set(chosen.map(({ kind }) => kind));
    return onTop(among.filter(({ kind }) => kinds.has(kind)));
  }
  const sections = new Set(
    chosen.map(({ section, kind, id }) => (kind === 'section' ? id : section)),
  );
  return selectItems(
    among.flatMap(({ id, section, kind }) =>
      kind !== 'section' && sections.has(section) ? [id] : [],
    ),
  );
}

/** The same kind with the same number of seats, in the same categories. */
export function selectSimilar(state: StudioState): Selection {
  const { doc, selection } = state;
  const markOf = (item: Item) => {
    const keys = [...keysIn(doc, selectItems([item.id]))].toSorted().join();
    return `${item.kind} ${seatsOf(item).length} ${keys}`;
  };
  const marks = new Set(
    [...selection.items, ...selection.seats.keys()].flatMap((id) => {
      const item = doc.items.get(id);
      return item ? [markOf(item)] : [];
    }),
  );
  return onTop(openItems({ ...state, section: null }).filter((item) => marks.has(markOf(item))));
}
