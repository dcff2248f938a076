/**
 * What a click selects: an object with its group, or a seat; alone, or added to the selection.
 */
import type { Doc } from '#server/drawing/model/data.ts';
import { seatsOf, selectItems, type Selection } from '#server/drawing/model/selection.ts';
import { withGroups } from '#server/drawing/edit/targets.ts';
import type { Hit } from '#apps/chart/designer/canvas/scene/hit.ts';

export function selectionOf(doc: Doc, { entry, seat }: Hit, pick: 'objects' | 'seats'): Selection {
  const { id } = entry.item;
  if (pick === 'seats' && seat !== null)
    return { items: new Set(), seats: new Map([[id, new Set([seat])]]) };
  return withGroups(doc, selectItems([id]));
}

export function isSelected({ items, seats }: Selection, { entry, seat }: Hit): boolean {
  const { id, section } = entry.item;
  if (items.has(id) || (section !== null && items.has(section))) return true;
  return seat !== null && seats.get(id)?.has(seat) === true;
}

/** A row with all seats selected becomes selected itself. */
function tidy(doc: Doc, items: Set<string>, seats: Map<string, ReadonlySet<number>>): Selection {
  for (const [id, positions] of seats) {
    if (positions.size > 0 && positions.size < seatsOf(doc.items.get(id)).length) continue;
    seats.delete(id);
    if (positions.size > 0) items.add(id);
  }
  return { items, seats };
}

export function addTo(doc: Doc, before: Selection, more: Selection): Selection {
  const items = new Set([...before.items, ...more.items]);
  const seats = new Map(before.seats);
  for (const id of more.items) seats.delete(id);
  for (const [id, positions] of more.seats)
    if (!items.has(id)) seats.set(id, new Set([...(seats.get(id) ?? []), ...positions]));
  return tidy(doc, items, seats);
}

export function takeFrom(doc: Doc, before: Selection, less: Selection): Selection {
  const items = new Set([...before.items].filter((id) => !less.items.has(id)));
  const seats = new Map(before.seats);
  for (const id of less.items) seats.delete(id);
  for (const [id, positions] of less.seats) {
    const whole = items.delete(id);
    const held = whole ? seatsOf(doc.items.get(id)).keys() : (seats.get(id) ?? []);
    seats.set(id, new Set([...held].filter((at) => !positions.has(at))));
  }
  return tidy(doc, items, seats);
}

/** With Shift: selected objects are deselected, others selected. */
export function toggle(
  doc: Doc,
  before: Selection,
  hit: Hit,
  pick: 'objects' | 'seats',
): Selection {
  const one = selectionOf(doc, hit, pick);
  return isSelected(before, hit) ? takeFrom(doc, before, one) : addTo(doc, before, one);
}
