/** Edits categories: paints objects with them, adds, changes, removes and reorders them. */
import type { CategoryData, Doc, Item, Key, SeatData } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import type { Selection } from '#server/drawing/model/selection.ts';
import { childrenOf, isSeated, patched, seatsIn, withSeats } from './targets.ts';

export function isSameKey(a: Key | null | undefined, b: Key | null | undefined): boolean {
  return a === b || (a !== null && a !== undefined && String(a) === String(b ?? ''));
}

/** The key as the drawing has it; a panel has keys as texts. */
function drawnKey(doc: Pick<Doc, 'categories'>, key: Key | null): Key | null | undefined {
  if (key === null) return null;
  return doc.categories.find((category) => isSameKey(category.key, key))?.key;
}

function painted(seat: SeatData, key: Key | null): SeatData {
  if (isSameKey(seat.categoryKey ?? null, key)) return seat;
  if (key !== null) return { ...seat, categoryKey: key };
  const { categoryKey: _, ...bare } = seat;
  return bare;
}

/** Removes an object's own category, so that its section's applies. */
function withoutOwn(item: Item): Item {
  const bare = isSeated(item) ? item.data.seats.map((seat) => painted(seat, null)) : [];
  const isSame =
    isSeated(item) && bare.every((seat, position) => seat === item.data.seats[position]);
  const next = isSeated(item) && !isSame ? withSeats(item, bare) : item;
  return patched(next, { categoryKey: undefined });
}

/** Counts the places in an object that have another category of their own. */
function countOther(item: Item, key: Key): number {
  const isOther = (own: Key | null | undefined) =>
    own !== null && own !== undefined && !isSameKey(own, key);
  if (isSeated(item)) return item.data.seats.filter((seat) => isOther(seat.categoryKey)).length;
  return isOther(item.data.categoryKey as Key | undefined) ? 1 : 0;
}

/**
 * Paints the selection; null removes its own category. A section gives its category to objects
 * without one.
 */
export function paint(doc: Doc, selection: Selection, wanted: Key | null): Edit | null {
  const key = drawnKey(doc, wanted);
  if (key === undefined) return null;
  const draft = new EditDraft(doc);
  let [count, lost] = [0, 0];
  for (const { item, positions } of seatsIn(doc, selection, { whole: true })) {
    const seats = item.data.seats.map((seat, position) =>
      positions.has(position) ? painted(seat, key) : seat,
    );
    const changes = seats.filter((seat, position) => seat !== item.data.seats[position]).length;
    const own = item.kind === 'table' && positions.size === seats.length;
    const next = changes > 0 ? withSeats(item, seats) : item;
    draft.put(own ? patched(next, { categoryKey: key ?? undefined }) : next);
    count += changes;
  }
  for (const id of selection.items) {
    const item = doc.items.get(id);
    const isPainted = item?.kind === 'booth' || item?.kind === 'area' || item?.kind === 'section';
    if (!isPainted) continue;
    draft.put(patched(item, { categoryKey: key ?? undefined }));
    if (item.kind === 'section' && key !== null)
      for (const child of childrenOf(doc, id)) {
        lost += countOther(child, key);
        draft.put(withoutOwn(child));
      }
    count += 1;
  }
  const edit = draft.finish('paint', count);
  return edit && (lost > 0 ? { ...edit, lost } : edit);
}

function setCategories(draft: EditDraft, list: readonly CategoryData[]): void {
  const { root } = draft.doc;
  draft.set('categories', list);
  const numbers = list.flatMap(({ key }) => (typeof key === 'number' ? [key] : []));
  const known = root.categories as Record<string, unknown> | undefined;
  const most = Math.max(0, Number(known?.maxCategoryKey ?? 0), ...numbers);
  if (known?.maxCategoryKey !== undefined && known.maxCategoryKey !== most)
    draft.set('root', { ...root, categories: { ...known, maxCategoryKey: most } });
}

