/** The selection in a few words. */
import type { Doc } from '#server/drawing/model/data.ts';
import { labelOf } from '#server/drawing/model/places.ts';
import { seatsOf, type Selection } from '#server/drawing/model/selection.ts';
import { whereOf } from '#server/drawing/model/where.ts';

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** The seats of the selected objects, including those of a section. */
function countSeats(doc: Doc, { items, seats }: Selection): number {
  let sum = 0;
  for (const item of doc.items.values())
    if (items.has(item.id) || (item.section !== null && items.has(item.section)))
      sum += seatsOf(item).length;
  for (const positions of seats.values()) sum += positions.size;
  return sum;
}

export function describe(doc: Doc, selection: Selection): string {
  const { items, seats } = selection;
  const [only] = [...items].map((id) => doc.items.get(id));
  const places = countSeats(doc, selection);
  if (items.size === 0 && seats.size === 0) return 'Niente è selezionato';
  if (items.size === 1 && seats.size === 0 && only)
    return places > 0
      ? `${whereOf(doc, only)}, ${count(places, 'posto', 'posti')}`
      : whereOf(doc, only);
  if (items.size === 0 && seats.size === 1) {
    const [[id, positions]] = [...seats] as [[string, ReadonlySet<number>]];
    const row = doc.items.get(id);
    const [first = 0] = positions;
    const label = row && labelOf(seatsOf(row)[first] ?? {});
    if (row && positions.size === 1) return `${whereOf(doc, row)}, posto ${label}`;
    if (row) return `${whereOf(doc, row)}, ${count(positions.size, 'posto', 'posti')}`;
  }
  return items.size === 0
    ? count(places, 'posto', 'posti')
    : `${count(items.size, 'oggetto', 'oggetti')}, ${count(places, 'posto', 'posti')}`;
}
