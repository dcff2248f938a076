/** Puts new objects into a drawing, measured from their section's corner and with a new id. */
import type { Doc, Item, Kind } from '#server/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { originOf } from '#server/drawing/model/selection.ts';
import { moving } from '#server/drawing/geometry/matrix.ts';
import { ORIGIN } from '#server/drawing/geometry/vector.ts';
import { placeOf, type At, type NewId } from './targets.ts';
import { transformed } from './transformed.ts';

export type NewItem = { [K in Kind]: { kind: K; data: Item<K>['data'] } }[Kind];

const MOVE = moving(0, 0);

/**
 * Inserts an object with absolute coordinates; its seats have ids already.
 * @returns its id
 */
export function putNew(draft: EditDraft, at: At, { kind, data }: NewItem, newId: NewId): string {
  const { uuid } = data;
  const id = typeof uuid === 'string' && uuid !== '' && !draft.doc.items.has(uuid) ? uuid : newId();
  const section = kind === 'section' ? null : at.section;
  // The kind decides about the type of the data, because the format itself does not name it.
  const item = { id, kind, floor: at.floor, section, data: { ...data, uuid: id } } as Item;
  draft.put(transformed(item, MOVE, { from: ORIGIN, to: originOf(draft.doc, item) }));
  return id;
}

/** Marks the drawing as one with sections or floors. */
export function noteSections(draft: EditDraft): void {
  const { root } = draft.doc;
  if (root.venueType === undefined || root.venueType === 'SIMPLE')
    draft.set('root', { ...root, venueType: 'WITH_SECTIONS_AND_FLOORS' });
}

/** Makes an edit that inserts one object. */
export function make(
  doc: Doc,
  options: { at: At; code: string; detail?: string | number },
  { item, newId }: { item: (at: At) => NewItem; newId: NewId },
): Edit | null {
  const at = placeOf(doc, options.at);
  if (!at) return null;
  const draft = new EditDraft(doc);
  putNew(draft, at, item(at), newId);
  return draft.finish(options.code, options.detail);
}
