/** Groups, locks, hides and layers objects, and sets the order in which they are read out. */
import { listOf, type Doc, type Item } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import type { Selection } from '#server/drawing/model/selection.ts';
import { patched, wholeIn, type NewId } from './targets.ts';
import { entryOf } from '#server/drawing/model/entry.ts';

/** The selected objects; one with selected seats counts as selected. */
function objectsIn(doc: Doc, selection: Selection): Item[] {
  const owners = [...selection.seats.keys()].flatMap((id) => doc.items.get(id) ?? []);
  return [...new Set([...wholeIn(doc, selection), ...owners])];
}

function patchAll(
  doc: Doc,
  items: readonly Item[],
  patch: Readonly<Record<string, unknown>>,
  code: string,
): Edit | null {
  const draft = new EditDraft(doc);
  for (const item of items) draft.put(patched(item, patch));
  return draft.finish(code, items.length);
}

export function groupSelection(doc: Doc, selection: Selection, newId: NewId): Edit | null {
  const items = objectsIn(doc, selection);
  return items.length > 1 ? patchAll(doc, items, { x_group: newId() }, 'group') : null;
}

export function ungroupSelection(doc: Doc, selection: Selection): Edit | null {
  return patchAll(doc, objectsIn(doc, selection), { x_group: undefined }, 'ungroup');
}

export function lockSelection(doc: Doc, selection: Selection, on: boolean): Edit | null {
  const patch = { x_locked: on ? true : undefined };
  return patchAll(doc, objectsIn(doc, selection), patch, on ? 'lock' : 'unlock');
}

/** Hides objects in the designer only; visitors still see what is sold. */
export function hideSelection(doc: Doc, selection: Selection, on: boolean): Edit | null {
  const patch = { x_hidden: on ? true : undefined };
  return patchAll(doc, objectsIn(doc, selection), patch, on ? 'hide' : 'show');
}

function layerOf({ data }: Item): number {
  return typeof data.x_layer === 'number' ? data.x_layer : 0;
}

/**
 * Decoration is drawn in the order of its list. Sold objects stay in their order, because they
 * are read out in it.
 */
const PAINTED = ['shape', 'text', 'icon', 'image'] as const;

function sortPainted(draft: EditDraft, lists: ReadonlySet<string>): void {
  for (const list of lists) {
    const ids = draft.doc.order.get(list) ?? [];
    const layerAt = (id: string) => layerOf(entryOf(draft.doc.items, id));
    draft.reorder(
      list,
      ids.toSorted((a, b) => layerAt(a) - layerAt(b)),
    );
  }
}

export function layerSelection(
  doc: Doc,
  selection: Selection,
  to: 'front' | 'forward' | 'backward' | 'back',
): Edit | null {
  const items = objectsIn(doc, selection);
  const chosen = new Set(items.map(({ id }) => id));
  const others = [...doc.items.values()].filter(({ id }) => !chosen.has(id)).map(layerOf);
  const [lowest, highest] = others.reduce(
    ([low, high], layer) => [Math.min(low, layer), Math.max(high, layer)],
    [0, 0],
  );
  const layers = {
    front: () => highest + 1,
    forward: (item: Item) => layerOf(item) + 1,
    backward: (item: Item) => layerOf(item) - 1,
    back: () => lowest - 1,
  };
  const draft = new EditDraft(doc);
  for (const item of items) draft.put(patched(item, { x_layer: layers[to](item) || undefined }));
  const painted = items.filter(({ kind }) => (PAINTED as readonly string[]).includes(kind));
  sortPainted(draft, new Set(painted.map(listOf)));
  return draft.finish('layer');
}
