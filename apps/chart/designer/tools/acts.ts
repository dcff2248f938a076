/** The acts that the canvas needs before their room has them. */
import type { Item, Point } from '#server/standins/seatsio/drawing/model/data.ts';
import type { Doc } from '#server/standins/seatsio/drawing/model/data.ts';
import { EditDraft, type Edit } from '#server/standins/seatsio/drawing/model/edit.ts';
import type { Selection } from '#server/standins/seatsio/drawing/model/selection.ts';

function moved<P extends Point>(point: P, { dx, dy }: { dx: number; dy: number }): P {
  return { ...point, x: point.x + dx, y: point.y + dy };
}

function movedItem(item: Item, by: { dx: number; dy: number }): Item {
  const { data } = item;
  const parts: Record<string, unknown> = {};
  if ('center' in data && data.center) parts.center = moved(data.center as Point, by);
  if ('points' in data && data.points)
    parts.points = (data.points as Point[]).map((point) => moved(point, by));
  if (item.kind === 'section' && item.data.topLeft) parts.topLeft = moved(item.data.topLeft, by);
  if (item.kind === 'row' || item.kind === 'table')
    parts.seats = item.data.seats.map((seat) => moved(seat, by));
  return { ...item, data: { ...data, ...parts } } as Item;
}

export function moveSelection(
  doc: Doc,
  { items, seats }: Selection,
  by: { dx: number; dy: number },
): Edit | null {
  if (by.dx === 0 && by.dy === 0) return null;
  const draft = new EditDraft(doc);
  for (const id of items) {
    const item = doc.items.get(id);
    if (item && !item.data.x_locked && !items.has(item.section ?? ''))
      draft.put(movedItem(item, by));
  }
  for (const [id, positions] of seats) {
    const item = doc.items.get(id);
    if (item?.kind !== 'row' && item?.kind !== 'table') continue;
    const next = item.data.seats.map((seat, at) => (positions.has(at) ? moved(seat, by) : seat));
    draft.put({ ...item, data: { ...item.data, seats: next } } as Item);
  }
  return draft.finish('move');
}
