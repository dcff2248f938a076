/** The acts that the canvas needs before their room has them. */
import type { Doc, Item, Key, Point } from '#server/standins/seatsio/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/standins/seatsio/drawing/model/edit.ts';
import type { Selection } from '#server/standins/seatsio/drawing/model/selection.ts';

export function setFocalPoint(doc: Doc, floorId: string, point: Point | null): Edit | null {
  const draft = new EditDraft(doc);
  const focalPoint = point && { x: Math.round(point.x), y: Math.round(point.y) };
  draft.set(
    'floors',
    doc.floors.map((floor) =>
      floor.id === floorId ? { ...floor, data: { ...floor.data, focalPoint } } : floor,
    ),
  );
  return draft.finish('focal-point');
}

export function scaleFromLine(doc: Doc, from: Point, to: Point, cm: number): Edit | null {
  const length = Math.hypot(from.x - to.x, from.y - to.y);
  if (length < 1 || !(cm > 0)) return null;
  const draft = new EditDraft(doc);
  draft.set('root', { ...doc.root, x_cmPerUnit: Math.round((cm / length) * 1000) / 1000 });
  return draft.finish('set-scale');
}

export function paint(doc: Doc, { items, seats }: Selection, categoryKey: Key | null): Edit | null {
  const draft = new EditDraft(doc);
  const put = (item: Item, isPainted: (position: number) => boolean) => {
    if (item.kind !== 'row' && item.kind !== 'table') return;
    const next = item.data.seats.map((seat, at) =>
      isPainted(at) ? { ...seat, categoryKey } : seat,
    );
    draft.put({ ...item, data: { ...item.data, seats: next } } as Item);
  };
  for (const id of items) {
    const item = doc.items.get(id);
    if (!item) continue;
    if (item.kind === 'row') put(item, () => true);
    else draft.put({ ...item, data: { ...item.data, categoryKey } } as Item);
  }
  for (const [id, positions] of seats) {
    const item = doc.items.get(id);
    if (item) put(item, (at) => positions.has(at));
  }
  return draft.finish('paint');
}