/** A key that was never used: a number, unless all other keys are texts. */
function newKey(doc: Doc): Key {
  const keys = doc.categories.map(({ key }) => key);
  const known = (doc.root.categories as { maxCategoryKey?: unknown } | undefined)?.maxCategoryKey;
  const numbers = keys.map(Number).filter(Number.isSafeInteger);
  const next = Math.max(0, Number(known) || 0, ...numbers) + 1;
  const areTexts = keys.length > 0 && keys.every((key) => typeof key === 'string');
  return areTexts ? String(next) : next;
}

export function addInto(draft: EditDraft, category: Omit<CategoryData, 'key'>): Key {
  const key = newKey(draft.doc);
  setCategories(draft, [
    ...draft.doc.categories,
    { ...category, key, accessible: category.accessible === true } as CategoryData,
  ]);
  return key;
}

export function addCategory(
  doc: Doc,
  category: { label: string; color: string; accessible?: boolean },
): Edit | null {
  if (category.label.trim() === '') return null;
  const draft = new EditDraft(doc);
  addInto(draft, category);
  return draft.finish('add-category', category.label);
}

export function changeCategory(
  doc: Doc,
  key: Key,
  patch: { label?: string; color?: string; accessible?: boolean },
): Edit | null {
  const draft = new EditDraft(doc);
  const list = doc.categories.map((category) => {
    const isSame = Object.entries(patch).every(([name, value]) => category[name] === value);
    return isSameKey(category.key, key) && !isSame ? { ...category, ...patch } : category;
  });
  if (list.some((category, at) => category !== doc.categories[at])) draft.set('categories', list);
  return draft.finish('change-category', patch.label);
}

/** Moves a category up (-1) or down (1) in the list, in which legends and forms show them. */
export function moveCategory(doc: Doc, key: Key, by: -1 | 1): Edit | null {
  const at = doc.categories.findIndex((category) => isSameKey(category.key, key));
  const [own, other] = [doc.categories[at], doc.categories[at + by]];
  if (!own || !other) return null;
  const draft = new EditDraft(doc);
  draft.set('categories', doc.categories.with(at, other).with(at + by, own));
  return draft.finish('order-categories', own.label);
}

function replaced(item: Item, from: Key, to: Key | null, positions?: ReadonlySet<number>): Item {
  let next = item;
  if (isSeated(next)) {
    const seats = next.data.seats.map((seat, position) =>
      isSameKey(seat.categoryKey, from) && (positions?.has(position) ?? true)
        ? painted(seat, to)
        : seat,
    );
    if (
      seats.some((seat, position) => seat !== (item.data as { seats: SeatData[] }).seats[position])
    )
      next = withSeats(next, seats);
  }
  const { categoryKey } = next.data as { categoryKey?: Key | null };
  return positions === undefined && next.kind !== 'row' && isSameKey(categoryKey, from)
    ? patched(next, { categoryKey: to ?? undefined })
    : next;
}

/** Replaces a category everywhere, or in the selection. */
export function replaceCategory(
  doc: Doc,
  from: Key,
  wanted: Key | null,
  selection?: Selection,
): Edit | null {
  const to = drawnKey(doc, wanted);
  if (to === undefined || isSameKey(from, to)) return null;
  const draft = new EditDraft(doc);
  for (const item of doc.items.values()) {
    const isWhole = !selection || selection.items.has(item.id);
    const positions = isWhole ? undefined : selection.seats.get(item.id);
    if (isWhole || positions) draft.put(replaced(item, from, to, positions));
  }
  return draft.finish('replace-category');
}

/** Removes a category; its objects get another one, or none. */
export function removeCategory(
  doc: Doc,
  key: Key,
  { replaceBy }: { replaceBy: Key | null },
): Edit | null {
  const known = doc.categories.find((category) => isSameKey(category.key, key));
  const to = drawnKey(doc, replaceBy);
  if (!known || to === undefined || isSameKey(known.key, to)) return null;
  const draft = new EditDraft(doc);
  for (const item of doc.items.values()) draft.put(replaced(item, known.key, to));
  setCategories(
    draft,
    doc.categories.filter((category) => category !== known),
  );
  return draft.finish('remove-category', known.label);
}
