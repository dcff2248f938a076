/** The order in which best places are given if all are free, and how a house changes it. */
import { ACCESSIBLE, COMPANION, flagsOf } from '#server/drawing/model/flags.ts';
import { listPlaces, type Place } from '#server/drawing/model/places.ts';
import { EditDraft, type Edit } from '#server/drawing/model/edit.ts';
import { seatsOf, type Selection } from '#server/drawing/model/selection.ts';
import { distanceBetween, priorityOf, rankOf } from './rank.ts';
import { focalPoints } from './view.ts';
import type { Doc, Item } from '#server/drawing/model/data.ts';

/** The seat's own priority, or else its row's, or else its section's. */
export function priorityIn(doc: Doc, { item, section, data }: Place): number {
  const around = section === null ? undefined : doc.items.get(section)?.data.x_priority;
  return priorityOf(data.x_priority ?? doc.items.get(item)?.data.x_priority ?? around);
}

/**
 * Single seats, the best first; equally good ones in the drawing's order. Wheelchair places and
 * companions' seats are given only on request.
 */
export function bestOrder(doc: Doc): Place[] {
  const focalOf = focalPoints(doc);
  return listPlaces(doc)
    .filter(({ sold }) => sold === 'seat')
    .map((place) => ({ place, flags: flagsOf(place.data) }))
    .filter(({ flags }) => (flags & (ACCESSIBLE | COMPANION)) === 0)
    .map(({ place, flags }) => {
      const focal = focalOf(place);
      const distance = focal ? distanceBetween(focal, place) : undefined;
      return { place, rank: rankOf({ distance, flags, priority: priorityIn(doc, place) }) };
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ place }) => place);
}

function withPriority<T extends { x_priority?: number }>(data: T, level: number | null): T {
  if (level === null || level === 0) {
    if (data.x_priority === undefined) return data;
    const { x_priority: _, ...rest } = data;
    return rest as T;
  }
  return data.x_priority === level ? data : { ...data, x_priority: level };
}

/**
 * Puts the selection forward (negative) or back; null or 0 removes the priority. Seats without
 * their own follow their row or section.
 */
export function setPriority(doc: Doc, selection: Selection, level: number | null): Edit | null {
  const draft = new EditDraft(doc);
  const steps = level === null ? null : priorityOf(level);
  for (const id of selection.items) {
    const item = doc.items.get(id);
    if (!item) continue;
    const data = withPriority(item.data, steps);
    if (data !== item.data) draft.put({ ...item, data } as Item);
  }
  for (const [id, positions] of selection.seats) {
    const item = doc.items.get(id);
    if (!item) continue;
    const before = seatsOf(item);
    const seats = before.map((seat, index) =>
      positions.has(index) ? withPriority(seat, steps) : seat,
    );
    if (seats.some((seat, index) => seat !== before[index]))
      draft.put({ ...item, data: { ...item.data, seats } } as Item);
  }
  return draft.finish('priority', steps ?? 0);
}
